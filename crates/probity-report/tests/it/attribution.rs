//! Who is quoted, and when: written by us from what is known of the source, never by the draft.

use probity_core::{Candidate, Decision, Outlet, SourceId, Timestamp, Verdict, WebUrl};
use probity_report::OnUnverified;
use probity_report::draft::{Draft, Form, Statement, Theme};
use probity_report::escape::plain;
use probity_report::facts::{Briefing, RunFacts};
use probity_report::html::html;
use probity_report::markdown::markdown;

use crate::sample::{by_words, candidate, facts};

const SAID: &str = "We never let the hall on Mondays.";
const ASKED: &str = "When is the hall let?";

/// A page of an outlet, published on a day.
fn source() -> Candidate {
    Candidate {
        url: WebUrl::parse("https://www.halls.example/rules").unwrap(),
        outlet: Some(Outlet::new("halls.example").unwrap()),
        published: Some(jiff::civil::date(2025, 7, 9)),
        ..candidate(1, Verdict::Read, "Rules of the halls")
    }
}

/// The line of a report that quotes a source.
fn quoted(source: Candidate, said: &str, language: Option<&str>) -> String {
    let facts = facts(vec![source], ASKED, Decision::FullReport);
    let facts = RunFacts { language: language.map(str::to_owned), ..facts };
    let texts = [(SourceId(1), said.into())].into();
    let quote = Statement { form: Form::Quote, ..Statement::citing(said, SourceId(1)) };
    let themes = vec![Theme { heading: "Rules".to_owned(), statements: vec![quote] }];
    let draft = Draft { themes, ..Draft::default() };
    let text = markdown(&by_words(draft, facts, &texts, OnUnverified::Mark));
    let line = text.lines().find(|line| line.ends_with("” [1]"));
    plain(line.unwrap_or_else(|| panic!("{text}")))
}

#[test]
fn a_quotation_names_its_outlet_and_its_day() {
    let line = quoted(source(), SAID, None);
    assert_eq!(line, format!("halls.example, 9 July 2025: “{SAID}” [1]"));
}

#[test]
fn in_another_language_the_day_is_in_figures() {
    for language in ["de", "fr", "pl"] {
        let line = quoted(source(), SAID, Some(language));
        assert_eq!(line, format!("halls.example, 2025-07-09: “{SAID}” [1]"), "{language}");
    }
}

#[test]
fn without_an_outlet_the_host_is_named_and_without_a_day_none() {
    let unknown = Candidate { outlet: None, published: None, ..source() };
    assert_eq!(quoted(unknown, SAID, None), format!("www.halls.example: “{SAID}” [1]"));
}

#[test]
fn a_time_that_nobody_can_place_is_said_to_be_undated() {
    let said = "The hall was closed last month.";
    let undated = Candidate { published: None, ..source() };
    assert_eq!(quoted(undated, said, None), format!("halls.example, undated: “{said}” [1]"));
    let dated = quoted(source(), said, None);
    assert_eq!(dated, format!("halls.example, 9 July 2025: “{said}” [1]"));
}

#[test]
fn whoever_speaks_for_himself_is_named_by_his_kind_in_the_language_of_the_report() {
    let company = Candidate { attribution: Some("the company says".to_owned()), ..source() };
    let line = quoted(company.clone(), SAID, None);
    assert_eq!(line, format!("The company says (halls.example, 9 July 2025): “{SAID}” [1]"));
    let line = quoted(company, SAID, Some("de"));
    assert_eq!(line, format!("Das Unternehmen sagt (halls.example, 2025-07-09): “{SAID}” [1]"));
    // A kind that a file names and we do not know is told as it is.
    let other = Candidate { attribution: Some("so a bard sings".to_owned()), ..source() };
    assert!(quoted(other, SAID, None).starts_with("So a bard sings (halls.example"));
}

#[test]
fn a_sentence_of_whoever_speaks_for_himself_is_quoted_unasked() {
    let company = Candidate { attribution: Some("the company says".to_owned()), ..source() };
    let facts = facts(vec![company], ASKED, Decision::FullReport);
    let texts = [(SourceId(1), SAID.into())].into();
    let statements = vec![Statement::citing(SAID, SourceId(1))];
    let themes = vec![Theme { heading: "Rules".to_owned(), statements }];
    let report = by_words(Draft { themes, ..Draft::default() }, facts, &texts, OnUnverified::Mark);
    assert_eq!(report.statements().next().unwrap().form, Form::Quote);
    let page = html(&report);
    assert!(page.contains("<figcaption>The company says (halls.example, 9 July 2025):"), "{page}");
}

#[test]
fn a_briefing_tells_of_feeds_and_claims_no_searches() {
    let briefing = Briefing {
        since: "2026-11-14T09:30:00Z".parse::<Timestamp>().unwrap(),
        feeds: 1,
        articles: 12,
        topics: 3,
        told: 2,
        shared: 1,
    };
    let facts = facts(vec![source()], "The news of the day", Decision::FullReport);
    let facts = RunFacts { briefing: Some(briefing), ..facts };
    let texts = [(SourceId(1), SAID.into())].into();
    let statements = vec![Statement::citing(SAID, SourceId(1))];
    let themes = vec![Theme { heading: "Halls".to_owned(), statements }];
    let headline = "The news of 15 November 2026".to_owned();
    let draft = Draft { headline, themes, ..Draft::default() };
    let text = markdown(&by_words(draft, facts, &texts, OnUnverified::Mark));
    // A briefing is headed by its day, which no source says.
    assert!(text.starts_with("# The news of 15 November 2026\n"), "{text}");
    for field in [
        "- **Subject:** The news of the day",
        "- **Window:** 2026-11-14T09:30:00Z to 2026-11-15T09:30:00Z",
        "- **Basis:** 12 articles in 3 topics from 1 feed",
        "- **Told:** 2 topics from 1 article, one of each outlet",
    ] {
        assert!(text.contains(&format!("{field}\n")), "{field}: {text}");
    }
    assert!(!text.contains("Searches Conducted") && !text.contains("blocked"), "{text}");
}
