//! An outlet's authority in research, for pages, the API and agents in the same words.

use std::collections::HashMap;

use probity_core::Outlet;
use probity_credibility::kind::OutletKind;
use probity_credibility::ledger::LedgerEvent;
use probity_credibility::{Authority, Part, Scorer};
use schemars::JsonSchema;
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::tidy;
use crate::problem::Problem;
use crate::state::Server;

/// An outlet's authority in research, and why.
#[derive(Debug, Serialize, ToSchema, JsonSchema)]
pub struct Research {
    /// The number that counts.
    pub authority: f64,
    /// What it is made of.
    #[schema(example = "tier major 0.80, editors +0.05")]
    pub explanation: String,
    /// What the outlet is, where that is known.
    #[schema(example = "news agency")]
    pub kind: Option<&'static str>,
    /// What the number is made of; what does not count has the weight 0.
    pub parts: Vec<PartView>,
}

/// A part of an outlet's authority.
#[derive(Debug, Serialize, ToSchema, JsonSchema)]
pub struct PartView {
    /// What speaks: `tier`, `kind`, `name`, `pages`, `citations`, `imitation`, `editors` or `ledger`.
    pub part: &'static str,
    /// What it says.
    pub value: f64,
    /// How much it counts.
    pub weight: f64,
    /// Why it says so.
    pub why: String,
}

impl From<Part> for PartView {
    fn from(part: Part) -> Self {
        let Part { part, value, weight, why } = part;
        Self { part, value: tidy(value), weight: tidy(weight), why }
    }
}

impl From<Authority> for Research {
    fn from(authority: Authority) -> Self {
        Self {
            authority: tidy(authority.value),
            explanation: authority.to_string(),
            kind: authority.kind().map(OutletKind::words),
            parts: authority.parts().into_iter().map(PartView::from).collect(),
        }
    }
}

/// A scorer that knows no outlet yet.
pub(crate) fn scorer(server: &Server) -> Result<Scorer, Problem> {
    let policy = server.backend.constants().policy.clone();
    let scorer = Scorer::new(policy, HashMap::new(), server.clock.now());
    scorer.map_err(|error| Problem::internal(&error))
}

/// The current credibility of an outlet by the ledger.
pub(crate) async fn now(server: &Server, outlet: &Outlet) -> Result<Authority, Problem> {
    let mut scorer = scorer(server)?;
    scorer.learn(server.store.known_of(std::slice::from_ref(outlet), scorer.policy()).await?);
    Ok(scorer.authority_of(outlet))
}

/// The authority of an event's outlet after the event.
pub(crate) async fn after(server: &Server, event: &LedgerEvent) -> Result<Research, Problem> {
    let record = event.record();
    let mut scorer = scorer(server)?;
    let known = server.store.known_after(record, scorer.policy()).await?;
    scorer.learn([(record.outlet.clone(), known)]);
    Ok(scorer.authority_of(&record.outlet).into())
}
