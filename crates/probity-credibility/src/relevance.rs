//! How much of the question a title and snippet speak of.

use std::collections::HashMap;

use probity_text::Language;
use probity_text::words::{Stemmer, words};

/// How many words' stems are remembered between texts before the memory is emptied.
const REMEMBERED_WORDS: usize = 50_000;
/// Texts longer than this are read up to here; snippets are far shorter.
const TEXT_BYTES: usize = 64 * 1024;

/// A question prepared for scoring: its distinct content words in its own language.
pub struct QuestionWords {
    stemmer: Stemmer,
    stems: Vec<String>,
    shown: Vec<String>,
    index: HashMap<String, usize>,
}

impl QuestionWords {
    /// Prepares a question.
    pub fn new(question: &str) -> Self {
        let stemmer = Stemmer::new(Language::detect(question));
        let mut index = HashMap::new();
        let mut stems = Vec::new();
        let mut shown = Vec::new();
        for word in words(question) {
            let Some(stem) = stemmer.content_stem(&word.lower) else { continue };
            if !index.contains_key(stem.as_ref()) {
                index.insert(stem.clone().into_owned(), stems.len());
                stems.push(stem.into_owned());
                shown.push(word.raw.to_owned());
            }
        }
        Self { stemmer, stems, shown, index }
    }

    /// Whether the question asks for anything at all.
    pub fn is_empty(&self) -> bool {
        self.stems.is_empty()
    }

    /// The content words as they stand in the question.
    pub fn shown(&self) -> &[String] {
        &self.shown
    }

    /// The language that the question was found to be in.
    pub fn language(&self) -> Language {
        self.stemmer.language()
    }
}

/// Finds the question's words in many texts, remembering the stems of words it has met.
#[derive(Default)]
pub(crate) struct Overlap {
    /// Word → position of its stem in the question, if it has one there.
    met: HashMap<String, Option<usize>>,
}

impl Overlap {
    /// Marks which of the question's words occur in the texts.
    pub(crate) fn found(&mut self, question: &QuestionWords, texts: [&str; 2]) -> Vec<bool> {
        let mut found = vec![false; question.stems.len()];
        for text in texts {
            let text = text.get(..text.floor_char_boundary(TEXT_BYTES)).unwrap_or(text);
            for word in words(text) {
                if let Some(seen) =
                    self.position(question, &word.lower).and_then(|i| found.get_mut(i))
                {
                    *seen = true;
                }
            }
        }
        found
    }

    fn position(&mut self, question: &QuestionWords, word: &str) -> Option<usize> {
        if let Some(position) = self.met.get(word) {
            return *position;
        }
        let position = question.index.get(question.stemmer.stem(word).as_ref()).copied();
        if self.met.len() >= REMEMBERED_WORDS {
            self.met.clear();
        }
        self.met.insert(word.to_owned(), position);
        position
    }
}

/// The share of the question's content words that were found; a missing word counts `partial`.
pub(crate) fn share(found: &[bool], partial: impl Fn(usize) -> f64) -> f64 {
    if found.is_empty() {
        return 0.0;
    }
    let sum: f64 = found
        .iter()
        .enumerate()
        .map(|(i, &there)| if there { 1.0 } else { partial(i).clamp(0.0, 1.0) })
        .sum();
    sum / found.len() as f64
}

/// The question's words that a text lacks, as they stand in the question.
pub(crate) fn missing(question: &QuestionWords, found: &[bool]) -> Vec<String> {
    let lacking = question.shown.iter().zip(found).filter(|(_, there)| !**there);
    lacking.map(|(word, _)| word.clone()).collect()
}
