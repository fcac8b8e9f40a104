//! A run is written down, grows its journal, ends and goes again, on both engines.

use probity_core::{RunId, Timestamp};
use probity_store::{Ending, JournalEntry, NewRun, RunQuery, RunStatus};

use crate::place::Place;

fn run(id: &RunId, at: i64) -> NewRun<'_> {
    let spec = "{\"q\":1}";
    NewRun { id, question: "How loud?", mode: "standard", spec, asked_at: Timestamp(at) }
}

fn step(key: &str) -> JournalEntry {
    JournalEntry {
        key: key.to_owned(),
        kind: "search".to_owned(),
        inputs: "[\"q\"]".to_owned(),
        output: "{\"hits\":[\"é\u{0}'\"]}".replace('\u{0}', ""),
        digest: "d".to_owned(),
        at: Timestamp(5),
        millis: 7,
    }
}

#[tokio::test]
async fn a_run_is_kept_with_its_journal_until_it_is_deleted() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        assert!(store.create_run(&run(&"20260101-aaaaaa".into(), 1)).await.unwrap());
        assert!(
            !store.create_run(&run(&"20260101-aaaaaa".into(), 1)).await.unwrap(),
            "an id is given once"
        );
        for key in ["one", "two", "one"] {
            store.append_step(&"20260101-aaaaaa".into(), &step(key)).await.unwrap();
        }
        let journal = store.journal(&"20260101-aaaaaa".into()).await.unwrap();
        assert_eq!(journal, [step("one"), step("two")], "a step is kept once, in order");

        let ending = Ending {
            status: RunStatus::Finished,
            decision: Some("full_report"),
            title: Some("Loud"),
            report: Some("{}"),
            error: None,
        };
        store.end_run(&"20260101-aaaaaa".into(), &ending, &[]).await.unwrap();
        let record = store.run(&"20260101-aaaaaa".into()).await.unwrap().unwrap();
        assert_eq!(record.summary.status, RunStatus::Finished);
        assert_eq!((record.summary.steps, record.report.as_deref()), (2, Some("{}")));
        assert_eq!(record.spec, "{\"q\":1}");

        assert!(store.delete_run(&"20260101-aaaaaa".into()).await.unwrap());
        assert!(!store.delete_run(&"20260101-aaaaaa".into()).await.unwrap());
        assert!(store.journal(&"20260101-aaaaaa".into()).await.unwrap().is_empty());
    }
}

#[tokio::test]
async fn runs_are_listed_latest_first_by_prefix_and_status() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        for (id, at) in [("20260101-aaaaaa", 1), ("20260102-bbbbbb", 3), ("20260102-b%cccc", 2)] {
            store.create_run(&run(&id.into(), at)).await.unwrap();
        }
        let ids = |runs: Vec<probity_store::RunSummary>| {
            runs.into_iter().map(|r| r.id).collect::<Vec<_>>()
        };
        let all = store.runs(&RunQuery::default()).await.unwrap();
        assert_eq!(ids(all), ["20260102-bbbbbb", "20260102-b%cccc", "20260101-aaaaaa"]);
        let by = |prefix: &str| RunQuery { prefix: Some(prefix.to_owned()), ..RunQuery::default() };
        assert_eq!(store.runs(&by("20260102")).await.unwrap().len(), 2);
        assert_eq!(ids(store.runs(&by("20260102-b%")).await.unwrap()), ["20260102-b%cccc"]);
        let finished = RunQuery { status: Some(RunStatus::Finished), ..RunQuery::default() };
        assert!(store.runs(&finished).await.unwrap().is_empty());
        let page = RunQuery { limit: Some(1), offset: 1, ..RunQuery::default() };
        assert_eq!(ids(store.runs(&page).await.unwrap()), ["20260102-b%cccc"]);
    }
}

#[tokio::test]
async fn steps_that_finish_at_once_are_all_kept() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        store.create_run(&run(&"r".into(), 1)).await.unwrap();
        store.append_step(&"r".into(), &step("k7")).await.unwrap();
        // Some come twice, and one is there already.
        let tasks: Vec<_> = (0..60)
            .map(|n| {
                let (store, entry) = (store.clone(), step(&format!("k{}", n % 40)));
                tokio::spawn(async move { store.append_step(&"r".into(), &entry).await })
            })
            .collect();
        for task in tasks {
            task.await.unwrap().unwrap();
        }
        let journal = store.journal(&"r".into()).await.unwrap();
        assert_eq!(journal.first(), Some(&step("k7")), "what was there comes first");
        assert_eq!(journal.len(), 40);
    }
}
