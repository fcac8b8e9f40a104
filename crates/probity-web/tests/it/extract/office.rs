//! What texts of office programs have beside their paragraphs: notes, merged cells, signs of their own.

use probity_core::Document;
use probity_web::extract::ExtractError;

use super::formats::{archive, read};

/// What a Word document says whose body and notes are these.
fn word(body: &str, notes: &[(&str, &str)]) -> String {
    let body = format!("<w:document xmlns:w='w'><w:body>{body}</w:body></w:document>");
    let mut parts = vec![("[Content_Types].xml", "<Types/>"), ("word/document.xml", &body)];
    parts.extend(notes);
    read(&archive(&parts), None).unwrap().document.text
}

/// What an OpenDocument text says.
fn odt(content: &str) -> String {
    open_document("text", content).text
}

/// An OpenDocument file of a kind.
fn open_document(kind: &str, content: &str) -> Document {
    let content =
        format!("<o xmlns:t='t' xmlns:x='x' xmlns:s='s' xmlns:d='d' xmlns:p='p'>{content}</o>");
    let mimetype = format!("application/vnd.oasis.opendocument.{kind}");
    let parts = [("mimetype", &*mimetype), ("content.xml", &*content)];
    read(&archive(&parts), None).unwrap().document
}

/// A workbook of one sheet.
fn workbook(sheet: &str) -> String {
    let parts = [
        (
            "xl/workbook.xml",
            "<workbook xmlns:r='r'><sheets><sheet name='Berths' r:id='r1'/></sheets></workbook>",
        ),
        (
            "xl/_rels/workbook.xml.rels",
            "<Relationships><Relationship Id='r1' Target='worksheets/sheet1.xml'/></Relationships>",
        ),
        ("xl/worksheets/sheet1.xml", sheet),
    ];
    read(&archive(&parts), None).unwrap().document.text
}

fn paragraph(text: &str) -> String {
    format!("<w:p><w:r><w:t>{text}</w:t></w:r></w:p>")
}

fn cell(text: &str, properties: &str) -> String {
    format!("<w:tc><w:tcPr>{properties}</w:tcPr>{}</w:tc>", paragraph(text))
}

#[test]
fn a_note_of_a_word_document_follows_its_paragraph() {
    let body = format!(
        "<w:p><w:r><w:t>Eleven boats sank</w:t></w:r><w:r><w:footnoteReference w:id='2'/></w:r>\
         <w:r><w:t>, the log says.</w:t></w:r><w:r><w:endnoteReference w:id='2'/></w:r></w:p>{}",
        paragraph("Then it was calm.")
    );
    let footnotes = format!(
        "<w:footnotes xmlns:w='w'><w:footnote w:type='separator' w:id='-1'><w:p/></w:footnote>\
         <w:footnote w:id='2'>{}{}</w:footnote></w:footnotes>",
        paragraph("The keeper counted nine."),
        paragraph("He was ill.")
    );
    let endnotes = format!(
        "<w:endnotes xmlns:w='w'><w:endnote w:id='2'>{}</w:endnote></w:endnotes>",
        paragraph("Harbour log, page 4.")
    );
    let notes = [("word/footnotes.xml", &*footnotes), ("word/endnotes.xml", &*endnotes)];
    assert_eq!(
        word(&body, &notes),
        "Eleven boats sank, the log says.\nThe keeper counted nine.\nHe was ill.\nHarbour log, page 4.\n\
         Then it was calm."
    );
}

#[test]
fn a_note_in_a_table_follows_the_table() {
    let room = "<w:tc><w:p><w:r><w:t>Loft</w:t></w:r><w:r><w:footnoteReference w:id='1'/></w:r></w:p></w:tc>";
    let body = format!(
        "<w:tbl><w:tr>{}{}</w:tr><w:tr>{room}{}</w:tr></w:tbl>",
        cell("Room", ""),
        cell("Fee", ""),
        cell("40", "")
    );
    let notes = format!(
        "<w:footnotes xmlns:w='w'><w:footnote w:id='1'>{}</w:footnote></w:footnotes>",
        paragraph("Closed in winter.")
    );
    assert_eq!(
        word(&body, &[("word/footnotes.xml", &notes)]),
        "Room: Loft · Fee: 40\nClosed in winter."
    );
}

#[test]
fn a_note_of_an_opendocument_text_does_not_part_its_sentence() {
    let text = odt("<x:p>Eleven boats<x:note><x:note-citation>1</x:note-citation><x:note-body>\
         <x:p>The keeper counted nine.</x:p></x:note-body></x:note> sank.</x:p><x:p>Then calm.</x:p>");
    assert_eq!(text, "Eleven boats sank.\nThe keeper counted nine.\nThen calm.");
}

