//! The database itself refuses to change the log, whoever connects and with whatever statement.

use crate::place::{Place, all_events, nudge, sound};

const COLUMNS: &str = "seq, happened_at, kind, outlet, outlet_name, score_before, score_after, alpha, \
                       target, codes, subject, reference, editor, note, provenance, reverts, \
                       previous_hash, hash";

fn attempts(place: &Place) -> Vec<String> {
    let mut all = vec![
        "UPDATE ledger_events SET note = 'forged' WHERE seq = 1".to_owned(),
        "UPDATE ledger_events SET seq = 7 WHERE seq = 2".to_owned(),
        "DELETE FROM ledger_events WHERE seq = 2".to_owned(),
        "DELETE FROM ledger_events".to_owned(),
        format!(
            "INSERT INTO ledger_events ({COLUMNS})
             SELECT {COLUMNS} FROM ledger_events WHERE seq = 1
             ON CONFLICT (seq) DO UPDATE SET note = 'forged'"
        ),
        // A gap in the numbers could later be filled.
        format!(
            "INSERT INTO ledger_events ({COLUMNS})
             SELECT 9, {} FROM ledger_events WHERE seq = 1",
            COLUMNS.trim_start_matches("seq, ")
        ),
        "UPDATE codes SET weight = 1 WHERE name = 'source-unreliable'".to_owned(),
        "DELETE FROM codes".to_owned(),
    ];
    if place.is_sqlite() {
        for verb in ["INSERT OR REPLACE", "REPLACE"] {
            all.push(format!(
                "{verb} INTO ledger_events ({COLUMNS}) SELECT {COLUMNS} FROM ledger_events WHERE seq = 1"
            ));
        }
        all.push("UPDATE OR REPLACE ledger_events SET seq = 1 WHERE seq = 2".to_owned());
        all.push("UPDATE OR IGNORE ledger_events SET note = 'forged' WHERE seq = 1".to_owned());
        all.push(
            "INSERT OR REPLACE INTO codes SELECT name, revision, 1, description, retired, editor,
             changed_at FROM codes WHERE name = 'source-unreliable'"
                .to_owned(),
        );
    } else {
        all.push("TRUNCATE ledger_events".to_owned());
        all.push("TRUNCATE ledger_events CASCADE".to_owned());
        all.push("TRUNCATE codes".to_owned());
    }
    all
}

#[tokio::test]
async fn no_statement_changes_or_deletes_an_event() {
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        for note in ["one", "two", "three"] {
            nudge(&store, "reuters.com", "high-quality-source", note).await;
        }
        let before = all_events(&store).await;
        for attempt in attempts(&place) {
            let refused = place.raw(&attempt).await.expect_err(&attempt).to_string();
            assert!(refused.contains("append-only"), "{attempt}: {refused}");
            assert_eq!(all_events(&store).await, before, "{attempt}");
        }
        sound(&store).await;
    }
}
