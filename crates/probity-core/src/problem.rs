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

    /// Whether the other is this problem once more: the same to the same thing, whatever seconds the
    /// two name, because a wait that is reported again has the time that is left. Any other
    /// number is part of what happened: a page that is missing and a server that failed are two.
    pub fn is_again(&self, other: &Self) -> bool {
        fn words_but_waits(problem: &Problem) -> impl Iterator<Item = &str> {
            let words = || problem.detail.split_whitespace();
            let next = words().skip(1).chain([""]);
            words().zip(next).map(|(word, next)| {
                let is_wait = word.parse::<f64>().is_ok() && is_second(next);
                if is_wait { "" } else { word }
            })
        }
        self.kind == other.kind
            && self.subject == other.subject
            && words_but_waits(self).eq(words_but_waits(other))
    }

    /// Every problem once, with its count.
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

/// Whether a word is the unit of a wait, with or without what ends its clause.
fn is_second(word: &str) -> bool {
    matches!(word.trim_end_matches([',', ';', '.', ':', ')']), "s" | "second" | "seconds")
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
    fn what_is_reported_again_is_counted_whatever_seconds_are_left() {
        let problem = |subject: &str, seconds: usize| {
            Problem::new(ProblemKind::Search, subject, format!("is left alone for {seconds} s"))
        };
        let problems = [problem("wikipedia", 10), problem("crossref", 10), problem("wikipedia", 9)];
        let counted = Problem::counted(&problems);
        assert_eq!(counted, [(&problems[0], 2), (&problems[1], 1)]);
        let other = Problem::new(ProblemKind::Search, "wikipedia", "does not answer");
        assert!(!problems[0].is_again(&other));
    }

    #[test]
    fn what_differs_in_more_than_a_wait_happened_twice() {
        let problem = |detail: &str| Problem::new(ProblemKind::Fetch, "https://a.example/", detail);
        let differ = [
            ("the server answered 404", "the server answered 500"),
            ("page 3 cannot be read", "page 4 cannot be read"),
            ("asks to wait 5 s after 2 tries", "asks to wait 5 s after 3 tries"),
        ];
        for (one, other) in differ {
            assert!(!problem(one).is_again(&problem(other)), "{one} / {other}");
        }
        let again = [
            ("no answer within 0.5 s", "no answer within 12 s"),
            ("asks us to wait 1 s, longer than it may", "asks us to wait 30 s, longer than it may"),
            ("wait 1 second", "wait 2 second"),
        ];
        for (one, other) in again {
            assert!(problem(one).is_again(&problem(other)), "{one} / {other}");
        }
    }
}
