//! Passages: whole sentences under one heading, long enough to be judged and short enough to be read.

use std::ops::Range;

use probity_core::Heading;
use probity_text::passages::{Passage, marked_headings, passages};
use proptest::prelude::*;

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

/// A sentence of so many words.
fn sentence(length: usize) -> String {
    format!("Boats{}.", " sail".repeat(length.saturating_sub(1)))
}

/// A text of sections, each a heading with sentences of these lengths, and its headings.
fn sections(lengths: &[Vec<usize>]) -> (String, Vec<Heading>) {
    let (mut text, mut headings) = (String::new(), Vec::new());
    for (number, lengths) in lengths.iter().enumerate() {
        headings.push(Heading { start: text.len(), level: 2 });
        let body: Vec<String> = lengths.iter().map(|length| sentence(*length)).collect();
        text += &format!("Section {number}\n{}\n", body.join(" "));
    }
    (text, headings)
}

fn overlap(before: &Passage, after: &Passage) -> usize {
    before.sentences.iter().filter(|one| after.sentences.contains(one)).count()
}

#[test]
fn a_long_section_of_short_sentences_makes_passages_of_sixty_to_a_hundred_and_twenty_words() {
    for length in [5, 12, 20, 33, 40] {
        let text = vec![sentence(length); 40].join(" ");
        let found = passages("Boats", &text, &[]);
        for passage in &found[..found.len() - 1] {
            let words = words(passage.text(&text));
            assert!((60..=120).contains(&words), "{length}: {words}");
        }
        for pair in found.windows(2) {
            assert_eq!(overlap(&pair[0], &pair[1]), 1, "{length}");
        }
    }
}

#[test]
fn no_passage_crosses_a_heading_however_short_its_section_is() {
    let text = "It rained.\nFees\nFive crowns.\nHours\nNine to five.";
    let at = |line: &str| Heading { start: text.find(line).unwrap(), level: 2 };
    let found = passages("Quay", text, &[at("Fees"), at("Hours")]);
    let read: Vec<(&str, &str)> =
        found.iter().map(|one| (one.lead.as_str(), one.text(text))).collect();
    assert_eq!(
        read,
        [
            ("Quay: ", "It rained."),
            ("Quay > Fees: ", "Five crowns."),
            ("Quay > Hours: ", "Nine to five."),
        ]
    );
    let heading = |one: &Passage| one.heading.clone().map(|range| &text[range]);
    assert_eq!(found.iter().map(heading).collect::<Vec<_>>(), [None, Some("Fees"), Some("Hours")]);
}

#[test]
fn a_lead_has_the_title_and_the_two_nearest_headings() {
    let text = "# A\n## B\n### C\nBoats sail here.";
    let found = passages("T", text, &marked_headings(text));
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].lead, "T > B > C: ");
}

#[test]
fn a_title_that_is_also_the_heading_stands_once() {
    let text = "# The quay\nBoats sail here.";
    let found = passages("The quay", text, &marked_headings(text));
    assert_eq!(found[0].lead, "The quay: ");
}

#[test]
fn a_title_without_end_is_cut_in_the_lead() {
    let title = "quay ".repeat(200);
    let found = passages(&title, "Boats sail here.", &[]);
    assert!(found[0].lead.chars().count() < 130, "{}", found[0].lead);
    assert!(found[0].lead.ends_with(": "));
}

#[test]
fn a_heading_outside_of_the_text_or_inside_of_a_letter_is_passed_over() {
    let text = "É. Boats sail here.";
    let wrong = [Heading { start: 1, level: 2 }, Heading { start: 900, level: 1 }];
    assert_eq!(passages("", text, &wrong), passages("", text, &[]));
}

#[test]
fn headings_are_marked_by_one_to_six_hashes_and_a_space() {
    let text = "# One\n#hash\n###### Six\n####### seven\nplain # no\n## Two\n";
    let found: Vec<(&str, u8)> = marked_headings(text)
        .into_iter()
        .map(|heading| (text[heading.start..].lines().next().unwrap(), heading.level))
        .collect();
    assert_eq!(found, [("# One", 1), ("###### Six", 6), ("## Two", 2)]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn a_passage_stays_in_its_section_and_within_its_length(
        lengths in prop::collection::vec(prop::collection::vec(1usize..60, 0..20), 1..5),
    ) {
        let (text, headings) = sections(&lengths);
        let found = passages("Title", &text, &headings);
        for passage in &found {
            let body = passage.text(&text);
            prop_assert!(!body.contains("Section"), "{}", body);
            // One sentence beyond an overlap may make a passage longer than usual.
            let most = 120.max(passage.sentences.iter().take(2).map(|one| words(&text[one.clone()])).sum());
            prop_assert!(words(body) <= most, "{}", words(body));
        }
        for pair in found.windows(2) {
            let same = pair[0].heading == pair[1].heading;
            prop_assert!(overlap(&pair[0], &pair[1]) <= usize::from(same));
            prop_assert!(pair[1].range.end > pair[0].range.end, "each says something new");
        }
    }

    #[test]
    fn every_sentence_below_a_heading_is_in_a_passage(
        lengths in prop::collection::vec(prop::collection::vec(1usize..60, 0..12), 1..5),
    ) {
        let (text, headings) = sections(&lengths);
        let mut read: Vec<Range<usize>> =
            passages("", &text, &headings).into_iter().flat_map(|one| one.sentences).collect();
        read.dedup();
        let read: Vec<&str> = read.into_iter().map(|range| &text[range]).collect();
        let wanted: Vec<String> = lengths.iter().flatten().map(|length| sentence(*length)).collect();
        prop_assert_eq!(read, wanted);
    }

    #[test]
    fn sentences_of_a_passage_fill_it_from_end_to_end(text in "([A-Za-zé ]{1,40}[.!?] ){1,12}") {
        for passage in passages("t", &text, &[]) {
            let inner = passage.inner();
            prop_assert_eq!(inner.first().map(|one| one.start), Some(0));
            prop_assert_eq!(inner.last().map(|one| one.end), Some(passage.range.len()));
        }
    }
}
