//! Formats by their names, and what holds for the files of all of them.

use std::collections::BTreeSet;

use probity_report::format::UnknownFormat;
use probity_report::parse::parse;
use probity_report::{Choices, Format, render};

use crate::forms::every_form;
use crate::sample::{long, saying, short_of};

#[test]
fn a_format_is_asked_for_by_its_name_and_found_by_the_ending_of_a_file() {
    for format in Format::ALL {
        assert_eq!(format.as_str().parse(), Ok(format));
        assert_eq!(format.to_string(), format.as_str());
        assert_eq!(Format::of_extension(format.as_str()), Some(format));
        assert_eq!(Format::of_extension(&format.as_str().to_uppercase()), Some(format));
    }
    for (ending, format) in
        [("markdown", Format::Markdown), ("htm", Format::Html), ("BIB", Format::Bibtex)]
    {
        assert_eq!(Format::of_extension(ending), Some(format));
    }
    for unknown in ["", "doc", "MD ", "html.exe"] {
        assert_eq!(Format::of_extension(unknown), None, "{unknown}");
        assert_eq!(unknown.parse::<Format>(), Err(UnknownFormat(unknown.to_owned())));
    }
    let long = "x".repeat(500).parse::<Format>().unwrap_err().to_string();
    assert!(long.len() < 80, "{long}");
}

#[test]
fn no_two_formats_have_a_name_a_media_type_or_a_description_in_common() {
    for of in [Format::as_str, Format::media_type, Format::words] {
        let different: BTreeSet<&str> = Format::ALL.into_iter().map(of).collect();
        assert_eq!(different.len(), Format::ALL.len());
    }
}

#[test]
fn every_format_writes_every_report_the_same_each_time() {
    let choices = Choices { appendix: true, system_fonts: false };
    for report in [saying("A title."), short_of("A title."), every_form()] {
        for format in Format::ALL {
            let first = render(&report, format, choices).unwrap();
            assert_eq!(first, render(&report, format, choices).unwrap(), "{format}");
            let text = String::from_utf8(first.bytes);
            assert_eq!(text.is_err(), format.is_binary(), "{format}");
        }
    }
}

#[test]
fn an_appendix_follows_the_report_and_changes_nothing_of_it() {
    for report in [saying("A title."), short_of("A title."), long(9), every_form()] {
        let with = |appendix| {
            let choices = Choices { appendix, system_fonts: false };
            String::from_utf8(render(&report, Format::Markdown, choices).unwrap().bytes).unwrap()
        };
        let (bare, whole) = (with(false), with(true));
        let appendix = whole.strip_prefix(&bare).expect("the report is another");
        assert!(appendix.starts_with("\n## Appendix: Searches\n"), "{appendix}");
        let (bare, whole) = (parse(&bare).unwrap(), parse(&whole).unwrap());
        assert_eq!((bare.citations, bare.sources), (whole.citations, whole.sources));
    }
}

#[test]
fn every_candidate_is_in_the_appendix_with_what_became_of_it() {
    let report = saying("A title.");
    let choices = Choices { appendix: true, system_fonts: false };
    let text =
        String::from_utf8(render(&report, Format::Markdown, choices).unwrap().bytes).unwrap();
    let section = text.split("## Appendix: Every Candidate\n").nth(1).unwrap();
    let rows: Vec<&str> = section
        .lines()
        .skip_while(|l| !l.starts_with('|'))
        .skip(2)
        .take_while(|l| l.starts_with('|'))
        .collect();
    assert_eq!(rows.len(), report.facts().candidates.len());
    for (row, candidate) in rows.iter().zip(&report.facts().candidates) {
        let score = format!("| {:.2} |", candidate.credibility.total);
        assert!(row.starts_with(&score), "{row}");
        assert!(row.contains(candidate.verdict.as_str()), "{row}");
    }
}
