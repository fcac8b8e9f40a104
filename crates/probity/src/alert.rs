//! Tells people of news: looks for it once a minute, and sends each message until it is taken.
//!
//! ```text
//! ledger events, topics, turns of saved questions → look → a job for each message and way → send → done | tried again later
//! ```

mod look;
mod send;

use probity_store::queue::{NewJob, QueueLimits};
use probity_store::{Store, StoreError};

pub(crate) use look::Looker;
pub(crate) use send::Sender;

/// The kind of the work that looks for news, and the name of its one job.
pub(crate) const ALERTS: &str = "alerts";
/// The kind of the jobs that send a message.
pub(crate) const ALERT: &str = "alert";
/// How often looking may fail before a person should look at it.
const FAILURES_MOST: u32 = 100;

/// Sees to it that news is looked for; once is enough for all processes and for ever.
pub(crate) async fn arrange(store: &Store) -> Result<(), StoreError> {
    let job = NewJob::standing(ALERTS, FAILURES_MOST);
    store.enqueue(&job, QueueLimits::NONE).await.map(drop)
}
