//! What headlines are weighed against: kept, so that every process groups by the same.

use probity_core::Timestamp;

use crate::sql::{ColumnError, Row, sql};
use crate::{Store, StoreError};

/// The background that stories are grouped by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackgroundRecord {
    /// What distinguishes it from others.
    pub digest: String,
    /// When it was made.
    pub made_at: Timestamp,
    /// Of how many articles it was made.
    pub articles: usize,
    /// The background itself; none where the caller knows it already.
    pub body: Option<String>,
}

impl Store {
    /// The background that is kept, without its body where the caller knows that one by its digest.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn topic_background(
        &self,
        known: &str,
    ) -> Result<Option<BackgroundRecord>, StoreError> {
        let mut tx = self.read().await?;
        let query = sql("SELECT digest, made_at, articles,
                             CASE WHEN digest = $1 THEN NULL ELSE body END AS body
                         FROM topic_background WHERE one = 1");
        let row = tx.maybe(query.bind(known)).await?;
        let read = |row: Row| {
            Ok(BackgroundRecord {
                digest: row.get("digest")?,
                made_at: Timestamp(row.get("made_at")?),
                articles: usize::try_from(row.get::<i64>("articles")?).unwrap_or(0),
                body: row.get("body")?,
            })
        };
        row.map(read).transpose().map_err(|error: ColumnError| tx.unreadable(&error))
    }

    /// Keeps a background in the place of the one before.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn keep_topic_background(&self, made: &BackgroundRecord) -> Result<(), StoreError> {
        let mut tx = self.write().await?;
        let query = sql("INSERT INTO topic_background (one, digest, made_at, articles, body)
                         VALUES (1, $1, $2, $3, $4)
                         ON CONFLICT (one) DO UPDATE
                         SET digest = excluded.digest, made_at = excluded.made_at,
                             articles = excluded.articles, body = excluded.body");
        let articles = i64::try_from(made.articles).unwrap_or(i64::MAX);
        let query = query.bind(&made.digest).bind(made.made_at.0).bind(articles);
        tx.execute(query.bind(made.body.as_deref().unwrap_or_default())).await?;
        tx.commit().await
    }
}
