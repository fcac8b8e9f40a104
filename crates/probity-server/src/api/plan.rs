//! The plan of a run that waits for a word about it: read, approved, changed, answered.

use axum::extract::State;
use axum::response::IntoResponse as _;
use http::StatusCode;
use probity_research::RunSpec;
use probity_research::analyst::{Plan, PlanPart};
use probity_research::approve::{self, ApproveError, Approved, Offer, open_offer};
use probity_store::queue::{Requeued, RunJob};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::ledger::instant;
use super::research::{FULL_SECONDS, Stopped, owned};
use super::runs::find;
use super::{Reply, json};
use crate::access::Caller;
use crate::problem::Problem;
use crate::read::{Json, Part};
use crate::state::Server;

/// A sub-question.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlanPartView {
    /// The sub-question.
    #[schema(max_length = 400)]
    #[schemars(length(max = 400))]
    pub question: String,
    /// What is searched for to answer it; the sub-question itself where nothing is said.
    #[serde(default)]
    #[schema(max_items = 12)]
    #[schemars(length(max = 12))]
    pub queries: Vec<String>,
}

/// What a run sets out to find.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlanView {
    /// What an answer should say.
    #[serde(default)]
    #[schema(max_length = 1000)]
    #[schemars(length(max = 1000))]
    pub brief: String,
    /// The sub-questions, the most important first.
    #[serde(default)]
    #[schema(max_items = 8)]
    #[schemars(length(max = 8))]
    pub parts: Vec<PlanPartView>,
    /// Queries that belong to no sub-question.
    #[serde(default)]
    #[schema(max_items = 12)]
    #[schemars(length(max = 12))]
    pub queries: Vec<String>,
}

impl From<Plan> for PlanView {
    fn from(plan: Plan) -> Self {
        let part = |part: PlanPart| PlanPartView { question: part.question, queries: part.queries };
        let parts = plan.parts.into_iter().map(part).collect();
        Self { brief: plan.brief, parts, queries: plan.queries }
    }
}

impl From<PlanView> for Plan {
    fn from(plan: PlanView) -> Self {
        let part = |part: PlanPartView| PlanPart { question: part.question, queries: part.queries };
        let parts = plan.parts.into_iter().map(part).collect();
        Self { brief: plan.brief, parts, queries: plan.queries }
    }
}

/// Whether a run waits with its plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PlanState {
    /// It continues as soon as the plan is approved.
    Waiting,
    /// Nothing has to be approved.
    Settled,
}

/// The plan of a run and what is to become of it.
#[derive(Debug, Clone, Serialize, ToSchema, JsonSchema)]
pub struct OfferView {
    /// Whether the run waits.
    pub state: PlanState,
    /// The plan that waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<PlanView>,
    /// What the model asks back first, where the question can be meant in several ways.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clarify: Option<String>,
    /// Until when the run waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
}

impl From<Option<Offer>> for OfferView {
    fn from(offer: Option<Offer>) -> Self {
        let Some(offer) = offer else {
            return Self { state: PlanState::Settled, plan: None, clarify: None, until: None };
        };
        Self {
            state: PlanState::Waiting,
            plan: Some(offer.plan.into()),
            clarify: Some(offer.clarify).filter(|clarify| !clarify.is_empty()),
            until: Some(instant(offer.until)),
        }
    }
}

/// What is to become of a plan that waits. Nothing said, it is followed as it is.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Approval {
    /// The plan to follow instead.
    #[serde(default)]
    pub plan: Option<PlanView>,
    /// The answer to what the model asked back; it plans again with that.
    #[serde(default)]
    #[schema(max_length = 1000)]
    pub answer: Option<String>,
}

async fn spec(server: &Server, id: &str) -> Result<RunSpec, Problem> {
    let record = find(server, id).await?;
    serde_json::from_str(&record.spec).map_err(|error| Problem::internal(&error))
}

/// The offer that a run waits with, if it does.
pub(crate) async fn waiting(server: &Server, id: &str) -> Result<Option<Offer>, Problem> {
    let spec = spec(server, id).await?;
    // Most runs never offer anything; their journals are long.
    if !spec.inquiry.approve && !spec.inquiry.clarify {
        return Ok(None);
    }
    Ok(open_offer(spec.question.as_str(), &server.store.journal(&id.into()).await?))
}

/// Says whether a run waits for its plan to be approved, and shows the plan.
#[utoipa::path(get, path = "/api/runs/{id}/plan", tag = "runs",
    params(("id" = String, Path, description = "The run's id")),
    responses((status = 200, body = OfferView)))]
pub(crate) async fn show(State(server): State<Server>, Part(id): Part) -> Reply {
    Ok(json(&OfferView::from(waiting(&server, &id).await?)))
}

/// Approves the plan that a run waits with, as it is, changed, or with an answer to what was asked back.
#[utoipa::path(post, path = "/api/runs/{id}/plan", tag = "runs", request_body = Approval,
    params(("id" = String, Path, description = "The run's id")),
    responses((status = 202, body = Stopped)))]
pub(crate) async fn approve(
    State(server): State<Server>,
    caller: Caller,
    Part(id): Part,
    Json(said): Json<Approval>,
) -> Reply {
    give(&server, &caller, &id, said).await?;
    Ok((StatusCode::ACCEPTED, json(&Stopped { state: "queued" })).into_response())
}

/// Writes an approval down and has the run go on. Gives the offer that it was about.
pub(crate) async fn give(
    server: &Server,
    caller: &Caller,
    id: &str,
    said: Approval,
) -> Result<Offer, Problem> {
    owned(server, caller, id).await?;
    let spec = spec(server, id).await?;
    let said = Approved { plan: said.plan.map(Plan::from), answer: said.answer };
    let (store, now) = (&server.store, server.clock.now());
    let given = approve::give(store, &id.into(), spec.question.as_str(), said, now).await;
    let offer = given.map_err(|error| match error {
        ApproveError::Plan(why) => Problem::field("plan", why),
        ApproveError::Answer(why) => Problem::field("answer", why.to_owned()),
        ApproveError::Store(error) => error.into(),
        error @ (ApproveError::NothingWaits(_) | ApproveError::Beaten(_)) => {
            Problem::conflict(error.to_string())
        }
    })?;
    // One that had waited too long is queued again; the others are queued still.
    let job = RunJob { failures_most: server.failures_most, ..RunJob::of(&caller.name) };
    if store.requeue_run(&id.into(), &job, server.queue).await? == Requeued::Full {
        let why = format!("the plan is approved, but too many runs wait; resume run {id} later");
        return Err(Problem::unavailable(why, FULL_SECONDS));
    }
    store.note(&caller.name, "plan approved", id).await?;
    Ok(offer)
}
