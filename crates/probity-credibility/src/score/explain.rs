//! A score in words: the sum, and the reason for each part.
//!
//! Explanations are written for every page that a search finds, millions of them where lists are
//! scored, so they are written piece by piece and their numbers without the general machinery.

use std::fmt::{self, Display, Formatter};

use probity_core::printable;

use super::{Assessment, QueryShare, Share};
use crate::number::{Fixed, Short};

/// How many words of each kind are listed before the rest is cut off.
const LISTED_WORDS: usize = 8;

/// How much of a query is shown.
const QUERY_CHARS: usize = 80;

/// Writes the explanation of an assessment.
pub(super) struct Explanation<'a> {
    pub(super) assessment: &'a Assessment,
    /// Whether the user handed the page over, so that no score blocks it.
    pub(super) handed_over: bool,
}

impl Display for Explanation<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let assessment = self.assessment;
        let score = &assessment.score;
        let [authority_weight, relevance_weight] = assessment.weights;
        Short(authority_weight).fmt(f)?;
        f.write_str(" × ")?;
        Fixed::<2>(score.authority).fmt(f)?;
        f.write_str(" authority (")?;
        if assessment.retracted {
            f.write_str("retracted, so at most 0.20; ")?;
        }
        assessment.authority.fmt(f)?;
        f.write_str(") + ")?;
        Short(relevance_weight).fmt(f)?;
        f.write_str(" × ")?;
        Fixed::<2>(score.relevance).fmt(f)?;
        f.write_str(" relevance (")?;
        write_relevance(f, assessment)?;
        f.write_str(") + ")?;
        Fixed::<2>(score.recency).fmt(f)?;
        f.write_str(" recency (")?;
        match &assessment.recency_evidence {
            Some(evidence) => {
                f.write_str("recent: ")?;
                f.write_str(evidence)?;
            }
            None => f.write_str("no sign of recency")?,
        }
        f.write_str(") = ")?;
        Fixed::<3>(score.total).fmt(f)?;
        f.write_str(if assessment.blocked() { " ≤ " } else { " > " })?;
        Short(assessment.threshold).fmt(f)?;
        f.write_str(match (assessment.blocked(), self.handed_over) {
            (false, _) => ": may be fetched",
            (true, false) => ": blocked",
            (true, true) => ": read all the same, it was handed over",
        })
    }
}

fn write_relevance(f: &mut Formatter<'_>, assessment: &Assessment) -> fmt::Result {
    if assessment.question.words() == 0 {
        f.write_str("the question has no content word")?;
    } else {
        write_share(f, &assessment.question, "question")?;
    }
    let Some(QueryShare { query, share }) = &assessment.query else { return Ok(()) };
    f.write_str("; ")?;
    write_share(f, share, "query")?;
    f.write_str(": “")?;
    f.write_str(&printable::brief(query, QUERY_CHARS))?;
    f.write_str("”")
}

/// "3 of 5 question words found; missing: night, town".
fn write_share(f: &mut Formatter<'_>, share: &Share, whose: &str) -> fmt::Result {
    let words = share.words();
    if share.found == words {
        return write!(f, "all {words} {whose} words found");
    }
    share.found.fmt(f)?;
    f.write_str(" of ")?;
    words.fmt(f)?;
    f.write_str(" ")?;
    f.write_str(whose)?;
    f.write_str(" words found")?;
    write_list(f, "; near: ", &share.near, |f, near| {
        write!(f, "{} by {} ", near.word, near.by)?;
        Fixed::<2>(near.counts).fmt(f)
    })?;
    write_list(f, "; missing: ", &share.missing, |f, word| f.write_str(word))
}

fn write_list<T>(
    f: &mut Formatter<'_>,
    title: &str,
    items: &[T],
    write: impl Fn(&mut Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    for (position, item) in items.iter().take(LISTED_WORDS).enumerate() {
        f.write_str(if position == 0 { title } else { ", " })?;
        write(f, item)?;
    }
    if items.len() > LISTED_WORDS { f.write_str(", …") } else { Ok(()) }
}
