//! Retention: what is old and over goes, a few at a time; what is recent or unfinished stays.

use probity_core::Timestamp;
use probity_store::Store;

use crate::place::Place;

/// Runs of five events each, with their jobs, all last touched at `at`.
fn runs(name: &str, count: usize, at: i64, status: &str, state: &str) -> String {
    let numbers = format!(
        "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < {count}),
              s (s) AS (SELECT 1 UNION ALL SELECT s + 1 FROM s WHERE s < 5)"
    );
    let lease = if state == "leased" { "1" } else { "NULL" };
    format!(
        "INSERT INTO runs (id, question, mode, status, spec, asked_at, touched_at)
             {numbers} SELECT '{name}-' || n, 'q', 'quick', '{status}', '{{}}', 1, {at} FROM n;
         INSERT INTO run_events (run_id, seq, kind, event, at)
             {numbers} SELECT '{name}-' || n, s, 'step', '{{}}', 1 FROM n, s;
         INSERT INTO jobs (id, kind, owner, payload, priority, state, attempt, failures,
                           failures_most, due_at, lease_until, cancel, queued_at, touched_at)
             {numbers} SELECT '{name}-' || n, 'research', 'o', '{{}}', 0, '{state}', 1, 0, 8, {at},
                              {lease}, 0, 1, {at} FROM n;"
    )
}

async fn events(store: &Store, run: &str) -> usize {
    store.events_after(&run.into(), 0, 500).await.unwrap().len()
}

#[tokio::test]
async fn old_events_and_jobs_go_and_what_is_recent_or_unfinished_stays() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        // More than one transaction takes, of both.
        for filling in [
            runs("old", 1_150, 100, "finished", "done"),
            runs("off", 10, 100, "interrupted", "cancelled"),
            runs("recent", 10, 900, "finished", "done"),
            runs("asleep", 10, 100, "running", "queued"),
            runs("working", 10, 100, "running", "leased"),
            runs("failed", 10, 100, "failed", "dead"),
        ] {
            place.raw(&filling).await.unwrap();
        }
        let before = Timestamp(500);
        assert_eq!(store.forget_events(before).await.unwrap(), 5 * (1_150 + 10 + 10));
        assert_eq!(store.forget_events(before).await.unwrap(), 0);
        assert_eq!(store.forget_jobs(before).await.unwrap(), 1_150 + 10);
        assert_eq!(store.forget_jobs(before).await.unwrap(), 0);

        for (run, has_events, has_job) in [
            ("old-1", false, false),
            ("old-1150", false, false),
            ("off-3", false, false),
            ("recent-10", true, true),
            ("asleep-2", true, true),
            ("working-7", true, true),
            // Its stream is over, but a person may still want to look at the job.
            ("failed-5", false, true),
        ] {
            assert_eq!(events(&store, run).await, if has_events { 5 } else { 0 }, "{run}");
            assert_eq!(store.job(run).await.unwrap().is_some(), has_job, "{run}");
            assert!(store.run(&run.into()).await.unwrap().is_some(), "{run}: the run itself stays");
        }
    }
}
