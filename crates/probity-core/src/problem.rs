//! Things that go wrong without ending a run: a dead page, a provider that is down.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What kind of thing went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProblemKind {
    /// A search provider failed or answered in part.
    Search,
    /// A page could not be read.
    Fetch,
    /// A file could not be read or understood.
    File,
    /// An analyst's reply was unusable and a fallback was taken.
    Analysis,
    /// A budget ran out.
    Budget,
    /// A result could not be rendered or saved as asked.
    Output,
}

/// Something that went wrong, to which thing, kept beside the result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// What kind of thing went wrong.
    pub kind: ProblemKind,
    /// The thing it happened to: a URL, a provider, a file.
    pub subject: String,
    /// What happened, for a person.
    pub detail: String,
}

impl Problem {
    /// Names a problem.
    pub fn new(kind: ProblemKind, subject: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { kind, subject: subject.into(), detail: detail.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.subject, self.detail)
    }
}
