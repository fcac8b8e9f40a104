//! Appends steps to journals. Steps of a run that come at the same time are written together.
//!
//! ```text
//! step → waits in the run's line → one writer (lock, number, insert, commit) → kept
//! ```
//!
//! What was paid for is lost with the process until it is written, so no step waits for more than
//! the write that is in progress and its own.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use probity_core::RunId;
use tokio::runtime::Handle;

use super::JournalEntry;
use crate::postgres::steps::Steps as Together;
use crate::sql::{made_sql, sql};
use crate::{Store, StoreError};

/// The most steps that one transaction writes.
const STEPS_MOST: usize = 16;

/// The lines of the runs that this process writes to.
#[derive(Debug, Default)]
pub(crate) struct Lines(Mutex<HashMap<RunId, Arc<Line>>>);

/// The steps of one run that wait to be written, in the order in which they came.
#[derive(Debug, Default)]
struct Line {
    /// Held by the writer.
    turn: tokio::sync::Mutex<()>,
    steps: Mutex<Steps>,
}

#[derive(Debug, Default)]
struct Steps {
    next: u64,
    waiting: Vec<(u64, Arc<JournalEntry>)>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A place in a line, given up when it is dropped.
struct Place<'a> {
    lines: &'a Lines,
    run: &'a RunId,
    line: Arc<Line>,
    number: u64,
}

impl Lines {
    fn join<'a>(&'a self, run: &'a RunId, entry: &JournalEntry) -> Place<'a> {
        let line = Arc::clone(lock(&self.0).entry(run.to_owned()).or_default());
        let mut steps = lock(&line.steps);
        let number = steps.next;
        steps.next += 1;
        steps.waiting.push((number, Arc::new(entry.clone())));
        drop(steps);
        Place { lines: self, run, line, number }
    }
}

impl Place<'_> {
    fn is_written(&self) -> bool {
        !lock(&self.line.steps).waiting.iter().any(|(number, _)| *number == self.number)
    }

    /// The steps that are next.
    fn batch(&self) -> Vec<(u64, Arc<JournalEntry>)> {
        lock(&self.line.steps).waiting.iter().take(STEPS_MOST).cloned().collect()
    }

    /// The own step alone.
    fn own(&self) -> Vec<(u64, Arc<JournalEntry>)> {
        let steps = lock(&self.line.steps);
        steps.waiting.iter().filter(|(number, _)| *number == self.number).cloned().collect()
    }

    fn wrote(&self, batch: &[(u64, Arc<JournalEntry>)]) {
        let mut steps = lock(&self.line.steps);
        steps.waiting.retain(|(number, _)| !batch.iter().any(|(written, _)| written == number));
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let mut lines = lock(&self.lines.0);
        let mut steps = lock(&self.line.steps);
        steps.waiting.retain(|(number, _)| *number != self.number);
        if steps.waiting.is_empty() {
            lines.remove(self.run);
        }
    }
}

impl Store {
    /// Appends a step to a run's journal. A step that is there already stays as it is.
    ///
    /// It is written on a task of its own: a run that is busy with something else between the statements would
    /// otherwise keep what it has paid for from being written.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn append_step(&self, run: &RunId, entry: &JournalEntry) -> Result<(), StoreError> {
        let (store, run, entry) = (self.clone(), run.to_owned(), entry.clone());
        let writing = tokio::spawn(async move { store.append_in_line(&run, &entry).await });
        writing.await.unwrap_or_else(|_| {
            // The runtime ends, or the task crashed: its result is not known.
            let source = sqlx::Error::WorkerCrashed;
            Err(StoreError::Sql { location: self.location().to_owned(), source })
        })
    }

    /// Makes ready for a step that is still being done, beside it.
    pub fn expect_step(&self) {
        let (Some((line, _)), Ok(runtime)) = (self.step_line(), Handle::try_current()) else {
            return;
        };
        let line = Arc::clone(line);
        runtime.spawn(async move {
            if let Err(error) = line.ready().await {
                tracing::debug!(%error, "there is no connection for steps; they are written over others");
            }
        });
    }

    async fn append_in_line(&self, run: &RunId, entry: &JournalEntry) -> Result<(), StoreError> {
        let place = self.lines().join(run, entry);
        let _turn = place.line.turn.lock().await;
        while !place.is_written() {
            let mut batch = place.batch();
            let mut written = self.write_steps(run, &batch).await;
            // Another's step may be what the store refuses; its caller gets the error.
            if written.is_err() && batch.len() > 1 {
                batch = place.own();
                written = self.write_steps(run, &batch).await;
            }
            written?;
            place.wrote(&batch);
        }
        Ok(())
    }

    async fn write_steps(
        &self,
        run: &RunId,
        steps: &[(u64, Arc<JournalEntry>)],
    ) -> Result<(), StoreError> {
        let fresh = distinct(steps);
        if self.write_at_once(run, &fresh).await {
            return Ok(());
        }
        let mut tx = self.write().await?;
        // The run's row serves as the lock that keeps its steps numbered without gaps.
        let touch = sql("UPDATE runs SET touched_at = $2 WHERE id = $1");
        tx.execute(touch.bind(run).bind(self.clock().now().0)).await?;
        let mut query = made_sql(insertion(fresh.len())).bind(run);
        for (place, entry) in (0..).zip(fresh) {
            query = query.bind(place).bind(&entry.key).bind(&entry.kind).bind(&entry.inputs);
            query = query.bind(&entry.output).bind(&entry.digest).bind(entry.at.0);
            query = query.bind(entry.millis);
        }
        tx.execute(query).await?;
        tx.commit().await
    }

    /// Writes steps in one exchange with the server, where that can be done. If it does not write all of them, for
    /// whatever reason, a transaction does, or says why not.
    async fn write_at_once(&self, run: &RunId, entries: &[&JournalEntry]) -> bool {
        let Some((line, fence)) = self.step_line() else { return false };
        let steps = Together { run, entries, now: self.clock().now().0, fence };
        match line.write(&steps).await {
            Ok(written) => {
                written.and_then(|count| usize::try_from(count).ok()) == Some(entries.len())
            }
            Err(error) => {
                tracing::debug!(%error, %run, "steps were not written at once");
                false
            }
        }
    }
}

/// The steps of a batch, of those with the same key the first.
fn distinct(steps: &[(u64, Arc<JournalEntry>)]) -> Vec<&JournalEntry> {
    let mut fresh: Vec<&JournalEntry> = Vec::with_capacity(steps.len());
    for (_, entry) in steps {
        if !fresh.iter().any(|other| other.key == entry.key) {
            fresh.push(entry);
        }
    }
    fresh
}

/// Values of a step in an insertion: its place among the others, and what its entry holds.
const VALUES: usize = 8;

/// One statement for several steps, since a server is far away: those that are not there yet get the next numbers.
fn insertion(steps: usize) -> String {
    let row = |step: usize| {
        let first = 2 + step * VALUES;
        let values: Vec<String> = (first..first + VALUES).map(|n| format!("${n}")).collect();
        format!("({})", values.join(", "))
    };
    let rows: Vec<String> = (0..steps).map(row).collect();
    format!(
        "INSERT INTO journal (run_id, seq, step_key, kind, inputs, output, digest, at, millis)
         SELECT $1, (SELECT coalesce(max(seq), 0) FROM journal WHERE run_id = $1)
                    + row_number() OVER (ORDER BY column1),
                column2, column3, column4, column5, column6, column7, column8
         FROM (VALUES {}) AS step
         WHERE NOT EXISTS (SELECT 1 FROM journal WHERE run_id = $1 AND step_key = column2)",
        rows.join(", ")
    )
}
