//! Reading the log: one event, an outlet's history, or a page of everything.

use probity_core::{Outlet, Timestamp};
use probity_credibility::ledger::{EventKind, EventRecord, Subject, SubjectKind, WeighedCode};

use super::PAGE_ROWS;
use crate::sql::{ColumnError, Query, Row, sql};
use crate::tx::Tx;
use crate::{Store, StoreError};

/// The columns of an event, in one place because every reading needs them all.
macro_rules! select_events {
    ($rest:literal) => {
        concat!(
            "SELECT seq, happened_at, kind, outlet, outlet_name, score_before, score_after, alpha,
                    target, codes, subject, reference, editor, note, provenance, reverts,
                    previous_hash, hash
             FROM ledger_events ",
            $rest
        )
    };
}

/// Which events to read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EventQuery {
    /// Only those of one outlet.
    pub outlet: Option<Outlet>,
    /// Only those after this number; before it, when the newest come first.
    pub after: Option<i64>,
    /// The newest first instead of the oldest.
    pub newest_first: bool,
    /// At most this many; never more than [`PAGE_ROWS`].
    pub limit: Option<i64>,
}

impl Store {
    /// A page of the log.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn events(&self, query: &EventQuery) -> Result<Vec<EventRecord>, StoreError> {
        let mut tx = self.read().await?;
        let rows = tx.all(statement(query)).await?;
        rows.iter().map(|row| read(row).map_err(|error| tx.unreadable(&error))).collect()
    }

    /// One event.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn event(&self, seq: i64) -> Result<Option<EventRecord>, StoreError> {
        one(&mut self.read().await?, seq).await
    }
}

fn statement(query: &EventQuery) -> Query<'_> {
    let limit = query.limit.unwrap_or(PAGE_ROWS).clamp(0, PAGE_ROWS);
    let outlet = query.outlet.as_ref().map(Outlet::as_str);
    let (text, from) = match (outlet, query.newest_first) {
        (Some(_), false) => (
            select_events!("WHERE outlet = $3 AND seq > $1 ORDER BY seq LIMIT $2"),
            query.after.unwrap_or(i64::MIN),
        ),
        (Some(_), true) => (
            select_events!("WHERE outlet = $3 AND seq < $1 ORDER BY seq DESC LIMIT $2"),
            query.after.unwrap_or(i64::MAX),
        ),
        (None, false) => (
            select_events!("WHERE seq > $1 ORDER BY seq LIMIT $2"),
            query.after.unwrap_or(i64::MIN),
        ),
        (None, true) => (
            select_events!("WHERE seq < $1 ORDER BY seq DESC LIMIT $2"),
            query.after.unwrap_or(i64::MAX),
        ),
    };
    let statement = sql(text).bind(from).bind(limit);
    match outlet {
        Some(outlet) => statement.bind(outlet),
        None => statement,
    }
}

/// The rows after a number, as they are stored.
pub(super) async fn rows_after(
    tx: &mut Tx,
    after: i64,
    limit: i64,
) -> Result<Vec<Row>, StoreError> {
    let query = sql(select_events!("WHERE seq > $1 ORDER BY seq LIMIT $2"));
    tx.all(query.bind(after).bind(limit)).await
}

pub(super) async fn one(tx: &mut Tx, seq: i64) -> Result<Option<EventRecord>, StoreError> {
    let row = tx.maybe(sql(select_events!("WHERE seq = $1")).bind(seq)).await?;
    row.map(|row| read(&row).map_err(|error| tx.unreadable(&error))).transpose()
}

/// An event as it is stored. Whatever is not of the right kind is an error, never a guess.
pub(super) fn read(row: &Row) -> Result<EventRecord, ColumnError> {
    let text = |column| row.get::<String>(column);
    let refuse = |column, value: &str| ColumnError::new(column, format!("is `{value}`"));
    let (kind, outlet, codes, subject) =
        (text("kind")?, text("outlet")?, text("codes")?, text("subject")?);
    Ok(EventRecord {
        seq: row.get("seq")?,
        at: Timestamp(row.get("happened_at")?),
        kind: EventKind::parse(&kind).ok_or_else(|| refuse("kind", &kind))?,
        outlet: Outlet::new(&outlet)
            .ok()
            .filter(|parsed| parsed.as_str() == outlet)
            .ok_or_else(|| refuse("outlet", &outlet))?,
        name: row.get("outlet_name")?,
        before: row.get("score_before")?,
        after: row.get("score_after")?,
        alpha: row.get("alpha")?,
        target: row.get("target")?,
        codes: WeighedCode::parse_text(&codes).ok_or_else(|| refuse("codes", &codes))?,
        subject: Subject {
            kind: SubjectKind::parse(&subject).ok_or_else(|| refuse("subject", &subject))?,
            reference: row.get("reference")?,
        },
        by: text("editor")?,
        note: row.get("note")?,
        provenance: row.get("provenance")?,
        reverts: row.get("reverts")?,
        previous: text("previous_hash")?,
        hash: text("hash")?,
    })
}
