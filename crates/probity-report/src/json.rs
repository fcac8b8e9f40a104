//! The report as one JSON object: everything the other formats show, and everything behind it.
//!
//! [`crate::restore()`] reads it back; [`SCHEMA`] describes it for programs.

use jiff::civil::Date;
use probity_core::{
    Candidate, Decision, Mode, Outlet, Problem, Relevance, Score, SourceId, Verdict,
};
use serde::Serialize;

use crate::assemble::{Body, CheckedReport, CheckedStatement, Evidence};
use crate::check::Support;
use crate::confidence::Confidence;
use crate::draft::Form;
use crate::facts::{
    Briefing, GateRecord, Plan, Revision, RoundRecord, SentQuery, StageRecord, Usage,
};
use crate::markdown::markdown;

/// The version of the format; it grows when a field changes its meaning or goes.
pub const FORMAT: &str = "probity-report/1";

/// The JSON Schema (2020-12) of the format.
pub const SCHEMA: &str = include_str!("../schema/report.schema.json");

/// A listed source.
#[derive(Debug, Serialize)]
pub struct SourceJson<'a> {
    /// Its number in the report.
    pub n: usize,
    /// Its id in the run.
    pub id: SourceId,
    /// Its address.
    pub url: &'a str,
    /// Its title.
    pub title: &'a str,
    /// Whose page it is.
    pub outlet: Option<&'a Outlet>,
    /// How the report attributes what it says, where the kind of its outlet matters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attribution: Option<&'a str>,
    /// Its score at discovery.
    pub credibility: CredibilityJson,
    /// How well it answers the question.
    pub relevance: Option<&'a Relevance>,
    /// The day it was published.
    pub published: Option<Date>,
    /// The day of the capture that was read in its place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub archived: Option<Date>,
    /// How fetching it ended.
    pub outcome: Option<&'a str>,
}

/// A score by its parts.
#[derive(Debug, Serialize)]
pub struct CredibilityJson {
    /// The weighted sum.
    pub score: f64,
    /// Who publishes it.
    pub authority: f64,
    /// The better of the shares of the question's and the query's words in title and snippet.
    pub relevance: f64,
    /// What recency added.
    pub recency: f64,
    /// The share of the question's words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relevance_to_question: Option<f64>,
    /// The share of the words of the query that found the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relevance_to_query: Option<f64>,
}

impl From<&Candidate> for CredibilityJson {
    fn from(candidate: &Candidate) -> Self {
        let Score { total, authority, relevance, recency } = candidate.credibility;
        let shares = candidate.shares;
        Self {
            score: total,
            authority,
            relevance,
            recency,
            relevance_to_question: shares.map(|shares| shares.question),
            relevance_to_query: shares.and_then(|shares| shares.query),
        }
    }
}

/// A page that was seen.
#[derive(Debug, Serialize)]
pub struct CandidateJson<'a> {
    #[serde(flatten)]
    source: SourceJson<'a>,
    verdict: Verdict,
    reason: &'a str,
    explanation: &'a str,
    snippet: &'a str,
    providers: &'a [String],
    round: usize,
}

/// A checked statement.
#[derive(Debug, Serialize)]
pub struct StatementJson<'a> {
    text: &'a str,
    cites: &'a [usize],
    support: Support,
    value: f64,
    passage: Option<&'a str>,
    marked: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    marked_partly: bool,
    evidence: &'a [Evidence],
    reasons: &'a [String],
    #[serde(skip_serializing_if = "is_prose")]
    form: &'a Form,
}

fn is_prose(form: &&Form) -> bool {
    form.is_prose()
}

impl<'a> StatementJson<'a> {
    fn new(statement: &'a CheckedStatement) -> Self {
        let supporting = statement.evidence.iter().find(|e| e.support == statement.support);
        Self {
            text: &statement.text,
            cites: &statement.cites,
            support: statement.support,
            value: statement.value,
            passage: supporting.and_then(|e| e.passage.as_deref()),
            marked: statement.marked,
            marked_partly: statement.marked_partly,
            evidence: &statement.evidence,
            reasons: &statement.reasons,
            form: &statement.form,
        }
    }
}

