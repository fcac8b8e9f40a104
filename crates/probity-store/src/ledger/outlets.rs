//! Reading scores: one outlet, a filtered list, or all of them for the scorer.

use std::collections::HashMap;

use probity_core::{Outlet, Timestamp};
use serde::Serialize;

use super::PAGE_ROWS;
use crate::sql::{ColumnError, Row, sql};
use crate::{Store, StoreError};

/// An outlet as it is today.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OutletEntry {
    /// The outlet.
    pub outlet: Outlet,
    /// Its name, where one is known.
    pub name: Option<String>,
    /// Its score.
    pub score: f64,
    /// The score it was seeded with; none for an outlet that came later.
    pub seeded: Option<f64>,
    /// When the ledger first knew it.
    pub first_seen: Timestamp,
    /// The number of its last event.
    pub last_event: Option<i64>,
    /// How many events moved it.
    pub events: i64,
}

/// What a list of outlets is sorted by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum OutletOrder {
    /// The highest score first.
    #[default]
    Score,
    /// By domain.
    Domain,
    /// The latest change first; outlets that never changed last.
    Changed,
    /// The most events first.
    Events,
}

/// Which outlets to list, in which order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct OutletQuery {
    /// Only those with this text in domain or name.
    pub text: Option<String>,
    /// Only those with at least this score.
    pub at_least: Option<f64>,
    /// Only those with a score below this.
    pub below: Option<f64>,
    /// What to sort by.
    pub order: OutletOrder,
    /// The other way round.
    pub reversed: bool,
    /// At most this many; never more than [`PAGE_ROWS`].
    pub limit: Option<i64>,
    /// How many to skip.
    pub offset: i64,
}

/// A part of a longer list.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Page<T> {
    /// The part.
    pub items: Vec<T>,
    /// How many there are in all.
    pub total: i64,
}

macro_rules! select_outlets {
    ($($rest:tt)*) => {
        concat!(
            "SELECT o.domain, o.name, o.credibility_score, o.seeded_score, o.first_seen,
                    o.last_event,
                    (SELECT count(*) FROM ledger_events e WHERE e.outlet = o.domain) AS events
             FROM outlets o ",
            $($rest)*
        )
    };
}

macro_rules! matching {
    () => {
        "WHERE ($1 IS NULL OR o.domain LIKE $1 ESCAPE '\\' OR lower(o.name) LIKE $1 ESCAPE '\\')
           AND ($2 IS NULL OR o.credibility_score >= $2)
           AND ($3 IS NULL OR o.credibility_score < $3) "
    };
}

macro_rules! list_outlets {
    ($order:literal) => {
        select_outlets!(matching!(), "ORDER BY ", $order, " LIMIT $4 OFFSET $5")
    };
}

impl Store {
    /// Every outlet's score, as the newsroom takes it.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn scores(&self) -> Result<HashMap<Outlet, f64>, StoreError> {
        let mut tx = self.read().await?;
        let rows = tx.all(sql("SELECT domain, credibility_score FROM outlets")).await?;
        let read = |row: &Row| Ok((domain(row)?, row.get("credibility_score")?));
        rows.iter()
            .map(|row| read(row).map_err(|error: ColumnError| tx.unreadable(&error)))
            .collect()
    }

    /// One outlet.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn outlet(&self, outlet: &Outlet) -> Result<Option<OutletEntry>, StoreError> {
        let mut tx = self.read().await?;
        let query = sql(select_outlets!("WHERE o.domain = $1")).bind(outlet.as_str());
        let row = tx.maybe(query).await?;
        row.map(|row| entry(&row).map_err(|error| tx.unreadable(&error))).transpose()
    }

    /// A list of outlets.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn outlets(&self, query: &OutletQuery) -> Result<Page<OutletEntry>, StoreError> {
        let pattern = query.text.as_deref().map(containing);
        let limit = query.limit.unwrap_or(PAGE_ROWS).clamp(0, PAGE_ROWS);
        let mut tx = self.read().await?;
        let count = sql(concat!("SELECT count(*) AS total FROM outlets o ", matching!()));
        let count = count.bind(pattern.as_deref()).bind(query.at_least).bind(query.below);
        let total = match tx.maybe(count).await? {
            Some(row) => row.get("total").map_err(|error| tx.unreadable(&error))?,
            None => 0,
        };
        let list = sql(list_statement(query.order, query.reversed))
            .bind(pattern.as_deref())
            .bind(query.at_least)
            .bind(query.below)
            .bind(limit)
            .bind(query.offset.max(0));
        let rows = tx.all(list).await?;
        let items = rows
            .iter()
            .map(|row| entry(row).map_err(|error| tx.unreadable(&error)))
            .collect::<Result<_, _>>()?;
        Ok(Page { items, total })
    }
}

fn list_statement(order: OutletOrder, reversed: bool) -> &'static str {
    match (order, reversed) {
        (OutletOrder::Score, false) => list_outlets!("o.credibility_score DESC, o.domain"),
        (OutletOrder::Score, true) => list_outlets!("o.credibility_score, o.domain"),
        (OutletOrder::Domain, false) => list_outlets!("o.domain"),
        (OutletOrder::Domain, true) => list_outlets!("o.domain DESC"),
        (OutletOrder::Changed, false) => list_outlets!("o.last_event DESC NULLS LAST, o.domain"),
        (OutletOrder::Changed, true) => list_outlets!("o.last_event NULLS FIRST, o.domain"),
        (OutletOrder::Events, false) => list_outlets!("events DESC, o.domain"),
        (OutletOrder::Events, true) => list_outlets!("events, o.domain"),
    }
}

/// A pattern that finds the text anywhere and takes nothing in it for a wildcard.
fn containing(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len() + 2);
    pattern.push('%');
    for c in text.to_lowercase().chars() {
        if matches!(c, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern.push('%');
    pattern
}

pub(super) fn domain(row: &Row) -> Result<Outlet, ColumnError> {
    let domain: String = row.get("domain")?;
    Outlet::new(&domain)
        .ok()
        .filter(|parsed| parsed.as_str() == domain)
        .ok_or_else(|| ColumnError::new("outlets.domain", format!("is `{domain}`")))
}

fn entry(row: &Row) -> Result<OutletEntry, ColumnError> {
    Ok(OutletEntry {
        outlet: domain(row)?,
        name: row.get("name")?,
        score: row.get("credibility_score")?,
        seeded: row.get("seeded_score")?,
        first_seen: Timestamp(row.get("first_seen")?),
        last_event: row.get("last_event")?,
        events: row.get("events")?,
    })
}
