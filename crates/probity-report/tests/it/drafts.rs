//! What an analyst hands in: conclusions point at the same statements whatever is added or taken out, and the queries
//! of a plan take turns.

use std::collections::BTreeMap;

use probity_report::draft::{Draft, Form, Statement, Theme};
use probity_report::facts::{Call, Plan, PlanPart, StageRecord, Usage};
use proptest::prelude::*;

fn statement(text: &str, form: Form) -> Statement {
    Statement { text: text.to_owned(), form, ..Statement::default() }
}

/// A topic of so many sentences and a conclusion from some of its own.
fn theme(name: &str, sentences: usize, from: Vec<usize>) -> Theme {
    let prose = (0..sentences).map(|at| statement(&format!("{name}{at}"), Form::Prose));
    let drawn = statement(&format!("{name}!"), Form::Inference { from });
    Theme { heading: name.to_owned(), statements: prose.chain([drawn]).collect() }
}

/// What each conclusion is drawn from, by the texts it points at.
fn drawn(draft: &Draft) -> BTreeMap<String, Vec<String>> {
    let all: Vec<&Statement> = draft.themes.iter().flat_map(|theme| &theme.statements).collect();
    let texts = |from: &Vec<usize>| from.iter().map(|at| all[*at].text.clone()).collect();
    let conclusion = |one: &&Statement| match &one.form {
        Form::Inference { from } => Some((one.text.clone(), texts(from))),
        _ => None,
    };
    all.iter().filter_map(conclusion).collect()
}

#[test]
fn a_topic_that_is_added_keeps_its_conclusions() {
    let mut draft = Draft::default();
    draft.push(theme("a", 2, vec![0, 1]));
    draft.push(Theme { heading: "empty".to_owned(), statements: Vec::new() });
    draft.push(theme("b", 3, vec![2]));
    assert_eq!(draft.themes.len(), 2, "a topic that says nothing is left out");
    let wanted = [("a!", vec!["a0", "a1"]), ("b!", vec!["b2"])];
    let wanted: BTreeMap<String, Vec<String>> = wanted
        .into_iter()
        .map(|(name, from)| (name.to_owned(), from.into_iter().map(str::to_owned).collect()))
        .collect();
    assert_eq!(drawn(&draft), wanted);
}

proptest! {
    #[test]
    fn a_conclusion_points_at_the_same_statements_or_at_nothing_after_some_are_taken_out(
        sizes in prop::collection::vec(1usize..5, 1..4),
        picks in prop::collection::vec(prop::collection::vec(any::<prop::sample::Index>(), 1..3), 4),
        keep in prop::collection::vec(any::<bool>(), 24),
    ) {
        let mut draft = Draft::default();
        for (place, (size, picks)) in sizes.iter().zip(&picks).enumerate() {
            let from = picks.iter().map(|pick| pick.index(*size)).collect();
            draft.push(theme(&format!("t{place}-"), *size, from));
        }
        let before = drawn(&draft);
        let mut kept = Vec::new();
        for theme in &mut draft.themes {
            theme.statements.retain(|statement| {
                // Conclusions stay, so that each can be looked at.
                let keeps = statement.form.is_inference() || keep[kept.len()];
                kept.push(keeps);
                keeps
            });
        }
        draft.renumber(&kept);
        let left: Vec<String> =
            draft.themes.iter().flat_map(|t| &t.statements).map(|s| s.text.clone()).collect();
        for (name, from) in drawn(&draft) {
            let whole = before[&name].iter().all(|text| left.contains(text));
            let wanted = if whole { before[&name].clone() } else { Vec::new() };
            prop_assert_eq!(from, wanted, "{}", name);
        }
    }

    #[test]
    fn every_query_of_a_plan_is_sent_once_and_no_sub_question_waits_for_another(
        counts in prop::collection::vec(0usize..4, 0..4), others in 0usize..3,
    ) {
        let part = |(place, count): (usize, &usize)| PlanPart {
            question: format!("q{place}"),
            queries: (0..*count).map(|turn| format!("{place}.{turn}")).collect(),
        };
        let plan = Plan {
            brief: String::new(),
            parts: counts.iter().enumerate().map(part).collect(),
            queries: (0..others).map(|other| format!("other {other}")).collect(),
        };
        let sent = plan.queries();
        prop_assert_eq!(sent.len(), counts.iter().sum::<usize>() + others);
        let turns: Vec<usize> =
            sent.iter().filter_map(|query| query.split_once('.')?.1.parse().ok()).collect();
        prop_assert!(turns.is_sorted(), "{:?}", sent);
        prop_assert_eq!(plan.has_parts(), !counts.is_empty());
    }

    #[test]
    fn what_calls_cost_adds_up_in_any_order(spent in prop::collection::vec((0u64..9, 0u64..900, 0u64..90, 0usize..3), 0..6)) {
        let usage = |(calls, sent, received, task): &(u64, u64, u64, usize)| {
            let one = Usage {
                model_calls: *calls,
                input_tokens: *sent,
                output_tokens: *received,
                ..Usage::default()
            };
            let by_task = BTreeMap::from([(format!("task {task}"), one.clone())]);
            Usage { by_task, ..one }
        };
        let sum = |parts: &mut dyn Iterator<Item = &(u64, u64, u64, usize)>| {
            let mut sum = Usage::default();
            parts.for_each(|part| sum.add(&usage(part)));
            sum
        };
        let (there, back) = (sum(&mut spent.iter()), sum(&mut spent.iter().rev()));
        prop_assert_eq!(&there, &back);
        let tasks: u64 = there.by_task.values().map(|task| task.input_tokens).sum();
        prop_assert_eq!(tasks, there.input_tokens);
    }
}

#[test]
fn a_stage_spans_its_calls_whatever_their_order() {
    let call = |start_ms, millis| Call {
        kind: "fetch".to_owned(),
        label: String::new(),
        start_ms,
        millis,
    };
    let stage =
        |calls| StageRecord { title: "Reading".to_owned(), calls, ..StageRecord::default() };
    assert_eq!(stage(vec![]).span(), None);
    assert_eq!(stage(vec![call(30, 5), call(10, 100), call(20, 1)]).span(), Some((10, 110)));
    assert_eq!(stage(vec![call(i64::MAX, i64::MAX)]).span(), Some((i64::MAX, i64::MAX)));
}
