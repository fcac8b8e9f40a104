//! One poll of a feed: fetched, read, unwrapped, and written down with the time of the next.
//!
//! ```text
//! feed → conditional GET → document? → items → articles → one transaction under the lease → links followed
//! ```

use std::time::Duration;

use probity_core::{Answering, Clock, FeedId, WebUrl};
use probity_credibility::Permit;
use probity_credibility::outlet::Resolver;
use probity_store::news::{Brought, FeedDocument, FeedRecord, Moved, Outcome, PollRecord};
use probity_store::queue::Fence;
use probity_store::{Store, StoreError};
use probity_web::fetch::{FetchOutcome, Fetcher, RawOutcome, RawResponse, Validators};
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use crate::feed::{self, Feed};
use crate::ingest::{Ingested, ingest};
use crate::poll_interval::{self, Answered};
use crate::settings::NewsSettings;

/// How often in a row a feed has to say that it has moved permanently before it is believed.
pub const MOVES: i64 = 3;

/// Polls feeds. Cheap to clone; clones share connections and politeness.
#[derive(Debug, Clone)]
pub struct Poller {
    pub(crate) store: Store,
    pub(crate) fetcher: Fetcher,
    pub(crate) resolver: Resolver,
    pub(crate) settings: NewsSettings,
    pub(crate) clock: Clock,
}

/// How a poll ended, in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    /// A document was read.
    Read,
    /// Nothing had changed.
    Unchanged,
    /// Nothing could be had, this time.
    Failed,
    /// The feed is gone permanently.
    Gone,
}

/// What a poll came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Polled {
    /// The feed.
    pub feed: FeedId,
    /// Its address.
    pub url: String,
    /// How it ended.
    pub ended: Ended,
    /// Why, where it did not end well.
    pub reason: Option<String>,
    /// How many articles are new.
    pub new: usize,
    /// How many known ones changed their words.
    pub changed: usize,
    /// How many links of aggregators were followed to their end afterwards.
    pub followed: usize,
    /// Until the next poll, in seconds; none where there is none.
    pub next_seconds: Option<u64>,
}

/// The result of asking for a feed.
enum Had {
    /// A document, and how long its server says it holds.
    Document {
        feed: Feed,
        taken: Ingested,
        digest: String,
    },
    Unchanged,
    Failed {
        kind: &'static str,
        reason: String,
    },
    Gone {
        reason: String,
    },
}

impl Poller {
    /// A poller that writes into a store.
    pub fn new(
        store: Store,
        fetcher: Fetcher,
        resolver: Resolver,
        settings: NewsSettings,
        clock: Clock,
    ) -> Self {
        Self { store, fetcher, resolver, settings, clock }
    }

    /// Polls a feed under a lease. Whatever the feed does is in the answer.
    ///
    /// # Errors
    /// When the store fails, or the lease is lost: then nothing was written.
    pub async fn poll(&self, fence: &Fence, feed: &FeedRecord) -> Result<Polled, StoreError> {
        let raw = match WebUrl::parse(&feed.url) {
            Ok(url) => {
                let last = Validators {
                    etag: feed.etag.clone(),
                    last_modified: feed.last_modified.clone(),
                };
                Ok(self.fetcher.fetch_raw(&Permit::by_user(url), Some(&last)).await)
            }
            Err(error) => Err(error.to_string()),
        };
        self.take(fence, feed, raw).await
    }

