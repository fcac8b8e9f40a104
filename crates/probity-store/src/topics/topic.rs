//! Topics: what belongs together, under a number that stays as it grows.

use std::collections::BTreeMap;

use probity_core::{ArticleId, Timestamp, TopicId};
use serde::Serialize;

use super::{EVENTS_SHOWN, PAGE_ROWS, WINDOW_MOST};
use crate::sql::{ColumnError, Row, sql};
use crate::tx::Tx;
use crate::{Store, StoreError};

/// An article of the window, as far as its topic is concerned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WindowArticle {
    /// The article.
    pub id: ArticleId,
    /// Its headline.
    pub title: String,
    /// What it says of itself.
    pub summary: String,
    /// When it was published, if that is known.
    pub published_at: Option<Timestamp>,
    /// When it was seen.
    pub seen_at: Timestamp,
    /// The topic it is in already.
    pub topic: Option<TopicId>,
}

impl WindowArticle {
    /// When it was published, or at least seen.
    pub fn time(&self) -> Timestamp {
        self.published_at.unwrap_or(self.seen_at)
    }
}

/// The state of a topic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum TopicState {
    /// It has articles in the window.
    Open,
    /// All its articles have left the window.
    Closed,
    /// It became part of another.
    Merged,
}

impl TopicState {
    /// The state's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Closed => "closed",
            Self::Merged => "merged",
        }
    }

    fn parse(text: &str) -> Result<Self, ColumnError> {
        [Self::Open, Self::Closed, Self::Merged]
            .into_iter()
            .find(|state| state.as_str() == text)
            .ok_or_else(|| ColumnError::new("state", format!("is `{text}`")))
    }
}

/// What happened to a topic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum TopicEventKind {
    /// It began.
    Created,
    /// Articles joined it.
    Grown,
    /// It became part of another topic.
    Merged,
    /// It began as a part of another topic.
    Split,
    /// Its last article left the window.
    Closed,
    /// Articles came to it after it was closed.
    Reopened,
}

impl TopicEventKind {
    /// The kind's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Grown => "grown",
            Self::Merged => "merged",
            Self::Split => "split",
            Self::Closed => "closed",
            Self::Reopened => "reopened",
        }
    }

    fn parse(text: &str) -> Result<Self, ColumnError> {
        [Self::Created, Self::Grown, Self::Merged, Self::Split, Self::Closed, Self::Reopened]
            .into_iter()
            .find(|kind| kind.as_str() == text)
            .ok_or_else(|| ColumnError::new("kind", format!("is `{text}`")))
    }
}

/// Something that happened to a topic.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TopicEvent {
    /// The topic.
    pub topic: TopicId,
    /// What happened.
    pub kind: TopicEventKind,
    /// The topic that it was merged into or split from.
    pub other: Option<TopicId>,
    /// How many articles were concerned.
    pub articles: i64,
    /// When.
    pub at: Timestamp,
}

/// A topic as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TopicRecord {
    /// Its number, which stays.
    pub id: TopicId,
    /// The headline of the article that is most like the others.
    pub label: String,
    /// Its state.
    pub state: TopicState,
    /// The topic that it became part of.
    pub merged_into: Option<TopicId>,
    /// When its first article was published.
    pub first_at: Timestamp,
    /// When its last article was published.
    pub last_at: Timestamp,
    /// When it was first seen.
    pub created_at: Timestamp,
}

/// An article in its topic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Membership {
    /// The article.
    pub article: ArticleId,
    /// The earlier article that it repeats.
    pub duplicate_of: Option<ArticleId>,
}

/// How a topic shall stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TopicChange {
    /// The topic; none for one that is new.
    pub topic: Option<TopicId>,
    /// The topic that a new one split from.
    pub split_from: Option<TopicId>,
    /// Topics that become part of it.
    pub absorbs: Vec<TopicId>,
    /// Its label.
    pub label: String,
    /// When its first article in the window was published.
    pub first_at: Timestamp,
    /// When its last article was published.
    pub last_at: Timestamp,
    /// Its articles in the window.
    pub members: Vec<Membership>,
    /// How many of them are new to it.
    pub joined: usize,
}

