//! What processes that share a store agree on: how fast a host or provider is asked, whether it is
//! left alone, and what is spent in a day.
//!
//! Each name is one row, and each question one statement that changes it, so that however many ask
//! at once, every slot is given once and no more is spent than may be.

use std::time::Duration;

use probity_core::shared::{Answering, Reserved, Shared};

use crate::queue::millis;
use crate::sql::sql;
use crate::tx::Script;
use crate::{Store, StoreError};

/// So many failures in a row close a name for a while.
const FAILURES: i64 = 5;
/// How long it is then left alone.
const REST: Duration = Duration::from_secs(30);
/// Rows that were not used for so long are deleted.
const KEPT: Duration = Duration::from_secs(24 * 60 * 60);
/// The longest that anything is left alone.
const CLOSED_MOST: Duration = Duration::from_secs(24 * 60 * 60);
const DAY: i64 = 24 * 60 * 60 * 1_000;

const RESERVE: Script = Script {
    sqlite: "INSERT INTO pace (name, next_at, closed_until, failures, touched_at)
             VALUES ($1, $2 + $3, 0, 0, $2)
             ON CONFLICT (name) DO UPDATE
             SET next_at = max(pace.next_at, pace.closed_until, $2) + $3, touched_at = $2
             WHERE max(pace.next_at, pace.closed_until, $2) <= $2 + $4
             RETURNING next_at - $3 AS slot",
    postgres: "INSERT INTO pace (name, next_at, closed_until, failures, touched_at)
               VALUES ($1, $2 + $3, 0, 0, $2)
               ON CONFLICT (name) DO UPDATE
               SET next_at = greatest(pace.next_at, pace.closed_until, $2) + $3, touched_at = $2
               WHERE greatest(pace.next_at, pace.closed_until, $2) <= $2 + $4
               RETURNING next_at - $3 AS slot",
};

const CLOSE: Script = Script {
    sqlite: "INSERT INTO pace (name, next_at, closed_until, failures, touched_at)
             VALUES ($1, 0, $3, 0, $2)
             ON CONFLICT (name) DO UPDATE
             SET closed_until = max(pace.closed_until, $3), touched_at = $2",
    postgres: "INSERT INTO pace (name, next_at, closed_until, failures, touched_at)
               VALUES ($1, 0, $3, 0, $2)
               ON CONFLICT (name) DO UPDATE
               SET closed_until = greatest(pace.closed_until, $3), touched_at = $2",
};

impl Store {
    /// Takes the next free slot of a name, so long after the one before; none if it would come
    /// later than that.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn reserve(
        &self,
        name: &str,
        interval: Duration,
        at_most: Duration,
    ) -> Result<Reserved, StoreError> {
        let mut tx = self.write().await?;
        let now = self.reckon(&mut tx).await?;
        let query = sql(tx.choose(RESERVE)).bind(name).bind(now);
        let row = tx.maybe(query.bind(millis(interval)).bind(millis(at_most))).await?;
        let wait = |until: i64| Duration::from_millis(u64::try_from(until - now).unwrap_or(0));
        if let Some(row) = row {
            let slot: i64 = row.get("slot").map_err(|error| tx.unreadable(&error))?;
            tx.commit().await?;
            return Ok(Reserved::After(wait(slot)));
        }
        let query = sql("SELECT next_at, closed_until FROM pace WHERE name = $1");
        let row = tx.maybe(query.bind(name)).await?;
        let read = row.map(|row| Ok((row.get::<i64>("next_at")?, row.get("closed_until")?)));
        let read = read.transpose().map_err(|error| tx.unreadable(&error))?;
        tx.undo().await?;
        // Deleted in this moment: no call is before this one.
        let Some((next, closed)) = read else { return Ok(Reserved::After(Duration::ZERO)) };
        Ok(match closed > now + millis(at_most) {
            true => Reserved::Closed(wait(closed)),
            false => Reserved::Full(wait(next)),
        })
    }

    /// Leaves a name alone for so long, in every process.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn close_pace(&self, name: &str, wait: Duration) -> Result<(), StoreError> {
        let mut tx = self.write().await?;
        let now = self.reckon(&mut tx).await?;
        let until = now + millis(wait.min(CLOSED_MOST));
        tx.execute(sql(tx.choose(CLOSE)).bind(name).bind(now).bind(until)).await?;
        tx.commit().await
    }

    /// Notes how asking went. What fails again and again is left alone for a while, and then
    /// tried once more.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn note_pace(&self, name: &str, failed: bool) -> Result<(), StoreError> {
        let mut tx = self.write().await?;
        let now = self.reckon(&mut tx).await?;
        let query = match failed {
            false => sql("UPDATE pace SET failures = 0, touched_at = $2
                          WHERE name = $1 AND failures > 0")
            .bind(name)
            .bind(now),
            true => sql("UPDATE pace SET failures = failures + 1, touched_at = $2,
                             closed_until = CASE WHEN failures + 1 >= $3 AND closed_until < $4
                                                 THEN $4 ELSE closed_until END
                         WHERE name = $1")
            .bind(name)
            .bind(now)
            .bind(FAILURES)
            .bind(now + millis(REST)),
        };
        tx.execute(query).await?;
        tx.execute(sql("DELETE FROM pace WHERE touched_at < $1").bind(now - millis(KEPT))).await?;
        tx.commit().await
    }

    /// Holds money of today's for a call, in millionths of a US dollar, if the day's limit leaves
    /// room for it.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn hold_money(&self, most: i64, limit: i64) -> Result<bool, StoreError> {
        let mut tx = self.write().await?;
        let day = self.reckon(&mut tx).await? / DAY;
        let fresh = sql("INSERT INTO spend (day, spent, held) VALUES ($1, 0, 0)
                         ON CONFLICT (day) DO NOTHING");
        tx.execute(fresh.bind(day)).await?;
        let hold = sql("UPDATE spend SET held = held + $2
                        WHERE day = $1 AND spent + held + $2 <= $3");
        let rows = tx.execute(hold.bind(day).bind(most.max(0)).bind(limit)).await?;
        tx.commit().await?;
        Ok(rows == 1)
    }

    /// Gives held money back and notes what was spent of it.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn settle_money(&self, held: i64, spent: i64) -> Result<(), StoreError> {
        let mut tx = self.write().await?;
        let day = self.reckon(&mut tx).await? / DAY;
        // A call that began before midnight is settled on the day on which it ends.
        let query = sql("INSERT INTO spend (day, spent, held) VALUES ($1, $3, 0)
                         ON CONFLICT (day) DO UPDATE
                         SET spent = spend.spent + $3,
                             held = CASE WHEN spend.held > $2 THEN spend.held - $2 ELSE 0 END");
        tx.execute(query.bind(day).bind(held.max(0)).bind(spent.max(0))).await?;
        tx.commit().await
    }

    /// What all runs spent today, in millionths of a US dollar.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn spent_today(&self) -> Result<i64, StoreError> {
        let mut tx = self.write().await?;
        let day = self.reckon(&mut tx).await? / DAY;
        let row = tx.maybe(sql("SELECT spent FROM spend WHERE day = $1").bind(day)).await?;
        let spent = row.map(|row| row.get::<i64>("spent")).transpose();
        let spent = spent.map_err(|error| tx.unreadable(&error))?;
        tx.undo().await?;
        Ok(spent.unwrap_or(0))
    }
}

