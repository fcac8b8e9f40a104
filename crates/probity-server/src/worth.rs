//! What an outlet is worth in research, for pages, the API and agents in the same words.

use std::collections::HashMap;

use probity_core::Outlet;
use probity_credibility::ledger::LedgerEvent;
use probity_credibility::{Authority, Scorer};
use schemars::JsonSchema;
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::tidy;
use crate::problem::Problem;
use crate::state::Server;

/// What an outlet is worth in research, and why.
#[derive(Debug, Serialize, ToSchema, JsonSchema)]
pub struct Research {
    /// The number that counts.
    pub authority: f64,
    /// What it is made of.
    #[schema(example = "tier major 0.80, editors +0.05")]
    pub explanation: String,
}

impl From<Authority> for Research {
    fn from(authority: Authority) -> Self {
        Self { authority: tidy(authority.value), explanation: authority.to_string() }
    }
}

/// A scorer that knows no outlet yet.
pub(crate) fn scorer(server: &Server) -> Result<Scorer, Problem> {
    let policy = server.desk.constants().policy.clone();
    let scorer = Scorer::new(policy, HashMap::new(), server.clock.now());
    scorer.map_err(|error| Problem::internal(&error))
}

/// What an outlet is worth as the ledger stands.
pub(crate) async fn now(server: &Server, outlet: &Outlet) -> Result<Authority, Problem> {
    let mut scorer = scorer(server)?;
    scorer.learn(server.store.opinions_of(std::slice::from_ref(outlet)).await?);
    Ok(scorer.authority_of(outlet))
}

/// What an event's outlet is worth once the event counts.
pub(crate) async fn after(server: &Server, event: &LedgerEvent) -> Result<Research, Problem> {
    let record = event.record();
    let mut scorer = scorer(server)?;
    scorer.learn([(record.outlet.clone(), server.store.opinion_after(record).await?)]);
    Ok(scorer.authority_of(&record.outlet).into())
}
