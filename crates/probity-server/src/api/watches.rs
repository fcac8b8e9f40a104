//! Saved questions: what is watched, how often, and what changed.

use std::time::Duration;

use axum::extract::State;
use axum::response::IntoResponse as _;
use http::StatusCode;
use probity_core::WatchId;
use probity_core::time::span;
use probity_report::novelty::Novelty;
use probity_store::watches::{Turn, Watch, WatchChange};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use super::ledger::instant;
use super::{Cursor, Listed, Reply, json, rows};
use crate::access::Caller;
use crate::backend::Ask;
use crate::problem::Problem;
use crate::read::{Json, Part, Query, texts};
use crate::state::Server;
use crate::watch::{self, WatchError};

/// How many turns are shown with a watch.
pub(crate) const TURNS: i64 = 50;

/// A saved question.
#[derive(Serialize, ToSchema)]
pub struct WatchView {
    /// Its id.
    #[schema(value_type = i64)]
    pub id: WatchId,
    /// Whose it is.
    pub owner: String,
    /// The question.
    pub question: String,
    /// How often it is asked, in seconds.
    pub every_seconds: i64,
    /// Whether it is asked at all.
    pub paused: bool,
    /// When it was added.
    pub added_at: String,
    /// The run that is in progress for it.
    pub pending_run: Option<String>,
    /// The last run that ended with a report.
    pub last_run: Option<String>,
    /// When its last turn ended.
    pub last_at: Option<String>,
    /// When something last changed.
    pub changed_at: Option<String>,
    /// When it is due next, as long as it is asked.
    pub next_at: Option<String>,
}

impl From<Watch> for WatchView {
    fn from(watch: Watch) -> Self {
        Self {
            id: watch.id,
            owner: watch.owner,
            question: watch.question,
            every_seconds: watch.every_ms / 1_000,
            paused: watch.paused,
            added_at: instant(watch.added_at),
            pending_run: watch.pending_run.map(String::from),
            last_run: watch.last_run.map(String::from),
            last_at: watch.last_at.map(instant),
            changed_at: watch.changed_at.map(instant),
            next_at: watch.next_at.map(instant),
        }
    }
}

/// The result of one turn of a saved question.
#[derive(Serialize, ToSchema)]
pub struct WatchTurnView {
    /// Its run.
    pub run: Option<String>,
    /// The run that it was compared with.
    pub before: Option<String>,
    /// When it ended.
    pub at: String,
    /// `first`, `same`, `changed` or `failed`.
    pub outcome: &'static str,
    /// What is new: sources, figures, confidence, decision.
    #[schema(value_type = Option<Object>)]
    pub novelty: Option<Value>,
    /// What went wrong.
    pub problem: Option<String>,
}

impl From<Turn> for WatchTurnView {
    fn from(turn: Turn) -> Self {
        Self {
            novelty: turn.novelty.and_then(|text| serde_json::from_str(&text).ok()),
            run: turn.run.map(String::from),
            before: turn.before,
            at: instant(turn.at),
            outcome: turn.outcome.as_str(),
            problem: turn.problem,
        }
    }
}

/// What is new in a turn, in lines.
pub(crate) fn lines(turn: &Turn) -> Vec<String> {
    let novelty = turn.novelty.as_deref().and_then(|text| serde_json::from_str(text).ok());
    novelty.map(|novelty: Novelty| novelty.lines()).unwrap_or_default()
}

/// A saved question with the results of its turns.
#[derive(Serialize, ToSchema)]
pub struct WatchDetail {
    /// What lists show.
    #[serde(flatten)]
    pub watch: WatchView,
    /// Its turns, the latest first, at most 50.
    pub turns: Vec<WatchTurnView>,
}

/// Where in the list to begin.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct WatchParams {
    /// How many to give.
    #[param(minimum = 1, maximum = 200)]
    #[serde(default, deserialize_with = "texts::optional")]
    limit: Option<i64>,
    /// Where to begin: the `next` of the part before.
    cursor: Option<String>,
}

/// Lists saved questions, the oldest first.
#[utoipa::path(get, path = "/api/watches", tag = "watches", params(WatchParams),
    responses((status = 200, body = Listed<WatchView>)))]
pub(crate) async fn list(State(server): State<Server>, Query(asked): Query<WatchParams>) -> Reply {
    let limit = rows(asked.limit)?;
    let after = Cursor::read(asked.cursor.as_deref())?.unwrap_or_default();
    let watches = server.store.watches(after, limit + 1).await?;
    let items: Vec<WatchView> = watches.into_iter().map(WatchView::from).collect();
    Ok(json(&Listed::cut(items, limit, |last| Cursor::write(&last.id))))
}

/// The saved question of an id.
pub(crate) async fn find(server: &Server, id: &str) -> Result<Watch, Problem> {
    let missing = || Problem::not_found("there is no such saved question");
    let id: WatchId = id.parse().map_err(|_| missing())?;
    server.store.watch(id).await?.ok_or_else(missing)
}

/// The same, if it is the caller's to change.
async fn own(server: &Server, caller: &Caller, id: &str) -> Result<Watch, Problem> {
    let watch = find(server, id).await?;
    match caller.owns(&watch.owner) {
        true => Ok(watch),
        false => Err(Problem::forbidden(format!("only {} or an admin may do this", watch.owner))),
    }
}

