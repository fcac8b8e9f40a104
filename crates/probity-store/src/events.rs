//! What happened in a run, kept so that any process can show it: now, later, and to many at once.
//!
//! ```text
//! worker → append (under its fence) → run_events → follow → every watcher, in any process
//! ```
//!
//! The events of a run are numbered from 1 without a gap, so a number is a place to come back to.
//! The last one is of the kind `end`; it is written together with the run's end.

mod feed;

use probity_core::{RunId, Timestamp};
use serde::{Deserialize, Serialize};

use crate::sql::{ColumnError, Row, sql};
use crate::tx::{Script, Tx};
use crate::{Ending, RunStatus, Store, StoreError, runs};

pub use feed::Feed;
pub(crate) use feed::Hub;

/// The most events that one page gives.
pub const PAGE_EVENTS: i64 = 500;
/// The kind of the event after which nothing follows.
pub const END: &str = "end";
/// The kind of the event that takes the place of an end when a run continues after all.
pub const RESUMED: &str = "resumed";

/// How many runs lose their events in one transaction.
const FORGET_RUNS: i64 = 200;

/// Runs that ended long ago and still have events, found by their first event, so that those which
/// have none any more cost nothing. A run that is being resumed just now is left alone.
const FORGETTABLE: Script = Script {
    sqlite: "SELECT e.at, e.run_id FROM run_events e JOIN runs r ON r.id = e.run_id
             WHERE e.seq = 1 AND e.at < $1 AND (e.at, e.run_id) > ($2, $3)
               AND r.touched_at < $1 AND r.status <> 'running'
             ORDER BY e.at, e.run_id LIMIT $4",
    postgres: "SELECT e.at, e.run_id FROM run_events e JOIN runs r ON r.id = e.run_id
               WHERE e.seq = 1 AND e.at < $1 AND (e.at, e.run_id) > ($2, $3)
                 AND r.touched_at < $1 AND r.status <> 'running'
               ORDER BY e.at, e.run_id LIMIT $4 FOR UPDATE OF r SKIP LOCKED",
};

/// Forgets the events of a JSON list of runs.
const FORGET: Script = Script {
    sqlite: "DELETE FROM run_events WHERE run_id IN (SELECT value FROM json_each($1))",
    postgres: "DELETE FROM run_events
               WHERE run_id IN (SELECT json_array_elements_text(CAST($1 AS JSON)))",
};

/// An event to be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEvent {
    /// What kind of event it is, by name.
    pub kind: String,
    /// The event as JSON.
    pub event: String,
}

/// An event that was kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunEvent {
    /// Its place in the run's stream, from 1.
    pub seq: i64,
    /// What kind of event it is, by name.
    pub kind: String,
    /// The event as JSON.
    pub event: String,
    /// When it was kept.
    pub at: Timestamp,
}

impl Store {
    /// Keeps events of a run that come after this many. Doing it again changes nothing, so a caller
    /// that does not know whether it was done repeats it.
    ///
    /// # Errors
    /// When the store fails, or the lease was lost.
    pub async fn append_events(
        &self,
        run: &RunId,
        after: i64,
        events: &[NewEvent],
    ) -> Result<(), StoreError> {
        let mut tx = self.write().await?;
        insert(self, &mut tx, run, after, events).await?;
        self.commit_and_tell(tx, run).await
    }

    /// The events of a run after a place, in order, a page of at most [`PAGE_EVENTS`].
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn events_after(
        &self,
        run: &RunId,
        seq: i64,
        limit: i64,
    ) -> Result<Vec<RunEvent>, StoreError> {
        let mut tx = self.read().await?;
        let query = sql("SELECT seq, kind, event, at FROM run_events
                         WHERE run_id = $1 AND seq > $2 ORDER BY seq LIMIT $3");
        let query = query.bind(run).bind(seq).bind(limit.clamp(0, PAGE_EVENTS));
        let rows = tx.all(query).await?;
        rows.iter().map(event).collect::<Result<_, _>>().map_err(|error| tx.unreadable(&error))
    }

    /// Forgets the events of runs that ended before an instant; their reports and journals stay.
    /// Gives how many were forgotten. Runs are taken a few at a time, each few in a transaction
    /// of their own, so that no one waits long and what is done stays done.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn forget_events(&self, before: Timestamp) -> Result<u64, StoreError> {
        let (mut forgotten, mut seen) = (0, (i64::MIN, String::new()));
        loop {
            let mut tx = self.write().await?;
            let query = sql(tx.choose(FORGETTABLE)).bind(before.0).bind(seen.0).bind(&seen.1);
            let rows = tx.all(query.bind(FORGET_RUNS)).await?;
            let read = |row: &Row| Ok((row.get::<i64>("at")?, row.get::<String>("run_id")?));
            let runs = rows.iter().map(read).collect::<Result<Vec<_>, _>>();
            let runs = runs.map_err(|error| tx.unreadable(&error))?;
            let ids: Vec<&str> = runs.iter().map(|(_, run)| run.as_str()).collect();
            let ids = serde_json::to_string(&ids).unwrap_or_else(|_| "[]".to_owned());
            forgotten += tx.execute(sql(tx.choose(FORGET)).bind(&ids)).await?;
            tx.commit().await?;
            match runs.into_iter().next_back() {
                Some(last) => seen = last,
                None => return Ok(forgotten),
            }
        }
    }

