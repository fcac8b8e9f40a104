//! What is in place on this server, and who may use it.

use askama::Template;
use axum::extract::State;
use probity_store::Engine;

use super::{Frame, Tab, When, page};
use crate::access::Caller;
use crate::api::Reply;
use crate::desk::{Check, CheckState};
use crate::state::{Door, Server};

struct UserRow {
    name: String,
    role: &'static str,
    added: When,
}

struct TokenRow {
    id: String,
    owner: String,
    scopes: String,
    used: Option<When>,
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
    checks: Vec<Check>,
    users: Vec<UserRow>,
    tokens: Vec<TokenRow>,
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

/// `GET /settings`.
pub(crate) async fn show(State(server): State<Server>, caller: Caller) -> Reply {
    let constants = server.desk.constants();
    let frame = Frame::new(&server, &caller, "Settings", Tab::None);
    let now = server.clock.now();
    let (users, tokens) = match frame.rules {
        true => (server.store.users().await?, server.store.tokens().await?),
        false => (Vec::new(), Vec::new()),
    };
    let users = users.into_iter().map(|user| UserRow {
        name: user.name,
        role: user.role.as_str(),
        added: When::new(user.added_at, now),
    });
    let tokens = tokens.into_iter().map(|token| TokenRow {
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
        checks: if frame.rules { server.desk.checks().await } else { Vec::new() },
        users: users.collect(),
        tokens: tokens.collect(),
        frame,
    })
}
