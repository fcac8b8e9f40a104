//! Keys of models and search providers, for admins: set, tried, removed, never shown.

use axum::extract::State;
use axum::response::IntoResponse as _;
use http::StatusCode;
use probity_core::Secret;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Reply, json};
use crate::access::Caller;
use crate::backend::{Adjust, AdjustError, KeyView, NewKey, Trial};
use crate::problem::Problem;
use crate::read::{Json, Part};
use crate::state::Server;

impl From<AdjustError> for Problem {
    fn from(error: AdjustError) -> Self {
        match error {
            AdjustError::Unknown(why) => Self::not_found(why),
            AdjustError::Wrong { field, why } => Self::field(field, why),
            AdjustError::Conflict(why) => Self::conflict(why),
            AdjustError::Failed(why) => {
                tracing::error!(why, "a setting could not be kept");
                Self::unavailable(why, 60)
            }
        }
    }
}

/// What can be set on this server.
pub(crate) fn adjustable(server: &Server) -> Result<&dyn Adjust, Problem> {
    let adjust = server.backend.adjust();
    adjust.ok_or_else(|| Problem::conflict("the settings of a demonstration cannot be changed; start `probity serve` to set your own"))
}

/// Lists the keys that can be set, and where those in force come from; never a key itself.
#[utoipa::path(get, path = "/api/settings/keys", tag = "settings",
    responses((status = 200, body = Vec<KeyView>)))]
pub(crate) async fn list(State(server): State<Server>) -> Reply {
    Ok(json(&adjustable(&server)?.keys()))
}

/// A key to be set.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct KeyBody {
    /// The key, which is never shown again.
    #[schema(value_type = String, min_length = 8, max_length = 8192)]
    pub key: Secret,
    /// Whether it is kept although its provider does not answer to it now.
    #[serde(default)]
    pub untested: bool,
}

/// The result of trying a key.
#[derive(Serialize, ToSchema)]
pub struct KeySet {
    /// What was found when its provider was asked.
    pub found: String,
}

/// Sets a key after its provider answered to it. The environment stays stronger.
#[utoipa::path(put, path = "/api/settings/keys/{name}", tag = "settings",
    params(("name" = String, Path, description = "The key's name, such as `model.anthropic` or `search.brave`")),
    request_body = KeyBody, responses((status = 200, body = KeySet)))]
pub(crate) async fn set(
    State(server): State<Server>,
    caller: Caller,
    Part(name): Part,
    Json(body): Json<KeyBody>,
) -> Reply {
    let found = put(&server, &caller, &name, body).await?;
    Ok(json(&KeySet { found }))
}

/// Sets a key and notes who did.
pub(crate) async fn put(
    server: &Server,
    caller: &Caller,
    name: &str,
    body: KeyBody,
) -> Result<String, Problem> {
    let trial = if body.untested { Trial::Waived } else { Trial::Needed };
    let new = NewKey { name, key: body.key, by: &caller.name, trial };
    let found = adjustable(server)?.set_key(new).await?;
    server.store.note(&caller.name, "key set", name).await?;
    Ok(found)
}

/// Removes a key that was set on the page.
#[utoipa::path(delete, path = "/api/settings/keys/{name}", tag = "settings",
    params(("name" = String, Path, description = "The key's name")),
    responses((status = 204, description = "The key is removed")))]
pub(crate) async fn remove(
    State(server): State<Server>,
    caller: Caller,
    Part(name): Part,
) -> Reply {
    forget(&server, &caller, &name).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Removes a key and notes who did.
pub(crate) async fn forget(server: &Server, caller: &Caller, name: &str) -> Result<(), Problem> {
    adjustable(server)?.remove_key(name)?;
    Ok(server.store.note(&caller.name, "key removed", name).await?)
}
