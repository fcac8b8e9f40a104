//! The gate: once, after both rounds, over everything; missing judgements include and say so.

use probity_core::{Decision, Mode, Verdict};
use probity_research::Event;
use probity_research::stage::gate::DEFAULT_WHY;

use crate::scripted::{Manner, Paper, Scripted, run, sheet, spec};

#[tokio::test]
async fn it_runs_once_after_both_rounds() {
    let world = Paper::new(vec![sheet("a", 4), sheet("b", 1)], vec![sheet("c", 5)]);
    let analyst = Scripted::new(&world);
    let done = run(&spec(Mode::Standard), &analyst, &world).await;
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
    let world = Paper::new(vec![unreadable, absurd, sheet("c", 4)], vec![]);
    let analyst = Scripted::new(&world);
    let mut strict = spec(Mode::Standard);
    strict.numbers.relevance_cutoff = 5;
    let done = run(&strict, &analyst, &world).await;
    let facts = done.finished.facts();
    assert_eq!(facts.gate.kept, 2);
    for name in ["a", "b"] {
        let kept = facts.candidates.iter().find(|c| c.url.host().starts_with(name)).unwrap();
        let relevance = kept.relevance.as_ref().unwrap();
        assert_eq!((kept.verdict, relevance.score), (Verdict::Read, 3));
        assert!(relevance.why.starts_with(DEFAULT_WHY));
    }
}

#[tokio::test(start_paused = true)]
async fn an_analyst_that_never_answers_ends_the_run_in_time_with_what_there_is() {
    let world = Paper::new((0..4).map(|i| sheet(&format!("s{i}"), 4)).collect(), vec![]);
    let mut analyst = Scripted::new(&world);
    analyst.manner = Manner::Silent;
    let began = tokio::time::Instant::now();
    let done = run(&spec(Mode::Standard), &analyst, &world).await;
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
    let world = Paper::new((0..4).map(|i| sheet(&format!("s{i}"), 4)).collect(), vec![]);
    let mut analyst = Scripted::new(&world);
    analyst.manner = Manner::Fails;
    let done = run(&spec(Mode::Standard), &analyst, &world).await;
    let text = probity_report::markdown::markdown(&done.finished.report);
    probity_report::parse::parse(&text).unwrap();
    assert_eq!(done.finished.facts().gate.kept, 4);
}

#[tokio::test]
async fn no_sources_is_an_honest_outcome() {
    let world = Paper::default();
    let analyst = Scripted::new(&world);
    let done = run(&spec(Mode::Deep), &analyst, &world).await;
    assert_eq!(done.finished.facts().gate.decision, Decision::InsufficientData);
    assert!(done.finished.facts().gate.rationale.contains("no source could be read"));
    assert_eq!(done.events.last(), Some(&Event::End));
}
