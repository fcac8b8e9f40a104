//! The scores of the listed sources as a column chart, laid out in numbers for the template.

use crate::appendix::title;
use crate::assemble::CheckedReport;

/// The size of the drawing, in its own units.
const WIDTH: f64 = 680.0;
const HEIGHT: f64 = 120.0;
/// Where the columns stand: room for the axis on the left, for the numbers below.
const LEFT: f64 = 28.0;
const TOP: f64 = 8.0;
const BOTTOM: f64 = 100.0;
/// The widest that a source's place is.
const MAX_STEP: f64 = 44.0;
/// Narrower places have no number below them.
const LABEL_STEP: f64 = 14.0;

/// A column.
pub(crate) struct Column {
    pub(crate) n: usize,
    pub(crate) x: String,
    pub(crate) y: String,
    pub(crate) width: String,
    pub(crate) height: String,
    pub(crate) middle: String,
    pub(crate) tip: String,
}

/// The chart.
pub(crate) struct Chart {
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) columns: Vec<Column>,
    pub(crate) labelled: bool,
    pub(crate) threshold_y: String,
    pub(crate) threshold: f64,
    pub(crate) summary: String,
}

impl Chart {
    pub(crate) fn new(report: &CheckedReport) -> Self {
        let sources: Vec<_> = report.sources().collect();
        let step = ((WIDTH - LEFT) / (sources.len().max(1) as f64)).min(MAX_STEP);
        let y = |value: f64| {
            let share = if value.is_finite() { value.clamp(0.0, 1.0) } else { 0.0 };
            BOTTOM - share * (BOTTOM - TOP)
        };
        let columns = sources.iter().enumerate().map(|(index, (n, source))| {
            let total = source.credibility.total;
            let x = LEFT + step * index as f64;
            Column {
                n: *n,
                x: format!("{:.1}", x + step * 0.15),
                y: format!("{:.1}", y(total)),
                width: format!("{:.1}", step * 0.7),
                height: format!("{:.1}", BOTTOM - y(total)),
                middle: format!("{:.1}", x + step * 0.5),
                tip: format!("{n}. {}: {total:.2}", title(source)),
            }
        });
        let scores = || sources.iter().map(|(_, source)| source.credibility.total);
        let (least, most) = (scores().fold(f64::MAX, f64::min), scores().fold(0.0, f64::max));
        let threshold = report.facts().threshold;
        Self {
            width: WIDTH,
            height: HEIGHT,
            columns: columns.collect(),
            labelled: step >= LABEL_STEP,
            threshold_y: format!("{:.1}", y(threshold)),
            threshold,
            summary: match report.facts().briefing {
                Some(_) => {
                    format!(
                        "Credibility of the {} sources: {least:.2} to {most:.2}.",
                        sources.len()
                    )
                }
                None => format!(
                    "Credibility of the {} sources: {least:.2} to {most:.2}; pages at or below {threshold} were blocked.",
                    sources.len()
                ),
            },
        }
    }
}
