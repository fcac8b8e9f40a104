//! What is said to have changed between two runs is what changed.

use std::collections::BTreeSet;

use probity_core::Decision;
use probity_report::compare::compare;
use probity_report::json::json;
use probity_report::{CheckedReport, restore};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::sample::{long, saying, short_of};

/// A report with some values of its JSON changed.
pub(crate) fn with(report: &CheckedReport, changes: &[(&str, Value)]) -> CheckedReport {
    let mut value: Value = serde_json::from_str(&json(report)).unwrap();
    for (path, new) in changes {
        *value.pointer_mut(path).unwrap() = new.clone();
    }
    restore(&value.to_string()).unwrap()
}

#[test]
fn a_report_does_not_differ_from_itself() {
    let report = long(12);
    let same = compare(&report, &report);
    assert!(same.same_question);
    let stated: BTreeSet<&str> = report.statements().map(|s| s.text.as_str()).collect();
    assert_eq!((same.sources.kept, same.statements.kept), (12, stated.len()));
    assert!(same.sources.added.is_empty() && same.sources.changed.is_empty());
    assert!(same.statements.removed.is_empty() && same.statements.changed.is_empty());
    assert_eq!(same.confidence.before, same.confidence.after);
}

#[test]
fn sources_that_come_go_or_move_are_distinguished() {
    let comparison = compare(&long(8), &long(12));
    assert_eq!(comparison.sources.kept, 8);
    assert_eq!(comparison.sources.added.len(), 4);
    let back = compare(&long(12), &long(8));
    assert_eq!(
        back.sources.removed,
        comparison
            .sources
            .added
            .iter()
            .map(|added| {
                let mut removed = added.clone();
                std::mem::swap(&mut removed.n.before, &mut removed.n.after);
                std::mem::swap(&mut removed.credibility.before, &mut removed.credibility.after);
                std::mem::swap(&mut removed.relevance.before, &mut removed.relevance.after);
                std::mem::swap(&mut removed.verdict.before, &mut removed.verdict.after);
                removed
            })
            .collect::<Vec<_>>()
    );
    let report = long(8);
    let moved = with(&report, &[("/candidates/3/credibility/score", json!(0.91))]);
    let comparison = compare(&report, &moved);
    assert_eq!(comparison.sources.kept, 7);
    assert_eq!(comparison.sources.changed[0].credibility.after, Some(0.91));
}

#[test]
fn a_rephrased_finding_is_changed_and_a_new_one_added() {
    let report = saying("A title.");
    let path = "/body/themes/0/statements/0/text";
    let rephrased = with(&report, &[(path, json!("After 9 pm, the limit is 55 decibels now."))]);
    let comparison = compare(&report, &rephrased);
    assert_eq!(comparison.statements.changed.len(), 1);
    assert!(comparison.statements.added.is_empty() && comparison.statements.removed.is_empty());
    let replaced = with(&report, &[(path, json!("Wholly different words stand here instead."))]);
    let comparison = compare(&report, &replaced);
    assert_eq!((comparison.statements.added.len(), comparison.statements.removed.len()), (1, 1));
}

#[test]
fn an_answer_and_a_failure_to_answer_can_be_compared() {
    let comparison = compare(&saying("A question?"), &short_of("a  Question?"));
    assert!(comparison.same_question);
    assert_eq!(comparison.decision.after, Decision::InsufficientData);
    assert!(comparison.decision.differs() && !comparison.mode.differs());
    assert!(comparison.confidence.after.is_none());
    assert_eq!(comparison.statements.kept, 0);
}

#[test]
fn a_finding_told_again_as_a_disagreement_is_one_finding() {
    let report = saying("A title.");
    let stated: BTreeSet<&str> = report.statements().map(|s| s.text.as_str()).collect();
    assert!(report.statements().count() > stated.len(), "no sentence is told twice");
    let comparison = compare(&short_of("A title."), &report);
    let texts: Vec<&str> =
        comparison.statements.added.iter().map(|finding| finding.text.as_str()).collect();
    assert_eq!(texts.len(), stated.len(), "{texts:?}");
    let both = comparison.statements.added.iter().find(|finding| finding.text == "A title.");
    assert_eq!(both.unwrap().sources.len(), 2);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn what_is_added_one_way_is_removed_the_other_way(a in 1u32..9, b in 1u32..9) {
        let (there, back) = (compare(&long(a), &long(b)), compare(&long(b), &long(a)));
        prop_assert_eq!(there.sources.added.len(), back.sources.removed.len());
        prop_assert_eq!(there.sources.removed.len(), back.sources.added.len());
        prop_assert_eq!(there.sources.kept, back.sources.kept);
        prop_assert_eq!(there.statements.kept, back.statements.kept);
        // Every listed source and every finding of the later report is told of once.
        let stated = there.sources.added.len() + there.sources.changed.len() + there.sources.kept;
        prop_assert_eq!(stated, b as usize);
        let findings = &there.statements;
        prop_assert_eq!(findings.added.len() + findings.changed.len() + findings.kept, b as usize);
    }
}