/// The whole report.
#[derive(Debug, Serialize)]
pub struct ReportJson<'a> {
    format: &'static str,
    run_id: &'a str,
    question: &'a str,
    mode: Mode,
    author: &'a str,
    author_is_model: bool,
    asked_at: String,
    decision: Decision,
    decision_rationale: &'a str,
    gate: &'a GateRecord,
    threshold: f64,
    title: &'a str,
    markdown: String,
    confidence: Option<&'a Confidence>,
    sources: Vec<SourceJson<'a>>,
    candidates: Vec<CandidateJson<'a>>,
    statements: Vec<StatementJson<'a>>,
    body: &'a Body,
    queries: &'a [SentQuery],
    gaps: &'a [String],
    problems: &'a [Problem],
    usage: &'a Usage,
    timeline: &'a [StageRecord],
    #[serde(skip_serializing_if = "<[Revision]>::is_empty")]
    revisions: &'a [Revision],
    #[serde(skip_serializing_if = "Option::is_none")]
    briefing: Option<&'a Briefing>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plan: Option<&'a Plan>,
    #[serde(skip_serializing_if = "<[RoundRecord]>::is_empty")]
    rounds: &'a [RoundRecord],
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<&'a str>,
}

impl<'a> ReportJson<'a> {
    /// The JSON form of a report.
    pub fn new(report: &'a CheckedReport) -> Self {
        let facts = report.facts();
        let numbered: Vec<(usize, &Candidate)> = report.sources().collect();
        let number =
            |id: SourceId| numbered.iter().find(|(_, c)| c.id == id).map_or(0, |(n, _)| *n);
        let candidate = |c: &'a Candidate| CandidateJson {
            source: source(number(c.id), c),
            verdict: c.verdict,
            reason: &c.reason,
            explanation: &c.explanation,
            snippet: &c.snippet,
            providers: &c.providers,
            round: c.round.number(),
        };
        Self {
            format: FORMAT,
            run_id: &facts.run_id,
            question: &facts.question,
            mode: facts.mode,
            author: &facts.author.name,
            author_is_model: facts.author.is_model,
            asked_at: facts.asked_at.to_string(),
            decision: facts.gate.decision,
            decision_rationale: &facts.gate.rationale,
            gate: &facts.gate,
            threshold: facts.threshold,
            title: report.title(),
            markdown: markdown(report),
            confidence: report.confidence(),
            sources: numbered.iter().map(|(n, c)| source(*n, c)).collect(),
            candidates: facts.candidates.iter().map(candidate).collect(),
            statements: report.statements().map(StatementJson::new).collect(),
            body: report.body(),
            queries: &facts.queries,
            gaps: &facts.gaps,
            problems: &facts.problems,
            usage: &facts.usage,
            timeline: &facts.timeline,
            revisions: &facts.revisions,
            briefing: facts.briefing.as_ref(),
            plan: facts.plan.as_ref(),
            rounds: &facts.rounds,
            language: facts.language.as_deref(),
        }
    }
}

/// The report as indented JSON with a line end.
pub fn json(report: &CheckedReport) -> String {
    let mut text = serde_json::to_string_pretty(&ReportJson::new(report)).unwrap_or_default();
    text.push('\n');
    text
}

fn source(n: usize, candidate: &Candidate) -> SourceJson<'_> {
    SourceJson {
        n,
        id: candidate.id,
        url: candidate.url.as_str(),
        title: &candidate.title,
        outlet: candidate.outlet.as_ref(),
        attribution: candidate.attribution.as_deref(),
        credibility: candidate.into(),
        relevance: candidate.relevance.as_ref(),
        published: candidate.published,
        archived: candidate.archived,
        outcome: candidate.outcome.as_deref(),
    }
}
