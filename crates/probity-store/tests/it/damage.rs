//! Whatever is damaged in a store, looking through it names the thing.

use probity_core::Timestamp;
use probity_store::events::NewEvent;
use probity_store::{JournalEntry, Store};

use crate::place::{Place, new_run, nudge};

/// A run with a journal and events, and a ledger with something in it.
async fn fill(store: &Store) {
    assert!(store.create_run(&new_run(&"r1".into(), 0)).await.unwrap());
    for number in 0..3 {
        let (inputs, output) = (format!("\"query {number}\""), format!("[\"hit {number}\"]"));
        let entry = JournalEntry {
            key: JournalEntry::key_of("search", &inputs),
            kind: "search".to_owned(),
            digest: JournalEntry::digest_of(&output),
            inputs,
            output,
            at: Timestamp(0),
            millis: 1,
        };
        store.append_step(&"r1".into(), &entry).await.unwrap();
    }
    let event = |n: i64| NewEvent { kind: "plan".to_owned(), event: format!("{{\"n\":{n}}}") };
    store.append_events(&"r1".into(), 0, &[event(1), event(2), event(3)]).await.unwrap();
    nudge(store, "reuters.com", "high-quality-source", "a note").await;
}

/// Damage that both engines can suffer: the statement, and what has to be named.
const DAMAGES: [(&str, &str); 12] = [
    (
        "UPDATE journal SET output = '[\"hit 9\"]' WHERE seq = 2",
        "journal r1 2 (search) was changed: its output",
    ),
    (
        "UPDATE journal SET inputs = '\"query 9\"' WHERE seq = 2",
        "journal r1 2 (search) was changed: its inputs",
    ),
    (
        "UPDATE journal SET kind = 'fetch' WHERE seq = 2",
        "journal r1 2 (fetch) was changed: its inputs",
    ),
    ("DELETE FROM journal WHERE seq = 2", "journal of r1 lacks number 2"),
    ("UPDATE journal SET output = '[' WHERE seq = 3", "journal r1 3: its output is not JSON"),
    ("DELETE FROM run_events WHERE seq = 1", "run_events of r1 lacks number 1"),
    ("UPDATE run_events SET event = 'x' WHERE seq = 2", "run_events r1 2: its event is not JSON"),
    ("UPDATE runs SET spec = '{' WHERE id = 'r1'", "runs r1: its spec is not JSON"),
    ("UPDATE runs SET report = '{\"a\": ' WHERE id = 'r1'", "runs r1: its report is not JSON"),
    ("DROP TABLE outlet_citations", "outlet_citations"),
    ("DROP INDEX runs_by_time", "the index runs_by_time is missing"),
    ("ALTER TABLE pace RENAME COLUMN failures TO faults", "pace"),
];

/// Damage that only one engine lets happen.
const ON_SQLITE: [(&str, &str); 9] = [
    ("DELETE FROM runs", "3 rows of journal refer to a row of runs that is not there"),
    ("DELETE FROM outlets WHERE domain = 'reuters.com'", "1 rows of ledger_events refer to a row of outlets"),
    ("DROP TRIGGER ledger_events_keep", "the trigger ledger_events_keep is missing"),
    (
        "DROP TRIGGER codes_keep; CREATE TRIGGER codes_keep BEFORE UPDATE ON codes BEGIN SELECT 1; END",
        "the trigger codes_keep was changed",
    ),
    ("UPDATE runs SET title = CAST(x'c328' AS TEXT)", "the table runs cannot be read"),
    ("UPDATE runs SET title = CAST(x'0000' AS TEXT)", "runs r1 holds a zero byte"),
    (
        "PRAGMA ignore_check_constraints = 1; UPDATE runs SET status = 'lost'",
        "CHECK constraint failed in runs",
    ),
    (
        "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET rootpage = 3 WHERE name = 'runs_by_time'",
        "is damaged",
    ),
    (
        "INSERT INTO library_documents (number, id, origin, bytes, modified, hash, reader, indexed_at)
         VALUES (1, 'd', 'o', 1, 1, 'h', 1, 1);
         INSERT INTO library_passages (number, document, body) VALUES (7, 1, 'lost words')",
        "1 rows of library_passages are not in its index",
    ),
];
const ON_POSTGRES: [(&str, &str); 4] = [
    ("ALTER TABLE ledger_events DISABLE TRIGGER ledger_events_keep", "the trigger ledger_events_keep is"),
    ("DROP TRIGGER actions_append ON actions", "the trigger actions_append is"),
    (
        "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'runs_by_time'::regclass",
        "the index runs_by_time is missing, unfinished or switched off",
    ),
    (
        "ALTER TABLE journal DROP CONSTRAINT journal_run_id_fkey; ALTER TABLE run_events DROP CONSTRAINT
         run_events_run_id_fkey; DELETE FROM runs",
        "3 rows of journal refer to a row of runs that is not there",
    ),
];

async fn is_named(place: &Place, damage: &str, named: &str) {
    let store = place.open().await;
    fill(&store).await;
    assert_eq!(store.examine().await.unwrap(), Vec::<String>::new(), "a whole store");
    store.close().await;
    place.raw(damage).await.unwrap_or_else(|error| panic!("{damage}: {error}"));
    let found = match Store::open(&place.location).await {
        Ok(store) => match store.examine().await {
            Ok(faults) => faults.join("\n"),
            Err(error) => error.to_string(),
        },
        Err(error) => error.to_string(),
    };
    assert!(found.contains(named), "{damage}\nexpected {named:?} in: {found}");
}

#[tokio::test]
async fn every_kind_of_damage_to_a_file_is_named() {
    for (damage, named) in DAMAGES.iter().chain(&ON_SQLITE) {
        is_named(&Place::file(), damage, named).await;
    }
}

#[tokio::test]
async fn every_kind_of_damage_to_a_database_of_a_server_is_named() {
    for (damage, named) in DAMAGES.iter().chain(&ON_POSTGRES) {
        let Some(place) = Place::database().await else { return };
        is_named(&place, damage, named).await;
    }
}
