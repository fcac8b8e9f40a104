//! Does a text answer a question? A whole score from 1 to 5, and one sentence why.
//!
//! question → lens ([`Question`], read once) → text (`reading`: sentences, words, forms) → windows
//! (`window`: terms and typed value together) → topic of the passage around (`heads`) → value →
//! score (`scale`) → reason (`why`)
//!
//! To share the topic is not to answer. The heads alone take a luthier's price list for an answer to
//! what guitarists charge; the windows ask whether the terms of the question and the kind of value
//! that it asks for stand together in one or two sentences.

mod affinity;
mod concepts;
pub mod evaluate;
mod heads;
mod lens;
mod namesake;
mod rank;
mod reading;
mod scale;
mod values;
mod why;
mod window;

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::question::{Kind, Part, Question, Role, Term};
use lens::Lens;
pub use rank::rank_sentences;
use reading::Reading;
pub use reading::TEXT_BYTES;
use window::{Finds, Window};

/// Passages around the best windows of which the topic is judged.
const PASSAGES: usize = 3;
/// How many words such a passage has, about.
const PASSAGE_WORDS: usize = 120;
/// What the best part of a compound question counts beside the worst.
const BEST_PART: f64 = 0.8;
/// The lowest score that the gate keeps by default.
pub const KEPT: u8 = 3;

/// How well a text answers a question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Judgement {
    /// 5 answers directly and with specifics, 4 is strongly relevant, 3 touches the topic, 2 shares
    /// keywords, 1 is off topic.
    pub score: u8,
    /// What the score was cut from, from 0 to 1.
    pub value: f64,
    /// One sentence for a person. It quotes words of the question and at most one word of the text.
    pub why: String,
    /// The bytes of the text that speak most to the question, if any do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Range<usize>>,
}

/// What a sentence holds of the kind of value that a question asks for.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Held {
    /// How surely it holds one, from 0 to 1.
    pub surety: f64,
    /// The same for each part of the question.
    pub parts: Vec<f64>,
    /// The amounts and dates that are values of that kind, as they are written.
    pub amounts: Vec<String>,
}

/// Judges one pair. For several texts and one question, [`Judge`] reads the question only once.
///
/// ```
/// use probity_text::relevance::judge;
///
/// let question = "How much does a replacement passport cost?";
/// assert!(judge(question, "", "Replacing a lost passport costs 85 marks for adults.").score >= 4);
/// assert!(judge(question, "", "The photograph must show the whole face.").score <= 2);
/// ```
pub fn judge(question: &str, title: &str, text: &str) -> Judgement {
    Judge::new(question).judge(title, text)
}

/// Judges texts by one question.
pub struct Judge {
    lens: Lens,
}

/// What one part of a question found in a text.
struct Found<'a> {
    part: &'a Part,
    window: Window,
    value: f64,
}

impl Found<'_> {
    /// Whether a text says neither yes nor no, because it has nowhere most of what is asked: a page on
    /// how much water a reservoir holds does not say whether one can drink it.
    fn is_silent(&self) -> bool {
        let asked = |term: &Term| matches!(term.role, Role::Content | Role::Asked);
        let terms = || self.part.terms.iter().zip(&self.window.anywhere);
        let weight = |most: f64| -> f64 {
            let counted = terms().filter(|(term, found)| asked(term) && **found < most);
            counted.map(|(term, _)| term.weight).sum()
        };
        self.part.kind == Kind::YesNo
            && weight(scale::MISSING) > scale::SILENT * weight(f64::INFINITY)
    }
}

impl Judge {
    /// Reads a question.
    pub fn new(question: &str) -> Self {
        Self { lens: Lens::new(question) }
    }

    /// The question as it was read.
    pub fn question(&self) -> &Question {
        &self.lens.question
    }

    /// Judges a text with its title, which may be empty. The same input gives the same judgement.
    pub fn judge(&self, title: &str, text: &str) -> Judgement {
        let reading = Reading::new(&self.lens, text);
        let title = Reading::new(&self.lens, title);
        let found = self.find(&reading, &title);
        // A page on the castle says nothing on the museum of the same town.
        let strays = self.lens.names.iter().any(|name| name.is_never_meant(title.text, text))
            || self.is_numbered_otherwise(&title, &reading);
        let best = found.iter().max_by(|a, b| a.value.total_cmp(&b.value));
        let silent = best.is_some_and(Found::is_silent);
        let value = together(&found).min(if strays || silent { scale::HOLLOW } else { 1.0 });
        let score = scale::score(value);
        let evidence = best
            .filter(|best| best.value > 0.0)
            .and_then(|best| reading.bytes(&best.window.sentences));
        Judgement { score, value, why: why::why(score, &found, &reading), evidence }
    }

    /// How much of the question each sentence of a text holds, from 0 to 1, in the order of
    /// [`sentences`](crate::sentences::sentences). What stands around a sentence, above it and in the
    /// title lends it a part of its meaning: under "Noise" a limit in decibels speaks of noise.
    pub fn sentences(&self, title: &str, text: &str) -> Vec<f64> {
        let reading = Reading::new(&self.lens, text);
        let title = Reading::new(&self.lens, title);
        let mut strengths = vec![0.0_f64; reading.sentences.len()];
        let mut first = 0;
        for part in self.lens.question.parts() {
            let each = Finds::new(part, first, &reading, &title).each();
            strengths.iter_mut().zip(each).for_each(|(best, one)| *best = best.max(one));
            first += part.terms.len();
        }
        strengths
    }

