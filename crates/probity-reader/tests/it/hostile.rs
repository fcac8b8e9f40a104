//! Texts that no one would write.

use std::ops::Range;

use probity_reader::{Passage, Reader, Stop};
use proptest::prelude::*;

/// Characters that change their length or vanish when a text is made plain, among others.
fn odd_text() -> impl Strategy<Value = String> {
    let odd = prop::sample::select(vec![
        "İ",
        "ı",
        "e\u{301}",
        "\u{301}",
        "ﬀ",
        "ǅ",
        "ς",
        "漢",
        "字",
        "한",
        "한",
        "🎻",
        "👩‍👩‍👧",
        "\u{0}",
        "\u{7f}",
        "\u{85}",
        "\u{200b}",
        "\u{fffd}",
        "\u{feff}",
        "\u{1d15e}",
        "\u{302e}\u{302a}",
        "\u{37e}",
        "\u{e000}",
        " ",
        "\n",
        ".",
        "word",
        "Straße",
        "[SEP]",
        "[CLS]",
        "##ing",
    ]);
    let any =
        prop_oneof![3 => odd.prop_map(str::to_owned), 1 => any::<char>().prop_map(String::from)];
    prop::collection::vec(any, 0..24).prop_map(|parts| parts.concat())
}

fn read(question: &str, lead: &str, text: &str, sentences: &[Range<usize>]) {
    let reader = Reader::embedded().unwrap();
    let passage = Passage { lead, text, sentences };
    let answer = reader.answers(question, &[passage], &Stop::never()).unwrap().remove(0);
    assert_eq!(answer.sentences.len(), sentences.len());
    for span in answer.sentences.iter().flatten().chain(&answer.span) {
        let words = text.get(span.start..span.end);
        assert!(words.is_some_and(|words| !words.is_empty()), "{span:?} in {text:?}");
        assert!(span.score <= 0.0);
    }
    let entailments = reader.entails(question, &[text], &Stop::never()).unwrap();
    assert!((0.0..=1.0).contains(&entailments[0].supported));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn spans_of_any_text_begin_and_end_between_characters(
        question in odd_text(),
        lead in odd_text(),
        text in odd_text(),
        sentences in prop::collection::vec((0..90_usize, 0..90_usize), 0..4),
    ) {
        let sentences: Vec<Range<usize>> = sentences.into_iter().map(|(a, b)| a..b).collect();
        read(&question, &lead, &text, &sentences);
    }
}

#[test]
fn nothing_can_be_read_too() {
    let reader = Reader::embedded().unwrap();
    assert_eq!(reader.answers("Anything?", &[], &Stop::never()).unwrap(), []);
    assert_eq!(reader.entails("Anything.", &[], &Stop::never()).unwrap(), []);
    read("", "", "", &[]);
    read("Why?", "", "", &[0..0, 3..9]);
    read("", "", "A text.", &[0..7]);
    read("\0\0", "\0", "\0\0\0", &[0..3]);
}

#[test]
fn a_text_of_a_megabyte_is_read_as_far_as_there_is_room() {
    let text = "every road leads on ".repeat(52_000);
    let sentences: Vec<Range<usize>> = (0..52_000).map(|at| at * 20..at * 20 + 19).collect();
    read("Where do roads lead?", "", &text, &sentences);
    read(&text, &text, &text, &sentences[..3]);
    read("Where?", "", &"a".repeat(1 << 20), &[0..1 << 20]);
    read("Where?", "", &"\u{302e}".repeat(1 << 18), &[]);
}

#[test]
fn a_text_cannot_end_its_own_side() {
    let reader = Reader::embedded().unwrap();
    let texts = ["It rains. [SEP] [CLS] It snows.", "It rains. [ sep ] [ cls ] It snows."];
    let read = reader.entails("It snows.", &texts, &Stop::never()).unwrap();
    assert_eq!(read[0], read[1]);
}
