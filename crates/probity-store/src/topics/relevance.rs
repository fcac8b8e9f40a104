//! How relevant articles are to categories, and which were not judged yet.

use probity_core::{ArticleId, Timestamp};

use super::{Category, PAGE_ROWS};
use crate::sql::{ColumnError, Row, sql};
use crate::{Store, StoreError};

/// An article that a category has not judged by its present words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unjudged {
    /// The article.
    pub id: ArticleId,
    /// Its headline.
    pub title: String,
    /// What it says of itself.
    pub summary: String,
    /// The names of the categories that its feed is meant for.
    pub feed_categories: Vec<String>,
}

/// How relevant an article is to a category.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// The article.
    pub article: ArticleId,
    /// From 0 to 1.
    pub value: f64,
}

impl Store {
    /// Articles seen since a time that a category has not judged by its present words: at most this
    /// many, in the order they came.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn unjudged(
        &self,
        category: &Category,
        since: Timestamp,
        limit: i64,
    ) -> Result<Vec<Unjudged>, StoreError> {
        let mut tx = self.read().await?;
        // One look at the index for each article of the window: a join may read all judgements.
        let query = sql("SELECT a.id, a.title, a.summary, f.categories FROM articles a
                         LEFT JOIN feeds f ON f.id = a.feed_id
                         WHERE a.seen_at >= $2 AND a.duplicate_of IS NULL
                           AND coalesce((SELECT r.revision FROM article_relevance r
                                         WHERE r.article_id = a.id AND r.category_id = $1), -1)
                               <> $3
                         ORDER BY a.seen_at, a.id LIMIT $4");
        let query = query.bind(category.id).bind(since.0).bind(category.revision);
        let rows = tx.all(query.bind(limit.clamp(0, PAGE_ROWS))).await?;
        let read = |row: &Row| {
            Ok(Unjudged {
                id: row.get("id")?,
                title: row.get("title")?,
                summary: row.get("summary")?,
                feed_categories: row
                    .get::<Option<String>>("categories")?
                    .and_then(|text| serde_json::from_str(&text).ok())
                    .unwrap_or_default(),
            })
        };
        rows.iter()
            .map(read)
            .collect::<Result<_, _>>()
            .map_err(|error: ColumnError| tx.unreadable(&error))
    }

    /// Keeps what a category made of articles. Articles that went meanwhile are skipped.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn record_relevance(
        &self,
        category: &Category,
        by: &str,
        judged: &[Judged],
    ) -> Result<u64, StoreError> {
        let mut tx = self.write().await?;
        let now = self.clock().now().0;
        let mut kept = 0;
        for one in judged {
            let query = sql("INSERT INTO article_relevance
                                 (article_id, category_id, value, judged_by, revision, judged_at)
                             SELECT a.id, c.id, $3, $4, $5, $6 FROM articles a, categories c
                             WHERE a.id = $1 AND c.id = $2
                             ON CONFLICT (article_id, category_id) DO UPDATE
                             SET value = excluded.value, judged_by = excluded.judged_by,
                                 revision = excluded.revision, judged_at = excluded.judged_at");
            let query = query.bind(one.article).bind(category.id).bind(one.value.clamp(0.0, 1.0));
            kept += tx.execute(query.bind(by).bind(category.revision).bind(now)).await?;
        }
        tx.commit().await?;
        Ok(kept)
    }

    /// What categories made of an article: (category, value, judged by).
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn relevance_of(
        &self,
        article: ArticleId,
    ) -> Result<Vec<(String, f64, String)>, StoreError> {
        let mut tx = self.read().await?;
        let query = sql("SELECT c.name, r.value, r.judged_by FROM article_relevance r
                         JOIN categories c ON c.id = r.category_id
                         WHERE r.article_id = $1 ORDER BY r.value DESC, c.name");
        let rows = tx.all(query.bind(article)).await?;
        let read = |row: &Row| Ok((row.get("name")?, row.get("value")?, row.get("judged_by")?));
        rows.iter()
            .map(read)
            .collect::<Result<_, _>>()
            .map_err(|error: ColumnError| tx.unreadable(&error))
    }
}
