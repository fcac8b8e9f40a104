//! Thresholds, for admins: seen, tried on the last runs, changed, taken back.

use axum::extract::State;
use axum::response::IntoResponse as _;
use http::StatusCode;
use probity_core::{Decision, ModeSettings};
use probity_research::RunSpec;
use probity_research::sweep::{Known, decide_with, verdict_with};
use probity_store::{RunQuery, RunRecord, RunStatus};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::keys::adjustable;
use super::ledger::instant;
use super::{Reply, json};
use crate::access::Caller;
use crate::backend::{ThresholdChange, Thresholds, ThresholdsView};
use crate::problem::Problem;
use crate::read::Json;
use crate::read::objects;
use crate::state::Server;

/// How many of the last runs are looked at if nothing is said.
pub(crate) const RUNS: u32 = 20;
/// How many at most: each report is read from the store.
const RUNS_MOST: u32 = 100;
/// How many sources of one run are listed; the others are counted.
const SOURCES: usize = 50;

/// Shows the thresholds in force, and where each comes from.
#[utoipa::path(get, path = "/api/settings/thresholds", tag = "settings",
    responses((status = 200, body = ThresholdsView)))]
pub(crate) async fn show(State(server): State<Server>) -> Reply {
    Ok(json(&adjustable(&server)?.thresholds()))
}

/// Changes thresholds from the next question on. Runs that were asked keep theirs.
#[utoipa::path(put, path = "/api/settings/thresholds", tag = "settings",
    request_body = ThresholdChange, responses((status = 200, body = ThresholdsView)))]
pub(crate) async fn change(
    State(server): State<Server>,
    caller: Caller,
    Json(body): Json<ThresholdChange>,
) -> Reply {
    save(&server, &caller, &body).await?;
    Ok(json(&adjustable(&server)?.thresholds()))
}

/// Changes thresholds and notes each with its value before and after.
pub(crate) async fn save(
    server: &Server,
    caller: &Caller,
    change: &ThresholdChange,
) -> Result<(), Problem> {
    let before = in_force(server).named();
    wanted(server, change)?;
    adjustable(server)?.set_thresholds(change, &caller.name)?;
    note_changes(server, caller, &before).await
}

async fn note_changes(
    server: &Server,
    caller: &Caller,
    before: &[(String, f64)],
) -> Result<(), Problem> {
    for ((name, was), (_, is)) in before.iter().zip(in_force(server).named()) {
        if (was - is).abs() > 1e-12 {
            let what = format!("threshold changed from {was} to {is}");
            server.store.note(&caller.name, &what, name).await?;
        }
    }
    Ok(())
}

/// Forgets the thresholds that were set on the page, so that those of the configuration file count again.
#[utoipa::path(delete, path = "/api/settings/thresholds", tag = "settings",
    responses((status = 204, description = "The thresholds of the configuration file apply again")))]
pub(crate) async fn reset(State(server): State<Server>, caller: Caller) -> Reply {
    take_back(&server, &caller).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Forgets the thresholds of the page and notes what that changed.
pub(crate) async fn take_back(server: &Server, caller: &Caller) -> Result<(), Problem> {
    let before = in_force(server).named();
    adjustable(server)?.reset_thresholds()?;
    note_changes(server, caller, &before).await
}

fn in_force(server: &Server) -> Thresholds {
    let constants = server.backend.constants();
    Thresholds { credibility: constants.policy.threshold, modes: constants.modes }
}

/// The thresholds that a change asks for, if they hold.
pub(crate) fn wanted(server: &Server, change: &ThresholdChange) -> Result<Thresholds, Problem> {
    let wanted = change.over(in_force(server));
    wanted.check().map_err(|why| Problem::field("thresholds", why))?;
    Ok(wanted)
}

/// Thresholds to be tried, and on how many runs.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WhatIfBody {
    /// The thresholds.
    #[serde(default, deserialize_with = "objects::named")]
    pub change: ThresholdChange,
    /// How many of the last runs with a report are looked at, 20 if nothing is said.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 100)]
    pub runs: Option<u32>,
}

/// What other thresholds would have done to the last runs.
#[derive(Serialize, ToSchema)]
pub struct WhatIf {
    /// How many runs were looked at.
    pub looked_at: usize,
    /// How many of them could not be read.
    pub unreadable: usize,
    /// The runs that would have been different, the latest first.
    pub runs: Vec<RunWhatIf>,
}

/// A run that would have been different.
#[derive(Serialize, ToSchema)]
pub struct RunWhatIf {
    /// Its id.
    pub id: String,
    /// Its question.
    pub question: String,
    /// Its mode.
    pub mode: String,
    /// When it was asked.
    pub asked_at: String,
    /// What its gate decided: `full_report`, `short_report` or `insufficient_data`.
    pub decision: String,
    /// What it would have decided, as far as that is known.
    pub would_be: String,
    /// How many sources survived its gate.
    pub kept: usize,
    /// How many would have survived, of those that were read.
    pub would_keep: usize,
    /// How many pages would have been read that were blocked. What they say is not known, so the decision could
    /// be a better one.
    pub unknown: usize,
    /// The sources that would have fared otherwise, at most 50.
    pub sources: Vec<SourceWhatIf>,
    /// How many further sources would have fared otherwise.
    pub more: usize,
}

