//! A page on its way through a run: found, scored, and its outcome.

use std::fmt;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::{Outlet, Round, Score, WebUrl};

/// A candidate of a run, by the order in which it was discovered. Drafts cite by this id, because
/// a model can neither invent one that resolves nor confuse it with the number in the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SourceId(pub u32);

impl fmt::Display for SourceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "S{}", self.0)
    }
}

/// The outcome of a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It was read, and the gate kept it.
    Read,
    /// Its score is at or below the threshold; it was never downloaded.
    Blocked,
    /// It could not be read.
    Failed,
    /// It was read, and the gate dropped it.
    Dropped,
    /// The budget was spent on better candidates.
    Unused,
}

impl Verdict {
    /// The verdict's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Verdict::Read => "read",
            Verdict::Blocked => "blocked",
            Verdict::Failed => "failed",
            Verdict::Dropped => "dropped",
            Verdict::Unused => "unused",
        }
    }
}

/// How well a source answers the question, from 1 to 5, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Relevance {
    /// 5 directly answers the question; 1 is off topic.
    pub score: u8,
    /// One sentence that says why.
    pub why: String,
    /// The analyst gave no usable score; the source is kept whatever the cutoff.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub defaulted: bool,
}

impl Relevance {
    /// What each score means, from the best.
    pub const MEANINGS: [(u8, &'static str); 5] = [
        (5, "directly answers the question, with specifics"),
        (4, "strongly relevant, with useful detail"),
        (3, "touches the topic, but key specifics are missing"),
        (2, "shares keywords, but does not address the question"),
        (1, "off topic"),
    ];
}

/// How much of what was asked title and snippet of a page hold.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Shares {
    /// The share of the question's content words.
    pub question: f64,
    /// The share of the words of the query that found it; of several queries the best one's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<f64>,
}

impl fmt::Display for Shares {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.2} of the question's words", self.question)?;
        match self.query {
            Some(query) => write!(f, ", {query:.2} of the query's"),
            None => Ok(()),
        }
    }
}

/// Everything a run knows of one page, fetched or not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// Its place in the order of discovery.
    pub id: SourceId,
    /// Its address.
    pub url: WebUrl,
    /// Its title, as the page itself or the search gave it.
    pub title: String,
    /// The excerpt that the search gave.
    pub snippet: String,
    /// Whose page it is.
    pub outlet: Option<Outlet>,
    /// How a report attributes what it says, where the kind of its outlet matters to readers:
    /// `the company says`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attribution: Option<String>,
    /// Its score at discovery.
    pub credibility: Score,
    /// The shares that the score's relevance is the better of; none if it was not asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shares: Option<Shares>,
    /// How that score came about.
    pub explanation: String,
    /// The day it was published.
    pub published: Option<Date>,
    /// The day of the capture that was read in its place, where its own address is dead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub archived: Option<Date>,
    /// The providers that found it.
    pub providers: Vec<String>,
    /// The round in which it was found.
    pub round: Round,
    /// How fetching it ended, in the fetcher's word, if it was tried.
    pub outcome: Option<String>,
    /// How well it answers the question, if it was read.
    pub relevance: Option<Relevance>,
    /// Its outcome.
    pub verdict: Verdict,
    /// Why, in words.
    pub reason: String,
}
