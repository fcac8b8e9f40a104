//! What a report of a language model costs, and what it may not say.

use std::sync::Arc;

use probity_core::{Decision, Mode, Verdict};
use probity_model::{ModelError, Request, Task};
use probity_research::Event;
use probity_research::run::GateCalls;
use probity_testkit::model::{Act, ScriptedModel, well};
use probity_testkit::pages::long;
use serde_json::{Value, json};

use crate::models::{Ran, gatherer, run_model};
use crate::scripted::{Paper, Sheet, sheet, spec};

fn long_world() -> Paper {
    let pages = |from: usize, to: usize| {
        let page = |number: usize| {
            let name = format!("p{number}");
            Sheet { text: long(&name, number), ..sheet(&name, 4) }
        };
        (from..to).map(page).collect()
    };
    Paper::new(pages(0, 14), pages(14, 26))
}

#[tokio::test]
async fn a_report_from_seven_pages_stays_within_its_calls_and_tokens() {
    let (model, gatherer) = (Arc::new(ScriptedModel::well_behaved()), long_world());
    let ran = run_model(&spec(Mode::Standard), &model, &gatherer).await;
    let facts = ran.finished.facts();
    assert_eq!((facts.read(), facts.gate.decision), (7, Decision::FullReport));
    let usage = &facts.usage;
    assert!(usage.model_calls <= 19, "{usage:?}");
    assert!(usage.input_tokens <= 28_000, "{usage:?}");
}

#[tokio::test]
async fn a_report_from_twenty_pages_stays_within_its_calls_and_tokens() {
    let (model, gatherer) = (Arc::new(ScriptedModel::well_behaved()), long_world());
    let mut deep = spec(Mode::Deep);
    (deep.numbers.round1_sources, deep.numbers.round2_sources) = (12, 8);
    deep.model.skeptic = true;
    let ran = run_model(&deep, &model, &gatherer).await;
    let facts = ran.finished.facts();
    assert_eq!((facts.read(), facts.gate.decision), (20, Decision::FullReport));
    let usage = &facts.usage;
    assert!(usage.model_calls <= 55, "{usage:?}");
    assert!(usage.input_tokens <= 90_000 && usage.output_tokens <= 12_000, "{usage:?}");
    assert!(usage.by_task.contains_key("section") && usage.by_task.contains_key("lead"));
}

#[tokio::test]
async fn a_section_that_fails_its_check_is_written_again_once_with_the_reasons() {
    let model = ScriptedModel::new(|request| match (request.task, well(request)) {
        (Task::Section, Act::Say(said)) => {
            let again = request.texts().any(|text| text.contains("It was written before"));
            Act::Say(if again { said } else { said.replace("10 pm", "4 am") })
        }
        (_, said) => said,
    });
    let (model, gatherer) = (Arc::new(model), gatherer());
    let ran = run_model(&spec(Mode::Deep), &model, &gatherer).await;
    assert!(!ran.markdown().contains("4 am"), "{}", ran.markdown());
    let asked = model.asked();
    let again: Vec<&Request> = asked
        .iter()
        .filter(|request| request.texts().any(|text| text.contains("It was written before")))
        .collect();
    assert!((1..=4).contains(&again.len()), "{}", again.len());
    assert!(again[0].texts().any(|text| text.contains("the source says “10 pm”, not “4 am”")));
}

#[tokio::test]
async fn a_section_that_cannot_be_had_leaves_the_others_and_the_report_says_so() {
    let model = ScriptedModel::new(|request| {
        let second = request.texts().any(|text| text.contains("Part 2: It tells."));
        match request.task {
            Task::Section if second => Act::Say("Hm.".to_owned()),
            _ => well(request),
        }
    });
    let (model, gatherer) = (Arc::new(model), gatherer());
    let ran = run_model(&spec(Mode::Deep), &model, &gatherer).await;
    let text = ran.markdown();
    assert!(text.contains("### Part 1") && !text.contains("### Part 2"), "{text}");
    let reported =
        |problem: &probity_core::Problem| problem.detail.contains("“Part 2” was left out");
    assert!(ran.finished.facts().problems.iter().any(reported));
}

#[tokio::test]
async fn headings_that_were_given_are_kept_to_the_letter() {
    let model = ScriptedModel::new(|request| match (request.task, well(request)) {
        (Task::Outline, Act::Say(said)) => {
            Act::Say(said.replace("Part 1", "OPENING hours").replace("Part 2", "Fines"))
        }
        (_, said) => said,
    });
    let (model, gatherer) = (Arc::new(model), gatherer());
    let mut spec = spec(Mode::Standard);
    spec.shape.outline = ["Opening hours", "Fines"].map(str::to_owned).to_vec();
    let ran = run_model(&spec, &model, &gatherer).await;
    let headings: Vec<String> = ran
        .markdown()
        .lines()
        .filter_map(|line| line.strip_prefix("### ").map(str::to_owned))
        .collect();
    assert_eq!(headings, ["Opening hours", "Fines"]);
}