/// Shows a saved question with the results of its turns.
#[utoipa::path(get, path = "/api/watches/{id}", tag = "watches",
    params(("id" = i64, Path, description = "The saved question's id")),
    responses((status = 200, body = WatchDetail)))]
pub(crate) async fn show(State(server): State<Server>, Part(id): Part) -> Reply {
    let watch = find(&server, &id).await?;
    let turns = server.store.turns(watch.id, TURNS).await?;
    let turns = turns.into_iter().map(WatchTurnView::from).collect();
    Ok(json(&WatchDetail { watch: WatchView::from(watch), turns }))
}

/// A question to be saved.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WatchBody {
    /// The question, as `/api/research` takes it.
    pub ask: Ask,
    /// How often it is asked: `15m` to `366d`.
    #[schema(example = "1d", max_length = 20)]
    pub every: String,
}

/// Saves a question, which is asked at once and then again on its schedule.
#[utoipa::path(post, path = "/api/watches", tag = "watches", request_body = WatchBody,
    responses((status = 201, body = WatchView)))]
pub(crate) async fn create(
    State(server): State<Server>,
    caller: Caller,
    Json(body): Json<WatchBody>,
) -> Reply {
    let id = add(&server, &caller, &body.ask, &body.every).await?;
    let watch = find(&server, &id.to_string()).await?;
    Ok((StatusCode::CREATED, json(&WatchView::from(watch))).into_response())
}

fn interval(text: &str) -> Result<Duration, Problem> {
    let every = span(text).map_err(|error| Problem::field("every", error.to_string()))?;
    watch::check_every(every).map_err(|error| Problem::field("every", error.to_string()))?;
    Ok(every)
}

/// Saves a question; gives its id.
pub(crate) async fn add(
    server: &Server,
    caller: &Caller,
    ask: &Ask,
    every: &str,
) -> Result<WatchId, Problem> {
    let every = interval(every)?;
    let added = watch::add(&server.store, server.backend.as_ref(), &caller.name, ask, every).await;
    let id = added.map_err(|error| match error {
        WatchError::Ask(error) => match error.field {
            "question" => Problem::question(error.why),
            field => Problem::field(field, error.why),
        },
        WatchError::Every => Problem::field("every", error.to_string()),
        WatchError::Fixed => Problem::field("run", error.to_string()),
        WatchError::Full => Problem::conflict(error.to_string()),
        WatchError::Store(error) => error.into(),
    })?;
    server.store.note(&caller.name, "question saved", &ask.question).await?;
    Ok(id)
}

/// What to change of a saved question; what is absent stays as it is.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WatchChangeBody {
    /// How often it is asked: `15m` to `366d`.
    #[serde(default)]
    #[schema(max_length = 20)]
    pub every: Option<String>,
    /// Whether it is asked at all.
    #[serde(default)]
    pub paused: Option<bool>,
}

/// Changes how often a question is asked, pauses it, or continues with it.
#[utoipa::path(patch, path = "/api/watches/{id}", tag = "watches",
    params(("id" = i64, Path, description = "The saved question's id")),
    request_body = WatchChangeBody, responses((status = 200, body = WatchView)))]
pub(crate) async fn change(
    State(server): State<Server>,
    caller: Caller,
    Part(id): Part,
    Json(body): Json<WatchChangeBody>,
) -> Reply {
    alter(&server, &caller, &id, &body).await?;
    Ok(json(&WatchView::from(find(&server, &id).await?)))
}

/// Changes a saved question.
pub(crate) async fn alter(
    server: &Server,
    caller: &Caller,
    id: &str,
    body: &WatchChangeBody,
) -> Result<(), Problem> {
    let watch = own(server, caller, id).await?;
    let every = body.every.as_deref().map(interval).transpose()?;
    // Resuming a question that is not paused would ask it at once.
    let paused = body.paused.filter(|paused| *paused != watch.paused);
    server.store.change_watch(watch.id, WatchChange { every, paused }).await?;
    Ok(server.store.note(&caller.name, "saved question changed", &watch.question).await?)
}

/// Removes a saved question; its runs stay.
#[utoipa::path(delete, path = "/api/watches/{id}", tag = "watches",
    params(("id" = i64, Path, description = "The saved question's id")),
    responses((status = 204, description = "The saved question is removed")))]
pub(crate) async fn delete(State(server): State<Server>, caller: Caller, Part(id): Part) -> Reply {
    remove(&server, &caller, &id).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Removes a saved question.
pub(crate) async fn remove(server: &Server, caller: &Caller, id: &str) -> Result<(), Problem> {
    let watch = own(server, caller, id).await?;
    server.store.remove_watch(watch.id).await?;
    Ok(server.store.note(&caller.name, "saved question removed", &watch.question).await?)
}

/// Asks a saved question now, whether it is due or not.
#[utoipa::path(post, path = "/api/watches/{id}/run", tag = "watches",
    params(("id" = i64, Path, description = "The saved question's id")),
    responses((status = 202, body = WatchView)))]
pub(crate) async fn run(State(server): State<Server>, caller: Caller, Part(id): Part) -> Reply {
    let watch = run_now(&server, &caller, &id).await?;
    Ok((StatusCode::ACCEPTED, json(&WatchView::from(watch))).into_response())
}

/// Asks a saved question now.
pub(crate) async fn run_now(server: &Server, caller: &Caller, id: &str) -> Result<Watch, Problem> {
    let watch = own(server, caller, id).await?;
    server.store.watch_now(watch.id).await?;
    find(server, id).await
}
