//! How much of a question's words a passage has: BM25 over passages, and nearness in meaning beside it.
//!
//! Only the question's own words are counted, so one pass over the passages does it and no index is kept.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::Language;
use crate::embed::{Embedder, Vector};
use crate::words::{Stemmer, each_lower, words};

/// How soon repetition of a word stops counting.
const K1: f64 = 1.2;
/// How much a long passage is held back.
const B: f64 = 0.75;
/// The fewest words of a passage, unless a heading cuts it off. A shorter one is not denser for it: a line of code under
/// a good heading would come before the paragraph that answers.
const USUAL_WORDS: f64 = 60.0;

/// What a word counts for beside a compound that ends in it: a fence of one kind is a fence, but may be another one.
const AS_COMPOUND: f64 = 0.5;
/// The fewest letters of a word at the end of a compound, and of what stands before it.
const HEAD_CHARS: usize = 4;
const BEFORE_CHARS: usize = 3;

/// Up to about this rank of the vocabulary, which is ordered by frequency, a word is in every passage of a hundred
/// words: by Zipf's law, with the first word as every tenth.
const COMMON_RANK: f64 = 10.0;

/// A question made ready to be looked for.
pub struct Query {
    stemmer: Stemmer,
    /// Its distinct content stems.
    stems: Vec<String>,
    /// The weight of each of them in the language as a whole: rare ones more.
    background: Vec<f64>,
    vector: Vector,
}

/// A passage to rank: the words of its title count once more.
#[derive(Debug, Clone, Copy)]
pub struct Text<'a> {
    /// The title of its document, with the headings above it.
    pub lead: &'a str,
    /// Its text.
    pub body: &'a str,
}

/// What a passage has of a question.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lexical {
    /// BM25.
    pub bm25: f64,
    /// The same with words as rare as they are in the language, as a share of the most that any passage could
    /// have, from 0 to 1: it means the same in any collection.
    pub share: f64,
    /// The share of the question's content words that it has, from 0 to 1.
    pub covered: f64,
    /// The cosine of the static vectors.
    pub cosine: f64,
}

impl Query {
    /// Reads a question.
    pub fn new(question: &str) -> Self {
        let stemmer = Stemmer::new(Language::detect(question));
        let (mut stems, mut background): (Vec<String>, Vec<f64>) = (Vec::new(), Vec::new());
        for word in words(question) {
            let Some(stem) = stemmer.content_stem(&word.lower) else { continue };
            if !stems.iter().any(|known| *known == stem) {
                stems.push(stem.into_owned());
                background.push(rarity(&word.lower));
            }
        }
        Self { stems, background, stemmer, vector: Embedder::embedded().embed(question) }
    }

    /// Measures every passage. The passages given together are the collection that words are rare in.
    pub fn measure(&self, texts: &[Text<'_>]) -> Vec<Lexical> {
        let mut counter = Counter::new(self);
        let counted: Vec<Counted> = texts.iter().map(|text| counter.count(text)).collect();
        let weights = self.weights(&counted);
        let total: f64 = self.background.iter().sum();
        let mean = mean_length(&counted).max(USUAL_WORDS);
        let measure = |(text, counted): (&Text<'_>, &Counted)| {
            let length = 1.0 - B + B * counted.length.max(mean) / mean;
            let sum = |weights: &[f64]| -> f64 {
                let each = weights.iter().zip(&counted.hits);
                each.map(|(weight, hits)| weight * hits * (K1 + 1.0) / (hits + K1 * length)).sum()
            };
            let covered = counted.hits.iter().filter(|hits| **hits > 0.0).count();
            Lexical {
                bm25: sum(&weights),
                share: if total > 0.0 { sum(&self.background) / (total * (K1 + 1.0)) } else { 0.0 },
                covered: ratio(covered, self.stems.len()),
                cosine: f64::from(self.vector.cosine(&embed(text))),
            }
        };
        texts.iter().zip(&counted).map(measure).collect()
    }

    /// Which of the question's words a stem is; in languages that write compounds as one word also one that ends in
    /// it, or in which it ends.
    fn hit(&self, stem: &str) -> Option<Hit> {
        let same = self.stems.iter().position(|own| own == stem).map(|number| (number, 1.0));
        let related = |own: &String| ends_compound(own, stem) || ends_compound(stem, own);
        same.or_else(|| {
            let compounds = self.stemmer.language().compounds();
            let number = self.stems.iter().position(|own| compounds && related(own));
            number.map(|number| (number, AS_COMPOUND))
        })
    }

    /// The weight of each word: rare ones more.
    fn weights(&self, counted: &[Counted]) -> Vec<f64> {
        let total = count(counted.len());
        (0..self.stems.len())
            .map(|word| {
                let has = |one: &&Counted| one.hits.get(word).is_some_and(|hits| *hits > 0.0);
                let held = count(counted.iter().filter(has).count());
                (1.0 + (total - held + 0.5) / (held + 0.5)).ln()
            })
            .collect()
    }
}

/// Whether a compound ends in a word. What stands before it is a word too, so it is not short and has a vowel.
fn ends_compound(word: &str, compound: &str) -> bool {
    let before = compound.strip_suffix(word).unwrap_or_default();
    let is_vowel = |c: char| {
        matches!(c, 'a' | 'e' | 'i' | 'o' | 'u' | 'y' | 'ä' | 'ö' | 'ü' | 'å' | 'æ' | 'ø')
    };
    before.chars().count() >= BEFORE_CHARS
        && word.chars().count() >= HEAD_CHARS
        && before.contains(is_vowel)
        && !word.contains(|c: char| c.is_ascii_digit())
}

/// The weight of a word: one that the vocabulary has only in pieces is rare.
fn rarity(word: &str) -> f64 {
    /// Where the words begin: before them stand signs and letters.
    const FIRST_WORD: f64 = 1_995.0;
    const RAREST: f64 = 30_000.0;
    let rank = Embedder::embedded().rank(word).map_or(RAREST, |rank| f64::from(rank) - FIRST_WORD);
    (1.0 + rank.max(1.0) / COMMON_RANK).ln()
}

/// What a passage says, roughly: its lead and its text together.
fn embed(text: &Text<'_>) -> Vector {
    Embedder::embedded().embed(&format!("{}{}", text.lead, text.body))
}

/// How often a passage has each word of the question, and how long it is.
struct Counted {
    hits: Vec<f64>,
    length: f64,
}

/// Counts the question's words; a word is stemmed once, however often it comes.
struct Counter<'q> {
    query: &'q Query,
    known: HashMap<String, Option<Hit>>,
}

