//! What a report says where its sources differ on the answer, or give none.

use probity_core::{Decision, SourceId, Verdict};
use probity_reader::{Stop, TextReader};
use probity_report::check::Support;
use probity_report::confidence::Level;
use probity_report::draft::{Conflict, Draft, Proposal, Statement, Theme, Unanswered};
use probity_report::markdown::markdown;
use probity_report::{CheckedReport, OnUnverified, assemble};

use crate::sample::{by_words, candidate, facts};

const ONE: &str = "A permit costs 40 crowns.";
const OTHER: &str = "A permit costs 90 crowns.";

fn report_on(conflicts: Vec<Conflict>, unanswered: Vec<Unanswered>) -> String {
    drafted(Draft { conflicts, unanswered, ..Draft::default() })
}

fn drafted(draft: Draft) -> String {
    let candidates = [7, 8].map(|id| candidate(id, Verdict::Read, "Permits explained")).to_vec();
    let facts = facts(candidates, "What does a permit cost?", Decision::FullReport);
    let texts = [(SourceId(7), ONE.into()), (SourceId(8), OTHER.into())].into();
    let statements =
        vec![Statement::citing(ONE, SourceId(7)), Statement::citing(OTHER, SourceId(8))];
    let themes = vec![Theme { heading: "Permits".to_owned(), statements }];
    let draft = Draft { themes, ..draft };
    markdown(&by_words(draft, facts, &texts, OnUnverified::Mark))
}

fn conflict(on_answer: bool) -> Vec<Conflict> {
    let statements =
        vec![Statement::citing(OTHER, SourceId(8)), Statement::citing(ONE, SourceId(7))];
    vec![Conflict { statements, on_answer }]
}

#[test]
fn a_conflict_on_the_answer_keeps_confidence_at_medium() {
    assert!(report_on(vec![], vec![]).contains("**Confidence Level:** High"));
    assert!(report_on(conflict(false), vec![]).contains("**Confidence Level:** High"));
    let contested = report_on(conflict(true), vec![]);
    assert!(contested.contains("**Confidence Level:** Medium"), "{contested}");
    assert!(contested.contains("on what was asked itself"), "{contested}");
}

fn proposing(level: Level, conflicts: Vec<Conflict>) -> String {
    let reason = "Two offices say so [1].".to_owned();
    let confidence = Some(Proposal { level, reason });
    drafted(Draft { conflicts, confidence, ..Draft::default() })
}

#[test]
fn a_proposed_level_is_taken_up_to_what_the_figures_allow_and_both_are_reported() {
    let lower = proposing(Level::Low, vec![]);
    assert!(lower.contains("**Confidence Level:** Low"), "{lower}");
    let said = "These figures would allow High; the author of the draft proposed Low (“Two offices say so”).";
    assert!(lower.contains(said), "{lower}");
    let higher = proposing(Level::High, conflict(true));
    assert!(higher.contains("**Confidence Level:** Medium"), "{higher}");
    let said = "The author of the draft proposed High (“Two offices say so”); these figures allow no more than Medium.";
    assert!(higher.contains(said), "{higher}");
    let same = proposing(Level::High, vec![]);
    assert!(same.contains("**Confidence Level:** High"), "{same}");
    assert!(!same.contains("proposed"), "{same}");
}

#[test]
fn both_sides_of_a_conflict_have_their_days() {
    let text = report_on(conflict(true), vec![]);
    let sides =
        "A permit costs 90 crowns (2026-03-09) [2]. A permit costs 40 crowns (2026-03-08) [1].";
    assert!(text.contains(sides), "{text}");
    assert!(text.contains("A permit costs 40 crowns [1]. A permit costs 90 crowns [2]."), "{text}");
}

#[test]
fn what_is_not_answered_is_said_first() {
    let asked = "When does a permit end?".to_owned();
    let text = report_on(vec![], vec![Unanswered { asked, lack: "give no date".to_owned() }]);
    let summary = text.split("## Executive Summary").nth(1).unwrap().trim_start();
    let first = "The sources give no date in answer to “When does a permit end?”.";
    assert!(summary.starts_with(first), "{summary}");
}

const TITLE: &str = "Permits end on 4 May 2026";

/// Sentences that cite a page of that title, checked.
fn under_the_title(page: &str, sentences: &[&str]) -> CheckedReport {
    let candidates = vec![candidate(7, Verdict::Read, TITLE)];
    let facts = facts(candidates, "When do permits end?", Decision::FullReport);
    let texts = [(SourceId(7), page.into())].into();
    let statements = sentences.iter().map(|text| Statement::citing(*text, SourceId(7))).collect();
    let themes = vec![Theme { heading: "Permits".to_owned(), statements }];
    let draft = Draft { themes, ..Draft::default() };
    assemble(draft, facts, &texts, OnUnverified::Mark, &TextReader::Embedded, &Stop::never())
        .unwrap()
}

#[test]
fn a_title_that_is_quoted_is_borne_out_by_the_title() {
    let sentences = ["Permits end on 4 May 2026.", "Permits end on 5 May 2026."];
    let report = under_the_title(ONE, &sentences);
    let text = markdown(&report);
    assert!(text.contains("Permits end on 4 May 2026 [1]."), "{text}");
    assert!(text.contains("5 May 2026 [1] [unverified]"), "{text}");
    // It stands nowhere in the text; where the text says it too, that is the evidence.
    let place = |report: &CheckedReport| report.statements().next().unwrap().evidence[0].start;
    assert_eq!(place(&report), None);
    let said = "A permit costs 40 crowns.\n\nPermits end on 4 May 2026";
    assert_eq!(place(&under_the_title(said, &sentences)), Some(27));
}

#[test]
fn a_title_that_its_text_denies_bears_nothing_out() {
    for page in ["Permits do not end on 4 May 2026.", "Permits end on 9 June 2026, not in May."] {
        let report = under_the_title(page, &["Permits end on 4 May 2026."]);
        let support = report.statements().next().unwrap().support;
        assert_ne!(support, Support::Supported, "{page}");
    }
}
