//! A turn of a watch: its run in progress, and its result.

use probity_core::{RunId, Timestamp, WatchId};
use serde::Serialize;

use crate::sql::{ColumnError, Row, sql};
use crate::{Store, StoreError};

/// How many turns of a watch are kept.
const TURNS_KEPT: i64 = 500;
/// The longest account of what went wrong that is kept, in characters.
const PROBLEM_CHARS: usize = 500;

/// What a turn came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// It was the first: there is nothing to compare it with.
    First,
    /// Nothing that affects the answer changed.
    Same,
    /// Something did.
    Changed,
    /// The run failed, or could not be asked.
    Failed,
}

impl Outcome {
    const ALL: [Self; 4] = [Self::First, Self::Same, Self::Changed, Self::Failed];

    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Same => "same",
            Self::Changed => "changed",
            Self::Failed => "failed",
        }
    }
}

/// A turn about to be written down.
#[derive(Debug, Clone, Copy)]
pub struct EndedTurn<'a> {
    /// The watch.
    pub watch: WatchId,
    /// Its run.
    pub run: Option<&'a RunId>,
    /// The run that it was compared with.
    pub before: Option<&'a str>,
    /// What it came to.
    pub outcome: Outcome,
    /// What is new, as JSON.
    pub novelty: Option<&'a str>,
    /// What went wrong.
    pub problem: Option<&'a str>,
}

/// A turn as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Turn {
    /// Its id: the later, the higher, over all watches.
    pub id: i64,
    /// The watch.
    pub watch: WatchId,
    /// Its run.
    pub run: Option<RunId>,
    /// The run that it was compared with.
    pub before: Option<String>,
    /// When it ended.
    pub at: Timestamp,
    /// What it came to.
    pub outcome: Outcome,
    /// What is new, as JSON.
    #[serde(skip)]
    pub novelty: Option<String>,
    /// What went wrong.
    pub problem: Option<String>,
}

impl Store {
    /// Says which run is in progress for a watch, or that none is.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn pend_watch(&self, id: WatchId, run: Option<&RunId>) -> Result<(), StoreError> {
        let mut tx = self.write().await?;
        let query = sql("UPDATE watches SET pending_run = $2 WHERE id = $1");
        tx.execute(query.bind(id).bind(run)).await?;
        tx.commit().await
    }

    /// Writes down what a turn came to; the watch has no run in progress after that.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn end_turn(&self, turn: &EndedTurn<'_>) -> Result<(), StoreError> {
        let mut tx = self.write().await?;
        let now = self.clock().now().0;
        let problem: Option<String> =
            turn.problem.map(|problem| problem.chars().take(PROBLEM_CHARS).collect());
        let query = sql("INSERT INTO watch_turns
                             (watch_id, run_id, before_run, at, outcome, novelty, problem)
                         SELECT id, $2, $3, $4, $5, $6, $7 FROM watches WHERE id = $1");
        let query = query.bind(turn.watch).bind(turn.run).bind(turn.before).bind(now);
        let query = query.bind(turn.outcome.as_str()).bind(turn.novelty);
        tx.execute(query.bind(problem.as_deref())).await?;
        let ended = turn.outcome != Outcome::Failed;
        let query = sql("UPDATE watches SET pending_run = NULL, last_at = $2,
                             last_run = CASE WHEN $3 = 1 THEN $4 ELSE last_run END,
                             changed_at = CASE WHEN $5 = 1 THEN $2 ELSE changed_at END
                         WHERE id = $1");
        let query = query.bind(turn.watch).bind(now).bind(i64::from(ended)).bind(turn.run);
        tx.execute(query.bind(i64::from(turn.outcome == Outcome::Changed))).await?;
        let old = sql("DELETE FROM watch_turns WHERE watch_id = $1 AND id <= (
                           SELECT id FROM watch_turns WHERE watch_id = $1
                           ORDER BY id DESC LIMIT 1 OFFSET $2)");
        tx.execute(old.bind(turn.watch).bind(TURNS_KEPT)).await?;
        tx.commit().await
    }

    /// The turns of a watch, the latest first.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn turns(&self, watch: WatchId, limit: i64) -> Result<Vec<Turn>, StoreError> {
        let mut tx = self.read().await?;
        let query = sql("SELECT id, watch_id, run_id, before_run, at, outcome, novelty, problem
                         FROM watch_turns WHERE watch_id = $1 ORDER BY id DESC LIMIT $2");
        let rows = tx.all(query.bind(watch).bind(limit.clamp(0, TURNS_KEPT))).await?;
        rows.iter().map(read).collect::<Result<_, _>>().map_err(|error| tx.unreadable(&error))
    }

    /// The turns of all watches after a place, in the order in which they ended.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn turns_after(&self, place: i64, limit: i64) -> Result<Vec<Turn>, StoreError> {
        let mut tx = self.read().await?;
        let query = sql("SELECT id, watch_id, run_id, before_run, at, outcome, novelty, problem
                         FROM watch_turns WHERE id > $1 ORDER BY id LIMIT $2");
        let rows = tx.all(query.bind(place).bind(limit.clamp(0, TURNS_KEPT))).await?;
        rows.iter().map(read).collect::<Result<_, _>>().map_err(|error| tx.unreadable(&error))
    }
}

fn read(row: &Row) -> Result<Turn, ColumnError> {
    let outcome: String = row.get("outcome")?;
    let known = Outcome::ALL.into_iter().find(|known| known.as_str() == outcome);
    let unknown = || ColumnError::new("outcome", format!("is `{outcome}`"));
    Ok(Turn {
        id: row.get("id")?,
        watch: row.get("watch_id")?,
        run: row.get("run_id")?,
        before: row.get("before_run")?,
        at: Timestamp(row.get("at")?),
        outcome: known.ok_or_else(unknown)?,
        novelty: row.get("novelty")?,
        problem: row.get("problem")?,
    })
}
