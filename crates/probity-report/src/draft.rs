//! What an analyst hands in: claims that point at source ids, and nothing it could get wrong about
//! the document.
//!
//! A draft holds no numbers of citations, no counts and no links: the renderer writes those. All
//! of its texts are untrusted.

use probity_core::SourceId;
use serde::{Deserialize, Serialize};

/// One sentence and the sources it rests on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statement {
    /// The sentence.
    pub text: String,
    /// The sources it cites.
    #[serde(default)]
    pub cites: Vec<SourceId>,
    /// How it is shown.
    #[serde(default, skip_serializing_if = "Form::is_prose")]
    pub form: Form,
}

/// How a statement is shown. Neighbours of one form belong together.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Form {
    /// A sentence of a paragraph.
    #[default]
    Prose,
    /// A source's own words, with who says them and when.
    Quote,
    /// A row of a table.
    Row {
        /// The heads of its columns.
        columns: Vec<String>,
        /// Its cells.
        cells: Vec<String>,
    },
}

impl Form {
    fn is_prose(&self) -> bool {
        *self == Form::Prose
    }
}

impl Statement {
    /// A sentence that cites one source.
    pub fn citing(text: impl Into<String>, source: SourceId) -> Self {
        Self { text: text.into(), cites: vec![source], form: Form::Prose }
    }
}

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
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
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
    /// How likely the leading answer is right, from 0 to 1, where the analyst can tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certainty: Option<f64>,
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
