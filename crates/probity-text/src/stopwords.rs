//! Words that carry no topic, by language.
//!
//! The lists are the files in `stopwords/`, one per language: articles, pronouns, prepositions,
//! conjunctions, auxiliaries, question words and quantifiers. They are part of what a relevance
//! score means, so a change to them is a change of behaviour.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use crate::Language;

/// The stopwords of a language, lower-case.
pub fn stopwords(language: Language) -> &'static HashSet<&'static str> {
    static LISTS: [OnceLock<HashSet<&'static str>>; Language::ALL.len()] =
        [const { OnceLock::new() }; Language::ALL.len()];
    static NONE: OnceLock<HashSet<&'static str>> = OnceLock::new();
    let list = LISTS.get(language as usize).unwrap_or(&NONE);
    list.get_or_init(|| language.stopword_list().split_whitespace().collect())
}

/// In which languages a lower-case word is a stopword: a bit for each, by its discriminant.
pub(crate) fn languages_of(word: &str) -> u32 {
    static ALL: OnceLock<HashMap<&'static str, u32>> = OnceLock::new();
    let all = ALL.get_or_init(|| {
        let mut all: HashMap<&'static str, u32> = HashMap::new();
        for language in Language::ALL {
            for word in language.stopword_list().split_whitespace() {
                *all.entry(word).or_default() |= bit(language);
            }
        }
        all
    });
    all.get(word).copied().unwrap_or(0)
}

/// The bit of a language in what [`languages_of`] tells.
pub(crate) const fn bit(language: Language) -> u32 {
    1 << language as u32
}