#[test]
fn a_note_of_an_rtf_file_follows_its_paragraph() {
    for mark in ["", "\\*"] {
        let rtf = format!(
            "{{\\rtf1 Eleven boats{{\\super\\chftn}}{{{mark}\\footnote\\chftn\\pard The keeper counted nine.\\par}} sank.\\par Then calm.\\par}}"
        );
        let text = read(rtf.as_bytes(), None).unwrap().document.text;
        assert_eq!(text, "Eleven boats sank.\nThe keeper counted nine.\nThen calm.");
    }
    let hidden = b"{\\rtf1 {\\fonttbl{\\footnote Arial}}Boats sank.\\par}";
    assert_eq!(read(hidden, None).unwrap().document.text, "Boats sank.");
}

#[test]
fn merged_cells_of_a_word_table_keep_their_columns() {
    let head = "<w:trPr><w:tblHeader/></w:trPr>";
    let table = format!(
        "<w:tbl><w:tr>{head}{}{}</w:tr><w:tr>{head}{}{}{}</w:tr><w:tr>{}{}{}</w:tr><w:tr>{}{}</w:tr></w:tbl>",
        cell("Ship", "<w:vMerge w:val='restart'/>"),
        cell("Berth", "<w:gridSpan w:val='2'/>"),
        cell("", "<w:vMerge/>"),
        cell("North", ""),
        cell("South", ""),
        cell("Osprey", ""),
        cell("1", ""),
        cell("2", "<w:vMerge w:val='restart'/>"),
        cell("Heron", "<w:gridSpan w:val='2'/>"),
        cell("", "<w:vMerge/>"),
    );
    assert_eq!(
        word(&table, &[]),
        "Ship: Osprey · Berth North: 1 · Berth South: 2\nShip: Heron · Berth South: 2"
    );
}

#[test]
fn wide_cells_of_an_opendocument_table_keep_their_columns() {
    let cells = |names: &[&str]| {
        names
            .iter()
            .map(|name| format!("<t:table-cell><x:p>{name}</x:p></t:table-cell>"))
            .collect::<String>()
    };
    let wide = "<t:table-cell t:number-columns-spanned='2'><x:p>Osprey</x:p></t:table-cell>";
    // Some programs leave the covered cells out.
    for covered in ["<t:covered-table-cell/>", ""] {
        let text = odt(&format!(
            "<t:table><t:table-row>{}</t:table-row><t:table-row>{wide}{covered}{}</t:table-row></t:table>",
            cells(&["Ship", "Berth", "Fee"]),
            cells(&["40"])
        ));
        assert_eq!(text, "Ship: Osprey · Fee: 40");
    }
}

#[test]
fn a_cell_of_an_opendocument_table_counts_for_all_its_rows() {
    let text = odt(
        "<t:table><t:table-row><t:table-cell><x:p>Quay</x:p></t:table-cell><t:table-cell><x:p>Berth</x:p>\
         </t:table-cell></t:table-row><t:table-row><t:table-cell t:number-rows-spanned='2'><x:p>West</x:p>\
         </t:table-cell><t:table-cell><x:p>10</x:p></t:table-cell></t:table-row><t:table-row>\
         <t:covered-table-cell/><t:table-cell><x:p>12</x:p></t:table-cell></t:table-row></t:table>",
    );
    assert_eq!(text, "Quay: West · Berth: 10\nQuay: West · Berth: 12");
}

#[test]
fn a_merged_cell_of_a_sheet_counts_for_all_its_rows() {
    let cell = |place: &str, text: &str| {
        format!("<c r='{place}' t='inlineStr'><is><t>{text}</t></is></c>")
    };
    let row = |number: usize, cells: &[(&str, &str)]| {
        let cells: String = cells.iter().map(|(place, text)| cell(place, text)).collect();
        format!("<row r='{number}'>{cells}</row>")
    };
    let rows = [
        row(1, &[("A1", "Quay"), ("B1", "Berth")]),
        row(2, &[("A2", "West"), ("B2", "10")]),
        row(3, &[("B3", "12")]),
        // The fourth is empty, and left out.
        row(5, &[("B5", "14")]),
    ];
    let sheet = format!(
        "<worksheet><sheetData>{}</sheetData><mergeCells><mergeCell ref='A2:A4'/></mergeCells></worksheet>",
        rows.concat()
    );
    assert_eq!(
        workbook(&sheet),
        "Berths\nQuay: West · Berth: 10\nQuay: West · Berth: 12\nBerth: 14"
    );
}

