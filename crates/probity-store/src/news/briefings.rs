//! Briefings as they were written.

use probity_core::{BriefingId, Timestamp};
use serde::Serialize;

use crate::sql::{ColumnError, Row, sql};
use crate::{Store, StoreError};

/// How many briefings are kept; the oldest go first.
pub const BRIEFINGS_KEPT: i64 = 1_000;

/// A briefing to be kept.
#[derive(Debug, Clone, Copy)]
pub struct NewBriefing<'a> {
    /// Since when topics are reported.
    pub since: Timestamp,
    /// The category it is about; none for all of them.
    pub category: Option<&'a str>,
    /// Its headline.
    pub title: &'a str,
    /// The report as JSON.
    pub report: &'a str,
}

/// A briefing as lists show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Briefing {
    /// Its id.
    pub id: BriefingId,
    /// When it was made.
    pub made_at: Timestamp,
    /// Since when topics are reported.
    pub since: Timestamp,
    /// The category it is about; none for all of them.
    pub category: Option<String>,
    /// Its headline.
    pub title: String,
}

impl Store {
    /// Keeps a briefing; gives its id.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn keep_briefing(&self, new: &NewBriefing<'_>) -> Result<BriefingId, StoreError> {
        let mut tx = self.write().await?;
        let query = sql("INSERT INTO briefings (made_at, since, category, title, report)
                         VALUES ($1, $2, $3, $4, $5) RETURNING id");
        let query = query.bind(self.clock().now().0).bind(new.since.0).bind(new.category);
        let row = tx.maybe(query.bind(new.title).bind(new.report)).await?;
        let id = row.map(|row| row.get::<BriefingId>("id")).transpose();
        let id = id.map_err(|error| tx.unreadable(&error))?.unwrap_or_default();
        let old = sql("DELETE FROM briefings WHERE id <= $1 - $2");
        tx.execute(old.bind(id).bind(BRIEFINGS_KEPT)).await?;
        tx.commit().await?;
        Ok(id)
    }

    /// Briefings that were kept, the latest first, before one of them.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn briefings(
        &self,
        before: Option<BriefingId>,
        limit: i64,
    ) -> Result<Vec<Briefing>, StoreError> {
        let mut tx = self.read().await?;
        let query = sql("SELECT id, made_at, since, category, title FROM briefings WHERE id < $1
                         ORDER BY id DESC LIMIT $2");
        let query =
            query.bind(before.unwrap_or(BriefingId(i64::MAX))).bind(limit.clamp(0, BRIEFINGS_KEPT));
        let rows = tx.all(query).await?;
        rows.iter().map(read).collect::<Result<_, _>>().map_err(|error| tx.unreadable(&error))
    }

    /// A briefing that was kept, with its report as JSON.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn briefing(&self, id: BriefingId) -> Result<Option<(Briefing, String)>, StoreError> {
        let mut tx = self.read().await?;
        let query = sql("SELECT id, made_at, since, category, title, report FROM briefings
                         WHERE id = $1");
        let row = tx.maybe(query.bind(id)).await?;
        let whole = |row: Row| Ok((read(&row)?, row.get("report")?));
        row.map(whole).transpose().map_err(|error: ColumnError| tx.unreadable(&error))
    }
}

fn read(row: &Row) -> Result<Briefing, ColumnError> {
    Ok(Briefing {
        id: row.get("id")?,
        made_at: Timestamp(row.get("made_at")?),
        since: Timestamp(row.get("since")?),
        category: row.get("category")?,
        title: row.get("title")?,
    })
}
