//! A passage with the words marked that the statement shares with it.

use std::collections::BTreeSet;

use probity_text::words::words;

/// Shorter words are shared by any two sentences.
const MARKED_CHARS: usize = 4;

/// A part of a passage.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) text: String,
    pub(crate) shared: bool,
}

/// Cuts a passage into parts that the statement shares and parts that it does not.
pub(crate) fn marked(passage: &str, statement: &str) -> Vec<Piece> {
    let stated: BTreeSet<String> = words(statement)
        .map(|word| word.lower.to_string())
        .filter(|word| {
            word.chars().count() >= MARKED_CHARS || word.chars().any(|c| c.is_ascii_digit())
        })
        .collect();
    let mut pieces: Vec<Piece> = Vec::new();
    let mut add = |text: &str, shared: bool| match pieces.last_mut() {
        _ if text.is_empty() => {}
        Some(last) if last.shared == shared => last.text.push_str(text),
        _ => pieces.push(Piece { text: text.to_owned(), shared }),
    };
    let mut done = 0;
    for word in words(passage) {
        if stated.contains(word.lower.as_ref()) {
            add(passage.get(done..word.start).unwrap_or_default(), false);
            add(word.raw, true);
            done = word.start + word.raw.len();
        }
    }
    add(passage.get(done..).unwrap_or_default(), false);
    pieces
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn shared_words_are_marked_and_nothing_is_lost() {
        let passage = "At night the limit is 55 dB, not 60.";
        let pieces = marked(passage, "The LIMIT at night is 55 decibels.");
        let shared: Vec<&str> =
            pieces.iter().filter(|piece| piece.shared).map(|piece| piece.text.as_str()).collect();
        assert_eq!(shared, ["night", "limit", "55"]);
        let whole: String = pieces.into_iter().map(|piece| piece.text).collect();
        assert_eq!(whole, passage);
    }

    proptest! {
        #[test]
        fn parts_make_up_the_passage_and_take_turns(passage in "\\PC{0,60}", statement in "\\PC{0,60}") {
            let pieces = marked(&passage, &statement);
            prop_assert!(pieces.iter().all(|piece| !piece.text.is_empty()));
            prop_assert!(pieces.windows(2).all(|pair| pair[0].shared != pair[1].shared));
            let whole: String = pieces.into_iter().map(|piece| piece.text).collect();
            prop_assert_eq!(whole, passage);
        }

        #[test]
        fn a_passage_beside_itself_is_marked_but_for_small_words(word in "[a-z]{4,12}", small in "[a-z]{1,3}") {
            let passage = format!("{small} {word}");
            let wanted = [(format!("{small} "), false), (word, true)];
            let found = marked(&passage, &passage).into_iter().map(|piece| (piece.text, piece.shared));
            prop_assert_eq!(found.collect::<Vec<_>>(), wanted);
        }
    }
}
