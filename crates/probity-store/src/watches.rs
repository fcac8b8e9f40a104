//! Questions that are asked again on a schedule.
//!
//! ```text
//! add_watch → job `watch:ID` → claim → ask_watch (a run is in progress) → claim … → end_turn → due again
//! ```
//!
//! A watch is a job of the queue, so no two workers take its turn at once. Its run is a job of its
//! own, which any worker executes; the watch looks for its end.

mod turn;

use std::time::Duration;

use probity_core::{RunId, Timestamp, WatchId};
use serde::Serialize;

use crate::queue::millis;
use crate::sql::{ColumnError, Row, sql};
use crate::tx::Tx;
use crate::{Store, StoreError};

pub use turn::{EndedTurn, Outcome, Turn};

/// The kind of the jobs that are watches.
pub const WATCH: &str = "watch";
/// How many questions one store watches at most.
pub const WATCHES_MOST: i64 = 10_000;
/// How many of them may be one owner's.
pub const WATCHES_OF_OWNER: i64 = 200;
/// How often a turn may fail, by error or by a worker's death, before the watch waits for a person.
const FAILURES_MOST: i64 = 100;

/// A question to be watched.
#[derive(Debug, Clone, Copy)]
pub struct NewWatch<'a> {
    /// Whose it is.
    pub owner: &'a str,
    /// The question.
    pub question: &'a str,
    /// The question as a client asks it, as JSON.
    pub ask: &'a str,
    /// How often it is asked.
    pub every: Duration,
}

/// The result of adding a watch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddedWatch {
    /// It has this id.
    New(WatchId),
    /// There are as many as a store, or one owner, may have.
    Full,
}

/// A question that is watched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Watch {
    /// Its id.
    pub id: WatchId,
    /// Whose it is.
    pub owner: String,
    /// The question.
    pub question: String,
    /// The question as a client asks it, as JSON.
    #[serde(skip)]
    pub ask: String,
    /// How often it is asked, in milliseconds.
    pub every_ms: i64,
    /// Whether it is asked at all.
    pub paused: bool,
    /// When it was added.
    pub added_at: Timestamp,
    /// The run that is in progress for it.
    pub pending_run: Option<RunId>,
    /// The last run that ended with a report.
    pub last_run: Option<RunId>,
    /// When its last turn ended.
    pub last_at: Option<Timestamp>,
    /// When something last changed.
    pub changed_at: Option<Timestamp>,
    /// When it is due next, as long as it is asked.
    pub next_at: Option<Timestamp>,
}

/// What to change of a watch; what is none stays as it is.
#[derive(Debug, Clone, Copy, Default)]
pub struct WatchChange {
    /// How often it is asked.
    pub every: Option<Duration>,
    /// Whether it is asked at all.
    pub paused: Option<bool>,
}

/// The id of the job of a watch.
pub fn job_id(watch: WatchId) -> String {
    format!("watch:{watch}")
}

/// The watch of a job.
pub fn watch_of(job: &str) -> Option<WatchId> {
    job.strip_prefix("watch:")?.parse().ok()
}

macro_rules! select_watches {
    ($rest:literal) => {
        concat!(
            "SELECT w.*, j.due_at AS next_at FROM watches w
             LEFT JOIN jobs j ON j.id = 'watch:' || w.id AND j.state IN ('queued', 'leased') ",
            $rest
        )
    };
}

impl Store {
    /// Watches a question from now on; its first turn is due at once.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn add_watch(&self, new: &NewWatch<'_>) -> Result<AddedWatch, StoreError> {
        let mut tx = self.write().await?;
        let counts = sql("SELECT count(*) AS everybody,
                                 coalesce(sum(CASE WHEN owner = $1 THEN 1 ELSE 0 END), 0) AS own
                          FROM watches");
        let row = tx.maybe(counts.bind(new.owner)).await?;
        let count = |column| match &row {
            Some(row) => row.get::<i64>(column).map_err(|error| tx.unreadable(&error)),
            None => Ok(0),
        };
        if count("everybody")? >= WATCHES_MOST || count("own")? >= WATCHES_OF_OWNER {
            tx.undo().await?;
            return Ok(AddedWatch::Full);
        }
        let query = sql("INSERT INTO watches (owner, question, ask, every_ms, added_at)
                         VALUES ($1, $2, $3, $4, $5) RETURNING id");
        let query = query.bind(new.owner).bind(new.question).bind(new.ask);
        let row = tx.maybe(query.bind(millis(new.every)).bind(self.clock().now().0)).await?;
        let id = row.map(|row| row.get::<WatchId>("id")).transpose();
        let id = id.map_err(|error| tx.unreadable(&error))?.unwrap_or_default();
        self.queue_turn(&mut tx, id, new.owner).await?;
        self.commit_and_call(tx).await?;
        Ok(AddedWatch::New(id))
    }

    /// Makes a watch due at once, whatever became of its job.
    async fn queue_turn(&self, tx: &mut Tx, id: WatchId, owner: &str) -> Result<(), StoreError> {
        let now = self.reckon(tx).await?;
        let query =
            sql("INSERT INTO jobs (id, kind, owner, payload, priority, state, attempt, failures,
                               failures_most, due_at, cancel, queued_at, touched_at)
             VALUES ($1, $2, $3, '{}', 0, 'queued', 0, 0, $4, $5, 0, $5, $5)
             ON CONFLICT (id) DO UPDATE SET state = 'queued', failures = 0, error = NULL,
                 cancel = 0, due_at = excluded.due_at, touched_at = excluded.touched_at
             WHERE jobs.state <> 'leased'");
        let job = job_id(id);
        let query = query.bind(&job).bind(WATCH).bind(owner).bind(FAILURES_MOST);
        tx.execute(query.bind(now)).await.map(drop)
    }

    /// A watch.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn watch(&self, id: WatchId) -> Result<Option<Watch>, StoreError> {
        let mut tx = self.read().await?;
        let row = tx.maybe(sql(select_watches!("WHERE w.id = $1")).bind(id)).await?;
        row.map(|row| read(&row).map_err(|error| tx.unreadable(&error))).transpose()
    }

