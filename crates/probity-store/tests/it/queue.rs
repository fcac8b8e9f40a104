//! The queue on both engines: everything is done once, in a fair order, and by one worker at a time.

use std::collections::BTreeSet;
use std::time::Duration;

use probity_core::{Clock, Timestamp};
use probity_store::queue::{
    Beat, Cancelled, Enqueued, JobEnd, JobState, Leased, NewJob, QueueLimits,
};
use probity_store::{JournalEntry, Store, StoreError};

use crate::place::{Place, new_run};

const LIMITS: QueueLimits = QueueLimits { open: 1_000, open_per_owner: 1_000 };
const LONG: Duration = Duration::from_secs(3_600);
/// A lease that has run out when it is given.
const GONE: Duration = Duration::ZERO;

fn job<'a>(id: &'a str, owner: &'a str) -> NewJob<'a> {
    NewJob {
        id,
        kind: "research",
        owner,
        payload: "{}",
        priority: 0,
        after: Duration::ZERO,
        failures_most: 3,
    }
}

async fn add(store: &Store, job: NewJob<'_>) {
    assert_eq!(store.enqueue(&job, LIMITS).await.unwrap(), Enqueued::Added);
}

async fn take(store: &Store, worker: &str, lease: Duration) -> Option<Leased> {
    store.claim(worker, &["research"], lease).await.unwrap()
}

async fn state(store: &Store, id: &str) -> JobState {
    let jobs = store.jobs(None).await.unwrap();
    jobs.into_iter().find(|job| job.id == id).unwrap().state
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_workers_do_every_job_once() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        let ids: Vec<String> = (0..60).map(|i| format!("job-{i:03}")).collect();
        for id in &ids {
            add(&store, job(id, "ada")).await;
        }
        let workers = (0..6).map(|worker| {
            let store = store.clone();
            tokio::spawn(async move {
                let mut done = Vec::new();
                while let Some(leased) = take(&store, &format!("w{worker}"), LONG).await {
                    assert!(store.finish(&leased.fence, JobEnd::Done).await.unwrap());
                    done.push(leased.fence.job);
                }
                done
            })
        });
        let mut done = Vec::new();
        for worker in workers.collect::<Vec<_>>() {
            done.extend(worker.await.unwrap());
        }
        assert_eq!(done.len(), ids.len(), "a job was done twice or never");
        assert_eq!(done.into_iter().collect::<BTreeSet<_>>().len(), ids.len());
    }
}

#[tokio::test]
async fn the_urgent_goes_first_and_nobody_is_crowded_out() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        for id in ["a1", "a2", "a3"] {
            add(&store, job(id, "ada")).await;
        }
        add(&store, job("b1", "bo")).await;
        add(&store, NewJob { priority: 9, ..job("u1", "ada") }).await;
        add(&store, NewJob { after: LONG, priority: 99, ..job("later", "ada") }).await;
        add(&store, NewJob { kind: "feeds", priority: 99, ..job("other", "ada") }).await;
        let mut order = Vec::new();
        while let Some(leased) = take(&store, "w", LONG).await {
            order.push(leased.fence.job);
        }
        assert_eq!(order.first().map(String::as_str), Some("u1"));
        assert_eq!(order.get(1).map(String::as_str), Some("b1"), "{order:?}");
        assert_eq!(order.len(), 5, "{order:?}");
    }
}

#[tokio::test]
async fn a_worker_that_lost_its_lease_cannot_write() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        assert!(store.create_run(&new_run(&"run".into(), 1)).await.unwrap());
        add(&store, job("run", "ada")).await;
        let step = |key: &str| JournalEntry {
            key: key.to_owned(),
            kind: "search".to_owned(),
            inputs: "1".to_owned(),
            output: "2".to_owned(),
            digest: String::new(),
            at: Timestamp(2),
            millis: 1,
        };
        let slow = take(&store, "slow", LONG).await.unwrap();
        let slow_store = store.fenced(slow.fence.clone());
        slow_store.append_step(&"run".into(), &step("one")).await.unwrap();
        assert_eq!(store.heartbeat(&slow.fence, GONE).await.unwrap(), Beat::Held);

        // The lease ran out while the worker slept; another takes the job up.
        let quick = take(&store, "quick", LONG).await.unwrap();
        assert_eq!(quick.fence.attempt, slow.fence.attempt + 1);
        let refused = slow_store.append_step(&"run".into(), &step("two")).await.unwrap_err();
        assert!(matches!(refused, StoreError::Fenced { .. }), "{refused}");
        assert_eq!(store.heartbeat(&slow.fence, LONG).await.unwrap(), Beat::Lost);
        assert!(!store.finish(&slow.fence, JobEnd::Done).await.unwrap());

        store.fenced(quick.fence.clone()).append_step(&"run".into(), &step("three")).await.unwrap();
        assert!(store.finish(&quick.fence, JobEnd::Done).await.unwrap());
        let refused = store.fenced(quick.fence).append_step(&"run".into(), &step("four")).await;
        assert!(refused.is_err(), "work that is done takes no more steps");
        let keys = store.journal(&"run".into()).await.unwrap().into_iter().map(|step| step.key);
        assert_eq!(keys.collect::<Vec<_>>(), ["one", "three"]);
    }
}

#[tokio::test]
async fn a_lease_that_ran_out_is_lost_even_if_nobody_took_it() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        add(&store, job("one", "ada")).await;
        let leased = take(&store, "w", GONE).await.unwrap();
        assert_eq!(store.heartbeat(&leased.fence, LONG).await.unwrap(), Beat::Lost);
    }
}

