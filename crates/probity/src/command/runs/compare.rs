//! `probity runs diff`: what changed between two runs.

use std::collections::BTreeSet;
use std::process::ExitCode;

use anyhow::Context as _;
use probity_core::printable;
use serde::{Deserialize, Serialize};

use super::find;
use crate::app::App;
use crate::failure::usage;
use crate::output;

/// What may be typed after `probity runs diff`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The earlier run.
    before: String,
    /// The later run.
    after: String,
}

/// The part of a stored report that is compared.
#[derive(Deserialize)]
struct Stored {
    run_id: String,
    question: String,
    decision: String,
    title: String,
    confidence: Option<Level>,
    sources: Vec<Source>,
    statements: Vec<Statement>,
}

#[derive(Deserialize)]
struct Level {
    level: String,
}

#[derive(Deserialize)]
struct Source {
    url: String,
}

#[derive(Deserialize)]
struct Statement {
    text: String,
}

/// A value before and after.
#[derive(Serialize)]
struct Pair {
    before: Option<String>,
    after: Option<String>,
}

/// What is only in one of two sets.
#[derive(Serialize)]
struct Difference {
    added: Vec<String>,
    removed: Vec<String>,
    kept: usize,
}

#[derive(Serialize)]
struct Comparison {
    run: Pair,
    question: Pair,
    decision: Pair,
    title: Pair,
    confidence: Pair,
    sources: Difference,
    statements: Difference,
}

/// Runs `probity runs diff`.
pub(crate) async fn run(args: &Args, app: &App) -> anyhow::Result<ExitCode> {
    let before = load(&args.before, app).await?;
    let after = load(&args.after, app).await?;
    let comparison = compare(&before, &after);
    if app.json {
        output::print_json(&comparison)?;
    } else {
        output::print_line(&describe(&comparison))?;
    }
    Ok(ExitCode::SUCCESS)
}

async fn load(name: &str, app: &App) -> anyhow::Result<Stored> {
    let store = app.store().await?;
    let record = find(&store, name).await?;
    let id = &record.summary.id;
    let report =
        record.report.as_deref().ok_or_else(|| usage(format!("run {id} has no report yet")))?;
    serde_json::from_str(report).with_context(|| format!("the stored report of {id} is damaged"))
}

fn compare(before: &Stored, after: &Stored) -> Comparison {
    let pair = |of: fn(&Stored) -> Option<String>| Pair { before: of(before), after: of(after) };
    let difference = |of: fn(&Stored) -> BTreeSet<String>| {
        let (old, new) = (of(before), of(after));
        Difference {
            added: new.difference(&old).cloned().collect(),
            removed: old.difference(&new).cloned().collect(),
            kept: new.intersection(&old).count(),
        }
    };
    Comparison {
        run: pair(|run| Some(run.run_id.clone())),
        question: pair(|run| Some(run.question.clone())),
        decision: pair(|run| Some(run.decision.clone())),
        title: pair(|run| Some(run.title.clone())),
        confidence: pair(|run| run.confidence.as_ref().map(|c| c.level.clone())),
        sources: difference(|run| run.sources.iter().map(|s| s.url.clone()).collect()),
        statements: difference(|run| run.statements.iter().map(|s| s.text.clone()).collect()),
    }
}

fn describe(comparison: &Comparison) -> String {
    let mut lines = Vec::new();
    for (name, pair) in [
        ("run", &comparison.run),
        ("question", &comparison.question),
        ("decision", &comparison.decision),
        ("title", &comparison.title),
        ("confidence", &comparison.confidence),
    ] {
        let show =
            |value: &Option<String>| printable::brief(value.as_deref().unwrap_or("none"), 100);
        let (before, after) = (show(&pair.before), show(&pair.after));
        lines.push(match before == after {
            true => format!("{name:<11} {before}"),
            false => format!("{name:<11} {before}\n{:<9} →  {after}", ""),
        });
    }
    for (name, difference) in
        [("sources", &comparison.sources), ("statements", &comparison.statements)]
    {
        let (added, removed) = (difference.added.len(), difference.removed.len());
        lines.push(format!(
            "{name:<11} {} the same, {added} added, {removed} removed",
            difference.kept
        ));
        let plus =
            difference.added.iter().map(|text| format!("  + {}", printable::brief(text, 120)));
        let minus =
            difference.removed.iter().map(|text| format!("  - {}", printable::brief(text, 120)));
        lines.extend(plus.chain(minus));
    }
    lines.join("\n")
}
