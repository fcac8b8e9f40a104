//! `probity queue`: what waits, what is in progress, what needs a person.

use std::process::ExitCode;

use probity_core::printable;
use probity_store::news::FEEDS;
use probity_store::queue::{JobState, JobSummary, Requeued, RunJob};
use serde::Serialize;

use super::runs::find;
use crate::app::App;
use crate::failure::{WithHint as _, missing, usage};
use crate::output;

/// What may be typed after `probity queue`.
#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// List what waits, is running or needs a person.
    List(ListArgs),
    /// Requeue a run that failed too often, was cancelled or was interrupted.
    Retry(RetryArgs),
}

/// What may be typed after `probity queue list`.
#[derive(clap::Args)]
pub(crate) struct ListArgs {
    /// Only jobs of this state.
    #[arg(long, value_name = "STATE")]
    state: Option<State>,
    /// Also what is done.
    #[arg(long)]
    all: bool,
}

/// What may be typed after `probity queue retry`.
#[derive(clap::Args)]
pub(crate) struct RetryArgs {
    /// The run: its id, the beginning of it, or `last`.
    run: String,
}

/// The state of a job.
#[derive(Clone, Copy, clap::ValueEnum)]
enum State {
    /// Waits for a worker.
    Queued,
    /// Is with a worker.
    Leased,
    /// Was done.
    Done,
    /// Failed too often.
    Dead,
    /// Was cancelled.
    Cancelled,
}

impl From<State> for JobState {
    fn from(state: State) -> Self {
        match state {
            State::Queued => JobState::Queued,
            State::Leased => JobState::Leased,
            State::Done => JobState::Done,
            State::Dead => JobState::Dead,
            State::Cancelled => JobState::Cancelled,
        }
    }
}

#[derive(Serialize)]
struct Listed {
    counts: probity_store::queue::QueueCounts,
    jobs: Vec<JobSummary>,
}

/// Runs `probity queue`.
pub(crate) async fn run(command: &Command, app: &App) -> anyhow::Result<ExitCode> {
    match command {
        Command::List(args) => list(args, app).await,
        Command::Retry(args) => retry(args, app).await,
    }
}

async fn list(args: &ListArgs, app: &App) -> anyhow::Result<ExitCode> {
    let store = app.store().await?;
    let mut jobs = store.jobs(args.state.map(JobState::from)).await?;
    if args.state.is_none() && !args.all {
        jobs.retain(|job| !matches!(job.state, JobState::Done | JobState::Cancelled));
        // Every feed waits for its next poll; `probity feeds list` shows them better.
        jobs.retain(|job| job.kind != FEEDS || job.state != JobState::Queued);
    }
    let counts = store.queue_counts().await?;
    if app.json {
        output::print_json(&Listed { counts, jobs })?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut lines: Vec<String> = jobs.iter().map(|job| describe(job, app.style.width())).collect();
    lines
        .push(format!("{} queued, {} running, {} dead", counts.queued, counts.leased, counts.dead));
    output::print_line(&lines.join("\n"))?;
    Ok(ExitCode::SUCCESS)
}

fn describe(job: &JobSummary, width: usize) -> String {
    let head = format!(
        "{}  {:<8}  {:<9}  attempt {}  {}",
        printable::brief(&job.id, 40),
        job.kind,
        job.state.as_str(),
        job.attempt,
        printable::brief(&job.owner, 24)
    );
    let more = match job.state {
        JobState::Leased => job.worker.as_deref(),
        _ => job.error.as_deref(),
    };
    let room = width.saturating_sub(head.chars().count() + 2).max(20);
    let more = more.map(|text| format!("  {}", printable::brief(text, room)));
    format!("{head}{}", more.unwrap_or_default())
}

async fn retry(args: &RetryArgs, app: &App) -> anyhow::Result<ExitCode> {
    let store = app.store().await?;
    let id = find(&store, &args.run).await?.summary.id;
    let settings = &app.settings.queue;
    let owner = match store.job(&id).await? {
        Some(job) => job.owner,
        None => super::research::owner(),
    };
    let job = RunJob { failures_most: settings.failures_most, ..RunJob::of(&owner) };
    match store.requeue_run(&id, &job, settings.limits()).await? {
        Requeued::Queued => {
            output::print_line(&format!("Queued {id} again; nothing that was done is repeated"))?;
            Ok(ExitCode::SUCCESS)
        }
        Requeued::Open => Err(usage(format!("run {id} is waiting or running"))),
        Requeued::Finished => Err(usage(format!("run {id} is finished"))),
        Requeued::Unknown => Err(missing("run", id)),
        Requeued::Full => Err(anyhow::anyhow!("too many runs wait already"))
            .hint("start more workers, wait, or raise the limits in [queue]"),
    }
}
