//! Writes steps of journals to a server in one exchange, over a connection that is kept for them.
//!
//! A transaction takes six or more exchanges: is the connection alive, begin, is the lease held, touch the run, insert,
//! commit. Until the last one an answer that was paid for is lost with the process, so one statement does all of it.

use std::time::{Duration, Instant};

use probity_core::RunId;
use sqlx::Connection as _;
use sqlx::postgres::{PgConnectOptions, PgConnection};
use tokio::sync::{Mutex, MutexGuard};

use super::{ACQUIRE_TIME, RENEWED};
use crate::queue::Fence;
use crate::runs::JournalEntry;

/// A connection that was not used for so long is tried before something is paid for.
const TRIED: Duration = Duration::from_secs(5);

/// Steps that are not there yet get the next numbers, if the lease is held; without one, its job is empty.
///
/// A lease cannot be taken away before this ends. The run's row is locked before anything is inserted, as in a transaction
/// of its own: in any other order the two would wait for each other. Of two that write to the same run at the same moment
/// one fails, since each sees the numbers as they were when it began.
const INSERT: &str = "WITH held AS (
        SELECT 1 FROM jobs
        WHERE id = $3 AND worker = $4 AND attempt = $5 AND state = 'leased'
            AND lease_until > CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)
        FOR SHARE
    ), touched AS (
        UPDATE runs SET touched_at = $2 WHERE id = $1 AND ($3 = '' OR EXISTS (SELECT 1 FROM held))
        RETURNING id
    )
    INSERT INTO journal (run_id, seq, step_key, kind, inputs, output, digest, at, millis)
    SELECT $1, (SELECT coalesce(max(seq), 0) FROM journal WHERE run_id = $1)
               + row_number() OVER (ORDER BY place),
           step_key, kind, inputs, output, digest, at, millis
    FROM unnest(CAST($6 AS TEXT[]), CAST($7 AS TEXT[]), CAST($8 AS TEXT[]), CAST($9 AS TEXT[]),
                CAST($10 AS TEXT[]), CAST($11 AS BIGINT[]), CAST($12 AS BIGINT[]))
         WITH ORDINALITY AS step (step_key, kind, inputs, output, digest, at, millis, place)
    WHERE EXISTS (SELECT 1 FROM touched)
        AND NOT EXISTS (SELECT 1 FROM journal known
                        WHERE known.run_id = $1 AND known.step_key = step.step_key)";

/// What is written: the steps of a run.
pub(crate) struct Steps<'a> {
    pub(crate) run: &'a RunId,
    pub(crate) entries: &'a [&'a JournalEntry],
    /// When the run was touched.
    pub(crate) now: i64,
    /// The lease that the write depends on.
    pub(crate) fence: Option<&'a Fence>,
}

/// A connection for steps alone, opened when the first one is expected.
#[derive(Debug)]
pub(crate) struct StepLine {
    options: PgConnectOptions,
    open: Mutex<Option<Open>>,
}

#[derive(Debug)]
struct Open {
    connection: PgConnection,
    since: Instant,
    used: Instant,
}

impl StepLine {
    pub(crate) fn new(options: PgConnectOptions) -> Self {
        Self { options, open: Mutex::default() }
    }

    /// Opens the connection if there is none and tries it if it was idle, so that the next step need not.
    pub(crate) async fn ready(&self) -> Result<(), sqlx::Error> {
        // Whoever holds it does the same.
        let Ok(mut place) = self.open.try_lock() else { return Ok(()) };
        let mut open = match take(&mut place) {
            Some(open) if open.used.elapsed() < TRIED => {
                *place = Some(open);
                return Ok(());
            }
            Some(open) => open,
            None => {
                let connection = in_time(PgConnection::connect_with(&self.options)).await?;
                Open { connection, since: Instant::now(), used: Instant::now() }
            }
        };
        // No step at all: the server parses the statement and does nothing.
        let none = Steps { run: &RunId::default(), entries: &[], now: 0, fence: None };
        in_time(insert(&mut open.connection, &none)).await?;
        *place = Some(Open { used: Instant::now(), ..open });
        Ok(())
    }

    /// Writes steps. Gives how many were written; none at all where the connection is not there or not free.
    pub(crate) async fn write(&self, steps: &Steps<'_>) -> Result<Option<u64>, sqlx::Error> {
        let Ok(mut place) = self.open.try_lock() else { return Ok(None) };
        let Some(mut open) = take(&mut place) else { return Ok(None) };
        // What fails here or is cut off has lost its place: another is opened for the next step.
        let written = in_time(insert(&mut open.connection, steps)).await?;
        *place = Some(Open { used: Instant::now(), ..open });
        Ok(Some(written))
    }

    pub(crate) async fn close(&self) {
        if let Some(open) = self.open.lock().await.take() {
            let _ = open.connection.close().await;
        }
    }
}

fn take(place: &mut MutexGuard<'_, Option<Open>>) -> Option<Open> {
    place.take().filter(|open| open.since.elapsed() < RENEWED)
}

