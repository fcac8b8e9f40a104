//! The scheduler: claims feeds as they fall due, a bounded number at once, fair over hosts.
//!
//! ```text
//! claim (the host with the least in progress, then the longest due) → poll, the lease kept alive → next
//! ```
//!
//! It is a function over the store's queue and something that polls, so that `news run`, a worker
//! and a server can all run it, several of them on one store. A process that dies loses its leases
//! after [`LEASE`]; one that is stopped claims nothing more, waits a little for what is in
//! progress, and hands the rest back.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use probity_core::{Answering, Clock, FeedId, Timestamp};
use probity_store::news::{FEEDS, FeedRecord, FeedState, feed_of};
use probity_store::queue::{Beat, Fence, JobEnd, Leased};
use probity_store::{Store, StoreError};
use serde::Serialize;
use tokio::sync::watch;
use tokio::task::{Id, JoinError, JoinSet};

use crate::poll::{Ended, Polled, Poller};
use crate::settings::NewsSettings;

/// For how long a feed is leased at a time. It is renewed while the poll continues.
pub const LEASE: Duration = Duration::from_secs(90);
/// How often the lease is renewed.
const HEARTBEAT: Duration = Duration::from_secs(30);
/// How long a poll may take in all, links followed included.
const POLL_TIME: Duration = Duration::from_secs(300);
/// How long an idle scheduler waits before it looks again.
const IDLE: Duration = Duration::from_secs(5);
/// How long polls in progress may continue after the scheduler was stopped.
const GRACE: Duration = Duration::from_secs(3);
/// How long to wait before a store that failed is asked again, and how often in a row.
const STORE_PAUSE: Duration = Duration::from_secs(1);
const STORE_FAILURES: u32 = 120;
/// How often old articles are forgotten.
const PRUNE: Duration = Duration::from_secs(6 * 3_600);
/// How often a running scheduler reports its counts.
const TELL: Duration = Duration::from_secs(60);

/// A poll in progress.
pub type Polling<'a> = Answering<'a, Result<Polled, StoreError>>;

/// Something that polls a feed under a lease and records its result.
pub trait Polls: Send + Sync {
    /// Polls.
    fn poll<'a>(&'a self, fence: &'a Fence, feed: &'a FeedRecord) -> Polling<'a>;
}

impl Polls for Poller {
    fn poll<'a>(&'a self, fence: &'a Fence, feed: &'a FeedRecord) -> Polling<'a> {
        Box::pin(Poller::poll(self, fence, feed))
    }
}

/// When a scheduler ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Until {
    /// When nothing is due.
    NothingDue,
    /// When it is stopped.
    Stopped,
}

/// How a scheduler runs.
#[derive(Debug, Clone)]
pub struct Schedule {
    /// The name of this process among those that share the store.
    pub worker: String,
    /// When it ends.
    pub until: Until,
    /// How much it does at once, and how long articles are kept.
    pub settings: NewsSettings,
    /// Where "now" comes from.
    pub clock: Clock,
}

/// What a scheduler did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Totals {
    /// Polls that were finished.
    pub polls: u64,
    /// Documents that were read.
    pub read: u64,
    /// Feeds that had not changed.
    pub unchanged: u64,
    /// Polls that failed.
    pub failed: u64,
    /// Feeds that are gone permanently.
    pub gone: u64,
    /// New articles.
    pub new: u64,
    /// Known articles that changed their words.
    pub changed: u64,
    /// Links that were followed to their end.
    pub followed: u64,
    /// Polls whose lease was lost, so that nothing was written.
    pub lost: u64,
    /// Articles that were forgotten.
    pub pruned: u64,
}

impl Totals {
    fn count(&mut self, polled: &Polled) {
        self.polls += 1;
        match polled.ended {
            Ended::Read => self.read += 1,
            Ended::Unchanged => self.unchanged += 1,
            Ended::Failed => self.failed += 1,
            Ended::Gone => self.gone += 1,
        }
        self.new += polled.new as u64;
        self.changed += polled.changed as u64;
        self.followed += polled.followed as u64;
    }
}

/// What a scheduler reports while it runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// A feed was polled.
    Polled {
        /// The result.
        #[serde(flatten)]
        polled: Polled,
        /// How long it took, in milliseconds.
        millis: u64,
    },
    /// The lease on a feed was lost; its new holder continues.
    Lost {
        /// The feed.
        feed: FeedId,
    },
    /// What was done so far.
    Counts {
        /// Since the start.
        #[serde(flatten)]
        totals: Totals,
        /// Feeds that are being polled.
        under_way: usize,
    },
    /// Old articles were forgotten.
    Pruned {
        /// How many.
        articles: u64,
    },
    /// The scheduler was stopped.
    Stopping {
        /// Feeds that are being polled.
        under_way: usize,
    },
}

