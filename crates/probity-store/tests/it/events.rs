//! A run's events on both engines: numbered, followed from anywhere, ended once.

use std::time::Duration;

use probity_core::Timestamp;
use probity_store::events::{END, NewEvent, RESUMED, RunEvent, closing};
use probity_store::queue::{
    Cancelled, Enqueued, JobEnd, JobState, Leased, QueueLimits, RESEARCH, Requeued, RunJob,
};
use probity_store::{Ending, RunStatus, Store, StoreError, StoreOptions};

use crate::place::{Place, new_run};

const LIMITS: QueueLimits = QueueLimits { open: 1_000, open_per_owner: 1_000 };
const LONG: Duration = Duration::from_secs(3_600);
/// A lease that has run out when it is given.
const GONE: Duration = Duration::ZERO;
const FINISHED: Ending<'_> = Ending {
    status: RunStatus::Finished,
    decision: Some("full_report"),
    title: Some("Loud"),
    report: Some("{}"),
    error: None,
};

fn event(kind: &str) -> NewEvent {
    NewEvent { kind: kind.to_owned(), event: format!("{{\"event\":\"{kind}\"}}") }
}

fn some(kinds: &[&str]) -> Vec<NewEvent> {
    kinds.iter().map(|kind| event(kind)).collect()
}

async fn queue(store: &Store, id: &str) {
    let queued =
        store.enqueue_run(&new_run(&id.into(), 1), &RunJob::of("ada"), LIMITS).await.unwrap();
    assert_eq!(queued, Enqueued::Added);
}

async fn take(store: &Store, worker: &str, lease: Duration) -> Leased {
    store.claim(worker, &[RESEARCH], lease).await.unwrap().unwrap()
}

async fn all(store: &Store, id: &str) -> Vec<RunEvent> {
    store.events_after(&id.into(), 0, 500).await.unwrap()
}

fn kinds(events: &[RunEvent]) -> Vec<&str> {
    for (event, seq) in events.iter().zip(1..) {
        assert_eq!(event.seq, seq, "a number is missing or doubled");
    }
    events.iter().map(|event| event.kind.as_str()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_watcher_in_every_process_sees_all_of_a_run() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        // Another store on the same place is to this one what another process would be.
        let elsewhere = place.open().await;
        queue(&store, "r").await;
        let taken = take(&store, "w", LONG).await;
        let worker = store.fenced(taken.fence.clone());
        worker.append_events(&"r".into(), 0, &some(&["start", "plan"])).await.unwrap();

        let mut followers = Vec::new();
        for (watching, after) in [(&store, 0), (&store, 0), (&elsewhere, 0), (&elsewhere, 1)] {
            let mut feed = watching.follow(&"r".into(), after);
            followers.push(tokio::spawn(async move {
                let mut seen = Vec::new();
                while let Some(event) = feed.next().await {
                    seen.push(event);
                }
                (after, seen)
            }));
        }
        // One more event each time until all of the live ones have been seen by someone.
        worker.append_events(&"r".into(), 2, &some(&["search"])).await.unwrap();
        let mut live = elsewhere.follow(&"r".into(), 2);
        assert_eq!(live.next().await.unwrap().kind, "search");
        worker.append_events(&"r".into(), 3, &some(&["fetch"])).await.unwrap();
        // An answer that was lost is asked for again; that changes nothing.
        worker.append_events(&"r".into(), 3, &some(&["fetch"])).await.unwrap();
        assert_eq!(live.next().await.unwrap().kind, "fetch");
        let settled =
            worker.settle_run(&taken.fence, &FINISHED, &some(&["report", END]), JobEnd::Done).await;
        assert!(settled.unwrap());

        let expected = ["start", "plan", "search", "fetch", "report", END];
        for follower in followers {
            let (after, seen) = follower.await.unwrap();
            let seen: Vec<&str> = seen.iter().map(|event| event.kind.as_str()).collect();
            assert_eq!(seen, expected[after as usize..], "after {after}");
        }
        assert_eq!(kinds(&all(&store, "r").await), expected);
        let mut late = elsewhere.follow(&"r".into(), 5);
        assert_eq!(late.next().await.unwrap().kind, END);
        assert!(late.next().await.is_none());
        let record = store.run(&"r".into()).await.unwrap().unwrap();
        assert_eq!(record.summary.status, RunStatus::Finished);
        assert_eq!(store.job("r").await.unwrap().unwrap().state, JobState::Done);
    }
}

