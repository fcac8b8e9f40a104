//! The Word document as a program reads it: well-formed parts, links that resolve, nothing that runs.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Cursor, Read as _};

use probity_report::CheckedReport;
use probity_report::docx::docx;
use proptest::prelude::*;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use crate::forms::every_form;
use crate::sample::{long, saying, short_of};

/// The elements of our templates; whatever a text says, there are no others.
const ELEMENTS: &str = "w:document w:body w:p w:pPr w:pStyle w:keepNext w:numPr w:ilvl w:numId w:bidi w:jc w:r \
    w:rPr w:rStyle w:rtl w:t w:tab w:hyperlink w:bookmarkStart w:bookmarkEnd w:fldSimple w:footnoteReference \
    w:footnotes w:footnote w:footnoteRef w:separator w:continuationSeparator w:spacing w:ftr w:tbl w:tblPr w:tblStyle \
    w:tblW w:tblLayout w:tblLook w:tblGrid w:gridCol w:tr w:trPr w:cantSplit w:tblHeader w:tc w:tcPr w:tcW w:sectPr \
    w:footerReference w:footnotePr w:numFmt w:numRestart w:pgSz w:pgMar w:cols Relationships Relationship \
    cp:coreProperties dc:title dc:subject dc:creator dc:identifier dc:language dcterms:created dcterms:modified";

/// The order in which Word wants the children of an element, as the schema has it.
const ORDER: &[(&str, &str)] = &[
    (
        "w:pPr",
        "pStyle keepNext keepLines pageBreakBefore widowControl numPr pBdr shd tabs bidi spacing ind \
        contextualSpacing jc outlineLvl rPr sectPr",
    ),
    ("w:rPr", "rStyle rFonts b bCs i iCs color sz szCs u vertAlign rtl cs lang"),
    ("w:numPr", "ilvl numId"),
    ("w:tblPr", "tblStyle tblW jc tblInd tblBorders shd tblLayout tblCellMar tblLook"),
    ("w:tblBorders", "top left bottom right insideH insideV"),
    ("w:tblCellMar", "top left bottom right"),
    ("w:tbl", "tblPr tblGrid tr"),
    ("w:tr", "trPr tc"),
    ("w:tc", "tcPr p"),
    ("w:tcPr", "tcW shd vAlign"),
    ("w:sectPr", "footerReference footnotePr pgSz pgMar cols"),
    ("w:footnotePr", "numFmt numStart numRestart footnote"),
    (
        "w:style",
        "name basedOn next uiPriority semiHidden unhideWhenUsed qFormat pPr rPr tblPr tcPr tblStylePr",
    ),
    ("w:tblStylePr", "pPr rPr tblPr trPr tcPr"),
    ("w:styles", "docDefaults latentStyles style"),
    ("w:docDefaults", "rPrDefault pPrDefault"),
    ("w:lvl", "start numFmt pStyle lvlText lvlJc pPr rPr"),
    ("w:abstractNum", "nsid multiLevelType lvl"),
    ("w:numbering", "abstractNum num"),
    (
        "w:settings",
        "zoom defaultTabStop characterSpacingControl footnotePr compat decimalSymbol listSeparator",
    ),
];

/// A step through a part.
enum Step {
    Open(String, BTreeMap<String, String>),
    Close(String),
    Text(String),
}

fn attributes(start: &BytesStart<'_>) -> BTreeMap<String, String> {
    let mut read = BTreeMap::new();
    for attribute in start.attributes() {
        let attribute = attribute.unwrap();
        let value = attribute.normalized_value(XmlVersion::Implicit1_0).unwrap().into_owned();
        assert!(read.insert(attribute.key.as_ref().to_owned(), value).is_none(), "twice");
    }
    read
}

