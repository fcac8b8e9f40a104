//! Once a day: deleting what is no longer used.

use std::time::Duration;

use probity_core::{Answering, Clock, Timestamp};
use probity_research::work::{Handled, Handler, Task};
use probity_store::queue::{NewJob, QueueLimits};
use probity_store::{Store, StoreError};

/// The kind of this work, and the name of its one job.
pub(crate) const UPKEEP: &str = "upkeep";
/// How long it is until the next time.
const DAY: Duration = Duration::from_secs(24 * 60 * 60);
/// How often it may fail before a person should look at it.
const FAILURES_MOST: u32 = 20;

/// How long documents are kept that were brought along and that no run asks: a day.
const UNASKED_MILLIS: i64 = 24 * 60 * 60 * 1_000;

/// Forgets the events and jobs of runs that ended long ago; the runs and their reports stay.
pub(crate) struct Upkeep {
    /// After how many days.
    pub(crate) days: u32,
    /// What the time is.
    pub(crate) clock: Clock,
}

/// Sees to it that the work is queued; once is enough for all processes and for ever.
pub(crate) async fn arrange(store: &Store) -> Result<(), StoreError> {
    let job = NewJob::standing(UPKEEP, FAILURES_MOST);
    store.enqueue(&job, QueueLimits::NONE).await.map(drop)
}

impl Upkeep {
    async fn forget(&self, store: &Store) -> Result<(), StoreError> {
        let age = i64::from(self.days).saturating_mul(24 * 60 * 60 * 1_000);
        let before = Timestamp(self.clock.now().0.saturating_sub(age));
        let events = store.forget_events(before).await?;
        let jobs = store.forget_jobs(before).await?;
        let unasked = Timestamp(self.clock.now().0.saturating_sub(UNASKED_MILLIS));
        let uploads = store.forget_uploads(unasked).await?;
        tracing::info!(events, jobs, uploads, "forgot what is older than {} days", self.days);
        Ok(())
    }
}

impl Handler for Upkeep {
    fn kind(&self) -> &'static str {
        UPKEEP
    }

    fn handle<'a>(&'a self, task: Task) -> Answering<'a, Handled> {
        Box::pin(async move {
            match self.forget(&task.store).await {
                Ok(()) => Handled::Again(DAY),
                Err(error) => Handled::Failed(error.to_string()),
            }
        })
    }
}
