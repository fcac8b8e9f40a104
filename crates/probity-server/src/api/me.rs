//! What everybody does for themselves: their password, their sessions, their tokens.

use std::time::Instant;

use axum::extract::State;
use axum::response::IntoResponse as _;
use http::{HeaderMap, StatusCode};
use probity_store::access::{NewToken, Token};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::ledger::instant;
use super::users::hashed;
use super::{Reply, json};
use crate::access::queue::NotDone;
use crate::access::{Caller, Scope, cookie, password, secret};
use crate::limits;
use crate::problem::Problem;
use crate::read::{Json, Part};
use crate::state::Server;

/// How much of a session's hash names it.
const SESSION_CHARS: usize = 16;

/// A password and the one before it.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PasswordBody {
    /// The password until now.
    pub old: String,
    /// The password from now on, of 10 to 500 characters.
    #[schema(min_length = 10, max_length = 500)]
    pub new: String,
}

/// Changes the caller's own password; all sessions end, the caller's too.
#[utoipa::path(put, path = "/api/me/password", tag = "users", request_body = PasswordBody,
    responses((status = 204, description = "It is changed")))]
pub(crate) async fn password(
    State(server): State<Server>,
    caller: Caller,
    Json(body): Json<PasswordBody>,
) -> Reply {
    change_password(&server, &caller, &body).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Changes the caller's own password.
pub(crate) async fn change_password(
    server: &Server,
    caller: &Caller,
    body: &PasswordBody,
) -> Result<(), Problem> {
    let Some(user) = server.store.user(&caller.name.as_str().into()).await? else {
        return Err(Problem::conflict("there is no user with your name, so there is no password"));
    };
    // Guessing is as slow here as at the door.
    let keys = [format!("name {}", caller.name)];
    if let Err(seconds) = server.logins.begin(&keys, Instant::now()) {
        return Err(Problem::too_many("too many passwords were wrong; wait", seconds));
    }
    let old: String = body.old.chars().take(password::LONGEST + 1).collect();
    let is_right = match server.passwords.run(move || password::is(&old, &user.password)).await {
        Ok(is_right) => is_right,
        Err(NotDone::Full) => {
            server.logins.take_back(&keys);
            let why = "many people log in right now; wait a moment and try again";
            return Err(Problem::unavailable(why, limits::PASSWORDS_AGAIN));
        }
        Err(NotDone::Failed(error)) => return Err(Problem::internal(&error)),
    };
    if !is_right {
        return Err(Problem::field("old", "this is not your password"));
    }
    server.logins.forget(&keys);
    let hash = hashed(server, &body.new).await?;
    server.store.change_password(&caller.name.as_str().into(), &hash).await?;
    Ok(server.store.note(&caller.name, "password changed", &caller.name).await?)
}

/// A session of the caller's.
#[derive(Serialize, ToSchema)]
pub struct SessionView {
    /// What names it here.
    pub id: String,
    /// When it began.
    pub began_at: String,
    /// When it was last used, to the minute.
    pub seen_at: String,
    /// Whether it is the one that asks.
    pub current: bool,
}

/// Lists the caller's sessions, the last used first.
#[utoipa::path(get, path = "/api/me/sessions", tag = "users",
    responses((status = 200, body = Vec<SessionView>)))]
pub(crate) async fn sessions(
    State(server): State<Server>,
    caller: Caller,
    headers: HeaderMap,
) -> Reply {
    Ok(json(&own_sessions(&server, &caller, &headers).await?))
}

/// The caller's sessions.
pub(crate) async fn own_sessions(
    server: &Server,
    caller: &Caller,
    headers: &HeaderMap,
) -> Result<Vec<SessionView>, Problem> {
    let (idle, life) = (limits::SESSION_IDLE, limits::SESSION_LIFE);
    let kept = server.store.sessions_of(&caller.name.as_str().into(), idle, life).await?;
    let asking = cookie::session(headers, server.doors.is_secure());
    let asking = asking.map(|id| secret::hash(&id));
    let view = |one: probity_store::access::SessionSummary| SessionView {
        current: asking.as_deref() == Some(one.hash.as_str()),
        id: one.hash.chars().take(SESSION_CHARS).collect(),
        began_at: instant(one.began_at),
        seen_at: instant(one.seen_at),
    };
    Ok(kept.into_iter().map(view).collect())
}

/// Ends a session of the caller's.
#[utoipa::path(delete, path = "/api/me/sessions/{id}", tag = "users",
    params(("id" = String, Path, description = "The session's id")),
    responses((status = 204, description = "The session is ended")))]