#[tokio::test]
async fn a_worker_that_slept_through_its_lease_tells_and_ends_nothing() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        queue(&store, "r").await;
        let slow = take(&store, "slow", LONG).await;
        let sleeper = store.fenced(slow.fence.clone());
        sleeper.append_events(&"r".into(), 0, &some(&["start"])).await.unwrap();
        store.heartbeat(&slow.fence, GONE).await.unwrap();

        // Even before someone takes over, and all the more after that.
        for _ in 0..2 {
            let refused =
                sleeper.append_events(&"r".into(), 1, &some(&["plan"])).await.unwrap_err();
            assert!(matches!(refused, StoreError::Fenced { .. }), "{refused}");
            let last = some(&["report", END]);
            let ended = sleeper.settle_run(&slow.fence, &FINISHED, &last, JobEnd::Done).await;
            assert!(!ended.unwrap());
            let _ = store.claim("quick", &[RESEARCH], LONG).await.unwrap();
        }
        assert_eq!(kinds(&all(&store, "r").await), ["start"]);
        let record = store.run(&"r".into()).await.unwrap().unwrap();
        assert_eq!(record.summary.status, RunStatus::Running);
        assert_eq!(store.job("r").await.unwrap().unwrap().worker.as_deref(), Some("quick"));
    }
}

#[tokio::test]
async fn a_run_that_is_called_off_or_given_up_ends_its_stream() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        queue(&store, "waits").await;
        let mut feed = store.follow(&"waits".into(), 0);
        assert_eq!(store.cancel("waits").await.unwrap(), Cancelled::AtOnce);
        assert_eq!(feed.next().await.unwrap().event, closing("the run was cancelled")[0].event);
        assert_eq!(feed.next().await.unwrap().kind, END);
        assert!(feed.next().await.is_none());
        let status = |id: &'static str| {
            let store = store.clone();
            async move { store.run(&id.into()).await.unwrap().unwrap().summary.status }
        };
        assert_eq!(status("waits").await, RunStatus::Interrupted);

        let job = RunJob { failures_most: 2, ..RunJob::of("ada") };
        store.enqueue_run(&new_run(&"errs".into(), 1), &job, LIMITS).await.unwrap();
        for _ in 0..2 {
            assert_eq!(status("errs").await, RunStatus::Running);
            let taken = take(&store, "w", LONG).await;
            let failed = JobEnd::Failed { error: "no key", again: Duration::ZERO };
            assert!(store.finish(&taken.fence, failed).await.unwrap());
        }
        assert_eq!(status("errs").await, RunStatus::Failed);
        assert_eq!(kinds(&all(&store, "errs").await), ["error", END]);

        store.enqueue_run(&new_run(&"dies".into(), 1), &job, LIMITS).await.unwrap();
        for _ in 0..2 {
            take(&store, "w", GONE).await;
        }
        assert!(store.claim("w", &[RESEARCH], LONG).await.unwrap().is_none());
        assert_eq!(status("dies").await, RunStatus::Failed);
        assert_eq!(kinds(&all(&store, "dies").await), ["error", END]);
    }
}

#[tokio::test]
async fn a_run_that_goes_on_after_all_keeps_its_numbers() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        let job = RunJob::of("ada");
        assert_eq!(store.requeue_run(&"r".into(), &job, LIMITS).await.unwrap(), Requeued::Unknown);
        queue(&store, "r").await;
        assert_eq!(store.requeue_run(&"r".into(), &job, LIMITS).await.unwrap(), Requeued::Open);
        let taken = take(&store, "w", LONG).await;
        let worker = store.fenced(taken.fence.clone());
        worker.append_events(&"r".into(), 0, &some(&["start"])).await.unwrap();
        let hopeless = JobEnd::Hopeless { error: "damaged" };
        assert!(store.finish(&taken.fence, hopeless).await.unwrap());
        assert_eq!(store.job("r").await.unwrap().unwrap().state, JobState::Dead);
        assert_eq!(kinds(&all(&store, "r").await), ["start", "error", END]);

        assert_eq!(store.requeue_run(&"r".into(), &job, LIMITS).await.unwrap(), Requeued::Queued);
        assert_eq!(kinds(&all(&store, "r").await), ["start", "error", RESUMED]);
        let again = take(&store, "w2", LONG).await;
        assert!(again.fence.attempt > taken.fence.attempt, "a fence is never given twice");
        let worker = store.fenced(again.fence.clone());
        worker.append_events(&"r".into(), 3, &some(&["plan"])).await.unwrap();
        let last = some(&["report", END]);
        assert!(worker.settle_run(&again.fence, &FINISHED, &last, JobEnd::Done).await.unwrap());
        let expected = ["start", "error", RESUMED, "plan", "report", END];
        assert_eq!(kinds(&all(&store, "r").await), expected);
        assert_eq!(store.requeue_run(&"r".into(), &job, LIMITS).await.unwrap(), Requeued::Finished);

        // A run that was begun without the queue can be taken up by it.
        store.create_run(&new_run(&"alone".into(), 1)).await.unwrap();
        assert_eq!(
            store.requeue_run(&"alone".into(), &job, LIMITS).await.unwrap(),
            Requeued::Queued
        );
        let full = QueueLimits { open: 0, open_per_owner: 0 };
        store.create_run(&new_run(&"late".into(), 1)).await.unwrap();
        assert_eq!(store.requeue_run(&"late".into(), &job, full).await.unwrap(), Requeued::Full);
    }
}