    /// What each sentence of a text holds of the kind of value that the question asks for, in the order
    /// of [`sentences`](crate::sentences::sentences). Nothing is held where the question asks for no
    /// such value, or of another thing: line 5 where line 4 is asked about.
    pub fn values(&self, title: &str, text: &str) -> Vec<Held> {
        let reading = Reading::new(&self.lens, text);
        let title = Reading::new(&self.lens, title);
        let parts = self.lens.question.parts();
        let none = Held { parts: vec![0.0; parts.len()], ..Held::default() };
        let mut held = vec![none; reading.sentences.len()];
        let mut first = 0;
        for (at, part) in parts.iter().enumerate() {
            let typed = part.kind.is_typed();
            let values = Finds::new(part, first, &reading, &title).values();
            for (held, sentence) in held.iter_mut().zip(&reading.sentences) {
                // A sum is seldom there by chance; a date or a name often is, so it has to stand with
                // something of the question.
                let told = part.kind.is_amount() || reading.tells(sentence, &part.terms, first);
                if typed && told && !reading.is_of_another(sentence, &part.terms) {
                    let surety = values.of(sentence);
                    held.surety = held.surety.max(surety);
                    held.parts.iter_mut().skip(at).take(1).for_each(|part| *part = surety);
                    held.amounts.extend(values.amounts(sentence));
                }
            }
            first += part.terms.len();
        }
        held
    }

    /// Whether a sentence under a title speaks of a namesake of what is asked about, and not of that:
    /// of line 5 where the question names line 4.
    pub fn is_of_another(&self, title: &str, text: &str) -> bool {
        let terms = || self.lens.question.parts().iter().flat_map(|part| &part.terms);
        let numbered = terms().any(|term| term.number.is_some());
        let another = |text: &str| self.has_another(&Reading::new(&self.lens, text));
        // A sentence that names no number speaks of what its title names.
        let named = || text.contains(|c: char| c.is_ascii_digit()) && self.names_it(text);
        numbered && (another(text) || another(title) && !named())
            || self.lens.names.iter().any(|name| name.is_not_meant(title, text))
    }

    /// Whether a text is on a namesake with another number throughout: on line 5, and never on line 4.
    fn is_numbered_otherwise(&self, title: &Reading<'_>, reading: &Reading<'_>) -> bool {
        (self.has_another(title) || self.has_another(reading))
            && !self.names_it(title.text)
            && !self.names_it(reading.text)
    }

    /// Whether a sentence of a text speaks of a namesake with another number.
    fn has_another(&self, reading: &Reading<'_>) -> bool {
        let parts = self.lens.question.parts();
        let one = |sentence| parts.iter().any(|part| reading.is_of_another(sentence, &part.terms));
        reading.sentences.iter().any(one)
    }

    /// Whether a text has the number that names what is asked about.
    fn names_it(&self, text: &str) -> bool {
        let terms = self.lens.question.parts().iter().flat_map(|part| &part.terms);
        let numbers: Vec<&str> = terms.filter_map(|term| term.number.as_deref()).collect();
        crate::words::words(text).any(|word| numbers.contains(&word.lower.as_ref()))
    }

    /// The best window for each part of the question.
    fn find(&self, reading: &Reading<'_>, title: &Reading<'_>) -> Vec<Found<'_>> {
        let exponent = scale::length(reading.sentences.len());
        let mut first = 0;
        let mut found = Vec::new();
        for part in self.lens.question.parts() {
            let finds = Finds::new(part, first, reading, title);
            let valued = finds.best(PASSAGES).into_iter().map(|window| {
                let topic =
                    heads::topic(&self.lens, reading, title, passage(reading, &window.sentences));
                let value = (window.strength * topic.powf(scale::TOPIC)).powf(exponent);
                Found { part, window, value }
            });
            found.extend(valued.max_by(|a, b| a.value.total_cmp(&b.value)));
            first += part.terms.len();
        }
        found
    }
}

/// The value of all parts: an answer to one of several is worth most of an answer to all.
fn together(found: &[Found<'_>]) -> f64 {
    let best = found.iter().map(|found| found.value).fold(0.0, f64::max);
    let worst = found.iter().map(|found| found.value).fold(1.0, f64::min).min(best);
    (BEST_PART * best + (1.0 - BEST_PART) * worst).clamp(0.0, 1.0)
}

/// The sentences around a window, about [`PASSAGE_WORDS`] words in all.
fn passage(reading: &Reading<'_>, window: &Range<usize>) -> Range<usize> {
    let words = |at: usize| reading.sentences.get(at).map_or(0, |sentence| sentence.words.len());
    let count = reading.sentences.len();
    let mut range = window.clone();
    let mut length: usize = range.clone().map(words).sum();
    while length < PASSAGE_WORDS && (range.start > 0 || range.end < count) {
        let (before, after) = (window.start - range.start, range.end - window.end);
        if range.start > 0 && (range.end >= count || before <= after) {
            range.start -= 1;
            length += words(range.start);
        } else {
            length += words(range.end);
            range.end += 1;
        }
    }
    range
}

#[cfg(test)]
mod tests;
