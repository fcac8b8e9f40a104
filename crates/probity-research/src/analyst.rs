//! The judgement in a run, behind one interface: plan, summarise, find gaps, score, write, explain.
//!
//! Two kinds implement [`Analyst`]: the embedded one, which is deterministic and needs no network,
//! and language models. A run does not know which it has. Everything an analyst returns is checked
//! by the stage that asked; nothing it says can spend a budget or reach a page.

pub mod absent;
pub mod embedded;
pub mod llm;

use jiff::civil::Date;
use probity_core::{Answering, Decision, Heading, List, Mode, Round, SourceId};
use probity_model::{ToolCall, Turn};
use probity_report::check::Support;
use probity_report::draft::{Conflict, Draft, Proposal, Shortfall, Statement, Theme};
use probity_report::facts::{Author, Usage};
pub use probity_report::facts::{Plan, PlanPart};
use serde::{Deserialize, Serialize};

use crate::journal::StepKind;

/// A judgement in progress.
pub type Judging<'a, T> = Answering<'a, AnalystAnswer<T>>;

/// What an analyst answered, and what the answer cost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AnalystAnswer<T> {
    /// The judgement, or why there is none.
    pub result: Result<T, AnalystError>,
    /// What it cost, also when there is none.
    #[serde(default)]
    pub usage: Usage,
}

impl<T> AnalystAnswer<T> {
    /// A judgement that cost nothing.
    pub fn free(judgement: T) -> Self {
        Self { result: Ok(judgement), usage: Usage::default() }
    }

    /// No judgement, at no cost.
    pub fn none(error: AnalystError) -> Self {
        Self { result: Err(error), usage: Usage::default() }
    }
}

/// Why a judgement could not be had. The run continues with a documented fallback.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AnalystError {
    /// It took longer than the task may take.
    #[error("no answer within {0} s")]
    Timeout(u64),
    /// The answer was empty or could not be understood.
    #[error("the answer could not be used: {0}")]
    Unusable(String),
    /// The analyst could not be reached or refused.
    #[error("{0}")]
    Failed(String),
    /// The next call would have gone over a spending limit.
    #[error("the spending limit is reached: {0}")]
    Budget(String),
    /// This kind of analyst never does what was asked of it.
    #[error("this analyst cannot {0}")]
    Unable(String),
}

/// A plan, and what its author would rather know first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Planned {
    /// The plan; the run adds the question itself to its queries.
    #[serde(flatten)]
    pub plan: Plan,
    /// What to ask the user, where the question can be meant in several ways; else empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub clarify: String,
}

impl Planned {
    /// Queries and nothing else.
    pub fn of(queries: Vec<String>) -> Self {
        Self { plan: Plan { queries, ..Plan::default() }, clarify: String::new() }
    }
}

/// What gaps are looked for in.
#[derive(Debug, Clone, Copy)]
pub struct GapsTask<'a> {
    /// The question.
    pub question: &'a str,
    /// The sub-questions that the plan has.
    pub parts: &'a [PlanPart],
    /// The queries that were sent.
    pub queries: &'a [String],
    /// What was open before the last round; nothing after round 1.
    pub open: &'a [String],
    /// What was read so far.
    pub sources: &'a [SourceView<'a>],
    /// Whether summaries may be read; else titles and snippets have to do.
    pub deep: bool,
}

/// A source that was read, as an analyst sees it.
#[derive(Debug, Clone, Copy)]
pub struct SourceView<'a> {
    /// The id that a draft cites it by.
    pub id: SourceId,
    /// Its title.
    pub title: &'a str,
    /// Its address.
    pub url: &'a str,
    /// The publisher's domain or the host.
    pub outlet: &'a str,
    /// The day it was published.
    pub published: Option<Date>,
    /// Its credibility at discovery.
    pub credibility: f64,
    /// The part of that which is its outlet's authority, from 0 to 1.
    pub authority: f64,
    /// The excerpt that the search gave.
    pub snippet: &'a str,
    /// Its whole text.
    pub text: &'a str,
    /// The headings among the lines of its text.
    pub headings: &'a [Heading],
    /// The lists among the lines of its text.
    pub lists: &'a [List],
    /// What [`Analyst::summarise`] made of it; empty before that.
    pub summary: &'a str,
    /// What it states, as [`Analyst::summarise`] recorded it; empty if it was not asked.
    pub facts: &'a [Fact],
    /// How well it answers the question, once judged.
    pub relevance: Option<u8>,
    /// Why, once judged.
    pub why: &'a str,
}

impl<'a> SourceView<'a> {
    /// A text of which nothing else is known.
    pub fn of_text(title: &'a str, text: &'a str) -> Self {
        Self {
            id: SourceId(0),
            title,
            url: "",
            outlet: "",
            published: None,
            credibility: 0.0,
            authority: 0.0,
            snippet: "",
            text,
            headings: &[],
            lists: &[],
            summary: "",
            facts: &[],
            relevance: None,
            why: "",
        }
    }
}