/// A run whose model fails to judge the pages of these names, and in which no page answers.
async fn unjudged(names: &'static [&'static str], act: fn() -> Act) -> Ran {
    let model = ScriptedModel::new(move |request| {
        let titled = |name: &&str| request.texts().any(|t| t.contains(&format!("Title: {name}:")));
        match request.task == Task::Score && names.iter().any(titled) {
            true => act(),
            false => well(request),
        }
    });
    let (model, mut gatherer) = (Arc::new(model), gatherer());
    for sheet in gatherer.first.iter_mut().chain(&mut gatherer.second) {
        sheet.text = format!("The museum of {} shows ships and ropes of the port.", sheet.url);
    }
    run_model(&spec(Mode::Standard), &model, &gatherer).await
}

#[tokio::test]
async fn where_a_call_fails_the_embedded_judge_stands_in_and_an_answer_it_cannot_read_includes() {
    let gone = || {
        Act::Fail(ModelError::Unreachable {
            model: "compatible:scripted".to_owned(),
            reason: "connection refused".to_owned(),
        })
    };
    let ran = unjudged(&["a", "b"], gone).await;
    let facts = ran.finished.facts();
    assert_eq!(facts.count(Verdict::Dropped), 2, "the embedded judge finds ships off topic");
    let reported = |problem: &probity_core::Problem| {
        problem.subject == "relevance gate" && problem.detail.starts_with("2 of 7 sources")
    };
    assert!(facts.problems.iter().any(reported), "{:?}", facts.problems);
    let ran = unjudged(&["a"], || Act::Say("Great!".to_owned())).await;
    assert_eq!(ran.finished.facts().unjudged(), 1, "asked again and again, then included");
}

#[tokio::test]
async fn every_prompt_knows_the_day_and_the_language() {
    let (model, gatherer) = (Arc::new(ScriptedModel::well_behaved()), gatherer());
    let mut spec = spec(Mode::Deep);
    spec.shape.language = Some("Portuguese".parse().unwrap());
    run_model(&spec, &model, &gatherer).await;
    for request in model.asked() {
        let said = "Today is 2026-11-15. Write in Portuguese.";
        assert!(request.system.contains(said), "{}: {}", request.task, request.system);
    }
}

/// A run whose gate asks about several sources a call.
async fn batched(script: fn(&Request) -> Act) -> (Ran, Arc<ScriptedModel>) {
    let (model, gatherer) = (Arc::new(ScriptedModel::new(script)), long_world());
    let mut spec = spec(Mode::Standard);
    spec.model.gate = GateCalls::Batched;
    (run_model(&spec, &model, &gatherer).await, model)
}

#[tokio::test]
async fn a_batched_gate_judges_several_sources_a_call() {
    let (ran, model) = batched(well).await;
    let facts = ran.finished.facts();
    assert_eq!((facts.read(), facts.gate.kept), (7, 7));
    // Six at once, and one that is left alone.
    assert_eq!((model.count(Task::Score), facts.usage.by_task["score"].model_calls), (2, 2));
    assert!(facts.problems.is_empty(), "{:?}", facts.problems);
    let reported = ran.events.iter().filter(|event| matches!(event, Event::Verdict { .. })).count();
    assert_eq!(reported, 7, "every verdict is told");
}

#[tokio::test]
async fn what_a_batch_leaves_out_is_kept_without_a_score_and_two_scores_count_as_the_lower() {
    let (ran, _) = batched(|request| match (request.task, well(request)) {
        (Task::Score, Act::Say(said)) if said.contains("scores") => {
            let mut said: Value = serde_json::from_str(&said).unwrap();
            let scores = said["scores"].as_array_mut().unwrap();
            scores.pop();
            scores.push(json!({"source": "S1", "score": 1, "why": "Off topic."}));
            scores.push(json!({"source": "S2", "score": 9, "why": "Off the scale."}));
            scores.push(json!({"source": "S99", "score": 5, "why": "Nobody."}));
            Act::Say(said.to_string())
        }
        (_, said) => said,
    })
    .await;
    let facts = ran.finished.facts();
    assert_eq!(facts.count(Verdict::Dropped), 1, "the one that was scored twice");
    assert_eq!(facts.unjudged(), 1, "the one that was left out");
}

#[tokio::test]
async fn a_batch_that_fails_is_judged_by_the_embedded_judge() {
    let (ran, _) = batched(|request| match request.task {
        Task::Score => Act::Fail(ModelError::Unreachable {
            model: "compatible:scripted".to_owned(),
            reason: "connection refused".to_owned(),
        }),
        _ => well(request),
    })
    .await;
    let facts = ran.finished.facts();
    assert_eq!(facts.unjudged(), 0);
    let reported =
        |problem: &probity_core::Problem| problem.detail.contains("embedded judge scored all");
    assert!(facts.problems.iter().any(reported), "{:?}", facts.problems);
}
