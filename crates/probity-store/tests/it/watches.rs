//! Questions that are asked again, on both engines: due by turns, paused, removed, what each turn brought.

use std::time::Duration;

use probity_core::{RunId, WatchId};
use probity_store::Store;
use probity_store::watches::{
    AddedWatch, EndedTurn, NewWatch, Outcome, WATCH, WATCHES_OF_OWNER, WatchChange, job_id,
    watch_of,
};

use crate::place::Place;

const LEASE: Duration = Duration::from_secs(60);
const DAY: Duration = Duration::from_secs(24 * 3_600);

async fn add(store: &Store, owner: &str) -> WatchId {
    let new = NewWatch { owner, question: "How loud may it be?", ask: "{}", every: DAY };
    match store.add_watch(&new).await.unwrap() {
        AddedWatch::New(id) => id,
        AddedWatch::Full => panic!("full"),
    }
}

async fn is_due(store: &Store) -> bool {
    match store.claim("w", &[WATCH], LEASE).await.unwrap() {
        Some(job) => {
            assert!(watch_of(&job.fence.job).is_some());
            assert!(store.reschedule(&job.fence, DAY).await.unwrap());
            true
        }
        None => false,
    }
}

fn ended(watch: WatchId, run: &RunId, outcome: Outcome) -> EndedTurn<'_> {
    EndedTurn { watch, run: Some(run), before: None, outcome, novelty: Some("{}"), problem: None }
}

#[tokio::test]
async fn a_watch_is_due_at_once_then_by_turns_and_not_while_it_is_paused() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        let id = add(&store, "ada").await;
        assert!(is_due(&store).await);
        assert!(!is_due(&store).await, "it was put off");
        assert!(store.watch_now(id).await.unwrap());
        assert!(is_due(&store).await, "somebody wants it now");
        let paused = WatchChange { paused: Some(true), ..WatchChange::default() };
        assert!(store.change_watch(id, paused).await.unwrap());
        let watch = store.watch(id).await.unwrap().unwrap();
        assert!(watch.paused && watch.next_at.is_none());
        assert!(!is_due(&store).await);
        let again = WatchChange { paused: Some(false), every: Some(2 * DAY) };
        assert!(store.change_watch(id, again).await.unwrap());
        assert!(is_due(&store).await);
        assert_eq!(store.watch(id).await.unwrap().unwrap().every_ms, 172_800_000);
        assert!(store.remove_watch(id).await.unwrap());
        assert!(!store.remove_watch(id).await.unwrap());
        assert!(!store.watch_now(id).await.unwrap());
        assert!(!is_due(&store).await);
        assert_eq!(job_id(WatchId(7)), "watch:7");
    }
}

#[tokio::test]
async fn turns_are_written_down_and_a_failed_one_changes_no_baseline() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        let id = add(&store, "ada").await;
        store.pend_watch(id, Some(&"r1".into())).await.unwrap();
        assert_eq!(store.watch(id).await.unwrap().unwrap().pending_run.as_deref(), Some("r1"));
        store.end_turn(&ended(id, &"r1".into(), Outcome::First)).await.unwrap();
        let watch = store.watch(id).await.unwrap().unwrap();
        assert_eq!((watch.pending_run, watch.last_run.as_deref()), (None, Some("r1")));
        assert!(watch.changed_at.is_none());
        store.end_turn(&ended(id, &"r2".into(), Outcome::Failed)).await.unwrap();
        let watch = store.watch(id).await.unwrap().unwrap();
        assert_eq!(watch.last_run.as_deref(), Some("r1"), "the last with a report");
        store.end_turn(&ended(id, &"r3".into(), Outcome::Changed)).await.unwrap();
        let watch = store.watch(id).await.unwrap().unwrap();
        assert!(watch.changed_at.is_some() && watch.last_run.as_deref() == Some("r3"));
        let turns = store.turns(id, 10).await.unwrap();
        let outcomes: Vec<Outcome> = turns.iter().map(|turn| turn.outcome).collect();
        assert_eq!(outcomes, [Outcome::Changed, Outcome::Failed, Outcome::First]);
        let later = store.turns_after(turns[1].id, 10).await.unwrap();
        assert_eq!(later, turns[..1]);
        // What ended after the watch was removed is no one's.
        store.remove_watch(id).await.unwrap();
        store.end_turn(&ended(id, &"r4".into(), Outcome::Same)).await.unwrap();
        assert!(store.turns_after(0, 10).await.unwrap().is_empty());
    }
}

#[tokio::test]
async fn one_owner_watches_only_so_much() {
    let place = Place::file();
    let store = place.open().await;
    for _ in 0..WATCHES_OF_OWNER {
        add(&store, "ada").await;
    }
    let new = NewWatch { owner: "ada", question: "One more?", ask: "{}", every: DAY };
    assert_eq!(store.add_watch(&new).await.unwrap(), AddedWatch::Full);
    add(&store, "bob").await;
    assert_eq!(store.watches(WatchId(0), 10_000).await.unwrap().len(), 201);
}
