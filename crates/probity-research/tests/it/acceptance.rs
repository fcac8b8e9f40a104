//! The acceptance table with a scripted analyst: the counts come out exactly.

use probity_core::{Decision, Mode};
use probity_report::markdown::markdown;
use probity_report::parse::parse;

use crate::scripted::{Paper, Scripted, Sheet, run, sheet, spec};

/// So many pages, the first `kept` of them relevant.
fn pages(names: std::ops::Range<usize>, kept: usize) -> Vec<Sheet> {
    names.map(|i| sheet(&format!("source{i}"), if i < kept { 4 } else { 2 })).collect()
}

#[tokio::test]
async fn the_counts_come_out_exactly() {
    for (mode, read, kept, decision) in [
        (Mode::Standard, 6, 3, Decision::ShortReport),
        (Mode::Standard, 5, 0, Decision::InsufficientData),
        (Mode::Standard, 7, 7, Decision::FullReport),
        (Mode::Deep, 9, 5, Decision::FullReport),
        (Mode::Standard, 7, 3, Decision::ShortReport),
    ] {
        let split = spec(mode).numbers.round1_sources;
        let gatherer = Paper::new(pages(0..split, kept), pages(split..read, kept));
        let analyst = Scripted::new(&gatherer);
        let done = run(&spec(mode), &analyst, &gatherer).await;
        let facts = done.finished.facts();
        assert_eq!((facts.gate.kept, facts.gate.judged), (kept, read), "{mode} {read}");
        assert_eq!(facts.gate.decision, decision);
        assert_eq!(facts.read(), read);
        let parsed = parse(&markdown(&done.finished.report)).unwrap();
        assert_eq!(
            parsed.sources.len(),
            if decision == Decision::InsufficientData { 0 } else { kept }
        );
        let asked = analyst.asked();
        let wrote = asked.iter().any(|request| request.starts_with("synthesise"));
        assert_eq!(
            wrote,
            decision != Decision::InsufficientData,
            "a synthesis was paid for nothing"
        );
    }
}

#[tokio::test]
async fn a_full_report_is_as_long_as_its_sources_allow() {
    // A thousand words for seven sources, and so for each share of them.
    for (kept, asked) in [(4, "synthesise 4 571"), (7, "synthesise 7 1000")] {
        let gatherer = Paper::new(pages(0..4, kept), pages(4..7, kept));
        let analyst = Scripted::new(&gatherer);
        let done = run(&spec(Mode::Standard), &analyst, &gatherer).await;
        assert_eq!(done.finished.facts().gate.decision, Decision::FullReport);
        assert!(analyst.asked().contains(&asked.to_owned()), "{:?}", analyst.asked());
    }
}

#[tokio::test]
async fn a_short_report_is_shorter_in_proportion_and_says_so_first() {
    let gatherer = Paper::new(pages(0..4, 3), pages(4..6, 3));
    let analyst = Scripted::new(&gatherer);
    let done = run(&spec(Mode::Standard), &analyst, &gatherer).await;
    assert!(analyst.asked().contains(&"synthesise 3 428".to_owned()), "{:?}", analyst.asked());
    let text = markdown(&done.finished.report);
    let second = text.lines().filter(|line| !line.is_empty()).nth(1).unwrap();
    assert!(second.contains("Only 3 of 6 sources read were relevant"), "{second}");
    assert!(second.contains("3 sources were dropped for scoring below 3 of 5"), "{second}");
}
