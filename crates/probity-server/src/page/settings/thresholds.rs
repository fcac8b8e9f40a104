//! Thresholds as a page: what they are, what others would have done, and saving them.

use std::collections::BTreeMap;

use askama::Template;
use axum::extract::State;

use crate::access::Caller;
use crate::api::Reply;
use crate::api::keys::adjustable;
use crate::api::thresholds::{RUNS, RunWhatIf, WhatIf, decision_of, save, take_back, tried};
use crate::backend::{Origin, ThresholdChange, ThresholdView};
use crate::page::{Frame, Tab, go, page};
use crate::problem::Problem;
use crate::read::{Form, Query};
use crate::state::Server;

/// A threshold as the form shows it.
struct Row {
    view: ThresholdView,
    /// The text in the field.
    text: String,
    /// What it is, in words.
    label: String,
    step: &'static str,
    least: &'static str,
    most: &'static str,
}

impl Row {
    fn new(view: ThresholdView, typed: Option<&String>) -> Self {
        let (step, least, most) = match view.name.rsplit('.').next() {
            Some("credibility") => ("0.01", "0", "1"),
            Some("relevance_cutoff") => ("1", "1", "5"),
            _ => ("1", "1", "200"),
        };
        let label = match view.name.split_once('.') {
            None => "Credibility at or below which a page is blocked".to_owned(),
            Some((mode, "relevance_cutoff")) => format!("{mode}: least relevance that is kept"),
            Some((mode, "full_report_from")) => format!("{mode}: survivors for a full report"),
            Some((mode, _)) => format!("{mode}: survivors for a short report"),
        };
        let text = typed.cloned().unwrap_or_else(|| view.value.to_string());
        Self { view, text, label, step, least, most }
    }
}

#[derive(Template)]
#[template(path = "settings_thresholds.html")]
struct ThresholdsPage {
    frame: Frame,
    rows: Vec<Row>,
    set: Option<(String, String)>,
    /// Whether something is set on the page that can be taken back.
    changed: bool,
    what_if: Option<WhatIf>,
    /// What saving would send, if there is something to save.
    sent: Vec<(String, String)>,
    problem: Option<String>,
}

impl ThresholdsPage {
    fn words(decision: &str) -> &str {
        decision_of(decision).map_or(decision, |decision| decision.words())
    }

    fn score(value: &f64) -> String {
        format!("{value:.2}")
    }

    fn differs(run: &RunWhatIf) -> bool {
        run.decision != run.would_be
    }
}

type Typed = BTreeMap<String, String>;

/// The change that the fields of a form ask for.
fn change(typed: &Typed) -> Result<ThresholdChange, Problem> {
    let mut change = ThresholdChange::default();
    for (name, text) in typed.iter().filter(|(name, _)| *name != "form_key") {
        change.set(name, text).map_err(|why| Problem::field(name.as_str(), why))?;
    }
    Ok(change)
}

async fn draw(server: &Server, caller: &Caller, typed: Typed, problem: Option<Problem>) -> Reply {
    let view = adjustable(server)?.thresholds();
    let tried = match (&problem, typed.is_empty()) {
        (None, false) => match change(&typed) {
            Ok(change) => tried(server, &change, RUNS).await.map(Some),
            Err(problem) => Err(problem),
        },
        _ => Ok(None),
    };
    let (what_if, problem) = match tried {
        Ok(what_if) => (what_if, problem),
        Err(refused) if refused.status().is_client_error() => (None, Some(refused)),
        Err(failed) => return Err(failed),
    };
    let moved = |view: &ThresholdView| {
        let text = typed.get(&view.name)?;
        (*text != view.value.to_string()).then(|| (view.name.clone(), text.clone()))
    };
    let sent = match &what_if {
        Some(_) => view.values.iter().filter_map(moved).collect(),
        None => Vec::new(),
    };
    page(&ThresholdsPage {
        frame: Frame::new(server, caller, "Thresholds", Tab::None),
        changed: view.values.iter().any(|one| one.origin == Origin::Page),
        set: view.set_at.zip(view.set_by),
        rows: view
            .values
            .into_iter()
            .map(|one| {
                let typed = typed.get(&one.name);
                Row::new(one, typed)
            })
            .collect(),
        what_if,
        sent,
        problem: problem.map(|problem| problem.detail().to_owned()),
    })
}

/// `GET /settings/thresholds`: with values in the query, also what they would have done.
pub(crate) async fn show(
    State(server): State<Server>,
    caller: Caller,
    Query(typed): Query<Typed>,
) -> Reply {
    draw(&server, &caller, typed, None).await
}

/// `POST /settings/thresholds`.
pub(crate) async fn keep(
    State(server): State<Server>,
    caller: Caller,
    Form(mut typed): Form<Typed>,
) -> Reply {
    typed.remove("form_key");
    let saved = match change(&typed) {
        Ok(change) => save(&server, &caller, &change).await,
        Err(problem) => Err(problem),
    };
    match saved {
        Ok(()) => go("/settings/thresholds"),
        Err(problem) if problem.status().is_client_error() => {
            draw(&server, &caller, typed, Some(problem)).await
        }
        Err(problem) => Err(problem),
    }
}

/// `POST /settings/thresholds/reset`.
pub(crate) async fn reset(State(server): State<Server>, caller: Caller) -> Reply {
    take_back(&server, &caller).await?;
    go("/settings/thresholds")
}
