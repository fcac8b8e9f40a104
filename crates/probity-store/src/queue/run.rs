//! Research runs in the queue: entered with their job, ended with it, resumed.

use std::time::Duration;

use super::{
    Enqueued, Fence, JobEnd, JobState, NewJob, QueueLimits, admit, end_lease, millis, room,
};
use crate::events::{self, NewEvent};
use crate::runs::{self, Ending, NewRun};
use crate::sql::sql;
use crate::tx::Tx;
use crate::{Store, StoreError};
use probity_core::RunId;

/// The kind of the jobs that are research runs.
pub const RESEARCH: &str = "research";

/// How a run waits for a worker.
#[derive(Debug, Clone, Copy)]
pub struct RunJob<'a> {
    /// Whose it is, for fairness and limits.
    pub owner: &'a str,
    /// What the run's own description does not say, as JSON.
    pub payload: &'a str,
    /// Higher goes first.
    pub priority: i64,
    /// How often it may fail, by error or by a worker's death, before it is dead.
    pub failures_most: u32,
}

impl<'a> RunJob<'a> {
    /// How often a run may fail unless something else is said. A run is rarely at fault when its
    /// worker dies, and taking it up again repeats nothing that was paid for.
    pub const FAILURES_MOST: u32 = 8;

    /// An ordinary run of an owner.
    pub fn of(owner: &'a str) -> Self {
        Self { owner, payload: "{}", priority: 0, failures_most: Self::FAILURES_MOST }
    }

    fn job(&self, id: &'a RunId) -> NewJob<'a> {
        NewJob {
            id,
            kind: RESEARCH,
            owner: self.owner,
            payload: self.payload,
            priority: self.priority,
            after: Duration::ZERO,
            failures_most: self.failures_most,
        }
    }
}

/// The result of asking for a run to be resumed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Requeued {
    /// It waits for a worker.
    Queued,
    /// It waits already, or a worker has it.
    Open,
    /// It has its report.
    Finished,
    /// There is no such run.
    Unknown,
    /// Too much waits already.
    Full,
}

impl Store {
    /// Writes a run down and queues it, both or neither.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn enqueue_run(
        &self,
        run: &NewRun<'_>,
        job: &RunJob<'_>,
        limits: QueueLimits,
    ) -> Result<Enqueued, StoreError> {
        let mut tx = self.write().await?;
        let now = self.reckon(&mut tx).await?;
        let job = NewJob { id: run.id, ..job.job(run.id) };
        let mut enqueued = admit(&mut tx, &job, limits, now).await?;
        if enqueued == Enqueued::Added && !runs::insert(&mut tx, run, self.clock().now()).await? {
            enqueued = Enqueued::Exists;
        }
        match enqueued {
            Enqueued::Added => self.commit_and_call(tx).await?,
            _ => tx.undo().await?,
        }
        Ok(enqueued)
    }

    /// Has a run that failed or was stopped resumed, from where it was. Its stream of events
    /// continues: where it said that nothing more follows, it now says that the run continues.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn requeue_run(
        &self,
        id: &RunId,
        job: &RunJob<'_>,
        limits: QueueLimits,
    ) -> Result<Requeued, StoreError> {
        let mut tx = self.write().await?;
        let now = self.reckon(&mut tx).await?;
        let requeued = requeue(&mut tx, id, job, limits, now).await?;
        match requeued {
            Requeued::Queued => self.commit_and_call(tx).await?,
            // At once, or a worker would pass the job over while this still held it.
            _ => tx.undo().await?,
        }
        Ok(requeued)
    }

    /// Ends a run with its job and its last events, all of it or nothing. Gives `false`, and
    /// changes nothing, if the lease was lost.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn settle_run(
        &self,
        fence: &Fence,
        ending: &Ending<'_>,
        last: &[NewEvent],
        end: JobEnd<'_>,
    ) -> Result<bool, StoreError> {
        let mut tx = match self.write().await {
            Err(StoreError::Fenced { .. }) => return Ok(false),
            begun => begun?,
        };
        let run = fence.run();
        let after = events::count(&mut tx, &run).await?;
        events::insert(self, &mut tx, &run, after, last).await?;
        runs::end(&mut tx, &run, ending, self.clock().now()).await?;
        let ended = end_lease(self, &mut tx, fence, end).await?;
        match ended {
            true => self.commit_and_tell(tx, &run).await?,
            false => tx.undo().await?,
        }
        Ok(ended)
    }
}

async fn requeue(
    tx: &mut Tx,
    id: &RunId,
    job: &RunJob<'_>,
    limits: QueueLimits,
    now: i64,
) -> Result<Requeued, StoreError> {
    let lock = sql("UPDATE jobs SET touched_at = $2 WHERE id = $1 RETURNING state");
    let state = tx.maybe(lock.bind(id).bind(now)).await?;
    let state = state.map(|row| row.get::<String>("state")).transpose();
    let state = state.map_err(|error| tx.unreadable(&error))?;
    let open = [JobState::Queued, JobState::Leased].map(JobState::as_str);
    if state.as_deref().is_some_and(|state| open.contains(&state)) {
        return Ok(Requeued::Open);
    }
    let status = tx.maybe(sql("SELECT status FROM runs WHERE id = $1").bind(id)).await?;
    let status = status.map(|row| row.get::<String>("status")).transpose();
    match status.map_err(|error| tx.unreadable(&error))?.as_deref() {
        None => return Ok(Requeued::Unknown),
        Some("finished") => return Ok(Requeued::Finished),
        Some(_) => {}
    }
    if state.is_some() {
        if room(tx, job.owner, limits).await?.is_some() {
            return Ok(Requeued::Full);
        }
        let again = sql("UPDATE jobs SET state = 'queued', failures = 0, failures_most = $2,
                             cancel = 0, error = NULL, due_at = $3, queued_at = $3
                         WHERE id = $1");
        let most = i64::from(job.failures_most.max(1));
        tx.execute(again.bind(id).bind(most).bind(now + millis(Duration::ZERO))).await?;
    } else if admit(tx, &job.job(id), limits, now).await? != Enqueued::Added {
        return Ok(Requeued::Full);
    }
    let run = sql("UPDATE runs SET status = 'running', error = NULL WHERE id = $1");
    tx.execute(run.bind(id)).await?;
    events::reopen(tx, id).await?;
    Ok(Requeued::Queued)
}
