//! Looking at the queue without taking work from it.

use probity_core::Timestamp;
use serde::Serialize;

use super::{JobState, JobSummary, summary};
use crate::sql::sql;
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

/// Where a job stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct QueuePlace {
    /// How far it has come.
    pub state: JobState,
    /// How many jobs of its kind wait before it, if it waits; fairness may still change the order.
    pub ahead: i64,
}

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

    /// Whether somebody wants a job cancelled.
    pub(crate) async fn is_called_off(&self, id: &str) -> Result<bool, StoreError> {
        let mut tx = self.read().await?;
        let row = tx.maybe(sql("SELECT cancel FROM jobs WHERE id = $1").bind(id)).await?;
        let cancel = row.map(|row| row.get::<i64>("cancel")).transpose();
        Ok(cancel.map_err(|error| tx.unreadable(&error))?.is_some_and(|cancel| cancel != 0))
    }

    /// Where a job stands in the queue.
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

    /// How much waits, is under way, or needs a person.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn queue_counts(&self) -> Result<QueueCounts, StoreError> {
        let mut tx = self.read().await?;
        let mut counts = QueueCounts::default();
        // Feeds that wait for their next poll are no backlog.
        let query = sql("SELECT state, count(*) AS jobs FROM jobs
                         WHERE state IN ('queued', 'leased', 'dead')
                           AND (kind <> 'feeds' OR state <> 'queued') GROUP BY state");
        for row in tx.all(query).await? {
            let read = || Ok((row.get::<String>("state")?, row.get::<i64>("jobs")?));
            let (state, jobs) = read().map_err(|error| tx.unreadable(&error))?;
            match state.as_str() {
                "queued" => counts.queued = jobs,
                "leased" => counts.leased = jobs,
                _ => counts.dead = jobs,
            }
        }
        Ok(counts)
    }

    /// Forgets jobs that were done or called off before an instant. Gives how many.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn forget_jobs(&self, before: Timestamp) -> Result<u64, StoreError> {
        let mut tx = self.write().await?;
        let query =
            sql("DELETE FROM jobs WHERE state IN ('done', 'cancelled') AND touched_at < $1");
        let forgotten = tx.execute(query.bind(before.0)).await?;
        tx.commit().await?;
        Ok(forgotten)
    }
}