#[test]
fn sheets_have_names_and_hidden_ones_stay_hidden() {
    let row = |cell: &str, hidden: &str| {
        format!(
            "<t:table-row {hidden}><t:table-cell><x:p>{cell}</x:p></t:table-cell></t:table-row>"
        )
    };
    let sheets = format!(
        "<s:style s:name='out'><s:table-properties t:display='false'/></s:style>\
         <s:style s:name='in'><s:table-properties t:display='true'/></s:style><o:spreadsheet xmlns:o='o'>\
         <t:table t:name='Prices' t:style-name='in'>{}{}</t:table>\
         <t:table t:name='Secret' t:style-name='out'>{}</t:table></o:spreadsheet>",
        row("Seen", ""),
        row("Folded", "t:visibility='collapse'"),
        row("Unseen", "")
    );
    assert_eq!(open_document("spreadsheet", &sheets).text, "Prices\nSeen");
}

#[test]
fn slides_of_an_opendocument_are_pages_without_notes() {
    let slide = |style: &str, title: &str, text: &str| {
        format!(
            "<d:page d:style-name='{style}'><d:frame p:class='title'><x:p>{title}</x:p></d:frame><d:frame>\
             <x:p>{text}</x:p></d:frame><p:notes><d:frame><x:p>Say hello.</x:p></d:frame></p:notes></d:page>"
        )
    };
    let slides = format!(
        "<s:style s:name='out'><s:drawing-page-properties p:visibility='hidden'/></s:style>{}{}{}",
        slide("in", "Tides", "The sea rises."),
        slide("out", "Left out", "Not shown."),
        slide("in", "Fees", "Ninety crowns.")
    );
    let document = open_document("presentation", &slides);
    assert_eq!(document.text, "Tides\nThe sea rises.\nFees\nNinety crowns.");
    assert_eq!(document.title, "Tides");
    assert_eq!(document.page_of(document.text.find("Ninety").unwrap()), Some(3));
    assert_eq!(document.page_of(document.text.find("rises").unwrap()), Some(1));
}

#[test]
fn the_number_of_a_note_is_no_word_of_a_page() {
    for mark in [
        "<a href='#n1'><sup>1</sup></a>",
        "<sup><a href='#n1'>1</a></sup>",
        "<a href='notes.xhtml#n1' role='doc-noteref'>[1]</a>",
    ] {
        let page =
            format!("<p>The keeper counted nine boats.{mark} Then it was calm, he says.</p>");
        let text = read(page.as_bytes(), Some("text/html")).unwrap().document.text;
        assert_eq!(text, "The keeper counted nine boats. Then it was calm, he says.", "{mark}");
    }
}

#[test]
fn a_hyphen_that_does_not_break_is_one_and_moved_text_stands_once() {
    let body = "<w:p><w:r><w:t>well</w:t><w:noBreakHyphen/><w:t>known</w:t></w:r>\
        <w:moveFrom><w:r><w:t> gone</w:t></w:r></w:moveFrom></w:p>";
    assert_eq!(word(body, &[]), "well-known");
}

#[test]
fn merged_cells_are_not_repeated_without_end() {
    let long = "x".repeat(200_000);
    let (begin, more) = (cell(&long, "<w:vMerge w:val='restart'/>"), cell("", "<w:vMerge/>"));
    let wide = cell("y", "<w:gridSpan w:val='4000000000'/>");
    let table = format!(
        "<w:tbl><w:tr>{begin}</w:tr>{}<w:tr>{wide}{wide}</w:tr></w:tbl>",
        format!("<w:tr>{more}</w:tr>").repeat(2_000)
    );
    let length = word(&table, &[]).len();
    assert!((1_000_000..2_000_000).contains(&length), "{length}");
}

#[test]
fn what_is_locked_with_a_password_is_not_called_broken() {
    let manifest = "<m:manifest xmlns:m='m'><m:file-entry m:full-path='content.xml'><m:encryption-data/>\
        </m:file-entry></m:manifest>";
    let locked = archive(&[
        ("mimetype", "application/vnd.oasis.opendocument.text"),
        ("content.xml", "7f& <encrypted"),
        ("META-INF/manifest.xml", manifest),
    ]);
    assert_eq!(read(&locked, None).unwrap_err(), ExtractError::Locked);
    let name = "EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes);
    let mut office = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".to_vec();
    office.extend(std::iter::repeat_n(0, 500).chain(name));
    assert_eq!(read(&office, None).unwrap_err(), ExtractError::Locked);
    let pdf = b"%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n\
        << /Type /Pages /Kids [] /Count 0 >>\nendobj\ntrailer\n<< /Root 1 0 R /ID [<00> <00>] /Encrypt \
        << /Filter /Standard /V 2 /R 3 /Length 128 /P -4 /O <00> /U <00> >> >>\n%%EOF\n";
    assert_eq!(read(pdf, None).unwrap_err(), ExtractError::Locked);
}
