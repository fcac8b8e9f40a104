//! PDF, DOCX, Markdown and text through the one door.

use std::io::Write as _;

use probity_core::WebUrl;
use probity_web::extract::{BodyKind, ExtractError, Extracted, Input, extract};

pub(super) fn read(bytes: &[u8], content_type: Option<&str>) -> Result<Extracted, ExtractError> {
    extract(Input { bytes, content_type, url: None })
}

/// A PDF of several pages, written by hand: one line of text each.
fn pdf(pages: &[&str], info: &str) -> Vec<u8> {
    pdf_in(pages, info, "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
}

fn pdf_in(pages: &[&str], info: &str, font: &str) -> Vec<u8> {
    let mut objects = vec![
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        String::new(),
        font.to_owned(),
        info.to_owned(),
    ];
    let mut kids = String::new();
    for text in pages {
        let page = objects.len() + 1;
        kids.push_str(&format!("{page} 0 R "));
        objects.push(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {} 0 R /Resources << /Font << /F1 3 0 R >> >> >>",
            page + 1
        ));
        let stream = format!("BT /F1 12 Tf 72 720 Td ({text}) Tj ET");
        objects.push(format!("<< /Length {} >>\nstream\n{stream}\nendstream", stream.len()));
    }
    objects[1] = format!("<< /Type /Pages /Kids [{kids}] /Count {} >>", pages.len());
    let mut out = b"%PDF-1.4\n".to_vec();
    let mut offsets = Vec::new();
    for (index, object) in objects.iter().enumerate() {
        offsets.push(out.len());
        write!(out, "{} 0 obj\n{object}\nendobj\n", index + 1).unwrap();
    }
    let xref = out.len();
    write!(out, "xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1).unwrap();
    for offset in offsets {
        writeln!(out, "{offset:010} 00000 n ").unwrap();
    }
    write!(
        out,
        "trailer\n<< /Size {} /Root 1 0 R /Info 4 0 R >>\nstartxref\n{xref}\n%%EOF\n",
        objects.len() + 1
    )
    .unwrap();
    out
}

const INFO: &str = "<< /Title (Tides of the Sound) /Author (Ngozi Okafor) /CreationDate (D:20220308101500+01'00') /ModDate (D:20220401000000Z) >>";

#[test]
fn a_pdf_gives_text_with_page_numbers_and_dates() {
    let bytes = pdf(&["The first page, as it were.", "The second page follows it."], INFO);
    let extracted = read(&bytes, Some("text/html")).unwrap();
    assert_eq!(extracted.kind, BodyKind::Pdf);
    let document = extracted.document;
    assert_eq!(document.title, "Tides of the Sound");
    assert_eq!(document.byline.as_deref(), Some("Ngozi Okafor"));
    assert_eq!(document.published.unwrap().to_string(), "2022-03-08");
    assert_eq!(document.updated.unwrap().to_string(), "2022-04-01");
    assert_eq!(document.text, "The first page, as it were.\nThe second page follows it.");
    let second = document.text.find("second").unwrap();
    assert_eq!(document.page_of(second), Some(2));
    assert_eq!(document.page_of(0), Some(1));
}

#[test]
fn words_that_are_kerned_apart_are_whole() {
    let page = "The) Tj [(\\040v) 60 (alue) -300 (of) -250 (it) 20 (,) ] TJ (";
    let document = read(&pdf(&[page], INFO), None).unwrap().document;
    assert_eq!(document.text, "The value of it,");
}

#[test]
fn letters_of_a_font_drawn_by_programs_are_as_wide_as_the_font_says() {
    let (widths, names) = ("50 ".repeat(26), ('a'..='z').map(|c| format!("/{c} ")));
    let font = format!(
        "<< /Type /Font /Subtype /Type3 /FontMatrix [0.01 0 0 0.01 0 0] /FontBBox [0 0 99 99] \
         /CharProcs << >> /FirstChar 97 /LastChar 122 /Widths [{widths}] \
         /Encoding << /Differences [97 {}] >> >>",
        names.collect::<String>()
    );
    let page = "the) Tj [-333 (co) -28 (de) -333 (has) -333 (a) -333 (v) 28 (alue)] TJ (";
    let document = read(&pdf_in(&[page], INFO, &font), None).unwrap().document;
    assert_eq!(document.text, "the code has a value");
}

#[test]
fn letter_spacing_as_wide_as_a_space_parts_words() {
    let page =
        "Fo) Tj 3 Tc (re) Tj 0 Tc [250 (xample, )] TJ -1.2 Tc (Ve) Tj 0 Tc [-100 (rsion)] TJ (";
    let document = read(&pdf(&[page], INFO), None).unwrap().document;
    assert_eq!(document.text, "For example, Version");
}

#[test]
fn broken_pdfs_are_errors_not_crashes() {
    let whole = pdf(&["Some text, on a page."], INFO);
    for cut in (0..whole.len()).step_by(37) {
        let _ = read(&whole[..cut], Some("application/pdf"));
    }
    for at in (0..whole.len()).step_by(11) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x55;
        let _ = read(&bytes, Some("application/pdf"));
    }
    assert!(read(b"%PDF-1.7\ngarbage", None).is_err());
}

