//! The codebook as a page: what editors can say of an outlet, kept by admins.

use askama::Template;
use axum::extract::State;
use probity_store::ledger::CodeRevision;
use serde::Deserialize;

use super::{Frame, Tab, When, go, page};
use crate::access::Caller;
use crate::api::Reply;
use crate::api::codebook::{CodeBody, put, withdraw};
use crate::problem::Problem;
use crate::read::{Form, Part, texts};
use crate::state::Server;

struct CodeRow {
    code: String,
    weight: String,
    words: String,
    retired: bool,
    by: String,
    at: When,
}

#[derive(Template)]
#[template(path = "codebook.html")]
struct CodebookPage {
    frame: Frame,
    codes: Vec<CodeRow>,
    asked: CodeForm,
    problem: Option<String>,
}

async fn draw(server: &Server, caller: &Caller, asked: CodeForm, problem: Option<String>) -> Reply {
    let now = server.clock.now();
    let mut codes: Vec<CodeRow> = Vec::new();
    // Every version is there, the oldest first; the last of a code is in force.
    for CodeRevision { code, by, at } in server.store.code_revisions().await? {
        let row = CodeRow {
            code: code.name.as_str().to_owned(),
            weight: format!("{:+}", code.weight.get()),
            words: code.description,
            retired: code.retired,
            by,
            at: When::new(at, now),
        };
        match codes.last_mut().filter(|last| last.code == row.code) {
            Some(last) => *last = row,
            None => codes.push(row),
        }
    }
    let frame = Frame::new(server, caller, "Codebook", Tab::Outlets);
    page(&CodebookPage { frame, codes, asked, problem })
}

/// `GET /codebook`.
pub(crate) async fn show(State(server): State<Server>, caller: Caller) -> Reply {
    draw(&server, &caller, CodeForm::default(), None).await
}

/// What the form holds.
#[derive(Default, Deserialize)]
pub(crate) struct CodeForm {
    #[serde(default)]
    code: String,
    #[serde(default, deserialize_with = "texts::optional")]
    weight: Option<i64>,
    #[serde(default)]
    description: String,
}

/// `POST /codebook`.
pub(crate) async fn define(
    State(server): State<Server>,
    caller: Caller,
    Form(asked): Form<CodeForm>,
) -> Reply {
    let body =
        CodeBody { weight: asked.weight.unwrap_or(0), description: asked.description.clone() };
    match put(&server, &caller, &asked.code, &body).await {
        Ok(()) => go("/codebook"),
        Err(problem) if problem.status().is_client_error() => {
            let why = problem.detail().to_owned();
            draw(&server, &caller, asked, Some(why)).await
        }
        Err(problem) => Err(problem),
    }
}

/// `POST /codebook/{name}/retire`.
pub(crate) async fn retire(
    State(server): State<Server>,
    caller: Caller,
    Part(code): Part,
) -> Result<axum::response::Response, Problem> {
    withdraw(&server, &caller, &code).await?;
    go("/codebook")
}
