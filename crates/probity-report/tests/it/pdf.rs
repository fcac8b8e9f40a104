//! The PDF as readers see it: text that can be searched, links that lead somewhere, nothing that runs.

use std::collections::BTreeSet;

use probity_report::draft::Form;
use probity_report::pdf::pdf;
use probity_report::{CheckedReport, Rendered};

use crate::hostile::HOSTILE;
use crate::sample::{long, saying, short_of};

/// With our own fonts only, so that every machine makes the same file.
pub(crate) fn render(report: &CheckedReport) -> Rendered {
    pdf(report, false).unwrap()
}

/// A file without its streams and strings, and the addresses that its links open.
pub(crate) fn structure(bytes: &[u8]) -> (String, BTreeSet<String>) {
    let text: String = bytes.iter().map(|byte| char::from(*byte)).collect();
    let (mut bare, mut addresses) = (String::new(), BTreeSet::new());
    for part in text.split("endstream") {
        let mut characters = part.split("\nstream").next().unwrap().chars();
        while let Some(c) = characters.next() {
            if c != '(' {
                bare.push(c);
                continue;
            }
            let (mut depth, mut string) = (1, String::new());
            while depth > 0 {
                match characters.next() {
                    Some('\\') => string.extend(characters.next()),
                    Some(c) => {
                        depth += i32::from(c == '(') - i32::from(c == ')');
                        string.push(c);
                    }
                    None => panic!("a string does not end"),
                }
            }
            if bare.ends_with("/URI") {
                string.pop();
                addresses.insert(string);
            }
        }
    }
    (bare, addresses)
}

#[test]
fn the_same_report_is_the_same_file() {
    let report = saying("A title.");
    let first = render(&report);
    assert!(first.bytes.starts_with(b"%PDF-"));
    assert_eq!(first.problems, []);
    assert_eq!(first.bytes, render(&report).bytes);
}

#[test]
fn links_lead_to_the_sources_and_nowhere_else() {
    let report = saying("A title.");
    let (bare, found) = structure(&render(&report).bytes);
    let known: BTreeSet<String> =
        report.facts().candidates.iter().map(|c| c.url.as_str().to_owned()).collect();
    assert_eq!(found, known);
    // Citations jump within the document.
    let cites: usize = report.statements().map(|statement| statement.cites.len()).sum();
    assert_eq!(bare.matches("/Border[0 0 0]/Dest ").count(), cites);
}

#[test]
fn a_report_that_is_heard_has_headings_lists_tables_and_links() {
    let report = saying("A title.");
    let (bare, _) = structure(&render(&report).bytes);
    let count = |kind: &str| bare.matches(&format!("/Type/StructElem/S/{kind}/")).count();
    let sources = report.sources().count();
    assert_eq!(count("H1"), 1);
    assert!(count("H2") >= 6 && count("H3") >= 1, "{} {}", count("H2"), count("H3"));
    let labelled = |form: &Form| matches!(form, Form::Item { .. } | Form::Entry { .. });
    let items = report.statements().filter(|statement| labelled(&statement.form)).count();
    assert!(sources > 0 && items == 3 && count("LI") >= sources + items);
    assert_eq!(count("Lbl"), sources + items);
    assert_eq!(count("BlockQuote"), 1);
    assert!(count("Table") >= 1 && count("TH") >= 3 && count("TD") >= count("TH"));
    // Every link that can be followed is also told of, and none is told of twice.
    let spots = bare.matches("/Subtype/Link").count();
    assert!(spots > 0);
    assert_eq!(bare.matches("/Type/OBJR").count(), spots);
    assert_eq!(bare.matches("/StructParent ").count(), spots);
}

#[test]
fn hostile_texts_do_nothing_in_a_pdf() {
    for text in HOSTILE {
        for report in [saying(text), short_of(text)] {
            let (bare, addresses) = structure(&render(&report).bytes);
            for action in ["/JavaScript", "/JS", "/Launch", "/OpenAction", "/AA", "/SubmitForm"] {
                assert!(!bare.contains(action), "{action} for {text:?}");
            }
            let known: Vec<&str> =
                report.facts().candidates.iter().map(|c| c.url.as_str()).collect();
            for address in addresses {
                assert!(known.contains(&address.as_str()), "{address} for {text:?}");
            }
        }
    }
}

#[test]
fn a_letter_that_no_font_has_is_a_box_and_a_problem() {
    let rendered = render(&saying("ไทย 日本 𝔘"));
    let problem = rendered.problems.first().expect("nothing was said").to_string();
    assert!(problem.contains("U+65E5") && problem.contains("boxes"), "{problem}");
    assert_eq!(render(&saying("Ελληνικά, кириллица, Größe ≤ 5 → ½ €")).problems, []);
}

#[test]
fn ten_thousand_characters_and_long_addresses_stay_on_their_pages() {
    for text in ["x".repeat(10_000), "word ".repeat(2_000), "https://a.example/".repeat(600)] {
        assert!(render(&saying(&text)).bytes.len() > 10_000);
    }
}

#[test]
fn a_long_report_has_many_pages() {
    let (bare, _) = structure(&render(&long(60)).bytes);
    let pages = bare.matches("/Type/Page/").count();
    assert!(pages > 15, "{pages}");
}
