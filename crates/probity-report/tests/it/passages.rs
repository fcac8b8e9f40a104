//! Where a passage is said to be, there it is.

use probity_reader::{Stop, TextReader};
use probity_report::check::{Check, SourceIndex, Support, check_claim};
use proptest::prelude::*;

const PAGES: [&str; 3] = [
    "Die Straße über den Øresund wurde gebaut. The harbour of Ålesund was built in 1850.",
    "The mill employed 1,200 people in 1901. Its owner was Søren Bjørk.",
    "The last train left the station in 1962 — nobody waved.",
];

fn read(claim: &str, source: &str) -> Check {
    check_claim(claim, source, &TextReader::Embedded, &Stop::never()).unwrap()
}

fn by_words(claim: &str, source: &str) -> Check {
    check_claim(claim, source, &TextReader::Lexical, &Stop::never()).unwrap()
}

fn paged(join: &str) -> (String, Vec<usize>) {
    let mut text = String::new();
    let mut starts = Vec::new();
    for page in PAGES {
        starts.push(text.len());
        text.push_str(page);
        text.push_str(join);
    }
    (text, starts)
}

#[test]
fn a_passage_names_its_bytes_and_its_page_whatever_parts_the_pages() {
    for join in ["\n", "\n\n", "\u{c}", "\n\u{c}\n"] {
        let (text, starts) = paged(join);
        let source = SourceIndex::paged(text.as_str(), &starts);
        for (claim, page) in [
            ("The harbour of Ålesund was built in 1850.", 1),
            ("In 1901 the mill had 1,200 employees.", 2),
            ("The owner of the mill was Søren Bjørk.", 2),
            ("The last train left the station in 1962.", 3),
        ] {
            let check = source.check(claim, &TextReader::Embedded, &Stop::never()).unwrap();
            assert_eq!(check.support, Support::Supported, "{claim} {check:?}");
            let passage = check.passage.unwrap();
            assert_eq!(&text[passage.start..passage.end], passage.text);
            assert_eq!(passage.page, Some(page), "{join:?} {claim} {passage:?}");
        }
    }
}

#[test]
fn a_source_without_pages_names_none() {
    let (text, _) = paged("\n");
    let passage = by_words("The mill employed 1,200 people in 1901.", &text).passage.unwrap();
    assert_eq!(passage.page, None);
}

#[test]
fn each_source_of_several_is_judged_for_itself() {
    let claim = "The mill employed 1,200 people in 1901.";
    let verdicts: Vec<Support> = [
        "In 1901 the mill employed 1,200 people.",
        "In 1901 the mill employed 2,100 people.",
        "The station was closed by the company after the war.",
    ]
    .iter()
    .map(|source| read(claim, source).support)
    .collect();
    assert_eq!(verdicts, [Support::Supported, Support::Unsupported, Support::Unsupported]);
}

proptest! {
    #[test]
    fn any_text_against_any_text_gives_a_value_in_range_and_a_true_passage(
        source in "(\\PC{0,30}[ .\n\u{c}(–0-9]){0,12}",
        claim in "(\\PC{0,20}[ .0-9–]){0,6}",
    ) {
        let check = by_words(&claim, &source);
        prop_assert!((0.0..=1.0).contains(&check.value));
        if let Some(passage) = check.passage {
            prop_assert_eq!(source.get(passage.start..passage.end), Some(passage.text.as_str()));
        }
    }

    #[test]
    fn the_verdict_and_the_value_agree(number in 2_u32..90, other in 2_u32..90) {
        let source = format!("The ferry to Vinge carries {number} passengers on most days.");
        let claim = format!("On most days the ferry to Vinge carries {other} passengers.");
        let check = by_words(&claim, &source);
        prop_assert_eq!(check.support == Support::Supported, number == other);
        prop_assert_eq!(check.support == Support::Supported, check.value >= 0.66);
    }
}