    /// Watches after one of them, in the order of their ids.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn watches(&self, after: WatchId, limit: i64) -> Result<Vec<Watch>, StoreError> {
        let mut tx = self.read().await?;
        let query = sql(select_watches!("WHERE w.id > $1 ORDER BY w.id LIMIT $2"));
        let rows = tx.all(query.bind(after).bind(limit.clamp(0, WATCHES_MOST))).await?;
        rows.iter().map(read).collect::<Result<_, _>>().map_err(|error| tx.unreadable(&error))
    }

    /// Changes a watch. Pausing it leaves a run that is in progress to its end, but asks no more;
    /// going on makes it due at once. Gives `false` if there is none of this id.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn change_watch(&self, id: WatchId, change: WatchChange) -> Result<bool, StoreError> {
        let mut tx = self.write().await?;
        let query = sql("UPDATE watches SET every_ms = coalesce($2, every_ms),
                                            paused = coalesce($3, paused)
                         WHERE id = $1 RETURNING owner");
        let query = query.bind(id).bind(change.every.map(millis));
        let row = tx.maybe(query.bind(change.paused.map(i64::from))).await?;
        let owner = row.map(|row| row.get::<String>("owner")).transpose();
        let Some(owner) = owner.map_err(|error| tx.unreadable(&error))? else {
            tx.undo().await?;
            return Ok(false);
        };
        match change.paused {
            Some(true) => {
                let query = sql("UPDATE jobs SET state = 'cancelled', lease_until = NULL
                                 WHERE id = $1");
                tx.execute(query.bind(&job_id(id))).await?;
            }
            Some(false) => self.queue_turn(&mut tx, id, &owner).await?,
            None => {}
        }
        self.commit_and_call(tx).await?;
        Ok(true)
    }

    /// Makes a watch due at once, paused or not. Gives `false` if there is none of this id.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn watch_now(&self, id: WatchId) -> Result<bool, StoreError> {
        let Some(watch) = self.watch(id).await? else { return Ok(false) };
        let mut tx = self.write().await?;
        self.queue_turn(&mut tx, id, &watch.owner).await?;
        self.commit_and_call(tx).await?;
        Ok(true)
    }

    /// Removes a watch with what its turns brought; its runs stay. Gives `false` if there is none of this
    /// id.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn remove_watch(&self, id: WatchId) -> Result<bool, StoreError> {
        let mut tx = self.write().await?;
        tx.execute(sql("DELETE FROM jobs WHERE id = $1").bind(&job_id(id))).await?;
        let rows = tx.execute(sql("DELETE FROM watches WHERE id = $1").bind(id)).await?;
        tx.commit().await?;
        Ok(rows == 1)
    }
}

fn read(row: &Row) -> Result<Watch, ColumnError> {
    let at = |column| Ok::<_, ColumnError>(row.get::<Option<i64>>(column)?.map(Timestamp));
    Ok(Watch {
        id: row.get("id")?,
        owner: row.get("owner")?,
        question: row.get("question")?,
        ask: row.get("ask")?,
        every_ms: row.get("every_ms")?,
        paused: row.get::<i64>("paused")? != 0,
        added_at: Timestamp(row.get("added_at")?),
        pending_run: row.get("pending_run")?,
        last_run: row.get("last_run")?,
        last_at: at("last_at")?,
        changed_at: at("changed_at")?,
        next_at: at("next_at")?,
    })
}
