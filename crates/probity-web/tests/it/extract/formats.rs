//! PDF, DOCX, Markdown and text through the one door.

use std::io::Write as _;

use probity_core::WebUrl;
use probity_web::extract::{ExtractError, Extracted, Input, Kind, extract};

fn read(bytes: &[u8], content_type: Option<&str>) -> Result<Extracted, ExtractError> {
    extract(Input { bytes, content_type, url: None })
}

/// A PDF of several pages, written by hand: one line of text each.
fn pdf(pages: &[&str], info: &str) -> Vec<u8> {
    let mut objects = vec![
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        String::new(),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_owned(),
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
    assert_eq!(extracted.kind, Kind::Pdf);
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
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    archive.start_file("[Content_Types].xml", options).unwrap();
    archive.write_all(b"<Types/>").unwrap();
    archive.start_file("word/document.xml", options).unwrap();
    archive.write_all(document.as_bytes()).unwrap();
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
    assert_eq!(extracted.kind, Kind::Docx);
    let document = extracted.document;
    assert_eq!(document.title, "Fees");
    assert_eq!(document.byline.as_deref(), Some("A. Clerk"));
    assert_eq!(document.published.unwrap().to_string(), "2021-06-14");
    assert_eq!(document.text, "Prices & fees\nA fee of 40 crowns applies.\none\nBirds\tFee\n7\t18");
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
    assert!(matches!(read(&bytes, None), Err(ExtractError::Broken { kind: Kind::Docx, .. })));
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