/// A store as what its processes agree on. Where it cannot be asked, no call waits for it: each
/// process then keeps to its own pace.
#[derive(Debug, Clone)]
pub struct SharedStore {
    store: Store,
    /// What may be spent in a day, in millionths of a US dollar.
    day_limit: Option<i64>,
}

impl SharedStore {
    /// What the processes of this store agree on, and what they may spend in a day in US dollars.
    pub fn new(store: &Store, day_limit: Option<f64>) -> Self {
        Self { store: store.clone(), day_limit: day_limit.map(micros) }
    }
}

/// Dollars in millionths. What is more than there is room for is as much as there is room for.
#[expect(clippy::cast_possible_truncation, reason = "the cast saturates")]
fn micros(dollars: f64) -> i64 {
    (dollars * 1e6).round() as i64
}

impl Shared for SharedStore {
    fn reserve<'a>(
        &'a self,
        name: &'a str,
        interval: Duration,
        at_most: Duration,
    ) -> Answering<'a, Reserved> {
        Box::pin(async move {
            let reserved = self.store.reserve(name, interval, at_most).await;
            reserved.unwrap_or_else(|error| {
                tracing::debug!(%error, name, "the shared pace could not be asked");
                Reserved::After(Duration::ZERO)
            })
        })
    }

    fn close<'a>(&'a self, name: &'a str, wait: Duration) -> Answering<'a, ()> {
        Box::pin(async move {
            if let Err(error) = self.store.close_pace(name, wait).await {
                tracing::debug!(%error, name, "the shared rate limit could not be updated");
            }
        })
    }

    fn note<'a>(&'a self, name: &'a str, failed: bool) -> Answering<'a, ()> {
        Box::pin(async move {
            if let Err(error) = self.store.note_pace(name, failed).await {
                tracing::debug!(%error, name, "the shared rate limit could not be updated");
            }
        })
    }

    fn hold<'a>(&'a self, dollars: f64) -> Answering<'a, Result<(), String>> {
        Box::pin(async move {
            let Some(limit) = self.day_limit else { return Ok(()) };
            // Money is not spent on a guess: without the store there is none.
            let held = self.store.hold_money(micros(dollars), limit).await;
            match held {
                Ok(true) => Ok(()),
                Ok(false) => Err(format!("the day's limit of ${:.2}", limit as f64 / 1e6)),
                Err(error) => Err(format!("the day's limit, which could not be read ({error})")),
            }
        })
    }

    fn settle<'a>(&'a self, held: f64, spent: f64) -> Answering<'a, ()> {
        Box::pin(async move {
            if self.day_limit.is_none() {
                return;
            }
            if let Err(error) = self.store.settle_money(micros(held), micros(spent)).await {
                tracing::warn!(%error, spent, "what a call cost was not added to the day");
            }
        })
    }
}
