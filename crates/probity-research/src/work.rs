//! Takes work from the queue and does it: any number of processes, each job by one at a time.
//!
//! ```text
//! claim → execute ──┬─ heartbeats: keep the lease, carry a request to cancel
//!                    ├─ the lease is lost: dropped at once, nothing more is written
//!                    ├─ stopped: no new step; steps in progress finish; released
//!                    └─ done | failed (again later, in the end dead) | cancelled
//! ```
//!
//! [`work`] knows nothing of research: what a kind of job means is a [`Handler`]'s to know. Research
//! runs have theirs in [`research`].

pub mod lease;
pub mod record;
pub mod research;

use std::sync::Arc;
use std::time::Duration;

use probity_core::Answering;
use probity_store::queue::{JobEnd, Leased};
use probity_store::{Store, StoreError};
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::driver::Cancel;

pub use research::{Provide, ResearchHandler};

/// The most jobs that one process takes up at once.
pub const CONCURRENCY_MOST: usize = 256;
/// How long to wait before the store is asked again after it failed.
const STORE_PAUSE: Duration = Duration::from_secs(1);
/// How much longer than its deadline a drain waits for what was stopped.
const GRACE: Duration = Duration::from_secs(5);

/// How a process works.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkSettings {
    /// Who it is; no other process may have the same name.
    pub worker: String,
    /// How many jobs it takes up at once.
    pub concurrency: usize,
    /// How long a job is its own without a heartbeat.
    pub lease: Duration,
    /// How often it looks for work without a notification.
    pub idle: Duration,
    /// When stopped, how long it waits for steps that are in progress before it cuts them off.
    pub drain: Duration,
    /// Whether to stop by itself once nothing is left to do.
    pub until_empty: bool,
    /// How long a job that failed waits; twice as long after each further failure.
    pub retry: Duration,
}

impl WorkSettings {
    /// The usual numbers, for a process of this name.
    pub fn new(worker: impl Into<String>) -> Self {
        Self {
            worker: worker.into(),
            concurrency: 4,
            lease: Duration::from_secs(30),
            idle: Duration::from_secs(1),
            drain: Duration::from_secs(30),
            until_empty: false,
            retry: Duration::from_secs(5),
        }
    }

    /// How long a job waits after a number of attempts.
    fn backoff(&self, attempt: i64) -> Duration {
        const LONGEST: Duration = Duration::from_secs(600);
        let doublings = u32::try_from(attempt.clamp(1, 16)).unwrap_or(1) - 1;
        self.retry.saturating_mul(1 << doublings).min(LONGEST)
    }
}

/// A job in the hands of its handler.
pub struct Task {
    /// The store, which takes no more writes once the lease is lost.
    pub store: Store,
    /// The job.
    pub job: Leased,
    /// Whether to stop.
    pub cancel: Cancel,
    called_off: watch::Receiver<bool>,
}

impl Task {
    /// Whether to stop because someone cancelled the job, and not because the worker stops.
    pub fn is_called_off(&self) -> bool {
        self.job.cancel || *self.called_off.borrow()
    }
}

/// The result of a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Handled {
    /// It is done, and that is still to be written down.
    Done,
    /// It ended, and the handler has written that down.
    Settled,
    /// It was cancelled.
    Cancelled,
    /// Another worker shall go on with it.
    HandedOver,
    /// It is done for now, and due again after so long.
    Again(Duration),
    /// It went wrong, and may go right another time.
    Failed(String),
    /// It went wrong, and would go wrong again.
    Hopeless(String),
    /// The lease was lost: another worker has it, or it is gone.
    Lost,
}

/// Knows what to do with the jobs of a kind.
pub trait Handler: Send + Sync {
    /// The kind of job.
    fn kind(&self) -> &'static str;

    /// Does a job. Dropping the future must do no harm: that is what happens when the lease is
    /// lost.
    fn handle<'a>(&'a self, task: Task) -> Answering<'a, Handled>;
}

/// What a worker did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Tally {
    /// Jobs that came to their end.
    pub done: u64,
    /// Jobs that went wrong.
    pub failed: u64,
    /// Jobs that were cancelled.
    pub cancelled: u64,
    /// Jobs that others go on with.
    pub handed_over: u64,
    /// Leases that were lost.
    pub lost: u64,
}

impl Tally {
    fn count(&mut self, handled: &Handled) {
        *match handled {
            Handled::Done | Handled::Settled | Handled::Again(_) => &mut self.done,
            Handled::Cancelled => &mut self.cancelled,
            Handled::HandedOver => &mut self.handed_over,
            Handled::Failed(_) | Handled::Hopeless(_) => &mut self.failed,
            Handled::Lost => &mut self.lost,
        } += 1;
    }
}

