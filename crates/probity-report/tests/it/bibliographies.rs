//! The sources in the files of reference managers: each once, under a key that stays, with its own title.

use std::collections::{BTreeMap, BTreeSet};

use probity_core::{Candidate, Decision, SourceId, Verdict, WebUrl};
use probity_report::bibtex::bibtex;
use probity_report::draft::{Draft, Statement, Theme};
use probity_report::escape::one_line;
use probity_report::ris::ris;
use probity_report::{CheckedReport, OnUnverified};
use proptest::prelude::*;

use crate::sample::{SAYS, by_words, candidate, facts};

/// A report that cites these candidates in this order.
fn citing(candidates: Vec<Candidate>, order: &[u32]) -> CheckedReport {
    let facts = facts(candidates, "What does a permit cost?", Decision::FullReport);
    let texts = facts.candidates.iter().map(|c| (c.id, SAYS.into())).collect();
    let statement = |id: &u32| Statement::citing("A permit costs 40 crowns.", SourceId(*id));
    let statements = order.iter().map(statement).collect();
    let themes = vec![Theme { heading: "Permits".to_owned(), statements }];
    by_words(Draft { themes, ..Draft::default() }, facts, &texts, OnUnverified::Mark)
}

fn titled(titles: &[&str]) -> CheckedReport {
    let candidates = titles.iter().zip(0..).map(|(title, id)| {
        let url = WebUrl::parse(&format!("https://s{id}.example.org/page")).unwrap();
        Candidate { url, ..candidate(id, Verdict::Read, title) }
    });
    let order: Vec<u32> = (0..titles.len() as u32).collect();
    citing(candidates.collect(), &order)
}

/// The entries of a BibTeX file: the key, and the fields as they are written.
fn entries(text: &str) -> Vec<(String, BTreeMap<String, String>)> {
    let entry = |entry: &str| {
        let (key, rest) = entry.split_once(",\n").unwrap();
        let fields = rest.lines().take_while(|line| *line != "}").map(|line| {
            let (name, value) = line.split_once(" = {").unwrap();
            (name.trim().to_owned(), value.strip_suffix("},").unwrap().to_owned())
        });
        (key.to_owned(), fields.collect())
    };
    text.split("@misc{").skip(1).map(entry).collect()
}

/// What TeX would print of an escaped text.
fn printed(text: &str) -> String {
    let names = [
        ("\\textbackslash{}", "\\"),
        ("\\textbraceleft{}", "{"),
        ("\\textbraceright{}", "}"),
        ("\\textasciicircum{}", "^"),
        ("\\textasciitilde{}", "~"),
        ("\\textquotedbl{}", "\""),
        ("\\textless{}", "<"),
        ("\\textgreater{}", ">"),
        ("\\textbar{}", "|"),
        ("\\symbol{64}", "@"),
        ("\\$", "$"),
        ("\\%", "%"),
        ("\\&", "&"),
        ("\\#", "#"),
        ("\\_", "_"),
    ];
    let mut rest = text;
    let mut printed = String::new();
    while let Some(c) = rest.chars().next() {
        match names.iter().find_map(|(name, said)| Some((rest.strip_prefix(name)?, said))) {
            Some((after, said)) => {
                printed.push_str(said);
                rest = after;
            }
            None => {
                printed.push(c);
                rest = &rest[c.len_utf8()..];
            }
        }
    }
    printed
}

#[test]
fn an_entry_has_title_publisher_days_and_address() {
    let mut source = candidate(1, Verdict::Read, "Fees & fines: 100% of $40");
    source.url = WebUrl::parse("https://www.example.org/fees?a={b}|c").unwrap();
    source.published = Some(jiff::civil::date(2026, 3, 9));
    let report = citing(vec![source], &[1]);
    let all = entries(&bibtex(&report));
    let (_, fields) = &all[0];
    let field = |name: &str| fields.get(name).map(String::as_str);
    assert_eq!(field("title"), Some("{Fees \\& fines: 100\\% of \\$40}"));
    assert_eq!(
        (field("year"), field("month"), field("date")),
        (Some("2026"), Some("3"), Some("2026-03-09"))
    );
    assert_eq!(field("urldate"), Some("2026-11-15"));
    assert!(field("url").is_some_and(|url| !url.contains(['{', '}', '|'])), "{fields:?}");
    assert_eq!(field("howpublished"), field("url").map(|url| format!("\\url{{{url}}}")).as_deref());
    let records = ris(&report);
    for line in
        ["TY  - ELEC", "TI  - Fees & fines: 100% of $40", "DA  - 2026/03/09", "Y2  - 2026/11/15"]
    {
        assert!(records.split("\r\n").any(|one| one == line), "{line}: {records}");
    }
}

#[test]
fn an_undated_source_has_no_day_and_an_untitled_one_has_its_host() {
    let mut source = candidate(1, Verdict::Read, " \n ");
    source.published = None;
    let report = citing(vec![source], &[1]);
    let (_, fields) = entries(&bibtex(&report)).remove(0);
    assert_eq!(fields["title"], "{s1.example.org}");
    assert!(!fields.contains_key("year") && !fields.contains_key("date"), "{fields:?}");
    let records = ris(&report);
    assert!(!records.contains("PY  - ") && !records.contains("DA  - "), "{records}");
    assert!(records.contains("TI  - s1.example.org\r\n"), "{records}");
}

#[test]
fn a_page_has_the_same_key_in_every_report_that_cites_it() {
    let candidates: Vec<Candidate> =
        (0..5).map(|id| candidate(id, Verdict::Read, "Permits")).collect();
    let keys = |order: &[u32]| -> BTreeMap<String, String> {
        let all = entries(&bibtex(&citing(candidates.clone(), order)));
        all.into_iter().map(|(key, fields)| (fields["url"].clone(), key)).collect()
    };
    let (all, some) = (keys(&[0, 1, 2, 3, 4]), keys(&[3, 1]));
    assert_eq!((all.len(), some.len()), (5, 2));
    assert!(some.iter().all(|(url, key)| all.get(url) == Some(key)), "{all:?} {some:?}");
    let different: BTreeSet<&String> = all.values().collect();
    assert_eq!(different.len(), 5);
}

#[test]
fn a_key_is_letters_digits_and_dashes() {
    for (key, _) in entries(&bibtex(&titled(&["Ä{}%\\", "", "@misc{x,", "العربية"]))) {
        assert!(key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-'), "{key}");
    }
}

#[test]
fn a_report_that_lists_nothing_has_empty_bibliographies() {
    let report = citing(vec![candidate(0, Verdict::Read, "Permits")], &[]);
    assert_eq!((bibtex(&report), ris(&report)), (String::new(), String::new()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_title_is_printed_as_it_was_written(titles in prop::collection::vec("\\PC{1,40}|[ -~]{1,60}", 1..4)) {
        let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
        let report = titled(&titles);
        let wanted = |title: &str, id: usize| match one_line(title) {
            line if line.is_empty() => format!("s{id}.example.org"),
            line => line,
        };
        let all = entries(&bibtex(&report));
        prop_assert_eq!(all.len(), titles.len());
        let records = ris(&report);
        let fields: Vec<&str> =
            records.split("\r\n").filter_map(|line| line.strip_prefix("TI  - ")).collect();
        for (id, title) in titles.iter().enumerate() {
            let written = all[id].1["title"].strip_prefix('{').and_then(|t| t.strip_suffix('}'));
            prop_assert_eq!(written.map(printed), Some(wanted(title, id)));
            prop_assert_eq!(fields[id], wanted(title, id));
        }
    }
}