/// Runs the scheduler until nothing is due or `stop` turns true. `watch` is called with what happens.
///
/// # Errors
/// When the store fails. Feeds in progress are then resumed once their leases run out.
pub async fn run(
    store: &Store,
    polls: Arc<dyn Polls>,
    schedule: &Schedule,
    stop: watch::Receiver<bool>,
    watch: &(dyn Fn(&Event) + Sync),
) -> Result<Totals, StoreError> {
    let mut round = Round {
        store,
        polls,
        schedule,
        watch,
        under_way: JoinSet::new(),
        held: HashMap::new(),
        hosts: HashMap::new(),
        totals: Totals::default(),
    };
    round.run(stop).await?;
    watch(&Event::Counts { totals: round.totals, under_way: 0 });
    Ok(round.totals)
}

/// How a poll in progress came back.
struct Back {
    millis: u64,
    polled: Result<Option<Polled>, StoreError>,
}

/// What is known of a poll in progress.
struct Held {
    feed: FeedId,
    host: String,
    fence: Fence,
}

struct Round<'a> {
    store: &'a Store,
    polls: Arc<dyn Polls>,
    schedule: &'a Schedule,
    watch: &'a (dyn Fn(&Event) + Sync),
    under_way: JoinSet<Back>,
    held: HashMap<Id, Held>,
    /// How many polls of each host are in progress, by the owner of their jobs.
    hosts: HashMap<String, usize>,
    totals: Totals,
}

