//! Whether a sentence holds the kind of value that the question asks for, from 0 to 1.
//!
//! A price question needs money, a `how many` a number of the asked things, a `when` a date; and so
//! on by [`Kind`]. The value alone proves nothing: it counts beside the question's terms.

mod amounts;
mod price;
mod signs;

use super::reading::{Reading, Sentence, Word};
use crate::question::{Kind, Part, Role};

/// A value of another kind, or one that only hints at an answer.
const HINT: f64 = 0.5;
/// A word stands for the subject of the question from this affinity on; mere neighbours do not.
pub(super) const MEANT: f64 = 0.7;

/// How many sentences are looked at for prices of other things.
const SENTENCES: usize = 60;

/// Looks for the values that one part of a question asks for.
pub(super) struct Values<'a, 't> {
    part: &'a Part,
    reading: &'a Reading<'t>,
    /// Where the part's terms begin in the lens.
    first: usize,
    /// The places of the subject and of the asked class among the lens's terms.
    subject: Option<usize>,
    asked: Option<usize>,
    /// Whether the title names the subject.
    titled: bool,
}

impl<'a, 't> Values<'a, 't> {
    pub(super) fn new(
        part: &'a Part,
        first: usize,
        reading: &'a Reading<'t>,
        titled: bool,
    ) -> Self {
        let place = |found: Option<usize>| found.map(|at| first + at);
        Self {
            part,
            reading,
            first,
            titled,
            subject: place(part.terms.iter().position(|term| term.subject)),
            asked: place(part.terms.iter().position(|term| term.role == Role::Asked)),
        }
    }

    /// A noun whose price the text names, among the first sentences, that is not the subject's.
    pub(super) fn other_price(&self) -> Option<String> {
        let sentences = self.reading.sentences.iter().take(SENTENCES);
        sentences
            .map(|sentence| View { values: self, sentence, words: self.reading.words_of(sentence) })
            .find_map(|view| view.other_owner())
    }

    /// How surely a sentence holds a value of the part's kind.
    pub(super) fn of(&self, sentence: &Sentence) -> f64 {
        if sentence.asks && self.part.kind.is_typed() {
            return 0.0;
        }
        let view = View { values: self, sentence, words: self.reading.words_of(sentence) };
        match self.part.kind {
            Kind::Price => view.price(),
            Kind::Count => view.count(),
            Kind::Measure => view.measure(),
            Kind::Duration => view.duration(),
            Kind::Frequency => view.frequency(),
            Kind::Date => view.date(),
            Kind::Cause => view.cause(),
            Kind::Method => view.method(),
            Kind::Contrast => view.contrast(),
            Kind::Person => view.person(),
            Kind::Place => view.place(),
            Kind::Permission => view.permission(),
            Kind::Definition => view.definition(),
            Kind::YesNo | Kind::Which | Kind::Open => 1.0,
        }
    }

    /// The amounts and dates of a sentence that are of the part's kind, as they are written.
    pub(super) fn amounts(&self, sentence: &Sentence) -> Vec<String> {
        if sentence.asks {
            return Vec::new();
        }
        let view = View { values: self, sentence, words: self.reading.words_of(sentence) };
        let ranges = match self.part.kind {
            Kind::Price => view.prices(),
            Kind::Count | Kind::Measure | Kind::Duration | Kind::Date => view.amounts(),
            _ => Vec::new(),
        };
        ranges.into_iter().filter_map(|range| view.text().get(range).map(str::to_owned)).collect()
    }
}

/// One sentence, looked at for a value.
struct View<'a, 't> {
    values: &'a Values<'a, 't>,
    sentence: &'a Sentence,
    words: &'a [Word],
}

impl View<'_, '_> {
    fn text(&self) -> &str {
        self.values.reading.text.get(self.sentence.bytes.clone()).unwrap_or_default()
    }

    fn lower(&self, word: &Word) -> &str {
        self.values.reading.lower(word)
    }

    fn has(&self, list: &[&str]) -> bool {
        self.words.iter().any(|word| list.contains(&self.lower(word)))
    }

    /// How well a word stands for a term of the lens.
    fn affinity(&self, word: &Word, term: Option<usize>) -> f64 {
        let form = self.values.reading.form(word);
        term.and_then(|term| form?.affinity.get(term).copied()).unwrap_or_default()
    }

    /// Whether a word is not in the question already.
    fn is_new(&self, word: &Word) -> bool {
        let form = self.values.reading.form(word);
        form.is_some_and(|form| form.content && form.affinity.iter().all(|value| *value < 0.9))
    }
}