/// A source that would have fared otherwise.
#[derive(Serialize, ToSchema)]
pub struct SourceWhatIf {
    /// Its title.
    pub title: String,
    /// Its address.
    pub url: String,
    /// Its credibility.
    pub credibility: f64,
    /// Its relevance, from 1 to 5, if it was read.
    pub relevance: Option<u8>,
    /// Its outcome: `read` (and kept), `dropped` or `blocked`.
    pub verdict: String,
    /// What would have become of it: `read`, `dropped`, `blocked`, or `allowed` for a page that no one has read.
    pub would_be: String,
}

/// Says what thresholds would have done to the last runs. Nothing is changed.
#[utoipa::path(post, path = "/api/settings/thresholds/what-if", tag = "settings",
    request_body = WhatIfBody, responses((status = 200, body = WhatIf)))]
pub(crate) async fn what_if(State(server): State<Server>, Json(body): Json<WhatIfBody>) -> Reply {
    Ok(json(&tried(&server, &body.change, body.runs.unwrap_or(RUNS)).await?))
}

/// What thresholds would have done to the last runs.
pub(crate) async fn tried(
    server: &Server,
    change: &ThresholdChange,
    runs: u32,
) -> Result<WhatIf, Problem> {
    if !(1..=RUNS_MOST).contains(&runs) {
        return Err(Problem::field("runs", format!("1 to {RUNS_MOST} runs can be looked at")));
    }
    let wanted = wanted(server, change)?;
    let query = RunQuery {
        status: Some(RunStatus::Finished),
        limit: Some(i64::from(runs)),
        ..RunQuery::default()
    };
    let mut what_if = WhatIf { looked_at: 0, unreadable: 0, runs: Vec::new() };
    for summary in server.store.runs(&query).await? {
        let Some(record) = server.store.run(&summary.id).await? else { continue };
        what_if.looked_at += 1;
        match again(&record, &wanted) {
            Some(run) if run.decision != run.would_be || !run.sources.is_empty() => {
                what_if.runs.push(run);
            }
            Some(_) => {}
            None => what_if.unreadable += 1,
        }
    }
    Ok(what_if)
}

/// What is needed of a stored report.
#[derive(Deserialize)]
struct Stored {
    candidates: Vec<StoredCandidate>,
}

#[derive(Deserialize)]
struct StoredCandidate {
    title: String,
    url: String,
    #[serde(flatten)]
    known: Known,
}

/// A run decided again; none where what is stored cannot be read.
fn again(record: &RunRecord, wanted: &Thresholds) -> Option<RunWhatIf> {
    let stored: Stored = serde_json::from_str(record.report.as_deref()?).ok()?;
    let spec: RunSpec = serde_json::from_str(&record.spec).ok()?;
    let numbers = numbers(&spec, wanted);
    let cutoff = numbers.relevance_cutoff;
    let known: Vec<Known> = stored.candidates.iter().map(|one| one.known.clone()).collect();
    let own = spec.place.is_own_documents();
    let decided = |numbers: &ModeSettings, threshold: f64| {
        decide_with(&known, own, spec.mode, numbers, numbers.relevance_cutoff, threshold)
    };
    let (was, would_be) =
        (decided(&spec.numbers, spec.policy.threshold), decided(&numbers, wanted.credibility));
    let mut sources: Vec<SourceWhatIf> = Vec::new();
    let mut more = 0;
    for one in &stored.candidates {
        let verdict = one.known.verdict.as_str();
        let would_be = match verdict_with(&one.known, cutoff, wanted.credibility) {
            Some(verdict) => verdict.as_str(),
            None => "allowed",
        };
        if verdict == would_be {
            continue;
        }
        if sources.len() == SOURCES {
            more += 1;
            continue;
        }
        sources.push(SourceWhatIf {
            title: one.title.clone(),
            url: one.url.clone(),
            credibility: one.known.credibility.score,
            relevance: one.known.relevance.as_ref().map(|relevance| relevance.score),
            verdict: verdict.to_owned(),
            would_be: would_be.to_owned(),
        });
    }
    let summary = &record.summary;
    let decision = summary.decision.as_deref().and_then(decision_of).unwrap_or(was.decision);
    Some(RunWhatIf {
        id: summary.id.clone().into(),
        question: summary.question.clone(),
        mode: summary.mode.clone(),
        asked_at: instant(summary.asked_at),
        decision: decision.as_str().to_owned(),
        would_be: would_be.decision.as_str().to_owned(),
        kept: was.kept,
        would_keep: would_be.kept,
        unknown: would_be.unknown,
        sources,
        more,
    })
}

/// A run's own numbers with the gate that is tried. Where it was to read fewer pages than a report needs, it
/// needed fewer.
fn numbers(spec: &RunSpec, wanted: &Thresholds) -> ModeSettings {
    let (own, gate) = (spec.numbers, wanted.modes.of(spec.mode));
    let most = own.max_sources();
    ModeSettings {
        relevance_cutoff: gate.relevance_cutoff,
        full_report_from: gate.full_report_from.min(most),
        short_report_from: gate.short_report_from.min(most),
        ..own
    }
}

/// The decision of a name.
pub(crate) fn decision_of(name: &str) -> Option<Decision> {
    let all = [Decision::FullReport, Decision::ShortReport, Decision::InsufficientData];
    all.into_iter().find(|decision| decision.as_str() == name)
}
