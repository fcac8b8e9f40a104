//! The briefing: the top topics as a report, made when somebody asks.

use axum::extract::State;
use probity_report::CheckedReport;
use probity_report::json::ReportJson;
use serde::Deserialize;
use utoipa::IntoParams;

use super::topics::beginning;
use super::{Reply, json};
use crate::brief::{Wanted, brief};
use crate::openapi::report::ReportDocument;
use crate::problem::Problem;
use crate::read::{Query, texts};
use crate::state::Server;

/// How many topics are told when nobody says, and at most.
const USUAL: usize = 8;
const MOST: usize = 50;
/// How far back a briefing looks when nobody says.
pub(crate) const USUAL_SINCE: &str = "24h";

/// What a briefing is to tell.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct BriefParams {
    /// Only topics of this category, by name.
    #[param(max_length = 60)]
    category: Option<String>,
    /// Only topics with an article since then: `24h`, `7d`, a day or an instant; 24 hours by default.
    #[param(example = "24h", max_length = 40)]
    since: Option<String>,
    /// How many topics to tell.
    #[param(minimum = 1, maximum = 50)]
    #[serde(default, deserialize_with = "texts::optional")]
    topics: Option<usize>,
}

/// Tells the top topics as a report: the newest figure of each story, what it superseded, who else
/// reports, who disagrees, with citations that were checked. Answers 404 where there is nothing to tell.
#[utoipa::path(get, path = "/api/brief", tag = "news", params(BriefParams),
    responses((status = 200, description = "The briefing", body = ReportDocument)))]
pub(crate) async fn show(State(server): State<Server>, Query(asked): Query<BriefParams>) -> Reply {
    let topics = match asked.topics {
        None => USUAL,
        Some(topics @ 1..=MOST) => topics,
        Some(_) => return Err(Problem::field("topics", format!("give 1 to {MOST}"))),
    };
    let made = written(&server, asked.category.as_deref(), asked.since.as_deref(), topics).await?;
    let made = made.ok_or_else(|| Problem::not_found("there are no topics since then"))?;
    Ok(json(&ReportJson::new(&made)))
}

/// A briefing of the usual length.
pub(crate) async fn usual(
    server: &Server,
    category: Option<&str>,
    since: Option<&str>,
) -> Result<Option<CheckedReport>, Problem> {
    written(server, category, since, USUAL).await
}

async fn written(
    server: &Server,
    category: Option<&str>,
    since: Option<&str>,
    topics: usize,
) -> Result<Option<CheckedReport>, Problem> {
    let since = beginning(server, Some(since.unwrap_or(USUAL_SINCE)))?;
    let _room = server.tellings.acquire().await.map_err(|error| Problem::internal(&error))?;
    let wanted = Wanted { category, since, topics };
    Ok(brief(&server.store, wanted, server.clock.now(), &server.desk.constants().reader).await?)
}
