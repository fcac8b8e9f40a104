//! Proof of the stored ledger, on one state of the data, page by page.

use probity_credibility::ledger::{Anchor, Fault, Flaw, Head, OutletRow, Sound, Verifier};

use super::{codebook, events};
use crate::sql::{ColumnError, Row, sql};
use crate::store::Engine;
use crate::tx::Tx;
use crate::{Store, StoreError};

/// How many events are in memory at once.
const VERIFY_ROWS: i64 = 2_000;

/// What a verification came to.
#[derive(Debug, Clone, PartialEq)]
pub enum Verification {
    /// Chain, replay and rows agree.
    Sound(Sound),
    /// The first thing that is wrong.
    Broken(Fault),
}

impl Store {
    /// Proves that the log is whole and that replaying it from the seeds gives today's scores.
    ///
    /// # Errors
    /// When the store fails, or its file is damaged beyond reading.
    pub async fn verify(&self, anchor: Option<Anchor>) -> Result<Verification, StoreError> {
        let mut tx = self.read().await?;
        let verified = walk(&mut tx, anchor).await?;
        if let (Ok(_), Engine::Sqlite) = (&verified, self.engine()) {
            check_file(&mut tx).await?;
        }
        Ok(match verified {
            Ok(sound) => Verification::Sound(sound),
            Err(fault) => Verification::Broken(fault),
        })
    }
}

async fn walk(tx: &mut Tx, anchor: Option<Anchor>) -> Result<Result<Sound, Fault>, StoreError> {
    let codes = codebook::revisions(tx).await?;
    let codes = codes.into_iter().map(|revision| (revision.code.name, revision.code.weight));
    let mut verifier = Verifier::new().with_codebook(codes).with_anchor(anchor);
    let mut after = i64::MIN;
    loop {
        let rows = events::rows_after(tx, after, VERIFY_ROWS).await?;
        if rows.is_empty() {
            break;
        }
        for row in &rows {
            after = row.get("seq").map_err(|error| tx.unreadable(&error))?;
            if let Err(fault) = take(&mut verifier, row) {
                return Ok(Err(fault));
            }
        }
    }
    let Some(head) = head(tx).await? else {
        let why = "it is missing".to_owned();
        return Ok(Err(Fault::in_event(verifier.expected() - 1, Flaw::Head { why })));
    };
    Ok(match outlet_rows(tx).await? {
        Ok(rows) => verifier.finish(&head, rows),
        Err(fault) => Err(fault),
    })
}

fn take(verifier: &mut Verifier, row: &Row) -> Result<(), Fault> {
    let record = events::read(row).map_err(|error| {
        Fault::in_event(verifier.expected(), Flaw::Unreadable { why: error.to_string() })
    })?;
    verifier.event(&record)
}

async fn head(tx: &mut Tx) -> Result<Option<Head>, StoreError> {
    let row = tx.maybe(sql("SELECT seq, hash FROM ledger_head WHERE id = 1")).await?;
    let read = |row: Row| Ok(Head { seq: row.get("seq")?, hash: row.get("hash")? });
    row.map(|row| read(row).map_err(|error: ColumnError| tx.unreadable(&error))).transpose()
}

async fn outlet_rows(tx: &mut Tx) -> Result<Result<Vec<OutletRow>, Fault>, StoreError> {
    let query = sql("SELECT domain, name, credibility_score, seeded_score, last_event
                     FROM outlets ORDER BY domain");
    let rows = tx.all(query).await?;
    let read = |row: &Row| {
        let domain: String = row.get("domain").unwrap_or_default();
        let parts = || {
            Ok(OutletRow {
                domain: row.get("domain")?,
                name: row.get("name")?,
                score: row.get("credibility_score")?,
                seeded: row.get("seeded_score")?,
                last_event: row.get("last_event")?,
            })
        };
        parts().map_err(|error: ColumnError| {
            Fault::in_row(domain, None, Flaw::Unreadable { why: error.to_string() })
        })
    };
    Ok(rows.iter().map(read).collect())
}

/// The pages and indexes of the ledger's own tables: a flipped byte may hide where no column shows it.
/// Those of other tables are left out, so that a proof takes no longer because there are more runs.
async fn check_file(tx: &mut Tx) -> Result<(), StoreError> {
    for check in [
        "PRAGMA integrity_check(ledger_events)",
        "PRAGMA integrity_check(ledger_head)",
        "PRAGMA integrity_check(outlets)",
        "PRAGMA integrity_check(codes)",
    ] {
        let row = tx.maybe(sql(check)).await?;
        match row.map(|row| row.get::<String>("integrity_check")) {
            Some(Ok(answer)) if answer == "ok" => {}
            Some(Ok(why)) => {
                return Err(StoreError::Damaged { location: tx.location().to_owned(), why });
            }
            Some(Err(error)) => return Err(tx.unreadable(&error)),
            None => {}
        }
    }
    Ok(())
}
