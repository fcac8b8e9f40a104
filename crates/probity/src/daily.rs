//! Once a day: the briefing of the day before, kept for later readers.

use std::time::Duration;

use probity_core::{Answering, Clock, Timestamp};
use probity_news::NewsSettings;
use probity_reader::TextReader;
use probity_research::work::{Handled, Handler, Task};
use probity_server::brief::{USUAL_TOPICS, Wanted, brief, keep};
use probity_store::queue::{NewJob, QueueLimits};
use probity_store::{Store, StoreError};

/// The kind of this work, and the name of its one job.
pub(crate) const BRIEFING: &str = "briefing";
/// How far back it looks, in milliseconds.
const DAY: i64 = 24 * 3_600_000;
/// How often it may fail before a person should look at it.
const FAILURES_MOST: u32 = 20;

/// Keeps a briefing a day.
pub(crate) struct Daily {
    /// When, and whether at all.
    pub(crate) settings: NewsSettings,
    /// Who checks its sentences.
    pub(crate) reader: TextReader,
    /// What the time is.
    pub(crate) clock: Clock,
}

/// Sees to it that the work is queued; once is enough for all processes and for ever.
pub(crate) async fn arrange(
    store: &Store,
    settings: &NewsSettings,
    clock: Clock,
) -> Result<(), StoreError> {
    let after = settings.until_briefing(clock.now());
    let job = NewJob { after, ..NewJob::standing(BRIEFING, FAILURES_MOST) };
    store.enqueue(&job, QueueLimits::NONE).await.map(drop)
}

impl Daily {
    /// Keeps the briefing of the last day, where there is anything to tell.
    async fn make(&self, store: &Store) -> Result<(), String> {
        let now = self.clock.now();
        let since = Timestamp(now.0.saturating_sub(DAY));
        let wanted = Wanted { category: None, since, topics: USUAL_TOPICS };
        let made = brief(store, wanted, now, &self.reader).await.map_err(|e| e.to_string())?;
        if let Some(report) = made {
            let id = keep(store, &report, wanted).await.map_err(|error| error.to_string())?;
            tracing::info!(id = id.0, "the daily briefing was saved");
        }
        Ok(())
    }

    fn next(&self) -> Duration {
        self.settings.until_briefing(self.clock.now())
    }
}

impl Handler for Daily {
    fn kind(&self) -> &'static str {
        BRIEFING
    }

    fn handle<'a>(&'a self, task: Task) -> Answering<'a, Handled> {
        Box::pin(async move {
            if !self.settings.daily_briefing {
                return Handled::Again(self.next());
            }
            match self.make(&task.store).await {
                Ok(()) => Handled::Again(self.next()),
                Err(error) => Handled::Failed(error),
            }
        })
    }
}