/// A server that does not answer over this connection may over another.
async fn in_time<T>(
    asking: impl Future<Output = Result<T, sqlx::Error>>,
) -> Result<T, sqlx::Error> {
    let answer = tokio::time::timeout(ACQUIRE_TIME, asking).await;
    answer.unwrap_or(Err(sqlx::Error::PoolTimedOut))
}

async fn insert(connection: &mut PgConnection, steps: &Steps<'_>) -> Result<u64, sqlx::Error> {
    let texts = |read: fn(&JournalEntry) -> &str| -> Vec<&str> {
        steps.entries.iter().map(|entry| read(entry)).collect()
    };
    let numbers = |read: fn(&JournalEntry) -> i64| -> Vec<i64> {
        steps.entries.iter().map(|entry| read(entry)).collect()
    };
    let (job, worker, attempt) = match steps.fence {
        Some(fence) => (fence.job.as_str(), fence.worker.as_str(), fence.attempt),
        None => ("", "", 0),
    };
    let query = sqlx::query(INSERT).bind(steps.run.as_str()).bind(steps.now);
    let query = query.bind(job).bind(worker).bind(attempt);
    let query = query.bind(texts(|entry| &entry.key)).bind(texts(|entry| &entry.kind));
    let query = query.bind(texts(|entry| &entry.inputs)).bind(texts(|entry| &entry.output));
    let query = query.bind(texts(|entry| &entry.digest)).bind(numbers(|entry| entry.at.0));
    let done = query.bind(numbers(|entry| entry.millis)).execute(connection).await?;
    Ok(done.rows_affected())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use probity_core::{Secret, Timestamp};
    use probity_testkit::postgres::TestDatabase;
    use sqlx::Executor as _;

    use super::*;
    use crate::queue::{NewJob, QueueLimits, RESEARCH};
    use crate::{Location, NewRun, Store, StoreError, StoreOptions};

    const SOON: Duration = Duration::from_secs(5);
    const LIMITS: QueueLimits = QueueLimits { open: 10, open_per_owner: 10 };

    fn step(key: &str) -> JournalEntry {
        let text = || format!("\"{key}\"");
        let (kind, digest) = ("model".to_owned(), JournalEntry::digest_of(&text()));
        let (inputs, output, at) = (text(), text(), Timestamp(5));
        JournalEntry { key: key.to_owned(), kind, inputs, output, digest, at, millis: 7 }
    }

    /// A store with a run, whose connection for steps is open.
    async fn store(database: &TestDatabase, connections: u32) -> Store {
        let location = Location::Postgres(Secret::new(database.url()));
        let options = StoreOptions { connections, ..StoreOptions::default() };
        let store = Store::open_with(&location, &options).await.unwrap();
        let asked_at = Timestamp(1);
        let run = NewRun {
            id: &"run".into(),
            question: "How loud?",
            mode: "quick",
            spec: "{}",
            asked_at,
        };
        store.create_run(&run).await.unwrap();
        line(&store).ready().await.unwrap();
        store
    }

    fn line(store: &Store) -> Arc<StepLine> {
        Arc::clone(store.step_line().unwrap().0)
    }

    async fn keys(store: &Store) -> Vec<String> {
        store.journal(&"run".into()).await.unwrap().into_iter().map(|step| step.key).collect()
    }

    #[tokio::test]
    async fn a_step_is_written_while_every_other_connection_is_busy() {
        let Some(database) = TestDatabase::create().await else { return };
        let store = store(&database, 2).await;
        let busy = store.read().await.unwrap();
        let (one, two) = (step("one"), step("two"));
        for step in [&one, &two] {
            let written = tokio::time::timeout(SOON, store.append_step(&"run".into(), step)).await;
            written.expect("the step waits for another connection").unwrap();
        }
        drop(busy);
        assert_eq!(store.journal(&"run".into()).await.unwrap(), [one, two]);
        let run = store.run(&"run".into()).await.unwrap().unwrap();
        assert!(run.summary.touched_at > Timestamp(1));
    }

    #[tokio::test]
    async fn what_is_there_already_stays_and_the_rest_gets_the_next_numbers() {
        let Some(database) = TestDatabase::create().await else { return };
        let store = store(&database, 4).await;
        let (one, two, three) = (step("one"), step("two"), step("three"));
        let write = async |entries: &[&JournalEntry]| {
            let steps = Steps { run: &"run".into(), entries, now: 9, fence: None };
            line(&store).write(&steps).await.unwrap()
        };
        assert_eq!(write(&[&one]).await, Some(1));
        assert_eq!(write(&[&two, &one, &three]).await, Some(2));
        assert_eq!(write(&[&three]).await, Some(0));
        store.append_step(&"run".into(), &one).await.unwrap();
        store.append_step(&"run".into(), &step("four")).await.unwrap();
        assert_eq!(keys(&store).await, ["one", "two", "three", "four"]);
    }

    #[tokio::test]
    async fn without_its_lease_nothing_is_written() {
        let Some(database) = TestDatabase::create().await else { return };
        let store = store(&database, 4).await;
        let (id, kind, owner, payload) = ("run", RESEARCH, "ada", "{}");
        let (priority, after, failures_most) = (0, Duration::ZERO, 3);
        let job = NewJob { id, kind, owner, payload, priority, after, failures_most };
        store.enqueue(&job, LIMITS).await.unwrap();
        let claim = async |lease| store.claim("w", &[RESEARCH], lease).await.unwrap().unwrap();
        let slow = claim(Duration::from_secs(60)).await;
        let held = store.fenced(slow.fence.clone());
        let write = async |entry: &JournalEntry| {
            let steps =
                Steps { run: &"run".into(), entries: &[entry], now: 9, fence: Some(&slow.fence) };
            line(&store).write(&steps).await.unwrap()
        };
        assert_eq!(write(&step("one")).await, Some(1));
        held.append_step(&"run".into(), &step("two")).await.unwrap();
        store.heartbeat(&slow.fence, Duration::ZERO).await.unwrap();
        assert_eq!(write(&step("three")).await, Some(0), "the lease ran out");
        claim(Duration::from_secs(60)).await;
        assert_eq!(write(&step("three")).await, Some(0), "another has it");
        let refused = held.append_step(&"run".into(), &step("three")).await;
        assert!(matches!(refused, Err(StoreError::Fenced { .. })), "{refused:?}");
        assert_eq!(keys(&store).await, ["one", "two"]);
    }

    #[tokio::test]
    async fn a_connection_that_was_cut_costs_no_step() {
        let Some(database) = TestDatabase::create().await else { return };
        let store = store(&database, 4).await;
        store.append_step(&"run".into(), &step("one")).await.unwrap();
        let mut other = PgConnection::connect(&database.url()).await.unwrap();
        let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                   WHERE datname = current_database() AND pid <> pg_backend_pid()";
        other.execute(cut).await.unwrap();
        store.append_step(&"run".into(), &step("two")).await.unwrap();
        line(&store).ready().await.unwrap();
        assert!(line(&store).open.lock().await.is_some(), "there is a new one");
        store.append_step(&"run".into(), &step("three")).await.unwrap();
        assert_eq!(keys(&store).await, ["one", "two", "three"]);
        store.close().await;
        assert!(line(&store).open.lock().await.is_none());
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_step_waits_for_a_transaction_on_its_run_and_not_the_other_way_round() {
        let Some(database) = TestDatabase::create().await else { return };
        let store = store(&database, 4).await;
        let mut other = PgConnection::connect(&database.url()).await.unwrap();
        let mut tx = other.begin().await.unwrap();
        // If the two waited for each other, this one would be ended.
        tx.execute("SET LOCAL deadlock_timeout = '1ms'").await.unwrap();
        tx.execute("UPDATE runs SET touched_at = 2 WHERE id = 'run'").await.unwrap();
        let writing = tokio::spawn({
            let store = store.clone();
            async move { store.append_step(&"run".into(), &step("mine")).await }
        });
        let waiting = "SELECT 1 FROM pg_stat_activity
                       WHERE datname = current_database() AND wait_event_type = 'Lock'";
        let mut watch = PgConnection::connect(&database.url()).await.unwrap();
        while watch.fetch_optional(waiting).await.unwrap().is_none() {
            tokio::task::yield_now().await;
        }
        let theirs =
            "INSERT INTO journal (run_id, seq, step_key, kind, inputs, output, digest, at, millis)
                      VALUES ('run', 1, 'theirs', 'model', '', '', '', 5, 7)";
        tx.execute(theirs).await.unwrap();
        tx.commit().await.unwrap();
        writing.await.unwrap().unwrap();
        let mut tx = store.read().await.unwrap();
        let numbers = crate::sql::sql("SELECT step_key FROM journal ORDER BY seq");
        let kept = tx.all(numbers).await.unwrap();
        let kept: Vec<String> = kept.iter().map(|row| row.get("step_key").unwrap()).collect();
        assert_eq!(kept, ["theirs", "mine"]);
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn two_processes_that_write_to_one_run_lose_nothing() {
        let Some(database) = TestDatabase::create().await else { return };
        let stores = [store(&database, 4).await, store(&database, 4).await];
        let write = async |number: usize| {
            for count in 0..20 {
                let store = &stores[number];
                store
                    .append_step(&"run".into(), &step(&format!("{number}-{count}")))
                    .await
                    .unwrap();
                // Both at the same step now and then.
                store.append_step(&"run".into(), &step(&format!("both-{count}"))).await.unwrap();
                store.expect_step();
            }
        };
        tokio::join!(write(0), write(1));
        let kept = keys(&stores[0]).await;
        assert_eq!(kept.len(), 60, "{kept:?}");
        let mut tx = stores[0].read().await.unwrap();
        let last = tx.maybe(crate::sql::sql("SELECT max(seq) AS last FROM journal")).await.unwrap();
        assert_eq!(last.unwrap().get::<i64>("last").unwrap(), 60, "numbers have gaps");
    }
}
