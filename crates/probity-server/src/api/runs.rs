//! Runs: what was asked, its result, in every format.

use axum::extract::State;
use axum::response::IntoResponse as _;
use http::{HeaderValue, StatusCode, header};
use probity_core::{RunId, Timestamp};
use probity_report::format::{Choices, Format, render};
use probity_report::{CheckedReport, compare as compared, restore};
use probity_store::queue::JobState;
use probity_store::runs::marks::Marks;
use probity_store::{RunQuery, RunRecord, RunStatus, RunSummary};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::{IntoParams, ToSchema};

use super::ledger::instant;
use super::{Cursor, Listed, Reply, json, rows};
use crate::access::Caller;
use crate::openapi::report::ReportDocument;
use crate::problem::Problem;
use crate::read::{Part, Query, texts};
use crate::state::Server;

/// A run as lists show it.
#[derive(Serialize, ToSchema, JsonSchema)]
pub struct RunView {
    /// Its id.
    pub id: String,
    /// The question.
    pub question: String,
    /// Its mode.
    pub mode: String,
    /// `running`, `finished`, `failed` or `interrupted`.
    pub status: &'static str,
    /// What its gate decided: `full_report`, `short_report` or `insufficient_data`.
    pub decision: Option<String>,
    /// Its headline.
    pub title: Option<String>,
    /// What went wrong.
    pub error: Option<String>,
    /// When it was asked.
    pub asked_at: String,
    /// When something was last written to it.
    pub touched_at: String,
    /// How many steps its journal holds.
    pub steps: i64,
    /// Whether it has a star.
    pub starred: bool,
    /// Its tags.
    pub tags: Vec<String>,
}

impl RunView {
    fn marked(run: RunSummary, marks: Marks) -> Self {
        let tags = marks.tags.into_iter().collect();
        Self { starred: marks.starred, tags, ..Self::from(run) }
    }
}

impl From<RunSummary> for RunView {
    fn from(run: RunSummary) -> Self {
        Self {
            id: run.id.into(),
            question: run.question,
            mode: run.mode,
            status: run.status.as_str(),
            decision: run.decision,
            title: run.title,
            error: run.error,
            asked_at: instant(run.asked_at),
            touched_at: instant(run.touched_at),
            steps: run.steps,
            starred: false,
            tags: Vec::new(),
        }
    }
}

/// A run with its report.
#[derive(Serialize, ToSchema)]
pub struct RunDetail {
    /// What lists show.
    #[serde(flatten)]
    pub run: RunView,
    /// Its report in the form `probity-report/1`; none until it has one.
    #[schema(value_type = Option<ReportDocument>)]
    pub report: Option<Box<RawValue>>,
}

/// A run's status.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum StatusName {
    /// A worker has it, or died while doing so.
    Running,
    /// It has its report, or its account of why there is none.
    Finished,
    /// It ended with an error.
    Failed,
    /// It was interrupted and can be resumed.
    Interrupted,
}

impl From<StatusName> for RunStatus {
    fn from(name: StatusName) -> Self {
        match name {
            StatusName::Running => Self::Running,
            StatusName::Finished => Self::Finished,
            StatusName::Failed => Self::Failed,
            StatusName::Interrupted => Self::Interrupted,
        }
    }
}

/// Which runs to list.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct ListParams {
    /// Only runs of this status.
    #[param(inline)]
    status: Option<StatusName>,
    /// Only runs whose question or headline holds this.
    q: Option<String>,
    /// Only runs with this tag.
    tag: Option<String>,
    /// Only runs with a star.
    #[serde(default, deserialize_with = "texts::optional")]
    starred: Option<bool>,
    /// How many to give.
    #[param(minimum = 1, maximum = 200)]
    #[serde(default, deserialize_with = "texts::optional")]
    limit: Option<i64>,
    /// Where to begin: the `next` of the part before.
    cursor: Option<String>,
}

/// Lists runs, the latest first.
#[utoipa::path(get, path = "/api/runs", tag = "runs", params(ListParams),
    responses((status = 200, body = Listed<RunView>)))]
pub(crate) async fn list(State(server): State<Server>, Query(asked): Query<ListParams>) -> Reply {
    let limit = rows(asked.limit)?;
    let query = RunQuery {
        status: asked.status.map(RunStatus::from),
        text: asked.q,
        tag: asked.tag,
        starred: asked.starred.unwrap_or(false),
        ..RunQuery::default()
    };
    Ok(json(&listed(&server, query, limit, asked.cursor.as_deref()).await?))
}

/// Runs, the latest first.
pub(crate) async fn listed(
    server: &Server,
    query: RunQuery,
    limit: i64,
    cursor: Option<&str>,
) -> Result<Listed<RunView>, Problem> {
    let after: Option<(i64, String)> = Cursor::read(cursor)?;
    let query = RunQuery {
        limit: Some(limit + 1),
        after: after.map(|(at, id)| (Timestamp(at), id.into())),
        ..query
    };
    let runs = server.store.runs(&query).await?;
    let Listed { items, next } =
        Listed::cut(runs, limit, |last| Cursor::write(&(last.asked_at.0, &last.id)));
    let ids: Vec<&RunId> = items.iter().map(|run| &run.id).collect();
    let mut marks = server.store.run_marks(&ids).await?;
    let view = |run: RunSummary| {
        let marks = marks.remove(&run.id).unwrap_or_default();
        RunView::marked(run, marks)
    };
    Ok(Listed { items: items.into_iter().map(view).collect(), next })
}

