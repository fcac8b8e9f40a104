//! Asking a question.

use askama::Template;
use axum::extract::State;
use probity_core::Mode;
use probity_store::RunQuery;
use serde::Deserialize;

use super::runs::Row;
use super::{Frame, Tab, go, page};
use crate::access::Caller;
use crate::api::{Reply, research};
use crate::desk::Ask;
use crate::read::{Form, Query};
use crate::state::Server;

/// How many runs the page shows below the question.
const LATEST: i64 = 5;
/// Questions that the example library answers.
const EXAMPLES: [&str; 3] = [
    "What does Port Ellery's noise ordinance say about amplified outdoor music at night?",
    "What are the most popular first dance songs at Port Ellery weddings?",
    "How does the history of rumba flamenca differ from that of Cuban rumba?",
];

/// A mode as the form offers it.
pub(crate) struct ModeChoice {
    pub(crate) name: &'static str,
    pub(crate) label: &'static str,
    pub(crate) words: String,
    pub(crate) chosen: bool,
}

#[derive(Template)]
#[template(path = "ask.html")]
struct AskPage {
    frame: Frame,
    question: String,
    modes: Vec<ModeChoice>,
    providers: Vec<String>,
    usual: String,
    search: String,
    analyst: String,
    max_cost: String,
    problem: Option<String>,
    examples: [&'static str; 3],
    latest: Vec<Row>,
}

/// What the form held.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Asked {
    #[serde(default)]
    pub(crate) question: String,
    #[serde(default)]
    pub(crate) mode: Option<Mode>,
    #[serde(default)]
    pub(crate) search: Option<String>,
    #[serde(default, deserialize_with = "crate::read::texts::optional")]
    pub(crate) max_cost: Option<f64>,
}

/// The form, as it was filled in, with what is wrong with it.
pub(crate) async fn form(
    server: &Server,
    caller: &Caller,
    asked: &Asked,
    problem: Option<String>,
) -> Reply {
    let constants = server.desk.constants();
    let chosen = asked.mode.unwrap_or(Mode::Standard);
    let modes = Mode::ALL.into_iter().map(|mode| {
        let numbers = constants.modes.of(mode);
        ModeChoice {
            name: mode.as_str(),
            label: match mode {
                Mode::Quick => "Quick",
                Mode::Standard => "Standard",
                Mode::Deep => "Deep",
                Mode::Exhaustive => "Exhaustive",
            },
            words: format!("{} sources, about {} words", numbers.max_sources(), numbers.words),
            chosen: mode == chosen,
        }
    });
    let latest = RunQuery { limit: Some(LATEST), ..RunQuery::default() };
    let latest = server.store.runs(&latest).await?;
    let now = server.clock.now();
    page(&AskPage {
        frame: Frame::new(server, caller, "Ask", Tab::Ask),
        question: asked.question.clone(),
        modes: modes.collect(),
        providers: constants.providers.clone(),
        usual: constants.usual_providers.clone(),
        search: asked.search.clone().unwrap_or_default(),
        analyst: constants.analyst.clone(),
        max_cost: asked.max_cost.map(|cost| cost.to_string()).unwrap_or_default(),
        problem,
        examples: EXAMPLES,
        latest: latest.into_iter().map(|run| Row::new(run, now)).collect(),
    })
}

/// `GET /`.
pub(crate) async fn show(
    State(server): State<Server>,
    caller: Caller,
    Query(asked): Query<Asked>,
) -> Reply {
    form(&server, &caller, &asked, None).await
}

/// `POST /ask`.
pub(crate) async fn ask(
    State(server): State<Server>,
    caller: Caller,
    Form(asked): Form<Asked>,
) -> Reply {
    let wanted = Ask {
        question: asked.question.clone(),
        mode: asked.mode,
        search: asked.search.clone(),
        max_cost: asked.max_cost,
        ..Ask::default()
    };
    match research::ask(&server, &caller, &wanted).await {
        Ok(id) => go(&format!("/runs/{id}")),
        // What the person can mend is said where they can mend it.
        Err(problem) if problem.status().is_client_error() => {
            form(&server, &caller, &asked, Some(problem.detail().to_owned())).await
        }
        Err(problem) => Err(problem),
    }
}
