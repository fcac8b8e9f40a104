//! What the ledger says of outlets, as research takes it: given scores, and how far editors moved others.

use std::collections::{BTreeMap, HashMap};

use probity_core::Outlet;
use probity_credibility::ledger::{EventKind, EventRecord, Opinion, Step, is_given};

use super::outlets::domain;
use crate::sql::{ColumnError, Row, sql};
use crate::tx::Tx;
use crate::{Store, StoreError};

macro_rules! select_opinions {
    ($events:literal, $rest:literal) => {
        concat!(
            "SELECT o.domain, o.credibility_score, o.seeded_score, e.given, e.reverts
             FROM outlets o
             LEFT JOIN (SELECT outlet,
                               sum(CASE WHEN kind IN ('set', 'import') THEN 1 ELSE 0 END) AS given,
                               sum(CASE WHEN kind = 'revert' THEN 1 ELSE 0 END) AS reverts
                        FROM ledger_events ",
            $events,
            " GROUP BY outlet) e ON e.outlet = o.domain ",
            $rest
        )
    };
}

impl Store {
    /// What the ledger says of every outlet: what the scorer takes.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn opinions(&self) -> Result<HashMap<Outlet, Opinion>, StoreError> {
        let mut tx = self.read().await?;
        let rows = tx.all(sql(select_opinions!("", ""))).await?;
        let mut opinions = HashMap::with_capacity(rows.len());
        for row in &rows {
            let (outlet, opinion) = opinion(&mut tx, row).await?;
            opinions.insert(outlet, opinion);
        }
        Ok(opinions)
    }

    /// What the ledger says of some outlets; those that it does not know are left out.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn opinions_of(
        &self,
        outlets: &[Outlet],
    ) -> Result<BTreeMap<Outlet, Opinion>, StoreError> {
        let mut tx = self.read().await?;
        let mut opinions = BTreeMap::new();
        for outlet in outlets {
            let query = sql(select_opinions!("WHERE outlet = $1", "WHERE o.domain = $1"));
            if let Some(row) = tx.maybe(query.bind(outlet.as_str())).await? {
                let (outlet, opinion) = opinion(&mut tx, &row).await?;
                opinions.insert(outlet, opinion);
            }
        }
        Ok(opinions)
    }
}

impl Store {
    /// What the ledger says of an event's outlet once the event counts, whether it was appended or
    /// only previewed.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn opinion_after(&self, event: &EventRecord) -> Result<Opinion, StoreError> {
        let mut tx = self.read().await?;
        let query = sql("SELECT seeded_score FROM outlets WHERE domain = $1");
        let seeded = match tx.maybe(query.bind(event.outlet.as_str())).await? {
            Some(row) => {
                let seeded = row.get::<Option<f64>>("seeded_score");
                seeded.map_err(|error| tx.unreadable(&error))?.is_some()
            }
            None => false,
        };
        let mut steps = history(&mut tx, &event.outlet).await?;
        steps.retain(|step| step.seq < event.seq);
        steps.push(Step { seq: event.seq, kind: event.kind, reverts: event.reverts });
        Ok(Opinion::new(event.after, is_given(seeded, &steps)))
    }
}

/// Whether a list of this name has rated an outlet before, and whether anything gave it a score.
pub(super) async fn rated_before(
    tx: &mut Tx,
    outlet: &Outlet,
    label: &str,
) -> Result<(bool, bool), StoreError> {
    let query = sql(select_opinions!("WHERE outlet = $1", "WHERE o.domain = $1"));
    let Some(row) = tx.maybe(query.bind(outlet.as_str())).await? else { return Ok((false, false)) };
    let (_, said) = opinion(tx, &row).await?;
    let query = sql("SELECT count(*) AS times FROM ledger_events
                     WHERE outlet = $1 AND kind = 'import' AND provenance = $2");
    let times = match tx.maybe(query.bind(outlet.as_str()).bind(label)).await? {
        Some(row) => row.get::<i64>("times").map_err(|error| tx.unreadable(&error))?,
        None => 0,
    };
    Ok((times > 0, matches!(said, Opinion::Given(_))))
}

async fn opinion(tx: &mut Tx, row: &Row) -> Result<(Outlet, Opinion), StoreError> {
    let read = || {
        let seeded = row.get::<Option<f64>>("seeded_score")?.is_some();
        let events = (row.get::<Option<i64>>("given")?, row.get::<Option<i64>>("reverts")?);
        Ok((domain(row)?, row.get::<f64>("credibility_score")?, seeded, events))
    };
    let (outlet, score, seeded, (given, reverts)) =
        read().map_err(|error: ColumnError| tx.unreadable(&error))?;
    let given = match (seeded, given.unwrap_or(0), reverts.unwrap_or(0)) {
        (true, _, _) => true,
        (false, 0, _) => false,
        (false, _, 0) => true,
        // Something that gave it a score may have been undone: only its history tells.
        (false, _, _) => is_given(false, &history(tx, &outlet).await?),
    };
    Ok((outlet, Opinion::new(score, given)))
}

async fn history(tx: &mut Tx, outlet: &Outlet) -> Result<Vec<Step>, StoreError> {
    let query = sql("SELECT seq, kind, reverts FROM ledger_events WHERE outlet = $1 ORDER BY seq");
    let rows = tx.all(query.bind(outlet.as_str())).await?;
    let step = |row: &Row| {
        let kind: String = row.get("kind")?;
        let kind = EventKind::parse(&kind)
            .ok_or_else(|| ColumnError::new("kind", format!("is `{kind}`")))?;
        Ok(Step { seq: row.get("seq")?, kind, reverts: row.get("reverts")? })
    };
    rows.iter().map(|row| step(row).map_err(|error: ColumnError| tx.unreadable(&error))).collect()
}
