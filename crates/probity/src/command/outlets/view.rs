//! Outlets and events as they are shown: stable JSON, and lines for people.

use jiff::Timestamp as Instant;
use probity_core::{Band, Outlet, Timestamp, printable};
use probity_credibility::ledger::{Credibility, EventRecord, WeighedCode};
use probity_store::ledger::OutletEntry;
use serde::Serialize;

use crate::app::App;

/// An outlet as JSON. The names of the fields are part of the format.
#[derive(Serialize)]
pub(crate) struct OutletView<'a> {
    pub(crate) outlet: &'a str,
    pub(crate) name: Option<&'a str>,
    pub(crate) score: f64,
    pub(crate) band: &'static str,
    pub(crate) seeded_score: Option<f64>,
    /// None for an outlet that the ledger does not know.
    pub(crate) first_seen: Option<String>,
    pub(crate) events: i64,
    pub(crate) last_event: Option<i64>,
}

impl<'a> OutletView<'a> {
    pub(crate) fn new(entry: &'a OutletEntry) -> Self {
        Self {
            outlet: entry.outlet.as_str(),
            name: entry.name.as_deref(),
            score: entry.score,
            band: Band::of(entry.score).words(),
            seeded_score: entry.seeded,
            first_seen: Some(instant(entry.first_seen)),
            events: entry.events,
            last_event: entry.last_event,
        }
    }
}

impl<'a> OutletView<'a> {
    /// An outlet that the ledger does not know: what the newsroom takes it for.
    pub(crate) fn unknown(outlet: &'a Outlet) -> Self {
        let score = Credibility::NEUTRAL.get();
        Self {
            outlet: outlet.as_str(),
            name: None,
            score,
            band: Band::of(score).words(),
            seeded_score: None,
            first_seen: None,
            events: 0,
            last_event: None,
        }
    }
}

/// An event as JSON: everything that is hashed, under the names that docs/ledger.md gives.
#[derive(Serialize)]
pub(crate) struct EventView<'a> {
    /// None for an event that was only previewed, as are both hashes.
    pub(crate) seq: Option<i64>,
    pub(crate) at: String,
    pub(crate) at_ms: i64,
    pub(crate) kind: &'static str,
    pub(crate) outlet: &'a str,
    pub(crate) name: Option<&'a str>,
    pub(crate) before: f64,
    pub(crate) after: f64,
    pub(crate) alpha: Option<f64>,
    pub(crate) target: Option<f64>,
    pub(crate) codes: &'a [WeighedCode],
    pub(crate) subject: &'static str,
    pub(crate) reference: Option<&'a str>,
    pub(crate) by: &'a str,
    pub(crate) note: Option<&'a str>,
    pub(crate) provenance: Option<&'a str>,
    pub(crate) reverts: Option<i64>,
    pub(crate) previous: Option<&'a str>,
    pub(crate) hash: Option<&'a str>,
}

impl<'a> EventView<'a> {
    /// An event of the log.
    pub(crate) fn new(record: &'a EventRecord) -> Self {
        Self {
            seq: Some(record.seq),
            at: instant(record.at),
            at_ms: record.at.0,
            kind: record.kind.as_str(),
            outlet: record.outlet.as_str(),
            name: record.name.as_deref(),
            before: record.before,
            after: record.after,
            alpha: record.alpha,
            target: record.target,
            codes: &record.codes,
            subject: record.subject.kind.as_str(),
            reference: record.subject.reference.as_deref(),
            by: &record.by,
            note: record.note.as_deref(),
            provenance: record.provenance.as_deref(),
            reverts: record.reverts,
            previous: Some(&record.previous),
            hash: Some(&record.hash),
        }
    }

    /// An event that was not appended, and so has no place in the log.
    pub(crate) fn preview(record: &'a EventRecord) -> Self {
        Self { seq: None, previous: None, hash: None, ..Self::new(record) }
    }
}

/// An instant to the millisecond, as it is hashed.
pub(crate) fn instant(at: Timestamp) -> String {
    Instant::from_millisecond(at.0)
        .map(|instant| instant.strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string())
        .unwrap_or_else(|_| at.to_string())
}

/// What an event did and why, in a few words.
pub(crate) fn reason(record: &EventRecord) -> String {
    let mut parts = Vec::new();
    let codes: Vec<&str> = record.codes.iter().map(|used| used.code.as_str()).collect();
    match (record.reverts, &record.provenance) {
        (Some(undone), _) => parts.push(format!("undoes event {undone}")),
        (None, Some(label)) => parts.push(format!("from {}", printable::brief(label, 40))),
        (None, None) if codes.is_empty() => parts.push("by hand".to_owned()),
        (None, None) => parts.push(codes.join(" + ")),
    }
    if let Some(note) = &record.note {
        parts.push(format!("“{}”", printable::brief(note, 60)));
    }
    if let Some(reference) = &record.subject.reference {
        parts.push(printable::brief(reference, 60));
    }
    parts.join(" · ")
}

/// One event as a line of a table, cut to the width of the terminal.
pub(crate) fn event_line(record: &EventRecord, app: &App) -> String {
    let line = format!(
        "{:>6}  {}  {:<6}  {:.3} → {:.3}  {}: {}",
        record.seq,
        record.at.date(),
        record.kind.as_str(),
        record.before,
        record.after,
        printable::brief(&record.by, 30),
        reason(record),
    );
    printable::brief(&line, app.style.width().max(60))
}
