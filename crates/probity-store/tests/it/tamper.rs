//! Whatever is changed behind the ledger's back, verification finds it and names the first bad event.

use probity_credibility::ledger::Flaw;
use probity_store::Store;
use probity_store::ledger::{Intent, Verification};

use crate::place::{Place, ada, nudge, sound};

const TABLES: [&str; 4] = ["ledger_events", "outlets", "ledger_head", "codes"];

/// A ledger of eight events, with copies of its tables, and no triggers to stop us.
async fn prepare(place: &Place) -> Store {
    let store = place.open().await;
    for turn in 0..7 {
        let domain = ["reuters.com", "bbc.com", "gazette.example"][turn % 3];
        let code = if turn % 2 == 0 { "source-unreliable" } else { "high-quality-source" };
        nudge(&store, domain, code, &format!("note {turn}")).await;
    }
    store.revert(3, &ada(), Intent::Apply).await.unwrap();
    let disarm = if place.is_sqlite() {
        "DROP TRIGGER ledger_events_append; DROP TRIGGER ledger_events_keep;
         DROP TRIGGER ledger_events_stay; DROP TRIGGER codes_append; DROP TRIGGER codes_keep;
         DROP TRIGGER codes_stay;"
    } else {
        "ALTER TABLE ledger_events DISABLE TRIGGER ALL; ALTER TABLE codes DISABLE TRIGGER ALL;
         ALTER TABLE outlets DISABLE TRIGGER ALL;"
    };
    place.raw(disarm).await.unwrap();
    for table in TABLES {
        place.raw(&format!("CREATE TABLE saved_{table} AS SELECT * FROM {table}")).await.unwrap();
    }
    store
}

async fn restore(place: &Place) {
    for table in TABLES {
        let restore =
            format!("DELETE FROM {table}; INSERT INTO {table} SELECT * FROM saved_{table}");
        place.raw(&restore).await.unwrap();
    }
}

/// What was done, and the event that must be named (none: the outlet's row is).
fn tamperings() -> Vec<(String, Option<i64>)> {
    let set = |column: &str, value: &str| {
        (format!("UPDATE ledger_events SET {column} = {value} WHERE seq = 5"), Some(5))
    };
    vec![
        set("happened_at", "happened_at + 1"),
        set("kind", "'set'"),
        set("outlet", "'wsj.com'"),
        set("outlet_name", "'Another'"),
        set("score_before", "score_before - 0.0000000001"),
        set("score_after", "score_after + 0.0000000001"),
        set("alpha", "0.2"),
        set("target", "1 - target"),
        set("codes", "'source-unreliable=-2'"),
        set("codes", "''"),
        set("codes", "'not codes'"),
        set("subject", "'article'"),
        set("subject", "'something'"),
        set("reference", "'https://example.com/'"),
        set("editor", "'Eve'"),
        set("note", "'note 5'"),
        set("note", "NULL"),
        set("provenance", "'a list'"),
        set("reverts", "1"),
        set("previous_hash", "hash"),
        set("hash", "previous_hash"),
        set("seq", "50"),
        ("DELETE FROM ledger_events WHERE seq = 1".to_owned(), Some(1)),
        ("DELETE FROM ledger_events WHERE seq = 4".to_owned(), Some(4)),
        ("DELETE FROM ledger_events WHERE seq = 8".to_owned(), Some(8)),
        ("DELETE FROM ledger_events WHERE seq >= 6".to_owned(), Some(6)),
        ("DELETE FROM ledger_events".to_owned(), Some(1)),
        (
            "UPDATE ledger_events SET seq = 99 WHERE seq = 3;
             UPDATE ledger_events SET seq = 3 WHERE seq = 6;
             UPDATE ledger_events SET seq = 6 WHERE seq = 99"
                .to_owned(),
            Some(3),
        ),
        // A row is dropped from the end and the head is turned back: the outlet's row remembers.
        (
            "DELETE FROM ledger_events WHERE seq = 8;
             UPDATE ledger_head SET seq = 7,
                 hash = (SELECT hash FROM ledger_events WHERE seq = 7)"
                .to_owned(),
            None,
        ),
        ("UPDATE outlets SET credibility_score = 0.99 WHERE domain = 'bbc.com'".to_owned(), None),
        ("UPDATE outlets SET credibility_score = 0.99 WHERE domain = 'wired.com'".to_owned(), None),
        ("UPDATE outlets SET seeded_score = 0.99 WHERE domain = 'wired.com'".to_owned(), None),
        ("UPDATE outlets SET name = 'Wire' WHERE domain = 'wired.com'".to_owned(), None),
        ("UPDATE outlets SET last_event = 2 WHERE domain = 'wired.com'".to_owned(), None),
        ("DELETE FROM outlets WHERE domain = 'wired.com'".to_owned(), None),
        (
            "INSERT INTO outlets (domain, credibility_score, first_seen)
             VALUES ('stray.example', 0.9, 0)"
                .to_owned(),
            None,
        ),
        ("UPDATE ledger_head SET seq = 9".to_owned(), Some(9)),
        ("UPDATE ledger_head SET seq = 7".to_owned(), Some(8)),
        ("UPDATE ledger_head SET hash = 'x'".to_owned(), Some(8)),
        ("DELETE FROM ledger_head".to_owned(), Some(8)),
        ("UPDATE codes SET weight = 2 WHERE name = 'source-unreliable'".to_owned(), Some(1)),
    ]
}

