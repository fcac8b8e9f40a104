//! Reading a text once through a question: sentences → words → distinct forms, each compared.

use std::collections::HashMap;
use std::ops::Range;

use super::affinity::{Candidate, affinity};
use super::lens::Lens;
use crate::Language;
use crate::embed::{Embedder, Sum};
use crate::question::{Role, Term};
use crate::senses::Senses;
use crate::sentences::sentences;
use crate::words::words;

/// How many bytes of a text are read; what follows is not judged.
pub const TEXT_BYTES: usize = 1 << 20;
/// A heading has at most this many words.
const HEADING_WORDS: usize = 12;
/// A word that stands this well for one term is no evidence for another.
const TAKEN: f64 = 0.9;
/// A sentence speaks of a term from this match on.
const TOLD: f64 = 0.5;
/// What a name counts that is written without its capital.
const UNCAPPED: f64 = 0.8;

/// A text, as far as a question is concerned.
pub(super) struct Reading<'t> {
    pub text: &'t str,
    pub sentences: Vec<Sentence>,
    pub words: Vec<Word>,
    pub forms: Vec<Form>,
}

/// A sentence and what it is.
pub(super) struct Sentence {
    pub bytes: Range<usize>,
    pub words: Range<usize>,
    /// The number of its paragraph: of its line.
    pub paragraph: usize,
    /// A line of its own without a full stop.
    pub heading: bool,
    /// It ends in a question mark.
    pub asks: bool,
}

/// A word in its place.
pub(super) struct Word {
    pub start: usize,
    pub form: usize,
    pub capital: bool,
}

/// A distinct word.
pub(super) struct Form {
    pub lower: String,
    pub stem: String,
    /// Whether it carries a topic.
    pub content: bool,
    /// Which of the lens's stems it has.
    pub known: Option<usize>,
    /// How well it stands for each term of the lens.
    pub affinity: Vec<f64>,
    /// Its best cosine with each piece of the lens.
    pub cosines: Vec<f32>,
    pub sum: Sum,
}

impl<'t> Reading<'t> {
    pub(super) fn new(lens: &Lens, text: &'t str) -> Self {
        let text = text.get(..text.floor_char_boundary(TEXT_BYTES)).unwrap_or(text);
        let mut reading =
            Reading { text, sentences: Vec::new(), words: Vec::new(), forms: Vec::new() };
        let mut known: HashMap<String, usize> = HashMap::new();
        let (mut paragraph, mut end) = (0, 0);
        for bytes in sentences(text) {
            paragraph +=
                usize::from(text.get(end..bytes.start).is_some_and(|gap| gap.contains('\n')));
            end = bytes.end;
            let Some(sentence) = text.get(bytes.clone()) else {
                continue;
            };
            let first = reading.words.len();
            for word in words(sentence) {
                let form = match known.get(word.lower.as_ref()) {
                    Some(form) => *form,
                    None => {
                        known.insert(word.lower.clone().into_owned(), reading.forms.len());
                        reading.forms.push(Form::new(lens, &word.lower));
                        reading.forms.len() - 1
                    }
                };
                let capital = word.raw.starts_with(char::is_uppercase);
                reading.words.push(Word { start: bytes.start + word.start, form, capital });
            }
            let words = first..reading.words.len();
            let heading = words.len() <= HEADING_WORDS && is_line(text, &bytes);
            let asks = sentence
                .trim_end_matches(|c: char| !c.is_alphanumeric() && c != '?')
                .ends_with('?');
            reading.sentences.push(Sentence { bytes, words, paragraph, heading, asks });
        }
        reading
    }

    /// The bytes of some sentences.
    pub(super) fn bytes(&self, sentences: &Range<usize>) -> Option<Range<usize>> {
        let found = self.sentences.get(sentences.clone())?;
        Some(found.first()?.bytes.start..found.last()?.bytes.end)
    }

    pub(super) fn words_of(&self, sentence: &Sentence) -> &[Word] {
        self.words.get(sentence.words.clone()).unwrap_or_default()
    }

    pub(super) fn form(&self, word: &Word) -> Option<&Form> {
        self.forms.get(word.form)
    }

    pub(super) fn lower(&self, word: &Word) -> &str {
        self.form(word).map_or("", |form| form.lower.as_str())
    }

    /// The best affinity of a sentence's words with each of some terms, which begin at `first` in the
    /// lens.
    pub(super) fn matches(&self, sentence: &Sentence, terms: &[Term], first: usize) -> Vec<f64> {
        let mut best = vec![0.0; terms.len()];
        let words = self.words_of(sentence);
        for (at, word) in words.iter().enumerate() {
            let Some(affinity) = self.form(word).and_then(|form| form.affinity.get(first..)) else {
                continue;
            };
            for ((best, value), term) in best.iter_mut().zip(affinity).zip(terms) {
                // "port" in a text is hardly the Port of "Port Ellery".
                let named = term.role != Role::Name || word.capital;
                let value = if named { *value } else { UNCAPPED * value };
                let value = if self.is_another(term, words, at) { 0.0 } else { value };
                *best = f64::max(*best, value);
            }
        }
        best
    }

