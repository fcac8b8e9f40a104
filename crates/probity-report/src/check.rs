//! Does the cited source say what the sentence says?
//!
//! ```text
//! source → sentences, clauses, words, quantities (once)
//! claim  → the same → best passages → words aligned → numbers, names, roles, denials, hedges → verdict
//! ```
//!
//! A claim is held against every promising passage of one to three neighbouring sentences, and the
//! kindest honest verdict counts. Of several sentences in one claim, the worst counts.

mod additions;
mod align;
mod attributes;
mod binding;
mod company;
mod comparison;
mod copy;
mod deeds;
mod denial;
mod edges;
mod evidence;
mod extent;
mod family;
mod finding;
mod frame;
mod index;
mod judge;
mod kinship;
mod life;
mod likelihood;
mod names;
mod numbers;
mod order;
mod outcome;
mod pair;
mod planned;
mod polarity;
mod reading;
mod reckon;
mod roles;
mod scores;
mod sequence;
mod signals;
mod slots;
mod stages;
mod strength;
mod trend;
mod weights;

use std::ops::Range;

use probity_text::embed::Embedder;
use serde::{Deserialize, Serialize};

use align::Kin;
use index::Index;
use judge::{Judgement, judge, span};
use reading::{Reading, Sentence};

/// How much of a claim is read. A sentence of a report has less.
pub const CLAIM_BYTES: usize = 8_000;
/// How much of a source is read.
pub const SOURCE_BYTES: usize = 4_000_000;
/// How many sentences of a claim are checked.
const CLAIM_SENTENCES: usize = 20;

/// Whether a source bears a claim out. Ordered: more support is greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Support {
    /// It does not, or says something else.
    Unsupported,
    /// It bears out a part, or something weaker.
    Partly,
    /// It does.
    Supported,
}

impl Support {
    /// What the source does, as a report says it.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Support::Supported => "says so",
            Support::Partly => "says so in part",
            Support::Unsupported => "does not say so",
        }
    }
}

/// The passage of a source that a claim was held against.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passage {
    /// Where it begins in the source, in bytes.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// The page it begins on, counted from 1, where the source has pages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<usize>,
    /// Its text.
    pub text: String,
}

/// What checking one claim against one source found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Check {
    /// The verdict.
    pub support: Support,
    /// How well the claim is borne out, from 0 to 1.
    pub value: f64,
    /// The passage that comes closest.
    pub passage: Option<Passage>,
    /// What is missing or different.
    pub reasons: Vec<String>,
    /// Whether the passage speaks of the same thing and says otherwise, rather than less or nothing.
    #[serde(default)]
    pub opposed: bool,
}

/// A source prepared for many checks.
pub struct SourceIndex<'a> {
    index: Index<'a>,
    /// The byte at which each page begins.
    page_starts: &'a [usize],
}

impl<'a> SourceIndex<'a> {
    /// Prepares a source; of a very long one, its first [`SOURCE_BYTES`].
    pub fn new(text: &'a str) -> Self {
        Self::paged(text, &[])
    }

    /// As [`SourceIndex::new`], for a source with pages: the byte of the text at which each begins.
    ///
    /// ```
    /// use probity_report::check::SourceIndex;
    ///
    /// let source = SourceIndex::paged("The mill closed in 1850.\nIt employed 1,200 people.", &[0, 25]);
    /// let check = source.check("The mill had 1,200 employees.");
    /// assert_eq!(check.passage.and_then(|passage| passage.page), Some(1));
    /// ```
    pub fn paged(text: &'a str, page_starts: &'a [usize]) -> Self {
        let text = text.get(..text.floor_char_boundary(SOURCE_BYTES)).unwrap_or(text);
        Self { index: Index::new(text), page_starts }
    }

    /// Holds a claim against the source.
    ///
    /// ```
    /// use probity_report::check::{SourceIndex, Support};
    ///
    /// let source = SourceIndex::new("The mill closed in 1850. It had employed 1,200 people.");
    /// assert_eq!(source.check("The mill employed 1.2 thousand people.").support, Support::Supported);
    /// assert_eq!(source.check("The mill closed in 1805.").support, Support::Unsupported);
    /// ```
    pub fn check(&self, claim: &str) -> Check {
        let claim = claim.get(..claim.floor_char_boundary(CLAIM_BYTES)).unwrap_or(claim).trim();
        if let Some(check) = self.quoted(claim) {
            return check;
        }
        let reading = Reading::new(claim, |word| self.index.name(word).is_some());
        let worst = reading
            .sentences
            .iter()
            .take(CLAIM_SENTENCES)
            .map(|sentence| self.best(&reading, sentence))
            .min_by(|a, b| a.value.total_cmp(&b.value));
        match worst {
            Some(judgement) => self.reported(judgement),
            None => nothing(),
        }
    }

    /// What is measured about a claim, by name: the row that the verdict's weights are fitted on. For a
    /// claim of several sentences, that of the worst.
    pub fn signals(&self, claim: &str) -> Vec<(&'static str, f32)> {
        let claim = claim.get(..claim.floor_char_boundary(CLAIM_BYTES)).unwrap_or(claim).trim();
        let reading = Reading::new(claim, |word| self.index.name(word).is_some());
        let worst = reading
            .sentences
            .iter()
            .take(CLAIM_SENTENCES)
            .map(|sentence| self.best(&reading, sentence))
            .min_by(|a, b| a.value.total_cmp(&b.value));
        worst.map_or_else(Vec::new, |judgement| judgement.signals)
    }

