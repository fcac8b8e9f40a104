//! Resuming and replaying: the same run again, from its journal.

use std::process::ExitCode;

use anyhow::Context as _;
use probity_core::counted;
use probity_report::json::ReportJson;
use probity_report::restore;
use probity_research::analyst::absent::Absent;
use probity_research::analyst::embedded::Embedded;
use probity_research::approve::{Approver, Unattended};
use probity_research::driver::{Finished, Parts};
use probity_research::event::{Unwatched, Watcher};
use probity_research::execute::RunEnvironment;
use probity_research::gather::Nowhere;
use probity_research::{Journal, RunSpec, research};
use probity_store::queue::JobState;
use probity_store::{RunRecord, RunStatus};

use super::find;
use crate::app::App;
use crate::command::research::{Seen, deliver, execute, exit_code, give_up};
use crate::failure::{WithHint as _, usage};
use crate::format::Form;
use crate::models;
use crate::output;
use crate::plan::{Terminal, is_attended};
use crate::progress::Progress;
use crate::report_file;

/// What may be typed after `probity runs resume`.
#[derive(clap::Args)]
pub(crate) struct ResumeArgs {
    /// The run: its id, the beginning of it, or `last`.
    run: String,
    #[command(flatten)]
    form: Form,
    /// Show no progress on stderr.
    #[arg(long, short)]
    quiet: bool,
}

/// What may be typed after `probity runs replay`.
#[derive(clap::Args)]
pub(crate) struct ReplayArgs {
    /// The run: its id, the beginning of it, or `last`.
    run: String,
    #[command(flatten)]
    form: Form,
    /// Print nothing; only say whether the replay gives the stored report, byte for byte.
    #[arg(long)]
    check: bool,
}

pub(super) fn spec_of(record: &RunRecord) -> anyhow::Result<RunSpec> {
    serde_json::from_str(&record.spec)
        .with_context(|| format!("the description of run {} is damaged", record.summary.id))
}

/// Takes up a run that did not end.
pub(crate) async fn resume(args: ResumeArgs, app: &App) -> anyhow::Result<ExitCode> {
    let store = app.store().await?;
    let record = find(&store, &args.run).await?;
    // What has ended is not executed again: its stream would tell of two reports.
    if let (RunStatus::Finished, Some(stored)) = (record.summary.status, &record.report) {
        if !args.quiet {
            output::note(&format!("Run {} has its report already", record.summary.id));
        }
        let report = restore(stored).context("the stored report is damaged")?;
        deliver(&report, &args.form, None, app)?;
        return Ok(exit_code(report.facts().gate.decision));
    }
    let spec = spec_of(&record)?;
    if let Some(job) = store.job(&spec.run_id).await?
        && matches!(job.state, JobState::Queued | JobState::Leased)
    {
        let state = if job.state == JobState::Queued { "waits for" } else { "is with" };
        return Err(usage(format!("run {} {state} a worker", spec.run_id)))
            .hint(format!("watch it with: probity runs events {} --follow", spec.run_id));
    }
    let entries = store.journal(&spec.run_id).await?;
    let model_set = models::open(app, &spec.model)?;
    let (gatherer, problems) = app.open_gatherer(&spec.place, Some(store.clone()), None).await?;
    let watcher: Box<dyn Watcher> =
        if args.quiet { Box::new(Unwatched) } else { Box::new(Progress::new(app.style)) };
    if !args.quiet {
        let steps = counted(entries.len(), "step", "steps");
        output::note(&format!("Resuming {} after {steps}", spec.run_id));
    }
    let gatherer = gatherer.noting(Some(store.clone()));
    let environment =
        RunEnvironment { gatherer: Box::new(gatherer), model_set, reader: app.reader()?, problems };
    let approver: Box<dyn Approver> = match is_attended() {
        true => Box::new(Terminal { approve: spec.inquiry.approve }),
        false => Box::new(Unattended),
    };
    let seen = Seen { watcher: watcher.as_ref(), approver: approver.as_ref() };
    match execute(&spec, Some(&store), entries, environment, seen, app).await {
        Ok(finished) => {
            deliver(&finished.report, &args.form, None, app)?;
            report_file::keep_report(&app.paths, &finished)?;
            Ok(exit_code(finished.facts().gate.decision))
        }
        Err(error) => give_up(error, &spec, Some(&store)).await,
    }
}

/// Rebuilds a report from its journal in a world that refuses everything.
pub(crate) async fn replay(args: &ReplayArgs, app: &App) -> anyhow::Result<ExitCode> {
    let store = app.store().await?;
    let record = find(&store, &args.run).await?;
    let finished = rebuild(&record, app).await?;
    if args.check {
        let rebuilt = serde_json::to_string(&ReportJson::new(&finished.report))?;
        let id = &record.summary.id;
        return match record.report.as_deref() {
            Some(stored) if stored == rebuilt => {
                output::print_line(&format!(
                    "The replay of {id} gives the stored report, byte for byte"
                ))?;
                Ok(ExitCode::SUCCESS)
            }
            Some(_) => anyhow::bail!("the replay of {id} differs from the stored report"),
            None => Err(usage(format!("run {id} has no stored report to compare with"))),
        };
    }
    deliver(&finished.report, &args.form, None, app)?;
    Ok(exit_code(finished.facts().gate.decision))
}

async fn rebuild(record: &RunRecord, app: &App) -> anyhow::Result<Finished> {
    let store = app.store().await?;
    let spec = spec_of(record)?;
    let journal = Journal::replaying(&spec.run_id, store.journal(&spec.run_id).await?)?;
    let analyst = Absent::of(&spec);
    let embedded = Embedded::new(app.reader()?);
    let parts = Parts::unattended(&spec, &journal, &analyst, &embedded, &Nowhere);
    Ok(research(parts).await?)
}