/// What a source says about the question.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// The summary.
    pub text: String,
    /// What the source states, the most important first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<Fact>,
}

impl Summary {
    /// A summary alone.
    pub fn of(text: impl Into<String>) -> Self {
        Self { text: text.into(), facts: Vec::new() }
    }
}

/// One thing that a source states.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fact {
    /// The fact in a sentence that can be read alone.
    pub statement: String,
    /// The words of the source that state it, verbatim.
    pub quote: String,
    /// The number with its unit, or the date, that it turns on; empty where there is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub figure: String,
}

/// What is still unanswered, and how to ask for it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gaps {
    /// What is unanswered, each in a few words.
    pub unanswered: Vec<String>,
    /// Queries that may close the gaps.
    pub queries: Vec<String>,
    /// Of what was open before, what is answered now.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub closed: Vec<String>,
}

/// How well a source answers the question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judgement {
    /// From 1, off topic, to 5, directly answers.
    pub score: u8,
    /// One sentence that says why.
    pub why: String,
}

/// What a report is to be written from.
#[derive(Debug, Clone, Copy)]
pub struct SynthesisTask<'a> {
    /// The question.
    pub question: &'a str,
    /// How far the run went.
    pub mode: Mode,
    /// Full or short.
    pub decision: Decision,
    /// About how many words to write.
    pub words: usize,
    /// The sources that survived the gate, and no others.
    pub sources: &'a [SourceView<'a>],
    /// What remained unanswered.
    pub gaps: &'a [String],
    /// The headings that its sections are to have, where the user wants certain ones.
    pub headings: &'a [String],
    /// The sub-questions that the plan has.
    pub parts: &'a [PlanPart],
}

/// What a report will be made of: sections, each with the facts that belong to it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outline {
    /// The sections in their order.
    pub sections: Vec<PlannedSection>,
}

/// A section that is to be written.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedSection {
    /// Its heading.
    pub heading: String,
    /// What it should say, in a sentence.
    pub purpose: String,
    /// The facts it is written from: their places among the facts of all sources, in the order of the sources. What
    /// an analyst uses in place of facts where a source has none is counted after them.
    pub facts: Vec<usize>,
}

/// What one section is to be written from.
#[derive(Debug, Clone, Copy)]
pub struct SectionTask<'a> {
    /// The report it is a part of.
    pub report: SynthesisTask<'a>,
    /// The outline of the report.
    pub outline: &'a Outline,
    /// Which section of the outline it is.
    pub place: usize,
    /// What the check found wrong with it when it was written first; empty the first time.
    pub faults: &'a [Fault],
}

/// A statement that did not stand up to the check.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// What it said.
    pub text: String,
    /// Why it does not hold.
    pub reasons: Vec<String>,
    /// What the nearest passage of its source says.
    pub passage: String,
}

/// Headline, summary, disagreements and reliance: what is written when the sections stand.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lead {
    /// The finding in one line.
    pub headline: String,
    /// Three to five sentences that can be read alone.
    pub summary: Vec<String>,
    /// Where the sources disagree.
    pub conflicts: Vec<Conflict>,
    /// How far its author would rely on it.
    pub confidence: Option<Proposal>,
}

/// What an account of failure is to be written from.
#[derive(Debug, Clone, Copy)]
pub struct ShortfallTask<'a> {
    /// The question.
    pub question: &'a str,
    /// The queries that were sent.
    pub queries: &'a [String],
    /// Every source that was read, with its judgement; none of their text may be used as an answer.
    pub sources: &'a [SourceView<'a>],
    /// How many pages were seen.
    pub candidates: usize,
    /// How many pages were blocked for low credibility.
    pub blocked: usize,
    /// How many pages could not be read.
    pub failed: usize,
    /// What remained unanswered.
    pub gaps: &'a [String],
    /// What each search provider said, where none of them answered a single query.
    pub unreached: &'a [String],
}

/// The instructions of a model that gathers with tools.
#[derive(Debug, Clone, Copy)]
pub struct GatherTask<'a> {
    /// The question.
    pub question: &'a str,
    /// The round.
    pub round: Round,
    /// How many pages may still be read in it.
    pub slots: usize,
    /// What the round before left open.
    pub open: &'a [String],
    /// What was said and done in this round so far.
    pub turns: &'a [Turn],
}

/// What a model that gathers wants done next; nothing means that it has enough.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Wishes {
    /// What it said beside.
    pub said: String,
    /// The tools it wants used.
    pub calls: Vec<ToolCall>,
}

/// A statement of a draft that its sources do not fully support, with what they say.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Doubt {
    /// Which of the draft's [`claims`] it is.
    pub claim: usize,
    /// The sources it cites.
    pub cites: Vec<SourceId>,
    /// What it says, why it does not fully hold and what the nearest passage says.
    #[serde(flatten)]
    pub fault: Fault,
}

