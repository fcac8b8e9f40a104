//! Which word of a query a word of a text is, remembered: texts repeat their words, and stemming is
//! dear.

use std::collections::HashMap;

use probity_text::Language;
use probity_text::words::{Stemmer, words};

use super::rank::Query;
use super::terms::{by_term, fold};

/// How many words are remembered of one language.
const REMEMBERED: usize = 100_000;

/// A word of a text: none for a stopword, else the number of the query's word that it is, if any.
type Found = Option<Option<usize>>;

/// Finds the words of one query in texts of any language.
pub(super) struct Finder<'q> {
    index: HashMap<&'q str, usize>,
    languages: HashMap<Language, (Stemmer, HashMap<Box<str>, Found>)>,
}

impl<'q> Finder<'q> {
    /// A finder of a query's words.
    pub(super) fn new(query: &'q Query) -> Self {
        Self { index: by_term(&query.words), languages: HashMap::new() }
    }

    /// What a lower-case word is to the query; none for a stopword.
    pub(super) fn look_up(&mut self, word: &str, language: Language) -> Found {
        let (stemmer, seen) = self
            .languages
            .entry(language)
            .or_insert_with(|| (Stemmer::new(language), HashMap::new()));
        if let Some(found) = seen.get(word) {
            return *found;
        }
        let found =
            stemmer.content_stem(word).map(|stem| self.index.get(fold(&stem).as_str()).copied());
        if seen.len() < REMEMBERED {
            seen.insert(word.into(), found);
        }
        found
    }

    /// The numbers of the query's words in a text, with the places of all its words in bytes.
    pub(super) fn places(
        &mut self,
        text: &str,
        language: Language,
    ) -> Vec<(std::ops::Range<usize>, Option<usize>)> {
        words(text)
            .map(|word| {
                let number = self.look_up(&word.lower, language).flatten();
                (word.start..word.start + word.raw.len(), number)
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_in_every_form_and_stopwords_are_told_apart() {
        let query = Query::new("noise permits", &[]);
        let mut finder = Finder::new(&query);
        for _ in 0..2 {
            assert_eq!(finder.look_up("permit", Language::English), Some(Some(1)));
            assert_eq!(finder.look_up("harbour", Language::English), Some(None));
            assert_eq!(finder.look_up("the", Language::English), None);
        }
    }

    #[test]
    fn places_are_byte_ranges_of_the_text() {
        let query = Query::new("noise", &[]);
        let places = Finder::new(&query).places("é Noise!", Language::English);
        assert_eq!(places, [(0..2, None), (3..8, Some(0))]);
    }
}
