//! Nothing that happens often reads a whole table, however much there is.

use std::time::Duration;

use probity_core::Timestamp;
use probity_store::events::NewEvent;
use probity_store::queue::{JobEnd, QueueLimits, RESEARCH, RunJob};
use probity_store::{Ending, JournalEntry, Location, RunQuery, RunStatus, Store};
use sqlx::{Connection as _, Row as _};

use crate::place::{Place, new_run};

/// Finished runs, each with steps, events and a job; more of them where a measurement asks for it.
fn fill(runs: usize) -> String {
    FILL.replace("8000", &runs.to_string())
}

const FILL: &str = "
    INSERT INTO runs (id, question, mode, status, spec, asked_at, touched_at)
        SELECT 'old-' || n, 'q', 'quick', 'finished', '{}', n, n FROM generate_series(1, 8000) n;
    INSERT INTO journal (run_id, seq, step_key, kind, inputs, output, digest, at, millis)
        SELECT 'old-' || n, s, 'k' || s, 'search', '1', '2', 'd', n, 1
        FROM generate_series(1, 8000) n, generate_series(1, 5) s;
    INSERT INTO run_events (run_id, seq, kind, event, at)
        SELECT 'old-' || n, s, 'step', '{}', n
        FROM generate_series(1, 8000) n, generate_series(1, 10) s;
    INSERT INTO jobs (id, kind, owner, payload, priority, state, attempt, failures, failures_most,
                      due_at, lease_until, cancel, queued_at, touched_at)
        SELECT 'old-' || n, 'research', 'o' || (n % 50), '{}', 0, 'done', 1, 0, 8, n, NULL, 0, n, n
        FROM generate_series(1, 8000) n;
    ANALYZE";

const TABLES: [&str; 4] = ["runs", "journal", "run_events", "jobs"];

/// How often each table was read from one end to the other, and how often by an index.
async fn scans(url: &str) -> Vec<(i64, i64)> {
    let mut connection = sqlx::PgConnection::connect(url).await.unwrap();
    let mut scans = Vec::new();
    for table in TABLES {
        let row = sqlx::query(
            "SELECT seq_scan, coalesce(idx_scan, 0) FROM pg_stat_user_tables WHERE relname = $1",
        )
        .bind(table)
        .fetch_one(&mut connection)
        .await
        .unwrap();
        scans.push((row.get(0), row.get(1)));
    }
    scans
}

const ROUNDS: u32 = 3;

/// Whatever happens all the time: asking, working, watching, looking.
async fn work_of_a_moment(store: &Store, n: u32) {
    let limits = QueueLimits { open: 100, open_per_owner: 100 };
    let (id, off) = (format!("new-{n}"), format!("off-{n}"));
    for id in [&id, &off] {
        let id_of_run = id.as_str().into();
        store.enqueue_run(&new_run(&id_of_run, 1), &RunJob::of("ada"), limits).await.unwrap();
        store.queue_place(id).await.unwrap().unwrap();
    }
    store.cancel(&off).await.unwrap();
    let taken = store.claim("w", &[RESEARCH], Duration::from_secs(60)).await.unwrap().unwrap();
    assert_eq!(taken.fence.job, id);
    store.heartbeat(&taken.fence, Duration::from_secs(60)).await.unwrap();
    let worker = store.fenced(taken.fence.clone());
    let step = JournalEntry {
        key: "k".to_owned(),
        kind: "search".to_owned(),
        inputs: "1".to_owned(),
        output: "2".to_owned(),
        digest: "d".to_owned(),
        at: Timestamp(2),
        millis: 1,
    };
    worker.append_step(&id.as_str().into(), &step).await.unwrap();
    let event = |kind: &str| NewEvent { kind: kind.to_owned(), event: "{}".to_owned() };
    worker.append_events(&id.as_str().into(), 0, &[event("start")]).await.unwrap();
    let ending = Ending {
        status: RunStatus::Finished,
        decision: None,
        title: None,
        report: None,
        error: None,
    };
    let last = [event("report"), event("end")];
    assert!(worker.settle_run(&taken.fence, &ending, &last, JobEnd::Done).await.unwrap());
    store.events_after(&"old-17".into(), 3, 100).await.unwrap();
    store.journal(&"old-17".into()).await.unwrap();
    store.run(&"old-17".into()).await.unwrap().unwrap();
    store.job("old-17").await.unwrap().unwrap();
    store.runs(&RunQuery { limit: Some(50), ..RunQuery::default() }).await.unwrap();
}

#[tokio::test]
async fn the_work_of_every_moment_goes_by_index() {
    let places = Place::on_each_engine().await;
    let Some(place) = places.into_iter().find(|place| !place.is_sqlite()) else { return };
    let Location::Postgres(url) = &place.location else { panic!("not a server") };
    let store = place.open().await;
    let runs = std::env::var("PROBITY_TEST_ROWS").ok().and_then(|rows| rows.parse().ok());
    place.raw(&fill(runs.unwrap_or(8_000))).await.unwrap();
    store.close().await;
    let before = scans(url.expose()).await;

    let store = place.open().await;
    let began = std::time::Instant::now();
    for n in 0..ROUNDS {
        work_of_a_moment(&store, n).await;
    }
    if runs.is_some() {
        let each = began.elapsed().as_secs_f64() * 1e3 / f64::from(ROUNDS);
        println!("{runs:?} runs: {each:.1} ms for all that a run of one step asks of the store");
    }
    // Connections that end hand their counts in.
    store.close().await;
    let after = loop {
        let after = scans(url.expose()).await;
        let counted = after.iter().zip(&before).all(|(after, before)| after.1 > before.1);
        if counted {
            break after;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    for ((table, after), before) in TABLES.iter().zip(after).zip(before) {
        assert_eq!(after.0, before.0, "the whole of {table} was read");
    }
}
