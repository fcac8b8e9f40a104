//! Runs: the list, found again by words and marks, and what is done with several of them.

use askama::Template;
use axum::extract::{Request, State};
use probity_core::{RunId, Timestamp};
use probity_store::runs::marks::Marks;
use probity_store::{RunQuery, RunStatus, RunSummary};
use serde::Deserialize;

use super::run::encode;
use super::{Frame, Tab, When, go, page};
use crate::access::{Caller, Scope};
use crate::api::{Cursor, Listed, Reply, marks, runs as api};
use crate::limits;
use crate::problem::Problem;
use crate::read::{self, Form, FormPairs, Part, Query};
use crate::state::Server;

/// A run as lists show it.
pub(crate) struct Row {
    pub(crate) id: String,
    /// The headline, or the question until there is one.
    pub(crate) title: String,
    pub(crate) question: String,
    pub(crate) mode: String,
    pub(crate) state: &'static str,
    pub(crate) asked: When,
    pub(crate) starred: bool,
    pub(crate) tags: Vec<String>,
}

impl Row {
    pub(crate) fn new(run: RunSummary, now: Timestamp) -> Self {
        Self::marked(run, now, Marks::default())
    }

    fn marked(run: RunSummary, now: Timestamp, marks: Marks) -> Self {
        Self {
            state: state(&run),
            title: run.title.unwrap_or_else(|| run.question.clone()),
            id: run.id.into(),
            question: run.question,
            mode: run.mode,
            asked: When::new(run.asked_at, now),
            starred: marks.starred,
            tags: marks.tags.into_iter().collect(),
        }
    }
}

/// The outcome of a run, in a few words.
pub(crate) fn state(run: &RunSummary) -> &'static str {
    match (run.status, run.decision.as_deref()) {
        (RunStatus::Running, _) if run.plan_waits => "plan waits for approval",
        (RunStatus::Running, _) => "running",
        (RunStatus::Failed, _) => "failed",
        (RunStatus::Interrupted, _) => "stopped",
        (RunStatus::Finished, Some("full_report")) => "full report",
        (RunStatus::Finished, Some("short_report")) => "short report",
        (RunStatus::Finished, _) => "not enough data",
    }
}

/// What the list can be narrowed to, with the words of the form.
const OUTCOMES: [(&str, &str); 6] = [
    ("full_report", "full report"),
    ("short_report", "short report"),
    ("insufficient_data", "not enough data"),
    ("running", "running"),
    ("interrupted", "stopped"),
    ("failed", "failed"),
];

#[derive(Template)]
#[template(path = "runs.html")]
struct RunsPage {
    frame: Frame,
    runs: Vec<Row>,
    next: Option<String>,
    is_first: bool,
    asked: From,
    outcomes: [(&'static str, &'static str); 6],
    tags: Vec<String>,
}

impl RunsPage {
    /// The address of this list, from another place on.
    fn from(&self, cursor: &str) -> String {
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        let asked =
            [("q", &self.asked.q), ("outcome", &self.asked.outcome), ("tag", &self.asked.tag)];
        for (name, value) in asked.into_iter().chain([("star", &self.asked.star)]) {
            if let Some(value) = value {
                query.append_pair(name, value);
            }
        }
        query.append_pair("cursor", cursor);
        format!("/runs?{}", query.finish())
    }

    fn is_narrowed(&self) -> bool {
        let From { q, outcome, tag, star, .. } = &self.asked;
        [q, outcome, tag, star].iter().any(|one| one.is_some())
    }
}

/// What to list, and where in the list to begin.
#[derive(Default, Deserialize)]
pub(crate) struct From {
    cursor: Option<String>,
    q: Option<String>,
    outcome: Option<String>,
    tag: Option<String>,
    star: Option<String>,
}

