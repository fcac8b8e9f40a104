//! What a poll came to, written in one transaction under the poll's lease.

use std::time::Duration;

use probity_core::{ArticleId, FeedId, WebUrl};

use super::feed::FeedRecord;
use super::feeds::end_polls;
use super::write::{self, fit, sort};
use super::{ERRORS_KEPT, NewArticle, job_id, owner};
use crate::queue::Fence;
use crate::sql::sql;
use crate::tx::Tx;
use crate::{Store, StoreError};

/// What a poll of a feed came to.
#[derive(Debug, Clone)]
pub struct PollRecord<'a> {
    /// The feed as it was when the poll began.
    pub feed: &'a FeedRecord,
    /// How it ended.
    pub outcome: Outcome<'a>,
    /// What it says of having moved.
    pub moved: Moved<'a>,
}

/// What a feed sent.
#[derive(Debug, Clone, Default)]
pub struct FeedDocument<'a> {
    /// What the feed calls itself.
    pub title: &'a str,
    /// The page it belongs to.
    pub site_url: Option<&'a str>,
    /// Its items in the order of the document.
    pub items: &'a [NewArticle],
    /// Whether most of them belong to other publishers; none where there are none to tell by.
    pub aggregator: Option<bool>,
    /// How seldom the feed asks to be polled.
    pub floor: Option<Duration>,
    /// The `ETag`.
    pub etag: Option<&'a str>,
    /// The `Last-Modified`.
    pub last_modified: Option<&'a str>,
    /// The hash of the document.
    pub digest: &'a str,
    /// Why not everything was read.
    pub problem: Option<&'a str>,
}

/// How a poll ended.
#[derive(Debug, Clone)]
pub enum Outcome<'a> {
    /// A document came.
    Document(FeedDocument<'a>),
    /// Nothing changed since the last time.
    Unchanged,
    /// Nothing could be had.
    Failed {
        /// What kind of failure it was.
        kind: &'a str,
        /// What the server answered with.
        status: Option<u16>,
        /// What happened.
        reason: &'a str,
    },
    /// The server says that the feed is gone permanently: it is polled no more.
    Gone {
        /// What the server said.
        reason: &'a str,
    },
}

/// What a poll says of where the feed is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moved<'a> {
    /// It is where it was.
    Stays,
    /// How many times in a row it has said that it has moved there permanently.
    Says(&'a str, i64),
    /// It is there from now on.
    Goes(&'a str),
    /// Nothing came, so nothing is known.
    Unknown,
}

/// When a feed is polled next, and the rate that this follows from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NextPoll {
    /// After so long.
    pub after: Duration,
    /// New items a day, as observed.
    pub per_day: Option<f64>,
}

/// What a poll brought.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Brought {
    /// The ids of the new articles.
    pub articles: Vec<ArticleId>,
    /// How many known ones changed their words.
    pub changed: usize,
    /// The feed that this one turned out to have become, which is why it is polled no more.
    pub became: Option<FeedId>,
}

impl Store {
    /// Writes down what a poll came to and when the next one is due: all of it, or, when the lease
    /// is lost, nothing. `next` gets the number of new articles.
    ///
    /// # Errors
    /// When the store fails, or the lease is lost.
    pub async fn record_poll(
        &self,
        fence: &Fence,
        poll: &PollRecord<'_>,
        next: impl FnOnce(usize) -> NextPoll,
    ) -> Result<Brought, StoreError> {
        let now = self.clock().now().0;
        let id = poll.feed.id;
        let sorted = match &poll.outcome {
            Outcome::Document(FeedDocument { items, .. }) => {
                let mut tx = self.read().await?;
                Some(sort(&mut tx, self.engine(), id, items, now).await?)
            }
            _ => None,
        };
        let store = self.fenced(fence.clone());
        let mut tx = store.write().await?;
        let mut brought = Brought::default();
        if let Some(sorted) = &sorted {
            let (articles, changed) = write::put(&mut tx, self.engine(), id, sorted, now).await?;
            brought = Brought { articles, changed, became: None };
        }
        let NextPoll { after, per_day } = next(brought.articles.len());
        note_outcome(&mut tx, poll, brought.articles.len(), per_day, now).await?;
        brought.became = note_move(&mut tx, id, poll.moved).await?;
        if matches!(poll.outcome, Outcome::Gone { .. }) || brought.became.is_some() {
            end_polls(&mut tx, id).await?;
        } else if !self.put_back(&mut tx, fence, after).await? {
            return Err(StoreError::Fenced { job: fence.job.clone() });
        }
        tx.commit().await?;
        Ok(brought)
    }
}

