//! What the citation check is worth: labelled claims that nothing was tuned on, and what no reading may let pass.
//!
//! `probity bench citations crates/probity-report/tests/data/citations.jsonl` prints the figures of all of them.

use std::path::Path;

use probity_reader::{Stop, TextReader};
use probity_report::check::evaluate::{Labelled, Outcome, figures, judge};
use probity_report::check::{Check, SourceIndex, Support, check_claim};

fn load() -> Vec<Labelled> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/citations.jsonl");
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn read(claim: &str, source: &str) -> Check {
    check_claim(claim, source, &TextReader::Embedded, &Stop::never()).unwrap()
}

/// One claim in ten, since reading takes its time; the floors are below what these come to.
#[test]
fn labelled_claims_are_distinguished_far_better_than_by_their_words() {
    let all = load();
    for (set, floor) in [("older", 0.88), ("newer", 0.80)] {
        let of_set = all.iter().filter(|one| one.set == set).step_by(10);
        let judge = |one: &Labelled| judge(one, &TextReader::Embedded, &Stop::never()).unwrap();
        let outcomes: Vec<Outcome> = of_set.map(judge).collect();
        let found = figures(set, &outcomes);
        assert!(found.claims >= 40, "{found:?}");
        assert!(found.area >= floor && found.area > found.area_by_words, "{found:?}");
    }
}

/// In life a search brings pages on something else.
#[test]
fn a_source_on_something_else_bears_nothing_out() {
    let all: Vec<Labelled> = load().into_iter().step_by(12).collect();
    for (labelled, other) in all.iter().zip(all.iter().cycle().skip(7)) {
        let check = read(&labelled.claim, &other.source);
        assert!(check.support < Support::Supported, "{} | {check:?}", labelled.claim);
        assert!(!check.opposed, "{} | {check:?}", labelled.claim);
    }
}

#[test]
fn a_true_statement_is_not_contradicted_by_the_sentence_that_confirms_it() {
    for (claim, source) in [
        (
            "Scott Sullivan pleaded guilty to fraud.",
            "Mr Sullivan, 42, pleaded guilty to fraud and agreed to testify.",
        ),
        (
            "The fair took place in Istanbul.",
            "The fair took place in İstanbul, as it does every year.",
        ),
        ("Amplified music has to stop at 22:00.", "Amplified music must stop at 10 pm."),
        (
            "Revenue rose to 2.3 billion dollars.",
            "Revenue rose 12 percent to $2.3 billion in the year to June.",
        ),
        (
            "The mayor opened Hartwell's bridge.",
            "The bridge of Hartwell was opened by the mayor, who said she was glad.",
        ),
    ] {
        let check = read(claim, source);
        assert!(check.support > Support::Unsupported, "{claim} | {check:?}");
        assert!(!check.opposed, "{claim} | {check:?}");
    }
}

#[test]
fn what_is_exact_is_held_to_it_whoever_reads() {
    let source =
        "The ferry takes 40 minutes in summer. The mayor, Elena Voss, called it “a good start”.";
    for reader in [TextReader::Embedded, TextReader::Lexical] {
        let check =
            |claim: &str| SourceIndex::new(source).check(claim, &reader, &Stop::never()).unwrap();
        for (claim, reason) in [
            (
                "In summer the ferry takes 14 minutes.",
                "the source says “40 minutes”, not “14 minutes”",
            ),
            (
                "The mayor, Elena Voss, called it a good start in Leeds.",
                "the source does not name “Leeds”",
            ),
            (
                "The mayor called it “a bad start”.",
                "the source does not say “a bad start” word for word",
            ),
        ] {
            let found = check(claim);
            assert!(found.support < Support::Supported, "{claim} | {found:?}");
            assert!(found.reasons.iter().any(|one| one == reason), "{claim} | {found:?}");
        }
    }
}

#[test]
fn what_a_source_says_word_for_word_is_not_read() {
    let source = SourceIndex::new("The mill closed in 1850. It had employed 1,200 people.");
    assert!(source.pairs("The mill closed in 1850.").is_empty());
    assert!(!source.pairs("The mill was shut in 1850.").is_empty());
}

#[test]
fn a_long_claim_against_a_long_source_is_bounded() {
    let source = "The mill closed in 1850. It had employed 1,200 people. ".repeat(20_000);
    let claim = "The mill of the town was shut down in the year 1850. ".repeat(100);
    assert!(SourceIndex::new(source).pairs(&claim).len() <= 40);
}

#[test]
fn whoever_is_told_to_stop_stops() {
    let (stopper, stop) = Stop::new();
    drop(stopper);
    let checked =
        check_claim("The mill was shut.", "The mill closed.", &TextReader::Embedded, &stop);
    assert!(checked.is_err());
}
