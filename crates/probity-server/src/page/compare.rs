//! Two runs side by side.

use askama::Template;
use axum::extract::State;
use probity_report::compare::{Comparison, SourceChange, compare};
use probity_report::confidence::Confidence;
use probity_store::{RunQuery, RunStatus};
use serde::Deserialize;

use super::runs::Row;
use super::{Frame, Tab, page};
use crate::access::Caller;
use crate::api::{Reply, runs as api};
use crate::limits;
use crate::read::Query;
use crate::state::Server;

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
    /// When and how a run was asked, which tells it from others with the same headline.
    fn describe(run: &Row) -> String {
        let minute: String = run.asked.exact.chars().take(16).collect();
        format!("{}, {}, {}", minute.replace('T', " "), run.mode, run.id)
    }

    /// A run in the list: what tells it apart first, because a headline may not fit.
    fn label(run: &Row) -> String {
        format!("{}: {}", Self::describe(run), run.title)
    }

    /// The head of a column.
    fn column(&self, id: &str) -> String {
        let run = self.runs.iter().find(|run| run.id == id);
        run.map_or_else(|| id.to_owned(), Self::describe)
    }

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

    fn score(score: &Option<f64>) -> String {
        score.map_or("–".to_owned(), |score| format!("{score:.2}"))
    }

    /// The sources that differ, each with the word for how.
    fn sources(c: &Comparison) -> Vec<(&'static str, &SourceChange)> {
        let of = |word, list| -> Vec<(&'static str, &SourceChange)> {
            let list: &Vec<SourceChange> = list;
            list.iter().map(|change| (word, change)).collect()
        };
        let s = &c.sources;
        [of("new", &s.added), of("gone", &s.removed), of("changed", &s.changed)].concat()
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
