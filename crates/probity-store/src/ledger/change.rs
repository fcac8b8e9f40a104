//! The changes that people make: codings, scores set by hand, reverts, imports.

use std::collections::HashSet;

use probity_core::Outlet;
use probity_credibility::ledger::{
    self, Alpha, Coding, CodingRequest, Credibility, Head, ImportRow, LedgerEvent, Provenance,
    Signature, Standing,
};
use probity_credibility::outlet::one_edit_apart;

use super::{LedgerError, append, codebook, events, opinions, outlets};
use crate::Store;
use crate::sql::sql;
use crate::tx::Tx;

/// Whether a change is made or only shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Intent {
    /// Make it.
    Apply,
    /// Show what it would do, and write nothing.
    Preview,
}

/// What happens to an outlet that the ledger has never seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Newcomer {
    /// It gets a row and begins at the neutral score.
    Add,
    /// It gets a row, unless its name is one edit away from an outlet that is known: then it looks
    /// like a slip of the pen, and the change is refused.
    Guard,
}

/// What an import did.
#[derive(Debug, Clone, PartialEq)]
pub struct Imported {
    /// One event for each outlet that changed.
    pub events: Vec<LedgerEvent>,
    /// How many outlets stood that way already.
    pub unchanged: usize,
    /// Outlets whose score the list contradicts.
    pub conflicts: Vec<Conflict>,
}

/// A list and the score that an outlet had are far apart.
#[derive(Debug, Clone, PartialEq)]
pub struct Conflict {
    /// The outlet.
    pub outlet: Outlet,
    /// The score that it was given before.
    pub had: f64,
    /// What the list says.
    pub rated: f64,
}

/// From this difference on a list contradicts a score.
const CONFLICT: f64 = 0.3;

impl Store {
    /// Applies a coding.
    ///
    /// # Errors
    /// When a code is not usable, the outlet is unknown and looks like another, or the store fails.
    pub async fn code(
        &self,
        request: CodingRequest,
        newcomer: Newcomer,
        intent: Intent,
    ) -> Result<LedgerEvent, LedgerError> {
        let (mut tx, head) = self.begin_change(intent).await?;
        let codebook = codebook::read(&mut tx).await?;
        let coding = Coding::weigh(request, &codebook)?;
        let standing = known(&mut tx, &coding.request().outlet, newcomer).await?;
        let event = ledger::apply(&coding, &standing, &head, self.clock().now());
        end_change(tx, event, &standing, intent).await
    }

    /// Sets an outlet's score by hand.
    ///
    /// # Errors
    /// When the outlet is unknown and looks like another, or the store fails.
    pub async fn set_score(
        &self,
        outlet: &Outlet,
        score: Credibility,
        signature: &Signature,
        newcomer: Newcomer,
        intent: Intent,
    ) -> Result<LedgerEvent, LedgerError> {
        let (mut tx, head) = self.begin_change(intent).await?;
        let standing = known(&mut tx, outlet, newcomer).await?;
        let event = ledger::set(score, signature, &standing, &head, self.clock().now());
        end_change(tx, event, &standing, intent).await
    }

    /// Undoes an event by a new one, which restores the score that its outlet had before it.
    ///
    /// # Errors
    /// When there is no such event, or the store fails.
    pub async fn revert(
        &self,
        seq: i64,
        signature: &Signature,
        intent: Intent,
    ) -> Result<LedgerEvent, LedgerError> {
        let (mut tx, head) = self.begin_change(intent).await?;
        let Some(undone) = events::one(&mut tx, seq).await? else {
            return Err(LedgerError::UnknownEvent(seq));
        };
        let standing = append::standing(&mut tx, &undone.outlet).await?;
        let event = ledger::revert(&undone, signature, &standing, &head, self.clock().now())?;
        end_change(tx, event, &standing, intent).await
    }

    /// Takes scores over from a list: all of them or none. Each outlet that changes is one event.
    ///
    /// An outlet without a given score gets the list's. One that has a score moves a share `weight`
    /// of the way to the list's; a list of that weight counts once, however often it is imported.
    ///
    /// # Errors
    /// When the list names an outlet twice, or the store fails.
    pub async fn import_scores(
        &self,
        rows: &[ImportRow],
        provenance: &Provenance,
        weight: Alpha,
        intent: Intent,
    ) -> Result<Imported, LedgerError> {
        refuse_twice(rows)?;
        let (mut tx, mut head) = self.begin_change(intent).await?;
        let mut imported = Imported { events: Vec::new(), unchanged: 0, conflicts: Vec::new() };
        for row in rows {
            let standing = append::standing(&mut tx, &row.outlet).await?;
            let label = provenance.label.as_str();
            let (again, given) = opinions::rated_before(&mut tx, &row.outlet, label).await?;
            let (had, rated) = (standing.score.get(), row.score.get());
            if given && (rated - had).abs() >= CONFLICT {
                imported.conflicts.push(Conflict { outlet: row.outlet.clone(), had, rated });
            }
            if again && weight.get() < 1.0 {
                imported.unchanged += 1;
                continue;
            }
            let row = match given {
                true => &ledger::weighed(row, standing.score, weight),
                false => row,
            };
            let at = self.clock().now();
            match ledger::import(row, provenance, &standing, &head, at) {
                None => imported.unchanged += 1,
                Some(event) => {
                    if intent == Intent::Apply {
                        append::append(&mut tx, &event, &standing).await?;
                    }
                    head = event.head();
                    imported.events.push(event);
                }
            }
        }
        if intent == Intent::Apply {
            tx.commit().await?;
        }
        Ok(imported)
    }

    /// A preview locks nothing and works on a store that can only be read.
    async fn begin_change(&self, intent: Intent) -> Result<(Tx, Head), LedgerError> {
        match intent {
            Intent::Apply => {
                let mut tx = self.write().await?;
                let head = append::lock(&mut tx).await?;
                Ok((tx, head))
            }
            Intent::Preview => {
                let mut tx = self.read().await?;
                let head = append::head(&mut tx).await?;
                Ok((tx, head))
            }
        }
    }
}

async fn end_change(
    mut tx: Tx,
    event: LedgerEvent,
    standing: &Standing,
    intent: Intent,
) -> Result<LedgerEvent, LedgerError> {
    if intent == Intent::Apply {
        append::append(&mut tx, &event, standing).await?;
        tx.commit().await?;
    }
    Ok(event)
}

async fn known(tx: &mut Tx, outlet: &Outlet, newcomer: Newcomer) -> Result<Standing, LedgerError> {
    let standing = append::standing(tx, outlet).await?;
    if !standing.known && newcomer == Newcomer::Guard {
        refuse_look_alike(tx, outlet).await?;
    }
    Ok(standing)
}

async fn refuse_look_alike(tx: &mut Tx, outlet: &Outlet) -> Result<(), LedgerError> {
    for row in tx.all(sql("SELECT domain FROM outlets ORDER BY domain")).await? {
        let known = outlets::domain(&row).map_err(|error| tx.unreadable(&error))?;
        if one_edit_apart(outlet.as_str(), known.as_str()) {
            return Err(LedgerError::LooksLike { outlet: outlet.clone(), known });
        }
    }
    Ok(())
}

fn refuse_twice(rows: &[ImportRow]) -> Result<(), LedgerError> {
    let mut seen = HashSet::with_capacity(rows.len());
    match rows.iter().find(|row| !seen.insert(&row.outlet)) {
        Some(row) => Err(LedgerError::Twice(row.outlet.clone())),
        None => Ok(()),
    }
}
