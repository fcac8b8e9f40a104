//! A run's calls as a waterfall: what ran when, and beside what; laid out for the template.

use crate::appendix::duration;
use crate::escape::one_line;
use crate::facts::{Call, StageRecord};

/// The size of the drawing, in its own units.
const WIDTH: f64 = 720.0;
const LEFT: f64 = 250.0;
/// Room on the right for the label of a tick at the end of the axis.
const RIGHT: f64 = 64.0;
const ROW: usize = 18;
const HEAD: usize = 24;
/// The narrowest bar that can be seen.
const MIN_BAR: f64 = 2.0;
/// Longer runs show this many rows and say how many more there are.
const MAX_ROWS: usize = 400;
/// When nothing happens for so long, the run was resumed later; the pause is cut short.
const PAUSE_MS: i64 = 30_000;
/// How much of a label is shown beside its bar, in characters.
const LABEL_CHARS: usize = 38;
/// Steps of the axis: the first that gives at most [`MAX_TICKS`] is taken.
const TICKS_MS: [i64; 13] =
    [10, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000, 300_000, 1_800_000];
const MAX_TICKS: i64 = 6;

/// A row: a stage or one of its calls.
pub(crate) struct Row {
    pub(crate) is_stage: bool,
    pub(crate) kind: String,
    pub(crate) label: String,
    pub(crate) tip: String,
    pub(crate) x: String,
    pub(crate) width: String,
    pub(crate) y: usize,
    pub(crate) text_y: usize,
}

/// The drawing.
pub(crate) struct Waterfall {
    pub(crate) rows: Vec<Row>,
    pub(crate) ticks: Vec<(String, String)>,
    pub(crate) width: f64,
    pub(crate) height: usize,
    pub(crate) left_out: usize,
    pub(crate) summary: String,
}

impl Waterfall {
    pub(crate) fn new(timeline: &[StageRecord]) -> Self {
        let scale = Scale::new(timeline);
        let mut rows = Vec::new();
        for stage in timeline {
            rows.extend(scale.stage(stage));
            rows.extend(stage.calls.iter().map(|call| scale.call(call)));
        }
        let left_out = rows.len().saturating_sub(MAX_ROWS);
        rows.truncate(MAX_ROWS);
        for (index, row) in rows.iter_mut().enumerate() {
            row.y = HEAD + index * ROW;
            row.text_y = row.y + 12;
        }
        let calls: usize = timeline.iter().map(|stage| stage.calls.len()).sum();
        Self {
            ticks: scale.ticks(),
            width: WIDTH,
            height: HEAD + rows.len() * ROW + 4,
            left_out,
            summary: format!(
                "{calls} calls in {} stages took {}.",
                timeline.len(),
                duration(scale.total)
            ),
            rows,
        }
    }

    /// Whether there is anything to see: a run under a fixed clock has no times.
    pub(crate) fn is_timed(&self) -> bool {
        !self.rows.is_empty() && !self.ticks.is_empty()
    }
}

/// Where a moment lies once pauses are cut out.
struct Scale {
    /// Ends of pauses, with all that was cut out up to there.
    cuts: Vec<(i64, i64)>,
    start: i64,
    total: i64,
}

impl Scale {
    fn new(timeline: &[StageRecord]) -> Self {
        let mut calls: Vec<&Call> = timeline.iter().flat_map(|stage| &stage.calls).collect();
        calls.sort_by_key(|call| call.start_ms);
        let start = calls.first().map_or(0, |call| call.start_ms);
        let (mut busy, mut cut, mut cuts) = (start, 0i64, Vec::new());
        for call in calls {
            let idle = call.start_ms.saturating_sub(busy);
            if idle > PAUSE_MS {
                cut = cut.saturating_add(idle - PAUSE_MS / 30);
                cuts.push((call.start_ms, cut));
            }
            busy = busy.max(call.start_ms.saturating_add(call.millis.max(0)));
        }
        let total = busy.saturating_sub(start).saturating_sub(cut);
        Self { cuts, start, total }
    }

    fn at(&self, moment: i64) -> i64 {
        let cut =
            self.cuts.iter().rev().find(|(from, _)| moment >= *from).map_or(0, |(_, cut)| *cut);
        moment.saturating_sub(self.start).saturating_sub(cut).clamp(0, self.total.max(0))
    }

    fn x(&self, millis: i64) -> f64 {
        LEFT + (WIDTH - LEFT - RIGHT) * millis as f64 / self.total.max(1) as f64
    }

    fn bar(&self, from: i64, to: i64) -> (String, String) {
        let (left, right) = (self.x(self.at(from)), self.x(self.at(to)));
        (format!("{left:.1}"), format!("{:.1}", (right - left).max(MIN_BAR)))
    }

    fn stage(&self, stage: &StageRecord) -> Option<Row> {
        let (from, to) = stage.span()?;
        let (x, width) = self.bar(from, to);
        let title = one_line(&stage.title);
        let took = self.at(to).saturating_sub(self.at(from));
        Some(Row {
            is_stage: true,
            kind: "stage".to_owned(),
            label: probity_core::printable::brief(&title, LABEL_CHARS),
            tip: format!("{title}: {}", duration(took)),
            x,
            width,
            y: 0,
            text_y: 0,
        })
    }

