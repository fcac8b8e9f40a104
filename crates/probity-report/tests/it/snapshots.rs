//! The five acceptance runs, and a report with every form of statement, in every format that reads as text,
//! for people to look at when something changes.
//!
//! They were exported once (`probity export RUN --format json`), so that a change of analyst or library
//! changes nothing here.

use std::path::Path;

use probity_report::{Choices, Format, render, restore};

const RUNS: [&str; 6] = ["noise", "guitar", "songs", "rumba", "hotels", "forms"];

fn fixture(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name);
    std::fs::read_to_string(path.with_extension("json")).unwrap()
}

/// A page without our own style sheet and script, which are the same everywhere.
fn without_assets(page: &str) -> String {
    let mut bare = page.to_owned();
    for (open, close) in [("<style>", "</style>"), ("<script>", "</script>")] {
        let (before, rest) = bare.split_once(open).unwrap();
        let (_, after) = rest.split_once(close).unwrap();
        bare = format!("{before}{open}…{close}{after}");
    }
    let policy = bare.split("Policy\" content=\"").nth(1).unwrap().split('"').next().unwrap();
    bare.replace(policy, "…")
}

#[test]
fn stored_reports_look_as_they_did() {
    let choices = Choices { appendix: true, system_fonts: false };
    for run in RUNS {
        let report = restore(&fixture(run)).unwrap();
        for format in [Format::Markdown, Format::Html, Format::Bibtex, Format::Ris] {
            let text = String::from_utf8(render(&report, format, choices).unwrap().bytes).unwrap();
            let text = if format == Format::Html { without_assets(&text) } else { text };
            insta::assert_snapshot!(format!("{run}-{format}"), text);
        }
        let document = render(&report, Format::Docx, choices).unwrap().bytes;
        insta::assert_snapshot!(format!("{run}-docx"), crate::docx::document_text(&document));
    }
}

#[test]
fn stored_reports_come_back_from_their_json_byte_for_byte() {
    for run in RUNS {
        let json = fixture(run);
        let report = restore(&json).unwrap();
        assert_eq!(probity_report::json::json(&report), json, "{run}");
        let stored: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(stored["markdown"], probity_report::markdown::markdown(&report), "{run}");
        crate::schema::check(&json).unwrap();
    }
}
