//! What is told of a question that was asked again is what bears on the answer.

use probity_report::CheckedReport;
use probity_report::compare::compare;
use probity_report::novelty::Novelty;
use serde_json::json;

use crate::compare::with;
use crate::sample::{long, saying, short_of};

fn novelty(before: &CheckedReport, after: &CheckedReport) -> Novelty {
    Novelty::of(&compare(before, after))
}

#[test]
fn the_same_answer_is_no_news() {
    let report = long(12);
    assert!(novelty(&report, &report).is_empty());
    assert!(novelty(&report, &report).lines().is_empty());
}

#[test]
fn a_sentence_put_otherwise_is_no_news_and_another_figure_is() {
    let path = "/body/themes/0/statements/0/text";
    let report =
        with(&saying("A title."), &[(path, json!("After 9 pm the limit is 55 decibels."))]);
    let rephrased = with(&report, &[(path, json!("The limit is 55 decibels after 9 pm."))]);
    assert!(novelty(&report, &rephrased).figures.is_empty());
    let moved = with(&report, &[(path, json!("After 9 pm the limit is 45 decibels."))]);
    let told = novelty(&report, &moved);
    assert_eq!(told.figures.len(), 1, "{told:?}");
    assert_eq!(told.figures[0].after, "After 9 pm the limit is 45 decibels.");
    assert!(told.lines()[0].contains("55 decibels. → After 9 pm the limit is 45"), "{told:?}");
}

#[test]
fn sources_that_came_are_told_and_those_that_went_are_not() {
    assert_eq!(novelty(&long(8), &long(12)).sources.len(), 4);
    assert!(novelty(&long(12), &long(8)).sources.is_empty());
}

#[test]
fn an_answer_that_was_not_there_before_is_news() {
    let told = novelty(&short_of("A question?"), &saying("A question?"));
    assert!(told.decision.is_some() && told.confidence.is_some(), "{told:?}");
    assert!(told.lines().iter().any(|line| line.starts_with("Decision: ")), "{told:?}");
}