impl Store {
    /// The articles since a time, by number: what a window holds. Articles that turned out to be
    /// the same page as another are left out.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn window_articles(
        &self,
        since: Timestamp,
    ) -> Result<Vec<WindowArticle>, StoreError> {
        let mut tx = self.read().await?;
        let mut found: Vec<WindowArticle> = Vec::new();
        // Numbers grow with the time that articles were seen at, so what is older is skipped.
        let first = sql("SELECT id FROM articles WHERE seen_at >= $1 ORDER BY seen_at, id LIMIT 1");
        let first = tx.maybe(first.bind(since.0)).await?.map(|row| row.get::<ArticleId>("id"));
        let first = first.transpose().map_err(|error| tx.unreadable(&error))?;
        let Some(mut after) = first.map(|first| ArticleId(first.0 - 1)) else { return Ok(found) };
        loop {
            let query =
                sql("SELECT a.id, a.title, a.summary, a.published_at, a.seen_at, m.topic_id
                             FROM articles a LEFT JOIN topic_members m ON m.article_id = a.id
                             WHERE a.id > $1 AND coalesce(a.published_at, a.seen_at) >= $2
                               AND a.seen_at >= $2 AND a.duplicate_of IS NULL
                             ORDER BY a.id LIMIT $3");
            let rows = tx.all(query.bind(after).bind(since.0).bind(PAGE_ROWS)).await?;
            for row in &rows {
                found.push(window_article(row).map_err(|error| tx.unreadable(&error))?);
            }
            let full = i64::try_from(rows.len()).unwrap_or(0) == PAGE_ROWS;
            after = found.last().map_or(after, |last| last.id);
            if !full || i64::try_from(found.len()).unwrap_or(i64::MAX) >= WINDOW_MOST {
                return Ok(found);
            }
        }
    }

    /// Makes topics stand as they shall, and closes those without an article since a time: all in
    /// one transaction. Gives the numbers of the topics, in the order given.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn change_topics(
        &self,
        changes: &[TopicChange],
        open_since: Timestamp,
    ) -> Result<Vec<TopicId>, StoreError> {
        let mut tx = self.write().await?;
        let now = self.clock().now().0;
        let mut numbers = Vec::with_capacity(changes.len());
        for change in changes {
            let topic = match change.topic {
                Some(topic) => topic,
                None => create(&mut tx, change, now).await?,
            };
            numbers.push(topic);
        }
        // Members move only once every topic they may move to is there.
        for (change, topic) in changes.iter().zip(&numbers) {
            settle(&mut tx, change, *topic, now).await?;
        }
        for (change, topic) in changes.iter().zip(&numbers) {
            for taken in &change.absorbs {
                ingest(&mut tx, *taken, *topic, now).await?;
            }
        }
        close(&mut tx, open_since, now).await?;
        tx.commit().await?;
        Ok(numbers)
    }

    /// One topic.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn topic(&self, id: TopicId) -> Result<Option<TopicRecord>, StoreError> {
        let mut tx = self.read().await?;
        let query = sql("SELECT id, label, state, merged_into, first_at, last_at, created_at
                         FROM topics WHERE id = $1");
        let row = tx.maybe(query.bind(id)).await?;
        row.map(|row| topic(&row).map_err(|error| tx.unreadable(&error))).transpose()
    }

    /// Topics with an article since a time, by number.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn topics(
        &self,
        since: Timestamp,
    ) -> Result<BTreeMap<TopicId, TopicRecord>, StoreError> {
        let mut tx = self.read().await?;
        let query = sql("SELECT id, label, state, merged_into, first_at, last_at, created_at
                         FROM topics WHERE last_at >= $1 AND state <> 'merged'
                         ORDER BY id LIMIT $2");
        let rows = tx.all(query.bind(since.0).bind(WINDOW_MOST)).await?;
        let read = |row: &Row| topic(row).map(|topic| (topic.id, topic));
        rows.iter().map(read).collect::<Result<_, _>>().map_err(|error| tx.unreadable(&error))
    }

    /// What happened to a topic, the earliest first.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn topic_events(&self, topic: TopicId) -> Result<Vec<TopicEvent>, StoreError> {
        let mut tx = self.read().await?;
        let query = sql("SELECT topic_id, kind, other_id, articles, at FROM topic_events
                         WHERE topic_id = $1 OR other_id = $1 ORDER BY id LIMIT $2");
        let rows = tx.all(query.bind(topic).bind(EVENTS_SHOWN)).await?;
        rows.iter().map(event).collect::<Result<_, _>>().map_err(|error| tx.unreadable(&error))
    }
}

