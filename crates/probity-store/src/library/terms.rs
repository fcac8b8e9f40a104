//! Text → the terms that the index holds: stems without stopwords and without accents.
//!
//! Both engines are given finished terms and index them as they are. What matches what is decided
//! here alone, so a library answers the same on SQLite and on PostgreSQL.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use probity_text::Language;
use probity_text::words::{Stemmer, each_lower, words};
use unicode_normalization::UnicodeNormalization;

/// How many words of a query are looked for. More make a search slower, not better.
pub(crate) const QUERY_WORDS: usize = 48;

/// The terms of a text in order, repetitions included.
pub(crate) fn terms(text: &str, stemmer: &Stemmer) -> Vec<String> {
    let mut found = Vec::new();
    each_lower(text, |word| found.extend(term(word, stemmer)));
    found
}

/// The term of a word; none where it is a stopword, or all accents.
fn term(word: &str, stemmer: &Stemmer) -> Option<String> {
    let term = fold(&stemmer.content_stem(word)?).into_owned();
    (!term.is_empty()).then_some(term)
}

/// The terms of many texts.
#[derive(Default)]
pub(crate) struct Glossary(probity_text::glossary::Glossary);

impl Glossary {
    /// The terms of a text in order, repetitions included, with spaces between them; none holds one.
    pub(crate) fn terms(&mut self, text: &str, stemmer: &Stemmer) -> String {
        self.0.terms(text, stemmer.language(), &|word| term(word, stemmer))
    }
}

/// One word of a query, and the terms it may have become in documents of several languages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct QueryWord {
    /// The stems of the word, the query's own language first.
    pub terms: Vec<String>,
}

/// The distinct content words of a query.
///
/// The language of three words is a guess, and the library may hold documents of others: every
/// word is stemmed for each of `languages` as well.
pub(crate) fn query_words(query: &str, languages: &[Language]) -> Vec<QueryWord> {
    let own = Stemmer::new(Language::detect(query));
    let others: Vec<Stemmer> = languages
        .iter()
        .filter(|language| **language != own.language())
        .map(|language| Stemmer::new(*language))
        .collect();
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    for word in words(query) {
        let Some(stem) = term(&word.lower, &own) else { continue };
        if !seen.insert(stem.clone()) {
            continue;
        }
        let mut terms = vec![stem];
        for other in &others {
            let term = fold(&other.stem(&word.lower)).into_owned();
            if !term.is_empty() && !terms.contains(&term) {
                terms.push(term);
            }
        }
        found.push(QueryWord { terms });
        if found.len() == QUERY_WORDS {
            break;
        }
    }
    found
}

/// Which word of a query each term belongs to.
pub(crate) fn by_term(words: &[QueryWord]) -> HashMap<&str, usize> {
    let mut index = HashMap::new();
    for (number, word) in words.iter().enumerate() {
        for term in &word.terms {
            index.entry(term.as_str()).or_insert(number);
        }
    }
    index
}

/// Takes accents off, and writes `_` for what is neither letter nor digit, so that no engine's own
/// rules for words can cut a term in two.
pub(crate) fn fold(stem: &str) -> Cow<'_, str> {
    if stem.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return Cow::Borrowed(stem);
    }
    let plain = |c: char| if c.is_alphanumeric() || is_mark(c) { c } else { '_' };
    stem.nfkd()
        .filter(|c| !('\u{300}'..='\u{36f}').contains(c))
        .nfc()
        .flat_map(char::to_lowercase)
        .map(plain)
        .collect()
}

/// Vowel signs of Indic and other scripts are neither letters nor digits, but part of the word.
fn is_mark(c: char) -> bool {
    unicode_normalization::char::is_combining_mark(c)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn english(text: &str) -> Vec<String> {
        terms(text, &Stemmer::new(Language::English))
    }

    #[test]
    fn accents_case_and_endings_do_not_matter() {
        assert_eq!(english("Peret's RUMBAS, café"), english("peret rumba Cafe"));
        assert_eq!(english("the of and"), Vec::<String>::new());
    }

    #[test]
    fn a_term_is_one_word_to_every_engine() {
        assert_eq!(english("P.O. 3.5 1,200"), ["p_o", "3_5", "1_200"]);
    }

    #[test]
    fn a_word_that_is_all_accents_is_no_term() {
        assert_eq!(english("\u{363} rumba"), ["rumba"]);
        assert_eq!(query_words("\u{363}", &[Language::English, Language::Spanish]), []);
    }

    #[test]
    fn a_query_in_one_language_finds_stems_of_another() {
        let words = query_words("rumba flamenca", &[Language::English, Language::Spanish]);
        assert_eq!(words.len(), 2);
        for term in english("rumba flamenca") {
            assert!(words.iter().any(|word| word.terms.contains(&term)), "{term}");
        }
    }

    #[test]
    fn words_said_twice_count_once_and_long_queries_are_cut() {
        assert_eq!(query_words("guitar guitars Guitar", &[]).len(), 1);
        let long: String = (0..200).map(|n| format!("word{n} ")).collect();
        assert_eq!(query_words(&long, &[]).len(), QUERY_WORDS);
    }

    #[test]
    fn what_is_remembered_of_one_language_is_not_told_in_another() {
        let mut glossary = Glossary::default();
        let (english, german) = (Stemmer::new(Language::English), Stemmer::new(Language::German));
        for stemmer in [&english, &german, &english] {
            let text = "The guitars die, in the houses of guitars";
            assert_eq!(glossary.terms(text, stemmer), terms(text, stemmer).join(" "));
        }
        assert_eq!(glossary.terms("the of", &english), "");
    }

    proptest! {
        #[test]
        fn terms_that_are_remembered_are_the_terms(texts in prop::collection::vec("\\PC{0,80}", 1..4)) {
            let mut glossary = Glossary::default();
            let stemmer = Stemmer::new(Language::French);
            for text in texts.iter().chain(&texts) {
                prop_assert_eq!(glossary.terms(text, &stemmer), terms(text, &stemmer).join(" "));
            }
        }

        #[test]
        fn terms_hold_no_syntax(text in "\\PC{0,80}") {
            for term in english(&text) {
                prop_assert!(!term.is_empty());
                prop_assert!(term.chars().all(|c| c.is_alphanumeric() || c == '_' || is_mark(c)), "{term}");
            }
        }
    }
}
