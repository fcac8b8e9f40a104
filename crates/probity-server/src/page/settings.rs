//! What is in place on this server, who may use it, and what everybody sets for themselves.

pub(crate) mod alerts;
pub(crate) mod keys;
pub(crate) mod thresholds;

use askama::Template;
use axum::extract::State;
use http::HeaderMap;
use probity_store::Engine;
use probity_store::access::Role;
use serde::Deserialize;

use super::{Frame, Tab, When, go, page};
use crate::access::{Caller, Scope};
use crate::api::Reply;
use crate::api::me::{self, PasswordBody, SessionView, TokenMade};
use crate::api::users::{self, UserBody, UserChangeBody};
use crate::backend::{Check, CheckState};
use crate::problem::Problem;
use crate::read::{Form, Part};
use crate::state::{Door, Server};

struct UserRow {
    name: String,
    role: Role,
    disabled: bool,
    is_me: bool,
    added: When,
}

struct TokenRow {
    id: String,
    owner: String,
    scopes: String,
    used: Option<When>,
}

/// What a page of settings tells besides what is set.
#[derive(Default)]
struct Notice {
    problem: Option<String>,
    made: Option<TokenMade>,
}

#[derive(Template)]
#[template(path = "settings.html")]
struct SettingsPage {
    frame: Frame,
    version: &'static str,
    store: &'static str,
    analyst: String,
    providers: String,
    workers: bool,
    open: bool,
    /// Whether settings can be changed here.
    adjustable: bool,
    /// Whether the caller has a password of their own.
    has_password: bool,
    sessions: Vec<SessionView>,
    checks: Vec<Check>,
    users: Vec<UserRow>,
    tokens: Vec<TokenRow>,
    /// What a token of the caller's may be for.
    scopes: Vec<&'static str>,
    notice: Notice,
}

impl SettingsPage {
    fn word(state: &CheckState) -> &'static str {
        match state {
            CheckState::Ok => "ok",
            CheckState::Warning => "warning",
            CheckState::Failure => "failure",
        }
    }
}

async fn draw(server: &Server, caller: &Caller, headers: &HeaderMap, notice: Notice) -> Reply {
    let constants = server.backend.constants();
    let frame = Frame::new(server, caller, "Settings", Tab::None);
    let now = server.clock.now();
    let users = match frame.rules {
        true => server.store.users().await?,
        false => Vec::new(),
    };
    let users = users.into_iter().map(|user| UserRow {
        is_me: user.name == caller.name,
        name: user.name.into(),
        role: user.role,
        disabled: user.disabled,
        added: When::new(user.added_at, now),
    });
    let tokens = server.store.tokens().await?.into_iter();
    let tokens = tokens.filter(|token| caller.owns(&token.owner)).map(|token| TokenRow {
        id: token.id,
        owner: token.owner,
        scopes: token.scopes,
        used: token.used_at.map(|at| When::new(at, now)),
    });
    page(&SettingsPage {
        version: constants.version,
        store: match server.store.engine() {
            Engine::Sqlite => "SQLite",
            Engine::Postgres => "PostgreSQL",
        },
        analyst: constants.analyst.clone(),
        providers: constants.usual_providers.clone(),
        workers: server.workers,
        open: server.door == Door::Open,
        adjustable: frame.rules && server.backend.adjust().is_some(),
        has_password: server.store.user(&caller.name.as_str().into()).await?.is_some(),
        sessions: me::own_sessions(server, caller, headers).await?,
        checks: if frame.rules { server.backend.checks().await } else { Vec::new() },
        users: users.collect(),
        tokens: tokens.collect(),
        scopes: Scope::ALL.into_iter().filter(|one| caller.may(*one)).map(Scope::as_str).collect(),
        notice,
        frame,
    })
}

/// `GET /settings`.
pub(crate) async fn show(
    State(server): State<Server>,
    caller: Caller,
    headers: HeaderMap,
) -> Reply {
    draw(&server, &caller, &headers, Notice::default()).await
}

/// Where a change leads: back, or to what is wrong with it.
async fn after(
    server: &Server,
    caller: &Caller,
    headers: &HeaderMap,
    changed: Result<(), Problem>,
    to: &str,
) -> Reply {
    match changed {
        Ok(()) => go(to),
        Err(problem) if problem.status().is_client_error() => {
            let problem = Some(problem.detail().to_owned());
            draw(server, caller, headers, Notice { problem, ..Notice::default() }).await
        }
        Err(problem) => Err(problem),
    }
}