    /// Whether more may still happen in a run: it is in progress, or waits to be.
    pub(crate) async fn goes_on(&self, run: &RunId) -> Result<bool, StoreError> {
        let mut tx = self.read().await?;
        let query = sql("SELECT id FROM runs WHERE id = $1 AND (status = 'running' OR EXISTS (
                             SELECT 1 FROM jobs WHERE id = $1 AND state IN ('queued', 'leased')))");
        Ok(tx.maybe(query.bind(run)).await?.is_some())
    }
}

/// How many events a run has.
pub(crate) async fn count(tx: &mut Tx, run: &RunId) -> Result<i64, StoreError> {
    let query = sql("SELECT coalesce(max(seq), 0) AS last FROM run_events WHERE run_id = $1");
    let row = tx.maybe(query.bind(run)).await?;
    let last = row.map(|row| row.get::<i64>("last")).transpose();
    Ok(last.map_err(|error| tx.unreadable(&error))?.unwrap_or(0))
}

pub(crate) async fn insert(
    store: &Store,
    tx: &mut Tx,
    run: &RunId,
    after: i64,
    events: &[NewEvent],
) -> Result<(), StoreError> {
    let now = store.clock().now().0;
    for (seq, event) in (after.saturating_add(1)..).zip(events) {
        let query = sql("INSERT INTO run_events (run_id, seq, kind, event, at)
                         VALUES ($1, $2, $3, $4, $5) ON CONFLICT (run_id, seq) DO NOTHING");
        let query = query.bind(run).bind(seq).bind(&event.kind).bind(&event.event);
        tx.execute(query.bind(now)).await?;
    }
    Ok(())
}

/// Ends a run that no worker will end: with an error, and with the end of its stream.
pub(crate) async fn close(
    store: &Store,
    tx: &mut Tx,
    run: &RunId,
    status: RunStatus,
    why: &str,
) -> Result<(), StoreError> {
    let open = sql("SELECT id FROM runs WHERE id = $1 AND status = 'running'");
    if tx.maybe(open.bind(run)).await?.is_none() {
        return Ok(());
    }
    let ending = Ending { status, decision: None, title: None, report: None, error: Some(why) };
    runs::end(tx, run, &ending, store.clock().now()).await?;
    let after = count(tx, run).await?;
    insert(store, tx, run, after, &closing(why)).await
}

/// How a stream ends without a report.
pub fn closing(why: &str) -> [NewEvent; 2] {
    let error = serde_json::json!({ "event": "error", "message": why });
    [
        NewEvent { kind: "error".to_owned(), event: error.to_string() },
        NewEvent { kind: END.to_owned(), event: "{\"event\":\"end\"}".to_owned() },
    ]
}

/// Takes the end of a stream back, in its place: numbers that were given are never given again.
pub(crate) async fn reopen(tx: &mut Tx, run: &RunId) -> Result<(), StoreError> {
    let query = sql("UPDATE run_events SET kind = $2, event = $3
                     WHERE run_id = $1 AND kind = $4");
    let query = query.bind(run).bind(RESUMED).bind("{\"event\":\"resumed\"}").bind(END);
    tx.execute(query).await.map(drop)
}

fn event(row: &Row) -> Result<RunEvent, ColumnError> {
    Ok(RunEvent {
        seq: row.get("seq")?,
        kind: row.get("kind")?,
        event: row.get("event")?,
        at: Timestamp(row.get("at")?),
    })
}