async fn note_outcome(
    tx: &mut Tx,
    poll: &PollRecord<'_>,
    new: usize,
    per_day: Option<f64>,
    now: i64,
) -> Result<(), StoreError> {
    let id = poll.feed.id;
    match &poll.outcome {
        Outcome::Document(FeedDocument {
            title,
            site_url,
            aggregator,
            floor,
            etag,
            last_modified,
            digest,
            problem,
            ..
        }) => {
            let query = sql("UPDATE feeds SET polls = polls + 1, polled_at = $2, ok_at = $2,
                    document_at = $2, failures = 0, title = CASE WHEN $3 = '' THEN title ELSE $3 END,
                    site_url = coalesce($4, site_url), aggregator = coalesce($5, aggregator),
                    floor_ms = $6, etag = $7, last_modified = $8, digest = $9, per_day = $10,
                    brought = brought + $11, new_at = CASE WHEN $11 > 0 THEN $2 ELSE new_at END
                 WHERE id = $1");
            let title = fit(title);
            let query = query.bind(id).bind(now).bind(&title).bind(*site_url);
            let query = query.bind(aggregator.map(i64::from));
            let query = query.bind(floor.map(crate::queue::millis)).bind(*etag);
            let query = query.bind(*last_modified).bind(*digest).bind(per_day);
            let new = i64::try_from(new).unwrap_or(i64::MAX);
            tx.execute(query.bind(new)).await?;
            match problem {
                Some(problem) => note_error(tx, id, "incomplete", None, problem, now).await,
                None => Ok(()),
            }
        }
        Outcome::Unchanged => {
            let query = sql("UPDATE feeds SET polls = polls + 1, polled_at = $2, ok_at = $2,
                                    failures = 0, per_day = $3 WHERE id = $1");
            tx.execute(query.bind(id).bind(now).bind(per_day)).await.map(drop)
        }
        Outcome::Failed { kind, status, reason } => {
            let query = sql("UPDATE feeds SET polls = polls + 1, polled_at = $2,
                                    failures = failures + 1 WHERE id = $1");
            tx.execute(query.bind(id).bind(now)).await?;
            note_error(tx, id, kind, *status, reason, now).await
        }
        Outcome::Gone { reason } => {
            let query = sql("UPDATE feeds SET polls = polls + 1, polled_at = $2, state = 'gone',
                                    state_reason = $3, failures = failures + 1 WHERE id = $1");
            tx.execute(query.bind(id).bind(now).bind(&fit(reason))).await?;
            note_error(tx, id, "gone", Some(410), reason, now).await
        }
    }
}

/// Notes where the feed is; gives the other feed that has that address already.
async fn note_move(
    tx: &mut Tx,
    id: FeedId,
    moved: Moved<'_>,
) -> Result<Option<FeedId>, StoreError> {
    let (to, times) = match moved {
        Moved::Unknown => return Ok(None),
        Moved::Stays => (None, 0),
        Moved::Says(to, times) => (Some(to), times),
        Moved::Goes(to) => return go(tx, id, to).await,
    };
    let query = sql("UPDATE feeds SET moved_to = $2, moved_times = $3 WHERE id = $1");
    tx.execute(query.bind(id).bind(to).bind(times)).await?;
    Ok(None)
}

async fn go(tx: &mut Tx, id: FeedId, to: &str) -> Result<Option<FeedId>, StoreError> {
    let query = sql("SELECT id FROM feeds WHERE url = $1 AND id <> $2");
    let row = tx.maybe(query.bind(to).bind(id)).await?;
    let other = row.map(|row| row.get::<FeedId>("id")).transpose();
    let other = other.map_err(|error| tx.unreadable(&error))?;
    match other {
        Some(other) => {
            let reason = format!("moved to the address of feed {other}");
            let query = sql("UPDATE feeds SET state = 'disabled', state_reason = $2, moved_to = $3
                             WHERE id = $1");
            tx.execute(query.bind(id).bind(&reason).bind(to)).await?;
        }
        None => {
            let query = sql("UPDATE feeds SET url = $2, moved_to = NULL, moved_times = 0
                             WHERE id = $1");
            tx.execute(query.bind(id).bind(to)).await?;
            if let Ok(url) = WebUrl::parse(to) {
                let query = sql("UPDATE jobs SET owner = $2 WHERE id = $1");
                tx.execute(query.bind(&job_id(id)).bind(&owner(url.dns_host()))).await?;
            }
        }
    }
    Ok(other)
}

async fn note_error(
    tx: &mut Tx,
    feed: FeedId,
    kind: &str,
    status: Option<u16>,
    reason: &str,
    now: i64,
) -> Result<(), StoreError> {
    let query = sql("INSERT INTO feed_errors (feed_id, at, kind, status, reason)
                     VALUES ($1, $2, $3, $4, $5)");
    let reason = fit(reason);
    let query = query.bind(feed).bind(now).bind(kind).bind(status.map(i64::from));
    tx.execute(query.bind(&reason)).await?;
    let query = sql("DELETE FROM feed_errors WHERE feed_id = $1 AND id <=
                        (SELECT id FROM feed_errors WHERE feed_id = $1
                         ORDER BY id DESC LIMIT 1 OFFSET $2)");
    tx.execute(query.bind(feed).bind(ERRORS_KEPT)).await.map(drop)
}