#[tokio::test]
async fn what_fails_is_tried_again_and_buried_at_last() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        add(&store, job("errs", "ada")).await;
        let failed = JobEnd::Failed { error: "no model answered", again: Duration::ZERO };
        for expected in [JobState::Queued, JobState::Queued, JobState::Dead] {
            let leased = take(&store, "w", LONG).await.unwrap();
            assert!(store.finish(&leased.fence, failed).await.unwrap());
            assert_eq!(state(&store, "errs").await, expected);
        }
        // A worker's death counts as a failure; handing over does not.
        add(&store, job("dies", "ada")).await;
        for _ in 0..5 {
            let leased = take(&store, "w", LONG).await.unwrap();
            assert!(store.finish(&leased.fence, JobEnd::HandedOver).await.unwrap());
        }
        for _ in 0..3 {
            assert!(take(&store, "w", GONE).await.is_some());
        }
        assert!(take(&store, "w", LONG).await.is_none());
        assert_eq!(state(&store, "dies").await, JobState::Dead);

        add(&store, job("later", "ada")).await;
        let leased = take(&store, "w", LONG).await.unwrap();
        let wait = JobEnd::Failed { error: "busy", again: LONG };
        assert!(store.finish(&leased.fence, wait).await.unwrap());
        assert!(take(&store, "w", LONG).await.is_none(), "it is not due yet");
    }
}

#[tokio::test]
async fn a_job_is_called_off_before_it_begins_or_by_its_worker() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        add(&store, job("waits", "ada")).await;
        assert_eq!(store.cancel("waits").await.unwrap(), Cancelled::AtOnce);
        assert!(take(&store, "w", LONG).await.is_none());

        add(&store, job("runs", "ada")).await;
        let leased = take(&store, "w", LONG).await.unwrap();
        // Its worker hears of it, whichever process calls it off.
        let other = place.open().await;
        let (heard, asked) = tokio::join!(store.called_off("runs"), other.cancel("runs"));
        assert_eq!((heard, asked.unwrap()), ((), Cancelled::Asked));
        assert_eq!(store.heartbeat(&leased.fence, LONG).await.unwrap(), Beat::Cancel);
        assert!(store.finish(&leased.fence, JobEnd::Cancelled).await.unwrap());
        assert_eq!(state(&store, "runs").await, JobState::Cancelled);
        assert_eq!(store.cancel("runs").await.unwrap(), Cancelled::Nothing);
        assert_eq!(store.cancel("nobody's").await.unwrap(), Cancelled::Nothing);
    }
}

#[tokio::test]
async fn a_full_queue_refuses_and_an_id_is_queued_once() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        let limits = QueueLimits { open: 3, open_per_owner: 2 };
        let ask = async |id, owner| store.enqueue(&job(id, owner), limits).await.unwrap();
        assert_eq!(ask("1", "ada").await, Enqueued::Added);
        assert_eq!(ask("1", "ada").await, Enqueued::Exists);
        assert_eq!(ask("2", "ada").await, Enqueued::Added);
        assert_eq!(ask("3", "ada").await, Enqueued::OwnerFull);
        assert_eq!(ask("4", "bo").await, Enqueued::Added);
        assert_eq!(ask("5", "cy").await, Enqueued::QueueFull);
        let leased = take(&store, "w", LONG).await.unwrap();
        assert!(store.finish(&leased.fence, JobEnd::Done).await.unwrap());
        assert_eq!(ask("5", "cy").await, Enqueued::Added);
        assert_eq!(ask(&leased.fence.job, "ada").await, Enqueued::Exists, "done is done");
    }
}

#[tokio::test]
async fn jobs_that_ended_long_ago_are_forgotten() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        add(&store, job("waits", "ada")).await;
        add(&store, job("done", "bo")).await;
        let leased = store.claim_one("w", "done", LONG).await.unwrap().unwrap();
        assert!(store.finish(&leased.fence, JobEnd::Done).await.unwrap());
        assert_eq!(store.forget_jobs(Timestamp(0)).await.unwrap(), 0);
        assert_eq!(store.forget_jobs(Timestamp(i64::MAX)).await.unwrap(), 1);
        assert!(store.job("waits").await.unwrap().is_some());
    }
}

#[tokio::test]
async fn work_that_a_clock_ahead_put_off_waits_no_longer_than_its_interval() {
    // A server's clock is its own; a file's is the machine's.
    let place = Place::file();
    let store = place.open().await;
    let at = |days: i64| {
        let day = 24 * 3_600_000;
        store.clone().with_clock(Clock::Fixed(Timestamp(1_000_000_000_000 + days * day)))
    };
    let (today, next_year) = (at(0), at(365));
    add(&today, job("upkeep", "probity")).await;
    add(&today, job("feed", "probity")).await;
    // The clock jumps ahead, and what recurs is done and put off; something else is only begun.
    let begun = take(&next_year, "w1", LONG).await.unwrap();
    let other = take(&next_year, "w1", LONG).await.unwrap();
    assert!(next_year.reschedule(&begun.fence, LONG).await.unwrap());
    let again = take(&today, "w2", LONG).await.expect("it is due, now that the clock is right");
    assert_eq!(again.fence.job, begun.fence.job);
    assert!(today.finish(&again.fence, JobEnd::Done).await.unwrap());
    assert!(take(&today, "w2", LONG).await.is_none(), "the other may still be at work");
    let tomorrow = at(1);
    let left = take(&tomorrow, "w2", LONG).await.expect("nobody kept it alive");
    assert_eq!(left.fence.job, other.fence.job);
    // What is put off by a clock that is right stays put off.
    assert!(tomorrow.reschedule(&left.fence, LONG).await.unwrap());
    assert!(take(&at(1), "w3", LONG).await.is_none());
}
