//! What an analyst hands in: claims that point at source ids, and nothing it could get wrong about
//! the document.
//!
//! A draft holds no numbers of citations, no counts and no links: the renderer writes those. All
//! of its texts are untrusted.

use probity_core::SourceId;
use serde::{Deserialize, Serialize};

use crate::confidence::Level;

/// One sentence and the sources it rests on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statement {
    /// The sentence.
    pub text: String,
    /// The sources it cites.
    #[serde(default)]
    pub cites: Vec<SourceId>,
}

impl Statement {
    /// A sentence that cites one source.
    pub fn citing(text: impl Into<String>, source: SourceId) -> Self {
        Self { text: text.into(), cites: vec![source] }
    }
}

/// How the heading of a topic begins that tells what is out of date. Such a topic stays out of the summary.
pub const SUPERSEDED: &str = "Superseded since";

/// A topic of the findings.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Theme {
    /// Its heading.
    pub heading: String,
    /// Its prose, sentence by sentence.
    pub statements: Vec<Statement>,
}

/// A disagreement among the sources, told with both sides.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conflict {
    /// What each side says; each cites its own side.
    pub statements: Vec<Statement>,
    /// Whether the sides differ in the very thing that was asked for.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub on_answer: bool,
}

/// A report as an analyst drafts it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    /// A headline for the finding, not the question.
    pub headline: String,
    /// Three to five sentences that can be read alone.
    pub summary: Vec<String>,
    /// The findings by topic.
    pub themes: Vec<Theme>,
    /// Where the sources disagree.
    #[serde(default)]
    pub conflicts: Vec<Conflict>,
    /// What was asked and no source answers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unanswered: Vec<Unanswered>,
    /// How far its author would rely on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<Proposal>,
}

/// How far the author of a draft would rely on it. What the figures allow is the ceiling.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposal {
    /// The level.
    pub level: Level,
    /// Why, in the author's words.
    #[serde(default)]
    pub reason: String,
}

/// A question, or a part of one, that no source answers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unanswered {
    /// The question.
    pub asked: String,
    /// What the sources do instead, as in "the sources give no date".
    pub lack: String,
}

/// What an analyst says when the sources do not suffice.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shortfall {
    /// A headline that says what could not be answered.
    pub headline: String,
    /// What was searched, what was found, and why it does not answer.
    pub account: Vec<String>,
    /// One or two queries that may do better.
    pub better_queries: Vec<String>,
    /// Where better information may be found.
    pub elsewhere: String,
}