#[tokio::test]
async fn every_tampering_is_found_and_named() {
    for place in Place::on_each_engine().await {
        let store = prepare(&place).await;
        for (statement, expected) in tamperings() {
            place.raw(&statement).await.unwrap();
            let Verification::Broken(fault) = store.verify(None).await.unwrap() else {
                panic!("not found on {}: {statement}", place.location);
            };
            match expected {
                Some(_) => assert_eq!(fault.event, expected, "{statement}: {fault}"),
                None => assert!(fault.outlet.is_some(), "{statement}: {fault}"),
            }
            restore(&place).await;
            sound(&store).await;
        }
    }
}

#[tokio::test]
async fn a_history_that_was_rewritten_as_a_whole_fails_against_a_noted_head() {
    for place in Place::on_each_engine().await {
        let store = prepare(&place).await;
        let head = sound(&store).await.head;
        let noted = || Some(format!("{}:{}", head.seq, head.hash).parse().unwrap());
        assert!(matches!(store.verify(noted()).await.unwrap(), Verification::Sound(_)));

        // Everything is turned back consistently to the beginning, and written anew.
        place
            .raw(
                "DELETE FROM ledger_events; DELETE FROM outlets WHERE seeded_score IS NULL;
                 UPDATE outlets SET credibility_score = seeded_score, last_event = NULL;",
            )
            .await
            .unwrap();
        let genesis = probity_credibility::ledger::genesis();
        place.raw(&format!("UPDATE ledger_head SET seq = 0, hash = '{genesis}'")).await.unwrap();
        sound(&store).await;
        let Verification::Broken(fault) = store.verify(noted()).await.unwrap() else {
            panic!("the cut was not found");
        };
        assert_eq!((fault.event, fault.flaw), (Some(1), Flaw::Missing));
        for turn in 0..9 {
            nudge(&store, "bbc.com", "high-quality-source", &format!("rewritten {turn}")).await;
        }
        sound(&store).await;
        let Verification::Broken(fault) = store.verify(noted()).await.unwrap() else {
            panic!("the rewriting was not found");
        };
        assert_eq!((fault.event, fault.flaw), (Some(8), Flaw::Anchor));
    }
}

/// Positions of a text in the file.
fn positions(bytes: &[u8], text: &[u8]) -> Vec<usize> {
    bytes
        .windows(text.len())
        .enumerate()
        .filter(|(_, window)| *window == text)
        .flat_map(|(start, _)| start..start + text.len())
        .collect()
}

#[tokio::test]
async fn any_flipped_byte_of_an_event_in_the_file_is_found() {
    let place = Place::file();
    let store = place.open().await;
    for turn in 0..6 {
        nudge(&store, "bbc.com", "high-quality-source", &format!("memorable note {turn}")).await;
    }
    let event = store.event(4).await.unwrap().unwrap();
    store.close().await;
    let path = place.location.path().unwrap();
    let honest = std::fs::read(path).unwrap();
    let mut places = positions(&honest, b"memorable note 3");
    places.extend(positions(&honest, event.hash.as_bytes()));
    places.extend(positions(&honest, &event.after.to_be_bytes()));
    places.extend(positions(&honest, &event.at.0.to_be_bytes()[2..]));
    assert!(places.len() > 90, "{}", places.len());
    for place_in_file in places.into_iter().step_by(3) {
        let mut bytes = honest.clone();
        bytes[place_in_file] ^= 0x04;
        std::fs::write(path, &bytes).unwrap();
        let store = place.open().await;
        let found = match store.verify(None).await {
            Ok(Verification::Sound(_)) => false,
            Ok(Verification::Broken(_)) | Err(_) => true,
        };
        store.close().await;
        assert!(found, "byte {place_in_file}");
    }
    std::fs::write(path, &honest).unwrap();
    sound(&place.open().await).await;
}
