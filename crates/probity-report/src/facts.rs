//! What a run did, as the report states it: the counts come from here and from nowhere else.

use std::collections::BTreeMap;

use probity_core::{Candidate, Decision, Mode, Problem, Round, RunId, Timestamp, Verdict};
use serde::{Deserialize, Serialize};

/// A query that was sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SentQuery {
    /// Its text.
    pub text: String,
    /// The round it belongs to.
    pub round: Round,
    /// How many results came back.
    pub hits: usize,
    /// How many of the sources that it found survived the gate.
    pub kept: usize,
    /// Whether no provider answered it, so that to have no results means nothing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub silent: bool,
}

/// What a run sets out to find: a brief, and sub-questions with their queries.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Plan {
    /// What an answer should say, in a few sentences; empty if it was not given.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub brief: String,
    /// The sub-questions, the most important first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<PlanPart>,
    /// Queries that belong to no sub-question.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub queries: Vec<String>,
}

/// A sub-question.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PlanPart {
    /// The sub-question.
    pub question: String,
    /// What is searched for to answer it.
    pub queries: Vec<String>,
}

impl Plan {
    /// Whether it says more than what is searched for.
    pub fn has_parts(&self) -> bool {
        !self.brief.is_empty() || !self.parts.is_empty()
    }

    /// Every query: the first of each sub-question, those of none, and then the others in turn, so that no
    /// sub-question waits for all queries of another.
    pub fn queries(&self) -> Vec<&str> {
        let most = self.parts.iter().map(|part| part.queries.len()).max().unwrap_or(0);
        let turn = |place: usize| {
            let queries = self.parts.iter().filter_map(move |part| part.queries.get(place));
            queries.map(String::as_str)
        };
        let rest = self.queries.iter().map(String::as_str);
        turn(0).chain(rest).chain((1..most).flat_map(turn)).collect()
    }
}

/// What a round brought, in a run that may have more than two.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoundRecord {
    /// The round.
    pub round: Round,
    /// How many queries it sent.
    pub queries: usize,
    /// How many new pages it found.
    pub found: usize,
    /// How many it read.
    pub read: usize,
    /// The gaps that it closed.
    #[serde(default)]
    pub closed: Vec<String>,
    /// What was open after it.
    #[serde(default)]
    pub open: Vec<String>,
    /// Why there was no other round; empty where there was.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub ended: String,
}

/// How the gate decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GateRecord {
    /// The decision.
    pub decision: Decision,
    /// Why, in a sentence.
    pub rationale: String,
    /// The least relevance that survived.
    pub cutoff: u8,
    /// How many sources were judged.
    pub judged: usize,
    /// How many survived.
    pub kept: usize,
}

/// Tokens and money that a run spent. The embedded analyst spends neither.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Usage {
    /// Calls to a language model.
    pub model_calls: u64,
    /// Tokens sent, cached ones included.
    pub input_tokens: u64,
    /// Of those, tokens that the provider had in its cache.
    #[serde(default)]
    pub cached_tokens: u64,
    /// Tokens received.
    pub output_tokens: u64,
    /// What the calls cost, in US dollars, where prices are known.
    pub cost_usd: f64,
    /// Calls whose price is not known.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unpriced_calls: u64,
    /// The same by task.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub by_task: BTreeMap<String, Usage>,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl Usage {
    /// Adds what another answer cost, task by task.
    pub fn add(&mut self, other: &Usage) {
        self.model_calls += other.model_calls;
        self.input_tokens += other.input_tokens;
        self.cached_tokens += other.cached_tokens;
        self.output_tokens += other.output_tokens;
        self.cost_usd += other.cost_usd;
        self.unpriced_calls += other.unpriced_calls;
        for (task, spent) in &other.by_task {
            self.by_task.entry(task.clone()).or_default().add(spent);
        }
    }
}

/// A change that a critique of the draft made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Revision {
    /// From which side it was attacked: `evidence`, `timing` or `framing`.
    pub side: String,
    /// What is wrong.
    pub finding: String,
    /// What was done: `removed`, `weakened` or `cited`.
    pub action: String,
    /// The sentence before.
    pub before: String,
    /// The sentence after; empty where it was removed.
    pub after: String,
}

