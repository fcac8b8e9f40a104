//! Names that a claim has and its source has not.

use std::collections::HashSet;

use probity_text::Language;
use probity_text::words::{bare, words};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Words of a name and of the source that share this many first letters are one: Albania, Albanian.
const SHARED_LETTERS: usize = 4;
/// And of the longer one no more than this may be left.
const ENDING_LETTERS: usize = 4;
/// Shorter words are initials and abbreviations.
const LETTERS_LEAST: usize = 3;

/// A word as names are compared: without case, accents and a possessive ending.
pub(super) fn folded(word: &str) -> String {
    let plain = bare(word);
    if plain.is_ascii() {
        return plain.to_ascii_lowercase();
    }
    plain.to_lowercase().nfd().filter(|c| !is_combining_mark(*c)).collect()
}

/// The names of a claim of which no word is in the source, though another name of the claim does: "Mr Sullivan"
/// is there where "Scott Sullivan" is. A claim's only name may be what the source calls "he".
pub(super) fn strangers(claim: &str, vocabulary: &HashSet<String>) -> Vec<String> {
    // German writes every noun with a capital.
    if Language::detect(claim) == Language::German {
        return Vec::new();
    }
    let mut found = Names::default();
    let mut run: Vec<&str> = Vec::new();
    let mut last = 0;
    for (number, word) in words(claim).enumerate() {
        // The first word has its capital from its place.
        let capital = number > 0 && word.raw.chars().next().is_some_and(char::is_uppercase);
        let apart = claim.get(last..word.start).is_none_or(|gap| !gap.trim().is_empty());
        last = word.start + word.raw.len();
        if apart || !capital {
            settle(&mut run, vocabulary, &mut found);
        }
        if capital {
            run.push(word.raw);
        }
    }
    settle(&mut run, vocabulary, &mut found);
    if found.known == 0 { Vec::new() } else { found.strangers }
}

/// The names of a claim, by whether the source has them.
#[derive(Default)]
struct Names {
    known: usize,
    strangers: Vec<String>,
}

/// Ends a name.
fn settle(run: &mut Vec<&str>, vocabulary: &HashSet<String>, found: &mut Names) {
    let name = std::mem::take(run);
    let long = |word: &&str| word.chars().count() >= LETTERS_LEAST && !is_acronym(word);
    if !name.iter().any(long) {
        return;
    }
    if name.iter().any(|word| is_known(&folded(word), vocabulary)) {
        found.known += 1;
    } else {
        found.strangers.push(name.join(" "));
    }
}

/// An acronym may be spelled out in the source.
fn is_acronym(word: &str) -> bool {
    word.chars().filter(|c| c.is_uppercase()).count() > 1
}

fn is_known(word: &str, vocabulary: &HashSet<String>) -> bool {
    vocabulary.contains(word) || vocabulary.iter().any(|known| is_kin(word, known))
}

fn is_kin(one: &str, other: &str) -> bool {
    let shared = one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    let longer = one.chars().count().max(other.chars().count());
    shared >= SHARED_LETTERS && longer <= shared + ENDING_LETTERS
}

#[cfg(test)]
mod tests {
    use super::*;

    fn missing(claim: &str, source: &str) -> Vec<String> {
        strangers(claim, &words(source).map(|word| folded(word.raw)).collect())
    }

    #[test]
    fn a_name_is_there_by_any_of_its_words() {
        let source =
            "Mr Sullivan's lawyer spoke in İstanbul. The Albanian team of Soren Bjork lost.";
        for claim in [
            "Then Scott Sullivan left Istanbul.",
            "The team of Albania was led by Dr. Søren Björk.",
            "Yesterday J. R. Sullivan met the UNHCR.",
        ] {
            assert_eq!(missing(claim, source), Vec::<String>::new(), "{claim}");
        }
    }

    #[test]
    fn a_name_of_which_nothing_is_there_is_a_stranger() {
        let claim = "The trial of Peter Hale moved to Leeds.";
        assert_eq!(missing(claim, "The trial of Hale was moved."), ["Leeds"]);
        // Whom a source calls "he" it need not name.
        assert!(missing("Then Peter Hale left.", "Then he left.").is_empty());
    }

    #[test]
    fn a_capital_that_comes_from_the_place_is_no_name() {
        assert!(missing("Whales sing.", "The sea is deep.").is_empty());
        assert!(missing("Der Hafen hat eine Mauer aus Stein.", "Das Meer ist tief.").is_empty());
    }
}
