//! Ways to reach people as a page: added, tried, paused, removed.

use askama::Template;
use axum::extract::State;
use probity_core::Secret;
use serde::Deserialize;

use crate::access::Caller;
use crate::api::Reply;
use crate::api::alerts::{add, forget, pause};
use crate::api::keys::adjustable;
use crate::backend::{NewWay, Origin, WayKind, WayView};
use crate::page::{Frame, Tab, go, page};
use crate::problem::Problem;
use crate::read::{Form, Part, texts};
use crate::state::Server;

#[derive(Template)]
#[template(path = "settings_alerts.html")]
struct AlertsPage {
    frame: Frame,
    ways: Vec<WayView>,
    asked: WayForm,
    problem: Option<String>,
    found: Option<String>,
}

impl AlertsPage {
    fn typed(text: &Option<String>) -> &str {
        text.as_deref().unwrap_or_default()
    }
}

/// What the page tells besides the ways.
#[derive(Default)]
struct Notice {
    asked: WayForm,
    problem: Option<String>,
    found: Option<String>,
}

fn draw(server: &Server, caller: &Caller, notice: Notice) -> Reply {
    let Notice { asked, problem, found } = notice;
    page(&AlertsPage {
        frame: Frame::new(server, caller, "Alerts", Tab::None),
        ways: adjustable(server)?.ways(),
        asked,
        problem,
        found,
    })
}

/// `GET /settings/alerts`.
pub(crate) async fn show(State(server): State<Server>, caller: Caller) -> Reply {
    draw(&server, &caller, Notice::default())
}

/// What the form of a new way holds.
#[derive(Default, Deserialize)]
pub(crate) struct WayForm {
    #[serde(default)]
    kind: WayKind,
    url: Option<String>,
    secret: Option<Secret>,
    host: Option<String>,
    #[serde(default, deserialize_with = "texts::optional")]
    port: Option<u16>,
    security: Option<String>,
    user: Option<String>,
    from: Option<String>,
    to: Option<String>,
}

/// `POST /settings/alerts`.
pub(crate) async fn create(
    State(server): State<Server>,
    caller: Caller,
    Form(asked): Form<WayForm>,
) -> Reply {
    let way = NewWay {
        kind: asked.kind,
        url: asked.url.clone(),
        secret: asked.secret.clone(),
        host: asked.host.clone(),
        port: asked.port,
        security: asked.security.clone(),
        user: asked.user.clone(),
        from: asked.from.clone(),
        to: asked.to.clone(),
    };
    match add(&server, &caller, &way).await {
        Ok(_) => go("/settings/alerts"),
        Err(problem) => {
            let problem = Some(problem.detail().to_owned());
            draw(&server, &caller, Notice { asked, problem, ..Notice::default() })
        }
    }
}

/// Where a change leads: back, or to what is wrong with it.
fn after(server: &Server, caller: &Caller, changed: Result<(), Problem>) -> Reply {
    match changed {
        Ok(()) => go("/settings/alerts"),
        Err(problem) => {
            let problem = Some(problem.detail().to_owned());
            draw(server, caller, Notice { problem, ..Notice::default() })
        }
    }
}

/// `POST /settings/alerts/{id}/pause`.
pub(crate) async fn hold(State(server): State<Server>, caller: Caller, Part(id): Part) -> Reply {
    let changed = pause(&server, &caller, &id, true).await;
    after(&server, &caller, changed)
}

/// `POST /settings/alerts/{id}/resume`.
pub(crate) async fn resume(State(server): State<Server>, caller: Caller, Part(id): Part) -> Reply {
    let changed = pause(&server, &caller, &id, false).await;
    after(&server, &caller, changed)
}

/// `POST /settings/alerts/{id}/remove`.
pub(crate) async fn remove(State(server): State<Server>, caller: Caller, Part(id): Part) -> Reply {
    let changed = forget(&server, &caller, &id).await;
    after(&server, &caller, changed)
}

/// `POST /settings/alerts/{id}/test`.
pub(crate) async fn test(State(server): State<Server>, caller: Caller, Part(id): Part) -> Reply {
    let notice = match adjustable(&server)?.test_way(&id).await {
        Ok(None) => {
            Notice { found: Some("The test message was taken.".to_owned()), ..Notice::default() }
        }
        Ok(Some(why)) => {
            let problem = format!("The test message was not taken: {why}");
            Notice { problem: Some(problem), ..Notice::default() }
        }
        Err(error) => Notice { problem: Some(error.to_string()), ..Notice::default() },
    };
    draw(&server, &caller, notice)
}