    fn call(&self, call: &Call) -> Row {
        let (x, width) = self.bar(call.start_ms, call.start_ms.saturating_add(call.millis.max(0)));
        let (kind, label) = (one_line(&call.kind), one_line(&call.label));
        let bare = label.trim_start_matches("https://").trim_start_matches("http://");
        let shown = format!("{kind} {bare}");
        Row {
            is_stage: false,
            label: probity_core::printable::brief(shown.trim_end(), LABEL_CHARS),
            tip: format!(
                "{kind} {label}: {} after {}",
                duration(call.millis),
                duration(self.at(call.start_ms))
            ),
            kind: class(&kind).to_owned(),
            x,
            width,
            y: 0,
            text_y: 0,
        }
    }

    fn ticks(&self) -> Vec<(String, String)> {
        if self.total <= 0 {
            return Vec::new();
        }
        let step = TICKS_MS.into_iter().find(|step| self.total / step <= MAX_TICKS);
        let step = step.unwrap_or(self.total / MAX_TICKS).max(1);
        let moments = (0..=MAX_TICKS).map(|i| i * step).take_while(|moment| *moment <= self.total);
        moments.map(|moment| (format!("{:.1}", self.x(moment)), duration(moment))).collect()
    }
}

/// Calls to the outside look different from judgements.
fn class(kind: &str) -> &'static str {
    match kind {
        "search" | "fetch" => "outside",
        "ledger" => "ledger",
        _ => "judging",
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn stage(calls: &[(i64, i64)]) -> StageRecord {
        let call = |(start_ms, millis): &(i64, i64)| Call {
            kind: "fetch".to_owned(),
            label: "https://a.example/".to_owned(),
            start_ms: *start_ms,
            millis: *millis,
        };
        StageRecord {
            title: "Round 1".to_owned(),
            calls: calls.iter().map(call).collect(),
            ..StageRecord::default()
        }
    }

    #[test]
    fn bars_lie_within_the_drawing_and_in_order() {
        let drawn = Waterfall::new(&[stage(&[(5, 100), (50, 400)]), stage(&[(500, 20)])]);
        assert!(drawn.is_timed());
        let bars: Vec<(f64, f64)> = drawn
            .rows
            .iter()
            .map(|row| (row.x.parse().unwrap(), row.width.parse().unwrap()))
            .collect();
        assert_eq!(bars.len(), 5);
        assert!(bars.iter().all(|(x, width)| *x >= LEFT && x + width <= WIDTH), "{bars:?}");
        assert!(bars[1].0 < bars[2].0 && bars[2].0 < bars[4].0, "{bars:?}");
    }

    #[test]
    fn a_pause_of_days_leaves_the_calls_to_be_seen() {
        let day = 86_400_000;
        let drawn = Waterfall::new(&[stage(&[(0, 400)]), stage(&[(2 * day, 600)])]);
        assert_eq!(drawn.summary, "2 calls in 2 stages took 2.0 s.");
        assert!(drawn.rows[3].width.parse::<f64>().unwrap() > 100.0);
    }

    #[test]
    fn every_label_of_the_axis_has_room() {
        for total in [7, 60, 100, 2_500, 59_999, 1_800_000, 40_000_000] {
            let drawn = Waterfall::new(&[stage(&[(0, total)])]);
            let ticks: Vec<(f64, &str)> =
                drawn.ticks.iter().map(|(x, label)| (x.parse().unwrap(), &**label)).collect();
            // A letter of the axis is at most so wide, and labels begin at their ticks.
            let end = |(x, label): &(f64, &str)| x + label.chars().count() as f64 * 6.0;
            assert!(ticks.iter().all(|tick| end(tick) <= WIDTH), "{total}: {ticks:?}");
            assert!(ticks.windows(2).all(|two| end(&two[0]) <= two[1].0), "{total}: {ticks:?}");
        }
    }

    proptest! {
        #[test]
        fn bars_of_any_run_lie_within_the_drawing(
            calls in prop::collection::vec((0i64..10_000_000, 0i64..600_000), 1..30),
        ) {
            let drawn = Waterfall::new(&[stage(&calls)]);
            prop_assert_eq!(drawn.rows.len(), calls.len() + 1);
            for row in &drawn.rows {
                let (x, width): (f64, f64) = (row.x.parse().unwrap(), row.width.parse().unwrap());
                prop_assert!(x >= LEFT && x + width <= WIDTH, "{} {}", x, width);
                prop_assert!(row.y + ROW <= drawn.height);
            }
            prop_assert!(drawn.ticks.len() <= MAX_TICKS as usize + 1);
        }
    }

    #[test]
    fn hostile_times_do_no_harm() {
        for calls in [[(i64::MIN, i64::MAX), (i64::MAX, i64::MAX)], [(0, -5), (i64::MAX, i64::MIN)]]
        {
            let drawn = Waterfall::new(&[stage(&calls)]);
            assert_eq!(drawn.rows.len(), 3);
        }
        assert!(!Waterfall::new(&[stage(&[(0, 0)])]).is_timed());
    }
}
