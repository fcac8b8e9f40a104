//! Work that any process may claim: queued, leased, released, done once.
//!
//! ```text
//! enqueue → queued → claim → leased → finish → done
//!              ↑               │ ├── fail → queued again, later; after too many: dead
//!              │               │ └── heartbeat: keeps the lease, brings the wish to cancel
//!              └── release, or the lease runs out ──┘
//! ```
//!
//! A [`Fence`] names a lease: who has it, and its number. [`Store::fenced`] gives a store
//! that writes nothing once the lease is lost, so a worker that slept through its lease cannot spoil
//! the work of the one that took over. Time is the database's, not the worker's, where several
//! machines share one.

mod job;
mod look;
mod recur;
mod run;

use std::time::Duration;

use probity_core::{RunId, Timestamp};

use crate::sql::{ColumnError, Row, sql};
use crate::tx::{Script, Tx};
use crate::{RunStatus, Store, StoreError, events};

pub use job::{
    Beat, Cancelled, Enqueued, Fence, JobEnd, JobState, JobSummary, Leased, NewJob, QueueLimits,
};
pub use look::{QueueCounts, QueuePlace};
pub use run::{RESEARCH, Requeued, RunJob};

/// The most jobs that one list gives.
const PAGE_ROWS: i64 = 1_000;
/// The longest error that is kept with a job, in characters.
const ERROR_CHARS: usize = 2_000;

/// Why a run that was cancelled has no report.
const CALLED_OFF: &str = "the run was cancelled";

/// The time by which leases are measured. All machines that share a server share its clock.
const NOW: Script = Script {
    sqlite: "SELECT 0 AS now",
    postgres: "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT) AS now",
};

/// The next job among those that are wanted: the highest priority, then the owner with the fewest in progress, then the
/// longest due. A lease that ran out is as good as a place in the queue.
macro_rules! next_job {
    ($wanted:literal, $lock:literal) => {
        concat!(
            "WITH busy AS (SELECT owner, count(*) AS jobs FROM jobs
                           WHERE state = 'leased' AND lease_until > $1 GROUP BY owner)
             SELECT j.id FROM jobs j LEFT JOIN busy b ON b.owner = j.owner
             WHERE (j.state = 'queued' AND j.due_at <= $1
                    OR j.state = 'leased' AND j.lease_until <= $1)
               AND ",
            $wanted,
            " ORDER BY j.priority DESC, coalesce(b.jobs, 0), j.due_at, j.id LIMIT 1",
            $lock
        )
    };
}
pub(crate) use next_job;

/// The next job of some kinds.
const NEXT: Script = Script {
    sqlite: next_job!("$2 LIKE '%,' || j.kind || ',%'", ""),
    postgres: next_job!("$2 LIKE '%,' || j.kind || ',%'", " FOR UPDATE OF j SKIP LOCKED"),
};

/// Jobs whose last allowed worker died. What another worker ends at the moment is left to it.
const END_ABANDONED: Script = Script {
    sqlite: "UPDATE jobs SET state = 'dead', lease_until = NULL, touched_at = $1,
                             failures = failures + 1, error = $2
             WHERE state = 'leased' AND lease_until <= $1 AND failures + 1 >= failures_most
             RETURNING id",
    postgres: "UPDATE jobs SET state = 'dead', lease_until = NULL, touched_at = $1,
                               failures = failures + 1, error = $2
               WHERE id IN (SELECT id FROM jobs WHERE state = 'leased' AND lease_until <= $1
                              AND failures + 1 >= failures_most FOR UPDATE SKIP LOCKED)
               RETURNING id",
};

