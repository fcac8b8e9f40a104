//! Work that never ends: after each turn the job goes back into the queue, due again later.

use std::time::Duration;

use super::{Fence, Leased, end_abandoned, leased, millis, next_job};
use crate::sql::sql;
use crate::tx::{Script, Tx};
use crate::{Store, StoreError};

/// The next job of a kind, sparing some owners.
const NEXT_SPARING: Script = Script {
    sqlite: next_job!("j.kind = $2 AND j.owner NOT IN (SELECT value FROM json_each($3))", ""),
    postgres: next_job!(
        "j.kind = $2 AND j.owner NOT IN (SELECT json_array_elements_text(CAST($3 AS JSON)))",
        " FOR UPDATE OF j SKIP LOCKED"
    ),
};

impl Store {
    /// Takes up the next job of a kind that is due, unless it is one of these owners'.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn claim_sparing(
        &self,
        worker: &str,
        kind: &str,
        lease: Duration,
        owners: &[&str],
    ) -> Result<Option<Leased>, StoreError> {
        let mut tx = self.write().await?;
        let now = self.reckon(&mut tx).await?;
        end_abandoned(self, &mut tx, now).await?;
        let owners = serde_json::to_string(owners).unwrap_or_else(|_| "[]".to_owned());
        let next = sql(tx.choose(NEXT_SPARING)).bind(now).bind(kind).bind(&owners);
        let next = tx.maybe(next).await?.map(|row| row.get::<String>("id")).transpose();
        let next = next.map_err(|error| tx.unreadable(&error))?;
        let leased = match &next {
            Some(id) => take(&mut tx, worker, id, lease, now).await?,
            None => None,
        };
        tx.commit().await?;
        Ok(leased)
    }

    /// Takes up this very job, due or not, unless someone has it.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn claim_one(
        &self,
        worker: &str,
        job: &str,
        lease: Duration,
    ) -> Result<Option<Leased>, StoreError> {
        let mut tx = self.write().await?;
        let now = self.reckon(&mut tx).await?;
        let leased = take(&mut tx, worker, job, lease, now).await?;
        tx.commit().await?;
        Ok(leased)
    }

    /// Ends a lease and puts the job back, due after so long. What failed before is forgotten.
    /// Gives `false` if the lease was lost.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn reschedule(&self, fence: &Fence, after: Duration) -> Result<bool, StoreError> {
        let mut tx = self.write().await?;
        let put_back = self.put_back(&mut tx, fence, after).await?;
        tx.commit().await?;
        Ok(put_back)
    }

    /// Makes a job that waits due at once. Gives `false` if it does not wait.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn hasten(&self, job: &str) -> Result<bool, StoreError> {
        let mut tx = self.write().await?;
        let now = self.reckon(&mut tx).await?;
        let query = sql("UPDATE jobs SET due_at = $2, touched_at = $2
                         WHERE id = $1 AND state = 'queued' AND due_at > $2");
        let rows = tx.execute(query.bind(job).bind(now)).await?;
        self.commit_and_call(tx).await?;
        Ok(rows == 1)
    }

    /// As [`Store::reschedule`], as part of a transaction that writes what the turn brought.
    pub(crate) async fn put_back(
        &self,
        tx: &mut Tx,
        fence: &Fence,
        after: Duration,
    ) -> Result<bool, StoreError> {
        let now = self.reckon(tx).await?;
        let query = sql("UPDATE jobs SET state = 'queued', lease_until = NULL, error = NULL,
                                failures = 0, due_at = $5, touched_at = $4
                         WHERE id = $1 AND worker = $2 AND attempt = $3 AND state = 'leased'
                           AND lease_until > $4");
        let query = query.bind(&fence.job).bind(&fence.worker).bind(fence.attempt).bind(now);
        let rows = tx.execute(query.bind(now.saturating_add(millis(after)))).await?;
        Ok(rows == 1)
    }
}

/// How often a process looks for jobs that were postponed by a wrong clock.
const LOOK_MILLIS: i64 = 60_000;
/// How many jobs it looks at.
const LOOK_JOBS: i64 = 50;
/// What was touched so far ahead of now was touched while the clock was wrong.
const AHEAD_MILLIS: i64 = 300_000;
/// How long the holder of such a lease has to say that it is there.
const GRACE_MILLIS: i64 = 60_000;

/// A clock that was ahead for a while has put jobs off by as much. Once it is right again they are due, and
/// leases of that time end soon unless someone keeps them alive.
pub(super) async fn repair_due_times(
    store: &Store,
    tx: &mut Tx,
    now: i64,
) -> Result<(), StoreError> {
    if !store.is_time_to_look(now, LOOK_MILLIS) {
        return Ok(());
    }
    let ahead = now.saturating_add(AHEAD_MILLIS);
    // What a clock postponed is due the latest, so a look at the last few finds it.
    let put_off = sql("UPDATE jobs SET due_at = $1, touched_at = $1
                       WHERE touched_at > $2 AND id IN (
                           SELECT id FROM jobs WHERE state = 'queued' AND due_at > $1
                           ORDER BY due_at DESC LIMIT $3)");
    let mut mended = tx.execute(put_off.bind(now).bind(ahead).bind(LOOK_JOBS)).await?;
    let held = sql("UPDATE jobs SET lease_until = $1, touched_at = $2
                    WHERE state = 'leased' AND lease_until > $1 AND touched_at > $3");
    let until = now.saturating_add(GRACE_MILLIS);
    mended += tx.execute(held.bind(until).bind(now).bind(ahead)).await?;
    if mended > 0 {
        tracing::warn!(jobs = mended, "the clock was ahead; the jobs it delayed are due now");
    }
    Ok(())
}

/// Leases a job that no worker has. The holder of an expired lease has failed.
async fn take(
    tx: &mut Tx,
    worker: &str,
    job: &str,
    lease: Duration,
    now: i64,
) -> Result<Option<Leased>, StoreError> {
    let query =
        sql("UPDATE jobs SET failures = failures + CASE WHEN state = 'leased' THEN 1 ELSE 0 END,
                            state = 'leased', worker = $2, attempt = attempt + 1,
                            lease_until = $3, touched_at = $4
                     WHERE id = $1 AND (state = 'queued' OR state = 'leased' AND lease_until <= $4)
                     RETURNING kind, owner, payload, attempt, cancel");
    let until = now.saturating_add(millis(lease));
    let row = tx.maybe(query.bind(job).bind(worker).bind(until).bind(now)).await?;
    let taken = row.map(|row| leased(&row, job, worker)).transpose();
    taken.map_err(|error| tx.unreadable(&error))
}
