//! A price list answers from its row, whatever file it comes in: the report finds what the fact check finds.

use std::io::Write as _;

use probity_core::Document;
use probity_reader::{Stop, TextReader};
use probity_report::check::{SourceIndex, Support};
use probity_report::draft::Form;
use probity_web::extract::{Input, extract};

use crate::embedded::{draft, view};

const TITLE: &str = "Hiring rooms of the Corn Exchange";
const INTRO: &str = "The Corn Exchange lets its rooms by the day. Fees include chairs and light.";
const ROWS: [[&str; 3]; 7] = [
    ["Room", "Day", "Fee"],
    ["Great Hall", "Saturday", "900 crowns"],
    ["Great Hall", "Sunday", "650 crowns"],
    ["Small Hall", "Saturday", "300 crowns"],
    ["Small Hall", "Sunday", "250 crowns"],
    ["Loft", "Saturday", "120 crowns"],
    ["Loft", "Sunday", "40 crowns"],
];

/// Each row in turn, with its cells written by `cell`, between two marks.
fn rows(open: &str, cell: impl Fn(&str) -> String, close: &str) -> String {
    let row = |row: &[&str; 3]| format!("{open}{}{close}", row.map(&cell).concat());
    ROWS.iter().map(row).collect()
}

fn html() -> Vec<u8> {
    let table = rows("<tr>", |cell| format!("<td>{cell}</td>"), "</tr>").replacen("td>", "th>", 6);
    format!("<title>{TITLE}</title><h1>{TITLE}</h1><p>{INTRO}</p><table>{table}</table>").into()
}

fn markdown() -> Vec<u8> {
    let table = rows("", |cell| format!("| {cell} "), "|\n").replacen('\n', "\n|---|---|---|\n", 1);
    format!("# {TITLE}\n\n{INTRO}\n\n{table}").into()
}

fn csv() -> Vec<u8> {
    ROWS.map(|row| row.join(",")).join("\n").into()
}

fn archive(parts: &[(&str, String)]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, text) in parts {
        archive.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(text.as_bytes()).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

fn docx() -> Vec<u8> {
    let paragraph = |text: &str| format!("<w:p><w:r><w:t>{text}</w:t></w:r></w:p>");
    let table = rows("<w:tr>", |cell| format!("<w:tc>{}</w:tc>", paragraph(cell)), "</w:tr>");
    let body = format!("{}{}<w:tbl>{table}</w:tbl>", paragraph(TITLE), paragraph(INTRO));
    archive(&[(
        "word/document.xml",
        format!("<w:document xmlns:w='w'><w:body>{body}</w:body></w:document>"),
    )])
}

fn xlsx() -> Vec<u8> {
    let cell = |text: &str| format!("<c t=\"inlineStr\"><is><t>{text}</t></is></c>");
    let sheet =
        format!("<worksheet><sheetData>{}</sheetData></worksheet>", rows("<row>", cell, "</row>"));
    let book =
        "<w xmlns:r='r'><sheets><sheet name=\"Fees\" sheetId=\"1\" r:id=\"r1\"/></sheets></w>";
    let links = "<R><Relationship Id=\"r1\" Target=\"worksheets/sheet1.xml\"/></R>";
    archive(&[
        ("xl/workbook.xml", book.to_owned()),
        ("xl/_rels/workbook.xml.rels", links.to_owned()),
        ("xl/worksheets/sheet1.xml", sheet),
    ])
}

/// A table with lines around its cells.
fn pdf() -> Vec<u8> {
    let show = |size: u32, x: usize, y: usize, text: &str| {
        format!("BT /F {size} Tf {x} {y} Td ({text}) Tj ET ")
    };
    let mut page = show(16, 72, 760, TITLE) + &show(11, 72, 730, INTRO);
    for (number, row) in ROWS.iter().enumerate() {
        let y = 700 - 20 * number;
        row.iter().zip([72, 222, 372]).for_each(|(cell, x)| page += &show(11, x, y, cell));
        page += &format!("66 {0} m 522 {0} l S ", y - 5);
    }
    page += "66 714 m 522 714 l S ";
    [66, 216, 366, 522].iter().for_each(|x| page += &format!("{x} 714 m {x} 575 l S "));
    let objects = [
        "<</Type /Catalog /Pages 2 0 R>>".to_owned(),
        "<</Type /Pages /Kids [3 0 R] /Count 1>>".to_owned(),
        "<</Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources <</Font <</F 5 0 R>>>>>>"
            .to_owned(),
        format!("<</Length {}>>\nstream\n{page}\nendstream", page.len()),
        "<</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>".to_owned(),
    ];
    let mut file = b"%PDF-1.4\n".to_vec();
    let mut places = String::new();
    for (number, object) in objects.iter().enumerate() {
        places += &format!("{:010} 00000 n \n", file.len());
        write!(file, "{} 0 obj\n{object}\nendobj\n", number + 1).unwrap();
    }
    let start = file.len();
    write!(file, "xref\n0 6\n0000000000 65535 f \n{places}").unwrap();
    write!(file, "trailer <</Size 6 /Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n").unwrap();
    file
}

/// The list as it is read from each kind of file.
fn in_every_format() -> Vec<(&'static str, Document)> {
    let files = [
        ("text/html", html()),
        ("text/markdown", markdown()),
        ("text/csv", csv()),
        ("a Word document", docx()),
        ("a sheet", xlsx()),
        ("application/pdf", pdf()),
    ];
    let read = |(kind, bytes): (&'static str, Vec<u8>)| {
        let input = Input { bytes: &bytes, content_type: Some(kind), url: None };
        (kind, extract(input).unwrap_or_else(|error| panic!("{kind}: {error}")).document)
    };
    files.into_iter().map(read).collect()
}

#[tokio::test]
async fn a_report_answers_from_the_row_that_is_asked_for_in_every_format() {
    let question = "What is the fee for hiring the Great Hall on a Sunday?";
    for (kind, document) in in_every_format() {
        let draft = draft(question, &[view(0, TITLE, &document.text)]).await;
        assert!(draft.headline.contains("650 crowns"), "{kind}: {}", draft.headline);
        let row = "Room: Great Hall · Day: Sunday · Fee: 650 crowns";
        assert_eq!(draft.summary[0], row, "{kind}");
        let statements = draft.themes.iter().flat_map(|theme| &theme.statements);
        let rows = statements.filter(|one| matches!(one.form, Form::Row { .. })).count();
        assert_eq!(rows, ROWS.len() - 1, "{kind}: the whole table is shown: {:?}", draft.themes);
        assert!(draft.unanswered.is_empty(), "{kind}");
    }
}

#[test]
fn a_fact_check_finds_the_row_in_every_format() {
    let reader = TextReader::Embedded;
    for (kind, document) in in_every_format() {
        let source = SourceIndex::new(&*document.text);
        let check = |claim: &str| source.check(claim, &reader, &Stop::never()).unwrap();
        let right = check("The fee for the Great Hall on a Sunday is 650 crowns.");
        assert_eq!(right.support, Support::Supported, "{kind}: {right:?}");
        let passage = right.passage.unwrap().text;
        assert!(passage.contains("Day: Sunday · Fee: 650 crowns"), "{kind}: {passage}");
        let wrong = check("The fee for the Great Hall on a Sunday is 700 crowns.");
        assert_ne!(wrong.support, Support::Supported, "{kind}: {wrong:?}");
    }
}