fn docx(document: &str, core: Option<&str>) -> Vec<u8> {
    docx_in(document, core, "<w:styles/>")
}

fn docx_in(document: &str, core: Option<&str>, styles: &str) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    archive.start_file("[Content_Types].xml", options).unwrap();
    archive.write_all(b"<Types/>").unwrap();
    archive.start_file("word/document.xml", options).unwrap();
    archive.write_all(document.as_bytes()).unwrap();
    archive.start_file("word/styles.xml", options).unwrap();
    archive.write_all(styles.as_bytes()).unwrap();
    if let Some(core) = core {
        archive.start_file("docProps/core.xml", options).unwrap();
        archive.write_all(core.as_bytes()).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

#[test]
fn a_word_document_gives_its_structure_and_hides_what_it_hides() {
    let body = r#"<w:document xmlns:w="w"><w:body>
        <w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>Prices &amp; fees</w:t></w:r></w:p>
        <w:p><w:r><w:t xml:space="preserve">A fee of </w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>40 crowns</w:t></w:r><w:r><w:t xml:space="preserve"> applies.</w:t></w:r><w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden order</w:t></w:r><w:del><w:r><w:delText>deleted</w:delText></w:r></w:del></w:p>
        <w:p><w:pPr><w:numPr><w:ilvl w:val="0"/></w:numPr></w:pPr><w:r><w:t>one</w:t></w:r></w:p>
        <w:tbl><w:tr><w:tc><w:p><w:r><w:t>Birds</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>Fee</w:t></w:r></w:p></w:tc></w:tr><w:tr><w:tc><w:p><w:r><w:t>7</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>18</w:t></w:r></w:p></w:tc></w:tr></w:tbl>
        </w:body></w:document>"#;
    let core = r#"<cp:coreProperties xmlns:cp="c" xmlns:dc="d" xmlns:dcterms="t"><dc:title>Fees</dc:title><dc:creator>A. Clerk</dc:creator><dcterms:created>2021-06-14T09:00:00Z</dcterms:created></cp:coreProperties>"#;
    let extracted = read(&docx(body, Some(core)), Some("application/octet-stream")).unwrap();
    assert_eq!(extracted.kind, BodyKind::Docx);
    let document = extracted.document;
    assert_eq!(document.title, "Fees");
    assert_eq!(document.byline.as_deref(), Some("A. Clerk"));
    assert_eq!(document.published.unwrap().to_string(), "2021-06-14");
    assert_eq!(
        document.text,
        "Prices & fees\nA fee of 40 crowns applies.\none\nBirds: 7 · Fee: 18"
    );
    assert!(document.markdown.starts_with(
        "# Prices & fees\n\nA fee of **40 crowns** applies.\n\n- one\n\n| Birds | Fee |"
    ));
}

#[test]
fn a_word_document_that_unpacks_without_end_is_refused() {
    let bomb =
        format!("<w:document><w:body>{}</w:body></w:document>", " ".repeat(60 * 1024 * 1024));
    let bytes = docx(&bomb, None);
    assert!(bytes.len() < 1024 * 1024);
    assert!(matches!(read(&bytes, None), Err(ExtractError::Broken { kind: BodyKind::Docx, .. })));
    assert!(read(b"PK\x03\x04 word/ nonsense", None).is_err());
}

#[test]
fn the_same_text_comes_out_of_every_encoding() {
    let text = "Grüße aus der Küche, sagte die Köchin zu den Gästen.";
    let page = |charset: &str| format!("<meta charset={charset}><title>x</title><p>{text}</p>");
    let latin: Vec<u8> =
        page("iso-8859-1").chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    let wide: Vec<u8> = page("utf-16").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let marked: Vec<u8> = [&[0xff, 0xfe][..], &wide].concat();
    for bytes in
        [page("utf-8").into_bytes(), page("iso-8859-1").into_bytes(), latin.clone(), wide, marked]
    {
        assert_eq!(read(&bytes, Some("text/html")).unwrap().document.text, text);
    }
    let undeclared: Vec<u8> = format!("<p>{text}</p>").chars().map(|c| c as u8).collect();
    assert_eq!(read(&undeclared, Some("text/html; charset=latin1")).unwrap().document.text, text);
    let extracted = read(&latin, None).unwrap();
    assert_eq!(extracted.charset.as_deref(), Some("windows-1252"));
}

#[test]
fn relative_links_and_dates_are_read_from_the_address() {
    let html = b"<title>A walk</title><h1>A walk</h1><p>Go by <a href='../b?x=1'>the mill</a>, then <a href='javascript:alert(1)'>up</a>, until you see the sea.</p>";
    let url = WebUrl::parse("https://a.example/2021/04/17/walk/index.html").unwrap();
    let page =
        extract(Input { bytes: html, content_type: None, url: Some(&url) }).unwrap().document;
    assert_eq!(page.published.unwrap().to_string(), "2021-04-17");
    assert!(
        page.markdown.contains("[the mill](https://a.example/2021/04/17/b?x=1)"),
        "{}",
        page.markdown
    );
    assert!(!page.markdown.contains("javascript"), "{}", page.markdown);
}

/// An archive of named parts.
pub(super) fn archive(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    for (name, text) in parts {
        archive.start_file(*name, options).unwrap();
        archive.write_all(text.as_bytes()).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

const PRICES: &str = "Room: Great Hall · Day: Saturday · Fee: 900 crowns";

#[test]
fn a_price_list_reads_the_same_in_every_format() {
    let html = "<table><tr><th>Room<th>Day<th>Fee<tr><td>Great Hall<td>Saturday<td>900 crowns<tr><td>Loft<td>Sunday<td>40 crowns</table>";
    let markdown = "| Room | Day | Fee |\n|---|---|---|\n| Great Hall | Saturday | 900 crowns |\n| Loft | Sunday | 40 crowns |\n";
    let csv = "Room,Day,Fee\nGreat Hall,Saturday,900 crowns\nLoft,Sunday,40 crowns\n";
    let rtf = r"{\rtf1\trowd\intbl Room\cell Day\cell Fee\cell\row\intbl Great Hall\cell Saturday\cell 900 crowns\cell\row\intbl Loft\cell Sunday\cell 40 crowns\cell\row\pard\par}";
    let cells = |names: [&str; 3]| {
        names.map(|name| format!("<w:tc><w:p><w:r><w:t>{name}</w:t></w:r></w:p></w:tc>")).concat()
    };
    let rows = [
        ["Room", "Day", "Fee"],
        ["Great Hall", "Saturday", "900 crowns"],
        ["Loft", "Sunday", "40 crowns"],
    ];
    let word: String = rows.map(|row| format!("<w:tr>{}</w:tr>", cells(row))).concat();
    let word =
        docx(&format!("<w:document><w:body><w:tbl>{word}</w:tbl></w:body></w:document>"), None);
    let odf: String = rows
        .map(|row| {
            let cells = row.map(|text| format!("<t:table-cell><x:p>{text}</x:p></t:table-cell>"));
            format!("<t:table-row>{}</t:table-row>", cells.concat())
        })
        .concat();
    let odf = archive(&[
        ("mimetype", "application/vnd.oasis.opendocument.text"),
        ("content.xml", &format!("<o xmlns:t='t' xmlns:x='x'><t:table>{odf}</t:table></o>")),
    ]);
    let sheet: String = rows
        .map(|row| {
            let cell = |(text, column): (&str, char)| {
                format!("<c r=\"{column}1\" t=\"inlineStr\"><is><t>{text}</t></is></c>")
            };
            format!(
                "<row>{}</row>",
                row.into_iter().zip(['A', 'B', 'C']).map(cell).collect::<String>()
            )
        })
        .concat();
    let xlsx = archive(&[
        (
            "xl/workbook.xml",
            "<w xmlns:r='r'><sheets><sheet name=\"Prices\" sheetId=\"1\" r:id=\"r1\"/><sheet name=\"Secret\" state=\"hidden\" r:id=\"r1\"/></sheets></w>",
        ),
        (
            "xl/_rels/workbook.xml.rels",
            "<R><Relationship Id=\"r1\" Target=\"worksheets/sheet1.xml\"/></R>",
        ),
        (
            "xl/worksheets/sheet1.xml",
            &format!("<worksheet><sheetData>{sheet}</sheetData></worksheet>"),
        ),
    ]);
    let slide: String = rows
        .map(|row| {
            let cells =
                row.map(|text| format!("<a:tc><a:p><a:r><a:t>{text}</a:t></a:r></a:p></a:tc>"));
            format!("<a:tr>{}</a:tr>", cells.concat())
        })
        .concat();
    let pptx = archive(&[
        ("ppt/presentation.xml", "<p/>"),
        (
            "ppt/slides/slide1.xml",
            &format!("<p:sld xmlns:p='p' xmlns:a='a'><a:tbl>{slide}</a:tbl></p:sld>"),
        ),
    ]);
    for (kind, bytes, content_type) in [
        (BodyKind::Html, html.as_bytes(), Some("text/html")),
        (BodyKind::Markdown, markdown.as_bytes(), Some("text/markdown")),
        (BodyKind::Csv, csv.as_bytes(), Some("text/csv")),
        (BodyKind::Rtf, rtf.as_bytes(), None),
        (BodyKind::Docx, &word, None),
        (BodyKind::Odf, &odf, None),
        (BodyKind::Xlsx, &xlsx, None),
        (BodyKind::Pptx, &pptx, None),
    ] {
        let read = read(bytes, content_type).unwrap_or_else(|error| panic!("{kind}: {error}"));
        assert_eq!(read.kind, kind);
        let text = read.document.text;
        assert!(text.lines().any(|line| line == PRICES), "{kind}: {text}");
        assert!(!text.contains("Secret"), "{kind}: {text}");
    }
}

#[test]
fn cells_that_span_rows_and_columns_keep_their_heads() {
    let html = b"<table><tr><th rowspan=2>Room<th colspan=2>Fee<tr><th>Day<th>Night<tr><td rowspan=2>Hall<td>90<td>120<tr><td>95<td>130</table>";
    let text = read(html, Some("text/html")).unwrap().document.text;
    assert_eq!(
        text,
        "Room: Hall · Fee Day: 90 · Fee Night: 120\nRoom: Hall · Fee Day: 95 · Fee Night: 130"
    );
}

#[test]
fn a_book_is_read_in_its_own_order() {
    let book = archive(&[
        ("mimetype", "application/epub+zip"),
        (
            "META-INF/container.xml",
            "<container><rootfiles><rootfile full-path=\"OEBPS/book.opf\"/></rootfiles></container>",
        ),
        (
            "OEBPS/book.opf",
            "<package><metadata><dc:title>The Tides</dc:title><dc:creator>Ngozi Okafor</dc:creator><dc:language>en-GB</dc:language></metadata><manifest><item id=\"b\" href=\"two.xhtml\"/><item id=\"a\" href=\"text/one.xhtml\"/></manifest><spine><itemref idref=\"a\"/><itemref idref=\"b\"/></spine></package>",
        ),
        ("OEBPS/two.xhtml", "<html><body><h1>Ebb</h1><p>The sea falls.</p></body></html>"),
        (
            "OEBPS/text/one.xhtml",
            "<html><body><h1>Flood</h1><p>The sea rises.</p><p hidden=\"\">unseen</p></body></html>",
        ),
    ]);
    let document = read(&book, None).unwrap().document;
    assert_eq!(document.title, "The Tides");
    assert_eq!(document.byline.as_deref(), Some("Ngozi Okafor"));
    assert_eq!(document.lang.as_deref(), Some("en"));
    assert_eq!(document.text, "Flood\nThe sea rises.\nEbb\nThe sea falls.");
}

#[test]
fn slides_are_pages() {
    let slide = |text: &str| {
        format!(
            "<p:sld xmlns:p='p' xmlns:a='a'><p:sp><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:sp></p:sld>"
        )
    };
    let slides = archive(&[
        ("ppt/presentation.xml", "<p/>"),
        ("ppt/slides/slide10.xml", &slide("The tenth.")),
        ("ppt/slides/slide2.xml", &slide("The second.")),
        ("ppt/slides/slide1.xml", &slide("The first.")),
    ]);
    let document = read(&slides, None).unwrap().document;
    assert_eq!(document.text, "The first.\nThe second.\nThe tenth.");
    assert_eq!(document.page_of(document.text.find("tenth").unwrap()), Some(3));
}

#[test]
fn what_is_packed_by_itself_is_unpacked_within_limits() {
    let packed = |bytes: &[u8]| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    };
    let page = packed(b"<p>Wide is the sea, and the ship is small.</p>");
    assert_eq!(read(&page, None).unwrap().document.text, "Wide is the sea, and the ship is small.");
    assert!(matches!(read(&packed(&page), None), Err(ExtractError::Unsupported(_))));
    let rows = packed(b"Room,Fee\nLoft,40\n");
    assert_eq!(read(&rows, Some("text/csv")).unwrap().document.text, "Room: Loft · Fee: 40");
    assert_eq!(read(&page, Some("application/gzip")).unwrap().kind, BodyKind::Html);
    let bomb = packed(&vec![b'a'; 30 * 1024 * 1024]);
    assert!(matches!(read(&bomb, None), Err(ExtractError::TooLarge { .. })));
}

#[test]
fn a_style_with_bullets_makes_a_list() {
    let styles = r#"<w:styles><w:style w:styleId="ListBullet"><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>
        <w:style w:styleId="Mine"><w:basedOn w:val="ListBullet"/></w:style></w:styles>"#;
    let item = |style: &str, more: &str, text: &str| {
        format!(
            r#"<w:p><w:pPr><w:pStyle w:val="{style}"/>{more}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"#
        )
    };
    let none = r#"<w:numPr><w:numId w:val="0"/></w:numPr>"#;
    let items = [
        item("ListBullet", "", "Chairs"),
        item("Mine", "", "Lamps"),
        item("Mine", none, "No item"),
    ];
    let word = format!("<w:document><w:body>{}</w:body></w:document>", items.concat());
    let markdown = read(&docx_in(&word, None, styles), None).unwrap().document.markdown;
    assert_eq!(markdown.trim(), "- Chairs\n- Lamps\n\nNo item");
}

#[test]
fn broken_archives_are_errors_not_crashes() {
    let word = docx(
        "<w:document><w:body><w:p><w:r><w:t>Text</w:t></w:r></w:p></w:body></w:document>",
        None,
    );
    for at in (0..word.len()).step_by(3) {
        let mut bytes = word.clone();
        bytes[at] ^= 0x55;
        let _ = read(&bytes, None);
        let _ = read(&word[..at], None);
    }
}

#[test]
fn a_definition_says_of_what_it_is_one() {
    let page = "<html><body><article><h1>Settings of the tide gauge</h1>\
        <p>The gauge is set up once, and these settings say how it measures the harbour.</p>\
        <dl><dt>interval</dt><dd>How many seconds pass between two readings of the gauge.</dd>\
        <dt>-d</dt><dt>--depth</dt><dd><p>How deep the gauge hangs below the lowest tide.</p>\
        <p>It is given in metres.</p></dd>\
        <dt>Does it work in ice?</dt><dd>No, it must be lifted out before the harbour freezes.</dd></dl>\
        </article></body></html>";
    let text = read(page.as_bytes(), Some("text/html")).unwrap().document.text;
    for line in [
        "interval: How many seconds pass between two readings of the gauge.",
        "-d, --depth: How deep the gauge hangs below the lowest tide.",
        "It is given in metres.",
        "Does it work in ice? No, it must be lifted out before the harbour freezes.",
    ] {
        assert!(text.lines().any(|found| found == line), "{line:?} in {text:?}");
    }
}
