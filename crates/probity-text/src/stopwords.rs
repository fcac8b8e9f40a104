//! Words that carry no topic, by language.
//!
//! The lists are the files in `stopwords/`, one per language: articles, pronouns, prepositions,
//! conjunctions, auxiliaries, question words and quantifiers. They are part of what a relevance
//! score means, so a change to them is a change of behaviour.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use crate::Language;

fn list(language: Language) -> &'static str {
    match language {
        Language::Arabic => include_str!("stopwords/ar.txt"),
        Language::Danish => include_str!("stopwords/da.txt"),
        Language::Dutch => include_str!("stopwords/nl.txt"),
        Language::English => include_str!("stopwords/en.txt"),
        Language::Finnish => include_str!("stopwords/fi.txt"),
        Language::French => include_str!("stopwords/fr.txt"),
        Language::German => include_str!("stopwords/de.txt"),
        Language::Greek => include_str!("stopwords/el.txt"),
        Language::Hungarian => include_str!("stopwords/hu.txt"),
        Language::Italian => include_str!("stopwords/it.txt"),
        Language::Norwegian => include_str!("stopwords/no.txt"),
        Language::Polish => include_str!("stopwords/pl.txt"),
        Language::Portuguese => include_str!("stopwords/pt.txt"),
        Language::Romanian => include_str!("stopwords/ro.txt"),
        Language::Russian => include_str!("stopwords/ru.txt"),
        Language::Spanish => include_str!("stopwords/es.txt"),
        Language::Swedish => include_str!("stopwords/sv.txt"),
        Language::Turkish => include_str!("stopwords/tr.txt"),
        Language::Tamil | Language::Other => "",
    }
}

/// The stopwords of a language, lower-case.
pub fn stopwords(language: Language) -> &'static HashSet<&'static str> {
    static LISTS: [OnceLock<HashSet<&'static str>>; Language::ALL.len()] =
        [const { OnceLock::new() }; Language::ALL.len()];
    static NONE: OnceLock<HashSet<&'static str>> = OnceLock::new();
    LISTS
        .get(language as usize)
        .unwrap_or(&NONE)
        .get_or_init(|| list(language).split_whitespace().collect())
}

/// In which languages a lower-case word is a stopword: a bit for each, by its discriminant.
pub(crate) fn languages_of(word: &str) -> u32 {
    static ALL: OnceLock<HashMap<&'static str, u32>> = OnceLock::new();
    let all = ALL.get_or_init(|| {
        let mut all: HashMap<&'static str, u32> = HashMap::new();
        for language in Language::ALL {
            for word in list(language).split_whitespace() {
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
