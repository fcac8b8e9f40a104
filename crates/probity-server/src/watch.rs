//! Saved questions: asked again on a schedule by any worker, reported only when something changed.
//!
//! ```text
//! due → ask (a run of its own, in the queue) → look for its end → compare with the run before → tell | be silent → due again
//! ```

use std::sync::Arc;
use std::time::Duration;

use probity_core::{Answering, RunId, WatchId};
use probity_report::compare::compare;
use probity_report::novelty::Novelty;
use probity_report::{CheckedReport, restore};
use probity_research::work::{Handled, Handler, Task};
use probity_store::queue::{Enqueued, QueueLimits, RunJob};
use probity_store::watches::{AddedWatch, EndedTurn, NewWatch, Outcome, WATCH, Watch, watch_of};
use probity_store::{RunStatus, Store, StoreError};

use crate::backend::{Ask, AskError, Backend};

/// The least and the most time between two turns: a quarter of an hour, and a year.
pub const EVERY: std::ops::RangeInclusive<Duration> =
    Duration::from_secs(15 * 60)..=Duration::from_secs(366 * 24 * 3_600);
/// How soon a run that is in progress is looked at again.
const LOOK: Duration = Duration::from_secs(3);
/// How soon a question is asked again that there was no room for.
const FULL: Duration = Duration::from_secs(60);

