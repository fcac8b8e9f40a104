//! Outlets: all of them, and one with its history.

use askama::Template;
use axum::extract::State;
use probity_core::Band;
use probity_credibility::kind::OutletKind;
use probity_credibility::ledger::{EventRecord, History};
use probity_store::ledger::{EventQuery, OutletEntry, OutletQuery};
use probity_store::news::{ArticleQuery, Latest};
use serde::Deserialize;

use super::news::ArticleRow;
use super::topics::Choice;
use super::{Bar, Frame, Tab, When, page};
use crate::access::Caller;
use crate::api::news::seen_by;
use crate::api::outlets::Order;
use crate::api::uses::{self, LookAlikeView, UseView};
use crate::api::{Cursor, Listed, Reply, outlets as api};
use crate::limits;
use crate::read::{Part, Query};
use crate::state::Server;
use crate::worth;

/// The most events that an outlet's page draws and lists.
const EVENTS: i64 = 200;

/// How many articles an outlet's page lists.
const ARTICLES: i64 = 20;

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
    bands: Vec<Choice>,
    orders: Vec<Choice>,
    reversed: bool,
    /// The address of this list without its place.
    here: String,
    next: Option<String>,
}

/// What a list may be sorted by, in words.
const ORDERS: [(Order, &str); 4] = [
    (Order::Score, "credibility"),
    (Order::Domain, "domain"),
    (Order::Changed, "last change"),
    (Order::Events, "number of changes"),
];

/// The scores of a band: from, and up to but not.
fn range(band: Band) -> (Option<f64>, Option<f64>) {
    let from = Band::TABLE.iter().find(|(_, one)| *one == band).map(|(from, _)| *from);
    // The table begins with the highest.
    let to = Band::TABLE.iter().rev().find(|(_, one)| *one > band).map(|(from, _)| *from);
    (from, to)
}

/// Which outlets to show.
#[derive(Deserialize)]
pub(crate) struct Asked {
    text: Option<String>,
    band: Option<Band>,
    #[serde(default)]
    order: Order,
    reversed: Option<String>,
    cursor: Option<String>,
}

impl Asked {
    /// The address of the list that is asked for, from its beginning.
    fn here(&self) -> String {
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        if let Some(text) = &self.text {
            query.append_pair("text", text);
        }
        if let Some(band) = self.band {
            query.append_pair("band", band_name(band));
        }
        query.append_pair("order", order_name(self.order));
        if self.reversed.is_some() {
            query.append_pair("reversed", "yes");
        }
        format!("/outlets?{}", query.finish())
    }
}

fn order_name(order: Order) -> &'static str {
    match order {
        Order::Score => "score",
        Order::Domain => "domain",
        Order::Changed => "changed",
        Order::Events => "events",
    }
}

/// The name of a band in an address.
fn band_name(band: Band) -> &'static str {
    match band {
        Band::TopTier => "top-tier",
        Band::Established => "established",
        Band::Neutral => "neutral",
        Band::Weak => "weak",
        Band::Unreliable => "unreliable",
    }
}

/// `GET /outlets`.
pub(crate) async fn list(
    State(server): State<Server>,
    caller: Caller,
    Query(asked): Query<Asked>,
) -> Reply {
    let offset = Cursor::read::<i64>(asked.cursor.as_deref())?.unwrap_or(0).max(0);
    let limit = limits::PAGE_ROWS;
    let (at_least, below) = asked.band.map_or((None, None), range);
    let query = OutletQuery {
        text: asked.text.clone(),
        at_least,
        below,
        order: asked.order.into(),
        reversed: asked.reversed.is_some(),
        limit: Some(limit + 1),
        offset,
    };
    let found = server.store.outlets(&query).await?;
    let rows: Vec<Row> = found.items.iter().map(Row::new).collect();
    let Listed { items, next } = Listed::cut(rows, limit, |_| Cursor::write(&(offset + limit)));
    let bands = Band::TABLE.iter().map(|(_, band)| Choice {
        value: band_name(*band).to_owned(),
        words: band.words().to_owned(),
        chosen: asked.band == Some(*band),
    });
    let orders = ORDERS.iter().map(|(order, words)| Choice {
        value: order_name(*order).to_owned(),
        words: (*words).to_owned(),
        chosen: order_name(*order) == order_name(asked.order),
    });
    page(&OutletsPage {
        frame: Frame::new(&server, &caller, "Outlets", Tab::Outlets),
        outlets: items,
        total: found.total,
        bands: bands.collect(),
        orders: orders.collect(),
        reversed: asked.reversed.is_some(),
        here: asked.here(),
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

/// A part of an outlet's authority, as its page shows it.
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
    articles: Vec<ArticleRow>,
    /// Where older articles begin.
    older: Option<String>,
    /// Whether these are the latest.
    is_first: bool,
    runs: Vec<UseView>,
    look_alikes: Vec<LookAlikeView>,
}

/// Where among an outlet's articles to begin.
#[derive(Deserialize)]
pub(crate) struct Older {
    cursor: Option<String>,
}

/// `GET /outlets/{outlet}`.
pub(crate) async fn show(
    State(server): State<Server>,
    caller: Caller,
    Part(outlet): Part,
    Query(asked): Query<Older>,
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
    let latest = ArticleQuery {
        outlet: Some(outlet.clone()),
        before: Cursor::read(asked.cursor.as_deref())?,
        limit: Some(ARTICLES + 1),
        ..ArticleQuery::default()
    };
    let articles = server.store.articles(&latest).await?;
    let Listed { items: articles, next: older } =
        Listed::cut(articles, ARTICLES, |last| Cursor::write(&Latest::after(last)));
    let (runs, look_alikes) =
        tokio::try_join!(uses::runs(&server, &outlet), uses::look_alikes(&server, &outlet))?;
    let articles = seen_by(&server, &caller.name, articles).await?;
    page(&OutletPage {
        frame: Frame::new(&server, &caller, outlet.as_str(), Tab::Outlets),
        known: entry.is_some(),
        name: entry.as_ref().and_then(|entry| entry.name.clone()),
        bar: Bar::new(score),
        seeded: entry.as_ref().and_then(|e| e.seeded).map(|score| format!("{score:.2}")),
        authority: format!("{:.2}", research.value),
        explanation: research.to_string(),
        kind: research.kind().map(OutletKind::words),
        difference: research.difference(score),
        parts: research.parts().into_iter().map(PartRow::new).collect(),
        plot: (!events.is_empty()).then(|| plot.svg()),
        events: rows,
        articles: articles.into_iter().map(|view| ArticleRow::new(view, now)).collect(),
        older,
        is_first: asked.cursor.is_none(),
        runs,
        look_alikes,
        domain: outlet.as_str().to_owned(),
    })
}
