//! Of a question that was asked again only what affects the answer is reported.

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
    let new = novelty(&report, &moved);
    assert_eq!(new.figures.len(), 1, "{new:?}");
    assert_eq!(new.figures[0].after, "After 9 pm the limit is 45 decibels.");
    assert!(new.lines()[0].contains("55 decibels. → After 9 pm the limit is 45"), "{new:?}");
}

#[test]
fn sources_that_came_are_reported_and_those_that_went_are_not() {
    assert_eq!(novelty(&long(8), &long(12)).sources.len(), 4);
    assert!(novelty(&long(12), &long(8)).sources.is_empty());
}

#[test]
fn an_answer_that_was_not_there_before_is_news() {
    let new = novelty(&short_of("A question?"), &saying("A question?"));
    assert!(new.decision.is_some() && new.confidence.is_some(), "{new:?}");
    assert!(new.lines().iter().any(|line| line.starts_with("Decision: ")), "{new:?}");
}
