//! Retention: articles that are old, no longer listed and not referred to are deleted.

use probity_core::Timestamp;
use serde::Serialize;

use super::PAGE_ROWS;
use super::write::LISTED_WITHIN;
use crate::sql::sql;
use crate::tx::Script;
use crate::{Store, StoreError};

/// What retention removed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Pruned {
    /// Articles.
    pub articles: u64,
}

const FORGET: Script = Script {
    sqlite: "DELETE FROM articles WHERE id IN (
                 SELECT a.id FROM articles a LEFT JOIN feeds f ON f.id = a.feed_id
                 WHERE a.seen_at < $1 AND a.listed_at < $1 AND a.kept = 0
                   AND NOT EXISTS (SELECT 1 FROM article_marks m
                                   WHERE m.article_id = a.id AND m.starred_at IS NOT NULL)
                   AND (f.id IS NULL OR a.listed_at < f.document_at - $2)
                 ORDER BY a.seen_at LIMIT $3)",
    // As an array, or a server may read the whole table rather than look up a thousand.
    postgres: "DELETE FROM articles WHERE id = ANY (ARRAY(
                   SELECT a.id FROM articles a LEFT JOIN feeds f ON f.id = a.feed_id
                   WHERE a.seen_at < $1 AND a.listed_at < $1 AND a.kept = 0
                     AND NOT EXISTS (SELECT 1 FROM article_marks m
                                     WHERE m.article_id = a.id AND m.starred_at IS NOT NULL)
                     AND (f.id IS NULL OR a.listed_at < f.document_at - $2)
                   ORDER BY a.seen_at LIMIT $3))",
};

impl Store {
    /// Forgets articles that were last seen before then. Those that their feed still lists stay,
    /// or the next poll would bring them back as new; so do those that a reader keeps or starred.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn prune_articles(&self, before: Timestamp) -> Result<Pruned, StoreError> {
        let mut pruned = Pruned::default();
        // A few at a time, so that polls need not wait for all of them.
        loop {
            let mut tx = self.write().await?;
            let query = sql(tx.choose(FORGET));
            let rows = tx.execute(query.bind(before.0).bind(LISTED_WITHIN).bind(PAGE_ROWS)).await?;
            tx.commit().await?;
            pruned.articles += rows;
            if rows == 0 {
                return Ok(pruned);
            }
        }
    }
}