/// One call of a run to the outside or to its analyst, as its journal timed it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// The kind of step, such as `search` or `fetch`.
    pub kind: String,
    /// What it was about: a query, an address; untrusted.
    pub label: String,
    /// When it began, in milliseconds after the question was asked.
    pub start_ms: i64,
    /// How long it took, in milliseconds.
    pub millis: i64,
}

/// A stage of a run: what it did, when, and what that cost.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct StageRecord {
    /// What the stage was for.
    pub title: String,
    /// What it spent.
    pub usage: Usage,
    /// Its calls by their beginning.
    pub calls: Vec<Call>,
}

impl StageRecord {
    /// From the beginning of its first call to the end of its last, in milliseconds.
    pub fn span(&self) -> Option<(i64, i64)> {
        let start = self.calls.iter().map(|call| call.start_ms).min()?;
        let end = self.calls.iter().map(|call| call.start_ms.saturating_add(call.millis)).max()?;
        Some((start, end))
    }
}

/// Who made the judgements of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Author {
    /// A name such as `embedded` or `anthropic:…`.
    pub name: String,
    /// Whether a language model wrote the text.
    pub is_model: bool,
}

/// What a news briefing rests on, in place of searches and a gate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Briefing {
    /// When its window begins.
    pub since: Timestamp,
    /// How many feeds are followed.
    pub feeds: usize,
    /// How many articles the topics of the window have.
    pub articles: usize,
    /// How many topics there are.
    pub topics: usize,
    /// How many of them are reported.
    pub told: usize,
    /// How many of those more than one outlet reports.
    pub shared: usize,
}

/// Everything a report says about its run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunFacts {
    /// The run.
    pub run_id: RunId,
    /// The question, verbatim.
    pub question: String,
    /// How far the run went.
    pub mode: Mode,
    /// Who made its judgements.
    pub author: Author,
    /// When it was asked.
    pub asked_at: Timestamp,
    /// The queries that were sent.
    pub queries: Vec<SentQuery>,
    /// Every page that was seen.
    pub candidates: Vec<Candidate>,
    /// The credibility at or below which pages were blocked.
    pub threshold: f64,
    /// How the gate decided.
    pub gate: GateRecord,
    /// What remained unanswered after the last round.
    pub gaps: Vec<String>,
    /// What went wrong along the way.
    pub problems: Vec<Problem>,
    /// What was spent.
    pub usage: Usage,
    /// What each stage did, and when.
    #[serde(default)]
    pub timeline: Vec<StageRecord>,
    /// What a critique of the draft changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub revisions: Vec<Revision>,
    /// What it rests on, if it is a news briefing and no run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub briefing: Option<Briefing>,
    /// The plan that it followed, where that has more than queries.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<Plan>,
    /// What each round brought, where there could be more than two.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rounds: Vec<RoundRecord>,
    /// The language that was asked for, by name or code; else the question's is written in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
}

impl RunFacts {
    /// The last round as a sentence names it.
    pub fn last_round(&self) -> &'static str {
        if self.rounds.is_empty() { "the second round" } else { "the last round" }
    }

    /// How many candidates met with a verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.candidates.iter().filter(|candidate| candidate.verdict == verdict).count()
    }

    /// Whether nothing was found because no search provider answered any query.
    pub fn nobody_answered(&self) -> bool {
        let silent = !self.queries.is_empty() && self.queries.iter().all(|query| query.silent);
        silent && self.candidates.is_empty()
    }

    /// Whether pages were found and none could be reached.
    pub fn nothing_reached(&self) -> bool {
        let mut tried = self.candidates.iter().filter_map(|c| c.outcome.as_deref()).peekable();
        tried.peek().is_some() && tried.all(|outcome| matches!(outcome, "failed" | "timeout"))
    }

    /// How many sources were kept although they could not be judged.
    pub fn unjudged(&self) -> usize {
        let kept = self.candidates.iter().filter(|candidate| candidate.verdict == Verdict::Read);
        kept.filter_map(|c| c.relevance.as_ref()).filter(|relevance| relevance.defaulted).count()
    }

    /// How many pages were read, kept or not.
    pub fn read(&self) -> usize {
        self.count(Verdict::Read) + self.count(Verdict::Dropped)
    }
}
