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

    /// Whether the other is this problem once more: the same to the same thing, whatever numbers
    /// the two name, because a wait that is told again is told with the seconds that are left.
    pub fn is_again(&self, other: &Self) -> bool {
        let told = |problem: &Self| {
            let mut text = problem.detail.replace(|c: char| c.is_ascii_digit(), "0");
            while text.contains("00") {
                text = text.replace("00", "0");
            }
            text
        };
        self.kind == other.kind && self.subject == other.subject && told(self) == told(other)
    }

    /// Every problem once, the first time that it is told, with how often it was told.
    pub fn counted<'a>(problems: impl IntoIterator<Item = &'a Self>) -> Vec<(&'a Self, usize)> {
        let mut counted: Vec<(&Self, usize)> = Vec::new();
        for problem in problems {
            match counted.iter_mut().find(|(known, _)| known.is_again(problem)) {
                Some((_, count)) => *count += 1,
                None => counted.push((problem, 1)),
            }
        }
        counted
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.subject, self.detail)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_again_is_counted_whatever_seconds_are_left() {
        let told = |subject: &str, seconds: usize| {
            Problem::new(ProblemKind::Search, subject, format!("is left alone for {seconds} s"))
        };
        let problems = [told("wikipedia", 10), told("crossref", 10), told("wikipedia", 9)];
        let counted = Problem::counted(&problems);
        assert_eq!(counted, [(&problems[0], 2), (&problems[1], 1)]);
        let other = Problem::new(ProblemKind::Search, "wikipedia", "does not answer");
        assert!(!problems[0].is_again(&other));
    }
}
