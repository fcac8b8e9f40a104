//! Going on from a run: another question to its sources, the same question again, or further.

use axum::extract::State;
use axum::response::IntoResponse as _;
use http::StatusCode;
use probity_core::Mode;
use probity_research::RunSpec;
use probity_store::RunRecord;
use probity_store::runs::kin::Kinship;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::research::{self, enqueue};
use super::runs::find;
use super::{Reply, json};
use crate::access::Caller;
use crate::backend::{Ask, ModeName};
use crate::problem::Problem;
use crate::read::{Json, Part};
use crate::state::Server;

/// How to go on from a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum NextKind {
    /// Another question to the sources of the run.
    Follow,
    /// The same question now, asked as it was asked then.
    Again,
    /// The same question, beyond the sources of the run.
    Deepen,
}

impl From<NextKind> for Kinship {
    fn from(kind: NextKind) -> Self {
        match kind {
            NextKind::Follow => Self::Follow,
            NextKind::Again => Self::Again,
            NextKind::Deepen => Self::Deepen,
        }
    }
}

/// What comes after a run.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Next {
    /// How to go on.
    pub kind: NextKind,
    /// The question that follows; only where another one is asked.
    #[serde(default)]
    pub question: Option<String>,
    /// How far the run goes: `quick` for a question that follows, `deep` for going further, if nothing is
    /// said.
    #[serde(default)]
    #[schema(value_type = Option<ModeName>)]
    pub mode: Option<Mode>,
    /// Whether a search joins the sources of the run where another question is asked.
    #[serde(default)]
    pub beyond: bool,
}

/// A run that was queued.
#[derive(Serialize, ToSchema)]
pub struct Queued {
    /// Its id.
    pub run_id: String,
}

/// Goes on from a finished run: asks its sources something else, the same again, or further.
#[utoipa::path(post, path = "/api/runs/{id}/next", tag = "runs", request_body = Next,
    params(("id" = String, Path, description = "The run's id")),
    responses((status = 202, body = Queued)))]
pub(crate) async fn next(
    State(server): State<Server>,
    caller: Caller,
    Part(id): Part,
    Json(next): Json<Next>,
) -> Reply {
    let run_id = go_on(&server, &caller, &id, &next).await?;
    Ok((StatusCode::ACCEPTED, json(&Queued { run_id })).into_response())
}

/// Queues what comes after a run; gives its id.
pub(crate) async fn go_on(
    server: &Server,
    caller: &Caller,
    id: &str,
    next: &Next,
) -> Result<String, Problem> {
    let record = find(server, id).await?;
    let run = match next.kind {
        NextKind::Again => again(server, caller, &record).await?,
        NextKind::Follow => {
            let question = next.question.clone().unwrap_or_default();
            let ask = Ask {
                question,
                mode: Some(next.mode.unwrap_or(Mode::Quick)),
                run: Some(id.to_owned()),
                beyond: next.beyond,
                ..Ask::default()
            };
            research::ask(server, caller, &ask).await?
        }
        NextKind::Deepen => {
            let ask = Ask {
                question: record.summary.question.clone(),
                mode: Some(next.mode.unwrap_or(Mode::Deep)),
                run: Some(id.to_owned()),
                beyond: true,
                ..Ask::default()
            };
            research::ask(server, caller, &ask).await?
        }
    };
    server.store.note_kin(&run.as_str().into(), &id.into(), next.kind.into()).await?;
    // What was uploaded for the sources of this run is opened from there too.
    if let Some(upload) = server.store.upload_of_run(&id.into()).await? {
        server.store.ask_upload(&upload, &run.as_str().into()).await?;
    }
    Ok(run)
}

/// The same question, asked of the same places by the same models, now.
async fn again(server: &Server, caller: &Caller, record: &RunRecord) -> Result<String, Problem> {
    let then: RunSpec = serde_json::from_str(&record.spec).map_err(|_| {
        Problem::conflict("this run was stored by another version and cannot be repeated")
    })?;
    // Folders and private hosts of this machine are not for callers.
    if then.place.library.is_some() || !then.place.allow_hosts.is_empty() {
        let why =
            "it was asked on the command line about a folder or a private host; ask it there again";
        return Err(Problem::conflict(why));
    }
    let upload = then.place.files.clone();
    enqueue(server, caller, upload.as_deref(), || {
        let ask = Ask {
            question: record.summary.question.clone(),
            mode: Some(then.mode),
            ..Ask::default()
        };
        let now = server.backend.spec(&ask).map_err(research::refused)?;
        let RunSpec { run_id, asked_at, policy, limits, .. } = now;
        Ok(RunSpec { run_id, asked_at, policy, limits, ..then.clone() })
    })
    .await
}
