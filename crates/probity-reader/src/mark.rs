//! The match mark of every piece: whether its word occurs on the other side.

use std::collections::BTreeSet;
use std::ops::Range;

use probity_text::embed::{PieceId, WordPiece};
use unicode_categories::UnicodeCategories;

/// Words that begin alike share at least this many letters, and differ in length by at most this
/// many.
const ALIKE: usize = 4;
/// How many letters at the end of the shorter word may differ.
const ENDING: usize = 2;

/// How a word compares with the words of the other side. The numbers are rows of the weights.
#[derive(Clone, Copy)]
enum Mark {
    Punctuation = 0,
    Same = 1,
    Different = 2,
    SameDigits = 3,
    OtherDigits = 4,
    SameBeginning = 5,
}

/// A word, and the pieces that spell it.
pub(crate) struct Word {
    text: String,
    pieces: Range<usize>,
}

/// Pieces joined to words.
pub(crate) fn words(vocabulary: &WordPiece, ids: &[PieceId]) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    for (at, id) in ids.iter().enumerate() {
        let written = vocabulary.written(*id);
        match (written.strip_prefix("##"), words.last_mut()) {
            (Some(rest), Some(word)) => {
                word.text.push_str(rest);
                word.pieces.end = at + 1;
            }
            _ => words.push(Word { text: written.to_owned(), pieces: at..at + 1 }),
        }
    }
    words
}

/// A mark for each of `count` pieces of one side.
pub(crate) fn marks(count: usize, mine: &[Word], theirs: &[Word]) -> Vec<u8> {
    let other: BTreeSet<&str> = theirs.iter().map(|word| word.text.as_str()).collect();
    let mut marks = vec![Mark::Punctuation as u8; count];
    for word in mine {
        let mark = mark(&word.text, &other);
        for place in marks.get_mut(word.pieces.clone()).unwrap_or_default() {
            *place = mark as u8;
        }
    }
    marks
}

fn mark(word: &str, other: &BTreeSet<&str>) -> Mark {
    // Marks without a letter count as punctuation, which `char::is_alphanumeric` would not say.
    if !word.chars().any(|c| c.is_letter() || c.is_number()) {
        return Mark::Punctuation;
    }
    match (word.chars().any(is_digit), other.contains(word)) {
        (true, true) => Mark::SameDigits,
        (true, false) => Mark::OtherDigits,
        (false, true) => Mark::Same,
        (false, false) if begins_like_any(word, other) => Mark::SameBeginning,
        (false, false) => Mark::Different,
    }
}

fn begins_like_any(word: &str, other: &BTreeSet<&str>) -> bool {
    let Some((last, c)) = word.char_indices().nth(ALIKE - 1) else { return false };
    let beginning = word.get(..last + c.len_utf8()).unwrap_or(word);
    // The set is in order, so that words that begin alike are together.
    let alike = other.range(beginning..).take_while(|theirs| theirs.starts_with(beginning));
    alike.into_iter().any(|theirs| begin_alike(word, theirs))
}

fn begin_alike(a: &str, b: &str) -> bool {
    let (a_chars, b_chars) = (a.chars().count(), b.chars().count());
    let shared = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    let needed = a_chars.min(b_chars).saturating_sub(ENDING).max(ALIKE);
    a_chars.abs_diff(b_chars) <= ALIKE && shared >= needed
}

/// Digits of any kind that the vocabulary holds, those above and below the line included.
fn is_digit(c: char) -> bool {
    c.is_ascii_digit() || matches!(c, '²' | '³' | '¹' | '⁰' | '⁴'..='⁹' | '₀'..='₉')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(mine: &str, theirs: &str) -> Vec<u8> {
        let vocabulary = WordPiece::embedded();
        let ids = |text: &str| -> Vec<PieceId> {
            vocabulary.pieces(text, 64).iter().map(|piece| piece.id).collect()
        };
        let (mine, theirs) = (ids(mine), ids(theirs));
        marks(mine.len(), &words(vocabulary, &mine), &words(vocabulary, &theirs))
    }

    #[test]
    fn words_are_marked_by_what_stands_on_the_other_side() {
        assert_eq!(of("a road, though", "the road"), [2, 1, 0, 2]);
        assert_eq!(of("1912 1913 x", "in 1912"), [3, 4, 2]);
        assert_eq!(of("walked walks wall", "walking"), [5, 5, 2]);
        assert_eq!(of("road", ""), [2]);
        assert!(of("", "road").is_empty());
    }

    #[test]
    fn every_piece_of_a_word_has_the_mark_of_the_word() {
        let marks = of("Zwolsman", "zwolsman was here");
        assert!(marks.len() > 1 && marks.iter().all(|mark| *mark == 1), "{marks:?}");
    }
}
