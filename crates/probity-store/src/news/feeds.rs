//! Feeds: added, listed, changed, switched off, removed.

use std::time::Duration;

use probity_core::FeedId;

use super::feed::{self, Added, FeedChange, FeedError, FeedQuery, FeedRecord, FeedState, NewFeed};
use super::{DEATHS_MOST, ERRORS_KEPT, FEEDS, FEEDS_MOST, Newsroom, PAGE_ROWS, cut, job_id, owner};
use crate::queue::millis;
use crate::sql::{ColumnError, Row, sql};
use crate::tx::Tx;
use crate::{Store, StoreError};

macro_rules! select_feeds {
    ($rest:literal) => {
        concat!(
            "SELECT f.*, j.due_at AS next_at,
                    CAST(CASE WHEN j.state = 'leased' THEN 1 ELSE 0 END AS BIGINT) AS polling,
                    CASE WHEN f.failures > 0 THEN
                        (SELECT e.reason FROM feed_errors e WHERE e.feed_id = f.id
                         ORDER BY e.id DESC LIMIT 1) END AS last_error
             FROM feeds f
             LEFT JOIN jobs j ON j.id = 'feed:' || f.id AND j.state IN ('queued', 'leased') ",
            $rest
        )
    };
}

impl Store {
    /// Adds a feed and queues its first poll.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn add_feed(&self, feed: &NewFeed<'_>) -> Result<Added, StoreError> {
        let mut tx = self.write().await?;
        let added = self.add_one(&mut tx, feed).await?;
        tx.commit().await?;
        Ok(added)
    }

    /// Adds feeds as [`Store::add_feed`] does, all or, on failure, none; gives the result of each.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn add_feeds(&self, feeds: &[NewFeed<'_>]) -> Result<Vec<Added>, StoreError> {
        let mut tx = self.write().await?;
        let mut added = Vec::with_capacity(feeds.len());
        for feed in feeds {
            added.push(self.add_one(&mut tx, feed).await?);
        }
        tx.commit().await?;
        Ok(added)
    }

    async fn add_one(&self, tx: &mut Tx, feed: &NewFeed<'_>) -> Result<Added, StoreError> {
        let known = || sql("SELECT id FROM feeds WHERE url = $1").bind(feed.url);
        if let Some(id) = first_id(tx, known()).await? {
            return Ok(Added::Exists(id));
        }
        let row = tx.maybe(sql("SELECT count(*) AS feeds FROM feeds")).await?;
        let feeds = row.map(|row| row.get::<i64>("feeds")).transpose();
        if feeds.map_err(|error| tx.unreadable(&error))?.unwrap_or(0) >= FEEDS_MOST {
            return Ok(Added::Full);
        }
        let query = sql(
            "INSERT INTO feeds (url, site_url, title, label, categories, state, interval_ms, added_at)
             VALUES ($1, $2, $3, $4, $5, 'enabled', $6, $7)
             ON CONFLICT (url) DO NOTHING RETURNING id",
        );
        let categories = names(feed.categories);
        let query = query.bind(feed.url).bind(feed.site_url).bind(cut(feed.title));
        let query = query.bind(feed.label.map(cut)).bind(&categories);
        let query = query.bind(feed.interval.map(millis)).bind(self.clock().now().0);
        let Some(id) = first_id(tx, query).await? else {
            // Another process was quicker.
            let id = first_id(tx, known()).await?;
            return Ok(id.map_or(Added::Full, Added::Exists));
        };
        self.queue_polls(tx, id, feed.host, feed.after).await?;
        Ok(Added::New(id))
    }

    /// Queues the polls of a feed, unless they are.
    async fn queue_polls(
        &self,
        tx: &mut Tx,
        feed: FeedId,
        host: &str,
        after: Duration,
    ) -> Result<(), StoreError> {
        let now = self.reckon(tx).await?;
        let query =
            sql("INSERT INTO jobs (id, kind, owner, payload, priority, state, attempt, failures,
                               failures_most, due_at, cancel, queued_at, touched_at)
             VALUES ($1, $2, $3, '{}', 0, 'queued', 0, 0, $4, $5, 0, $6, $6)
             ON CONFLICT (id) DO UPDATE SET state = 'queued', failures = 0, cancel = 0,
                error = NULL, owner = excluded.owner, due_at = excluded.due_at,
                touched_at = excluded.touched_at
             WHERE jobs.state NOT IN ('queued', 'leased')");
        let (id, owner) = (job_id(feed), owner(host));
        let query = query.bind(&id).bind(FEEDS).bind(&owner).bind(DEATHS_MOST);
        let query = query.bind(now.saturating_add(millis(after))).bind(now);
        tx.execute(query).await.map(drop)
    }

    /// A feed.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn feed(&self, id: FeedId) -> Result<Option<FeedRecord>, StoreError> {
        let mut tx = self.read().await?;
        let row = tx.maybe(sql(select_feeds!("WHERE f.id = $1")).bind(id)).await?;
        row.map(|row| feed::read(&row).map_err(|error| tx.unreadable(&error))).transpose()
    }

    /// The feed of an address.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn feed_at(&self, url: &str) -> Result<Option<FeedRecord>, StoreError> {
        let mut tx = self.read().await?;
        let row = tx.maybe(sql(select_feeds!("WHERE f.url = $1")).bind(url)).await?;
        row.map(|row| feed::read(&row).map_err(|error| tx.unreadable(&error))).transpose()
    }

    /// Feeds in the order of their ids.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn feeds(&self, query: &FeedQuery) -> Result<Vec<FeedRecord>, StoreError> {
        let mut tx = self.read().await?;
        let list = sql(select_feeds!(
            "WHERE f.id > $1 AND ($2 = '' OR f.state = $2) AND ($3 = 0 OR f.failures > 0)
             ORDER BY f.id LIMIT $4"
        ));
        let state = query.state.map_or("", FeedState::as_str);
        let limit = query.limit.unwrap_or(PAGE_ROWS).clamp(0, FEEDS_MOST);
        let list = list.bind(query.after).bind(state).bind(i64::from(query.failing)).bind(limit);
        let rows = tx.all(list).await?;
        rows.iter().map(feed::read).collect::<Result<_, _>>().map_err(|error| tx.unreadable(&error))
    }

    /// What went wrong with a feed, the latest first.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn feed_errors(&self, feed: FeedId) -> Result<Vec<FeedError>, StoreError> {
        let mut tx = self.read().await?;
        let query = sql("SELECT at, kind, status, reason FROM feed_errors WHERE feed_id = $1
                         ORDER BY id DESC LIMIT $2");
        let rows = tx.all(query.bind(feed).bind(ERRORS_KEPT)).await?;
        let read = |row: &Row| {
            Ok(FeedError {
                at: probity_core::Timestamp(row.get("at")?),
                kind: row.get("kind")?,
                status: row.get("status")?,
                reason: row.get("reason")?,
            })
        };
        let read = rows.iter().map(read).collect::<Result<_, ColumnError>>();
        read.map_err(|error| tx.unreadable(&error))
    }

    /// Changes what a reader decides of a feed. Gives `false` if there is none of this id.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn change_feed(
        &self,
        feed: FeedId,
        change: &FeedChange<'_>,
    ) -> Result<bool, StoreError> {
        let mut tx = self.write().await?;
        let query = sql("UPDATE feeds SET label = coalesce($2, label),
                                categories = coalesce($3, categories),
                                interval_ms = CASE WHEN $4 = 1 THEN $5 ELSE interval_ms END
                         WHERE id = $1");
        let categories = change.categories.map(names);
        let query = query.bind(feed).bind(change.label.map(cut)).bind(categories.as_deref());
        let query = query.bind(i64::from(change.interval.is_some()));
        let rows = tx.execute(query.bind(change.interval.flatten().map(millis))).await?;
        tx.commit().await?;
        Ok(rows == 1)
    }

    /// Switches a feed on, due at once and with its failures forgotten, or off. Gives `false` if
    /// there is none of this id.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn switch_feed(
        &self,
        feed: FeedId,
        host: &str,
        on: bool,
    ) -> Result<bool, StoreError> {
        let mut tx = self.write().await?;
        let query = if on {
            sql("UPDATE feeds SET state = 'enabled', state_reason = NULL, failures = 0
                 WHERE id = $1")
        } else {
            sql("UPDATE feeds SET state = 'disabled', state_reason = 'switched off' WHERE id = $1")
        };
        let rows = tx.execute(query.bind(feed)).await?;
        if rows == 1 && on {
            self.queue_polls(&mut tx, feed, host, Duration::ZERO).await?;
        } else if rows == 1 {
            end_polls(&mut tx, feed).await?;
        }
        tx.commit().await?;
        Ok(rows == 1)
    }

    /// Removes a feed, and its articles if that is wanted; those that something refers to or a reader starred stay. Gives
    /// `false` if there is none of this id.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn remove_feed(&self, feed: FeedId, articles: bool) -> Result<bool, StoreError> {
        let mut tx = self.write().await?;
        tx.execute(sql("DELETE FROM jobs WHERE id = $1").bind(&job_id(feed))).await?;
        if articles {
            let query = sql("DELETE FROM articles WHERE feed_id = $1 AND kept = 0
                               AND NOT EXISTS (SELECT 1 FROM article_marks m
                                               WHERE m.article_id = articles.id
                                                 AND m.starred_at IS NOT NULL)");
            tx.execute(query.bind(feed)).await?;
        }
        let rows = tx.execute(sql("DELETE FROM feeds WHERE id = $1").bind(feed)).await?;
        tx.commit().await?;
        Ok(rows == 1)
    }

    /// Makes a feed due at once, or all that are polled. Gives how many are.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn poll_now(&self, feed: Option<FeedId>) -> Result<u64, StoreError> {
        let mut tx = self.write().await?;
        let now = self.reckon(&mut tx).await?;
        let query = sql("UPDATE jobs SET due_at = $1 WHERE kind = $2 AND state = 'queued'
                           AND due_at > $1 AND ($3 = '' OR id = $3)");
        let job = feed.map(job_id).unwrap_or_default();
        let rows = tx.execute(query.bind(now).bind(FEEDS).bind(&job)).await?;
        tx.commit().await?;
        Ok(rows)
    }

    /// How much there is of feeds and articles.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn newsroom(&self) -> Result<Newsroom, StoreError> {
        let mut tx = self.read().await?;
        let now = self.reckon(&mut tx).await?;
        let query = sql("SELECT count(*) AS feeds,
                    count(CASE WHEN state = 'enabled' THEN 1 END) AS enabled,
                    count(CASE WHEN state = 'enabled' AND failures > 0 THEN 1 END) AS failing,
                    (SELECT count(*) FROM jobs WHERE kind = $1 AND
                        (state = 'queued' AND due_at <= $2
                         OR state = 'leased' AND lease_until <= $2)) AS due,
                    (SELECT count(*) FROM articles WHERE duplicate_of IS NULL) AS articles,
                    (SELECT count(*) FROM articles
                     WHERE resolved = 0 AND duplicate_of IS NULL) AS unresolved
             FROM feeds");
        let row = tx.maybe(query.bind(FEEDS).bind(now)).await?;
        let read = |row: Row| {
            Ok(Newsroom {
                feeds: row.get("feeds")?,
                enabled: row.get("enabled")?,
                failing: row.get("failing")?,
                due: row.get("due")?,
                articles: row.get("articles")?,
                unresolved: row.get("unresolved")?,
            })
        };
        let read = row.map(read).transpose();
        Ok(read.map_err(|error: ColumnError| tx.unreadable(&error))?.unwrap_or_default())
    }
}

/// Ends the polls of a feed; who polls it now loses its lease. The job stays, so that the number of
/// its leases never goes back.
pub(super) async fn end_polls(tx: &mut Tx, feed: FeedId) -> Result<(), StoreError> {
    let query = sql("UPDATE jobs SET state = 'cancelled', lease_until = NULL WHERE id = $1");
    tx.execute(query.bind(&job_id(feed))).await.map(drop)
}

async fn first_id(tx: &mut Tx, query: crate::sql::Query<'_>) -> Result<Option<FeedId>, StoreError> {
    let row = tx.maybe(query).await?;
    row.map(|row| row.get("id")).transpose().map_err(|error| tx.unreadable(&error))
}

fn names(categories: &[String]) -> String {
    serde_json::to_string(categories).unwrap_or_else(|_| "[]".to_owned())
}
