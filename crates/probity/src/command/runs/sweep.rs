//! `probity runs sweep`: what other thresholds would have decided.

use std::process::ExitCode;

use anyhow::Context as _;
use probity_research::RunSpec;
use probity_research::sweep::{Known, Outcome, decide_with};
use serde::Deserialize;

use super::find;
use crate::app::App;
use crate::failure::usage;
use crate::output;

/// What may be typed after `probity runs sweep`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The run: its id, the beginning of it, or `last`.
    run: String,
    /// Relevance cutoffs to try: a number or a range.
    #[arg(long, value_name = "FROM..TO", default_value = "2..5")]
    cutoff: Range,
    /// Credibility thresholds to try: a number or a range in steps of 0.1.
    #[arg(long, value_name = "FROM..TO", default_value = "0.3..0.7")]
    threshold: Range,
}

/// A number, or a range with both ends included.
#[derive(Clone, Copy)]
struct Range {
    from: f64,
    to: f64,
}

impl std::str::FromStr for Range {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |part: &str| {
            let part = part.trim_start_matches('=');
            part.parse::<f64>()
                .ok()
                .filter(|n| n.is_finite())
                .ok_or_else(|| format!("`{part}` is not a number"))
        };
        let (from, to) = match text.split_once("..") {
            Some((from, to)) => (number(from)?, number(to)?),
            None => (number(text)?, number(text)?),
        };
        if from > to {
            return Err(format!("{from} is more than {to}"));
        }
        Ok(Self { from, to })
    }
}

impl Range {
    /// The values of the range in steps; both ends included.
    fn values(self, step: f64) -> Vec<f64> {
        let count = ((self.to - self.from) / step + 1e-9).floor() as usize;
        (0..=count.min(100)).map(|i| ((self.from + step * i as f64) * 1e6).round() / 1e6).collect()
    }
}

/// The part of a stored report that a sweep needs.
#[derive(Deserialize)]
struct Stored {
    candidates: Vec<Known>,
}

/// Runs `probity runs sweep`.
pub(crate) async fn run(args: &Args, app: &App) -> anyhow::Result<ExitCode> {
    let in_range = |range: Range, from: f64, to: f64| from <= range.from && range.to <= to;
    if !in_range(args.cutoff, 1.0, 5.0) {
        return Err(usage("--cutoff: relevance goes from 1 to 5"));
    }
    if !in_range(args.threshold, 0.0, 1.0) {
        return Err(usage("--threshold: credibility goes from 0 to 1"));
    }
    let store = app.store().await?;
    let record = find(&store, &args.run).await?;
    let id = &record.summary.id;
    let report =
        record.report.as_deref().ok_or_else(|| usage(format!("run {id} has no report yet")))?;
    let stored: Stored = serde_json::from_str(report).context("the stored report is damaged")?;
    let spec: RunSpec = serde_json::from_str(&record.spec).context("the stored run is damaged")?;
    let mut outcomes = Vec::new();
    for threshold in args.threshold.values(0.1) {
        for cutoff in args.cutoff.values(1.0) {
            let cutoff = cutoff as u8;
            outcomes.push(decide_with(
                &stored.candidates,
                spec.place.is_own_documents(),
                spec.mode,
                &spec.numbers,
                cutoff,
                threshold,
            ));
        }
    }
    if app.json {
        output::print_json(&outcomes)?;
    } else {
        output::print_line(&table(&outcomes, &spec))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn table(outcomes: &[Outcome], spec: &RunSpec) -> String {
    let mut lines = vec!["threshold  cutoff  kept of read  decision".to_owned()];
    for o in outcomes {
        let is_own = o.cutoff == spec.numbers.relevance_cutoff
            && (o.threshold - spec.policy.threshold).abs() < 1e-9;
        let unknown = match o.unknown {
            0 => String::new(),
            n => format!("  (+{n} blocked pages never read)"),
        };
        lines.push(format!(
            "{:>9.2}  {:>6}  {:>4} of {:<4}  {}{unknown}{}",
            o.threshold,
            o.cutoff,
            o.kept,
            o.judged,
            o.decision.as_str(),
            if is_own { "  ← this run" } else { "" },
        ));
    }
    lines.join("\n")
}