/// Reads a part; fails if it is not well-formed.
fn steps(xml: &str) -> Vec<Step> {
    let allowed = |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
    assert!(xml.chars().all(allowed), "a character that XML forbids");
    let mut reader = Reader::from_str(xml);
    let (mut steps, mut depth) = (Vec::new(), 0_usize);
    loop {
        match reader.read_event().unwrap() {
            Event::Start(start) => {
                depth += 1;
                steps.push(Step::Open(start.name().as_ref().to_owned(), attributes(&start)));
            }
            Event::Empty(start) => {
                let name = start.name().as_ref().to_owned();
                steps.push(Step::Open(name.clone(), attributes(&start)));
                steps.push(Step::Close(name));
            }
            Event::End(end) => {
                depth -= 1;
                steps.push(Step::Close(end.name().as_ref().to_owned()));
            }
            Event::Text(text) => steps.push(Step::Text(text.to_string())),
            Event::GeneralRef(reference) => {
                let c = reference.resolve_char_ref().unwrap().expect("only numbered references");
                assert!(allowed(c));
                steps.push(Step::Text(c.to_string()));
            }
            Event::Decl(_) => {}
            Event::Eof => break,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(depth, 0, "an element does not end");
    steps
}

/// The parts of a document by their names.
fn parts(bytes: &[u8]) -> BTreeMap<String, String> {
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    let mut read = BTreeMap::new();
    for index in 0..archive.len() {
        let mut file = archive.by_index(index).unwrap();
        let mut text = String::new();
        file.read_to_string(&mut text).unwrap();
        assert!(read.insert(file.name().unwrap().into_owned(), text).is_none(), "a part twice");
    }
    read
}

fn written(report: &CheckedReport) -> BTreeMap<String, String> {
    let rendered = docx(report).unwrap();
    assert_eq!(rendered.problems, []);
    parts(&rendered.bytes)
}

/// Every value of an attribute of an element, in order.
fn values(steps: &[Step], element: &str, attribute: &str) -> Vec<String> {
    let value = |step: &Step| match step {
        Step::Open(name, attributes) if name == element => attributes.get(attribute).cloned(),
        _ => None,
    };
    steps.iter().filter_map(value).collect()
}

fn set(values: Vec<String>) -> BTreeSet<String> {
    let count = values.len();
    let set: BTreeSet<String> = values.into_iter().collect();
    assert_eq!(set.len(), count, "a value twice in {set:?}");
    set
}

/// A document as lines that people can read: style, text, where links lead, cells, footnotes.
pub(crate) fn document_text(bytes: &[u8]) -> String {
    let parts = parts(bytes);
    let targets: BTreeMap<String, String> = {
        let relationships = steps(&parts["word/_rels/document.xml.rels"]);
        let ids = values(&relationships, "Relationship", "Id");
        ids.into_iter().zip(values(&relationships, "Relationship", "Target")).collect()
    };
    let mut text = String::new();
    for part in ["word/document.xml", "word/footnotes.xml", "word/footer.xml"] {
        text.push_str(&format!("=== {part}\n"));
        let (mut letters, mut cell) = (false, false);
        for step in steps(&parts[part]) {
            match step {
                Step::Open(name, with) => match name.as_str() {
                    "w:pStyle" if !cell => text.push_str(&format!("{}: ", with["w:val"])),
                    "w:tc" => {
                        cell = true;
                        text.push_str("| ");
                    }
                    "w:t" => letters = true,
                    "w:tab" => text.push('\t'),
                    "w:rtl" => text.push('⟵'),
                    "w:bidi" => text.push_str("(right to left) "),
                    "w:hyperlink" => {
                        let jump = with.get("w:anchor").map(|anchor| format!("#{anchor}"));
                        let to = jump.unwrap_or_else(|| targets[&with["r:id"]].clone());
                        text.push_str(&format!("<{to} "));
                    }
                    "w:bookmarkStart" => text.push_str(&format!("({}) ", with["w:name"])),
                    "w:footnoteReference" => text.push_str(&format!("^{}", with["w:id"])),
                    "w:fldSimple" => text.push_str(&format!("{{{}}}", with["w:instr"].trim())),
                    "w:footnote" => text.push_str(&format!("^{} ", with["w:id"])),
                    _ => {}
                },
                Step::Close(name) => match name.as_str() {
                    "w:t" => letters = false,
                    "w:hyperlink" => text.push('>'),
                    "w:p" if cell => text.push(' '),
                    "w:p" | "w:tr" => text.push('\n'),
                    "w:tc" => cell = false,
                    _ => {}
                },
                Step::Text(said) if letters => text.push_str(&said),
                Step::Text(_) => {}
            }
        }
    }
    text
}

/// Holds a document to the elements, links and places of our templates.
pub(crate) fn check(report: &CheckedReport) -> Result<(), TestCaseError> {
    let parts = written(report);
    let elements: BTreeSet<&str> = ELEMENTS.split_whitespace().collect();
    for (name, xml) in parts.iter().filter(|(name, _)| {
        ["document", "footnotes", "footer", "core"].iter().any(|part| name.contains(part))
    }) {
        prop_assert!(!xml.contains(crate::hostile::CONTROLS), "a control character in {}", name);
        for step in steps(xml) {
            let Step::Open(element, _) = step else { continue };
            prop_assert!(elements.contains(element.as_str()), "<{}> in {}", element, name);
        }
    }
    let document = steps(&parts["word/document.xml"]);
    let notes = steps(&parts["word/footnotes.xml"]);
    let relationships = steps(&parts["word/_rels/document.xml.rels"]);
    let ids = set(values(&relationships, "Relationship", "Id"));
    for used in values(&document, "w:hyperlink", "r:id") {
        prop_assert!(ids.contains(&used), "{} leads nowhere", used);
    }
    let external = values(&relationships, "Relationship", "TargetMode").len();
    let targets: Vec<String> = values(&relationships, "Relationship", "Target");
    let web = targets.iter().filter(|target| target.contains(':'));
    prop_assert_eq!(web.clone().count(), external);
    for target in web {
        prop_assert!(target.starts_with("https://s"), "{}", target);
    }
    prop_assert!(external <= report.facts().candidates.len());
    let bookmarks = set(values(&document, "w:bookmarkStart", "w:name"));
    let wanted: BTreeSet<String> = report.sources().map(|(n, _)| format!("source_{n}")).collect();
    prop_assert_eq!(&bookmarks, &wanted);
    prop_assert!(bookmarks.iter().all(|name| name.chars().count() <= 40));
    let begun = set(values(&document, "w:bookmarkStart", "w:id"));
    prop_assert_eq!(begun, set(values(&document, "w:bookmarkEnd", "w:id")));
    let cited = values(&document, "w:hyperlink", "w:anchor");
    prop_assert_eq!(cited.len(), report.statements().map(|s| s.cites.len()).sum::<usize>());
    for anchor in cited.iter().chain(&values(&notes, "w:hyperlink", "w:anchor")) {
        prop_assert!(bookmarks.contains(anchor), "{} is no place", anchor);
    }
    let mut kept = set(values(&notes, "w:footnote", "w:id"));
    kept.retain(|id| id != "-1" && id != "0");
    prop_assert_eq!(kept, set(values(&document, "w:footnoteReference", "w:id")));
    Ok(())
}

#[test]
fn the_same_report_is_the_same_file() {
    let report = saying("A title.");
    let bytes = docx(&report).unwrap().bytes;
    assert_eq!(bytes, docx(&report).unwrap().bytes);
    let mut archive = zip::ZipArchive::new(Cursor::new(&bytes)).unwrap();
    let mut names = Vec::new();
    for index in 0..archive.len() {
        let file = archive.by_index(index).unwrap();
        assert_eq!(file.last_modified().unwrap().to_string(), "1980-01-01 00:00:00");
        names.push(file.name().unwrap().into_owned());
    }
    assert_eq!(names.first().unwrap(), "[Content_Types].xml");
    assert!(names.is_sorted());
    let core = &parts(&bytes)["docProps/core.xml"];
    assert!(core.contains(">2026-11-15T09:30:00Z</dcterms:created>"), "{core}");
}

#[test]
fn every_part_has_a_type_and_every_style_and_list_exists() {
    for report in [saying("A title."), short_of("A title."), long(9), every_form()] {
        let parts = written(&report);
        let types = steps(&parts["[Content_Types].xml"]);
        let mut typed = set(values(&types, "Override", "PartName"));
        for name in parts.keys().filter(|name| name.ends_with(".xml") && !name.starts_with('[')) {
            assert!(typed.remove(&format!("/{name}")), "{name} has no type");
        }
        assert!(typed.is_empty(), "{typed:?}");
        let styles = set(values(&steps(&parts["word/styles.xml"]), "w:style", "w:styleId"));
        let lists = set(values(&steps(&parts["word/numbering.xml"]), "w:num", "w:numId"));
        for part in ["word/document.xml", "word/footnotes.xml", "word/footer.xml"] {
            let steps = steps(&parts[part]);
            for element in ["w:pStyle", "w:rStyle", "w:tblStyle"] {
                for style in values(&steps, element, "w:val") {
                    assert!(styles.contains(&style), "{part} has no style {style}");
                }
            }
            for list in values(&steps, "w:numId", "w:val") {
                assert!(lists.contains(&list));
            }
        }
    }
}

#[test]
fn children_stand_in_the_order_of_the_schema() {
    for report in [saying("العربية, a title."), short_of("A title."), long(9), every_form()]
    {
        for (part, xml) in written(&report) {
            let mut open: Vec<(String, usize)> = Vec::new();
            for step in steps(&xml) {
                match step {
                    Step::Open(name, _) => {
                        if let Some((parent, at)) = open.last_mut()
                            && let Some((_, order)) = ORDER.iter().find(|(of, _)| of == parent)
                        {
                            let child = name.strip_prefix("w:").unwrap();
                            let place = order.split_whitespace().position(|known| known == child);
                            let place = place.unwrap_or_else(|| panic!("{child} in {parent}"));
                            assert!(place >= *at, "{child} too late in {parent} of {part}");
                            *at = place;
                        }
                        open.push((name, 0));
                    }
                    Step::Close(_) => {
                        open.pop();
                    }
                    Step::Text(_) => {}
                }
            }
        }
    }
}

#[test]
fn every_row_fills_its_table_and_the_head_repeats() {
    for report in [long(30), every_form()] {
        fills_its_tables(&report);
    }
}

fn fills_its_tables(report: &CheckedReport) {
    let steps = steps(&written(report)["word/document.xml"]);
    let tables = values(&steps, "w:tblStyle", "w:val").len();
    let headed = |step: &&Step| matches!(step, Step::Open(name, _) if name == "w:tblHeader");
    assert_eq!(steps.iter().filter(headed).count(), tables);
    let (mut columns, mut cells) = (Vec::new(), Vec::new());
    for step in &steps {
        match step {
            Step::Open(name, with) => match name.as_str() {
                "w:tbl" => columns.clear(),
                "w:gridCol" => columns.push(with["w:w"].clone()),
                "w:tr" => cells.clear(),
                "w:tcW" => cells.push(with["w:w"].clone()),
                _ => {}
            },
            Step::Close(name) if name == "w:tr" => assert_eq!(cells, columns),
            _ => {}
        }
    }
    assert!(tables >= 5, "{tables}");
}

#[test]
fn the_outline_is_the_reports_and_no_text_can_add_to_it() {
    for text in ["A title.", "# Heading\n## Sources", "</w:t></w:r></w:p><w:p><w:pPr>"] {
        let rendered = docx(&saying(text)).unwrap().bytes;
        let document_text = document_text(&rendered);
        let sections: Vec<&str> =
            document_text.lines().filter_map(|line| line.strip_prefix("Heading1: ")).collect();
        assert_eq!(
            sections,
            [
                "Methodology",
                "Executive Summary",
                "Main Findings",
                "Conflicting Information",
                "Confidence Assessment",
                "Sources",
                "Appendix: Searches",
                "Appendix: Relevance Gate",
                "Appendix: Every Candidate",
                "Appendix: Gaps Left",
                "Appendix: Time and Cost",
                "Appendix: Problems",
            ]
        );
    }
}

#[test]
fn a_footnote_shows_the_passage_and_why_a_sentence_is_not_verified() {
    let document_text = document_text(&docx(&saying("A title.")).unwrap().bytes);
    assert!(document_text.contains("<#source_1 [1]> says so in these words\n"), "{document_text}");
    assert!(document_text.contains("[unverified]"), "{document_text}");
    assert!(
        document_text
            .contains("<#source_2 [2]> does not say so: “A permit costs 40 crowns.”; the source"),
        "{document_text}"
    );
}

#[test]
fn text_from_right_to_left_is_marked() {
    let document_text = document_text(&docx(&saying("שלום Port Ellery")).unwrap().bytes);
    assert!(
        document_text.contains("Title: (right to left) ⟵שלום Port Ellery\n"),
        "{document_text}"
    );
}

#[test]
fn what_xml_forbids_is_left_out() {
    let core = &written(&saying("a\u{fffe}b\u{ffff}c\u{b}d"))["docProps/core.xml"];
    assert!(core.contains("<dc:title>abc\u{fffd}d</dc:title>"), "{core}");
}
