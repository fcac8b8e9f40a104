//! Whatever a page says, reading it never fails, and every place that is given lies between letters.

use std::ops::Range;

use probity_core::Heading;
use probity_text::Language;
use probity_text::date_mention::{dates, is_relative};
use probity_text::lex::tokens;
use probity_text::passages::{marked_headings, passages};
use probity_text::quantity::quantities;
use probity_text::sentences::sentences;
use probity_text::words::words;
use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization as _;

/// Texts of pieces that readers of text trip over, in any order.
fn text() -> impl Strategy<Value = String> {
    let pieces = vec![
        "Dr. ",
        "No. 5",
        "3.5",
        "1.200.000",
        "10 pm",
        "14 July 1998",
        "2019–21",
        "½",
        "half a ",
        "$5m",
        "U.S. ",
        "p.m. ",
        "[12]",
        "\n",
        "\r\n",
        "\n\n",
        "\u{2028}",
        "# ",
        "- ",
        "1. ",
        "| ",
        "> ",
        " · ",
        "a: b",
        ". ",
        "! ",
        "? ",
        "。",
        "؟",
        "…",
        "\"",
        "“",
        "”",
        "(",
        ")",
        "'",
        "’",
        "é",
        "e\u{301}",
        "ß",
        "İ",
        "中",
        "ア",
        "א",
        "\u{200b}",
        "\u{202e}",
        "\u{ad}",
        "\u{feff}",
        "👩‍👩‍👧",
        "🇫🇷",
        "\u{0}",
        "\u{10ffff}",
        "The ",
        "Das ist ",
        "km",
        "%",
        "°",
        "/",
        "-",
        "−",
        ":",
        ",",
        "0",
        "99999999999999999999",
        "1e400",
        "𝟙𝟚",
        "²",
        "MMXIX. ",
        "21. ",
        "\t",
        "\u{a0}",
        "\u{3000}",
    ];
    let made = prop::collection::vec(prop::sample::select(pieces), 0..40).prop_map(|p| p.concat());
    prop_oneof![made, any::<String>()]
}

proptest! {
    #[test]
    fn every_place_lies_between_letters(text in text()) {
        for range in sentences(&text) {
            prop_assert!(text.get(range).is_some());
        }
        for (range, _) in dates(&text) {
            prop_assert!(text.get(range).is_some_and(|piece| !piece.is_empty()));
        }
        for quantity in quantities(&text) {
            prop_assert!(text.get(quantity.range).is_some_and(|piece| !piece.is_empty()));
        }
        for token in tokens(&text) {
            prop_assert_eq!(text.get(token.start..token.end()), Some(token.text));
        }
        for word in words(&text) {
            prop_assert_eq!(text.get(word.start..word.start + word.raw.len()), Some(word.raw));
        }
        for passage in passages("Title", &text, &marked_headings(&text)) {
            prop_assert!(text.get(passage.range.clone()).is_some());
            prop_assert!(passage.heading.is_none_or(|line| text.get(line).is_some()));
        }
        let _ = (Language::detect(&text), Language::of_headline(&text), is_relative(&text));
    }

    #[test]
    fn sentences_and_finds_stand_in_the_order_of_the_text_and_apart(text in text()) {
        let apart = |ranges: &[Range<usize>]| {
            ranges.windows(2).all(|pair| pair[0].end <= pair[1].start) && ranges.iter().all(|one| !one.is_empty())
        };
        prop_assert!(apart(&sentences(&text)));
        let found: Vec<Range<usize>> = dates(&text).into_iter().map(|(range, _)| range).collect();
        prop_assert!(apart(&found), "{:?}", found);
        let found: Vec<Range<usize>> = quantities(&text).into_iter().map(|one| one.range).collect();
        prop_assert!(apart(&found), "{:?}", found);
        let found: Vec<Range<usize>> =
            words(&text).map(|word| word.start..word.start + word.raw.len()).collect();
        prop_assert!(apart(&found), "{:?}", found);
    }

    #[test]
    fn passages_hold_every_letter_that_no_heading_holds(text in text()) {
        let headings = marked_headings(&text);
        let lines: Vec<Range<usize>> = headings
            .iter()
            .map(|heading| heading.start..text[heading.start..].find('\n').map_or(text.len(), |end| heading.start + end))
            .collect();
        let found = passages("Title", &text, &headings);
        let read: Vec<Range<usize>> = found.iter().map(|one| one.range.clone()).collect();
        let is_in = |ranges: &[Range<usize>], at: usize| ranges.iter().any(|range| range.contains(&at));
        for (at, letter) in text.char_indices().filter(|(_, c)| c.is_alphabetic()) {
            prop_assert_ne!(is_in(&read, at), is_in(&lines, at), "{} at {} of {:?}", letter, at, text);
        }
        for passage in &found {
            let crossed = headings.iter().find(|heading| passage.range.contains(&heading.start));
            prop_assert!(crossed.is_none(), "{:?} crosses {:?}", passage, crossed);
            let gaps = passage.sentences.windows(2).map(|pair| pair[0].end..pair[1].start);
            for gap in gaps {
                prop_assert!(!text[gap].contains(char::is_alphabetic), "{:?}", passage);
            }
        }
    }

    #[test]
    fn what_is_compared_does_not_depend_on_how_letters_are_composed(text in text()) {
        let composed: String = text.nfc().collect();
        let apart: String = text.nfd().collect();
        let lower = |text: &str| words(text).map(|word| word.lower.into_owned()).collect::<Vec<_>>();
        prop_assert_eq!(lower(&composed), lower(&apart));
        let amounts = |text: &str| quantities(text).into_iter().map(|one| (one.amount, one.unit)).collect::<Vec<_>>();
        prop_assert_eq!(amounts(&composed), amounts(&apart));
    }

    #[test]
    fn headings_in_any_order_and_place_are_borne(text in text(), starts in prop::collection::vec((0usize..300, 0u8..9), 0..6)) {
        let headings: Vec<Heading> =
            starts.into_iter().map(|(start, level)| Heading { start, level }).collect();
        for passage in passages(&text, &text, &headings) {
            prop_assert!(text.get(passage.range.clone()).is_some());
            for inner in passage.inner() {
                prop_assert!(passage.text(&text).get(inner).is_some());
            }
        }
    }
}
