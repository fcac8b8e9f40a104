//! What a model is asked for: each task has a model, an answer's length and a place in the budget.

use serde::{Deserialize, Serialize};

/// What a model is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Task {
    /// Queries for a question.
    Plan,
    /// The next tools to use while gathering.
    Gather,
    /// What a source says about the question.
    Summarise,
    /// What is unanswered.
    Gaps,
    /// How well a source answers the question.
    Score,
    /// The draft of a report.
    Synthesise,
    /// The sections of a long report.
    Outline,
    /// One of its sections.
    Section,
    /// Its headline and summary.
    Lead,
    /// Why the sources do not suffice.
    Explain,
    /// What is wrong with a draft.
    Criticise,
    /// Whether a passage supports a sentence.
    Check,
}

/// The tasks that the configuration can name a model for; the others share one of theirs.
pub const CONFIGURABLE: [Task; 6] =
    [Task::Plan, Task::Summarise, Task::Gaps, Task::Score, Task::Synthesise, Task::Check];

impl Task {
    /// Every task.
    pub const ALL: [Task; 12] = [
        Task::Plan,
        Task::Gather,
        Task::Summarise,
        Task::Gaps,
        Task::Score,
        Task::Synthesise,
        Task::Outline,
        Task::Section,
        Task::Lead,
        Task::Explain,
        Task::Criticise,
        Task::Check,
    ];

    /// The task's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Task::Plan => "plan",
            Task::Gather => "gather",
            Task::Summarise => "summarise",
            Task::Gaps => "gaps",
            Task::Score => "score",
            Task::Synthesise => "synthesise",
            Task::Outline => "outline",
            Task::Section => "section",
            Task::Lead => "lead",
            Task::Explain => "explain",
            Task::Criticise => "criticise",
            Task::Check => "check",
        }
    }

    /// The configurable task whose model does this one.
    pub fn configured_as(self) -> Task {
        match self {
            Task::Gather => Task::Plan,
            Task::Explain => Task::Gaps,
            Task::Criticise => Task::Check,
            Task::Outline | Task::Section | Task::Lead => Task::Synthesise,
            task => task,
        }
    }

    /// Whether the provider's strong model does it by default, rather than the small one.
    pub fn wants_strong(self) -> bool {
        self.configured_as() == Task::Synthesise || matches!(self, Task::Gather | Task::Criticise)
    }

    /// Whether it is part of gathering, which stops when a spending limit is near.
    pub fn is_gathering(self) -> bool {
        matches!(self, Task::Plan | Task::Gather | Task::Summarise | Task::Gaps)
    }

    /// Whether it asks for a word or two, so that more such calls can be made at once.
    pub fn is_short(self) -> bool {
        matches!(self, Task::Score | Task::Check)
    }

    /// About how many tokens it sends and gets back, to predict how long it takes.
    pub fn usual_tokens(self) -> (u64, u64) {
        match self {
            Task::Plan => (700, 200),
            Task::Gather => (2_000, 120),
            Task::Summarise => (2_400, 500),
            Task::Gaps => (1_500, 120),
            Task::Score => (1_000, 60),
            Task::Synthesise => (5_000, 2_500),
            Task::Outline => (4_000, 500),
            Task::Section => (2_000, 900),
            Task::Lead => (3_000, 350),
            Task::Explain => (1_000, 300),
            Task::Criticise => (2_000, 500),
            Task::Check => (500, 20),
        }
    }

    /// The most tokens an answer may have. Models that think count their thoughts here too.
    pub fn output_tokens(self) -> u32 {
        match self {
            Task::Synthesise => 16_000,
            Task::Section => 8_000,
            Task::Summarise | Task::Gather | Task::Criticise | Task::Outline | Task::Lead => 4_000,
            Task::Plan | Task::Gaps | Task::Explain => 3_000,
            Task::Score | Task::Check => 2_000,
        }
    }
}

impl std::fmt::Display for Task {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}
