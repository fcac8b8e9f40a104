//! `get_report`, `list_runs`, `search_library`: reading what is there.

use probity_core::limits::QUESTION_MAX_CHARS;
use probity_core::printable;
use probity_report::json::json;
use probity_report::markdown::markdown;
use probity_store::library::Library;
use probity_store::{RunQuery, RunStatus};
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::answer::{ToolAnswer, read};
use crate::api::Listed;
use crate::api::library;
use crate::api::runs::{RunView, StatusName, find, listed, report};
use crate::limits;
use crate::problem::Problem;
use crate::state::Server;

/// How many rows a list has.
pub(super) fn rows(asked: Option<i64>) -> Result<i64, Problem> {
    match asked {
        None => Ok(limits::MCP_USUAL_ROWS),
        Some(rows @ 1..=limits::MCP_ROWS) => Ok(rows),
        Some(_) => Err(Problem::field("limit", format!("give 1 to {}", limits::MCP_ROWS))),
    }
}

/// A form of a report.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum ReportForm {
    /// Markdown.
    #[default]
    Md,
    /// JSON, with everything behind the report.
    Json,
}

/// What `get_report` takes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ReportInput {
    /// The run's id.
    #[schemars(length(max = 100))]
    run_id: String,
    /// The form; `md` if nothing is said.
    #[serde(default)]
    format: ReportForm,
}

/// Reads a report.
pub(super) async fn get_report(
    server: &Server,
    arguments: JsonObject,
) -> Result<ToolAnswer, Problem> {
    let input: ReportInput = read(arguments)?;
    let record = find(server, &input.run_id).await?;
    let report = report(&record)?;
    Ok(ToolAnswer::alone(match input.format {
        ReportForm::Md => markdown(&report),
        ReportForm::Json => json(&report),
    }))
}

/// What `list_runs` takes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ListInput {
    /// Only runs of this status.
    status: Option<StatusName>,
    /// How many to give; 20 if nothing is said.
    #[schemars(range(min = 1, max = 50))]
    limit: Option<i64>,
    /// Where to begin: the `next` of the part before.
    #[schemars(length(max = 500))]
    cursor: Option<String>,
}

/// What `list_runs` gives.
#[derive(Serialize, JsonSchema)]
pub(super) struct ListOutput {
    /// The runs, the latest first.
    runs: Vec<RunView>,
    /// Where the next part begins: send it as `cursor`. None at the end.
    next: Option<String>,
}

/// Lists runs.
pub(super) async fn list_runs(
    server: &Server,
    arguments: JsonObject,
) -> Result<ToolAnswer, Problem> {
    let input: ListInput = read(arguments)?;
    let limit = rows(input.limit)?;
    let status = input.status.map(RunStatus::from);
    let query = RunQuery { status, ..RunQuery::default() };
    let Listed { items, next } = listed(server, query, limit, input.cursor.as_deref()).await?;
    let lines: Vec<String> = items
        .iter()
        .map(|run| {
            let state = run.decision.as_deref().unwrap_or(run.status);
            format!("{}  {state}  {}", run.id, printable::brief(&run.question, 120))
        })
        .collect();
    let text = match lines.is_empty() {
        true => "There are no runs; `research` makes one.".to_owned(),
        false => lines.join("\n"),
    };
    ToolAnswer::new(text, &ListOutput { runs: items, next })
}

/// What `search_library` takes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct LibraryInput {
    /// Words, or a question.
    #[schemars(length(min = 1, max = 2000))]
    query: String,
    /// How many to give; 20 if nothing is said.
    #[schemars(range(min = 1, max = 50))]
    limit: Option<i64>,
}

/// A found document.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Passage {
    /// The document's id.
    id: String,
    title: String,
    url: String,
    /// How well it fits, compared with the others.
    score: f64,
    /// The passage that fits best.
    snippet: String,
}

/// What `search_library` gives.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct LibraryOutput {
    /// The documents, the best first.
    documents: Vec<Passage>,
}

/// Searches the library.
pub(super) async fn search_library(
    server: &Server,
    arguments: JsonObject,
) -> Result<ToolAnswer, Problem> {
    let input: LibraryInput = read(arguments)?;
    let limit = rows(input.limit)?;
    if input.query.trim().is_empty() || input.query.chars().count() > QUESTION_MAX_CHARS {
        return Err(Problem::field("query", "give 1 to 2,000 characters"));
    }
    let found = library::find(&Library::of(&server.store), &input.query, limit).await?;
    // Where a document is on this machine is not shown: its origin stays here.
    let documents: Vec<Passage> = found
        .into_iter()
        .map(|found| Passage {
            id: found.id,
            title: found.title,
            url: found.url,
            score: found.score,
            snippet: found.snippet,
        })
        .collect();
    let lines: Vec<String> = documents
        .iter()
        .map(|document| {
            let said = printable::brief(&document.snippet, 300);
            format!("- {} — {said}", printable::brief(&document.title, 120))
        })
        .collect();
    let text = match lines.is_empty() {
        true => "The library has no match; `probity library add` adds documents.".to_owned(),
        false => lines.join("\n"),
    };
    ToolAnswer::new(text, &LibraryOutput { documents })
}
