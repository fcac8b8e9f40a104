//! Which word of a query a word of a text is, without stemming every word again and again.

use std::collections::HashMap;
use std::ops::Range;

use probity_text::Language;
use probity_text::words::{Stemmer, words};

use super::rank::Query;
use super::terms::{by_term, fold};

/// How many words are remembered of one language.
const REMEMBERED: usize = 100_000;

/// Finds the words of one query in texts of any language.
pub(crate) struct Finder<'q> {
    index: HashMap<&'q str, usize>,
    /// With which ASCII characters the terms begin.
    beginnings: [bool; 128],
    languages: HashMap<Language, Remembered>,
}

/// A stemmer, and which word of the query each word was that it has seen.
struct Remembered {
    stemmer: Stemmer,
    seen: HashMap<Box<str>, Option<usize>>,
}

impl<'q> Finder<'q> {
    /// A finder of a query's words.
    pub(crate) fn new(query: &'q Query) -> Self {
        let index = by_term(&query.words);
        let mut beginnings = [false; 128];
        for first in index.keys().filter_map(|term| term.bytes().next()) {
            if let Some(begins) = beginnings.get_mut(usize::from(first)) {
                *begins = true;
            }
        }
        Self { index, beginnings, languages: HashMap::new() }
    }

    /// The number of the query's word that a lower-case word is.
    pub(crate) fn look_up(&mut self, word: &str, language: Language) -> Option<usize> {
        if !self.may_be_one(word) {
            return None;
        }
        let remembered = self.languages.entry(language).or_insert_with(|| Remembered {
            stemmer: Stemmer::new(language),
            seen: HashMap::new(),
        });
        if let Some(number) = remembered.seen.get(word) {
            return *number;
        }
        let stem = remembered.stemmer.content_stem(word);
        let number = stem.and_then(|stem| self.index.get(fold(&stem).as_ref()).copied());
        if remembered.seen.len() < REMEMBERED {
            remembered.seen.insert(word.into(), number);
        }
        number
    }

    /// Stemming takes endings off: a plain first letter stays what it is, unless an article before
    /// an apostrophe is taken off with it. So most words need no stemming to be distinguished.
    fn may_be_one(&self, word: &str) -> bool {
        let first = word.bytes().next().map_or(0, usize::from);
        self.beginnings.get(first).is_none_or(|begins| *begins) || word.contains('\'')
    }

    /// The numbers of the query's words in a text, with the places of all its words in bytes.
    pub(crate) fn places(
        &mut self,
        text: &str,
        language: Language,
    ) -> Vec<(Range<usize>, Option<usize>)> {
        words(text)
            .map(|word| {
                let place = word.start..word.start + word.raw.len();
                (place, self.look_up(&word.lower, language))
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_in_every_form() {
        let query = Query::new("noise permits", &[]);
        let mut finder = Finder::new(&query);
        for _ in 0..2 {
            assert_eq!(finder.look_up("permit", Language::English), Some(1));
            assert_eq!(finder.look_up("pier", Language::English), None);
            assert_eq!(finder.look_up("harbour", Language::English), None);
        }
    }

    #[test]
    fn an_article_or_an_accent_does_not_hide_a_word() {
        let query = Query::new("Quel est le prix de l'électricité ?", &[]);
        let mut finder = Finder::new(&query);
        assert_eq!(finder.look_up("d'électricité", Language::French), Some(1));
        assert_eq!(finder.look_up("electricité", Language::French), Some(1));
    }

    #[test]
    fn places_are_byte_ranges_of_the_text() {
        let query = Query::new("noise", &[]);
        let places = Finder::new(&query).places("é Noise!", Language::English);
        assert_eq!(places, [(0..2, None), (3..8, Some(0))]);
    }
}
