//! Any text, checked statement by statement.

use axum::extract::State;
use probity_core::Mode;
use probity_research::RunSpec;
use probity_research::driver::Cancel;
use probity_research::event::Watcher;
use probity_research::execute::Execution;
use probity_research::fact_check::{FactCheck, NO_QUESTION, TEXT_BYTES, statements};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{Reply, json};
use crate::access::Caller;
use crate::backend::{Ask, Later};
use crate::limits;
use crate::problem::Problem;
use crate::read::Json;
use crate::state::Server;

/// A text to be checked.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Text {
    /// The text, with or without citations.
    #[schema(min_length = 1, max_length = 200_000)]
    pub text: String,
    /// The search providers to ask: `auto`, or names separated by commas.
    #[serde(default)]
    #[schema(max_length = 200, example = "library")]
    pub search: Option<String>,
    /// Who decides in doubt: `auto`, `embedded`, a provider, or PROVIDER:NAME.
    #[serde(default)]
    #[schema(max_length = 200, example = "embedded")]
    pub model: Option<String>,
    /// The most that language models may cost, in US dollars.
    #[serde(default)]
    #[schema(minimum = 0.0)]
    pub max_cost: Option<f64>,
}

/// Checks the statements of a text: each is supported, contradicted or not found, with passages.
///
/// The check ends when the caller goes away.
#[utoipa::path(post, path = "/api/check", tag = "check", request_body = Text,
    responses((status = 200, description = "The statements with their verdicts", body = Object)))]
pub(crate) async fn check(
    State(server): State<Server>,
    caller: Caller,
    Json(asked): Json<Text>,
) -> Reply {
    let unwatched = probity_research::event::Unwatched;
    Ok(json(&checked(&server, &caller, &asked, &unwatched).await?))
}

/// Checks a text. Dropping the future ends the check.
pub(crate) fn checked<'a>(
    server: &'a Server,
    caller: &'a Caller,
    asked: &'a Text,
    watcher: &'a dyn Watcher,
) -> Later<'a, Result<FactCheck, Problem>> {
    Box::pin(async move {
        let spec = spec(server, asked)?;
        let Ok(_room) = server.checks.try_acquire() else {
            let why = "too many texts are being checked; try again later";
            return Err(Problem::unavailable(why, 30));
        };
        server.store.note(&caller.name, "text checked", &spec.run_id).await?;
        let environment =
            server.backend.environment(&spec).await.map_err(|why| Problem::field("search", why))?;
        // Nothing uses the switch: a client that disconnects drops the whole check.
        let (_switch, cancel) = Cancel::new();
        let clock = server.clock;
        let execution = Execution { watcher, cancel, ..Execution::unattended(&spec, clock) };
        let checking = execution.checking(environment, &asked.text);
        match tokio::time::timeout(limits::CHECK_TIME, checking).await {
            Ok(Ok(checked)) => Ok(checked),
            Ok(Err(error)) => Err(Problem::internal(&error)),
            Err(_) => Err(Problem::unavailable("the check took too long; send less at once", 60)),
        }
    })
}

/// What the check of a text is to do, if it can be checked.
fn spec(server: &Server, asked: &Text) -> Result<RunSpec, Problem> {
    if asked.text.len() > TEXT_BYTES {
        let why = format!("a text of at most {TEXT_BYTES} bytes is checked; send it in parts");
        return Err(Problem::field("text", why));
    }
    if statements(&asked.text).claims.is_empty() {
        let why = "it states nothing that can be checked; whole sentences that say something \
                   about the world are";
        return Err(Problem::field("text", why));
    }
    let ask = Ask {
        question: NO_QUESTION.to_owned(),
        mode: Some(Mode::Quick),
        search: asked.search.clone(),
        model: asked.model.clone(),
        max_cost: asked.max_cost,
        cancel_if_gone: true,
        ..Ask::default()
    };
    server.backend.spec(&ask).map_err(|error| Problem::field(error.field, error.why))
}
