//! Links by which anyone may read one report.

use std::time::Duration;

use axum::extract::State;
use axum::response::IntoResponse as _;
use http::StatusCode;
use probity_store::runs::shares::{NewShare, SHARES, Share};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::ledger::instant;
use super::runs::{find, report};
use super::{Reply, json};
use crate::access::{Caller, secret};
use crate::problem::Problem;
use crate::read::{Json, Part};
use crate::state::Server;

/// For how many days a link opens its report, if nothing is said.
pub(crate) const USUAL_DAYS: u32 = 30;
/// For how many days at most.
pub(crate) const MOST_DAYS: u32 = 365;
/// How many characters of a secret's hash name its link.
const ID_CHARS: usize = 8;

/// A link about to be made.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Sharing {
    /// For how many days it opens the report.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 365)]
    days: Option<u32>,
}

/// A link as lists show it: the secret in it is shown once and not kept.
#[derive(Serialize, ToSchema)]
pub struct ShareView {
    /// A short name by which it is revoked.
    pub id: String,
    /// Who made it.
    pub by: String,
    /// When it was made.
    pub made_at: String,
    /// When it stops opening the report.
    pub expires_at: String,
}

impl From<Share> for ShareView {
    fn from(share: Share) -> Self {
        Self {
            id: share.id,
            by: share.by,
            made_at: instant(share.made_at),
            expires_at: instant(share.expires_at),
        }
    }
}

/// A link that was made.
#[derive(Serialize, ToSchema)]
pub struct Shared {
    /// A short name by which it is revoked.
    pub id: String,
    /// The address of the report on this server. It cannot be shown again.
    pub path: String,
    /// For how many days it opens the report.
    pub days: u32,
}

/// Makes a link by which anyone may read this report, and nothing else.
#[utoipa::path(post, path = "/api/runs/{id}/shares", tag = "runs", request_body = Sharing,
    params(("id" = String, Path, description = "The run's id")),
    responses((status = 201, body = Shared)))]
pub(crate) async fn create(
    State(server): State<Server>,
    caller: Caller,
    Part(id): Part,
    Json(sharing): Json<Sharing>,
) -> Reply {
    let shared = share(&server, &caller, &id, sharing.days).await?;
    Ok((StatusCode::CREATED, json(&shared)).into_response())
}

/// Makes a link.
pub(crate) async fn share(
    server: &Server,
    caller: &Caller,
    run: &str,
    days: Option<u32>,
) -> Result<Shared, Problem> {
    let days = days.unwrap_or(USUAL_DAYS);
    if !(1..=MOST_DAYS).contains(&days) {
        return Err(Problem::field("days", format!("a link lasts 1 to {MOST_DAYS} days")));
    }
    // Only what can be read is worth a link.
    report(&find(server, run).await?)?;
    let secret = secret::fresh().map_err(|error| Problem::internal(&error))?;
    let hash = secret::hash(&secret);
    let id: String = hash.chars().take(ID_CHARS).collect();
    let life = Duration::from_secs(u64::from(days) * 24 * 3600);
    let new = NewShare { id: &id, hash: &hash, run: &run.into(), by: &caller.name, life };
    if !server.store.add_share(&new).await? {
        let why = format!("a run has at most {SHARES} links; revoke one first");
        return Err(Problem::conflict(why));
    }
    server.store.note(&caller.name, "report shared", &format!("{run} ({id})")).await?;
    Ok(Shared { id, path: format!("/shared/{secret}"), days })
}

/// Lists the links of a run that still open it.
#[utoipa::path(get, path = "/api/runs/{id}/shares", tag = "runs",
    params(("id" = String, Path, description = "The run's id")),
    responses((status = 200, body = Vec<ShareView>)))]
pub(crate) async fn list(State(server): State<Server>, Part(id): Part) -> Reply {
    find(&server, &id).await?;
    let shares = server.store.shares(&id.as_str().into()).await?;
    Ok(json(&shares.into_iter().map(ShareView::from).collect::<Vec<_>>()))
}

/// Revokes a link; it opens nothing from now on.
#[utoipa::path(delete, path = "/api/runs/{id}/shares/{name}", tag = "runs",
    params(("id" = String, Path, description = "The run's id"),
           ("name" = String, Path, description = "The link's id")),
    responses((status = 204, description = "The link is revoked")))]
pub(crate) async fn delete(
    State(server): State<Server>,
    caller: Caller,
    axum::extract::Path((id, name)): axum::extract::Path<(String, String)>,
) -> Reply {
    revoke(&server, &caller, &id, &name).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Revokes a link of a run. Everyone who may make links may revoke any: a leak must be stopped at
/// once.
pub(crate) async fn revoke(
    server: &Server,
    caller: &Caller,
    run: &str,
    id: &str,
) -> Result<(), Problem> {
    if !server.store.revoke_share(&run.into(), id).await? {
        return Err(Problem::not_found(format!("run {run} has no link {id}")));
    }
    server.store.note(&caller.name, "link revoked", &format!("{run} ({id})")).await?;
    Ok(())
}
