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

mod clause;
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

use clause::clauses;
use decide::{Judgement, decide};
use index::{Index, Window};

/// How much of a claim is read. A sentence of a report has less.
pub const CLAIM_BYTES: usize = 8_000;
/// How much of a source is read.
pub const SOURCE_BYTES: usize = 4_000_000;
/// How many statements of a claim are checked.
const CLAIM_STATEMENTS: usize = 20;
/// How many pairs are read for one claim and one source; each statement has at least one.
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

/// A statement of a claim, on one line.
struct Statement {
    text: String,
    /// Where the source says it word for word.
    verbatim: Option<Range<usize>>,
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
        let statements = self.statements(claim);
        let unread = statements.iter().filter(|one| one.verbatim.is_none());
        let pairs = |one: &Statement| {
            let windows = self.windows(&one.text, statements.len());
            self.pairs_of(&one.text, &windows)
        };
        unread.flat_map(pairs).collect()
    }

    /// Decides on a claim from what was read. Of several statements the worst counts.
    pub fn decide(&self, claim: &str, readings: &Readings) -> Check {
        if let Some(said) = self.says(claim) {
            return said;
        }
        let statements = self.statements(claim);
        let judged = statements.iter().map(|one| {
            if let Some(bytes) = one.verbatim.clone() {
                return Judgement::verbatim(bytes);
            }
            let windows = self.windows(&one.text, statements.len());
            let pairs = self.pairs_of(&one.text, &windows);
            decide(&self.index, &one.text, &windows, &pairs, readings)
        });
        let judged: Vec<Judgement> = judged.collect();
        let opposed = judged.iter().any(|judgement| judgement.opposed);
        let together = self.index.together(judged.iter().filter_map(|one| one.passage.clone()));
        let worst = judged.into_iter().min_by(|a, b| a.value.total_cmp(&b.value));
        let Some(mut worst) = worst else { return nothing() };
        if worst.support == Support::Supported {
            worst.passage = together.or(worst.passage);
        }
        self.checked(worst, opposed)
    }

    /// The statements of a claim that are checked: its sentences, and of what the source does not say word for word the
    /// clauses.
    fn statements(&self, claim: &str) -> Vec<Statement> {
        let claim = claim.get(..claim.floor_char_boundary(CLAIM_BYTES)).unwrap_or(claim);
        let line = |range: Range<usize>| {
            let text = claim.get(range).unwrap_or_default();
            text.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        let statement =
            |text: &str| Statement { text: text.to_owned(), verbatim: self.index.verbatim(text) };
        let of_sentence = |text: String| match statement(&text) {
            said if said.verbatim.is_some() => vec![said],
            _ => clauses(&text).into_iter().map(statement).collect(),
        };
        let sentences = sentences(claim).into_iter().map(line);
        sentences.flat_map(of_sentence).take(CLAIM_STATEMENTS).collect()
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

    /// The windows that are read for a statement of a claim that has this many.
    fn windows(&self, statement: &str, statements: usize) -> Vec<Window> {
        self.index.windows(statement, (CLAIM_PAIRS / statements.max(1)).max(1))
    }

    fn pairs_of(&self, statement: &str, windows: &[Window]) -> Vec<Pair> {
        let pair = |window: &Window| {
            let passage = self.index.passage(window);
            let claim = number::in_words_of(statement, &passage).into_owned();
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

fn nothing() -> Check {
    Check {
        support: Support::Unsupported,
        value: 0.0,
        passage: None,
        reasons: vec!["the claim says nothing that can be checked".to_owned()],
        opposed: false,
    }
}
