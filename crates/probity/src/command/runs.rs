//! `probity runs`: what was asked before, and doing it again without doing it again.

pub(crate) mod approve;
pub(crate) mod code;
pub(crate) mod compare;
pub(crate) mod look;
pub(crate) mod repeat;
pub(crate) mod sweep;
pub(crate) mod watch;

use std::process::ExitCode;

use probity_store::{RunQuery, RunRecord, Store};

use crate::app::App;
use crate::failure::{WithHint as _, missing, usage};

/// What may be typed after `probity runs`.
#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// List the stored runs, the latest first.
    List(look::ListArgs),
    /// Show a stored report.
    Show(look::ShowArgs),
    /// Resume a run that did not end, without repeating completed steps.
    Resume(repeat::ResumeArgs),
    /// Show the events of a run, and follow new ones.
    Events(watch::EventsArgs),
    /// Show the plan of a run that waits for approval.
    Plan(approve::PlanArgs),
    /// Approve the plan of a waiting run, as it is or changed.
    Approve(approve::ApproveArgs),
    /// Cancel a run that is waiting or running.
    Cancel(watch::CancelArgs),
    /// Rebuild a report from its journal, without any network.
    Replay(repeat::ReplayArgs),
    /// Show what other thresholds would have decided.
    Sweep(sweep::Args),
    /// Compare two runs.
    Diff(compare::Args),
    /// Write a stored report, or its whole journal, to a file or stdout.
    Export(look::ExportArgs),
    /// Apply codes to a source of a report, which moves its outlet's score.
    Code(code::Args),
    /// Delete runs and their journals.
    Delete(look::DeleteArgs),
}

/// Runs `probity runs`.
pub(crate) async fn run(command: Command, app: &App) -> anyhow::Result<ExitCode> {
    match command {
        Command::List(args) => look::list(&args, app).await,
        Command::Show(args) => look::show(&args, app).await,
        Command::Resume(args) => repeat::resume(args, app).await,
        Command::Events(args) => watch::events(&args, app).await,
        Command::Plan(args) => approve::show(&args, app).await,
        Command::Approve(args) => approve::approve(&args, app).await,
        Command::Cancel(args) => watch::cancel(&args, app).await,
        Command::Replay(args) => repeat::replay(&args, app).await,
        Command::Sweep(args) => sweep::run(&args, app).await,
        Command::Diff(args) => compare::run(&args, app).await,
        Command::Export(args) => look::export(&args, app).await,
        Command::Code(args) => code::run(&args, app).await,
        Command::Delete(args) => look::delete(&args, app).await,
    }
}

/// How many runs an ambiguous id lists.
const SHOWN: i64 = 5;

/// The run of an id or of the beginning of one; `last` is the latest.
pub(crate) async fn find(store: &Store, name: &str) -> anyhow::Result<RunRecord> {
    let prefix = if name == "last" { None } else { Some(name.to_owned()) };
    let limit = if name == "last" { 1 } else { SHOWN };
    let matching =
        store.runs(&RunQuery { prefix, limit: Some(limit), ..RunQuery::default() }).await?;
    let id = match matching.as_slice() {
        [one] => one.id.clone(),
        [] => {
            return Err(missing("run", name))
                .hint("`probity runs list` shows the stored runs; `last` names the latest");
        }
        several => match several.iter().find(|run| run.id == name) {
            Some(exact) => exact.id.clone(),
            None => {
                let ids: Vec<&str> = several.iter().map(|run| run.id.as_str()).collect();
                return Err(usage(format!("{name} could be {}", ids.join(", "))))
                    .hint("give more letters of the id");
            }
        },
    };
    store.run(&id).await?.ok_or_else(|| missing("run", id))
}
