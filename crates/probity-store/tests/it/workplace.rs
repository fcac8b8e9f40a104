//! What people do with runs: bring documents along, mark runs, go on from them, share them; on both engines.

use std::collections::BTreeSet;
use std::time::Duration;

use probity_core::{Clock, Document, RunId, Timestamp};
use probity_store::library::{Library, ReadDocument};
use probity_store::runs::kin::Kinship;
use probity_store::runs::shares::NewShare;
use probity_store::uploads::{Brought, NewDocument, OPEN};
use probity_store::{NewRun, RunQuery, Store};

use crate::place::Place;

const START: i64 = 1_794_744_000_000;
const DAY: i64 = 24 * 3_600_000;

fn at(store: &Store, millis: i64) -> Store {
    store.clone().with_clock(Clock::Fixed(Timestamp(START + millis)))
}

async fn run(store: &Store, id: &str, question: &str) {
    let id = &RunId::from(id);
    let new = NewRun { id, question, mode: "quick", spec: "{}", asked_at: Timestamp(START) };
    assert!(store.create_run(&new).await.unwrap());
}

fn reading(title: &str, text: &str) -> ReadDocument {
    let (text, markdown) = (text.to_owned(), text.to_owned());
    let document = Document { title: title.to_owned(), text, markdown, ..Document::default() };
    ReadDocument { document, ..ReadDocument::default() }
}

async fn bring(store: &Store, upload: &str, name: &str, text: &str) -> Brought {
    let reading = reading(name, text);
    store.bring(upload, &NewDocument { name, bytes: 7, reading: &reading }).await.unwrap()
}

#[tokio::test]
async fn what_is_brought_along_stays_with_its_runs_and_no_longer() {
    for place in Place::on_each_engine().await {
        let store = at(&place.open().await, 0);
        run(&store, "r1", "one").await;
        run(&store, "r2", "two").await;
        assert!(store.make_upload("u", "ann").await.unwrap());
        assert_eq!(bring(&store, "u", "a.md", "The bridge\0 opened.").await, Brought::At(1));
        assert_eq!(bring(&store, "u", "b.md", "It is green.").await, Brought::At(2));
        assert_eq!(bring(&store, "u", "b.md", "It is red.").await, Brought::At(2), "in its place");
        assert_eq!(bring(&store, "none", "b.md", "x").await, Brought::Gone);
        let upload = store.upload("u").await.unwrap().unwrap();
        assert_eq!(upload.documents.iter().map(|d| d.words).collect::<Vec<_>>(), [3, 3]);
        let readings = store.upload_readings("u").await.unwrap();
        assert_eq!(readings[1].1.document.text, "It is red.");
        store.ask_upload("u", &"r1".into()).await.unwrap();
        store.ask_upload("u", &"r2".into()).await.unwrap();
        assert!(store.upload_is_asked("u").await.unwrap());
        assert_eq!(store.upload_of_run(&"r2".into()).await.unwrap().as_deref(), Some("u"));
        assert!(!store.delete_upload("u").await.unwrap(), "runs ask it");
        assert_eq!(at(&store, DAY).forget_uploads(Timestamp(START + DAY)).await.unwrap(), 0);
        store.delete_run(&"r1".into()).await.unwrap();
        assert!(store.upload("u").await.unwrap().is_some(), "another run asks it");
        store.delete_run(&"r2".into()).await.unwrap();
        assert!(store.upload("u").await.unwrap().is_none());
    }
}

#[tokio::test]
async fn uploads_that_no_run_asks_are_few_and_forgotten() {
    for place in Place::on_each_engine().await {
        let store = at(&place.open().await, 0);
        for n in 0..OPEN {
            assert!(store.make_upload(&format!("u{n}"), "ann").await.unwrap());
        }
        assert!(!store.make_upload("more", "ann").await.unwrap());
        assert!(store.make_upload("other", "bob").await.unwrap());
        assert_eq!(bring(&at(&store, DAY), "u0", "a", "text").await, Brought::At(1));
        assert_eq!(store.take_back("u0", 1).await.unwrap(), 1);
        let gone = store.forget_uploads(Timestamp(START + DAY)).await.unwrap();
        assert_eq!(gone, OPEN as u64, "all but the one that was touched");
    }
}

