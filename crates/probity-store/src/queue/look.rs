//! Looking at the queue without taking work from it.

use probity_core::Timestamp;
use serde::Serialize;

use super::{JobState, JobSummary, PAGE_ROWS, summary};
use crate::sql::{ColumnError, Row, sql};
use crate::tx::Script;
use crate::{Store, StoreError};

/// How much there is of what.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct QueueCounts {
    /// Jobs that wait.
    pub queued: i64,
    /// Jobs that a worker has, or had and died.
    pub leased: i64,
    /// Jobs that failed too often and wait for a person.
    pub dead: i64,
}

/// The position of a job in the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct QueuePlace {
    /// How far it has come.
    pub state: JobState,
    /// How many jobs of its kind wait before it, if it waits; fairness may still change the order.
    pub ahead: i64,
}

/// A job that ended was due no later than that. `due_at` is what the index knows, because
/// `touched_at` changes with every write of a run.
const FORGET: Script = Script {
    sqlite: "DELETE FROM jobs WHERE id IN (
                 SELECT id FROM jobs WHERE state IN ('done', 'cancelled')
                   AND due_at < $1 AND touched_at < $1 ORDER BY due_at LIMIT $2)",
    // As an array, or a server may read the whole table rather than look up a thousand.
    postgres: "DELETE FROM jobs WHERE id = ANY (ARRAY(
                   SELECT id FROM jobs WHERE state IN ('done', 'cancelled')
                     AND due_at < $1 AND touched_at < $1 ORDER BY due_at LIMIT $2))",
};

impl Store {
    /// A job.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn job(&self, id: &str) -> Result<Option<JobSummary>, StoreError> {
        let mut tx = self.read().await?;
        let query =
            sql("SELECT id, kind, owner, state, priority, attempt, failures, worker, error,
                                due_at, queued_at, touched_at
                         FROM jobs WHERE id = $1");
        let row = tx.maybe(query.bind(id)).await?;
        row.map(|row| summary(&row)).transpose().map_err(|error| tx.unreadable(&error))
    }

    /// Whether the cancellation of a job was requested.
    pub(crate) async fn is_called_off(&self, id: &str) -> Result<bool, StoreError> {
        let mut tx = self.read().await?;
        let row = tx.maybe(sql("SELECT cancel FROM jobs WHERE id = $1").bind(id)).await?;
        let cancel = row.map(|row| row.get::<i64>("cancel")).transpose();
        Ok(cancel.map_err(|error| tx.unreadable(&error))?.is_some_and(|cancel| cancel != 0))
    }

    /// The position of a job in the queue.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn queue_place(&self, id: &str) -> Result<Option<QueuePlace>, StoreError> {
        let mut tx = self.read().await?;
        let query = sql("SELECT j.state, (SELECT count(*) FROM jobs o
                             WHERE o.state = 'queued' AND j.state = 'queued' AND o.kind = j.kind
                               AND (o.priority > j.priority OR o.priority = j.priority
                                    AND (o.due_at < j.due_at
                                         OR o.due_at = j.due_at AND o.id < j.id))) AS ahead
                         FROM jobs j WHERE j.id = $1");
        let Some(row) = tx.maybe(query.bind(id)).await? else { return Ok(None) };
        let place = || {
            let state = JobState::parse(&row.get::<String>("state")?)?;
            Ok(QueuePlace { state, ahead: row.get("ahead")? })
        };
        place().map(Some).map_err(|error| tx.unreadable(&error))
    }

    /// How much waits, is in progress, or needs a person.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn queue_counts(&self) -> Result<QueueCounts, StoreError> {
        let mut tx = self.read().await?;
        // Feeds that wait for their next poll are no backlog. Three counts, each by its index.
        let query = sql("SELECT (SELECT count(CASE WHEN state = 'queued' THEN 1 END) FROM jobs
                                 WHERE state IN ('queued', 'leased') AND kind <> 'feeds')
                                    AS queued,
                                (SELECT count(*) FROM jobs WHERE state = 'leased') AS leased,
                                (SELECT count(*) FROM jobs WHERE state = 'dead') AS dead");
        let row = tx.maybe(query).await?;
        let read = |row: Row| {
            Ok(QueueCounts {
                queued: row.get("queued")?,
                leased: row.get("leased")?,
                dead: row.get("dead")?,
            })
        };
        let read = row.map(read).transpose();
        Ok(read.map_err(|error: ColumnError| tx.unreadable(&error))?.unwrap_or_default())
    }

    /// Forgets jobs that were done or cancelled before an instant. Gives how many. A few at a time,
    /// so that workers need not wait for all of them.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn forget_jobs(&self, before: Timestamp) -> Result<u64, StoreError> {
        let mut forgotten = 0;
        loop {
            let mut tx = self.write().await?;
            let query = sql(tx.choose(FORGET)).bind(before.0).bind(PAGE_ROWS);
            let rows = tx.execute(query).await?;
            tx.commit().await?;
            forgotten += rows;
            if rows == 0 {
                return Ok(forgotten);
            }
        }
    }
}
