//! `probity bench citations`: labelled claims → how well the citation check tells them apart, set by set.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use probity_reader::Stop;
use probity_report::check::THRESHOLDS;
use probity_report::check::evaluate::{Figures, Labelled, Outcome, figures, judge};
use serde::Serialize;

use crate::app::App;
use crate::failure::{WithHint as _, cannot_read, usage};
use crate::output;

/// What is written with `--json`.
#[derive(Serialize)]
struct Report<'a> {
    reader: &'a str,
    sets: &'a [Figures],
    seconds: f64,
}

/// Runs `probity bench citations`.
pub(super) fn run(file: &Path, app: &App) -> anyhow::Result<ExitCode> {
    let claims = read(file)?;
    let reader = app.reader()?;
    let started = Instant::now();
    let mut sets: BTreeMap<&str, Vec<Outcome>> = BTreeMap::new();
    for labelled in &claims {
        let outcome = judge(labelled, &reader, &Stop::never())?;
        sets.entry(&labelled.set).or_default().push(outcome);
    }
    let found: Vec<Figures> = sets.iter().map(|(set, all)| figures(set, all)).collect();
    let report =
        Report { reader: reader.name(), sets: &found, seconds: started.elapsed().as_secs_f64() };
    let mut out = output::stdout();
    if app.json {
        serde_json::to_writer(&mut out, &report)?;
        writeln!(out)?;
    } else {
        write_text(&mut out, &report)?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn read(path: &Path) -> anyhow::Result<Vec<Labelled>> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| cannot_read(path, error))
        .hint("name a file of labelled claims, one JSON object a line")?;
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let labelled = |(number, line): (u64, &str)| {
        serde_json::from_str(line)
            .map_err(|error| usage(format!("{}, line {number}: {error}", path.display())))
    };
    lines.map(labelled).collect()
}

fn write_text(out: &mut impl Write, report: &Report<'_>) -> anyhow::Result<()> {
    let limits = THRESHOLDS;
    writeln!(
        out,
        "read by {}; supported from {:.2}, contradicted from {:.2}",
        report.reader, limits.supported, limits.contradicted
    )?;
    writeln!(out, "  {:<16} claims  area  by words  precision  recall  contradicted", "set")?;
    for one in report.sets {
        let set = if one.set.is_empty() { "all" } else { &one.set };
        let denied = one.contradiction_precision.map_or_else(
            || "–".to_owned(),
            |share| format!("{share:.3} of {}", one.called_contradicted),
        );
        writeln!(
            out,
            "  {set:<16} {:>6}  {:.3}  {:>8.3}  {:>9.3}  {:>6.3}  {denied}",
            one.claims, one.area, one.area_by_words, one.precision, one.recall
        )?;
    }
    let claims: usize = report.sets.iter().map(|one| one.claims).sum();
    writeln!(out, "  {claims} claims in {:.1} s", report.seconds)?;
    Ok(())
}
