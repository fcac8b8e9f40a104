//! Where an outlet was met: the runs that used its pages, and outlets that are easily taken for it.

use probity_core::{Outlet, Verdict};
use probity_report::restore;
use serde::Serialize;
use utoipa::ToSchema;

use crate::problem::Problem;
use crate::state::Server;

/// How many runs are named.
const RUNS: i64 = 20;
/// How many look-alikes are named.
const LOOK_ALIKES: usize = 20;

/// A run that met pages of an outlet.
#[derive(Debug, Serialize, ToSchema)]
pub struct UseView {
    /// The run.
    pub run: String,
    /// The headline of its report.
    pub title: String,
    /// How many of the outlet's pages the report cites.
    pub cited: usize,
    /// How many were read or found and not cited.
    pub uncited: usize,
    /// How many were blocked for their score.
    pub blocked: usize,
}

/// An outlet that is easily taken for another.
#[derive(Debug, Serialize, ToSchema)]
pub struct LookAlikeView {
    /// Its domain.
    pub outlet: String,
    /// What makes it so, in words.
    #[schema(example = "one letter apart")]
    pub why: &'static str,
}

/// The latest runs whose reports hold pages of an outlet.
pub(crate) async fn runs(server: &Server, outlet: &Outlet) -> Result<Vec<UseView>, Problem> {
    let mut uses = Vec::new();
    for (run, report) in server.store.reports_with(outlet.as_str(), RUNS).await? {
        let Ok(report) = restore(&report) else { continue };
        let of_it = || {
            let candidates = report.facts().candidates.iter();
            candidates.filter(|candidate| candidate.outlet.as_ref() == Some(outlet))
        };
        let all = of_it().count();
        // The domain may stand there as something else.
        if all == 0 {
            continue;
        }
        let blocked = of_it().filter(|candidate| candidate.verdict == Verdict::Blocked).count();
        let cited =
            report.sources().filter(|(_, source)| source.outlet.as_ref() == Some(outlet)).count();
        let uncited = all.saturating_sub(cited).saturating_sub(blocked);
        let title = report.title().to_owned();
        uses.push(UseView { run, title, cited, uncited, blocked });
    }
    Ok(uses)
}

/// Outlets that are easily taken for this one.
pub(crate) async fn look_alikes(
    server: &Server,
    outlet: &Outlet,
) -> Result<Vec<LookAlikeView>, Problem> {
    let found = server.store.look_alikes(outlet, LOOK_ALIKES).await?;
    let view = |(outlet, alike): (Outlet, probity_credibility::prior::Likeness)| LookAlikeView {
        outlet: outlet.as_str().to_owned(),
        why: alike.words(),
    };
    Ok(found.into_iter().map(view).collect())
}
