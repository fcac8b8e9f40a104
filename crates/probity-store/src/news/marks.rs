//! What each reader has read and starred.

use std::collections::HashMap;

use probity_core::{ArticleId, FeedId, Timestamp};
use serde::Serialize;

use super::articles::list;
use crate::sql::{ColumnError, Row, sql};
use crate::tx::Script;
use crate::{Store, StoreError};

/// What a reader did with an article.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Marks {
    /// Whether they have read it.
    pub read: bool,
    /// Whether they starred it.
    pub starred: bool,
}

/// What a reader does with articles; what is none stays as it is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Marking {
    /// Read, or no longer.
    pub read: Option<bool>,
    /// Starred, or no longer.
    pub starred: Option<bool>,
}

/// A part of the articles that is one reader's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shelf {
    /// What they have not read.
    Unread,
    /// What they starred.
    Starred,
}

const MARK: Script = Script {
    sqlite: "INSERT INTO article_marks (reader, article_id, read_at, starred_at)
             SELECT $1, a.id, CASE WHEN $3 = 1 THEN $5 END, CASE WHEN $4 = 1 THEN $5 END
             FROM articles a WHERE a.id IN (SELECT value FROM json_each($2))
             ON CONFLICT (reader, article_id) DO UPDATE SET
                 read_at = CASE $3 WHEN 1 THEN coalesce(article_marks.read_at, $5)
                                   WHEN 0 THEN NULL ELSE article_marks.read_at END,
                 starred_at = CASE $4 WHEN 1 THEN coalesce(article_marks.starred_at, $5)
                                      WHEN 0 THEN NULL ELSE article_marks.starred_at END",
    postgres: "INSERT INTO article_marks (reader, article_id, read_at, starred_at)
               SELECT $1, a.id, CASE WHEN $3 = 1 THEN $5 END, CASE WHEN $4 = 1 THEN $5 END
               FROM articles a
               WHERE a.id IN (SELECT CAST(value AS BIGINT)
                              FROM json_array_elements_text(CAST($2 AS JSON)) AS value)
               ON CONFLICT (reader, article_id) DO UPDATE SET
                   read_at = CASE $3 WHEN 1 THEN coalesce(article_marks.read_at, $5)
                                     WHEN 0 THEN NULL ELSE article_marks.read_at END,
                   starred_at = CASE $4 WHEN 1 THEN coalesce(article_marks.starred_at, $5)
                                        WHEN 0 THEN NULL ELSE article_marks.starred_at END",
};

const MARKED: Script = Script {
    sqlite: "SELECT article_id, read_at, starred_at FROM article_marks
             WHERE reader = $1 AND article_id IN (SELECT value FROM json_each($2))",
    postgres: "SELECT article_id, read_at, starred_at FROM article_marks
               WHERE reader = $1
                 AND article_id IN (SELECT CAST(value AS BIGINT)
                                    FROM json_array_elements_text(CAST($2 AS JSON)) AS value)",
};

impl Store {
    /// Marks articles for a reader. Gives how many of them there are.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn mark_articles(
        &self,
        reader: &str,
        ids: &[ArticleId],
        marking: Marking,
    ) -> Result<u64, StoreError> {
        let number = |mark: Option<bool>| mark.map_or(-1, i64::from);
        let mut tx = self.write().await?;
        let ids = list(ids);
        let query = sql(tx.choose(MARK)).bind(reader).bind(&ids);
        let query = query.bind(number(marking.read)).bind(number(marking.starred));
        let rows = tx.execute(query.bind(self.clock().now().0)).await?;
        tx.commit().await?;
        Ok(rows)
    }

    /// Marks as read what was seen until then: of one feed, or all of it. Gives how many articles that
    /// changed.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn mark_all_read(
        &self,
        reader: &str,
        feed: Option<FeedId>,
        until: Timestamp,
    ) -> Result<u64, StoreError> {
        let mut tx = self.write().await?;
        let query = sql("INSERT INTO article_marks (reader, article_id, read_at, starred_at)
                         SELECT $1, a.id, $2, CAST(NULL AS BIGINT) FROM articles a
                         WHERE a.duplicate_of IS NULL AND a.seen_at <= $3
                           AND ($4 = 0 OR a.feed_id = $4)
                         ON CONFLICT (reader, article_id) DO UPDATE SET read_at = excluded.read_at
                         WHERE article_marks.read_at IS NULL");
        let query = query.bind(reader).bind(self.clock().now().0).bind(until.0);
        let rows = tx.execute(query.bind(feed.unwrap_or_default())).await?;
        tx.commit().await?;
        Ok(rows)
    }

    /// What a reader did with these articles; those without a mark are left out.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn marks(
        &self,
        reader: &str,
        ids: &[ArticleId],
    ) -> Result<HashMap<ArticleId, Marks>, StoreError> {
        let mut tx = self.read().await?;
        let ids = list(ids);
        let rows = tx.all(sql(tx.choose(MARKED)).bind(reader).bind(&ids)).await?;
        let read = |row: &Row| -> Result<_, ColumnError> {
            let marks = Marks {
                read: row.get::<Option<i64>>("read_at")?.is_some(),
                starred: row.get::<Option<i64>>("starred_at")?.is_some(),
            };
            Ok((row.get("article_id")?, marks))
        };
        rows.iter().map(read).collect::<Result<_, _>>().map_err(|error| tx.unreadable(&error))
    }

    /// How many articles of each feed a reader has not read; feeds without any are left out.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn unread_by_feed(&self, reader: &str) -> Result<HashMap<FeedId, i64>, StoreError> {
        let mut tx = self.read().await?;
        let query = sql("SELECT a.feed_id, count(*) AS articles FROM articles a
                         WHERE a.duplicate_of IS NULL AND a.feed_id IS NOT NULL
                           AND NOT EXISTS (SELECT 1 FROM article_marks m
                                           WHERE m.reader = $1 AND m.article_id = a.id
                                             AND m.read_at IS NOT NULL)
                         GROUP BY a.feed_id");
        let rows = tx.all(query.bind(reader)).await?;
        let read = |row: &Row| Ok((row.get("feed_id")?, row.get("articles")?));
        let read = rows.iter().map(read).collect::<Result<_, ColumnError>>();
        read.map_err(|error| tx.unreadable(&error))
    }
}
