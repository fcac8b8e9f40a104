//! Many texts → their terms. Making one of a word is slow and most words come back, so the outcome of a word is
//! remembered.

use std::collections::HashMap;

use crate::Language;
use crate::words::each_lower;

/// How many different words of a language are remembered with their terms.
const KNOWN_WORDS: usize = 1 << 16;
/// The longest word that is remembered, in bytes. Longer ones are seldom met again.
const KNOWN_WORD_BYTES: usize = 32;

/// What words became.
#[derive(Default)]
pub struct Glossary {
    /// By language; nothing for words that are no terms.
    known: HashMap<Language, HashMap<String, String>>,
}

impl Glossary {
    /// The terms of a text in a language, in order, repetitions included, with a space between each two. `term` makes
    /// one of a lower-case word, without spaces, or none; it must make the same of the same word every time.
    ///
    /// ```
    /// use probity_text::{Language, glossary::Glossary};
    ///
    /// let mut glossary = Glossary::default();
    /// let first = |word: &str| (word != "the").then(|| word.chars().take(4).collect());
    /// assert_eq!(glossary.terms("The harbour, the quay", Language::English, &first), "harb quay");
    /// ```
    pub fn terms(
        &mut self,
        text: &str,
        language: Language,
        term: &dyn Fn(&str) -> Option<String>,
    ) -> String {
        let known = self.known.entry(language).or_default();
        let mut found = String::with_capacity(text.len());
        let push = |found: &mut String, term: &str| {
            if !term.is_empty() {
                found.push_str(term);
                found.push(' ');
            }
        };
        each_lower(text, |word| {
            if let Some(term) = known.get(word) {
                return push(&mut found, term);
            }
            let term = term(word).unwrap_or_default();
            push(&mut found, &term);
            if known.len() < KNOWN_WORDS && word.len() <= KNOWN_WORD_BYTES {
                known.insert(word.to_owned(), term);
            }
        });
        found.pop();
        found.shrink_to_fit();
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_of_words_is_not_remembered() {
        let mut glossary = Glossary::default();
        let same = |word: &str| Some(word.to_owned());
        let text: String = (0..KNOWN_WORDS + 50).map(|n| format!("w{n} ")).collect();
        for _ in 0..2 {
            assert_eq!(glossary.terms(&text, Language::English, &same), text.trim_end());
        }
        let long = "x".repeat(KNOWN_WORD_BYTES + 1);
        assert_eq!(glossary.terms(&long, Language::German, &same), long);
        let sizes: Vec<usize> = glossary.known.values().map(HashMap::len).collect();
        assert_eq!(sizes.iter().sum::<usize>(), KNOWN_WORDS, "{sizes:?}");
    }
}
