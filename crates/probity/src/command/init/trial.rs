//! Whether a part of a plan works, found out by using it.

use super::plan::Plan;
use crate::app::App;
use crate::command::doctor::{self, Check};

/// What can be tried by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// The language model.
    Model,
    /// The search providers.
    Search,
    /// The store.
    Store,
}

impl Part {
    /// Every part.
    pub(super) const ALL: [Part; 3] = [Part::Model, Part::Search, Part::Store];
}

/// The program as it will be once the plan is written.
pub(super) fn planned(plan: &Plan, app: &App) -> anyhow::Result<App> {
    Ok(app.elsewhere(plan.settings(&app.paths)?, app.paths.clone()))
}

/// Tries a part.
pub(super) async fn try_out(plan: &Plan, part: Part, app: &App) -> anyhow::Result<Vec<Check>> {
    let app = planned(plan, app)?;
    Ok(match part {
        Part::Model => vec![doctor::reach::language_model(&app).await],
        Part::Search => vec![doctor::reach::search(&app).await],
        Part::Store => doctor::stored::store_and_ledger(&app).await,
    })
}
