//! Keys of models and search providers as a page: set, tried, removed, never shown.

use askama::Template;
use axum::extract::State;
use probity_core::Secret;
use serde::Deserialize;

use crate::access::Caller;
use crate::api::Reply;
use crate::api::keys::{KeyBody, adjustable, forget, put};
use crate::backend::{KeyView, Origin};
use crate::page::{Frame, Tab, go, page};
use crate::problem::Problem;
use crate::read::{Form, Part};
use crate::state::Server;

#[derive(Template)]
#[template(path = "settings_keys.html")]
struct KeysPage {
    frame: Frame,
    /// Keys that are in force or were set here.
    set: Vec<KeyView>,
    /// Every key that can be set here now.
    settable: Vec<KeyView>,
    chosen: String,
    problem: Option<String>,
    found: Option<String>,
}

impl KeysPage {
    fn origin(view: &KeyView) -> String {
        match view.origin {
            Some(Origin::Environment) => format!("{} in the environment", view.variable),
            Some(origin) => origin.words().to_owned(),
            None => String::new(),
        }
    }
}

/// What the page tells besides the keys.
#[derive(Default)]
struct Notice {
    chosen: String,
    problem: Option<String>,
    found: Option<String>,
}

fn draw(server: &Server, caller: &Caller, notice: Notice) -> Reply {
    let keys = adjustable(server)?.keys();
    let set = keys.iter().filter(|view| view.origin.is_some() || view.set_at.is_some());
    let settable = keys.iter().filter(|view| view.origin != Some(Origin::Environment));
    let Notice { chosen, problem, found } = notice;
    page(&KeysPage {
        frame: Frame::new(server, caller, "Keys", Tab::None),
        set: set.cloned().collect(),
        settable: settable.cloned().collect(),
        chosen,
        problem,
        found,
    })
}

/// `GET /settings/keys`.
pub(crate) async fn show(State(server): State<Server>, caller: Caller) -> Reply {
    draw(&server, &caller, Notice::default())
}

/// What the form holds.
#[derive(Deserialize)]
pub(crate) struct KeyForm {
    #[serde(default)]
    name: String,
    key: Option<Secret>,
    untested: Option<String>,
}

/// `POST /settings/keys`.
pub(crate) async fn set(
    State(server): State<Server>,
    caller: Caller,
    Form(asked): Form<KeyForm>,
) -> Reply {
    let kept = match asked.key {
        Some(key) => {
            let body = KeyBody { key, untested: asked.untested.is_some() };
            put(&server, &caller, &asked.name, body).await
        }
        None => Err(Problem::field("key", "there is no key to keep")),
    };
    let notice = match kept {
        Ok(found) => Notice { found: Some(found), ..Notice::default() },
        Err(problem) => {
            let problem = Some(problem.detail().to_owned());
            Notice { chosen: asked.name, problem, ..Notice::default() }
        }
    };
    draw(&server, &caller, notice)
}

/// `POST /settings/keys/{name}/remove`.
pub(crate) async fn remove(
    State(server): State<Server>,
    caller: Caller,
    Part(name): Part,
) -> Reply {
    forget(&server, &caller, &name).await?;
    go("/settings/keys")
}
