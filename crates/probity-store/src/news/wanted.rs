//! Articles whose full text a category asks for: which to read now, each a few times at most.

use std::time::Duration;

use probity_core::{ArticleId, Timestamp};

use super::PAGE_ROWS;
use super::article::Article;
use crate::queue::millis;
use crate::sql::{ColumnError, Row, sql};
use crate::{Store, StoreError};

/// Which articles are read in full.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wanted {
    /// Only those seen since then.
    pub since: Timestamp,
    /// From which relevance on an article belongs to a category.
    pub relevant: f64,
    /// How often a page is tried.
    pub tries: i64,
    /// How long a page is not tried again: so long after the first try, twice as long after the
    /// second, and so on.
    pub again: Duration,
    /// At most this many.
    pub limit: usize,
}

impl Store {
    /// Takes articles that belong to a category that wants full texts and have none yet, the latest
    /// first. Taking one counts as a try, whatever the result: no other process is given it
    /// meanwhile, and a page that crashes its reader is not retried for ever.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn take_wanted(&self, wanted: &Wanted) -> Result<Vec<Article>, StoreError> {
        let mut tx = self.write().await?;
        let query = sql("UPDATE articles SET text_tries = text_tries + 1,
                             text_try_at = $1 + $2 * (text_tries + 1)
                         WHERE text_try_at <= $1 AND id IN (
                            SELECT a.id FROM articles a
                            WHERE a.document IS NULL AND a.duplicate_of IS NULL
                              AND coalesce(a.publisher_url, a.url) IS NOT NULL
                              AND a.seen_at >= $4 AND a.text_tries < $5 AND a.text_try_at <= $1
                              AND EXISTS (SELECT 1 FROM article_relevance r
                                          JOIN categories c ON c.id = r.category_id
                                          WHERE r.article_id = a.id AND r.value >= $3
                                            AND c.wants_full_text = 1 AND c.retired_at IS NULL)
                            ORDER BY a.seen_at DESC, a.id DESC LIMIT $6)
                         RETURNING id");
        let limit = i64::try_from(wanted.limit).unwrap_or(PAGE_ROWS).min(PAGE_ROWS);
        let query = query.bind(self.clock().now().0).bind(millis(wanted.again));
        let query = query.bind(wanted.relevant).bind(wanted.since.0).bind(wanted.tries);
        let rows = tx.all(query.bind(limit)).await?;
        let read = |row: &Row| row.get("id");
        let ids = rows.iter().map(read).collect::<Result<Vec<ArticleId>, ColumnError>>();
        let ids = ids.map_err(|error| tx.unreadable(&error))?;
        tx.commit().await?;
        let mut articles = self.articles_by_id(&ids).await?;
        articles.reverse();
        Ok(articles)
    }
}
