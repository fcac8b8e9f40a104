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
    /// The sentence. It is what is checked, whatever the form.
    pub text: String,
    /// The sources it cites.
    #[serde(default)]
    pub cites: Vec<SourceId>,
    /// How it is shown.
    #[serde(default, skip_serializing_if = "Form::is_prose")]
    pub form: Form,
}

/// How a statement is shown. Neighbours of one form are together: sentences as a paragraph, entries
/// as a list, rows as a table.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Form {
    /// A sentence of a paragraph.
    #[default]
    Prose,
    /// A source's own words, verbatim; who said them and when is written by us.
    Quote,
    /// An entry of a list.
    Item {
        /// Whether the order matters, so that the entries are numbered.
        #[serde(default)]
        ordered: bool,
    },
    /// A row of a table. The text is the row in words, and every cell occurs in it.
    Row {
        /// The names of the columns; neighbours with the same names are one table.
        columns: Vec<String>,
        /// What is in each column.
        cells: Vec<String>,
    },
    /// An entry of a timeline.
    Entry {
        /// The time, as the source gives it.
        when: String,
    },
    /// A conclusion that no source states, drawn from statements that stand before it.
    Inference {
        /// Their places among all statements of the findings, counted from 0.
        from: Vec<usize>,
    },
}

impl Form {
    /// Whether it is a sentence of a paragraph.
    pub fn is_prose(&self) -> bool {
        *self == Form::Prose
    }

    /// Whether it is a conclusion, and no statement of a source.
    pub fn is_inference(&self) -> bool {
        matches!(self, Form::Inference { .. })
    }
}

impl Statement {
    /// A sentence that cites one source.
    pub fn citing(text: impl Into<String>, source: SourceId) -> Self {
        Self { text: text.into(), cites: vec![source], form: Form::Prose }
    }
}

/// How the heading of a topic begins that tells what is out of date. Such a topic stays out of the summary.
pub const SUPERSEDED: &str = "Superseded since";
/// What the sources lack where they are near an answer and do not state it.
pub const NOTHING_PLAIN: &str = "say nothing plain";

/// A topic of the findings.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Theme {
    /// Its heading.
    pub heading: String,
    /// What it says, statement by statement.
    pub statements: Vec<Statement>,
}

/// A disagreement among the sources, with both sides.
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
    /// The answer in the words of a source, “…”, with who says so: it heads the report if the headline does not follow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quoted: Option<String>,
    /// What is asked, as a clause: “why the mill closed”. Where no sentence is short enough to head the report, the source
    /// that says it is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clause: Option<String>,
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
    /// Headings that whoever asked has given: they stand as they are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub headings: Vec<String>,
    /// How likely the leading answer is right, from 0 to 1, where the analyst can tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certainty: Option<f64>,
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

impl Draft {
    /// Adds a topic whose conclusions count its own statements, from 0. One that says nothing is left out.
    pub fn push(&mut self, mut theme: Theme) {
        if theme.statements.is_empty() {
            return;
        }
        let before: usize = self.themes.iter().map(|theme| theme.statements.len()).sum();
        for statement in &mut theme.statements {
            if let Form::Inference { from } = &mut statement.form {
                from.iter_mut().for_each(|place| *place += before);
            }
        }
        self.themes.push(theme);
    }

    /// Keeps conclusions pointing at the same statements after some were taken out of the findings;
    /// `kept` says which stayed. A conclusion that lost one points at nothing, and is left out.
    pub fn renumber(&mut self, kept: &[bool]) {
        let mut next = 0;
        let places: Vec<Option<usize>> = kept
            .iter()
            .map(|kept| {
                let place = kept.then_some(next);
                next += usize::from(*kept);
                place
            })
            .collect();
        let themes = self.themes.iter_mut().flat_map(|theme| &mut theme.statements);
        let conflicts = self.conflicts.iter_mut().flat_map(|conflict| &mut conflict.statements);
        for statement in themes.chain(conflicts) {
            if let Form::Inference { from } = &mut statement.form {
                let place = |index: &usize| places.get(*index).copied().flatten();
                *from = from.iter().map(place).collect::<Option<_>>().unwrap_or_default();
            }
        }
    }
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
