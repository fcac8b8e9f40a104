//! Ways to reach people, for admins: added, tried, paused, removed; their secrets are never shown.

use axum::extract::State;
use axum::response::IntoResponse as _;
use http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::keys::adjustable;
use super::{Reply, json};
use crate::access::Caller;
use crate::backend::{NewWay, WayView};
use crate::problem::Problem;
use crate::read::{Json, Part};
use crate::state::Server;

/// Lists the channels of alerts, those of the configuration file first.
#[utoipa::path(get, path = "/api/alerts", tag = "settings",
    responses((status = 200, body = Vec<WayView>)))]
pub(crate) async fn list(State(server): State<Server>) -> Reply {
    Ok(json(&adjustable(&server)?.ways()))
}

/// Adds a channel for alerts.
#[utoipa::path(post, path = "/api/alerts", tag = "settings", request_body = NewWay,
    responses((status = 201, body = WayView)))]
pub(crate) async fn create(
    State(server): State<Server>,
    caller: Caller,
    Json(body): Json<NewWay>,
) -> Reply {
    let added = add(&server, &caller, &body).await?;
    Ok((StatusCode::CREATED, json(&added)).into_response())
}

/// Adds a channel and notes who did.
pub(crate) async fn add(
    server: &Server,
    caller: &Caller,
    way: &NewWay,
) -> Result<WayView, Problem> {
    let added = adjustable(server)?.add_way(way, &caller.name).await?;
    let what = format!("alerts by {} set up", added.kind.as_str());
    server.store.note(&caller.name, &what, &added.id).await?;
    Ok(added)
}

/// What to change of a channel.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WayChange {
    /// Whether it is paused: nothing is sent there.
    pub paused: bool,
}

/// Pauses a channel, or resumes it.
#[utoipa::path(patch, path = "/api/alerts/{id}", tag = "settings",
    params(("id" = String, Path, description = "The channel's id")),
    request_body = WayChange, responses((status = 204, description = "The channel is changed")))]
pub(crate) async fn change(
    State(server): State<Server>,
    caller: Caller,
    Part(id): Part,
    Json(body): Json<WayChange>,
) -> Reply {
    pause(&server, &caller, &id, body.paused).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Pauses a way or goes on with it, and notes who did.
pub(crate) async fn pause(
    server: &Server,
    caller: &Caller,
    id: &str,
    paused: bool,
) -> Result<(), Problem> {
    adjustable(server)?.pause_way(id, paused)?;
    let what = if paused { "alerts paused" } else { "alerts resumed" };
    Ok(server.store.note(&caller.name, what, id).await?)
}

/// Removes a way with its secret.
#[utoipa::path(delete, path = "/api/alerts/{id}", tag = "settings",
    params(("id" = String, Path, description = "The channel's id")),
    responses((status = 204, description = "The channel is removed")))]
pub(crate) async fn remove(State(server): State<Server>, caller: Caller, Part(id): Part) -> Reply {
    forget(&server, &caller, &id).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Removes a way and notes who did.
pub(crate) async fn forget(server: &Server, caller: &Caller, id: &str) -> Result<(), Problem> {
    adjustable(server)?.remove_way(id)?;
    Ok(server.store.note(&caller.name, "alerts removed", id).await?)
}

/// The result of a test message.
#[derive(Serialize, ToSchema)]
pub struct Tried {
    /// Whether it was taken.
    pub sent: bool,
    /// Why it was not.
    pub error: Option<String>,
}

/// Sends a test message, also where the way is paused.
#[utoipa::path(post, path = "/api/alerts/{id}/test", tag = "settings",
    params(("id" = String, Path, description = "The channel's id")),
    responses((status = 200, body = Tried)))]
pub(crate) async fn test(State(server): State<Server>, Part(id): Part) -> Reply {
    let error = adjustable(&server)?.test_way(&id).await?;
    Ok(json(&Tried { sent: error.is_none(), error }))
}