impl Round<'_> {
    fn run(&mut self, mut stop: watch::Receiver<bool>) -> Answering<'_, Result<(), StoreError>> {
        Box::pin(async move {
            let runs_on = self.schedule.until == Until::Stopped;
            let mut prune = tokio::time::interval(PRUNE);
            let mut tell = tokio::time::interval(TELL);
            tell.reset();
            let mut failed = 0;
            while !*stop.borrow() {
                let idle = match self.claim_feeds().await {
                    Ok(idle) => idle,
                    // A database that restarts or is busy, or a disk that is full for a while, is no reason to
                    // stop.
                    Err(error)
                        if runs_on && error.is_worth_waiting_for() && failed < STORE_FAILURES =>
                    {
                        failed += 1;
                        tracing::warn!(%error, failed, "the store failed; trying again");
                        tokio::time::sleep(STORE_PAUSE).await;
                        continue;
                    }
                    Err(error) => return Err(error),
                };
                failed = 0;
                if self.under_way.is_empty() && !runs_on && idle {
                    return Ok(());
                }
                tokio::select! {
                    Some(back) = self.under_way.join_next_with_id() => self.come_back(back).await?,
                    () = tokio::time::sleep(IDLE) => {}
                    changed = stop.changed() => if changed.is_err() {
                        // It cannot be stopped any more, so it stops now.
                        break;
                    },
                    _ = prune.tick(), if runs_on => self.prune().await?,
                    _ = tell.tick(), if runs_on => self.tell(),
                }
            }
            self.wind_up().await
        })
    }

    /// Takes up feeds while there are places. Gives whether nothing more was due.
    async fn claim_feeds(&mut self) -> Result<bool, StoreError> {
        let Schedule { worker, settings, .. } = self.schedule;
        while self.under_way.len() < settings.concurrency {
            let full = self.hosts.iter().filter(|(_, count)| **count >= settings.per_host);
            let full: Vec<&str> = full.map(|(owner, _)| owner.as_str()).collect();
            let claimed = self.store.claim_sparing(worker, FEEDS, LEASE, &full).await?;
            let Some(Leased { fence, owner, .. }) = claimed else { return Ok(true) };
            let feed = match feed_of(&fence.job) {
                Some(id) => self.store.feed(id).await?,
                None => None,
            };
            match feed.filter(|feed| feed.state == FeedState::Enabled) {
                Some(feed) => self.begin(fence, feed, owner),
                None => {
                    self.store.finish(&fence, JobEnd::Cancelled).await?;
                }
            }
        }
        Ok(false)
    }

    fn begin(&mut self, fence: Fence, feed: FeedRecord, host: String) {
        *self.hosts.entry(host.clone()).or_default() += 1;
        let held = Held { feed: feed.id, host, fence: fence.clone() };
        let (store, polls) = (self.store.clone(), Arc::clone(&self.polls));
        let task = self.under_way.spawn(async move {
            let begun = Instant::now();
            let polled = poll_and_keep(&store, &*polls, &fence, &feed).await;
            Back { millis: u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX), polled }
        });
        self.held.insert(task.id(), held);
    }

    async fn come_back(&mut self, back: Result<(Id, Back), JoinError>) -> Result<(), StoreError> {
        let (id, back) = match back {
            Ok((id, back)) => (id, Some(back)),
            Err(error) => (error.id(), None),
        };
        let Some(held) = self.held.remove(&id) else { return Ok(()) };
        if let Some(count) = self.hosts.get_mut(&held.host) {
            *count -= 1;
            if *count == 0 {
                self.hosts.remove(&held.host);
            }
        }
        match back.map(|back| (back.polled, back.millis)) {
            Some((Ok(Some(polled)), millis)) => self.count(polled, millis),
            Some((Ok(None) | Err(StoreError::Fenced { .. }), _)) => self.lose(held.feed),
            // Nothing was written; the lease runs out, and then it is polled again.
            Some((Err(error), _)) if error.is_worth_waiting_for() => {
                tracing::warn!(%error, feed = held.feed.0, "a poll could not be written down");
                self.lose(held.feed);
            }
            Some((Err(error), _)) => return Err(error),
            None => {
                let broke = JobEnd::Failed { error: "the poll broke down", again: LEASE };
                self.store.finish(&held.fence, broke).await?;
                self.totals.failed += 1;
            }
        }
        Ok(())
    }

    fn lose(&mut self, feed: FeedId) {
        self.totals.lost += 1;
        tracing::warn!(feed = feed.0, "the lease was lost");
        (self.watch)(&Event::Lost { feed });
    }

    fn count(&mut self, polled: Polled, millis: u64) {
        self.totals.count(&polled);
        let reason = polled.reason.as_deref().unwrap_or_default();
        tracing::info!(
            feed = polled.feed.0, ended = ?polled.ended, new = polled.new, millis,
            reason = %probity_core::printable::brief(reason, 200), "polled"
        );
        (self.watch)(&Event::Polled { polled, millis });
    }

    async fn prune(&mut self) -> Result<(), StoreError> {
        let keep = i64::try_from(self.schedule.settings.retention().as_millis());
        let before = self.schedule.clock.now().0.saturating_sub(keep.unwrap_or(i64::MAX));
        let pruned = match self.store.prune_articles(Timestamp(before)).await {
            // There will be another time.
            Err(error) if error.is_worth_waiting_for() => return Ok(()),
            pruned => pruned?,
        };
        if pruned.articles > 0 {
            self.totals.pruned += pruned.articles;
            (self.watch)(&Event::Pruned { articles: pruned.articles });
        }
        Ok(())
    }

    fn tell(&self) {
        let (totals, under_way) = (self.totals, self.under_way.len());
        tracing::info!(
            polls = totals.polls,
            failed = totals.failed,
            new = totals.new,
            under_way,
            "newsroom"
        );
        (self.watch)(&Event::Counts { totals, under_way });
    }

    /// Waits a little for what is in progress, and hands back what does not end in time.
    async fn wind_up(&mut self) -> Result<(), StoreError> {
        (self.watch)(&Event::Stopping { under_way: self.under_way.len() });
        let deadline = tokio::time::Instant::now() + GRACE;
        while let Ok(Some(back)) =
            tokio::time::timeout_at(deadline, self.under_way.join_next_with_id()).await
        {
            self.come_back(back).await?;
        }
        self.under_way.shutdown().await;
        for held in std::mem::take(&mut self.held).into_values() {
            self.store.finish(&held.fence, JobEnd::HandedOver).await?;
        }
        Ok(())
    }
}

/// Polls a feed and keeps its lease alive meanwhile; none when the lease was lost.
async fn poll_and_keep(
    store: &Store,
    polls: &dyn Polls,
    fence: &Fence,
    feed: &FeedRecord,
) -> Result<Option<Polled>, StoreError> {
    let mut polling = polls.poll(fence, feed);
    let deadline = tokio::time::Instant::now() + POLL_TIME;
    loop {
        tokio::select! {
            polled = &mut polling => return polled.map(Some),
            () = tokio::time::sleep(HEARTBEAT) => {
                // A poll that has been written down has no lease any more, but may still follow links.
                let beat = store.heartbeat(fence, LEASE).await?;
                let held = beat != Beat::Lost || is_written(store, feed).await?;
                if !held || tokio::time::Instant::now() > deadline {
                    // A poll that takes for ever is returned, for another to try.
                    store.finish(fence, JobEnd::HandedOver).await?;
                    return Ok(None);
                }
            }
        }
    }
}

/// Whether the poll of a feed was written down since it began.
async fn is_written(store: &Store, before: &FeedRecord) -> Result<bool, StoreError> {
    Ok(store.feed(before.id).await?.is_some_and(|now| now.polls > before.polls))
}
