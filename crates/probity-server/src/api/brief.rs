//! The briefing: the top topics as a report, made on request, kept so that it can be read again.

use axum::extract::State;
use axum::response::IntoResponse as _;
use http::StatusCode;
use probity_core::BriefingId;
use probity_report::json::ReportJson;
use probity_report::{CheckedReport, restore};
use probity_store::news::Briefing;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::ledger::instant;
use super::topics::beginning;
use super::{Cursor, Listed, Reply, json, rows};
use crate::access::Caller;
use crate::brief::{USUAL_TOPICS, Wanted, brief, keep};
use crate::openapi::report::ReportDocument;
use crate::problem::Problem;
use crate::read::{Json, Part, Query, texts};
use crate::state::Server;

/// How many topics are reported at most.
const MOST: usize = 50;
/// How far back a briefing looks by default.
pub(crate) const USUAL_SINCE: &str = "24h";

/// What a briefing should report.
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
    /// How many topics to report.
    #[param(minimum = 1, maximum = 50)]
    #[serde(default, deserialize_with = "texts::optional")]
    topics: Option<usize>,
}

/// Returns the top topics as a report: the newest figure of each story, what it superseded, who
/// else reports, who disagrees, with citations that were checked. Answers 404 where there is
/// nothing to report.
#[utoipa::path(get, path = "/api/brief", tag = "news", params(BriefParams),
    responses((status = 200, description = "The briefing", body = ReportDocument)))]
pub(crate) async fn show(State(server): State<Server>, Query(asked): Query<BriefParams>) -> Reply {
    let topics = match asked.topics {
        None => USUAL_TOPICS,
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
    written(server, category, since, USUAL_TOPICS).await
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
    Ok(brief(&server.store, wanted, server.clock.now(), &server.backend.constants().reader).await?)
}

/// A briefing that was kept, as lists show it.
#[derive(Serialize, ToSchema)]
pub struct BriefingView {
    /// Its id.
    #[schema(value_type = i64)]
    pub id: BriefingId,
    /// When it was made.
    pub made_at: String,
    /// Since when topics are reported.
    pub since: String,
    /// The category it is about; none for all of them.
    pub category: Option<String>,
    /// Its headline.
    pub title: String,
}

impl From<Briefing> for BriefingView {
    fn from(one: Briefing) -> Self {
        Self {
            id: one.id,
            made_at: instant(one.made_at),
            since: instant(one.since),
            category: one.category,
            title: one.title,
        }
    }
}

/// Where in the list to begin.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct BriefingParams {
    /// How many to give.
    #[param(minimum = 1, maximum = 200)]
    #[serde(default, deserialize_with = "texts::optional")]
    limit: Option<i64>,
    /// Where to begin: the `next` of the part before.
    cursor: Option<String>,
}

/// Lists the briefings that were kept, the latest first.
#[utoipa::path(get, path = "/api/briefings", tag = "news", params(BriefingParams),
    responses((status = 200, body = Listed<BriefingView>)))]
pub(crate) async fn list(
    State(server): State<Server>,
    Query(asked): Query<BriefingParams>,
) -> Reply {
    let limit = rows(asked.limit)?;
    let kept = server.store.briefings(Cursor::read(asked.cursor.as_deref())?, limit + 1).await?;
    let items: Vec<BriefingView> = kept.into_iter().map(BriefingView::from).collect();
    Ok(json(&Listed::cut(items, limit, |last| Cursor::write(&last.id))))
}

/// Shows a briefing that was kept, as a report.
#[utoipa::path(get, path = "/api/briefings/{id}", tag = "news",
    params(("id" = i64, Path, description = "The briefing's id")),
    responses((status = 200, description = "The briefing", body = ReportDocument)))]
pub(crate) async fn kept(State(server): State<Server>, Part(id): Part) -> Reply {
    let (_, report) = find(&server, &id).await?;
    Ok(json(&ReportJson::new(&report)))
}

/// A briefing that was kept, with its report.
pub(crate) async fn find(server: &Server, id: &str) -> Result<(Briefing, CheckedReport), Problem> {
    let missing = || Problem::not_found("there is no such briefing; the oldest are deleted");
    let id: BriefingId = id.parse().map_err(|_| missing())?;
    let (briefing, report) = server.store.briefing(id).await?.ok_or_else(missing)?;
    let report = restore(&report).map_err(|error| Problem::internal(&error))?;
    Ok((briefing, report))
}

/// A briefing to be made and kept.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct KeepBody {
    /// Only topics of this category, by name.
    #[serde(default)]
    #[schema(max_length = 60)]
    pub category: Option<String>,
    /// Only topics with an article since then: `24h`, `7d`, a day or an instant; 24 hours by default.
    #[serde(default)]
    #[schema(max_length = 40, example = "24h")]
    pub since: Option<String>,
}

/// Makes a briefing now and keeps it. Answers 404 where there is nothing to report.
#[utoipa::path(post, path = "/api/briefings", tag = "news", request_body = KeepBody,
    responses((status = 201, body = BriefingView)))]
pub(crate) async fn make(
    State(server): State<Server>,
    caller: Caller,
    Json(body): Json<KeepBody>,
) -> Reply {
    let briefing = keep_now(&server, &caller, &body).await?;
    Ok((StatusCode::CREATED, json(&BriefingView::from(briefing))).into_response())
}

/// Makes a briefing of the usual length and keeps it.
pub(crate) async fn keep_now(
    server: &Server,
    caller: &Caller,
    body: &KeepBody,
) -> Result<Briefing, Problem> {
    let category = body.category.as_deref();
    let since = beginning(server, Some(body.since.as_deref().unwrap_or(USUAL_SINCE)))?;
    let made = usual(server, category, body.since.as_deref()).await?;
    let made = made.ok_or_else(|| Problem::not_found("there are no topics since then"))?;
    let wanted = Wanted { category, since, topics: USUAL_TOPICS };
    let id = keep(&server.store, &made, wanted).await?;
    server.store.note(&caller.name, "briefing kept", made.title()).await?;
    Ok(find(server, &id.to_string()).await?.0)
}