/// A side from which a draft is attacked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// Whether the sources support it.
    Evidence,
    /// Whether it is still so.
    Timing,
    /// Whether it answers what was asked.
    Framing,
}

impl Side {
    /// Every side.
    pub const ALL: [Side; 3] = [Side::Evidence, Side::Timing, Side::Framing];

    /// The side's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Side::Evidence => "evidence",
            Side::Timing => "timing",
            Side::Framing => "framing",
        }
    }
}

/// What must happen to a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Remedy {
    /// It goes.
    Remove,
    /// It says less.
    Weaken(String),
    /// It is answered by these sources.
    Cite(Vec<SourceId>),
}

/// Something that is wrong with a sentence of a draft.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Objection {
    /// From which side.
    pub side: Side,
    /// Which of the draft's [`claims`].
    pub claim: usize,
    /// What is wrong.
    pub finding: String,
    /// Whether a reader would be misled.
    pub is_critical: bool,
    /// What must happen to it.
    pub remedy: Remedy,
}

/// What is wrong with a draft.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Critique {
    /// The objections.
    pub objections: Vec<Objection>,
}

/// The sentences of a draft that make claims, in the order in which objections count them.
pub fn claims(draft: &Draft) -> impl Iterator<Item = &Statement> {
    let findings = draft.themes.iter().flat_map(|theme| &theme.statements);
    findings.chain(draft.conflicts.iter().flat_map(|conflict| &conflict.statements))
}

/// The judgement in a run.
pub trait Analyst: Send + Sync {
    /// Who signs the report.
    fn author(&self) -> Author;

    /// How many judgements it makes at once at most.
    fn parallel(&self) -> usize {
        usize::MAX
    }

    /// How many seconds a judgement may take that usually has this many.
    fn patience(&self, _: StepKind, usual: u64) -> u64 {
        usual
    }

    /// What to look for to answer a question. `clarify` allows asking back where it can be meant in several ways.
    fn plan<'a>(&'a self, question: &'a str, clarify: bool) -> Judging<'a, Planned>;

    /// What a source says about the question.
    fn summarise<'a>(&'a self, question: &'a str, source: SourceView<'a>) -> Judging<'a, Summary>;

    /// What the sources leave unanswered.
    fn gaps<'a>(&'a self, task: GapsTask<'a>) -> Judging<'a, Gaps>;

    /// How well a source answers the question.
    fn judge<'a>(&'a self, question: &'a str, source: SourceView<'a>) -> Judging<'a, Judgement>;

    /// Whether all sources of a run are judged in one call, because each is judged beside the others.
    fn judges_together(&self) -> bool {
        false
    }

    /// How well each of several sources answers the question, in their order; none for one that was left out. Asked
    /// of models whose calls are batched, and of an analyst that judges together.
    fn judge_all<'a>(
        &'a self,
        _: &'a str,
        _: &'a [SourceView<'a>],
    ) -> Judging<'a, Vec<Option<Judgement>>> {
        unable("judge several sources at once")
    }

    /// The draft of a report.
    fn synthesise<'a>(&'a self, task: SynthesisTask<'a>) -> Judging<'a, Draft>;

    /// The account of a run whose sources do not suffice.
    fn explain<'a>(&'a self, task: ShortfallTask<'a>) -> Judging<'a, Shortfall>;

    /// The next tools to gather with. Only models can do this.
    fn gather<'a>(&'a self, _: GatherTask<'a>) -> Judging<'a, Wishes> {
        unable("gather with tools")
    }

    /// The sections of a report. Only models write in sections.
    fn outline<'a>(&'a self, _: SynthesisTask<'a>) -> Judging<'a, Outline> {
        unable("outline a report")
    }

    /// One section of a report; its conclusions count the statements of the section, from 0. Only models write
    /// in sections.
    fn section<'a>(&'a self, _: SectionTask<'a>) -> Judging<'a, Theme> {
        unable("write a section")
    }

    /// What is before and after the sections, from those of their statements that hold. Only models
    /// write in sections.
    fn lead<'a>(&'a self, _: SynthesisTask<'a>, _: &'a [Theme]) -> Judging<'a, Lead> {
        unable("write a lead")
    }

    /// What is to become of statements that the sources do not fully support. Only models can do this.
    fn criticise<'a>(&'a self, _: SynthesisTask<'a>, _: &'a [Doubt]) -> Judging<'a, Critique> {
        unable("criticise a draft")
    }

    /// Whether a passage supports a sentence. Only models are asked; the report's own check has
    /// judged before.
    fn check<'a>(&'a self, _: &'a str, _: &'a str) -> Judging<'a, Support> {
        unable("judge a citation")
    }
}

fn unable<'a, T: Send + 'a>(what: &str) -> Judging<'a, T> {
    let error = AnalystError::Unable(what.to_owned());
    Box::pin(std::future::ready(AnalystAnswer::none(error)))
}