/// Which word of the question a word is, and what it counts for.
type Hit = (usize, f64);

impl<'q> Counter<'q> {
    fn new(query: &'q Query) -> Self {
        Self { query, known: HashMap::new() }
    }

    fn count(&mut self, text: &Text<'_>) -> Counted {
        let mut counted = Counted { hits: vec![0.0; self.query.stems.len()], length: 0.0 };
        self.add(text.lead, &mut counted);
        counted.length = 0.0;
        self.add(text.body, &mut counted);
        counted
    }

    fn add(&mut self, text: &str, counted: &mut Counted) {
        each_lower(text, |word| {
            counted.length += 1.0;
            if let Some((number, weight)) = self.hit(word)
                && let Some(hits) = counted.hits.get_mut(number)
            {
                *hits += weight;
            }
        });
    }

    fn hit(&mut self, word: &str) -> Option<Hit> {
        if let Some(known) = self.known.get(word) {
            return *known;
        }
        let stem = self.query.stemmer.content_stem(word).map(Cow::into_owned);
        let hit = stem.and_then(|stem| self.query.hit(&stem));
        self.known.insert(word.to_owned(), hit);
        hit
    }
}

fn mean_length(counted: &[Counted]) -> f64 {
    let total: f64 = counted.iter().map(|one| one.length).sum();
    (total / count(counted.len()).max(1.0)).max(1.0)
}

fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { count(part) / count(whole) }
}

fn count(number: usize) -> f64 {
    u32::try_from(number).map_or(f64::from(u32::MAX), f64::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measure(question: &str, bodies: &[&str]) -> Vec<Lexical> {
        let texts: Vec<Text<'_>> = bodies.iter().map(|body| Text { lead: "", body }).collect();
        Query::new(question).measure(&texts)
    }

    #[test]
    fn rare_words_tell_more_than_common_ones() {
        let found = measure(
            "Does the ferry carry bicycles?",
            &[
                "The ferry is white.",
                "Bicycles are white.",
                "The ferry is late.",
                "The ferry waits.",
            ],
        );
        assert!(found[1].bm25 > found[0].bm25, "{found:?}");
    }

    #[test]
    fn a_title_counts_as_one_more_occurrence() {
        let query = Query::new("ferry timetable");
        let found = query.measure(&[
            Text { lead: "The ferry: ", body: "The timetable hangs at the pier." },
            Text { lead: "", body: "The timetable hangs at the pier." },
        ]);
        assert_eq!((found[0].covered, found[1].covered), (1.0, 0.5));
    }

    #[test]
    fn a_line_under_a_heading_does_not_come_before_a_paragraph() {
        let lead = "Lanterns > Kinds: ";
        let line = Text { lead, body: "make lanterns" };
        let paragraph = "There are five kinds of lanterns in the museum of the harbour. ".repeat(5);
        let paragraph = Text { lead, body: &paragraph };
        let found = Query::new("How many kinds of lanterns are there in the museum?")
            .measure(&[line, line, line, paragraph]);
        assert!(found[3].bm25 > found[0].bm25 && found[3].share > found[0].share, "{found:?}");
    }

    #[test]
    fn shares_lie_between_nothing_and_all() {
        let found = measure("ferry ferries", &["ferry ".repeat(500).as_str(), "", "boats"]);
        assert!(found.iter().all(|one| (0.0..=1.0).contains(&one.share)), "{found:?}");
        assert_eq!(found[1].bm25, 0.0);
    }

    #[test]
    fn a_compound_is_found_by_what_it_ends_in() {
        let bodies = ["Elektrozäune schützen die Herde.", "Hunde schützen die Herde."];
        let found = measure("Wie hoch muss ein Zaun sein?", &bodies);
        assert!(found[0].covered > found[1].covered && found[0].bm25 > found[1].bm25, "{found:?}");
        let bodies = ["Der Ansatz ruht zwei Stunden.", "Der Teig ruht zwei Stunden."];
        let found = measure("Wie lange ruht der Sauerteigansatz?", &bodies);
        assert!(found[0].covered > found[1].covered, "{found:?}");
        assert!(!ends_compound("rand", "brand") && !ends_compound("1990", "war1990"));
        // English parts its compounds.
        let found = measure("How high is a fence?", &["offence", "nothing"]);
        assert_eq!(found[0].covered, 0.0);
    }

    #[test]
    fn a_question_without_words_finds_nothing() {
        let found = measure("???", &["anything"]);
        assert_eq!((found[0].bm25, found[0].share), (0.0, 0.0));
    }
}
