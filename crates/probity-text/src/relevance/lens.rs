//! A question as the judge looks through it: its terms, stems and pieces, made ready once.

use super::namesake::FullName;
use crate::embed::{Embedder, Vector};
use crate::question::{Kind, Question, Role, Term, rarity};
use crate::stopwords::stopwords;
use crate::words::words;

/// A question made ready for many texts.
pub(super) struct Lens {
    pub question: Question,
    /// The distinct content stems with their rarity.
    pub stems: Vec<(String, f64)>,
    /// The pieces of the content words, each with its direction and weight.
    pub pieces: Vec<(Vector, f64)>,
    /// Its names that say what kind of thing they name.
    pub names: Vec<FullName>,
}

impl Lens {
    pub(super) fn new(text: &str) -> Self {
        let question = Question::read(text);
        let stop = stopwords(question.language());
        let (mut stems, mut pieces) = (Vec::<(String, f64)>::new(), Vec::new());
        let embedder = Embedder::embedded();
        for word in words(text).take(crate::question::WORDS) {
            let Some(stem) = question.stemmer().content_stem(&word.lower) else {
                continue;
            };
            if !stems.iter().any(|(known, _)| *known == *stem) {
                stems.push((stem.into_owned(), rarity(&word.lower)));
            }
            if !stop.contains(word.lower.as_ref()) {
                let ids = embedder.pieces(&word.lower);
                pieces.extend(
                    ids.iter().map(|id| (embedder.mean(&[*id]), f64::from(embedder.weight(*id)))),
                );
            }
        }
        Self { question, stems, pieces, names: FullName::all(text) }
    }

    /// The terms of all parts in order, each with the kind of its part.
    pub(super) fn terms(&self) -> impl Iterator<Item = (&Term, Kind)> {
        self.question
            .parts()
            .iter()
            .flat_map(|part| part.terms.iter().map(|term| (term, part.kind)))
    }

    /// The terms that are names or numbers.
    pub(super) fn named(&self) -> impl Iterator<Item = &Term> {
        self.terms()
            .map(|(term, _)| term)
            .filter(|term| matches!(term.role, Role::Name | Role::Number))
    }
}
