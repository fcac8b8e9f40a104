//! An article → what it is compared by: weighted stems and a centred vector.

use std::hash::BuildHasher as _;
use std::sync::Arc;

use foldhash::fast::FixedState;
use probity_text::Language;
use probity_text::embed::{DIMENSIONS, Embedder};
use probity_text::words::{Stemmer, words};

use super::{Article, Background};

/// A stem by its hash: texts of a newsroom hold too many different ones to keep their letters.
pub(super) type Term = u64;

/// How many stems of a headline are looked at.
const TITLE_TERMS: usize = 32;
/// How much of an article's text counts beside its headline, in bytes.
const LEAD_BYTES: usize = 400;
/// How many stems of the text are looked at.
const LEAD_TERMS: usize = 40;
/// How much a stem of the text counts against one of the headline.
const LEAD_WEIGHT: f32 = 0.35;
/// The share of the likeness that is due to words; the rest is due to meaning.
const LEXICAL_SHARE: f32 = 0.4;

/// How much of their words two articles must share to be linked directly.
const SHARED_WORDS: f32 = 0.07;

/// A stem of a headline, and how rare it is in English at large.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct TitleTerm {
    pub(super) term: Term,
    pub(super) prior: f32,
}

/// The words of a headline.
#[derive(Debug, Clone)]
pub(super) struct TitleWords {
    /// The same for headlines of the same words in the same order.
    pub(super) key: u64,
    /// The distinct stems that carry a topic.
    pub(super) terms: Vec<TitleTerm>,
}

/// What an article is compared by.
#[derive(Debug, Clone)]
pub(super) struct Features {
    /// The same for headlines of the same words in the same order.
    pub(super) key: u64,
    /// The stems of the headline, the rarest first.
    pub(super) title_terms: Vec<Term>,
    /// Words and meaning.
    pub(super) body: Arc<Body>,
}

/// The words and the meaning of an article, or the mean of several. Both parts of one article have
/// length 1, or none.
#[derive(Debug, Clone)]
pub(super) struct Body {
    /// Stems and their weights, ordered by stem.
    pub(super) terms: Vec<(Term, f32)>,
    /// The length of the words' part: how much any other can share with it.
    length: f32,
    /// The direction of the meaning, less what all headlines share.
    vector: Direction,
}

/// A vector of length 1 at most, its parts in steps of 2^-15: half the memory of floating point, and
/// sums that are exact. A window is mostly these, and comparing them is mostly waiting for memory.
type Direction = [i16; DIMENSIONS];

/// How many steps 1 has.
const STEPS: f32 = 32_767.0;

/// Reads the words of a headline.
pub(super) fn words_of(title: &str) -> TitleWords {
    let hasher = FixedState::default();
    let mut key = 0_u64;
    for word in words(title) {
        key = hasher.hash_one((key, word.lower.as_ref()));
    }
    TitleWords { key, terms: terms_of(title, TITLE_TERMS) }
}

fn terms_of(text: &str, limit: usize) -> Vec<TitleTerm> {
    let hasher = FixedState::default();
    let stemmer = Stemmer::new(Language::of_headline(text));
    let mut terms: Vec<TitleTerm> = Vec::new();
    for word in words(text) {
        let Some(stem) = stemmer.content_stem(&word.lower) else { continue };
        let term = hasher.hash_one(stem.as_ref());
        if terms.iter().all(|known| known.term != term) {
            terms.push(TitleTerm { term, prior: prior(&word.lower) });
        }
        if terms.len() >= limit {
            break;
        }
    }
    terms
}

/// How rare a word is in English at large, by its place in the vocabulary of the embeddings, which
/// is ordered by frequency; words it does not hold are the rarest.
fn prior(word: &str) -> f32 {
    /// Where whole words begin in the vocabulary.
    const FIRST_WORD: u32 = 1_990;
    match Embedder::embedded().rank(word) {
        Some(rank) => ((rank.saturating_sub(FIRST_WORD).max(1) as f32).ln() + 0.5).clamp(1.0, 10.0),
        None => 10.0,
    }
}

impl Features {
    /// Reads an article against a background.
    pub(super) fn read(article: &Article, background: &Background) -> Self {
        let TitleWords { key, terms: title } = words_of(&article.title);
        let weigh = |term: &TitleTerm| background.rarity(term.term) * (term.prior / 10.0).sqrt();
        let mut terms: Vec<(Term, f32)> = title.iter().map(|t| (t.term, weigh(t))).collect();
        let mut rarest = terms.clone();
        rarest.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let lead = article.text.get(..article.text.floor_char_boundary(LEAD_BYTES));
        let lead = lead.unwrap_or_default();
        if !lead.is_empty() {
            for term in terms_of(lead, LEAD_TERMS) {
                if title.iter().all(|known| known.term != term.term) {
                    terms.push((term.term, weigh(&term) * LEAD_WEIGHT));
                }
            }
        }
        terms.sort_unstable_by_key(|(term, _)| *term);
        scale(terms.iter_mut().map(|(_, weight)| weight));
        let title_terms = rarest.into_iter().map(|(term, _)| term).collect();
        let vector = centred(&article.title, lead, background);
        Self { key, title_terms, body: Arc::new(Body::new(terms, &vector)) }
    }

