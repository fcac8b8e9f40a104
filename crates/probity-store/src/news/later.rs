//! Articles whose publisher is not known yet: which to follow, and what following them showed.

use std::time::Duration;

use probity_core::{ArticleId, FeedId, Outlet, Timestamp};

use super::PAGE_ROWS;
use crate::queue::millis;
use crate::sql::{ColumnError, Row, sql};
use crate::tx::Tx;
use crate::{Store, StoreError};

/// An article whose link may be followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unresolved {
    /// Its id.
    pub id: ArticleId,
    /// Its link as given.
    pub url: String,
    /// How often following it was tried.
    pub tries: i64,
}

/// What following a link showed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finding {
    /// Whose page it is.
    Found {
        /// The publisher's page.
        publisher_url: String,
        /// Its canonical address.
        canonical_url: Option<String>,
        /// The publisher.
        outlet: Outlet,
        /// How it was found.
        method: String,
    },
    /// Nothing; it may be tried again then, or never.
    Nothing {
        /// When to try again.
        again: Option<Timestamp>,
    },
}

impl Store {
    /// Takes articles of a feed, or of any, whose link may be followed now, the latest first. For
    /// `hold`, no other process is given them.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn take_unresolved(
        &self,
        feed: Option<FeedId>,
        limit: usize,
        hold: Duration,
    ) -> Result<Vec<Unresolved>, StoreError> {
        let mut tx = self.write().await?;
        let query = sql("UPDATE articles SET try_at = $4
                         WHERE try_at <= $1 AND id IN (
                            SELECT id FROM articles
                            WHERE try_at IS NOT NULL AND try_at <= $1 AND url IS NOT NULL
                              AND ($2 = 0 OR feed_id = $2) AND duplicate_of IS NULL
                            ORDER BY id DESC LIMIT $3)
                         RETURNING id, url, tries");
        let limit = i64::try_from(limit).unwrap_or(PAGE_ROWS).min(PAGE_ROWS);
        let now = self.clock().now().0;
        let query = query.bind(now).bind(feed.unwrap_or_default()).bind(limit);
        let rows = tx.all(query.bind(now.saturating_add(millis(hold)))).await?;
        let read = |row: &Row| {
            Ok(Unresolved { id: row.get("id")?, url: row.get("url")?, tries: row.get("tries")? })
        };
        let read = rows.iter().map(read).collect::<Result<Vec<_>, ColumnError>>();
        let mut taken = read.map_err(|error| tx.unreadable(&error))?;
        tx.commit().await?;
        taken.sort_unstable_by_key(|article| std::cmp::Reverse(article.id));
        Ok(taken)
    }

    /// Writes down what following an article's link showed. Where the page is one that is kept
    /// already, the article becomes its duplicate.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn record_finding(
        &self,
        article: ArticleId,
        finding: &Finding,
    ) -> Result<(), StoreError> {
        let mut tx = self.write().await?;
        match finding {
            Finding::Nothing { again } => {
                let query = sql("UPDATE articles SET tries = tries + 1, try_at = $2 WHERE id = $1");
                tx.execute(query.bind(article).bind(again.map(|at| at.0))).await?;
            }
            Finding::Found { publisher_url, canonical_url, outlet, method } => {
                let same = same_page(&mut tx, article, canonical_url.as_deref()).await?;
                let query = sql("UPDATE articles SET tries = tries + 1, try_at = NULL,
                        publisher_url = $2, outlet = $3, method = $4, resolved = 1,
                        duplicate_of = $5,
                        canonical_url = CASE WHEN $5 IS NULL THEN coalesce($6, canonical_url)
                                             ELSE canonical_url END
                     WHERE id = $1");
                let query = query.bind(article).bind(publisher_url).bind(outlet.as_str());
                let query = query.bind(method).bind(same).bind(canonical_url.as_deref());
                tx.execute(query).await?;
            }
        }
        tx.commit().await
    }
}

/// The other article of a page, if it is kept.
async fn same_page(
    tx: &mut Tx,
    article: ArticleId,
    canonical: Option<&str>,
) -> Result<Option<ArticleId>, StoreError> {
    // Intake waits, so that no one adds the page between the look and the change.
    tx.execute(sql("UPDATE news_turn SET seen_at = seen_at WHERE one = 1")).await?;
    let query = sql("SELECT coalesce(duplicate_of, id) AS id FROM articles
                     WHERE canonical_url = $1 AND id <> $2");
    let Some(canonical) = canonical else { return Ok(None) };
    let row = tx.maybe(query.bind(canonical).bind(article)).await?;
    row.map(|row| row.get("id")).transpose().map_err(|error| tx.unreadable(&error))
}
