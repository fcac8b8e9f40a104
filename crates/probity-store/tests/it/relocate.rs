//! A store moved from one engine to the other and back is the same store.

use std::sync::Arc;

use probity_core::Timestamp;
use probity_store::events::NewEvent;
use probity_store::library::{AddOptions, Library, ListOptions};
use probity_store::queue::{QueueLimits, RunJob};
use probity_store::relocate::{RelocateError, relocate};
use probity_store::{Ending, JournalEntry, RunQuery, RunStatus, Store};

use crate::library::PlainReader;
use crate::place::{Place, all_events, new_run, nudge, sound};

const LIMITS: QueueLimits = QueueLimits { open: 100, open_per_owner: 100 };

/// A store in which a bit of everything happened.
pub(crate) async fn lived_in(place: &Place) -> Store {
    let store = place.open().await;
    for n in 0..250 {
        let code = if n % 3 == 0 { "source-unreliable" } else { "high-quality-source" };
        nudge(&store, ["reuters.com", "new.example"][n % 2], code, "é 'quoted' — \u{1F3B5}").await;
    }
    let folder = tempfile::tempdir().unwrap();
    for n in 0..12 {
        let text = format!("# Bridge {n}\n\nThe old bridge number {n} closes at night.\n");
        std::fs::write(folder.path().join(format!("b{n}.md")), text).unwrap();
    }
    let library = Library::of(&store);
    let reader = Arc::new(PlainReader::default());
    library.add(folder.path(), reader, AddOptions::default(), &mut |_| {}).await.unwrap();
    for n in 0..3 {
        let id = format!("run-{n}");
        let id_of_run = id.as_str().into();
        store.enqueue_run(&new_run(&id_of_run, n), &RunJob::of("ada"), LIMITS).await.unwrap();
        for key in ["one", "two"] {
            let entry = JournalEntry {
                key: key.to_owned(),
                kind: "search".to_owned(),
                inputs: "1".to_owned(),
                output: "[1.5,\"é\"]".to_owned(),
                digest: "d".to_owned(),
                at: Timestamp(2),
                millis: 1,
            };
            store.append_step(&id.as_str().into(), &entry).await.unwrap();
        }
        let event = NewEvent { kind: "start".to_owned(), event: "{}".to_owned() };
        store.append_events(&id.as_str().into(), 0, &[event]).await.unwrap();
    }
    let ending = Ending {
        status: RunStatus::Finished,
        decision: Some("full_report"),
        title: None,
        report: Some("{\"x\":0.1}"),
        error: None,
    };
    store.end_run(&"run-1".into(), &ending, &[]).await.unwrap();
    store
}

/// Everything that can be exported, as one text.
pub(crate) async fn exported(store: &Store) -> String {
    let mut text = String::new();
    for run in store.runs(&RunQuery::default()).await.unwrap() {
        let record = store.run(&run.id).await.unwrap().unwrap();
        let journal = store.journal(&run.id).await.unwrap();
        let events = store.events_after(&run.id, 0, 500).await.unwrap();
        let job = store.job(&run.id).await.unwrap();
        text += &format!("{record:?}\n{journal:?}\n{events:?}\n{job:?}\n");
    }
    text += &format!("{:?}\n", all_events(store).await);
    let mut scores: Vec<_> = store.scores().await.unwrap().into_iter().collect();
    scores.sort_by(|a, b| a.0.cmp(&b.0));
    text += &format!("{scores:?}\n");
    let library = Library::of(store);
    for listed in library.list(&ListOptions::default()).await.unwrap() {
        let stored = library.show(&listed.id).await.unwrap();
        text += &format!("{listed:?}\n{stored:?}\n");
    }
    for query in ["old bridge", "bridge 7 night"] {
        text += &format!("{:?}\n", library.search(query, 5).await.unwrap());
    }
    text
}

#[tokio::test]
async fn a_store_that_was_moved_there_and_back_is_the_same() {
    let home = Place::file();
    let store = lived_in(&home).await;
    let expected = exported(&store).await;
    for away in Place::on_each_engine().await {
        let there = away.open().await;
        let mut tables = Vec::new();
        let moved = relocate(&store, &there, |table, rows| tables.push((table.to_owned(), rows)));
        let moved = moved.await.unwrap();
        assert_eq!(tables, moved.tables);
        assert_eq!(moved.ledger_events, 250);
        assert!(moved.tables.contains(&("journal".to_owned(), 6)), "{:?}", moved.tables);
        assert_eq!(exported(&there).await, expected, "{}", there.location());

        let back = Place::file();
        let back = back.open().await;
        relocate(&there, &back, |_, _| {}).await.unwrap();
        assert_eq!(exported(&back).await, expected, "back from {}", there.location());

        // What was moved goes on as if it had always been there, guarded as before.
        nudge(&there, "reuters.com", "high-quality-source", "after").await;
        assert_eq!(sound(&there).await.events, 251);
        assert!(away.raw("DELETE FROM codes").await.is_err());
        assert!(away.raw("DELETE FROM ledger_events").await.is_err());
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("new.md"), "# New\n\nA new quay opens.\n").unwrap();
        let library = Library::of(&there);
        let (reader, options) = (Arc::new(PlainReader::default()), AddOptions::default());
        library.add(folder.path(), reader, options, &mut |_| {}).await.unwrap();
        assert_eq!(library.search("new quay", 5).await.unwrap().len(), 1);

        // And what has been used is not written over.
        let refused = relocate(&store, &there, |_, _| {}).await.unwrap_err();
        assert!(matches!(refused, RelocateError::NotEmpty { .. }), "{refused}");
    }
}

#[tokio::test]
async fn a_store_whose_ledger_does_not_verify_is_not_moved() {
    let place = Place::file();
    let store = lived_in(&place).await;
    place.raw("UPDATE outlets SET credibility_score = 0.1 WHERE domain = 'ft.com'").await.unwrap();
    let to = Place::file();
    let to = to.open().await;
    let refused = relocate(&store, &to, |_, _| {}).await.unwrap_err();
    assert!(matches!(refused, RelocateError::Ledger { .. }), "{refused}");
    assert!(to.runs(&RunQuery::default()).await.unwrap().is_empty());
}
