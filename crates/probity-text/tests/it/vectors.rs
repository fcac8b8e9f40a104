//! Static vectors: texts that mean the same are near each other.

use probity_text::embed::{DIMENSIONS, Embedder, PIECES, WordPiece};
use proptest::prelude::*;

fn cosine(one: &str, other: &str) -> f32 {
    let embedder = Embedder::embedded();
    embedder.embed(one).cosine(&embedder.embed(other))
}

#[test]
fn a_text_is_nearer_to_its_paraphrase_than_to_another_subject() {
    for (text, paraphrase, other) in [
        ("The ferry was cancelled.", "The boat did not sail.", "Interest rates rose."),
        (
            "The doctor treats patients.",
            "Physicians care for the sick.",
            "The bridge is made of steel.",
        ),
        ("Prices of houses fell.", "Homes became cheaper.", "The choir sang a hymn."),
        ("Children learn at school.", "Pupils study with teachers.", "Whales swim in the ocean."),
    ] {
        assert!(cosine(text, paraphrase) > cosine(text, other), "{text}");
    }
}

#[test]
fn a_frequent_word_changes_a_text_less_than_a_rare_one() {
    let text = "lighthouse keeper";
    assert!(cosine(text, "the lighthouse keeper") > cosine(text, "violin lighthouse keeper"));
}

#[test]
fn only_the_first_pieces_of_a_text_are_embedded() {
    let embedder = Embedder::embedded();
    let text = "boat ".repeat(PIECES);
    assert_eq!(embedder.pieces(&format!("{text} violin")).len(), PIECES);
    assert_eq!(embedder.embed(&format!("{text} violin")), embedder.embed(&text));
}

#[test]
fn pieces_are_written_as_the_vocabulary_has_them() {
    let pieces = WordPiece::embedded();
    let written = |text: &str| -> Vec<&str> {
        pieces.pieces(text, 100).into_iter().map(|piece| pieces.written(piece.id)).collect()
    };
    assert_eq!(written("Unaffable!"), ["una", "##ffa", "##ble", "!"]);
    assert_eq!(written("Café"), ["cafe"]);
    assert_eq!(pieces.written(WordPiece::UNKNOWN), "[UNK]");
    assert_eq!(pieces.written(WordPiece::START), "[CLS]");
    assert_eq!(pieces.written(WordPiece::END), "[SEP]");
    assert_eq!(pieces.written(u32::MAX), "");
}

#[test]
fn a_frequent_word_has_a_lower_rank_and_an_unknown_one_has_none() {
    let embedder = Embedder::embedded();
    assert!(embedder.rank("the") < embedder.rank("lighthouse"));
    assert!(embedder.rank("lighthouse").is_some());
    assert_eq!(
        (embedder.rank("xqzvv"), embedder.rank("[SEP]"), embedder.rank("")),
        (None, None, None)
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn a_cosine_is_mutual_and_between_its_bounds(a in "[a-z ]{0,40}|\\PC{0,30}", b in "[a-z ]{0,40}|\\PC{0,30}") {
        let (there, back) = (cosine(&a, &b), cosine(&b, &a));
        prop_assert_eq!(there, back);
        prop_assert!((-1.001..=1.001).contains(&there), "{}", there);
    }

    #[test]
    fn the_order_of_words_changes_a_vector_by_rounding_only(words in prop::collection::vec("[a-z]{2,8}", 1..12)) {
        let mut turned = words.clone();
        turned.reverse();
        let (a, b) = (words.join(" "), turned.join(" "));
        let vector = Embedder::embedded().embed(&a);
        prop_assert_eq!(vector.as_slice().len(), DIMENSIONS);
        prop_assert!(vector.is_zero() || (cosine(&a, &b) - 1.0).abs() < 1e-3);
    }

    #[test]
    fn case_and_accents_change_no_vector(word in "[a-zéèüöçñ]{1,12}") {
        let embedder = Embedder::embedded();
        let plain: String = word.chars().map(|c| match c {
            'é' | 'è' => 'e', 'ü' => 'u', 'ö' => 'o', 'ç' => 'c', 'ñ' => 'n', c => c,
        }).collect();
        prop_assert_eq!(embedder.pieces(&word.to_uppercase()), embedder.pieces(&plain));
    }
}