    /// Whether a sentence itself speaks of something that the question is about: of what is done or
    /// happens, where the question names it. The day a line was decided on is not the day it opened.
    pub(super) fn tells(&self, sentence: &Sentence, terms: &[Term], first: usize) -> bool {
        let matches = self.matches(sentence, terms, first);
        let acts = terms.iter().any(|term| term.verb);
        let content = |term: &Term| matches!(term.role, Role::Content | Role::Asked);
        let counts = |term: &Term| content(term) && (term.verb || !acts);
        terms.iter().zip(matches).any(|(term, found)| counts(term) && found >= TOLD)
    }

    /// Whether a word is followed by another number than the one that names the term: a text on line 5
    /// says nothing on line 4.
    fn is_another(&self, term: &Term, words: &[Word], at: usize) -> bool {
        let (Some(number), Some(word), Some(next)) =
            (&term.number, words.get(at), words.get(at + 1))
        else {
            return false;
        };
        let (word_form, next_form) = (self.form(word), self.form(next));
        let (Some(one), Some(two)) = (word_form, next_form) else { return false };
        one.stem == term.stem
            && next.start == word.start + one.lower.len() + 1
            && two.lower.bytes().all(|byte| byte.is_ascii_digit())
            && two.lower != *number
    }

    /// Whether a sentence speaks of a namesake with another number, and not of the one asked about.
    pub(super) fn is_of_another(&self, sentence: &Sentence, terms: &[Term]) -> bool {
        let words = self.words_of(sentence);
        terms.iter().any(|term| {
            let Some(number) = &term.number else { return false };
            (0..words.len()).any(|at| self.is_another(term, words, at))
                && !words.iter().any(|word| self.lower(word) == number)
        })
    }

    /// How many distinct content words of a sentence the question does not have already. A number or
    /// a name is news enough by itself, so it counts as two.
    pub(super) fn news(&self, sentence: &Sentence) -> usize {
        let mut seen = Vec::new();
        let mut news = 0;
        for (at, word) in self.words_of(sentence).iter().enumerate() {
            let Some(form) = self.form(word) else { continue };
            let new = form.content && form.affinity.iter().all(|value| *value < TAKEN);
            if new && !seen.contains(&word.form) {
                seen.push(word.form);
                let number = form.lower.starts_with(|c: char| c.is_ascii_digit());
                let named = word.capital && (at > 0 || is_only_noun(&form.lower));
                news += if number || named { 2 } else { 1 };
            }
        }
        news
    }
}

impl Form {
    fn new(lens: &Lens, lower: &str) -> Self {
        let embedder = Embedder::embedded();
        let question = &lens.question;
        let stem = question.stemmer().stem(lower).into_owned();
        let content = question.stemmer().content_stem(lower).is_some();
        let pieces = embedder.pieces(lower);
        let sum = embedder.sum(&pieces);
        let cosines = cosines(lens, &pieces);
        let mut affinity = vec![0.0; lens.terms().count()];
        if content {
            let english = question.language() == Language::English;
            let senses = if english { Senses::of(lower) } else { Senses::default() };
            let candidate = Candidate {
                word: lower,
                stem: &stem,
                vector: &sum.direction(),
                senses: &senses,
                english,
            };
            for (value, (term, kind)) in affinity.iter_mut().zip(lens.terms()) {
                *value = self::affinity(term, kind, &candidate);
            }
            let most = affinity.iter().copied().fold(0.0, f64::max);
            if most >= TAKEN {
                affinity.iter_mut().filter(|value| **value < most).for_each(|value| *value = 0.0);
            }
        }
        let known = lens.stems.iter().position(|(known, _)| *known == stem);
        Self { lower: lower.to_owned(), stem, content, known, affinity, cosines, sum }
    }
}

/// Whether a word that opens a sentence with a capital may be a name: no verb or adjective.
fn is_only_noun(word: &str) -> bool {
    crate::lexicon::kinds(word).is_none_or(|kinds| kinds.noun >= 0.9)
}

fn cosines(lens: &Lens, pieces: &[crate::embed::PieceId]) -> Vec<f32> {
    let vectors: Vec<_> = pieces.iter().map(|id| Embedder::embedded().mean(&[*id])).collect();
    let best = |piece: &crate::embed::Vector| {
        vectors.iter().map(|vector| piece.cosine(vector)).fold(0.0, f32::max)
    };
    lens.pieces.iter().map(|(piece, _)| best(piece)).collect()
}

/// Whether a sentence fills a line and does not end like a sentence.
fn is_line(text: &str, bytes: &Range<usize>) -> bool {
    let mark = |c: char| matches!(c, '#' | '*' | '_' | '=' | '-' | '>' | ' ' | '\t' | '\r' | '|');
    let before = text.get(..bytes.start).unwrap_or_default().trim_end_matches(mark);
    let after = text.get(bytes.end..).unwrap_or_default().trim_start_matches(mark);
    let sentence = text.get(bytes.clone()).unwrap_or_default();
    (before.is_empty() || before.ends_with('\n'))
        && (after.is_empty() || after.starts_with('\n'))
        && !sentence.ends_with(['.', '!', '?', ';', ',', '…', '。'])
}
