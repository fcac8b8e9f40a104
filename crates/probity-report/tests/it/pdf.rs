//! The PDF as readers see it: text that can be searched, links that lead somewhere, nothing that runs.

use std::collections::BTreeSet;

use probity_report::pdf::pdf;
use probity_report::{CheckedReport, Rendered};

use crate::hostile::HOSTILE;
use crate::sample::{long, saying, short_of};

/// With our own fonts only, so that every machine makes the same file.
fn render(report: &CheckedReport) -> Rendered {
    pdf(report, false).unwrap()
}

/// The objects outside of streams, as text.
fn objects(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let mut plain = String::new();
    for part in text.split("endstream") {
        plain.push_str(part.split("stream\n").next().unwrap());
    }
    plain
}

fn addresses(objects: &str) -> BTreeSet<String> {
    let literal = objects.split("/URI (").skip(1).map(|rest| rest.split(')').next().unwrap());
    literal.map(str::to_owned).collect()
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
    let objects = objects(&render(&report).bytes);
    let known: BTreeSet<String> =
        report.facts().candidates.iter().map(|c| c.url.as_str().to_owned()).collect();
    let found = addresses(&objects);
    assert!(!found.is_empty());
    for address in found {
        // Round brackets end a literal string; what was cut off there is a beginning of one.
        assert!(
            known.iter().any(|url| url.starts_with(address.trim_end_matches('\\'))),
            "{address}"
        );
    }
    // Citations jump within the document.
    assert!(objects.matches("/Dest").count() > 0, "{objects}");
}

#[test]
fn hostile_texts_do_nothing_in_a_pdf() {
    for text in HOSTILE {
        for report in [saying(text), short_of(text)] {
            let objects = objects(&render(&report).bytes);
            for action in
                ["/JavaScript", "/JS", "/Launch", "/OpenAction", "/AA", "/SubmitForm", "/RichMedia"]
            {
                let found = objects.lines().any(|line| {
                    let line = line.trim_start();
                    line.starts_with(action) && !line.contains('(')
                });
                assert!(!found, "{action} for {text:?}");
            }
            assert!(addresses(&objects).iter().all(|a| a.starts_with("https://s")), "{text:?}");
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
    let objects = objects(&render(&long(60)).bytes);
    let pages = objects.matches("/Type /Page\n").count();
    assert!(pages > 15, "{pages}");
}