/// `GET /runs`.
pub(crate) async fn list(
    State(server): State<Server>,
    caller: Caller,
    Query(from): Query<From>,
) -> Reply {
    let after: Option<(i64, String)> = Cursor::read(from.cursor.as_deref())?;
    let is_first = after.is_none();
    let limit = limits::USUAL_ROWS;
    let (status, decision) = match from.outcome.as_deref() {
        Some("running") => (Some(RunStatus::Running), None),
        Some("interrupted") => (Some(RunStatus::Interrupted), None),
        Some("failed") => (Some(RunStatus::Failed), None),
        decision => (None, decision.map(str::to_owned)),
    };
    let query = RunQuery {
        status,
        decision,
        text: from.q.clone(),
        tag: from.tag.clone(),
        starred: from.star.is_some(),
        limit: Some(limit + 1),
        after: after.map(|(at, id)| (Timestamp(at), id.into())),
        ..RunQuery::default()
    };
    let runs = server.store.runs(&query).await?;
    let Listed { items, next } =
        Listed::cut(runs, limit, |last| Cursor::write(&(last.asked_at.0, &last.id)));
    let ids: Vec<&RunId> = items.iter().map(|run| &run.id).collect();
    let mut marks = server.store.run_marks(&ids).await?;
    let now = server.clock.now();
    let row = |run: RunSummary| {
        let marks = marks.remove(&run.id).unwrap_or_default();
        Row::marked(run, now, marks)
    };
    page(&RunsPage {
        frame: Frame::new(&server, &caller, "Runs", Tab::Runs),
        runs: items.into_iter().map(row).collect(),
        next,
        is_first,
        asked: from,
        outcomes: OUTCOMES,
        tags: server.store.tags().await?,
    })
}

/// `POST /runs/several`: exports or deletes the runs that were ticked.
pub(crate) async fn several(
    State(server): State<Server>,
    caller: Caller,
    request: Request,
) -> Reply {
    let FormPairs(pairs) = read::form_pairs(request).await?;
    let value = |name: &str| pairs.iter().find(|(known, _)| known == name).map(|(_, v)| v.as_str());
    let runs: Vec<&str> =
        pairs.iter().filter(|(name, _)| name == "run").map(|(_, id)| id.as_str()).collect();
    if runs.is_empty() || runs.len() > marks::EXPORTED {
        let most = marks::EXPORTED;
        return Err(Problem::field("run", format!("tick 1 to {most} runs, then press again")));
    }
    match value("what") {
        Some("delete") if caller.may(Scope::Admin) => {
            for id in runs {
                api::remove(&server, &caller, id).await?;
            }
            go("/runs")
        }
        Some("delete") => Err(Problem::forbidden("deleting takes an admin")),
        Some("compare") => match runs.as_slice() {
            [later, earlier] => go(&format!("/compare?a={}&b={}", encode(earlier), encode(later))),
            _ => Err(Problem::field("run", "tick two runs to compare them")),
        },
        _ => marks::archive(&server, &runs, value("format").unwrap_or("md")).await,
    }
}

/// Where to go back to after a mark.
#[derive(Deserialize)]
pub(crate) struct Star {
    on: Option<String>,
}

/// `POST /runs/{id}/star`.
pub(crate) async fn star(
    State(server): State<Server>,
    Part(id): Part,
    Form(star): Form<Star>,
) -> Reply {
    api::find(&server, &id).await?;
    server.store.star(&id.as_str().into(), star.on.is_some()).await?;
    go("/runs")
}

/// The tags that were typed.
#[derive(Deserialize)]
pub(crate) struct Tags {
    #[serde(default)]
    tags: String,
}

/// `POST /runs/{id}/tags`.
pub(crate) async fn tag(
    State(server): State<Server>,
    Part(id): Part,
    Form(typed): Form<Tags>,
) -> Reply {
    api::find(&server, &id).await?;
    server.store.tag(&id.as_str().into(), &marks::cleaned(typed.tags.split(','))?).await?;
    go(&format!("/runs/{}#h-keep", encode(&id)))
}
