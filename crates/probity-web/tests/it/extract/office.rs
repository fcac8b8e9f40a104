//! What texts of office programs have beside their paragraphs: notes, merged cells, signs of their own.

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
    let content = format!("<o xmlns:t='t' xmlns:x='x'>{content}</o>");
    let parts =
        [("mimetype", "application/vnd.oasis.opendocument.text"), ("content.xml", &*content)];
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
