//! The two halves of every change: reading where things stand under the lock, and appending.

use probity_core::Outlet;
use probity_credibility::ledger::{Credibility, Head, LedgerEvent, Name, Standing, WeighedCode};

use super::LedgerError;
use crate::sql::{ColumnError, sql};
use crate::tx::{Script, Tx};

const HEAD: &str = "SELECT seq, hash FROM ledger_head WHERE id = 1";

/// SQLite's writers hold the file's lock already; PostgreSQL's queue at the head's row.
const LOCK_HEAD: Script =
    Script { sqlite: HEAD, postgres: "SELECT seq, hash FROM ledger_head WHERE id = 1 FOR UPDATE" };

/// The end of the log, without waiting for anyone.
pub(super) async fn head(tx: &mut Tx) -> Result<Head, LedgerError> {
    read_head(tx, HEAD).await
}

/// The end of the log, and the right to continue it until the transaction ends.
pub(super) async fn lock(tx: &mut Tx) -> Result<Head, LedgerError> {
    let query = tx.choose(LOCK_HEAD);
    read_head(tx, query).await
}

async fn read_head(tx: &mut Tx, query: &'static str) -> Result<Head, LedgerError> {
    let Some(row) = tx.maybe(sql(query)).await? else {
        return Err(LedgerError::Tampered("its head record is missing".to_owned()));
    };
    let read = || Ok(Head { seq: row.get("seq")?, hash: row.get("hash")? });
    read().map_err(|error: ColumnError| tx.unreadable(&error).into())
}

/// The state of an outlet. A row that disagrees with its last event is not continued:
/// otherwise the next event would bear witness to a forged score.
pub(super) async fn standing(tx: &mut Tx, outlet: &Outlet) -> Result<Standing, LedgerError> {
    let query =
        sql("SELECT o.name, o.credibility_score, o.seeded_score, o.last_event, e.score_after
                     FROM outlets o
                     LEFT JOIN ledger_events e ON e.seq = o.last_event AND e.outlet = o.domain
                     WHERE o.domain = $1");
    let Some(row) = tx.maybe(query.bind(outlet.as_str())).await? else {
        return Ok(Standing::unknown(outlet.clone()));
    };
    let read = || {
        let score: f64 = row.get("credibility_score")?;
        let expected: Option<f64> = match row.get::<Option<i64>>("last_event")? {
            Some(_) => row.get("score_after")?,
            None => row.get("seeded_score")?,
        };
        Ok((score, expected, row.get::<Option<String>>("name")?))
    };
    let (score, expected, name) = read().map_err(|error: ColumnError| tx.unreadable(&error))?;
    let forged = |what: String| LedgerError::Tampered(format!("the row of {outlet} {what}"));
    if expected.map(f64::to_bits) != Some(score.to_bits()) {
        let expected = expected.map_or("no score".to_owned(), |score| score.to_string());
        return Err(forged(format!("says {score}, its last event {expected}")));
    }
    Ok(Standing {
        outlet: outlet.clone(),
        score: Credibility::new(score).map_err(|error| forged(error.to_string()))?,
        name: name
            .map(|name| Name::new(&name))
            .transpose()
            .map_err(|error| forged(error.to_string()))?,
        known: true,
    })
}

/// Appends an event that was computed under the lock: outlet's row, event, head.
pub(super) async fn append(
    tx: &mut Tx,
    event: &LedgerEvent,
    standing: &Standing,
) -> Result<(), LedgerError> {
    if standing.known {
        update_outlet(tx, event).await?;
    } else {
        insert_outlet(tx, event).await?;
    }
    insert_event(tx, event).await?;
    let head = event.head();
    let query = sql("UPDATE ledger_head SET seq = $1, hash = $2 WHERE id = 1 AND seq = $3");
    let moved = tx.execute(query.bind(head.seq).bind(&head.hash).bind(head.seq - 1)).await?;
    exactly_one(moved, "its head record is not where it was")
}

async fn update_outlet(tx: &mut Tx, event: &LedgerEvent) -> Result<(), LedgerError> {
    let record = event.record();
    let query = sql("UPDATE outlets
                     SET credibility_score = $1, name = coalesce($2, name), last_event = $3
                     WHERE domain = $4");
    let query = query.bind(record.after).bind(record.name.as_deref()).bind(record.seq);
    let updated = tx.execute(query.bind(record.outlet.as_str())).await?;
    exactly_one(updated, "an outlet's row is gone")
}

async fn insert_outlet(tx: &mut Tx, event: &LedgerEvent) -> Result<(), LedgerError> {
    let record = event.record();
    let query = sql("INSERT INTO outlets (domain, name, credibility_score, first_seen, last_event)
                     VALUES ($1, $2, $3, $4, $5)");
    let query = query.bind(record.outlet.as_str()).bind(record.name.as_deref());
    tx.execute(query.bind(record.after).bind(record.at.0).bind(record.seq)).await?;
    Ok(())
}

async fn insert_event(tx: &mut Tx, event: &LedgerEvent) -> Result<(), LedgerError> {
    let record = event.record();
    let codes = WeighedCode::to_text(&record.codes);
    let query = sql("INSERT INTO ledger_events (
                         seq, happened_at, kind, outlet, outlet_name, score_before, score_after,
                         alpha, target, codes, subject, reference, editor, note, provenance,
                         reverts, previous_hash, hash)
                     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15,
                             $16, $17, $18)")
    .bind(record.seq)
    .bind(record.at.0)
    .bind(record.kind.as_str())
    .bind(record.outlet.as_str())
    .bind(record.name.as_deref())
    .bind(record.before)
    .bind(record.after)
    .bind(record.alpha)
    .bind(record.target)
    .bind(&codes)
    .bind(record.subject.kind.as_str())
    .bind(record.subject.reference.as_deref())
    .bind(&record.by)
    .bind(record.note.as_deref())
    .bind(record.provenance.as_deref())
    .bind(record.reverts)
    .bind(&record.previous)
    .bind(&record.hash);
    tx.execute(query).await?;
    Ok(())
}

fn exactly_one(rows: u64, otherwise: &str) -> Result<(), LedgerError> {
    if rows == 1 { Ok(()) } else { Err(LedgerError::Tampered(otherwise.to_owned())) }
}
