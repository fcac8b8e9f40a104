//! Users, for admins: added, given another role or password, switched off, removed.

use axum::extract::State;
use axum::response::IntoResponse as _;
use http::StatusCode;
use probity_credibility::ledger::Name;
use probity_store::access::{Role, User, UserChange, UserChanged};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::ledger::instant;
use super::{Reply, json};
use crate::access::queue::NotDone;
use crate::access::{Caller, password};
use crate::limits;
use crate::problem::Problem;
use crate::read::{Json, Part};
use crate::state::Server;

/// The names of the roles, for the API's document.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) enum RoleName {
    Reader,
    Editor,
    Admin,
}

/// A user, without the password.
#[derive(Serialize, ToSchema)]
pub struct UserView {
    /// The name, which also signs what the user does.
    pub name: String,
    /// What the user may do.
    #[schema(value_type = RoleName)]
    pub role: Role,
    /// Whether the user may not log in for now.
    pub disabled: bool,
    /// When the user was added.
    pub added_at: String,
    /// When password, role or state last changed.
    pub changed_at: String,
}

impl From<User> for UserView {
    fn from(user: User) -> Self {
        Self {
            name: user.name.into(),
            role: user.role,
            disabled: user.disabled,
            added_at: instant(user.added_at),
            changed_at: instant(user.changed_at),
        }
    }
}

/// Lists the users by name.
#[utoipa::path(get, path = "/api/users", tag = "users",
    responses((status = 200, body = Vec<UserView>)))]
pub(crate) async fn list(State(server): State<Server>) -> Reply {
    let users = server.store.users().await?;
    Ok(json(&users.into_iter().map(UserView::from).collect::<Vec<_>>()))
}

async fn find(server: &Server, name: &str) -> Result<User, Problem> {
    let found = server.store.user(&name.into()).await?;
    found.ok_or_else(|| Problem::not_found("there is no such user"))
}

/// A user to be added.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UserBody {
    /// The name, which also signs what the user does.
    #[schema(example = "ada")]
    pub name: String,
    /// The password, of 10 to 500 characters.
    #[schema(min_length = 10, max_length = 500)]
    pub password: String,
    /// What the user may do.
    #[schema(value_type = RoleName)]
    pub role: Role,
}

/// Adds a user.
#[utoipa::path(post, path = "/api/users", tag = "users", request_body = UserBody,
    responses((status = 201, body = UserView)))]
pub(crate) async fn create(
    State(server): State<Server>,
    caller: Caller,
    Json(body): Json<UserBody>,
) -> Reply {
    add(&server, &caller, &body).await?;
    let user = find(&server, body.name.trim()).await?;
    Ok((StatusCode::CREATED, json(&UserView::from(user))).into_response())
}

/// Adds a user.
pub(crate) async fn add(server: &Server, caller: &Caller, body: &UserBody) -> Result<(), Problem> {
    let name = Name::new(&body.name).map_err(|error| Problem::field("name", error.to_string()))?;
    let hash = hashed(server, &body.password).await?;
    if !server.store.add_user(&name.as_str().into(), &hash, body.role).await? {
        return Err(Problem::conflict(format!("there is a user {} already", name.as_str())));
    }
    let what = format!("user added as {}", body.role.as_str());
    Ok(server.store.note(&caller.name, &what, name.as_str()).await?)
}

/// The hash of a password, made where passwords wait their turn.
pub(crate) async fn hashed(server: &Server, given: &str) -> Result<String, Problem> {
    let given: String = given.chars().take(password::LONGEST + 1).collect();
    match server.passwords.run(move || password::hash(&given)).await {
        Ok(Ok(hash)) => Ok(hash),
        Ok(Err(error)) => Err(Problem::field("password", error.to_string())),
        Err(NotDone::Full) => {
            let why = "many people log in right now; wait a moment and try again";
            Err(Problem::unavailable(why, limits::PASSWORDS_AGAIN))
        }
        Err(NotDone::Failed(error)) => Err(Problem::internal(&error)),
    }
}

/// What to change of a user; what is absent stays as it is.
#[derive(Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UserChangeBody {
    /// What the user may do.
    #[serde(default)]
    #[schema(value_type = Option<RoleName>)]
    pub role: Option<Role>,
    /// Whether the user may not log in for now.
    #[serde(default)]
    pub disabled: Option<bool>,
    /// Another password, which ends the user's sessions.
    #[serde(default)]
    #[schema(min_length = 10, max_length = 500)]
    pub password: Option<String>,
}

/// Gives a user another role or password, or switches the user off or on.
#[utoipa::path(patch, path = "/api/users/{name}", tag = "users",
    params(("name" = String, Path, description = "The user's name")),
    request_body = UserChangeBody, responses((status = 200, body = UserView)))]
pub(crate) async fn change(
    State(server): State<Server>,
    caller: Caller,
    Part(name): Part,
    Json(body): Json<UserChangeBody>,
) -> Reply {
    alter(&server, &caller, &name, &body).await?;
    Ok(json(&UserView::from(find(&server, &name).await?)))
}

/// Changes a user.
pub(crate) async fn alter(
    server: &Server,
    caller: &Caller,
    name: &str,
    body: &UserChangeBody,
) -> Result<(), Problem> {
    find(server, name).await?;
    let hash = match &body.password {
        Some(password) => Some(hashed(server, password).await?),
        None => None,
    };
    let change = UserChange { role: body.role, disabled: body.disabled };
    as_result(server.store.change_user(&name.into(), change).await?)?;
    if let Some(hash) = hash {
        server.store.change_password(&name.into(), &hash).await?;
        server.store.note(&caller.name, "password reset", name).await?;
    }
    if let Some(role) = body.role {
        let what = format!("role changed to {}", role.as_str());
        server.store.note(&caller.name, &what, name).await?;
    }
    if let Some(disabled) = body.disabled {
        let what = if disabled { "user switched off" } else { "user switched on" };
        server.store.note(&caller.name, what, name).await?;
    }
    Ok(())
}

fn as_result(changed: UserChanged) -> Result<(), Problem> {
    match changed {
        UserChanged::Done => Ok(()),
        UserChanged::Unknown => Err(Problem::not_found("there is no such user")),
        UserChanged::LastAdmin => Err(Problem::conflict(
            "this is the last admin who can log in; make another user an admin first",
        )),
    }
}

/// Removes a user with all sessions and tokens.
#[utoipa::path(delete, path = "/api/users/{name}", tag = "users",
    params(("name" = String, Path, description = "The user's name")),
    responses((status = 204, description = "The user is removed")))]
pub(crate) async fn delete(
    State(server): State<Server>,
    caller: Caller,
    Part(name): Part,
) -> Reply {
    remove(&server, &caller, &name).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Removes a user.
pub(crate) async fn remove(server: &Server, caller: &Caller, name: &str) -> Result<(), Problem> {
    as_result(server.store.remove_user_safely(&name.into()).await?)?;
    Ok(server.store.note(&caller.name, "user removed", name).await?)
}