/// The run of an id.
pub(crate) async fn find(server: &Server, id: &str) -> Result<RunRecord, Problem> {
    let run = server.store.run(&id.into()).await?;
    run.ok_or_else(|| Problem::not_found(format!("there is no run {id}")))
}

/// The report of a run.
pub(crate) fn report(record: &RunRecord) -> Result<CheckedReport, Problem> {
    let id = &record.summary.id;
    let Some(report) = record.report.as_deref().filter(|text| !text.is_empty()) else {
        return Err(Problem::conflict(format!("run {id} has no report yet")));
    };
    restore(report).map_err(|error| Problem::internal(&format!("the report of {id}: {error}")))
}

/// Shows a run with its report.
#[utoipa::path(get, path = "/api/runs/{id}", tag = "runs",
    params(("id" = String, Path, description = "The run's id")),
    responses((status = 200, body = RunDetail)))]
pub(crate) async fn show(State(server): State<Server>, Part(id): Part) -> Reply {
    let mut detail = detail(find(&server, &id).await?)?;
    let mut marks = server.store.run_marks(&[&id.as_str().into()]).await?;
    let marks = marks.remove(id.as_str()).unwrap_or_default();
    detail.run.starred = marks.starred;
    detail.run.tags = marks.tags.into_iter().collect();
    Ok(json(&detail))
}

/// A run as it is answered.
pub(crate) fn detail(record: RunRecord) -> Result<RunDetail, Problem> {
    let RunRecord { summary, report, .. } = record;
    let report = report.filter(|text| !text.is_empty()).map(RawValue::from_string).transpose();
    let report = report.map_err(|error| Problem::internal(&error))?;
    Ok(RunDetail { run: summary.into(), report })
}

/// Deletes a run with its journal, events and report.
#[utoipa::path(delete, path = "/api/runs/{id}", tag = "runs",
    params(("id" = String, Path, description = "The run's id")),
    responses((status = 204, description = "The run is deleted")))]
pub(crate) async fn delete(State(server): State<Server>, caller: Caller, Part(id): Part) -> Reply {
    remove(&server, &caller, &id).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Deletes a run that is not in progress.
pub(crate) async fn remove(server: &Server, caller: &Caller, id: &str) -> Result<(), Problem> {
    find(server, id).await?;
    let job = server.store.job(id).await?;
    if job.is_some_and(|job| matches!(job.state, JobState::Queued | JobState::Leased)) {
        return Err(Problem::conflict(format!("run {id} is in progress; stop it first")));
    }
    server.store.note(&caller.name, "run deleted", id).await?;
    server.store.delete_run(&id.into()).await?;
    Ok(())
}

/// A format, by name.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct ExportParams {
    /// `md`, `html`, `pdf`, `docx`, `json`, `bibtex` or `ris`; Markdown if nothing is said.
    #[param(example = "md", pattern = "^(md|html|pdf|docx|json|bibtex|ris)$")]
    format: Option<String>,
    /// Whether Markdown has the appendix.
    #[serde(default, deserialize_with = "texts::optional")]
    appendix: Option<bool>,
}

/// Writes a run's report in any format.
#[utoipa::path(get, path = "/api/runs/{id}/report", tag = "runs",
    params(("id" = String, Path, description = "The run's id"), ExportParams),
    responses((status = 200, description = "The report", content(
        (String = "text/markdown"), (String = "text/html"), (String = "application/pdf"),
        (String = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
        (Object = "application/json"), (String = "application/x-bibtex"),
        (String = "application/x-research-info-systems")))))]
pub(crate) async fn export(
    State(server): State<Server>,
    Part(id): Part,
    Query(asked): Query<ExportParams>,
) -> Reply {
    let format = asked.format.as_deref().unwrap_or("md").parse::<Format>();
    let format = format.map_err(|error| Problem::field("format", error.to_string()))?;
    let report = report(&find(&server, &id).await?)?;
    let choices = Choices { appendix: asked.appendix.unwrap_or(false), system_fonts: true };
    // Laying out pages takes its time, and is not to hold up other answers.
    let written = tokio::task::spawn_blocking(move || render(&report, format, choices));
    let written = written.await.map_err(|error| Problem::internal(&error))?;
    let written = written.map_err(|error| Problem::conflict(error.to_string()))?;
    let mut response = written.bytes.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(format.media_type()));
    // A report as a file is for keeping: it never becomes a page of this site.
    let plain: String = id.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').collect();
    let name = format!("attachment; filename=\"probity-{plain}.{format}\"");
    if let Ok(value) = HeaderValue::from_str(&name) {
        headers.insert(header::CONTENT_DISPOSITION, value);
    }
    Ok(response)
}

/// The run to compare with.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct CompareParams {
    /// The other run's id: what came later.
    with: String,
}

/// Says what changed from this run's report to another's.
#[utoipa::path(get, path = "/api/runs/{id}/compare", tag = "runs",
    params(("id" = String, Path, description = "The earlier run's id"), CompareParams),
    responses((status = 200, description = "What changed", body = Object)))]
pub(crate) async fn compare(
    State(server): State<Server>,
    Part(id): Part,
    Query(asked): Query<CompareParams>,
) -> Reply {
    let before = report(&find(&server, &id).await?)?;
    let after = report(&find(&server, &asked.with).await?)?;
    Ok(json(&compared::compare(&before, &after)))
}
