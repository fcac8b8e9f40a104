//! Listing, showing, exporting and deleting stored runs.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use probity_core::printable;
use probity_store::{JournalEntry, RunQuery, RunStatus, RunSummary};
use serde::Serialize;
use serde_json::Value;

use super::find;
use crate::app::App;
use crate::command::export;
use crate::failure::WithHint as _;
use crate::format::Form;
use crate::{atomic_file, output};

/// What may be typed after `probity runs list`.
#[derive(clap::Args)]
pub(crate) struct ListArgs {
    /// List at most N.
    #[arg(long, short = 'n', value_name = "N", default_value_t = 50)]
    limit: i64,
    /// Only runs of this status.
    #[arg(long, value_name = "STATUS")]
    status: Option<Status>,
}

/// The status of a run.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Status {
    /// In progress, or its process died.
    Running,
    /// Has its report.
    Finished,
    /// Ended with an error.
    Failed,
    /// Was interrupted.
    Interrupted,
}

impl From<Status> for RunStatus {
    fn from(status: Status) -> Self {
        match status {
            Status::Running => RunStatus::Running,
            Status::Finished => RunStatus::Finished,
            Status::Failed => RunStatus::Failed,
            Status::Interrupted => RunStatus::Interrupted,
        }
    }
}

/// What may be typed after `probity runs show`.
#[derive(clap::Args)]
pub(crate) struct ShowArgs {
    /// The run: its id, the beginning of it, or `last`.
    run: String,
}

/// What may be typed after `probity runs export`.
#[derive(clap::Args)]
pub(crate) struct ExportArgs {
    /// The run: its id, the beginning of it, or `last`.
    run: String,
    #[command(flatten)]
    form: Form,
    /// Write the run with every step of its journal, as JSON, instead of its report.
    #[arg(long, conflicts_with_all = ["format", "appendix"])]
    journal: bool,
    /// Write to a file instead of stdout.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// What may be typed after `probity runs delete`.
#[derive(clap::Args)]
pub(crate) struct DeleteArgs {
    /// The runs: ids or the beginnings of them.
    #[arg(required = true)]
    runs: Vec<String>,
}

/// Lists runs.
pub(crate) async fn list(args: &ListArgs, app: &App) -> anyhow::Result<ExitCode> {
    let query = RunQuery {
        limit: Some(args.limit.max(0)),
        status: args.status.map(RunStatus::from),
        ..RunQuery::default()
    };
    let runs = match app.existing_store().await? {
        Some(store) => store.runs(&query).await?,
        None => Vec::new(),
    };
    if app.json {
        output::print_json(&runs)?;
    } else if runs.is_empty() {
        output::print_line("No runs are stored yet. Ask something: probity research \"…\"")?;
    } else {
        let lines: Vec<String> = runs.iter().map(|run| describe(run, app.style.width())).collect();
        output::print_line(&lines.join("\n"))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn describe(run: &RunSummary, width: usize) -> String {
    let outcome = match run.decision.as_deref() {
        None if run.plan_waits => "plan waits",
        decision => decision.unwrap_or(run.status.as_str()),
    };
    let day = run.asked_at.date();
    let head = format!("{}  {day}  {:<8}  {outcome:<17}  ", run.id, run.mode);
    let text = run.title.as_deref().unwrap_or(&run.question);
    let room = width.saturating_sub(head.chars().count()).max(20);
    format!("{head}{}", printable::brief(text, room))
}

/// Shows a stored report.
pub(crate) async fn show(args: &ShowArgs, app: &App) -> anyhow::Result<ExitCode> {
    let store = app.store().await?;
    let record = find(&store, &args.run).await?;
    let Some(report) = record.report else {
        let summary = &record.summary;
        if app.json {
            output::print_json(summary)?;
            return Ok(ExitCode::SUCCESS);
        }
        let why = summary.error.as_deref().unwrap_or("it was not finished");
        return Err(anyhow::anyhow!("run {} has no report: {why}", summary.id))
            .hint(format!("probity runs resume {}", summary.id));
    };
    if app.json {
        output::print_line(&report)?;
    } else {
        output::print_line(markdown_of(&report)?.trim_end())?;
    }
    Ok(ExitCode::SUCCESS)
}

fn markdown_of(report: &str) -> anyhow::Result<String> {
    let report: Value = serde_json::from_str(report).context("the stored report is damaged")?;
    let text = report.get("markdown").and_then(Value::as_str);
    Ok(text.context("the stored report has no text")?.to_owned())
}

#[derive(Serialize)]
struct Exported<'a> {
    run: &'a RunSummary,
    spec: Value,
    report: Option<Value>,
    journal: &'a [JournalEntry],
}

/// Writes a stored report or its whole journal.
pub(crate) async fn export(args: &ExportArgs, app: &App) -> anyhow::Result<ExitCode> {
    if !args.journal {
        return export::write(&args.run, &args.form, args.output.as_deref(), app).await;
    }
    let store = app.store().await?;
    let record = find(&store, &args.run).await?;
    let journal = store.journal(&record.summary.id).await?;
    let report = record.report.as_deref().map(serde_json::from_str).transpose()?;
    let spec = serde_json::from_str(&record.spec)?;
    let exported = Exported { run: &record.summary, spec, report, journal: &journal };
    match &args.output {
        Some(path) => {
            let text = format!("{}\n", serde_json::to_string_pretty(&exported)?);
            atomic_file::file(path, text.as_bytes())?;
        }
        None => output::print_json(&exported)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Deletes runs: all that are named, or none if one of them does not exist.
pub(crate) async fn delete(args: &DeleteArgs, app: &App) -> anyhow::Result<ExitCode> {
    let store = app.store().await?;
    let mut ids = Vec::new();
    for name in &args.runs {
        ids.push(find(&store, name).await?.summary.id);
    }
    for id in &ids {
        store.delete_run(id).await?;
        output::print_line(&format!("Deleted {id}"))?;
    }
    Ok(ExitCode::SUCCESS)
}
