//! Words that carry no topic, by language.
//!
//! The lists are the files in `stopwords/`, one per language: articles, pronouns, prepositions,
//! conjunctions, auxiliaries, question words and quantifiers. They are part of what a relevance
//! score means, so a change to them is a change of behaviour.

use std::collections::HashSet;
use std::sync::OnceLock;

use crate::Language;

/// The stopwords of a language, lower-case.
pub fn stopwords(language: Language) -> &'static HashSet<&'static str> {
    static LISTS: [OnceLock<HashSet<&'static str>>; Language::Other as usize + 1] =
        [const { OnceLock::new() }; Language::Other as usize + 1];
    static NONE: OnceLock<HashSet<&'static str>> = OnceLock::new();
    let list = LISTS.get(language as usize).unwrap_or(&NONE);
    list.get_or_init(|| language.stopword_list().split_whitespace().collect())
}