pub(crate) async fn end_session(
    State(server): State<Server>,
    caller: Caller,
    Part(id): Part,
) -> Reply {
    end(&server, &caller, &id).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Ends a session of the caller's.
pub(crate) async fn end(server: &Server, caller: &Caller, id: &str) -> Result<(), Problem> {
    let (idle, life) = (limits::SESSION_IDLE, limits::SESSION_LIFE);
    let kept = server.store.sessions_of(&caller.name.as_str().into(), idle, life).await?;
    let is_meant = |hash: &str| id.len() == SESSION_CHARS && hash.starts_with(id);
    let Some(found) = kept.into_iter().find(|one| is_meant(&one.hash)) else {
        return Err(Problem::not_found("you have no such session"));
    };
    Ok(server.store.end_session(&found.hash).await?)
}

/// A token, without what opens anything.
#[derive(Serialize, ToSchema)]
pub struct TokenView {
    /// The id by which it is revoked.
    pub id: String,
    /// Who signs for what is done with it.
    pub owner: String,
    /// What it may be used for, with commas between.
    pub scopes: String,
    /// When it was made.
    pub added_at: String,
    /// When it was last used, to the minute.
    pub used_at: Option<String>,
}

impl From<Token> for TokenView {
    fn from(token: Token) -> Self {
        Self {
            id: token.id,
            owner: token.owner,
            scopes: token.scopes,
            added_at: instant(token.added_at),
            used_at: token.used_at.map(instant),
        }
    }
}

/// Lists the caller's tokens; an admin's list has everybody's.
#[utoipa::path(get, path = "/api/me/tokens", tag = "users",
    responses((status = 200, body = Vec<TokenView>)))]
pub(crate) async fn tokens(State(server): State<Server>, caller: Caller) -> Reply {
    let tokens = server.store.tokens().await?.into_iter();
    let own = tokens.filter(|token| caller.owns(&token.owner)).map(TokenView::from);
    Ok(json(&own.collect::<Vec<_>>()))
}

/// A token to be made.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TokenBody {
    /// What it may be used for, with commas between: `read`, `research`, `ledger`, `admin`.
    #[schema(max_length = 100, example = "read,research")]
    pub scopes: String,
}

/// A token that was made: the only time that it is shown.
#[derive(Serialize, ToSchema)]
pub struct TokenMade {
    /// The id by which it is revoked.
    pub id: String,
    /// The token.
    pub token: String,
    /// What it may be used for.
    pub scopes: String,
}

/// Makes a token that signs as the caller and may do no more than the caller.
#[utoipa::path(post, path = "/api/me/tokens", tag = "users", request_body = TokenBody,
    responses((status = 201, body = TokenMade)))]
pub(crate) async fn create_token(
    State(server): State<Server>,
    caller: Caller,
    Json(body): Json<TokenBody>,
) -> Reply {
    let made = make_token(&server, &caller, &body.scopes).await?;
    Ok((StatusCode::CREATED, json(&made)).into_response())
}

/// Makes a token.
pub(crate) async fn make_token(
    server: &Server,
    caller: &Caller,
    scopes: &str,
) -> Result<TokenMade, Problem> {
    let wrong = |why: String| Problem::field("scopes", why);
    let list = Scope::parse_list(scopes)
        .ok_or_else(|| wrong("the scopes are: read, research, ledger, admin".to_owned()))?;
    if let Some(beyond) = list.iter().find(|scope| !caller.may(**scope)) {
        return Err(wrong(format!("you have no scope `{}` yourself", beyond.as_str())));
    }
    let scopes: Vec<&str> = list.into_iter().map(Scope::as_str).collect();
    let scopes = scopes.join(",");
    let (id, token) = secret::fresh_token().map_err(|error| Problem::internal(&error))?;
    let hash = secret::hash(&token);
    let new = NewToken { id: &id, hash: &hash, owner: &caller.name, scopes: &scopes };
    if !server.store.add_token(&new).await? {
        return Err(Problem::unavailable("the token's id is taken; try again", 1));
    }
    server.store.note(&caller.name, "token made", &id).await?;
    Ok(TokenMade { id, token, scopes })
}

/// Revokes a token: the caller's own, or anyone's as an admin.
#[utoipa::path(delete, path = "/api/me/tokens/{id}", tag = "users",
    params(("id" = String, Path, description = "The token's id")),
    responses((status = 204, description = "It is revoked")))]
pub(crate) async fn revoke_token(
    State(server): State<Server>,
    caller: Caller,
    Part(id): Part,
) -> Reply {
    revoke(&server, &caller, &id).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Revokes a token.
pub(crate) async fn revoke(server: &Server, caller: &Caller, id: &str) -> Result<(), Problem> {
    let tokens = server.store.tokens().await?;
    let known = tokens.iter().any(|token| token.id == id && caller.owns(&token.owner));
    if !known {
        return Err(Problem::not_found("there is no such token of yours"));
    }
    server.store.revoke_token(id).await?;
    Ok(server.store.note(&caller.name, "token revoked", id).await?)
}