#[tokio::test]
async fn deleting_a_run_takes_its_events_and_its_place_in_the_queue_along() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        queue(&store, "r").await;
        let full = QueueLimits { open: 1, open_per_owner: 1 };
        let refused =
            store.enqueue_run(&new_run(&"s".into(), 1), &RunJob::of("bo"), full).await.unwrap();
        assert_eq!(refused, Enqueued::QueueFull);
        assert!(
            store.run(&"s".into()).await.unwrap().is_none(),
            "a run that is refused is not there"
        );
        let place = store.queue_place("r").await.unwrap().unwrap();
        assert_eq!((place.state, place.ahead), (JobState::Queued, 0));

        let taken = take(&store, "w", LONG).await;
        let worker = store.fenced(taken.fence.clone());
        worker.append_events(&"r".into(), 0, &some(&["start"])).await.unwrap();
        let mut feed = store.follow(&"r".into(), 0);
        assert_eq!(feed.next().await.unwrap().kind, "start");
        assert!(store.delete_run(&"r".into()).await.unwrap());
        assert!(feed.next().await.is_none(), "what is deleted is over");
        let refused = worker.append_events(&"r".into(), 1, &some(&["plan"])).await.unwrap_err();
        assert!(matches!(refused, StoreError::Fenced { .. }), "{refused}");
        assert!(all(&store, "r").await.is_empty());
        assert!(store.job("r").await.unwrap().is_none());
        assert_eq!(store.queue_counts().await.unwrap().leased, 0);
    }
}

#[tokio::test]
async fn old_events_are_forgotten_and_the_runs_stay() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        for id in ["ends", "goes-on"] {
            queue(&store, id).await;
            store.append_events(&id.into(), 0, &some(&["start"])).await.unwrap();
        }
        store.cancel("ends").await.unwrap();
        assert_eq!(store.forget_events(Timestamp(0)).await.unwrap(), 0);
        assert_eq!(store.forget_events(Timestamp(i64::MAX)).await.unwrap(), 3);
        assert!(all(&store, "ends").await.is_empty());
        assert_eq!(kinds(&all(&store, "goes-on").await), ["start"]);
        assert!(store.run(&"ends".into()).await.unwrap().is_some());
        assert!(store.follow(&"ends".into(), 0).next().await.is_none());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn behind_a_pooler_everything_goes_on_without_notifications_and_prepared_statements() {
    let places = Place::on_each_engine().await;
    let Some(place) = places.into_iter().find(|place| !place.is_sqlite()) else { return };
    let options = StoreOptions { pooled: true, connections: 2, ..StoreOptions::default() };
    let open = async || Store::open_with(&place.location, &options).await.unwrap();
    let (store, elsewhere) = (open().await, open().await);
    queue(&store, "r").await;
    let mut feed = elsewhere.follow(&"r".into(), 0);
    let taken = take(&store, "w", LONG).await;
    let worker = store.fenced(taken.fence.clone());
    worker.append_events(&"r".into(), 0, &some(&["start"])).await.unwrap();
    assert_eq!(feed.next().await.unwrap().kind, "start");
    let last = some(&["report", END]);
    assert!(worker.settle_run(&taken.fence, &FINISHED, &last, JobEnd::Done).await.unwrap());
    assert_eq!(feed.next().await.unwrap().kind, "report");
    assert_eq!(feed.next().await.unwrap().kind, END);
    assert!(feed.next().await.is_none());
}
