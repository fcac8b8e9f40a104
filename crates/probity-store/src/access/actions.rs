//! What people did apart from changing scores: who, what, to which thing, when.

use probity_core::Timestamp;
use serde::Serialize;

use crate::sql::{ColumnError, Row, sql};
use crate::tx::Script;
use crate::{Store, StoreError};

/// The most actions that a list gives.
const PAGE_ROWS: i64 = 1_000;
/// SQLite's writers hold the file's lock already; the next number must be unique.
const TAKE_TURN: Script =
    Script { sqlite: "SELECT 1", postgres: "SELECT pg_advisory_xact_lock(5786234018)::TEXT" };

/// Something that a person did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Action {
    /// Its place in the log, from 1, without gaps.
    pub seq: i64,
    /// When it was done.
    pub at: Timestamp,
    /// Who did it.
    pub who: String,
    /// What was done, such as `run deleted`.
    pub action: String,
    /// To which thing.
    pub subject: String,
}

impl Store {
    /// Records what a user did.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn note(&self, who: &str, action: &str, subject: &str) -> Result<(), StoreError> {
        let mut tx = self.write().await?;
        tx.execute(sql(tx.choose(TAKE_TURN))).await?;
        let query = sql("INSERT INTO actions (seq, at, who, action, subject)
                         SELECT coalesce(max(seq), 0) + 1, $1, $2, $3, $4 FROM actions");
        let query = query.bind(self.clock().now().0).bind(who).bind(action).bind(subject);
        tx.execute(query).await?;
        tx.commit().await
    }

    /// What people did, the latest first, before a place in the log.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn actions(
        &self,
        before: Option<i64>,
        limit: i64,
    ) -> Result<Vec<Action>, StoreError> {
        let mut tx = self.read().await?;
        let query = sql("SELECT seq, at, who, action, subject FROM actions WHERE seq < $1
                         ORDER BY seq DESC LIMIT $2");
        let query = query.bind(before.unwrap_or(i64::MAX)).bind(limit.clamp(0, PAGE_ROWS));
        let rows = tx.all(query).await?;
        rows.iter().map(|row| read(row).map_err(|error| tx.unreadable(&error))).collect()
    }
}

fn read(row: &Row) -> Result<Action, ColumnError> {
    Ok(Action {
        seq: row.get("seq")?,
        at: Timestamp(row.get("at")?),
        who: row.get("who")?,
        action: row.get("action")?,
        subject: row.get("subject")?,
    })
}