impl Store {
    /// Queues a job.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn enqueue(
        &self,
        job: &NewJob<'_>,
        limits: QueueLimits,
    ) -> Result<Enqueued, StoreError> {
        let mut tx = self.write().await?;
        let now = self.reckon(&mut tx).await?;
        let enqueued = admit(&mut tx, job, limits, now).await?;
        match enqueued {
            Enqueued::Added => self.commit_and_call(tx).await?,
            _ => tx.undo().await?,
        }
        Ok(enqueued)
    }

    /// Takes up the next job of one of these kinds, if one is due.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn claim(
        &self,
        worker: &str,
        kinds: &[&str],
        lease: Duration,
    ) -> Result<Option<Leased>, StoreError> {
        let mut tx = self.write().await?;
        let now = self.reckon(&mut tx).await?;
        end_abandoned(self, &mut tx, now).await?;
        let kinds = format!(",{},", kinds.join(","));
        let next = tx.maybe(sql(tx.choose(NEXT)).bind(now).bind(&kinds)).await?;
        let Some(next) = next else {
            tx.commit().await?;
            return Ok(None);
        };
        let id: String = next.get("id").map_err(|error| tx.unreadable(&error))?;
        // The holder of an expired lease has failed.
        let take = sql(
            "UPDATE jobs SET failures = failures + CASE WHEN state = 'leased' THEN 1 ELSE 0 END,
                             state = 'leased', worker = $2, attempt = attempt + 1,
                             lease_until = $3, touched_at = $4
             WHERE id = $1 RETURNING kind, owner, payload, attempt, cancel",
        );
        let take = take.bind(&id).bind(worker).bind(now + millis(lease)).bind(now);
        let taken = tx.maybe(take).await?;
        let leased = taken.map(|row| leased(&row, &id, worker)).transpose();
        let leased = leased.map_err(|error| tx.unreadable(&error))?;
        tx.commit().await?;
        Ok(leased)
    }

    /// Renews a lease.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn heartbeat(&self, fence: &Fence, lease: Duration) -> Result<Beat, StoreError> {
        let mut tx = self.write().await?;
        let now = self.reckon(&mut tx).await?;
        let query = sql("UPDATE jobs SET lease_until = $4, touched_at = $5
                         WHERE id = $1 AND worker = $2 AND attempt = $3 AND state = 'leased'
                           AND lease_until > $5 RETURNING cancel");
        let query = query.bind(&fence.job).bind(&fence.worker).bind(fence.attempt);
        let row = tx.maybe(query.bind(now + millis(lease)).bind(now)).await?;
        let cancel = row.map(|row| row.get::<i64>("cancel")).transpose();
        let cancel = cancel.map_err(|error| tx.unreadable(&error))?;
        tx.commit().await?;
        Ok(match cancel {
            Some(0) => Beat::Held,
            Some(_) => Beat::Cancel,
            None => Beat::Lost,
        })
    }

    /// Ends a job: done, or cancelled if that was asked. Gives `false` if the lease was lost.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn finish(&self, fence: &Fence, end: JobEnd<'_>) -> Result<bool, StoreError> {
        let mut tx = self.write().await?;
        let ended = end_lease(self, &mut tx, fence, end).await?;
        self.commit_and_tell(tx, &fence.job).await?;
        Ok(ended)
    }

    /// Cancels a job. A run that had not begun ends with that.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn cancel(&self, job: &str) -> Result<Cancelled, StoreError> {
        let mut tx = self.write().await?;
        let now = self.reckon(&mut tx).await?;
        let query = sql("UPDATE jobs SET cancel = 1, touched_at = $2,
                             due_at = CASE WHEN due_at > $2 THEN $2 ELSE due_at END,
                             state = CASE WHEN state = 'queued' THEN 'cancelled' ELSE state END
                         WHERE id = $1 AND state IN ('queued', 'leased') RETURNING state");
        let row = tx.maybe(query.bind(job).bind(now)).await?;
        let state = row.map(|row| row.get::<String>("state")).transpose();
        let state = state.map_err(|error| tx.unreadable(&error))?;
        if state.as_deref() == Some("cancelled") {
            events::close(self, &mut tx, &job.into(), RunStatus::Interrupted, CALLED_OFF).await?;
        }
        self.commit_and_tell(tx, job).await?;
        Ok(match state.as_deref() {
            Some("cancelled") => Cancelled::AtOnce,
            Some(_) => Cancelled::Asked,
            None => Cancelled::Nothing,
        })
    }

    /// Jobs of a state, or all, the latest first.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn jobs(&self, state: Option<JobState>) -> Result<Vec<JobSummary>, StoreError> {
        let mut tx = self.read().await?;
        // Two texts, because each has its index and one for both would have none.
        let query = match state {
            None => {
                sql("SELECT id, kind, owner, state, priority, attempt, failures, worker, error,
                                due_at, queued_at, touched_at
                         FROM jobs ORDER BY queued_at DESC, id DESC LIMIT $1")
            }
            Some(_) => {
                sql("SELECT id, kind, owner, state, priority, attempt, failures, worker, error,
                            due_at, queued_at, touched_at
                     FROM jobs WHERE state = $2 ORDER BY queued_at DESC, id DESC LIMIT $1")
            }
        };
        let query = query.bind(PAGE_ROWS);
        let query = match state {
            None => query,
            Some(state) => query.bind(state.as_str()),
        };
        let rows = tx.all(query).await?;
        rows.iter().map(summary).collect::<Result<_, _>>().map_err(|error| tx.unreadable(&error))
    }

    /// The same store for the holder of a lease: every write fails once the lease is lost.
    #[must_use]
    pub fn fenced(&self, fence: Fence) -> Self {
        self.clone().with_fence(fence)
    }

    /// What the time is for leases.
    pub(crate) async fn reckon(&self, tx: &mut Tx) -> Result<i64, StoreError> {
        let asked = tx.maybe(sql(tx.choose(NOW))).await?;
        let now = asked.map(|row| row.get::<i64>("now")).transpose();
        let now = now.map_err(|error| tx.unreadable(&error))?.unwrap_or(0);
        Ok(if now == 0 { self.clock().now().0 } else { now })
    }
}

