//! The report's JSON → the report again, so that a stored one can be written in any format.
//!
//! What [`crate::assemble()`] holds by construction is checked here: every citation resolves to a
//! source that was read and kept, the numbers follow the order of first citation, no listed
//! source is uncited, and no statement is better supported than its evidence. Whether the sources support the statements was checked when the report was
//! made; their texts are not in the file.

use std::collections::BTreeSet;

use jiff::civil::Date;
use probity_core::{
    Candidate, Decision, Mode, Outlet, Problem, Relevance, Round, RunId, Score, Shares, SourceId,
    Timestamp, Verdict, WebUrl,
};
use serde::Deserialize;

use crate::assemble::{Body, CheckedReport, CheckedStatement};
use crate::check::Support;
use crate::draft::Form;
use crate::facts::{
    Author, Briefing, GateRecord, Plan, Revision, RoundRecord, RunFacts, SentQuery, StageRecord,
    Usage,
};
use crate::infer::Premises;
use crate::json::FORMAT;
use crate::settle::fits;

/// The largest file that is read, in bytes. A report of 200 sources has about one million.
pub const MAX_BYTES: usize = 64 << 20;

/// Why a text is not a report that can be rendered.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// It is larger than any report.
    #[error("it has {0} bytes; a report has at most {MAX_BYTES}")]
    TooLarge(usize),
    /// It is no JSON, or not of the shape.
    #[error("it is not the JSON of a report: {0}")]
    Shape(#[from] serde_json::Error),
    /// It is of a version that this program does not know.
    #[error("its format is `{0}`; this program reads `{FORMAT}`")]
    Version(String),
    /// The time of the question cannot be read.
    #[error("`asked_at`: {0}")]
    Time(#[from] probity_core::time::TimeError),
    /// Two candidates have the same id.
    #[error("two candidates have the id {0}")]
    TwiceSeen(SourceId),
    /// A listed source was not read and kept.
    #[error("source {n} ({id}) is not a candidate that was read and kept")]
    NotRead {
        /// Its number.
        n: usize,
        /// Its id.
        id: SourceId,
    },
    /// A statement cites what is not listed, or evidence and citations differ.
    #[error("the statement `{0}` has a citation that does not resolve")]
    Citation(String),
    /// A statement is said to be supported otherwise than its evidence supports it.
    #[error("the statement `{0}` is not supported as its evidence says")]
    Support(String),
    /// A statement has a form that shows more than it says, or a conclusion rests on nothing.
    #[error("the statement `{0}` cannot be shown as it asks")]
    Form(String),
    /// The numbers do not follow the text.
    #[error("the sources are not numbered by their first citation")]
    Order,
}

/// A candidate as the JSON has it.
#[derive(Deserialize)]
struct SavedCandidate {
    id: SourceId,
    url: WebUrl,
    title: String,
    snippet: String,
    outlet: Option<Outlet>,
    #[serde(default)]
    attribution: Option<String>,
    credibility: SavedScore,
    explanation: String,
    published: Option<Date>,
    #[serde(default)]
    archived: Option<Date>,
    providers: Vec<String>,
    round: usize,
    outcome: Option<String>,
    relevance: Option<Relevance>,
    verdict: Verdict,
    reason: String,
}

#[derive(Deserialize)]
struct SavedScore {
    score: f64,
    authority: f64,
    relevance: f64,
    recency: f64,
    #[serde(default)]
    relevance_to_question: Option<f64>,
    #[serde(default)]
    relevance_to_query: Option<f64>,
}

#[derive(Deserialize)]
struct SavedSource {
    id: SourceId,
}

/// Only the version, which is reported before the shape.
#[derive(Deserialize)]
struct Version {
    format: String,
}

#[derive(Deserialize)]
struct Saved {
    run_id: RunId,
    question: String,
    mode: Mode,
    author: String,
    #[serde(default)]
    author_is_model: bool,
    asked_at: String,
    decision: Decision,
    decision_rationale: String,
    gate: Option<GateRecord>,
    #[serde(default = "usual_threshold")]
    threshold: f64,
    title: String,
    sources: Vec<SavedSource>,
    candidates: Vec<SavedCandidate>,
    body: Body,
    queries: Vec<SentQuery>,
    gaps: Vec<String>,
    problems: Vec<Problem>,
    usage: Usage,
    #[serde(default)]
    revisions: Vec<Revision>,
    #[serde(default)]
    briefing: Option<Briefing>,
    #[serde(default)]
    plan: Option<Plan>,
    #[serde(default)]
    rounds: Vec<RoundRecord>,
    #[serde(default)]
    language: Option<String>,
    #[serde(default)]
    timeline: Vec<StageRecord>,
}

/// What reports say that were written before the threshold was.
fn usual_threshold() -> f64 {
    0.5
}

/// Reads a report back from its JSON.
///
/// # Errors
/// When the text is not the JSON of a report, or of one that could not have been assembled.
pub fn restore(json: &str) -> Result<CheckedReport, RestoreError> {
    if json.len() > MAX_BYTES {
        return Err(RestoreError::TooLarge(json.len()));
    }
    let Version { format } = serde_json::from_str(json)?;
    if format != FORMAT {
        return Err(RestoreError::Version(format.chars().take(40).collect()));
    }
    let report = read(serde_json::from_str(json)?)?;
    check(&report)?;
    Ok(report)
}

fn read(saved: Saved) -> Result<CheckedReport, RestoreError> {
    let candidates: Vec<Candidate> = saved.candidates.into_iter().map(candidate).collect();
    let count = |verdict| candidates.iter().filter(|c| c.verdict == verdict).count();
    // Reports from before the gate's record was written: what it says can be counted.
    let gate = saved.gate.unwrap_or_else(|| GateRecord {
        decision: saved.decision,
        rationale: saved.decision_rationale,
        cutoff: 3,
        judged: count(Verdict::Read) + count(Verdict::Dropped),
        kept: count(Verdict::Read),
    });
    let facts = RunFacts {
        run_id: saved.run_id,
        question: saved.question,
        mode: saved.mode,
        author: Author { name: saved.author, is_model: saved.author_is_model },
        asked_at: saved.asked_at.parse::<Timestamp>()?,
        queries: saved.queries,
        candidates,
        threshold: saved.threshold,
        gate,
        gaps: saved.gaps,
        problems: saved.problems,
        usage: saved.usage,
        revisions: saved.revisions,
        briefing: saved.briefing,
        plan: saved.plan,
        rounds: saved.rounds,
        language: saved.language,
        timeline: saved.timeline,
    };
    let sources = saved.sources.into_iter().map(|source| source.id).collect();
    Ok(CheckedReport { facts, title: saved.title, body: saved.body, sources })
}

fn candidate(saved: SavedCandidate) -> Candidate {
    let SavedScore { score, authority, relevance, recency, .. } = saved.credibility;
    let SavedScore { relevance_to_question, relevance_to_query: query, .. } = saved.credibility;
    Candidate {
        id: saved.id,
        url: saved.url,
        title: saved.title,
        snippet: saved.snippet,
        outlet: saved.outlet,
        attribution: saved.attribution,
        credibility: Score { total: score, authority, relevance, recency },
        shares: relevance_to_question.map(|question| Shares { question, query }),
        explanation: saved.explanation,
        published: saved.published,
        archived: saved.archived,
        providers: saved.providers,
        round: Round::of(saved.round),
        outcome: saved.outcome,
        relevance: saved.relevance,
        verdict: saved.verdict,
        reason: saved.reason,
    }
}

/// Holds a report to what assembling one would have made sure of.
fn check(report: &CheckedReport) -> Result<(), RestoreError> {
    let mut ids = BTreeSet::new();
    for candidate in &report.facts.candidates {
        if !ids.insert(candidate.id) {
            return Err(RestoreError::TwiceSeen(candidate.id));
        }
    }
    let read: BTreeSet<SourceId> = report
        .facts
        .candidates
        .iter()
        .filter(|candidate| candidate.verdict == Verdict::Read)
        .map(|candidate| candidate.id)
        .collect();
    for (index, id) in report.sources.iter().enumerate() {
        if !read.contains(id) {
            return Err(RestoreError::NotRead { n: index + 1, id: *id });
        }
    }
    let mut known = 0;
    for statement in report.statements() {
        let resolves = statement.cites.len() == statement.evidence.len()
            && statement.cites.iter().zip(&statement.evidence).all(|(n, evidence)| {
                let listed = n.checked_sub(1).and_then(|index| report.sources.get(index));
                evidence.n == *n && listed == Some(&evidence.source)
            });
        if !resolves {
            return Err(RestoreError::Citation(beginning(statement)));
        }
        if !statement.form.is_inference() && !is_checked(statement) {
            return Err(RestoreError::Support(beginning(statement)));
        }
        for n in &statement.cites {
            match *n {
                n if n <= known => {}
                n if n == known + 1 => known = n,
                _ => return Err(RestoreError::Order),
            }
        }
    }
    let different: BTreeSet<&SourceId> = report.sources.iter().collect();
    if known != report.sources.len() || different.len() != known {
        return Err(RestoreError::Order);
    }
    forms(report)
}

/// Whether checking could have found this of a statement: the best that any source gives, known by its mark or by
/// none, and no source that says nothing of the kind beside one that does.
fn is_checked(statement: &CheckedStatement) -> bool {
    let supports = || statement.evidence.iter().map(|evidence| evidence.support);
    let best = supports().max().unwrap_or(Support::Unsupported);
    let least = supports().min().unwrap_or(Support::Unsupported);
    statement.support == best
        && (best == Support::Unsupported || least != Support::Unsupported)
        && (!statement.marked || best == Support::Unsupported)
        && (!statement.marked_partly || best == Support::Partly)
        && (0.0..=1.0).contains(&statement.value)
}

/// The beginning of a statement, to name it by.
fn beginning(statement: &CheckedStatement) -> String {
    statement.text.chars().take(80).collect()
}

/// Holds every form to what assembling would have left of it.
fn forms(report: &CheckedReport) -> Result<(), RestoreError> {
    let findings = match report.body() {
        Body::Report { themes, .. } => themes.iter().map(|theme| theme.statements.len()).sum(),
        Body::Shortfall { .. } => 0,
    };
    let mut premises = Premises::default();
    for (place, statement) in report.statements().enumerate() {
        let holds = match &statement.form {
            Form::Quote => !statement.evidence.is_empty(),
            Form::Inference { from } => {
                let drawn = premises.conclude(statement.text.clone(), from);
                drawn.is_some_and(|drawn| {
                    drawn == CheckedStatement { dated: None, ..statement.clone() }
                })
            }
            form => fits(form, &statement.text),
        };
        if !holds {
            return Err(RestoreError::Form(beginning(statement)));
        }
        if place < findings {
            premises.note(Some(statement));
        }
    }
    Ok(())
}
