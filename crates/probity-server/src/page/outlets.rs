//! Outlets: all of them, and one with its history.

use askama::Template;
use axum::extract::State;
use probity_credibility::kind::Kind;
use probity_credibility::ledger::{EventRecord, History};
use probity_store::ledger::{EventQuery, OutletEntry, OutletQuery};
use serde::Deserialize;

use super::{Bar, Frame, Tab, When, page};
use crate::access::Caller;
use crate::api::{Cursor, Listed, Reply, outlets as api};
use crate::limits;
use crate::read::{Part, Query};
use crate::state::Server;
use crate::worth;

/// The most events that an outlet's page draws and lists.
const EVENTS: i64 = 200;

/// An outlet as the list shows it.
pub(crate) struct Row {
    pub(crate) domain: String,
    pub(crate) name: String,
    pub(crate) bar: Bar,
    pub(crate) events: i64,
    pub(crate) seeded: String,
}

impl Row {
    pub(crate) fn new(entry: &OutletEntry) -> Self {
        Self {
            domain: entry.outlet.as_str().to_owned(),
            name: entry.name.clone().unwrap_or_default(),
            bar: Bar::new(entry.score),
            events: entry.events,
            seeded: entry.seeded.map_or_else(|| "–".to_owned(), |score| format!("{score:.2}")),
        }
    }
}

#[derive(Template)]
#[template(path = "outlets.html")]
struct OutletsPage {
    frame: Frame,
    outlets: Vec<Row>,
    total: i64,
    text: String,
    next: Option<String>,
}

/// Which outlets to show.
#[derive(Deserialize)]
pub(crate) struct Asked {
    text: Option<String>,
    cursor: Option<String>,
}

/// `GET /outlets`.
pub(crate) async fn list(
    State(server): State<Server>,
    caller: Caller,
    Query(asked): Query<Asked>,
) -> Reply {
    let offset = Cursor::read::<i64>(asked.cursor.as_deref())?.unwrap_or(0).max(0);
    let limit = limits::PAGE_ROWS;
    let query = OutletQuery {
        text: asked.text.clone(),
        limit: Some(limit + 1),
        offset,
        ..OutletQuery::default()
    };
    let found = server.store.outlets(&query).await?;
    let rows: Vec<Row> = found.items.iter().map(Row::new).collect();
    let Listed { items, next } = Listed::cut(rows, limit, |_| Cursor::write(&(offset + limit)));
    page(&OutletsPage {
        frame: Frame::new(&server, &caller, "Outlets", Tab::Outlets),
        outlets: items,
        total: found.total,
        text: asked.text.unwrap_or_default(),
        next,
    })
}

/// An event as pages show it.
pub(crate) struct EventRow {
    pub(crate) seq: i64,
    pub(crate) at: When,
    pub(crate) outlet: String,
    pub(crate) before: String,
    pub(crate) after: String,
    pub(crate) by: String,
    pub(crate) why: String,
    pub(crate) note: Option<String>,
    pub(crate) reference: Option<String>,
    pub(crate) hash: String,
}

impl EventRow {
    pub(crate) fn new(event: &EventRecord, now: probity_core::Timestamp) -> Self {
        let codes: Vec<&str> = event.codes.iter().map(|used| used.code.as_str()).collect();
        Self {
            seq: event.seq,
            at: When::new(event.at, now),
            outlet: event.outlet.as_str().to_owned(),
            before: format!("{:.3}", event.before),
            after: format!("{:.3}", event.after),
            by: event.by.clone(),
            why: match (event.reverts, &event.provenance) {
                (Some(undone), _) => format!("undoes event {undone}"),
                (None, Some(label)) => format!("from {label}"),
                (None, None) if codes.is_empty() => "by hand".to_owned(),
                (None, None) => codes.join(" + "),
            },
            note: event.note.clone(),
            reference: event.subject.reference.clone(),
            hash: event.hash.chars().take(12).collect(),
        }
    }
}

/// A part of what an outlet is worth, as its page shows it.
struct PartRow {
    part: &'static str,
    value: String,
    weight: String,
    why: String,
}

impl PartRow {
    fn new(part: probity_credibility::Part) -> Self {
        let (value, weight) = (format!("{:.2}", part.value), format!("{:.1}", part.weight));
        Self { part: part.part, value, weight, why: part.why }
    }
}

#[derive(Template)]
#[template(path = "outlet.html")]
struct OutletPage {
    frame: Frame,
    domain: String,
    name: Option<String>,
    known: bool,
    bar: Bar,
    seeded: Option<String>,
    authority: String,
    explanation: String,
    kind: Option<&'static str>,
    difference: Option<&'static str>,
    parts: Vec<PartRow>,
    events: Vec<EventRow>,
    plot: Option<String>,
}

/// `GET /outlets/{outlet}`.
pub(crate) async fn show(
    State(server): State<Server>,
    caller: Caller,
    Part(outlet): Part,
) -> Reply {
    let outlet = api::resolve(&server, &outlet)?;
    let query = EventQuery {
        outlet: Some(outlet.clone()),
        newest_first: true,
        limit: Some(EVENTS),
        ..EventQuery::default()
    };
    let (entry, mut events) =
        tokio::try_join!(server.store.outlet(&outlet), server.store.events(&query))?;
    let now = server.clock.now();
    let rows = events.iter().map(|event| EventRow::new(event, now)).collect();
    events.reverse();
    let score = entry.as_ref().map_or(0.5, |entry| entry.score);
    let plot = History::new(outlet.as_str(), score, &events);
    let research = worth::now(&server, &outlet).await?;
    page(&OutletPage {
        frame: Frame::new(&server, &caller, outlet.as_str(), Tab::Outlets),
        known: entry.is_some(),
        name: entry.as_ref().and_then(|entry| entry.name.clone()),
        bar: Bar::new(score),
        seeded: entry.as_ref().and_then(|e| e.seeded).map(|score| format!("{score:.2}")),
        authority: format!("{:.2}", research.value),
        explanation: research.to_string(),
        kind: research.kind().map(Kind::words),
        difference: research.difference(score),
        parts: research.parts().into_iter().map(PartRow::new).collect(),
        plot: (!events.is_empty()).then(|| plot.svg()),
        events: rows,
        domain: outlet.as_str().to_owned(),
    })
}