/// Queues a job if there is room for it.
async fn admit(
    tx: &mut Tx,
    job: &NewJob<'_>,
    limits: QueueLimits,
    now: i64,
) -> Result<Enqueued, StoreError> {
    if tx.maybe(sql("SELECT id FROM jobs WHERE id = $1").bind(job.id)).await?.is_some() {
        return Ok(Enqueued::Exists);
    }
    if let Some(full) = room(tx, job.owner, limits).await? {
        return Ok(full);
    }
    let query =
        sql("INSERT INTO jobs (id, kind, owner, payload, priority, state, attempt, failures,
                               failures_most, due_at, cancel, queued_at, touched_at)
             VALUES ($1, $2, $3, $4, $5, 'queued', 0, 0, $6, $7, 0, $8, $8)
             ON CONFLICT (id) DO NOTHING");
    let query = query.bind(job.id).bind(job.kind).bind(job.owner).bind(job.payload);
    let query = query.bind(job.priority).bind(i64::from(job.failures_most.max(1)));
    let rows = tx.execute(query.bind(now + millis(job.after)).bind(now)).await?;
    Ok(if rows == 1 { Enqueued::Added } else { Enqueued::Exists })
}

/// What is in the way of one more job, if anything does.
async fn room(
    tx: &mut Tx,
    owner: &str,
    limits: QueueLimits,
) -> Result<Option<Enqueued>, StoreError> {
    // Polls of feeds and saved questions always wait for their next turn, and messages for their
    // receiver: they fill no queue.
    let counts = sql("SELECT count(*) AS everybody,
                             coalesce(sum(CASE WHEN owner = $1 THEN 1 ELSE 0 END), 0) AS own
                      FROM jobs WHERE state IN ('queued', 'leased')
                        AND kind NOT IN ('feeds', 'watch', 'alert')");
    let row = tx.maybe(counts.bind(owner)).await?;
    let count = |column| match &row {
        Some(row) => row.get::<i64>(column).map_err(|error| tx.unreadable(&error)),
        None => Ok(0),
    };
    Ok(if count("everybody")? >= limits.open {
        Some(Enqueued::QueueFull)
    } else if count("own")? >= limits.open_per_owner {
        Some(Enqueued::OwnerFull)
    } else {
        None
    })
}

/// Ends a lease. Gives `false` if it was lost. A run whose job is dead or cancelled with this ends
/// too.
async fn end_lease(
    store: &Store,
    tx: &mut Tx,
    fence: &Fence,
    end: JobEnd<'_>,
) -> Result<bool, StoreError> {
    let now = store.reckon(tx).await?;
    let query = sql("UPDATE jobs SET lease_until = NULL, touched_at = $4, due_at = $7, error = $6,
             failures = failures + $8,
             state = CASE WHEN $8 > 0 AND failures + $8 >= failures_most THEN 'dead' ELSE $5 END
         WHERE id = $1 AND worker = $2 AND attempt = $3 AND state = 'leased' AND lease_until > $4
         RETURNING state");
    let query = query.bind(&fence.job).bind(&fence.worker).bind(fence.attempt).bind(now);
    let mut kept = String::new();
    let query = match end {
        JobEnd::Done => query.bind("done").bind(None::<&str>).bind(now).bind(0),
        JobEnd::Cancelled => query.bind("cancelled").bind(None::<&str>).bind(now).bind(0),
        JobEnd::HandedOver => query.bind("queued").bind(None::<&str>).bind(now).bind(0),
        JobEnd::Hopeless { error } => {
            kept.extend(error.chars().take(ERROR_CHARS));
            query.bind("dead").bind(kept.as_str()).bind(now).bind(0)
        }
        JobEnd::Failed { error, again } => {
            kept.extend(error.chars().take(ERROR_CHARS));
            query.bind("queued").bind(kept.as_str()).bind(now + millis(again)).bind(1)
        }
    };
    let row = tx.maybe(query).await?;
    let state = row.map(|row| row.get::<String>("state")).transpose();
    let state = state.map_err(|error| tx.unreadable(&error))?;
    match state.as_deref() {
        Some("dead") => {
            events::close(store, tx, &fence.run(), RunStatus::Failed, &kept).await?;
        }
        Some("cancelled") => {
            events::close(store, tx, &fence.run(), RunStatus::Interrupted, CALLED_OFF).await?;
        }
        _ => {}
    }
    Ok(state.is_some())
}

/// Repairs what went wrong since the last claim: fixes what a wrong clock postponed, and ends
/// jobs whose last allowed worker died.
async fn end_abandoned(store: &Store, tx: &mut Tx, now: i64) -> Result<(), StoreError> {
    recur::repair_due_times(store, tx, now).await?;
    const WHY: &str = "its workers went away, one after the other";
    let query = sql(tx.choose(END_ABANDONED));
    for row in tx.all(query.bind(now).bind(WHY)).await? {
        let id: RunId = row.get("id").map_err(|error| tx.unreadable(&error))?;
        events::close(store, tx, &id, RunStatus::Failed, WHY).await?;
    }
    Ok(())
}

/// Fails unless the lease still holds. The row stays locked until the transaction ends, so no one
/// takes over in between.
pub(crate) async fn hold(store: &Store, tx: &mut Tx, fence: &Fence) -> Result<(), StoreError> {
    let now = store.reckon(tx).await?;
    let query = sql("UPDATE jobs SET touched_at = $4
                     WHERE id = $1 AND worker = $2 AND attempt = $3 AND state = 'leased'
                       AND lease_until > $4");
    let query = query.bind(&fence.job).bind(&fence.worker).bind(fence.attempt).bind(now);
    match tx.execute(query).await? {
        1 => Ok(()),
        _ => Err(StoreError::Fenced { job: fence.job.clone() }),
    }
}

pub(crate) fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX / 4).min(i64::MAX / 4)
}

fn leased(row: &Row, id: &str, worker: &str) -> Result<Leased, ColumnError> {
    let attempt = row.get("attempt")?;
    Ok(Leased {
        fence: Fence { job: id.to_owned(), worker: worker.to_owned(), attempt },
        kind: row.get("kind")?,
        owner: row.get("owner")?,
        payload: row.get("payload")?,
        cancel: row.get::<i64>("cancel")? != 0,
    })
}

fn summary(row: &Row) -> Result<JobSummary, ColumnError> {
    Ok(JobSummary {
        id: row.get("id")?,
        kind: row.get("kind")?,
        owner: row.get("owner")?,
        state: JobState::parse(&row.get::<String>("state")?)?,
        priority: row.get("priority")?,
        attempt: row.get("attempt")?,
        failures: row.get("failures")?,
        worker: row.get("worker")?,
        error: row.get("error")?,
        due_at: Timestamp(row.get("due_at")?),
        queued_at: Timestamp(row.get("queued_at")?),
        touched_at: Timestamp(row.get("touched_at")?),
    })
}
