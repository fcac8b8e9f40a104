//! Who covers which topic, and what that is worth by today's ledger.

use probity_core::{Outlet, Timestamp};
use serde::Serialize;

use super::{PAGE_ROWS, WINDOW_MOST};
use crate::sql::{ColumnError, Row, sql};
use crate::{Store, StoreError};

/// Which coverage to read.
#[derive(Debug, Clone, Copy, Default)]
pub struct CoverageQuery {
    /// Only topics with an article since then.
    pub since: Option<Timestamp>,
    /// Only this topic.
    pub topic: Option<i64>,
    /// How relevant articles are to this category.
    pub category: Option<i64>,
}

/// An article in its topic, with what it is worth now.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Covered {
    /// The topic.
    pub topic: i64,
    /// The article.
    pub article: i64,
    /// Its headline.
    pub title: String,
    /// What it says of itself.
    pub summary: String,
    /// Where it is.
    pub url: Option<String>,
    /// Who published it, where that is known.
    pub outlet: Option<Outlet>,
    /// Its outlet's score in the ledger; none where the ledger does not know it.
    pub credibility: Option<f64>,
    /// How relevant it is to the category; none where that was not judged.
    pub relevance: Option<f64>,
    /// When it was published, if that is known.
    pub published_at: Option<Timestamp>,
    /// When it was seen.
    pub seen_at: Timestamp,
    /// The earlier article that it repeats.
    pub duplicate_of: Option<i64>,
}

impl Store {
    /// The articles of topics, topic by topic, joined with the ledger as it is now.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn coverage(&self, query: &CoverageQuery) -> Result<Vec<Covered>, StoreError> {
        let since = query.since.map_or(i64::MIN, |since| since.0);
        let (first, last) = query.topic.map_or((0, i64::MAX), |topic| (topic, topic));
        let category = query.category.unwrap_or(-1);
        let mut tx = self.read().await?;
        let mut found: Vec<Covered> = Vec::new();
        let mut after = (first, -1_i64);
        loop {
            let select = sql("SELECT m.topic_id, a.id, a.title, a.summary,
                                  coalesce(a.publisher_url, a.url) AS address, a.outlet,
                                  o.credibility_score, r.value, a.published_at, a.seen_at,
                                  m.duplicate_of
                              FROM topic_members m
                              JOIN topics t ON t.id = m.topic_id
                              JOIN articles a ON a.id = m.article_id
                              LEFT JOIN outlets o ON o.domain = a.outlet
                              LEFT JOIN article_relevance r
                                  ON r.article_id = a.id AND r.category_id = $5
                              WHERE t.last_at >= $1 AND t.id <= $2
                                AND (m.topic_id > $3 OR (m.topic_id = $3 AND m.article_id > $4))
                              ORDER BY m.topic_id, m.article_id LIMIT $6");
            let select = select.bind(since).bind(last).bind(after.0).bind(after.1);
            let rows = tx.all(select.bind(category).bind(PAGE_ROWS)).await?;
            for row in &rows {
                found.push(read(row).map_err(|error| tx.unreadable(&error))?);
            }
            let full = i64::try_from(rows.len()).unwrap_or(0) == PAGE_ROWS;
            after = found.last().map_or(after, |last| (last.topic, last.article));
            if !full || i64::try_from(found.len()).unwrap_or(i64::MAX) >= WINDOW_MOST {
                return Ok(found);
            }
        }
    }
}

fn read(row: &Row) -> Result<Covered, ColumnError> {
    let outlet: Option<String> = row.get("outlet")?;
    let outlet = outlet.map(|text| Outlet::new(&text)).transpose();
    Ok(Covered {
        topic: row.get("topic_id")?,
        article: row.get("id")?,
        title: row.get("title")?,
        summary: row.get("summary")?,
        url: row.get("address")?,
        outlet: outlet.map_err(|error| ColumnError::new("outlet", error.to_string()))?,
        credibility: row.get("credibility_score")?,
        relevance: row.get("value")?,
        published_at: row.get::<Option<i64>>("published_at")?.map(Timestamp),
        seen_at: Timestamp(row.get("seen_at")?),
        duplicate_of: row.get("duplicate_of")?,
    })
}
