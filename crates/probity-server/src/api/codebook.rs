//! The codebook, for admins: codes added, weighed otherwise, taken out of use.

use axum::extract::State;
use axum::response::IntoResponse as _;
use http::StatusCode;
use probity_credibility::ledger::{CodeName, Name, Note, Weight};
use serde::Deserialize;
use utoipa::ToSchema;

use super::Reply;
use crate::access::Caller;
use crate::problem::Problem;
use crate::read::{Json, Part};
use crate::state::Server;

/// What a code says from now on.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CodeBody {
    /// What it says about reliability: a whole number, above 0 for the better.
    #[schema(example = 1)]
    pub weight: i64,
    /// When to apply it.
    pub description: String,
}

fn name(text: &str) -> Result<CodeName, Problem> {
    CodeName::new(text.trim()).map_err(|error| Problem::field("code", error.to_string()))
}

fn signs(caller: &Caller) -> Result<Name, Problem> {
    Name::new(&caller.name).map_err(|error| Problem::field("by", error.to_string()))
}

/// Adds a code, or gives one another weight or description from now on. Earlier codings keep the weight
/// that they were made with.
#[utoipa::path(put, path = "/api/codebook/{name}", tag = "ledger",
    params(("name" = String, Path, description = "The code: lower-case letters, digits and hyphens")),
    request_body = CodeBody, responses((status = 204, description = "The code is defined")))]
pub(crate) async fn define(
    State(server): State<Server>,
    caller: Caller,
    Part(code): Part,
    Json(body): Json<CodeBody>,
) -> Reply {
    put(&server, &caller, &code, &body).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Adds or changes a code.
pub(crate) async fn put(
    server: &Server,
    caller: &Caller,
    code: &str,
    body: &CodeBody,
) -> Result<(), Problem> {
    let code = name(code)?;
    let weight = Weight::new(body.weight);
    let weight = weight.map_err(|error| Problem::field("weight", error.to_string()))?;
    let description = Note::new(&body.description).map_err(|error| {
        Problem::field("description", error.to_string().replace("the note", "the description"))
    })?;
    server.store.define_code(&code, weight, &description, &signs(caller)?).await?;
    let what = format!("code defined with weight {}", body.weight);
    Ok(server.store.note(&caller.name, &what, code.as_str()).await?)
}

/// Takes a code out of use; it stays in the history.
#[utoipa::path(delete, path = "/api/codebook/{name}", tag = "ledger",
    params(("name" = String, Path, description = "The code")),
    responses((status = 204, description = "The code is retired")))]
pub(crate) async fn retire(
    State(server): State<Server>,
    caller: Caller,
    Part(code): Part,
) -> Reply {
    withdraw(&server, &caller, &code).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Takes a code out of use.
pub(crate) async fn withdraw(server: &Server, caller: &Caller, code: &str) -> Result<(), Problem> {
    let code = name(code)?;
    server.store.retire_code(&code, &signs(caller)?).await?;
    Ok(server.store.note(&caller.name, "code retired", code.as_str()).await?)
}