    /// A claim that stands in the source word for word, whatever its closing stop.
    fn quoted(&self, claim: &str) -> Option<Check> {
        let text = self.index.reading.text;
        let bare = claim
            .trim_end_matches(['.', '!', '?', '"', '”', '\''])
            .trim_start_matches(['"', '“', '\'']);
        // Two words are no quotation.
        bare.split_whitespace().nth(2)?;
        let start = text.find(bare)?;
        let end = start + bare.len();
        let cut = |at: Option<char>| at.is_some_and(char::is_alphanumeric);
        let inside =
            cut(text.get(..start)?.chars().next_back()) || cut(text.get(end..)?.chars().next());
        // A quotation that begins or ends inside a sentence may leave out what turns it round.
        let whole = self.index.reading.sentences.iter().any(|sentence| {
            let opens = sentence.bytes.start >= start && sentence.bytes.start <= start + 2;
            let rest = text.get(end..sentence.bytes.end).unwrap_or_default();
            opens && (sentence.bytes.end <= end + 3 || adds_only(rest))
        });
        (!inside && whole).then(|| Check {
            support: Support::Supported,
            value: 1.0,
            passage: self.passage(self.sentences_around(start..end)),
            reasons: Vec::new(),
            opposed: false,
        })
    }

    /// The bytes of the whole sentences that some bytes lie in.
    fn sentences_around(&self, bytes: Range<usize>) -> Range<usize> {
        let touched = |sentence: &&Sentence| {
            sentence.bytes.end > bytes.start && sentence.bytes.start < bytes.end
        };
        let mut all = self.index.reading.sentences.iter().filter(touched);
        match (all.clone().next(), all.next_back()) {
            (Some(first), Some(last)) => first.bytes.start..last.bytes.end,
            _ => bytes,
        }
    }

    /// The kindest verdict on one sentence of a claim over the passages worth looking at.
    fn best(&self, claim: &Reading<'_>, sentence: &Sentence) -> Judgement {
        let passages = self.index.passages(claim, sentence);
        let source = &self.index.reading;
        let mut sentences: Vec<usize> = passages.iter().cloned().flatten().collect();
        sentences.sort_unstable();
        sentences.dedup();
        let stretches: Vec<Range<usize>> =
            sentences.iter().map(|at| span(source, &(*at..at + 1))).collect();
        let kin = Kin::new(claim, sentence.words.clone(), source, &stretches);
        let vector =
            Embedder::embedded().embed(claim.text.get(sentence.bytes.clone()).unwrap_or_default());
        let judged = passages
            .into_iter()
            .map(|passage| judge(&self.index, claim, sentence, &kin, &vector, passage));
        // The passage that holds most of the claim is the one to judge it by; among equals the shorter
        // and earlier is the better evidence.
        let rank =
            |judgement: &Judgement| judgement.rank() - 0.012 * judgement.passage.len() as f64;
        judged
            .max_by(|a, b| rank(a).total_cmp(&rank(b)).then(b.passage.start.cmp(&a.passage.start)))
            .unwrap_or_else(Judgement::nothing)
    }

    fn reported(&self, judgement: Judgement) -> Check {
        let sentences =
            self.index.reading.sentences.get(judgement.passage.clone()).unwrap_or_default();
        let passage = match (sentences.first(), sentences.last()) {
            (Some(first), Some(last)) if judgement.score > 0.15 => {
                self.passage(first.bytes.start..last.bytes.end)
            }
            _ => None,
        };
        Check {
            support: judgement.support,
            value: judgement.value,
            passage,
            reasons: judgement.reasons,
            opposed: judgement.opposed,
        }
    }

    fn passage(&self, bytes: Range<usize>) -> Option<Passage> {
        let text = self.index.reading.text.get(bytes.clone())?.to_owned();
        let page = self.page_starts.partition_point(|start| *start <= bytes.start);
        Some(Passage { start: bytes.start, end: bytes.end, page: (page > 0).then_some(page), text })
    }
}

/// Checks one claim against one source; for many claims, keep a [`SourceIndex`].
pub fn check_claim(claim: &str, source: &str) -> Check {
    SourceIndex::new(source).check(claim)
}

/// Whether the rest of a sentence goes on without turning round what stands before it.
fn adds_only(rest: &str) -> bool {
    const TURNS: &[&str] = &[
        "not",
        "no",
        "never",
        "nor",
        "but",
        "if",
        "unless",
        "until",
        "except",
        "only",
        "according",
        "reportedly",
        "allegedly",
        "claimed",
        "said",
        "denied",
        "wrongly",
        "falsely",
    ];
    let goes_on = [", ", "; ", " with ", " and "].iter().any(|sign| rest.starts_with(sign));
    goes_on && !rest.split(|c: char| !c.is_alphanumeric()).any(|word| TURNS.contains(&word))
}

fn nothing() -> Check {
    Check {
        support: Support::Unsupported,
        value: 0.0,
        passage: None,
        reasons: vec!["the claim says nothing that can be checked".to_owned()],
        opposed: false,
    }
}
