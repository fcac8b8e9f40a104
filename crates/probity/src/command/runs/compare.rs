//! `probity runs diff`: what changed between two runs.

use std::process::ExitCode;

use probity_core::printable;
use probity_report::CheckedReport;
use probity_report::compare::{Changes, Comparison, Finding, Pair, SourceChange, compare};

use crate::app::App;
use crate::command::export;
use crate::output;

/// How much of a text a line shows, in characters.
const LINE_CHARS: usize = 120;

/// What may be typed after `probity runs diff`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The earlier run.
    before: String,
    /// The later run.
    after: String,
}

/// Runs `probity runs diff`.
pub(crate) async fn run(args: &Args, app: &App) -> anyhow::Result<ExitCode> {
    let before: CheckedReport = export::load(&args.before, app).await?;
    let after: CheckedReport = export::load(&args.after, app).await?;
    let comparison = compare(&before, &after);
    if app.json {
        output::print_json(&comparison)?;
    } else {
        output::print_line(&describe(&comparison))?;
        if !comparison.same_question {
            output::note("The two runs were asked different questions");
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn brief(text: &str) -> String {
    printable::brief(text, LINE_CHARS)
}

fn describe(comparison: &Comparison) -> String {
    let confidence = |confidence: &Option<probity_report::confidence::Confidence>| {
        let shown = confidence.as_ref();
        shown.map_or("none".to_owned(), |c| format!("{} ({:.2})", c.level.as_str(), c.value))
    };
    let mut lines = vec![
        pair("run", &comparison.run.before, &comparison.run.after),
        pair("question", &comparison.question.before, &comparison.question.after),
        pair("mode", comparison.mode.before.as_str(), comparison.mode.after.as_str()),
        pair("decision", comparison.decision.before.words(), comparison.decision.after.words()),
        pair("title", &comparison.title.before, &comparison.title.after),
        pair(
            "confidence",
            &confidence(&comparison.confidence.before),
            &confidence(&comparison.confidence.after),
        ),
    ];
    lines.extend(changes("sources", &comparison.sources, source, moved));
    lines.extend(changes("statements", &comparison.statements, finding, rephrased));
    lines.extend(changes("queries", &comparison.queries, |text| brief(text), |text| brief(text)));
    lines.extend(changes("gaps", &comparison.gaps, |text| brief(text), |text| brief(text)));
    lines.join("\n")
}

fn pair(name: &str, before: &str, after: &str) -> String {
    let (before, after) = (brief(before), brief(after));
    match before == after {
        true => format!("{name:<11} {before}"),
        false => format!("{name:<11} {before}\n{:<9} →  {after}", ""),
    }
}

fn changes<T, C>(
    name: &str,
    changes: &Changes<T, C>,
    one: impl Fn(&T) -> String,
    both: impl Fn(&C) -> String,
) -> Vec<String> {
    let (added, removed) = (changes.added.len(), changes.removed.len());
    let counts = format!(
        "{name:<11} {} the same, {added} added, {removed} removed, {} changed",
        changes.kept,
        changes.changed.len()
    );
    let plus = changes.added.iter().map(|item| format!("  + {}", one(item)));
    let minus = changes.removed.iter().map(|item| format!("  - {}", one(item)));
    let other = changes.changed.iter().map(|item| format!("  ~ {}", both(item)));
    [counts].into_iter().chain(plus).chain(minus).chain(other).collect()
}

fn source(change: &SourceChange) -> String {
    let became = |verdict: Option<&str>| match verdict {
        Some(verdict) => format!(", {verdict} there"),
        None => ", not seen there".to_owned(),
    };
    // What the report that lacks it did with it.
    let there = match change.n.before {
        None => became(change.verdict.before),
        Some(_) => became(change.verdict.after),
    };
    brief(&format!("{}{there}", change.url))
}

fn moved(change: &SourceChange) -> String {
    let score = |score: Option<f64>| score.map_or("–".to_owned(), |score| format!("{score:.2}"));
    let relevance =
        |score: Option<u8>| score.map_or("–".to_owned(), |score| format!("{score}/5"));
    brief(&format!(
        "{}: credibility {} → {}, relevance {} → {}",
        change.url,
        score(change.credibility.before),
        score(change.credibility.after),
        relevance(change.relevance.before),
        relevance(change.relevance.after),
    ))
}

fn finding(finding: &Finding) -> String {
    brief(&finding.labelled())
}

fn rephrased(change: &Pair<Finding>) -> String {
    let (before, after) = (&change.before, &change.after);
    match before.text == after.text {
        false => format!("{}\n    → {}", brief(&before.labelled()), brief(&after.labelled())),
        true => format!(
            "{}\n    rests on {} → {}",
            brief(&before.labelled()),
            brief(&before.sources.join(", ")),
            brief(&after.sources.join(", "))
        ),
    }
}
