//! Headline, summary and quotations of a draft that invents.

use probity_core::{Decision, SourceId, Verdict};
use probity_reader::{Stop, TextReader};
use probity_report::assemble::Body;
use probity_report::draft::{Draft, Form, NOTHING_PLAIN, Statement, Theme, Unanswered};
use probity_report::{CheckedReport, OnUnverified, assemble};

use crate::sample::{candidate, facts};

const SOURCE: &str = "The council raised the single ferry fare from 4.50 to 5.20 crowns on Monday. \
    The mayor called the decision “a bitter pill”. Children under six still travel free.";

fn report(draft: Draft) -> CheckedReport {
    let facts = facts(
        vec![candidate(0, Verdict::Read, "Ferry fares")],
        "What does the ferry cost?",
        Decision::FullReport,
    );
    let texts = [(SourceId(0), SOURCE.into())].into();
    let (reader, stop) = (TextReader::Embedded, Stop::never());
    assemble(draft, facts, &texts, OnUnverified::Mark, &reader, &stop).unwrap()
}

fn draft(headline: &str, summary: &[&str], statements: &[&str]) -> Draft {
    let statements = statements.iter().map(|text| Statement::citing(*text, SourceId(0))).collect();
    Draft {
        headline: headline.to_owned(),
        summary: summary.iter().map(|text| (*text).to_owned()).collect(),
        themes: vec![Theme { heading: "Fares".to_owned(), statements }],
        ..Draft::default()
    }
}

fn summary(report: &CheckedReport) -> &[String] {
    match report.body() {
        Body::Report { summary, .. } => summary,
        Body::Shortfall { .. } => &[],
    }
}

const RAISED: &str = "The council raised the single ferry fare from 4.50 to 5.20 crowns on Monday.";
const FREE: &str = "Children under six still travel free.";

#[test]
fn a_headline_that_invents_a_number_gives_way_to_a_checked_statement() {
    let report = report(draft("Ferry fare rises to 7.90 crowns", &[], &[RAISED, FREE]));
    assert_eq!(report.title(), RAISED.trim_end_matches('.'));
}

#[test]
fn a_headline_that_follows_stays() {
    let headline = "The council raised the ferry fare to 5.20 crowns";
    let report = report(draft(headline, &[], &[RAISED, FREE]));
    assert_eq!(report.title(), headline);
}

#[test]
fn a_headline_quotes_only_what_a_finding_says_and_names_who_says_it() {
    let quoted = "“5.20 crowns”, says Ferry fares";
    assert_eq!(report(draft(quoted, &[], &[RAISED])).title(), quoted);
    for wrong in ["“7.90 crowns”, says Ferry fares", "“5.20 crowns”, says nobody.org"] {
        let title = report(draft(wrong, &[], &[RAISED])).title().to_owned();
        assert_eq!(title, RAISED.trim_end_matches('.'), "{wrong}");
    }
}

#[test]
fn a_leading_statement_too_long_for_a_headline_is_pointed_to_and_no_other_takes_its_place() {
    let long = "The council raised the single ferry fare from 4.50 to 5.20 crowns on Monday. \
                The mayor called the decision “a bitter pill”.";
    assert_eq!(report(draft("", &[], &[long, FREE])).title(), "The answer is in “Ferry fares”");
    // An answer that is quoted out of it says more, if it is in it.
    for (quoted, title) in [
        ("“5.20 crowns”, says Ferry fares", "“5.20 crowns”, says Ferry fares"),
        ("“7.90 crowns”, says Ferry fares", "The answer is in “Ferry fares”"),
    ] {
        let quoted = Some(quoted.to_owned());
        let invented = draft("Ferry fare rises to 7.90 crowns", &[], &[long, FREE]);
        assert_eq!(report(Draft { quoted, ..invented }).title(), title);
    }
}

#[test]
fn a_headline_that_says_the_sources_are_silent_stays() {
    let headline = "The sources do not say what a season ticket costs";
    assert_eq!(report(draft(headline, &[], &[RAISED])).title(), headline);
}

#[test]
fn a_sentence_of_the_summary_that_invents_is_replaced() {
    let follows = "The council raised the ferry fare to 5.20 crowns.";
    let invents =
        ["The fare has risen by 40 percent.", "The mayor, Elena Voss, resigned over the fares."];
    let report = report(draft("", &[invents[0], follows, invents[1]], &[RAISED, FREE]));
    let sentences = summary(&report);
    assert!(sentences.iter().any(|one| one == follows), "{sentences:?}");
    assert!(sentences.iter().all(|one| !invents.contains(&one.as_str())), "{sentences:?}");
    assert!(sentences.iter().any(|one| one == RAISED), "{sentences:?}");
}

#[test]
fn a_summary_of_what_was_not_verified_goes() {
    let unheard = "The ferry will be replaced by a tunnel.";
    let report = report(draft(unheard, &[unheard], &[unheard, FREE]));
    assert!(summary(&report).iter().all(|one| one != unheard), "{:?}", summary(&report));
    assert_eq!(report.title(), FREE.trim_end_matches('.'));
}

#[test]
fn an_invented_quotation_is_not_printed_as_one() {
    let report = report(draft(
        "",
        &[],
        &[
            "The mayor called the decision “a bitter pill”.",
            "The mayor called the decision “a great success”.",
        ],
    ));
    let sentences: Vec<(&str, bool)> =
        report.statements().map(|one| (one.text.as_str(), one.mark().is_some())).collect();
    assert_eq!(sentences[0], ("The mayor called the decision “a bitter pill”.", false));
    assert_eq!(sentences[1], ("The mayor called the decision a great success.", true));
}

#[test]
fn what_claims_that_the_sources_are_silent_brings_no_number_of_its_own() {
    let said = "The sources do not say that the fare is below 9.80 crowns";
    let report = report(draft(said, &[said], &["Children under six still travel free."]));
    assert!(!report.title().contains("9.80"), "{}", report.title());
    assert!(!summary(&report).join(" ").contains("9.80"), "{:?}", summary(&report));
    let silent = "The sources do not say: what does the ferry cost";
    let report = self::report(draft(silent, &[], &["Children under six still travel free."]));
    assert_eq!(report.title(), silent);
}

#[test]
fn a_quoted_sentence_is_told_once_with_who_says_it() {
    let told = "We raised the single ferry fare to 5.20 crowns on Monday.";
    let texts = [(SourceId(0), told.into())].into();
    let quote = Statement { form: Form::Quote, ..Statement::citing(told, SourceId(0)) };
    let draft = Draft {
        themes: vec![Theme { heading: "Fares".to_owned(), statements: vec![quote] }],
        ..draft("", &[told], &[])
    };
    let source = candidate(0, Verdict::Read, "Ferry fares");
    let facts = facts(vec![source], "What does the ferry cost?", Decision::ShortReport);
    let (reader, stop) = (TextReader::Embedded, Stop::never());
    let report = assemble(draft, facts, &texts, OnUnverified::Mark, &reader, &stop).unwrap();
    let tellings = summary(&report).iter().filter(|text| text.contains("5.20")).count();
    assert_eq!(tellings, 1, "{:?}", summary(&report));
}

#[test]
fn no_source_is_said_to_answer_what_is_left_open() {
    let open = Unanswered { asked: "Who pays?".to_owned(), lack: NOTHING_PLAIN.to_owned() };
    let silent = Draft { unanswered: vec![open], ..draft("", &[RAISED], &[RAISED]) };
    let report = report(silent);
    assert!(summary(&report).iter().all(|text| !text.contains("answers the question")));
    assert!(summary(&report)[0].contains("Who pays?"), "{:?}", summary(&report));
}