#[tokio::test]
async fn documents_in_memory_are_found_and_in_the_library_they_replace_their_namesakes() {
    for place in Place::on_each_engine().await {
        let library = Library::of(&place.open().await);
        let first = reading("Bridge", "The harbour bridge opened in 1931.");
        let second = reading("Bridge", "The harbour bridge opened in 1932.");
        let added = library.add_reading("notes/bridge.md", 10, first.clone()).await.unwrap();
        assert!(added.is_ok());
        library.add_reading("notes/bridge.md", 10, second).await.unwrap().unwrap();
        let listed = library.list(&Default::default()).await.unwrap();
        assert_eq!(listed.len(), 1);
        assert_eq!(listed[0].origin, "upload:notes/bridge.md");
        let url = listed[0].url.as_ref().unwrap();
        assert_eq!(url.as_str(), "https://local.invalid/uploads/notes/bridge.md");
        assert!(library.add_reading("empty", 0, reading("", " ")).await.unwrap().is_err());
        let brought =
            Library::of_readings("files", vec![("b.md".to_owned(), first)]).await.unwrap();
        let hits = brought.search("When did the bridge open?", 5).await.unwrap();
        assert_eq!(hits[0].hit.url.as_str(), "https://local.invalid/files/b.md");
    }
}

#[tokio::test]
async fn a_link_opens_its_report_until_it_runs_out_or_is_revoked() {
    for place in Place::on_each_engine().await {
        let store = at(&place.open().await, 0);
        run(&store, "r1", "one").await;
        let life = Duration::from_secs(24 * 3_600);
        let r1 = RunId::from("r1");
        let share = |id| NewShare { id, hash: id, run: &r1, by: "ann", life };
        assert!(store.add_share(&share("s1")).await.unwrap());
        assert!(store.add_share(&share("s2")).await.unwrap());
        assert_eq!(store.shared_run("s1").await.unwrap().as_deref(), Some("r1"));
        assert!(store.revoke_share(&"r1".into(), "s1").await.unwrap());
        assert!(!store.revoke_share(&"other".into(), "s2").await.unwrap());
        assert_eq!(store.shared_run("s1").await.unwrap(), None);
        let later = at(&store, DAY);
        assert_eq!(later.shared_run("s2").await.unwrap(), None, "it ran out");
        assert!(later.shares(&"r1".into()).await.unwrap().is_empty());
        assert_eq!(store.shares(&"r1".into()).await.unwrap().len(), 1);
        store.delete_run(&"r1".into()).await.unwrap();
        assert_eq!(store.shared_run("s2").await.unwrap(), None, "it went with its run");
    }
}

#[tokio::test]
async fn runs_are_marked_and_found_by_their_marks_and_words() {
    for place in Place::on_each_engine().await {
        let store = at(&place.open().await, 0);
        run(&store, "r1", "How loud may Music be?").await;
        run(&store, "r2", "100% of what?").await;
        store.star(&"r1".into(), true).await.unwrap();
        store.star(&"r1".into(), true).await.unwrap();
        let tags: BTreeSet<String> = ["noise", "town"].map(str::to_owned).into();
        store.tag(&"r1".into(), &tags).await.unwrap();
        store.tag(&"r2".into(), &["town".to_owned()].into()).await.unwrap();
        let marks = store.run_marks(&[&"r1".into(), &"r2".into(), &"none".into()]).await.unwrap();
        assert!(marks["r1"].starred && !marks["r2"].starred);
        assert_eq!(marks["r1"].tags, tags);
        assert_eq!(store.tags().await.unwrap(), ["town", "noise"]);
        let found = |query: RunQuery| {
            let store = store.clone();
            async move {
                let runs = store.runs(&query).await.unwrap();
                runs.into_iter().map(|run| run.id).collect::<Vec<_>>()
            }
        };
        let only = |set: fn(&mut RunQuery)| {
            let mut query = RunQuery::default();
            set(&mut query);
            query
        };
        assert_eq!(found(only(|q| q.text = Some("music".into()))).await, ["r1"]);
        assert_eq!(found(only(|q| q.text = Some("0%".into()))).await, ["r2"], "no wildcard");
        assert_eq!(found(only(|q| q.starred = true)).await, ["r1"]);
        assert_eq!(found(only(|q| q.tag = Some("town".into()))).await, ["r2", "r1"]);
        assert!(found(only(|q| q.decision = Some("full_report".into()))).await.is_empty());
        store.star(&"r1".into(), false).await.unwrap();
        assert!(found(only(|q| q.starred = true)).await.is_empty());
    }
}

#[tokio::test]
async fn a_run_knows_what_it_came_of() {
    for place in Place::on_each_engine().await {
        let store = at(&place.open().await, 0);
        for id in ["r1", "r2", "r3"] {
            run(&store, id, id).await;
        }
        store.note_kin(&"r2".into(), &"r1".into(), Kinship::Follow).await.unwrap();
        store.note_kin(&"r3".into(), &"r1".into(), Kinship::Again).await.unwrap();
        assert_eq!(store.parent(&"r3".into()).await.unwrap().unwrap().kind, Kinship::Again);
        let children = store.children(&"r1".into()).await.unwrap();
        assert_eq!(children.iter().map(|kin| kin.run.as_str()).collect::<Vec<_>>(), ["r2", "r3"]);
        store.delete_run(&"r1".into()).await.unwrap();
        assert_eq!(store.parent(&"r2".into()).await.unwrap(), None);
    }
}
