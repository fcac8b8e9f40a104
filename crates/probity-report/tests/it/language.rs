//! A report in a language that was asked for: the same parts under headings of that language.

use probity_report::assemble::CheckedReport;
use probity_report::docx::docx;
use probity_report::html::html;
use probity_report::json::json;
use probity_report::markdown::markdown;
use probity_report::parse::{Parsed, parse};
use probity_report::restore;

const LANGUAGES: [&str; 9] =
    ["English", "de", "Spanish", "français", "it-IT", "pt-BR", "Dutch", "polski", "sv"];

/// A stored report as if it had been asked for in a language.
fn told_in(language: Option<&str>) -> CheckedReport {
    let saved = include_str!("../fixtures/songs.json");
    let mut value: serde_json::Value = serde_json::from_str(saved).unwrap();
    if let Some(language) = language {
        value["language"] = language.into();
    }
    restore(&value.to_string()).unwrap()
}

/// What does not depend on the language of the shape.
fn parts(parsed: Parsed) -> Parsed {
    let texts = parsed.sections.into_iter().take(2).map(|(_, text)| (String::new(), text));
    Parsed { sections: texts.collect(), disclaimer: None, ..parsed }
}

#[test]
fn the_shape_is_in_the_language_that_was_asked_for_and_can_be_read_in_each() {
    let english = markdown(&told_in(None));
    let mut headings = std::collections::BTreeSet::new();
    for language in LANGUAGES {
        let report = told_in(Some(language));
        let text = markdown(&report);
        let parsed = parse(&text).unwrap();
        assert_eq!(parsed.sections.len(), 5, "{language}");
        headings.insert(parsed.sections[1].0.clone());
        assert_eq!(parts(parsed), parts(parse(&english).unwrap()), "{language}");
        assert_eq!(markdown(&restore(&json(&report)).unwrap()), text, "{language}");
        let has_english = text.contains("## Main Findings") || text.contains("- **Rationale:**");
        assert_eq!(has_english, language == "English", "{language}");
    }
    assert_eq!(headings.len(), LANGUAGES.len(), "two languages share the heading of findings");
}

#[test]
fn a_page_and_a_document_declare_their_language() {
    let report = told_in(Some("German"));
    let page = html(&report);
    assert!(page.contains("<html lang=\"de\">"));
    assert!(page.contains("<h2 id=\"h-findings\">Ergebnisse</h2>"), "{page}");
    for english in ["Main Findings", "Executive Summary", "Confidence Level", "asked on"] {
        assert!(!page.contains(english), "{english}");
    }
    assert!(docx(&report).is_ok());
    assert!(html(&told_in(None)).contains("<html lang=\"en\">"));
}

#[test]
fn a_language_without_phrases_leaves_the_shape_in_english() {
    let text = markdown(&told_in(Some("Klingon")));
    assert_eq!(text, markdown(&told_in(None)));
}

#[test]
fn the_language_of_the_question_alone_translates_no_heading() {
    let saved = include_str!("../fixtures/songs.json");
    let mut value: serde_json::Value = serde_json::from_str(saved).unwrap();
    value["question"] = "Welche Lieder werden in der Stadt am häufigsten gespielt?".into();
    let text = markdown(&restore(&value.to_string()).unwrap());
    assert!(text.contains("## Main Findings"), "{text}");
    assert!(text.contains("Suchanfragen in beiden Runden"), "{text}");
}
