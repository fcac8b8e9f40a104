//! Reports of odd shapes: nothing listed, tables of any width, words without end, titles that look like our own lines.

use std::collections::BTreeSet;

use probity_core::{Candidate, Decision, SourceId, Verdict};
use probity_report::compare::compare;
use probity_report::draft::{Draft, Form, Statement, Theme};
use probity_report::escape::one_line;
use probity_report::markdown::markdown;
use probity_report::novelty::Novelty;
use probity_report::parse::parse;
use probity_report::{CheckedReport, Choices, Format, OnUnverified, render, restore};
use proptest::prelude::*;

use crate::sample::{by_words, candidate, facts};
use crate::shape::{drafts, hostile, verdicts};

/// A report on these candidates, which all say this.
fn reporting(draft: Draft, candidates: Vec<Candidate>, says: &str) -> CheckedReport {
    let facts = facts(candidates, "What does a permit cost?", Decision::FullReport);
    let texts = facts.candidates.iter().map(|c| (c.id, says.into())).collect();
    by_words(draft, facts, &texts, OnUnverified::Mark)
}

fn read(titles: &[&str]) -> Vec<Candidate> {
    titles.iter().zip(0..).map(|(title, id)| candidate(id, Verdict::Read, title)).collect()
}

/// One theme of statements that each cite one of the candidates in turn.
fn stating(heading: &str, statements: Vec<(String, Form)>, candidates: usize) -> Draft {
    let cite = |at: usize| vec![SourceId((at % candidates.max(1)) as u32)];
    let statements = statements.into_iter().enumerate();
    let statements =
        statements.map(|(at, (text, form))| Statement { text, cites: cite(at), form }).collect();
    let theme = Theme { heading: heading.to_owned(), statements };
    Draft { headline: "Permits".to_owned(), themes: vec![theme], ..Draft::default() }
}

/// A report in every format, as text where it is text.
fn every_text(report: &CheckedReport) -> Vec<(Format, String)> {
    let choices = Choices { appendix: true, system_fonts: false };
    let text = |format: Format| {
        let bytes = render(report, format, choices).unwrap().bytes;
        let text = match format {
            Format::Docx => crate::docx::document_text(&bytes),
            _ => String::from_utf8_lossy(&bytes).into_owned(),
        };
        (format, text)
    };
    Format::ALL.into_iter().map(text).collect()
}

#[test]
fn a_report_without_candidates_sources_or_findings_is_whole_in_every_format() {
    for candidates in [Vec::new(), read(&["Permits"])] {
        let report = reporting(Draft::default(), candidates, "Nothing.");
        for (format, text) in every_text(&report) {
            // The least of no scores would be the largest number there is.
            assert!(!text.contains("797693") && !text.contains("NaN"), "{format}: {text}");
        }
        let text = markdown(&report);
        let parsed = parse(&text).unwrap();
        assert_eq!((parsed.citations.len(), parsed.sources.len()), (0, 0), "{text}");
        assert_eq!(markdown(&restore(&probity_report::json::json(&report)).unwrap()), text);
        assert!(Novelty::of(&compare(&report, &report)).is_empty());
    }
}

#[test]
fn a_report_that_lists_nothing_reads_as_one() {
    let report = reporting(Draft::default(), read(&["Permits"]), "Nothing.");
    insta::assert_snapshot!("nothing-listed", markdown(&report));
}

#[test]
fn a_table_of_any_width_and_any_raggedness_is_written_in_every_format() {
    let long = "Donaudampfschifffahrtsgesellschaftskapitän".repeat(12);
    let cells = |many: usize| -> Vec<String> { (0..many).map(|n| format!("{}", 40 + n)).collect() };
    for (columns, filled) in [(0, 0), (0, 3), (1, 1), (3, 0), (3, 5), (5, 3), (40, 40)] {
        let names: Vec<String> = (0..columns).map(|n| format!("Column {n} | {long}")).collect();
        let row = |filled: usize| {
            let cells = cells(filled);
            let text = format!("{} {long}", cells.join(" and "));
            (text, Form::Row { columns: names.clone(), cells })
        };
        let rows = vec![row(filled), row(filled), row(filled.saturating_sub(1))];
        let says: String = rows.iter().map(|(text, _)| format!("{text}. ")).collect();
        let report = reporting(stating("Prices", rows, 1), read(&["Permits"]), &says);
        for (format, text) in every_text(&report) {
            assert!(!text.is_empty(), "{format}");
        }
        crate::docx::check(&report).unwrap();
        let parsed = parse(&markdown(&report)).unwrap();
        crate::forms::check(&report, &parsed).unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn the_list_of_sources_is_read_back_with_every_title_and_address(
        titles in prop::collection::vec(
            prop_oneof![
                hostile(),
                Just("Permits](https://evil.example) — credibility 1.00".to_owned()),
                Just("1. [Permits](https://a.example) — credibility 0.10 · relevance 5/5".to_owned()),
                Just("\u{202e}\u{2067}שלום\u{2069}".to_owned()),
                "(\\[|\\]|\\(|\\)|\\\\|\\||—|·| |[a-z0-9]){1,30}",
            ],
            1..5,
        ),
    ) {
        let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
        let statement = || ("A permit costs 40 crowns.".to_owned(), Form::Prose);
        let statements = titles.iter().map(|_| statement()).collect();
        let draft = stating("Permits", statements, titles.len());
        let report = reporting(draft, read(&titles), "A permit costs 40 crowns.");
        let parsed = parse(&markdown(&report)).unwrap();
        prop_assert_eq!(parsed.sources.len(), titles.len());
        for ((n, title, url), (number, source)) in parsed.sources.iter().zip(report.sources()) {
            prop_assert_eq!(*n, number);
            let host = source.url.host();
            let wanted = Some(one_line(&source.title)).filter(|title| !title.is_empty());
            prop_assert_eq!(title, &wanted.unwrap_or_else(|| host.to_owned()));
            prop_assert!(url.starts_with(&format!("https://{host}/")), "{}", url);
        }
    }

    #[test]
    fn every_finding_of_two_reports_is_counted_once(
        before in drafts(), after in drafts(), seen in verdicts(), later in verdicts(),
    ) {
        let assembled = |draft: Draft, verdicts: &[Verdict]| {
            let candidates = verdicts.iter().zip(0..).map(|(verdict, id)| candidate(id, *verdict, "Permits"));
            reporting(draft, candidates.collect(), "A permit costs 40 crowns.")
        };
        let (before, after) = (assembled(before, &seen), assembled(after, &later));
        let stated = |report: &CheckedReport| {
            report.statements().map(|statement| statement.text.clone()).collect::<BTreeSet<_>>().len()
        };
        let listed = |report: &CheckedReport| report.sources().count();
        let changes = compare(&before, &after);
        let (findings, sources) = (&changes.statements, &changes.sources);
        let both = findings.changed.len() + findings.kept;
        prop_assert_eq!(findings.added.len() + both, stated(&after));
        prop_assert_eq!(findings.removed.len() + both, stated(&before));
        let both = sources.changed.len() + sources.kept;
        prop_assert_eq!((sources.added.len() + both, sources.removed.len() + both), (listed(&after), listed(&before)));
        // A report is no news to itself, whatever it says.
        prop_assert!(Novelty::of(&compare(&after, &after)).is_empty());
    }
}
