//! The gate: once, after both rounds, over everything; missing judgements include and say so.

use probity_core::{Decision, Mode, Verdict};
use probity_research::Event;
use probity_research::stage::gate::DEFAULT_WHY;

use crate::scripted::{Manner, Paper, Scripted, Sheet, run, sheet, spec};

/// What any judge takes for an answer to the question.
const ANSWER: &str = "Outdoor music in Port Ellery may be as loud as 55 decibels at night.";

/// Four pages that answer the question.
fn answering() -> Paper {
    let page = |i: i32| {
        let sheet = sheet(&format!("s{i}"), 4);
        Sheet { text: format!("{ANSWER} So says page {i}."), ..sheet }
    };
    Paper::new((0..4).map(page).collect(), vec![])
}

#[tokio::test]
async fn it_runs_once_after_both_rounds() {
    let gatherer = Paper::new(vec![sheet("a", 4), sheet("b", 1)], vec![sheet("c", 5)]);
    let analyst = Scripted::new(&gatherer);
    let done = run(&spec(Mode::Standard), &analyst, &gatherer).await;
    let asked = analyst.asked();
    let first_judgement = asked.iter().position(|r| r.starts_with("judge")).unwrap();
    let last_summary = asked.iter().rposition(|r| r.starts_with("summarise")).unwrap();
    assert!(last_summary < first_judgement, "{asked:?}");
    assert_eq!(asked.iter().filter(|r| r.starts_with("judge")).count(), 3);
    let verdicts: Vec<(u8, bool)> = done
        .events
        .iter()
        .filter_map(|event| match event {
            Event::Verdict { score, kept, .. } => Some((*score, *kept)),
            _ => None,
        })
        .collect();
    assert_eq!(verdicts, [(4, true), (1, false), (5, true)]);
}

#[tokio::test]
async fn a_judgement_that_cannot_be_parsed_keeps_the_source_whatever_the_cutoff() {
    let mut unreadable = sheet("a", 1);
    unreadable.relevance = None;
    let mut absurd = sheet("b", 9);
    absurd.relevance = Some(9);
    let gatherer = Paper::new(vec![unreadable, absurd, sheet("c", 4), sheet("d", 2)], vec![]);
    let analyst = Scripted::new(&gatherer);
    let mut strict = spec(Mode::Standard);
    strict.numbers.relevance_cutoff = 5;
    let done = run(&strict, &analyst, &gatherer).await;
    let facts = done.finished.facts();
    assert_eq!(facts.gate.kept, 2);
    for name in ["a", "b"] {
        let kept = facts.candidates.iter().find(|c| c.url.host().starts_with(name)).unwrap();
        let relevance = kept.relevance.as_ref().unwrap();
        assert_eq!((kept.verdict, relevance.score), (Verdict::Read, 3));
        assert!(relevance.why.starts_with(DEFAULT_WHY));
    }
    let why =
        "0 of 4 sources scored ≥ 5 and 2 were kept without a score, enough for a short report";
    assert!(facts.gate.rationale.starts_with(why), "{}", facts.gate.rationale);
    let text = probity_report::markdown::markdown(&done.finished.report);
    assert!(text.contains("Only 0 of 4 sources read were relevant to the question, 2 more could"));
    assert!(text.contains("0 of 4 sources read were relevant (scores none)"), "{text}");
    assert!(text.contains("2 sources were kept because no score could be read"), "{text}");
}

#[tokio::test]
async fn where_most_sources_cannot_be_judged_the_embedded_judge_scores_them_all() {
    let beside = "Ferries leave every hour in summer.";
    let page = |name: &str, text: &str, relevance| Sheet {
        text: format!("{text} So says the page of {name}."),
        relevance,
        ..sheet(name, 1)
    };
    let pages = vec![page("a", ANSWER, None), page("b", beside, None), page("c", beside, Some(5))];
    let gatherer = Paper::new(pages, vec![]);
    let done = run(&spec(Mode::Standard), &Scripted::new(&gatherer), &gatherer).await;
    let facts = done.finished.facts();
    let judged = |name: &str| {
        let source = facts.candidates.iter().find(|c| c.url.host().starts_with(name)).unwrap();
        (source.verdict, source.relevance.clone().unwrap())
    };
    assert_eq!(judged("a").0, Verdict::Read);
    // Also the one that the model did judge: one measure for all of them.
    for name in ["b", "c"] {
        let (verdict, relevance) = judged(name);
        assert_eq!((verdict, relevance.defaulted), (Verdict::Dropped, false), "{relevance:?}");
    }
    let text = probity_report::markdown::markdown(&done.finished.report);
    let said = "relevance gate: the embedded judge scored all of them instead";
    assert!(text.contains(said), "{text}");
    let last = done.events.iter().rposition(|e| matches!(e, Event::Verdict { score: 5, .. }));
    let problem = done.events.iter().position(|e| matches!(e, Event::Problem(_))).unwrap();
    assert!(last < Some(problem), "the model's scores are not the last word");
}

#[tokio::test]
async fn one_source_that_cannot_be_judged_is_kept_and_the_model_stays_the_judge() {
    let mut unreadable = sheet("a", 1);
    unreadable.relevance = None;
    let gatherer = Paper::new(vec![unreadable, sheet("b", 4), sheet("c", 5)], vec![]);
    let done = run(&spec(Mode::Standard), &Scripted::new(&gatherer), &gatherer).await;
    let facts = done.finished.facts();
    assert_eq!((facts.gate.kept, facts.unjudged()), (3, 1));
    assert!(facts.problems.iter().all(|problem| problem.subject != "relevance gate"));
}

#[tokio::test(start_paused = true)]
async fn an_analyst_that_never_answers_ends_the_run_in_time_with_what_there_is() {
    let gatherer = answering();
    let mut analyst = Scripted::new(&gatherer);
    analyst.manner = Manner::Silent;
    let began = tokio::time::Instant::now();
    let done = run(&spec(Mode::Standard), &analyst, &gatherer).await;
    // plan 30 + summaries 60 + gaps 30 + scores 15 + synthesis 120, the parallel ones once each.
    assert!(began.elapsed().as_secs() <= 256, "{:?}", began.elapsed());
    let facts = done.finished.facts();
    assert_eq!(facts.gate.decision, Decision::FullReport);
    assert_eq!(facts.queries.len(), 1, "an unusable plan falls back to the question alone");
    assert!(
        facts.problems.iter().any(|p| p.subject == "synthesis" && p.detail.contains("embedded"))
    );
}

#[tokio::test]
async fn an_analyst_that_always_fails_still_gives_a_valid_report() {
    let gatherer = answering();
    let mut analyst = Scripted::new(&gatherer);
    analyst.manner = Manner::Fails;
    let done = run(&spec(Mode::Standard), &analyst, &gatherer).await;
    let text = probity_report::markdown::markdown(&done.finished.report);
    probity_report::parse::parse(&text).unwrap();
    assert_eq!(done.finished.facts().gate.kept, 4);
}

#[tokio::test]
async fn no_sources_is_an_honest_outcome() {
    let gatherer = Paper::default();
    let analyst = Scripted::new(&gatherer);
    let done = run(&spec(Mode::Deep), &analyst, &gatherer).await;
    assert_eq!(done.finished.facts().gate.decision, Decision::InsufficientData);
    assert!(done.finished.facts().gate.rationale.contains("no source could be read"));
    assert_eq!(done.events.last(), Some(&Event::End));
}