    /// How alike two articles are that share distinctive words; none for two that do not, whatever
    /// they mean: names and things are what distinguishes one event from another of its kind.
    pub(super) fn link(&self, other: &Features) -> Option<f32> {
        let words = sparse_product(&self.body.terms, &other.body.terms);
        (words >= SHARED_WORDS).then(|| {
            LEXICAL_SHARE * words
                + (1.0 - LEXICAL_SHARE) * product(&self.body.vector, &other.body.vector)
        })
    }
}

impl Body {
    fn new(mut terms: Vec<(Term, f32)>, vector: &[f32; DIMENSIONS]) -> Self {
        terms.shrink_to_fit();
        let length = terms.iter().map(|(_, weight)| weight * weight).sum::<f32>().sqrt();
        Self { terms, length, vector: vector.map(to_steps) }
    }

    /// How alike two are, if that is at least so much.
    pub(super) fn likeness_from(&self, least: f32, other: &Body) -> Option<f32> {
        let meaning = (1.0 - LEXICAL_SHARE) * product(&self.vector, &other.vector);
        // The words cannot add more than this; to go through them takes longest.
        let most = LEXICAL_SHARE * self.length * other.length * (1.0 + 1e-4) + 1e-6;
        if meaning + most < least {
            return None;
        }
        let likeness = LEXICAL_SHARE * sparse_product(&self.terms, &other.terms) + meaning;
        Some(likeness).filter(|likeness| *likeness >= least)
    }

    /// How alike two articles are, from -1 to 1; of several articles the mean of all pairs, because
    /// both halves are scalar products.
    pub(super) fn likeness(&self, other: &Body) -> f32 {
        LEXICAL_SHARE * sparse_product(&self.terms, &other.terms)
            + (1.0 - LEXICAL_SHARE) * product(&self.vector, &other.vector)
    }

    /// The mean of several, each with its weight. The same parts in the same order give the same
    /// mean to the last bit.
    pub(super) fn mean(parts: &[(&Body, f32)]) -> Self {
        let total = parts.iter().map(|(_, weight)| weight).sum::<f32>().max(1e-9);
        let mut vector = [0.0; DIMENSIONS];
        let mut terms: Vec<(Term, f32)> = Vec::new();
        for (part, weight) in parts {
            let share = weight / total;
            for (x, more) in vector.iter_mut().zip(&part.vector) {
                *x += f32::from(*more) / STEPS * share;
            }
            terms.extend(part.terms.iter().map(|(term, weight)| (*term, weight * share)));
        }
        // A stable sort keeps the order of the parts within a stem.
        terms.sort_by_key(|(term, _)| *term);
        terms.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += next.1;
            }
            same
        });
        Self::new(terms, &vector)
    }
}

fn centred(title: &str, lead: &str, background: &Background) -> [f32; DIMENSIONS] {
    let embedder = Embedder::embedded();
    let mut vector = [0.0; DIMENSIONS];
    let title = embedder.embed(title);
    for ((x, own), mean) in vector.iter_mut().zip(title.as_slice()).zip(background.mean()) {
        *x = own - mean;
    }
    if !lead.is_empty() {
        let lead = embedder.embed(lead);
        for ((x, own), mean) in vector.iter_mut().zip(lead.as_slice()).zip(background.mean()) {
            *x += LEAD_WEIGHT * (own - mean);
        }
    }
    scale(vector.iter_mut());
    vector
}

/// Scales numbers so that the sum of their squares is 1, unless all are 0.
fn scale<'a>(numbers: impl Iterator<Item = &'a mut f32>) {
    let mut numbers: Vec<&mut f32> = numbers.collect();
    let length = numbers.iter().map(|x| **x * **x).sum::<f32>().sqrt();
    if length > 1e-9 {
        for x in &mut numbers {
            **x /= length;
        }
    }
}

/// A part of a vector in steps. Parts beyond 1, of rounding, are 1.
#[expect(clippy::cast_possible_truncation, reason = "the number is within the range of the type")]
fn to_steps(x: f32) -> i16 {
    (x * STEPS).round().clamp(-STEPS, STEPS) as i16
}

/// The scalar product of two vectors.
fn product(left: &Direction, right: &Direction) -> f32 {
    // No sum of parts exceeds the product of the lengths, which is 1: 2^30 steps, give or take
    // rounding, and so within 32 bits.
    let pairs = left.iter().zip(right);
    let sum: i32 = pairs.map(|(a, b)| i32::from(*a) * i32::from(*b)).sum();
    sum as f32 / (STEPS * STEPS)
}

/// A list is searched instead of walked when it is this many times as long as the other.
const MUCH_LONGER: usize = 12;

/// The scalar product of two lists that are ordered by stem.
fn sparse_product(left: &[(Term, f32)], right: &[(Term, f32)]) -> f32 {
    let (mut short, mut long) =
        if left.len() <= right.len() { (left, right) } else { (right, left) };
    let mut sum = 0.0;
    if short.len() * MUCH_LONGER < long.len() {
        for (term, x) in short {
            let found = long.binary_search_by_key(term, |(term, _)| *term);
            if let Some((_, y)) = found.ok().and_then(|at| long.get(at)) {
                sum += x * y;
            }
        }
        return sum;
    }
    while let ([(a, x), short_rest @ ..], [(b, y), long_rest @ ..]) = (short, long) {
        if a == b {
            sum += x * y;
        }
        if a <= b {
            short = short_rest;
        }
        if b <= a {
            long = long_rest;
        }
    }
    sum
}
