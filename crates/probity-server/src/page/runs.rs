//! Runs: the list, and two of them side by side.

use askama::Template;
use axum::extract::State;
use probity_core::Timestamp;
use probity_report::compare::{Comparison, SourceChange, compare};
use probity_report::confidence::Confidence;
use probity_store::{RunQuery, RunStatus, RunSummary};
use serde::Deserialize;

use super::{Frame, Tab, When, page};
use crate::access::Caller;
use crate::api::{Cursor, Listed, Reply, runs as api};
use crate::limits;
use crate::read::Query;
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
}

impl Row {
    pub(crate) fn new(run: RunSummary, now: Timestamp) -> Self {
        Self {
            state: state(&run),
            title: run.title.unwrap_or_else(|| run.question.clone()),
            id: run.id,
            question: run.question,
            mode: run.mode,
            asked: When::new(run.asked_at, now),
        }
    }
}

/// What became of a run, in a few words.
pub(crate) fn state(run: &RunSummary) -> &'static str {
    match (run.status, run.decision.as_deref()) {
        (RunStatus::Running, _) => "under way",
        (RunStatus::Failed, _) => "failed",
        (RunStatus::Interrupted, _) => "stopped",
        (RunStatus::Finished, Some("full_report")) => "full report",
        (RunStatus::Finished, Some("short_report")) => "short report",
        (RunStatus::Finished, _) => "not enough data",
    }
}

#[derive(Template)]
#[template(path = "runs.html")]
struct RunsPage {
    frame: Frame,
    runs: Vec<Row>,
    next: Option<String>,
    is_first: bool,
}

/// Where in the list to begin.
#[derive(Deserialize)]
pub(crate) struct From {
    cursor: Option<String>,
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
    let query = RunQuery {
        limit: Some(limit + 1),
        after: after.map(|(at, id)| (Timestamp(at), id)),
        ..RunQuery::default()
    };
    let runs = server.store.runs(&query).await?;
    let Listed { items, next } =
        Listed::cut(runs, limit, |last| Cursor::write(&(last.asked_at.0, &last.id)));
    let now = server.clock.now();
    page(&RunsPage {
        frame: Frame::new(&server, &caller, "Runs", Tab::Runs),
        runs: items.into_iter().map(|run| Row::new(run, now)).collect(),
        next,
        is_first,
    })
}

/// The two runs to be compared.
#[derive(Deserialize)]
pub(crate) struct Pair {
    a: Option<String>,
    b: Option<String>,
}

#[derive(Template)]
#[template(path = "compare.html")]
struct ComparePage {
    frame: Frame,
    runs: Vec<Row>,
    a: String,
    b: String,
    comparison: Option<Comparison>,
}

impl ComparePage {
    /// Whether any of the lines about the runs as wholes has something to tell.
    fn is_other(c: &Comparison) -> bool {
        c.decision.differs() || c.mode.differs() || c.title.differs() || Self::is_surer(c)
    }

    /// Whether the level of confidence is another one.
    fn is_surer(c: &Comparison) -> bool {
        Self::level(&c.confidence.before) != Self::level(&c.confidence.after)
    }

    fn level(confidence: &Option<Confidence>) -> &'static str {
        confidence.as_ref().map_or("none", |confidence| confidence.level.as_str())
    }

    fn score(change: &SourceChange) -> String {
        let told =
            |score: Option<f64>| score.map_or("–".to_owned(), |score| format!("{score:.2}"));
        let (before, after) = (change.credibility.before, change.credibility.after);
        format!("{} → {}", told(before), told(after))
    }
}

/// `GET /compare`.
pub(crate) async fn side_by_side(
    State(server): State<Server>,
    caller: Caller,
    Query(pair): Query<Pair>,
) -> Reply {
    let comparison = match (&pair.a, &pair.b) {
        (Some(a), Some(b)) => {
            let before = api::report(&api::find(&server, a).await?)?;
            let after = api::report(&api::find(&server, b).await?)?;
            Some(compare(&before, &after))
        }
        _ => None,
    };
    let query = RunQuery {
        status: Some(RunStatus::Finished),
        limit: Some(limits::PAGE_ROWS),
        ..RunQuery::default()
    };
    let now = server.clock.now();
    let runs = server.store.runs(&query).await?;
    page(&ComparePage {
        frame: Frame::new(&server, &caller, "Compare two runs", Tab::Runs),
        runs: runs.into_iter().map(|run| Row::new(run, now)).collect(),
        a: pair.a.unwrap_or_default(),
        b: pair.b.unwrap_or_default(),
        comparison,
    })
}