    /// As [`Poller::poll`], with an answer that is at hand, or why there is none.
    ///
    /// # Errors
    /// When the store fails, or the lease is lost: then nothing was written.
    pub fn take<'a>(
        &'a self,
        fence: &'a Fence,
        feed: &'a FeedRecord,
        raw: Result<RawResponse, String>,
    ) -> Answering<'a, Result<Polled, StoreError>> {
        Box::pin(async move {
            let (raw, had) = self.look(feed, raw).await;
            let (brought, after) = self.write_down(fence, feed, raw.as_ref(), &had).await?;
            let (ended, reason) = match had {
                Had::Document { feed, .. } => (Ended::Read, feed.problem),
                Had::Unchanged => (Ended::Unchanged, None),
                Had::Failed { reason, .. } => (Ended::Failed, Some(reason)),
                Had::Gone { reason } => (Ended::Gone, Some(reason)),
            };
            let goes_on = ended != Ended::Gone && brought.became.is_none();
            let followed = match ended {
                Ended::Read => self.follow_links(Some(feed.id)).await?,
                _ => 0,
            };
            Ok(Polled {
                feed: feed.id,
                url: feed.url.clone(),
                ended,
                reason,
                new: brought.articles.len(),
                changed: brought.changed,
                followed,
                next_seconds: goes_on.then_some(after.as_secs()),
            })
        })
    }

    async fn look(
        &self,
        feed: &FeedRecord,
        raw: Result<RawResponse, String>,
    ) -> (Option<RawResponse>, Had) {
        let mut raw = match raw {
            Ok(raw) => raw,
            Err(reason) => return (None, Had::Failed { kind: "address", reason }),
        };
        let had = match raw.outcome {
            RawOutcome::NotModified => Had::Unchanged,
            RawOutcome::Missing(FetchOutcome::Gone) => Had::Gone { reason: raw.reason.clone() },
            RawOutcome::Missing(outcome) => {
                Had::Failed { kind: outcome.as_str(), reason: raw.reason.clone() }
            }
            RawOutcome::Body => {
                let body = std::mem::take(&mut raw.body);
                self.read(feed, body, raw.final_url.clone()).await
            }
        };
        (Some(raw), had)
    }

    /// Reads a body where it does not hold up other polls.
    async fn read(&self, feed: &FeedRecord, body: Vec<u8>, address: WebUrl) -> Had {
        let known = feed.digest.clone();
        let (resolver, now) = (self.resolver.clone(), self.clock.now());
        let reading = tokio::task::spawn_blocking(move || {
            let digest: String = probity_core::hex(Sha256::digest(&body).iter());
            if known.as_ref() == Some(&digest) {
                return Had::Unchanged;
            }
            match feed::read(&body, Some(&address), now) {
                Ok(feed) if feed.broken().is_some() => {
                    Had::Failed { kind: "broken", reason: feed.problem.unwrap_or_default() }
                }
                Ok(feed) => {
                    let taken = ingest(&feed, &address, &resolver, now);
                    Had::Document { feed, taken, digest }
                }
                Err(error) => Had::Failed { kind: "no-feed", reason: error.to_string() },
            }
        });
        reading.await.unwrap_or_else(|_| Had::Failed {
            kind: "unreadable",
            reason: "the document could not be read".to_owned(),
        })
    }

    async fn write_down(
        &self,
        fence: &Fence,
        feed: &FeedRecord,
        raw: Option<&RawResponse>,
        had: &Had,
    ) -> Result<(Brought, Duration), StoreError> {
        let site = match had {
            Had::Document { feed: read, .. } => site(read, raw),
            _ => None,
        };
        let poll = PollRecord {
            feed,
            outcome: outcome(had, raw, site.as_deref()),
            moved: moved(feed, raw, had),
        };
        let mut after = Duration::ZERO;
        let next = |new: usize| {
            let next = self.next(feed, raw, had, new);
            after = next.after;
            next
        };
        let brought = self.store.record_poll(fence, &poll, next).await?;
        Ok((brought, after))
    }

    fn next(
        &self,
        feed: &FeedRecord,
        raw: Option<&RawResponse>,
        had: &Had,
        new: usize,
    ) -> probity_store::news::NextPoll {
        let chance = fastrand::f64();
        if let Had::Failed { .. } | Had::Gone { .. } = had {
            let retry_after = raw.and_then(|raw| raw.retry_after);
            return poll_interval::after_failure(feed, feed.failures + 1, retry_after, chance);
        }
        let elapsed = feed.ok_at.map(|before| self.clock.now().0.saturating_sub(before.0));
        let since = elapsed.and_then(|millis| u64::try_from(millis).ok());
        let (spread, asked) = match had {
            Had::Document { feed, taken, .. } => (taken.spread, feed.refresh),
            _ => (None, stored_floor(feed)),
        };
        let floor = asked.max(raw.and_then(|raw| raw.max_age));
        let since = since.map(Duration::from_millis);
        let answered = Answered { new, since, spread, floor };
        poll_interval::after_answer(feed, &answered, &self.settings, chance)
    }
}

fn stored_floor(feed: &FeedRecord) -> Option<Duration> {
    feed.floor_ms.and_then(|ms| u64::try_from(ms).ok()).map(Duration::from_millis)
}

/// The feed's page, as a whole address.
fn site(feed: &Feed, raw: Option<&RawResponse>) -> Option<String> {
    let base = &raw?.final_url;
    base.join(feed.site.as_deref()?).ok().map(|url| url.to_string())
}

fn outcome<'a>(had: &'a Had, raw: Option<&'a RawResponse>, site: Option<&'a str>) -> Outcome<'a> {
    match had {
        Had::Document { feed, taken, digest } => {
            // A document that broke off is asked for again as a whole.
            let whole = raw.filter(|_| feed.problem.is_none());
            Outcome::Document(FeedDocument {
                title: &feed.title,
                site_url: site,
                items: &taken.articles,
                aggregator: taken.aggregator,
                floor: feed.refresh,
                etag: whole.and_then(|raw| raw.validators.etag.as_deref()),
                last_modified: whole.and_then(|raw| raw.validators.last_modified.as_deref()),
                digest: if feed.problem.is_none() { digest } else { "" },
                problem: feed.problem.as_deref(),
            })
        }
        Had::Unchanged => Outcome::Unchanged,
        Had::Failed { kind, reason } => {
            Outcome::Failed { kind, status: raw.and_then(|raw| raw.status), reason }
        }
        Had::Gone { reason } => Outcome::Gone { reason },
    }
}

fn moved<'a>(feed: &FeedRecord, raw: Option<&'a RawResponse>, had: &Had) -> Moved<'a> {
    if !matches!(had, Had::Document { .. } | Had::Unchanged) {
        return Moved::Unknown;
    }
    let Some(to) = raw.and_then(|raw| raw.moved_to.as_ref()) else { return Moved::Stays };
    let before = if feed.moved_to.as_deref() == Some(to.as_str()) { feed.moved_times } else { 0 };
    match before + 1 {
        times if times >= MOVES => Moved::Goes(to.as_str()),
        times => Moved::Says(to.as_str(), times),
    }
}
