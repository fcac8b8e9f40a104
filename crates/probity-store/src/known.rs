//! What is known of outlets beside their names: the ledger's opinion, what their pages showed, who cites them.
//!
//! ```text
//! page that was read → signals of its outlet (once a month) and whom it cites → what is known → scorer
//! ```

use std::collections::{BTreeMap, BTreeSet, HashMap};

use probity_core::{Outlet, Timestamp};
use probity_credibility::ledger::{EventRecord, Opinion};
use probity_credibility::prior::{Likeness, likeness};
use probity_credibility::{Known, Policy, Scorer, Signals};

use crate::sql::{ColumnError, Row, sql};
use crate::tx::Tx;
use crate::{Store, StoreError};

/// What a page showed counts for its outlet for this many milliseconds (30 days).
const FRESH: i64 = 30 * 24 * 60 * 60 * 1_000;
/// The most outlets that one outlet is known to cite.
const CITED_MOST: i64 = 2_000;
/// The most outlets that are looked at among those that cite one.
const CITING_MOST: i64 = 50;
/// The most rows of what pages showed that are read at once.
const ALL_MOST: i64 = 200_000;

impl Store {
    /// Notes what a page showed of its outlet, unless another page did not long ago, and whom it cites. What a page
    /// showed is left out where another page of the same run stands for the outlet.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn note_page(
        &self,
        outlet: &Outlet,
        signals: Option<&Signals>,
        cites: &BTreeSet<Outlet>,
    ) -> Result<(), StoreError> {
        let mut tx = self.write().await?;
        let now = self.reckon(&mut tx).await?;
        if let Some(signals) = signals {
            let signals_json = serde_json::to_string(signals).unwrap_or_default();
            let query =
                sql("INSERT INTO outlet_signals (outlet, gathered_at, signals) VALUES ($1, $2, $3)
                         ON CONFLICT (outlet) DO UPDATE
                         SET gathered_at = excluded.gathered_at, signals = excluded.signals
                         WHERE outlet_signals.gathered_at < $4");
            tx.execute(query.bind(outlet.as_str()).bind(now).bind(&signals_json).bind(now - FRESH))
                .await?;
        }
        let query = sql("SELECT count(*) AS known FROM outlet_citations WHERE outlet = $1");
        let row = tx.maybe(query.bind(outlet.as_str())).await?;
        let known = row.map(|row| row.get::<i64>("known")).transpose();
        let known = known.map_err(|error| tx.unreadable(&error))?.unwrap_or(0);
        let room = usize::try_from(CITED_MOST - known).unwrap_or(0);
        for cited in cites.iter().filter(|cited| *cited != outlet).take(room) {
            let query =
                sql("INSERT INTO outlet_citations (cited, outlet, seen_at) VALUES ($1, $2, $3)
                             ON CONFLICT (cited, outlet) DO NOTHING");
            tx.execute(query.bind(cited.as_str()).bind(outlet.as_str()).bind(now)).await?;
        }
        tx.commit().await
    }

    /// Whether no page of an outlet has shown anything of it lately.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn is_page_due(&self, outlet: &Outlet) -> Result<bool, StoreError> {
        let mut tx = self.read().await?;
        let now = self.reckon(&mut tx).await?;
        let query =
            sql("SELECT outlet FROM outlet_signals WHERE outlet = $1 AND gathered_at >= $2");
        let fresh = tx.maybe(query.bind(outlet.as_str()).bind(now - FRESH)).await?;
        Ok(fresh.is_none())
    }

    /// What is known of some outlets; those of which nothing is known are left out.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn known_of(
        &self,
        outlets: &[Outlet],
        policy: &Policy,
    ) -> Result<BTreeMap<Outlet, Known>, StoreError> {
        let mut opinions = self.opinions_of(outlets).await?;
        let mut tx = self.read().await?;
        let mut found: BTreeMap<Outlet, (Known, Vec<Outlet>)> = BTreeMap::new();
        for outlet in outlets {
            let query = sql("SELECT outlet, signals FROM outlet_signals WHERE outlet = $1");
            let row = tx.maybe(query.bind(outlet.as_str())).await?;
            let signals = row.map(|row| signals(&row)).transpose();
            let signals = signals.map_err(|error| tx.unreadable(&error))?.map(|(_, shown)| shown);
            let known = Known { opinion: opinions.remove(outlet), signals, cited_by: 0 };
            found.insert(outlet.clone(), (known, citing(&mut tx, outlet).await?));
        }
        drop(tx);
        let all: BTreeSet<Outlet> = found.values().flat_map(|(_, citing)| citing.clone()).collect();
        let credible = self.credible(all, policy).await?;
        let counted = found.into_iter().map(|(outlet, (known, citing))| {
            let cited_by = citing.iter().filter(|one| credible.contains(*one)).count();
            (outlet, Known { cited_by: u32::try_from(cited_by).unwrap_or(u32::MAX), ..known })
        });
        Ok(counted.filter(|(_, known)| !known.is_nothing()).collect())
    }

    /// What is known of every outlet. Who cites whom is left out unless the policy asks for it.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn all_known(&self, policy: &Policy) -> Result<HashMap<Outlet, Known>, StoreError> {
        let opinions = self.opinions().await?.into_iter();
        let mut all: HashMap<Outlet, Known> =
            opinions.map(|(outlet, opinion)| (outlet, opinion.into())).collect();
        let mut tx = self.read().await?;
        let query = sql("SELECT outlet, signals FROM outlet_signals ORDER BY outlet LIMIT $1");
        for row in tx.all(query.bind(ALL_MOST)).await? {
            let (outlet, shown) = signals(&row).map_err(|error| tx.unreadable(&error))?;
            all.entry(outlet).or_default().signals = Some(shown);
        }
        if !policy.citations {
            return Ok(all);
        }
        let query = sql("SELECT cited, outlet FROM outlet_citations ORDER BY cited LIMIT $1");
        let rows = tx.all(query.bind(ALL_MOST)).await?;
        let pair = |row: &Row| Ok((domain(row, "cited")?, domain(row, "outlet")?));
        let pairs: Vec<(Outlet, Outlet)> = rows
            .iter()
            .map(pair)
            .collect::<Result<_, ColumnError>>()
            .map_err(|error| tx.unreadable(&error))?;
        drop(tx);
        let citing = pairs.iter().map(|(_, outlet)| outlet.clone()).collect();
        let credible = self.credible(citing, policy).await?;
        for (cited, outlet) in pairs {
            if credible.contains(&outlet) {
                all.entry(cited).or_default().cited_by += 1;
            }
        }
        Ok(all)
    }

    /// Outlets that were met, in the ledger, on pages that were read or among articles, whose names are easily taken
    /// for this one's; at most a number, those that read the same first.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn look_alikes(
        &self,
        outlet: &Outlet,
        most: usize,
    ) -> Result<Vec<(Outlet, Likeness)>, StoreError> {
        let mut tx = self.read().await?;
        let query = sql("SELECT domain FROM outlets
                         UNION SELECT outlet FROM outlet_signals
                         UNION SELECT outlet FROM articles WHERE outlet IS NOT NULL
                         ORDER BY 1 LIMIT $1");
        let mut found = Vec::new();
        for row in tx.all(query.bind(ALL_MOST)).await? {
            let met = domain(&row, "domain").map_err(|error| tx.unreadable(&error))?;
            if let Some(alike) = likeness(outlet.as_str(), met.as_str()) {
                found.push((met, alike));
            }
        }
        found.sort_by_key(|(_, alike)| *alike);
        found.truncate(most);
        Ok(found)
    }

    /// What is known of an event's outlet once the event counts.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn known_after(
        &self,
        event: &EventRecord,
        policy: &Policy,
    ) -> Result<Known, StoreError> {
        let opinion = Some(self.opinion_after(event).await?);
        let known = self.known_of(std::slice::from_ref(&event.outlet), policy).await?;
        let known = known.get(&event.outlet).copied().unwrap_or_default();
        Ok(Known { opinion, ..known })
    }

    /// Those of some outlets whose citations count.
    async fn credible(
        &self,
        outlets: BTreeSet<Outlet>,
        policy: &Policy,
    ) -> Result<BTreeSet<Outlet>, StoreError> {
        if outlets.is_empty() {
            return Ok(outlets);
        }
        let asked: Vec<Outlet> = outlets.iter().cloned().collect();
        let ledger: HashMap<Outlet, Opinion> =
            self.opinions_of(&asked).await?.into_iter().collect();
        // A policy that cannot be used has been refused before anything was scored.
        let Ok(scorer) = Scorer::new(policy.clone(), ledger, Timestamp(0)) else {
            return Ok(BTreeSet::new());
        };
        Ok(outlets.into_iter().filter(|outlet| scorer.is_credible(outlet)).collect())
    }
}

async fn citing(tx: &mut Tx, outlet: &Outlet) -> Result<Vec<Outlet>, StoreError> {
    let query =
        sql("SELECT outlet FROM outlet_citations WHERE cited = $1 ORDER BY outlet LIMIT $2");
    let rows = tx.all(query.bind(outlet.as_str()).bind(CITING_MOST)).await?;
    let citing: Result<Vec<Outlet>, _> = rows.iter().map(|row| domain(row, "outlet")).collect();
    citing.map_err(|error| tx.unreadable(&error))
}

fn domain(row: &Row, column: &'static str) -> Result<Outlet, ColumnError> {
    let text: String = row.get(column)?;
    Outlet::new(&text).map_err(|error| ColumnError::new(column, error.to_string()))
}

fn signals(row: &Row) -> Result<(Outlet, Signals), ColumnError> {
    let text: String = row.get("signals")?;
    let shown = serde_json::from_str(&text);
    let shown = shown.map_err(|error| ColumnError::new("signals", error.to_string()))?;
    Ok((domain(row, "outlet")?, shown))
}
