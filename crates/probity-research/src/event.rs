//! What happens in a run, as it happens: for progress on a terminal, a page, a log.

use probity_core::{Decision, Mode, RunId};
use probity_core::{Problem, Round, SourceId};
use probity_report::facts::{RoundRecord, Usage};
use serde::{Deserialize, Serialize};

use crate::approve::Offer;

/// Something that happened. Texts in it are untrusted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The run began.
    Start {
        /// The run.
        run_id: RunId,
        /// The question.
        question: String,
        /// How far it goes.
        mode: Mode,
    },
    /// The queries of round 1 are known.
    Plan {
        /// The queries.
        queries: Vec<String>,
        /// What an answer should say, where the plan says so.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        brief: String,
        /// The sub-questions, where the plan has some.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        parts: Vec<String>,
    },
    /// The plan is submitted to the user; the run waits for approval.
    Offer(Offer),
    /// A query goes out.
    Search {
        /// The round.
        round: Round,
        /// The query.
        query: String,
    },
    /// A query was answered.
    Searched {
        /// The round.
        round: Round,
        /// The query.
        query: String,
        /// How many results it brought.
        hits: usize,
        /// How many of them had not been seen before.
        fresh: usize,
        /// How many of these are blocked for their score.
        #[serde(default)]
        blocked: usize,
    },
    /// A page is about to be fetched.
    Fetch {
        /// The round.
        round: Round,
        /// The candidate.
        id: SourceId,
        /// Its address.
        url: String,
        /// Its credibility.
        score: f64,
    },
    /// A page was read, or not.
    Fetched {
        /// The candidate.
        id: SourceId,
        /// Its address.
        url: String,
        /// Its credibility.
        #[serde(default)]
        score: f64,
        /// How it ended.
        outcome: String,
        /// Why.
        reason: String,
    },
    /// A page was refused for its score: when a search found it, each time a model asks for it
    /// anyway, and when it led to such a page.
    Block {
        /// The candidate.
        id: SourceId,
        /// Its address.
        url: String,
        /// Its credibility.
        score: f64,
        /// The threshold it did not pass.
        threshold: f64,
        /// The score as a sum, with the reason for each part.
        #[serde(default)]
        why: String,
    },
    /// A source was summarised.
    Summarise {
        /// The candidate.
        id: SourceId,
        /// Its title.
        title: String,
    },
    /// What the rounds so far left open.
    Gaps {
        /// What is unanswered.
        unanswered: Vec<String>,
        /// The queries of the next round.
        queries: Vec<String>,
    },
    /// A round is over, in a run that may have more than two.
    Round(RoundRecord),
    /// The gate judged a source.
    Verdict {
        /// Its number among the judged, from 1.
        number: usize,
        /// The candidate.
        id: SourceId,
        /// Its host.
        host: String,
        /// Its score.
        score: u8,
        /// Whether it is kept.
        kept: bool,
        /// Why.
        why: String,
    },
    /// The gate decided.
    Gate {
        /// The decision.
        decision: Decision,
        /// Why.
        rationale: String,
    },
    /// The report is being written.
    Synthesise {
        /// From how many sources.
        sources: usize,
    },
    /// Words of the report arrive; only a model's do, as long as it writes.
    Writing {
        /// How many words have come so far.
        words: usize,
    },
    /// A model answered.
    Spend {
        /// What it was asked for.
        task: String,
        /// Who answered.
        model: String,
        /// What the run has spent so far.
        total: Usage,
    },
    /// The first answers of a model on the user's machine have shown how fast it is.
    Pace {
        /// The model.
        model: String,
        /// Tokens that it writes in a second.
        per_second: f64,
        /// About how many seconds the run will take from here.
        seconds: u64,
    },
    /// Something went wrong without ending the run.
    Problem(Problem),
    /// A step of the counter on the terminal begins.
    Step {
        /// Which step.
        number: usize,
        /// Of how many.
        of: usize,
        /// What it does.
        title: String,
    },
    /// The report is ready.
    Report {
        /// The decision.
        decision: Decision,
        /// The headline.
        title: String,
    },
    /// The run failed.
    Error {
        /// Why.
        message: String,
    },
    /// The run had ended without a report, and continues after all.
    Resumed,
    /// Nothing more follows.
    End,
}

impl Event {
    /// The event's name, as its JSON has it.
    pub fn kind(&self) -> &'static str {
        match self {
            Event::Start { .. } => "start",
            Event::Plan { .. } => "plan",
            Event::Offer(_) => "offer",
            Event::Search { .. } => "search",
            Event::Searched { .. } => "searched",
            Event::Fetch { .. } => "fetch",
            Event::Fetched { .. } => "fetched",
            Event::Block { .. } => "block",
            Event::Summarise { .. } => "summarise",
            Event::Gaps { .. } => "gaps",
            Event::Round(_) => "round",
            Event::Verdict { .. } => "verdict",
            Event::Gate { .. } => "gate",
            Event::Synthesise { .. } => "synthesise",
            Event::Writing { .. } => "writing",
            Event::Spend { .. } => "spend",
            Event::Pace { .. } => "pace",
            Event::Problem(_) => "problem",
            Event::Step { .. } => "step",
            Event::Report { .. } => "report",
            Event::Error { .. } => "error",
            Event::Resumed => "resumed",
            Event::End => "end",
        }
    }
}

/// A stage of a run. Their order is the order in which a run goes through them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Stage {
    /// What to search for.
    #[default]
    Plan,
    /// Searching and reading by the plan.
    FirstRound,
    /// What is still open.
    Gaps,
    /// Searching and reading for what is open, in one round or several.
    FurtherRounds,
    /// Whether each source answers the question.
    Gate,
    /// The draft, or the account of what is missing.
    Writing,
    /// Every citation beside its source: a step of its own in deep runs.
    Checking,
}

impl Stage {
    /// All of them in their order.
    pub const ALL: [Self; 7] = [
        Self::Plan,
        Self::FirstRound,
        Self::Gaps,
        Self::FurtherRounds,
        Self::Gate,
        Self::Writing,
        Self::Checking,
    ];

    /// Its name where programs read it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Plan => "plan",
            Self::FirstRound => "round-1",
            Self::Gaps => "gaps",
            Self::FurtherRounds => "round-2",
            Self::Gate => "gate",
            Self::Writing => "writing",
            Self::Checking => "checking",
        }
    }

    /// Its number in [`Event::Step`], from 1.
    pub fn number(self) -> usize {
        self as usize + 1
    }

    /// The stage of a number in [`Event::Step`]; beyond the last, the last.
    pub fn numbered(number: usize) -> Self {
        Self::ALL.get(number.saturating_sub(1)).copied().unwrap_or(Self::Checking)
    }

    /// The stage that a run ends with.
    pub fn last(mode: Mode) -> Self {
        if mode.is_deep() { Self::Checking } else { Self::Writing }
    }
}

/// A watcher. Called in the order of events; must not block.
pub trait Watcher: Send + Sync {
    /// Takes an event.
    fn watch(&self, event: &Event);
}

/// About how long something takes, as people say it.
pub fn about(seconds: u64) -> String {
    match seconds {
        0..90 => "about a minute".to_owned(),
        90..5_400 => format!("about {} minutes", (seconds + 30) / 60),
        _ => format!("about {} hours", (seconds + 1_800) / 3_600),
    }
}

/// No watcher.
pub struct Unwatched;

impl Watcher for Unwatched {
    fn watch(&self, _: &Event) {}
}

impl<F: Fn(&Event) + Send + Sync> Watcher for F {
    fn watch(&self, event: &Event) {
        self(event);
    }
}