async fn create(tx: &mut Tx, change: &TopicChange, now: i64) -> Result<TopicId, StoreError> {
    let query = sql("INSERT INTO topics (label, state, first_at, last_at, created_at, changed_at)
                     VALUES ($1, 'open', $2, $3, $4, $4) RETURNING id");
    let query = query.bind(&change.label).bind(change.first_at.0).bind(change.last_at.0).bind(now);
    let row = tx.maybe(query).await?;
    let id = row.map(|row| row.get::<TopicId>("id")).transpose();
    id.map_err(|error| tx.unreadable(&error)).map(Option::unwrap_or_default)
}

async fn settle(
    tx: &mut Tx,
    change: &TopicChange,
    topic: TopicId,
    now: i64,
) -> Result<(), StoreError> {
    let articles = i64::try_from(change.members.len()).unwrap_or(i64::MAX);
    let joined = i64::try_from(change.joined).unwrap_or(i64::MAX);
    if change.topic.is_some() {
        let query = sql("SELECT state FROM topics WHERE id = $1");
        let row = tx.maybe(query.bind(topic)).await?;
        let state = row.map(|row| row.get::<String>("state")).transpose();
        let was_open = state.map_err(|error| tx.unreadable(&error))?.as_deref() == Some("open");
        let query = sql("UPDATE topics SET label = $2, state = 'open', merged_into = NULL,
                             first_at = CASE WHEN first_at < $3 THEN first_at ELSE $3 END,
                             last_at = $4, changed_at = $5
                         WHERE id = $1");
        let query = query.bind(topic).bind(&change.label).bind(change.first_at.0);
        tx.execute(query.bind(change.last_at.0).bind(now)).await?;
        if !was_open {
            record(tx, topic, TopicEventKind::Reopened, None, joined, now).await?;
        } else if joined > 0 {
            record(tx, topic, TopicEventKind::Grown, None, joined, now).await?;
        }
    } else if let Some(from) = change.split_from {
        record(tx, topic, TopicEventKind::Split, Some(from), articles, now).await?;
    } else {
        record(tx, topic, TopicEventKind::Created, None, articles, now).await?;
    }
    for member in &change.members {
        let query = sql("INSERT INTO topic_members (article_id, topic_id, duplicate_of, joined_at)
                         SELECT id, $2, $3, $4 FROM articles WHERE id = $1
                         ON CONFLICT (article_id) DO UPDATE
                         SET duplicate_of = excluded.duplicate_of,
                             joined_at = CASE WHEN topic_members.topic_id = excluded.topic_id
                                 THEN topic_members.joined_at ELSE excluded.joined_at END,
                             topic_id = excluded.topic_id");
        let query = query.bind(member.article).bind(topic).bind(member.duplicate_of).bind(now);
        tx.execute(query).await?;
    }
    Ok(())
}

/// Makes a topic part of another, with the articles that have left the window.
async fn ingest(tx: &mut Tx, taken: TopicId, into: TopicId, now: i64) -> Result<(), StoreError> {
    let moved = sql("UPDATE topic_members SET topic_id = $2 WHERE topic_id = $1");
    let moved = tx.execute(moved.bind(taken).bind(into)).await?;
    let query = sql("UPDATE topics SET state = 'merged', merged_into = $2, changed_at = $3
                     WHERE id = $1");
    tx.execute(query.bind(taken).bind(into).bind(now)).await?;
    let moved = i64::try_from(moved).unwrap_or(i64::MAX);
    record(tx, taken, TopicEventKind::Merged, Some(into), moved, now).await
}

async fn close(tx: &mut Tx, since: Timestamp, now: i64) -> Result<(), StoreError> {
    let query = sql("INSERT INTO topic_events (topic_id, kind, articles, at)
                     SELECT id, 'closed', 0, $2 FROM topics WHERE state = 'open' AND last_at < $1");
    tx.execute(query.bind(since.0).bind(now)).await?;
    let query = sql("UPDATE topics SET state = 'closed', changed_at = $2
                     WHERE state = 'open' AND last_at < $1");
    tx.execute(query.bind(since.0).bind(now)).await.map(drop)
}

async fn record(
    tx: &mut Tx,
    topic: TopicId,
    kind: TopicEventKind,
    other: Option<TopicId>,
    articles: i64,
    now: i64,
) -> Result<(), StoreError> {
    let query = sql("INSERT INTO topic_events (topic_id, kind, other_id, articles, at)
                     VALUES ($1, $2, $3, $4, $5)");
    let query = query.bind(topic).bind(kind.as_str()).bind(other).bind(articles).bind(now);
    tx.execute(query).await.map(drop)
}

fn window_article(row: &Row) -> Result<WindowArticle, ColumnError> {
    Ok(WindowArticle {
        id: row.get("id")?,
        title: row.get("title")?,
        summary: row.get("summary")?,
        published_at: row.get::<Option<i64>>("published_at")?.map(Timestamp),
        seen_at: Timestamp(row.get("seen_at")?),
        topic: row.get("topic_id")?,
    })
}

fn topic(row: &Row) -> Result<TopicRecord, ColumnError> {
    Ok(TopicRecord {
        id: row.get("id")?,
        label: row.get("label")?,
        state: TopicState::parse(&row.get::<String>("state")?)?,
        merged_into: row.get("merged_into")?,
        first_at: Timestamp(row.get("first_at")?),
        last_at: Timestamp(row.get("last_at")?),
        created_at: Timestamp(row.get("created_at")?),
    })
}

fn event(row: &Row) -> Result<TopicEvent, ColumnError> {
    Ok(TopicEvent {
        topic: row.get("topic_id")?,
        kind: TopicEventKind::parse(&row.get::<String>("kind")?)?,
        other: row.get("other_id")?,
        articles: row.get("articles")?,
        at: Timestamp(row.get("at")?),
    })
}