/// Why a question cannot be watched.
#[derive(Debug, thiserror::Error)]
pub enum WatchError {
    /// The question, or something asked with it, cannot be used.
    #[error("{0}")]
    Ask(#[from] AskError),
    /// It would be asked too often or too seldom.
    #[error("a question is asked again every 15m to 366d")]
    Every,
    /// It is a question about another run's sources, which do not change.
    #[error("a question about the sources of a run has always the same answer")]
    Fixed,
    /// There are as many as may be.
    #[error("too many questions are watched already; remove one first")]
    Full,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Watches a question from now on; gives its id.
///
/// # Errors
/// When the question or the time cannot be used, or the store fails.
pub async fn add(
    store: &Store,
    backend: &dyn Backend,
    owner: &str,
    ask: &Ask,
    every: Duration,
) -> Result<WatchId, WatchError> {
    check_every(every)?;
    if ask.run.is_some() && !ask.beyond {
        return Err(WatchError::Fixed);
    }
    let spec = backend.spec(ask)?;
    let json = serde_json::to_string(ask).unwrap_or_default();
    let question = spec.question.as_str();
    let new = NewWatch { owner, question, ask: &json, every };
    match store.add_watch(&new).await? {
        AddedWatch::New(id) => Ok(id),
        AddedWatch::Full => Err(WatchError::Full),
    }
}

/// Whether a question may be asked so often.
///
/// # Errors
/// When it may not.
pub fn check_every(every: Duration) -> Result<(), WatchError> {
    if EVERY.contains(&every) { Ok(()) } else { Err(WatchError::Every) }
}

/// Takes the turns of watches.
pub struct WatchHandler {
    /// The program, which makes runs of questions.
    pub backend: Arc<dyn Backend>,
    /// How much may wait for workers.
    pub queue: QueueLimits,
    /// How often a run may fail before it waits for a person.
    pub failures_most: u32,
}

impl WatchHandler {
    async fn turn(&self, store: &Store, watch: &Watch) -> Result<Handled, StoreError> {
        let every = Duration::from_millis(u64::try_from(watch.every_ms).unwrap_or(u64::MAX));
        // Asked by hand while it is paused: once, and then no more.
        let next = if watch.paused { Handled::Done } else { Handled::Again(every) };
        let Some(run) = &watch.pending_run else { return self.ask(store, watch, next).await };
        let Some(record) = store.run(run).await? else {
            // It was deleted, or its worker died before it was queued.
            store.pend_watch(watch.id, None).await?;
            return Ok(Handled::Again(Duration::ZERO));
        };
        match (record.summary.status, &record.report) {
            (RunStatus::Running, _) => return Ok(Handled::Again(LOOK)),
            (RunStatus::Finished, Some(report)) => match restore(report) {
                Ok(report) => self.compare(store, watch, run, &report).await?,
                Err(error) => failed(store, watch, Some(run), &error.to_string()).await?,
            },
            (_, _) => {
                let why = record.summary.error.unwrap_or_else(|| "the run was stopped".to_owned());
                failed(store, watch, Some(run), &why).await?;
            }
        }
        Ok(next)
    }

    /// Queues a run for the question.
    async fn ask(
        &self,
        store: &Store,
        watch: &Watch,
        next: Handled,
    ) -> Result<Handled, StoreError> {
        let spec = serde_json::from_str::<Ask>(&watch.ask)
            .map_err(|error| error.to_string())
            .and_then(|ask| self.backend.spec(&ask).map_err(|error| error.to_string()));
        let written = spec.and_then(|spec| {
            let written = serde_json::to_string(&spec).map_err(|error| error.to_string())?;
            Ok((spec, written))
        });
        let (spec, written) = match written {
            Ok(made) => made,
            Err(why) => {
                failed(store, watch, None, &why).await?;
                return Ok(next);
            }
        };
        let run = spec.entry(&written);
        let job = RunJob { failures_most: self.failures_most, ..RunJob::of(&watch.owner) };
        // First that it is in progress: a process that dies in between leaves a run that is not
        // queued, which the next turn notices, and never two runs.
        store.pend_watch(watch.id, Some(&spec.run_id)).await?;
        match store.enqueue_run(&run, &job, self.queue).await? {
            Enqueued::Added => Ok(Handled::Again(LOOK)),
            Enqueued::Exists => {
                store.pend_watch(watch.id, None).await?;
                Ok(Handled::Again(Duration::ZERO))
            }
            Enqueued::QueueFull | Enqueued::OwnerFull => {
                store.pend_watch(watch.id, None).await?;
                Ok(Handled::Again(FULL))
            }
        }
    }

    /// Writes down what is new since the run before, if there is one.
    async fn compare(
        &self,
        store: &Store,
        watch: &Watch,
        run: &str,
        after: &CheckedReport,
    ) -> Result<(), StoreError> {
        let before = match &watch.last_run {
            Some(last) => store.run(last).await?.and_then(|record| record.report),
            None => None,
        };
        let before = before.and_then(|report| restore(&report).ok());
        let novelty = before.map(|before| Novelty::of(&compare(&before, after)));
        let outcome = match &novelty {
            None => Outcome::First,
            Some(novelty) if novelty.is_empty() => Outcome::Same,
            Some(_) => Outcome::Changed,
        };
        let json = novelty.and_then(|novelty| serde_json::to_string(&novelty).ok());
        let turn = EndedTurn {
            watch: watch.id,
            run: Some(&run.into()),
            before: watch.last_run.as_deref(),
            outcome,
            novelty: json.as_deref(),
            problem: None,
        };
        store.end_turn(&turn).await
    }
}

async fn failed(
    store: &Store,
    watch: &Watch,
    run: Option<&RunId>,
    why: &str,
) -> Result<(), StoreError> {
    let turn = EndedTurn {
        watch: watch.id,
        run,
        before: None,
        outcome: Outcome::Failed,
        novelty: None,
        problem: Some(why),
    };
    store.end_turn(&turn).await
}

impl Handler for WatchHandler {
    fn kind(&self) -> &'static str {
        WATCH
    }

    fn handle<'a>(&'a self, task: Task) -> Answering<'a, Handled> {
        Box::pin(async move {
            let Some(id) = watch_of(&task.job.fence.job) else { return Handled::Done };
            let taken = async {
                match task.store.watch(id).await? {
                    Some(watch) => self.turn(&task.store, &watch).await,
                    None => Ok(Handled::Done),
                }
            };
            match taken.await {
                Ok(handled) => handled,
                Err(StoreError::Fenced { .. }) => Handled::Lost,
                Err(error) => Handled::Failed(error.to_string()),
            }
        })
    }
}
