//! Reading a question before reading any text: its kind, its terms and what each counts.
//!
//! words → parts of a compound question → kind of answer ([`Kind`]) → terms with roles ([`Term`])

mod facets;
mod kind;
mod read;
mod term;

pub use kind::{Kind, Tense};
pub(crate) use term::rarity;
pub use term::{Role, Term};

use std::ops::Range;

use crate::Language;
use crate::embed::{Embedder, Vector};
use crate::lex::{self, tokens};
use crate::tag::{Tag, Tagged, named_things, tag};
use crate::words::Stemmer;
use read::Reading;

/// How many bytes of a question are looked at.
pub const QUESTION_BYTES: usize = 8_000;
/// How many words of a question are looked at.
pub const WORDS: usize = 200;
/// How many parts of a compound question are told apart.
pub const PARTS: usize = 4;

/// A question that was read.
pub struct Question {
    language: Language,
    stemmer: Stemmer,
    parts: Vec<Part>,
    vector: Vector,
}

/// One of the questions in a compound question; most have only this one.
#[derive(Debug, Clone)]
pub struct Part {
    /// The kind of answer it asks for.
    pub kind: Kind,
    /// Its words, as they stand in the question.
    pub text: String,
    /// Whether it asks about the past or the future.
    pub tense: Tense,
    /// Its terms, in order.
    pub terms: Vec<Term>,
}

impl Question {
    /// Reads a question; of a very long one its beginning.
    pub fn read(text: &str) -> Self {
        let text = text.get(..text.floor_char_boundary(QUESTION_BYTES)).unwrap_or(text);
        let language = Language::detect(text);
        let stemmer = Stemmer::new(language);
        let tagged = named_things(tag(tokens(text)));
        let parts = split(&tagged)
            .into_iter()
            .filter_map(|range| {
                let words = tagged.get(range)?;
                Some(facets::facets(part(text, words, &stemmer)?, words))
            })
            .flatten()
            .take(PARTS)
            .collect();
        let vector = Embedder::embedded().embed(text);
        let mut question = Self { language, stemmer, parts, vector };
        question.share_terms();
        question
    }

    /// Its language.
    pub fn language(&self) -> Language {
        self.language
    }

    /// The questions in it: one, unless it is a compound; none, if it has no content word.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The stemmer of its language.
    pub(crate) fn stemmer(&self) -> &Stemmer {
        &self.stemmer
    }

    /// Its vector.
    pub(crate) fn vector(&self) -> &Vector {
        &self.vector
    }

    /// A later part may leave out what the first one named ("and how long does it take?").
    fn share_terms(&mut self) {
        let Some((first, rest)) = self.parts.split_first_mut() else {
            return;
        };
        for part in rest {
            let bare = !part.terms.iter().any(|term| term.role == Role::Content);
            let lent = |term: &&Term| match term.role {
                Role::Name => true,
                Role::Content => bare,
                _ => false,
            };
            let new = |term: &&Term| part.terms.iter().all(|own| own.stem != term.stem);
            let lent: Vec<Term> = first.terms.iter().filter(lent).filter(new).cloned().collect();
            part.terms.extend(lent);
        }
        self.parts.retain(|part| !part.terms.is_empty());
    }
}

fn part(text: &str, tagged: &[Tagged<'_>], stemmer: &Stemmer) -> Option<Part> {
    let words: Vec<Tagged<'_>> = tagged
        .iter()
        .filter(|tagged| tagged.token.kind != lex::Kind::Mark)
        .take(WORDS)
        .cloned()
        .collect();
    let reading = match stemmer.language() {
        Language::English => read::read(&words),
        _ => Reading {
            kind: Kind::Open,
            tense: Tense::Any,
            told: vec![],
            asked: None,
            subject: None,
        },
    };
    let terms = term::terms(text, &words, &reading, stemmer);
    let spoken = text.get(words.first()?.token.start..words.last()?.token.end())?.to_owned();
    let part = Part { kind: reading.kind, text: spoken, tense: reading.tense, terms };
    (!part.terms.is_empty()).then_some(part)
}

/// Splits at question marks, and where a second question word follows a conjunction or a comma.
fn split(tagged: &[Tagged<'_>]) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut start = 0;
    for (at, one) in tagged.iter().enumerate() {
        if ranges.len() + 1 >= PARTS || at <= start + 1 {
            continue;
        }
        let before = tagged.get(at - 1);
        let word = one.token.lower.as_ref();
        let asks = matches!(word, "how" | "what" | "when" | "where" | "which" | "who" | "why");
        let joined = before.is_some_and(|before| {
            matches!(before.token.lower.as_ref(), "and" | "or" | "," | ";")
                && before.tag != Tag::Noun
        });
        let opened = tagged
            .get(start..at)
            .unwrap_or_default()
            .iter()
            .any(|one| read::opens(&one.token.lower));
        let ended = before.is_some_and(|before| before.token.is("?"));
        if ended || asks && joined && opened {
            ranges.push(start..at);
            start = at;
        }
    }
    ranges.push(start..tagged.len());
    ranges
}
