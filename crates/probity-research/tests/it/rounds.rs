//! Rounds beyond the second: for as long as they close gaps and something is left to spend.

use std::sync::Arc;

use probity_core::{Mode, Modes, Round};
use probity_model::{Request, Task};
use probity_report::facts::{RoundRecord, RunFacts};
use probity_report::markdown::markdown_with_appendix;
use probity_research::{Event, RunSpec};
use probity_testkit::model::{Act, ScriptedModel, well};
use serde_json::json;

use crate::models::{Ran, gatherer, run_model};
use crate::scripted::{Paper, Sheet, sheet, spec};

/// What the model finds missing, one gap fewer each time it is asked.
const GAPS: [&str; 4] = ["the fines", "who may appeal", "how permits are issued", "since when"];

/// Which of the gaps an answer is about: those that the request names as open, or all at first.
fn named(request: &Request) -> Vec<&'static str> {
    let shown = |gap: &&str| {
        request.texts().any(|text| text.lines().any(|line| line.ends_with(&format!(". {gap}"))))
    };
    let named: Vec<&str> = GAPS.into_iter().filter(shown).collect();
    if named.is_empty() { GAPS.to_vec() } else { named }
}

/// A model that closes so many gaps a round.
fn closing(each: usize) -> Arc<ScriptedModel> {
    Arc::new(ScriptedModel::new(move |request| match request.task {
        Task::Gaps => {
            let again = request.texts().any(|text| text.contains("Gaps named before:"));
            let open = named(request);
            let closed = if again { each.min(open.len()) } else { 0 };
            let labels: Vec<String> = (1..=closed).map(|number| format!("G{number}")).collect();
            let left: Vec<&str> = open.into_iter().skip(closed).collect();
            let query = format!("follow-up on {}", left.first().unwrap_or(&"nothing"));
            Act::Say(json!({"unanswered": left, "queries": [query], "closed": labels}).to_string())
        }
        _ => well(request),
    }))
}

fn wide() -> Paper {
    let page = |number: usize| {
        let name = format!("p{number}");
        Sheet {
            text: format!("Outdoor music at place {number} in Port Ellery must stop at 10 pm."),
            ..sheet(&name, 4)
        }
    };
    Paper::new((0..14).map(page).collect(), (14..70).map(page).collect())
}

fn exhaustive() -> RunSpec {
    spec(Mode::Exhaustive)
}

fn rounds(ran: &Ran) -> &[RoundRecord] {
    &ran.finished.facts().rounds
}

fn last(facts: &RunFacts) -> (usize, &str) {
    let last = facts.rounds.last().unwrap();
    (last.round.number(), last.ended.as_str())
}

#[tokio::test]
async fn rounds_go_on_while_each_closes_a_gap_and_the_appendix_says_what_each_brought() {
    let model = closing(1);
    let ran = run_model(&exhaustive(), &model, &wide()).await;
    let facts = ran.finished.facts();
    assert_eq!(last(facts), (5, "nothing was left open"));
    assert_eq!(model.count(Task::Gaps), 5, "one after each round");
    let closed: Vec<&[String]> = rounds(&ran).iter().map(|round| round.closed.as_slice()).collect();
    assert!(closed[0].is_empty());
    for (closed, gap) in closed[1..].iter().zip(GAPS) {
        assert_eq!(*closed, [gap]);
    }
    let read: Vec<usize> = rounds(&ran).iter().map(|round| round.read).collect();
    assert_eq!(read, [12, 8, 8, 8, 8]);
    assert_eq!(facts.read(), 44);
    assert!(facts.gaps.is_empty());
    let text = markdown_with_appendix(&ran.finished.report);
    assert!(text.contains("## Appendix: Rounds"), "{text}");
    assert!(text.contains("Round 5 was the last: nothing was left open."), "{text}");
    assert!(text.contains("search queries across 5 rounds"), "{text}");
    let rounds = ran.events.iter().filter(|event| matches!(event, Event::Round(_))).count();
    assert_eq!(rounds, 5);
    assert!(facts.candidates.iter().any(|one| one.round == Round::Second));
}

#[tokio::test]
async fn a_round_that_closes_nothing_is_the_last() {
    let ran = run_model(&exhaustive(), &closing(0), &wide()).await;
    assert_eq!(last(ran.finished.facts()), (2, "it closed no gap"));
    assert_eq!(ran.finished.facts().read(), 20);
}

#[tokio::test]
async fn rounds_end_with_the_sources_the_pages_the_time_and_the_budget() {
    let mut few = exhaustive();
    few.numbers = few.numbers.with_sources(21);
    let ran = run_model(&few, &closing(1), &wide()).await;
    assert!(ran.finished.facts().read() <= 21);

    let mut two = exhaustive();
    two.numbers = Modes::default().standard.with_rounds(3);
    let model = closing(1);
    let ran = run_model(&two, &model, &wide()).await;
    assert_eq!(last(ran.finished.facts()), (3, "it was the last round that the run may have"));
    assert_eq!(model.count(Task::Gaps), 2, "nobody is asked for what no round would look for");

    let ran = run_model(&exhaustive(), &closing(1), &gatherer()).await;
    assert_eq!(last(ran.finished.facts()), (3, "it found nothing more to read"));

    let mut hasty = exhaustive();
    hasty.limits.gathering_seconds = 0;
    let ran = run_model(&hasty, &closing(1), &wide()).await;
    assert_eq!(last(ran.finished.facts()), (2, "the time for gathering was over"));

    let mut poor = exhaustive();
    poor.model.limits.max_calls = Some(40);
    let model = closing(1);
    let ran = run_model(&poor, &model, &wide()).await;
    assert_eq!(last(ran.finished.facts()).1, "the spending limit was reached");
    assert!(model.asked().len() <= 40);
}

#[tokio::test]
async fn the_usual_modes_have_two_rounds_and_one_look_for_gaps() {
    for mode in [Mode::Quick, Mode::Standard, Mode::Deep] {
        let model = closing(1);
        let ran = run_model(&spec(mode), &model, &wide()).await;
        assert!(rounds(&ran).is_empty() && !ran.json().contains("\"rounds\""));
        assert_eq!(model.count(Task::Gaps), 1);
        assert!(ran.markdown().contains("across both rounds"));
    }
}

#[tokio::test]
async fn a_round_sends_no_more_queries_than_it_may_and_what_the_plan_has_left_comes_later() {
    let model = Arc::new(ScriptedModel::new(|request| match request.task {
        Task::Plan => {
            let part = |n: usize| json!({"question": format!("What of {n}?"), "queries": [format!("music query {n}")]});
            let parts: Vec<_> = (1..=8).map(part).collect();
            Act::Say(json!({"brief": "All of it.", "parts": parts}).to_string())
        }
        _ => well(request),
    }));
    let ran = run_model(&spec(Mode::Standard), &model, &wide()).await;
    let sent = |round: Round| -> Vec<&str> {
        let queries = ran.finished.facts().queries.iter();
        queries.filter(|query| query.round == round).map(|query| query.text.as_str()).collect()
    };
    assert_eq!(
        sent(Round::First)[1..],
        ["music query 1", "music query 2", "music query 3", "music query 4"]
    );
    assert_eq!(sent(Round::Second)[..3], ["follow-up on fines", "music query 5", "music query 6"]);
    assert_eq!(sent(Round::Second).len(), 5);
}