/// What the form of a password holds.
#[derive(Deserialize)]
pub(crate) struct PasswordForm {
    #[serde(default)]
    old: String,
    #[serde(default)]
    new: String,
    #[serde(default)]
    again: String,
}

/// `POST /settings/password`.
pub(crate) async fn password(
    State(server): State<Server>,
    caller: Caller,
    headers: HeaderMap,
    Form(asked): Form<PasswordForm>,
) -> Reply {
    let changed = match asked.new == asked.again {
        true => {
            let body = PasswordBody { old: asked.old, new: asked.new };
            me::change_password(&server, &caller, &body).await
        }
        false => Err(Problem::field("again", "the two new passwords are not the same")),
    };
    after(&server, &caller, &headers, changed, "/login").await
}

/// `POST /settings/sessions/{id}/end`.
pub(crate) async fn end_session(
    State(server): State<Server>,
    caller: Caller,
    Part(id): Part,
) -> Reply {
    me::end(&server, &caller, &id).await?;
    go("/settings#h-sessions")
}

/// What the form of a token holds: a box for each scope.
#[derive(Deserialize)]
pub(crate) struct TokenForm {
    read: Option<String>,
    research: Option<String>,
    ledger: Option<String>,
    admin: Option<String>,
}

/// `POST /settings/tokens`. The page that answers is the only one that shows the token.
pub(crate) async fn make_token(
    State(server): State<Server>,
    caller: Caller,
    headers: HeaderMap,
    Form(asked): Form<TokenForm>,
) -> Reply {
    let boxes = [&asked.read, &asked.research, &asked.ledger, &asked.admin];
    let chosen = Scope::ALL.into_iter().zip(boxes).filter(|(_, ticked)| ticked.is_some());
    let scopes: Vec<&str> = chosen.map(|(scope, _)| scope.as_str()).collect();
    match me::make_token(&server, &caller, &scopes.join(",")).await {
        Ok(made) => {
            let notice = Notice { made: Some(made), ..Notice::default() };
            draw(&server, &caller, &headers, notice).await
        }
        Err(problem) => after(&server, &caller, &headers, Err(problem), "").await,
    }
}

/// `POST /settings/tokens/{id}/revoke`.
pub(crate) async fn revoke_token(
    State(server): State<Server>,
    caller: Caller,
    Part(id): Part,
) -> Reply {
    me::revoke(&server, &caller, &id).await?;
    go("/settings#h-tokens")
}

/// What the form of a new user holds.
#[derive(Deserialize)]
pub(crate) struct UserForm {
    #[serde(default)]
    name: String,
    #[serde(default)]
    password: String,
    #[serde(default = "reader")]
    role: Role,
}

fn reader() -> Role {
    Role::Reader
}

/// `POST /settings/users`.
pub(crate) async fn add_user(
    State(server): State<Server>,
    caller: Caller,
    headers: HeaderMap,
    Form(asked): Form<UserForm>,
) -> Reply {
    let UserForm { name, password, role } = asked;
    let added = users::add(&server, &caller, &UserBody { name, password, role }).await;
    after(&server, &caller, &headers, added, "/settings#h-users").await
}

/// What the form of a user holds.
#[derive(Deserialize)]
pub(crate) struct UserChangeForm {
    role: Option<Role>,
    /// `yes` or `no`.
    disabled: Option<String>,
    password: Option<String>,
}

/// `POST /settings/users/{name}`.
pub(crate) async fn change_user(
    State(server): State<Server>,
    caller: Caller,
    headers: HeaderMap,
    Part(name): Part,
    Form(asked): Form<UserChangeForm>,
) -> Reply {
    let body = UserChangeBody {
        role: asked.role,
        disabled: asked.disabled.map(|said| said == "yes"),
        password: asked.password,
    };
    let changed = users::alter(&server, &caller, &name, &body).await;
    after(&server, &caller, &headers, changed, "/settings#h-users").await
}

/// `POST /settings/users/{name}/remove`.
pub(crate) async fn remove_user(
    State(server): State<Server>,
    caller: Caller,
    headers: HeaderMap,
    Part(name): Part,
) -> Reply {
    let removed = users::remove(&server, &caller, &name).await;
    after(&server, &caller, &headers, removed, "/settings#h-users").await
}
