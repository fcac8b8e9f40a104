//! Does the cited source say what the sentence says?
//!
//! ```text
//! source → sentences → for a claim the best windows → pairs → (a reader reads them) → exact checks → verdict
//! ```
//!
//! Listing the pairs ([`SourceIndex::pairs`]) and deciding from what was read
//! ([`SourceIndex::decide`]) are pure and apart from each other; the caller has the pairs read in
//! between. The reader judges meaning; code judges what is exact: numbers, dates, names,
//! quotations.

mod decide;
pub mod disown;
pub mod evaluate;
mod index;
mod name;
mod number;
pub(crate) mod quote;
mod readings;

use std::ops::Range;
use std::sync::Arc;

use probity_reader::{Stop, Stopped, TextReader};
use probity_text::sentences::sentences;
use serde::{Deserialize, Serialize};

pub use readings::{PAIRS_MOST, Pair, Readings, Wanted, borrowed};

pub use decide::{THRESHOLDS, Thresholds};

pub use quote::quotations;

pub(crate) use number::follows;

use decide::{Judgement, decide};
use index::{Index, Window};

/// How much of a claim is read. A sentence of a report has less.
pub const CLAIM_BYTES: usize = 8_000;
/// How much of a source is read.
pub const SOURCE_BYTES: usize = 4_000_000;
/// How many sentences of a claim are checked.
const CLAIM_SENTENCES: usize = 20;
/// How many pairs are read for one claim and one source; each sentence has at least one.
const CLAIM_PAIRS: usize = 40;

/// Whether a source supports a claim. Ordered: more support is greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Support {
    /// It does not, or says something else.
    Unsupported,
    /// It supports a part, or something weaker.
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
    /// How well the claim is supported, from 0 to 1.
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
pub struct SourceIndex {
    index: Index,
    /// The byte at which each page begins.
    page_starts: Vec<usize>,
}

impl SourceIndex {
    /// Prepares a source; of a very long one, its first [`SOURCE_BYTES`]. A text that is shared is not copied.
    pub fn new(text: impl Into<Arc<str>>) -> Self {
        Self::paged(text, &[])
    }

    /// As [`SourceIndex::new`], for a source with pages: the byte of the text at which each begins.
    pub fn paged(text: impl Into<Arc<str>>, page_starts: &[usize]) -> Self {
        let text = text.into();
        let text = match text.get(..text.floor_char_boundary(SOURCE_BYTES)) {
            Some(first) if first.len() < text.len() => first.into(),
            _ => text,
        };
        Self { index: Index::new(text), page_starts: page_starts.to_vec() }
    }

    /// The text as quotations are looked up in it.
    pub(crate) fn quotable(&self) -> &str {
        self.index.quotable()
    }

    /// What has to be read to decide on a claim: nothing for what the source says word for word.
    pub fn pairs(&self, claim: &str) -> Vec<Pair> {
        if self.whole(claim).is_some() {
            return Vec::new();
        }
        let sentences = claim_sentences(claim);
        let mut pairs = Vec::new();
        for sentence in &sentences {
            if self.index.verbatim(sentence).is_none() {
                let windows = self.windows(sentence, sentences.len());
                pairs.extend(self.pairs_of(sentence, &windows));
            }
        }
        pairs
    }

    /// Decides on a claim from what was read. Of several sentences the worst counts.
    pub fn decide(&self, claim: &str, readings: &Readings) -> Check {
        if let Some(said) = self.says(claim) {
            return said;
        }
        let sentences = claim_sentences(claim);
        let judged = sentences.iter().map(|sentence| {
            if let Some(bytes) = self.index.verbatim(sentence) {
                return Judgement::verbatim(bytes);
            }
            let windows = self.windows(sentence, sentences.len());
            let pairs = self.pairs_of(sentence, &windows);
            decide(&self.index, sentence, &windows, &pairs, readings)
        });
        let judged: Vec<Judgement> = judged.collect();
        let opposed = judged.iter().any(|judgement| judgement.opposed);
        let worst = judged.into_iter().min_by(|a, b| a.value.total_cmp(&b.value));
        worst.map_or_else(nothing, |worst| self.checked(worst, opposed))
    }

    /// Where the source says a claim word for word. A sentence may end elsewhere in a quotation of
    /// several than in the source.
    fn whole(&self, claim: &str) -> Option<Range<usize>> {
        (claim.len() <= CLAIM_BYTES).then(|| self.index.verbatim(claim)).flatten()
    }

    fn checked(&self, judged: Judgement, opposed: bool) -> Check {
        Check {
            support: judged.support,
            value: judged.value,
            passage: judged.passage.and_then(|bytes| self.passage(bytes)),
            reasons: judged.reasons,
            opposed,
        }
    }

    /// What is found of a claim that the source says word for word; nothing of any other.
    pub fn says(&self, claim: &str) -> Option<Check> {
        self.whole(claim).map(|bytes| self.checked(Judgement::verbatim(bytes), false))
    }

    /// Lists, reads and decides in one go, where the reader's results are not stored.
    ///
    /// ```
    /// use probity_reader::{Stop, TextReader};
    /// use probity_report::check::{SourceIndex, Support};
    ///
    /// let source = SourceIndex::new("The mill closed in 1850. It had employed 1,200 people.");
    /// let check = |claim| source.check(claim, &TextReader::Lexical, &Stop::never());
    /// assert_eq!(check("The mill closed in 1850.")?.support, Support::Supported);
    /// assert_eq!(check("The mill closed in 1805.")?.support, Support::Unsupported);
    /// # Ok::<(), probity_reader::Stopped>(())
    /// ```
    ///
    /// # Errors
    /// When the reader is stopped.
    pub fn check(&self, claim: &str, reader: &TextReader, stop: &Stop) -> Result<Check, Stopped> {
        let mut wanted = Wanted::default();
        wanted.add(self.pairs(claim));
        Ok(self.decide(claim, &Readings::of(wanted.into_pairs(), reader, stop)?))
    }

    /// The windows that are read for a sentence of a claim that has this many.
    fn windows(&self, sentence: &str, sentences: usize) -> Vec<Window> {
        self.index.windows(sentence, (CLAIM_PAIRS / sentences.max(1)).max(1))
    }

    fn pairs_of(&self, sentence: &str, windows: &[Window]) -> Vec<Pair> {
        let pair = |window: &Window| {
            let passage = self.index.passage(window);
            let claim = number::in_words_of(sentence, &passage).into_owned();
            Pair { claim, passage }
        };
        windows.iter().map(pair).collect()
    }

    fn passage(&self, bytes: Range<usize>) -> Option<Passage> {
        let text = self.index.text.get(bytes.clone())?.to_owned();
        let page = self.page_starts.partition_point(|start| *start <= bytes.start);
        Some(Passage { start: bytes.start, end: bytes.end, page: (page > 0).then_some(page), text })
    }
}

/// Checks one claim against one source; for many claims, keep a [`SourceIndex`].
///
/// # Errors
/// When the reader is stopped.
pub fn check_claim(
    claim: &str,
    source: &str,
    reader: &TextReader,
    stop: &Stop,
) -> Result<Check, Stopped> {
    SourceIndex::new(source).check(claim, reader, stop)
}

/// The sentences of a claim that are checked, each on one line.
fn claim_sentences(claim: &str) -> Vec<String> {
    let claim = claim.get(..claim.floor_char_boundary(CLAIM_BYTES)).unwrap_or(claim);
    let line = |range: Range<usize>| {
        let text = claim.get(range).unwrap_or_default();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    sentences(claim).into_iter().take(CLAIM_SENTENCES).map(line).collect()
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
