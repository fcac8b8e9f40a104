//! Listings and lists of PDF files: what is set line by line stays so.

use super::formats::read;

/// A page of lines, each in print (`F1`) or in letters of one width (`F2`).
fn page(lines: &[(&str, f32, &str)]) -> Vec<u8> {
    let mut y = 760;
    let mut content = String::new();
    for (font, x, text) in lines {
        let text = text.replace('(', "\\(").replace(')', "\\)");
        content.push_str(&format!("BT /{font} 10 Tf {x} {y} Td ({text}) Tj ET\n"));
        y -= 12;
    }
    let font = |name: &str| {
        format!("<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>")
    };
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R \
         /Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>"
            .to_owned(),
        format!("<< /Length {} >>\nstream\n{content}\nendstream", content.len()),
        font("Helvetica"),
        font("Courier"),
    ];
    let mut file = "%PDF-1.4\n".to_owned();
    let mut index = format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for (number, object) in objects.iter().enumerate() {
        index.push_str(&format!("{:010} 00000 n \n", file.len()));
        file.push_str(&format!("{} 0 obj\n{object}\nendobj\n", number + 1));
    }
    let start = file.len();
    let trailer = format!("trailer\n<< /Size {} /Root 1 0 R >>", objects.len() + 1);
    // The bullet of the encoding is one byte.
    let text = format!("{file}{index}{trailer}\nstartxref\n{start}\n%%EOF\n");
    text.chars().map(|c| if c == '•' { 0x95 } else { c as u8 }).collect()
}

const PROSE: [(&str, f32, &str); 4] = [
    ("F1", 72.0, "The gauge of the harbour measures the tide in metres, and the program"),
    ("F1", 72.0, "reads its values once a minute. The following lines compute what the mean"),
    ("F1", 72.0, "level was, and print it beside the highest level that was ever measured"),
    ("F1", 72.0, "in the harbour since the gauge was built."),
];

#[test]
fn a_listing_keeps_its_lines_and_columns_between_paragraphs() {
    let code = [
        ("F2", 90.0, "levels <- read.table(harbour)"),
        ("F2", 90.0, "show <- function(level) {"),
        ("F2", 102.0, "print(mean(level))"),
        ("F2", 90.0, "}"),
        ("F2", 90.0, "  day   low  high"),
        ("F2", 90.0, "    1  0.21  3.40"),
    ];
    let after = [("F1", 72.0, "The gauge was built by the monks of the island in 1890.")];
    let file = page(&[&PROSE[..], &code, &after].concat());
    let document = read(&file, None).unwrap().document;
    let listing = "levels <- read.table(harbour)\nshow <- function(level) {\n  print(mean(level))\n}\n\
                   \x20 day   low  high\n    1  0.21  3.40";
    assert!(document.markdown.contains(&format!("```\n{listing}\n```")), "{}", document.markdown);
    let last = "The gauge was built by the monks of the island in 1890.";
    let lines: Vec<&str> = document.text.lines().collect();
    assert_eq!((lines.len(), lines[0].ends_with("was built."), lines[7]), (8, true, last));
}

#[test]
fn a_text_in_letters_of_one_width_is_read_in_paragraphs() {
    let typed = PROSE.map(|(_, x, text)| ("F2", x, text));
    let document = read(&page(&typed), None).unwrap().document;
    assert_eq!(document.text.lines().count(), 1, "{}", document.text);
}

#[test]
fn each_line_that_begins_with_a_bullet_is_an_item() {
    let items = [
        ("F1", 90.0, "• one low tide a day"),
        ("F1", 110.0, "• two at new moon"),
        ("F1", 90.0, "• no tide at all"),
    ];
    let document = read(&page(&[&PROSE[..], &items[1..2]].concat()), None).unwrap().document;
    assert!(document.text.ends_with("built.\ntwo at new moon"), "{}", document.text);
    let document = read(&page(&[&PROSE[..], &items].concat()), None).unwrap().document;
    let expected = "- one low tide a day\n- two at new moon\n- no tide at all";
    assert!(document.markdown.contains(expected), "{}", document.markdown);
}