/// Works until stopped, then releases what is in progress.
pub async fn work(
    store: &Store,
    handlers: &[Arc<dyn Handler>],
    settings: &WorkSettings,
    mut stop: watch::Receiver<bool>,
) -> Tally {
    let kinds: Vec<&str> = handlers.iter().map(|handler| handler.kind()).collect();
    let most = settings.concurrency.clamp(1, CONCURRENCY_MOST);
    let (drain, drained) = watch::channel(Drain::No);
    let mut running: JoinSet<Handled> = JoinSet::new();
    let mut tally = Tally::default();
    while !*stop.borrow() {
        while let Some(ended) = running.try_join_next() {
            tally.count(&ended.unwrap_or(Handled::Lost));
        }
        if running.len() >= most {
            tokio::select! {
                Some(ended) = running.join_next() => tally.count(&ended.unwrap_or(Handled::Lost)),
                _ = stop.wait_for(|stop| *stop) => {}
            }
            continue;
        }
        match store.claim(&settings.worker, &kinds, settings.lease).await {
            Ok(Some(job)) => {
                let Some(handler) = handlers.iter().find(|h| h.kind() == job.kind) else {
                    continue;
                };
                let hand = lease::Hand { store: store.clone(), settings: settings.clone(), job };
                let (handler, drained) = (Arc::clone(handler), drained.clone());
                running.spawn(async move { hand.carry(handler.as_ref(), drained).await });
            }
            Ok(None) if settings.until_empty && running.is_empty() => break,
            Ok(None) => rest(store, settings.idle, &mut running, &mut tally, &mut stop).await,
            Err(error) => {
                tracing::warn!(%error, "no work could be taken up");
                rest(store, STORE_PAUSE, &mut running, &mut tally, &mut stop).await;
            }
        }
    }
    let _ = drain.send(Drain::Soon);
    let ending = async |running: &mut JoinSet<Handled>, tally: &mut Tally| {
        while let Some(ended) = running.join_next().await {
            tally.count(&ended.unwrap_or(Handled::Lost));
        }
    };
    if tokio::time::timeout(settings.drain, ending(&mut running, &mut tally)).await.is_err() {
        let _ = drain.send(Drain::Now);
        let _ = tokio::time::timeout(GRACE, ending(&mut running, &mut tally)).await;
    }
    running.shutdown().await;
    tally
}

/// Does this very job now, due or not. Gives nothing if there is no such job, another worker has it, or no
/// handler is for its kind.
///
/// # Errors
/// When the store fails.
pub async fn work_on(
    store: &Store,
    job: &str,
    handlers: &[Arc<dyn Handler>],
    settings: &WorkSettings,
) -> Result<Option<Handled>, StoreError> {
    let claimed = store.claim_one(&settings.worker, job, settings.lease).await?;
    let Some(job) = claimed else { return Ok(None) };
    let Some(handler) = handlers.iter().find(|handler| handler.kind() == job.kind) else {
        store.finish(&job.fence, JobEnd::HandedOver).await?;
        return Ok(None);
    };
    let (_drain, drained) = watch::channel(Drain::No);
    let hand = lease::Hand { store: store.clone(), settings: settings.clone(), job };
    Ok(Some(hand.carry(handler.as_ref(), drained).await))
}

/// How urgently to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Drain {
    No,
    Soon,
    Now,
}

/// Waits for work, for a job to end, or for a stop.
async fn rest(
    store: &Store,
    at_most: Duration,
    running: &mut JoinSet<Handled>,
    tally: &mut Tally,
    stop: &mut watch::Receiver<bool>,
) {
    tokio::select! {
        () = store.wait_for_work(at_most) => {}
        Some(ended) = running.join_next() => tally.count(&ended.unwrap_or(Handled::Lost)),
        _ = stop.wait_for(|stop| *stop) => {}
    }
}

/// Records the result of a job, unless that was done.
async fn write_down(
    store: &Store,
    settings: &WorkSettings,
    job: &Leased,
    handled: &Handled,
) -> Result<bool, StoreError> {
    let again = settings.backoff(job.fence.attempt);
    let end = match handled {
        Handled::Settled | Handled::Lost => return Ok(true),
        Handled::Done => JobEnd::Done,
        Handled::Cancelled => JobEnd::Cancelled,
        Handled::HandedOver => JobEnd::HandedOver,
        Handled::Again(after) => return store.reschedule(&job.fence, *after).await,
        Handled::Failed(error) => JobEnd::Failed { error, again },
        Handled::Hopeless(error) => JobEnd::Hopeless { error },
    };
    store.finish(&job.fence, end).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_waits_longer_after_each_failure_up_to_a_limit() {
        let settings = WorkSettings::new("w");
        let waits: Vec<u64> = [1, 2, 3, 8, i64::MAX]
            .into_iter()
            .map(|attempt| settings.backoff(attempt).as_secs())
            .collect();
        assert_eq!(waits, [5, 10, 20, 600, 600]);
    }
}
