//! What a limit keeps from being read is told.

use super::formats::{archive, read};

#[test]
fn no_limit_cuts_in_silence() {
    let html = |table: String| {
        format!(
            "<h1>Fees</h1><p>These are the fees of the halls of the harbour, one by one.</p><table>{table}</table>"
        )
    };
    let row = |cells: usize| format!("<tr>{}", "<td>40".repeat(cells));
    let mail = |parts: usize| {
        let part = "--b\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename=a.txt\r\n\r\nfee\r\n";
        format!(
            "From: a@b.example\r\nTo: c@d.example\r\nSubject: Fees\r\nMIME-Version: 1.0\r\n\
             Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nThe fees.\r\n{}--b--\r\n",
            part.repeat(parts)
        )
    };
    let nested = |depth: usize| {
        format!("{{\\rtf1 The fees. {}40{}", "{\\b ".repeat(depth), "}".repeat(depth + 1))
    };
    let wide = |columns: usize| html(format!("<tr><td colspan={columns}>40<td>50{}", row(2)));
    let cases: [(&str, &str, String, String); 6] = [
        ("text/html", "rows", html(row(2).repeat(5_000)), html(row(2).repeat(5_001))),
        ("text/html", "columns", html(row(100).repeat(2)), html(row(101).repeat(2))),
        ("text/html", "columns", wide(99), wide(150)),
        ("text/csv", "columns", "a,".repeat(199) + "b", "a,".repeat(200) + "b"),
        ("message/rfc822", "attachments", mail(100), mail(101)),
        ("application/rtf", "deeper", nested(100), nested(300)),
    ];
    for (kind, told, within, beyond) in cases {
        assert_eq!(
            read(within.as_bytes(), Some(kind)).unwrap().document.cut_short,
            None,
            "{kind} {told}"
        );
        let cut =
            read(beyond.as_bytes(), Some(kind)).unwrap().document.cut_short.unwrap_or_default();
        assert!(cut.contains(told), "{kind} {told}: {cut:?}");
    }
}

#[test]
fn a_sheet_with_more_columns_than_are_read_says_so() {
    let ods = |cells: &str| {
        archive(&[
            ("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
            (
                "content.xml",
                &format!(
                    "<o xmlns:t='t' xmlns:x='x'><t:spreadsheet><t:table t:name='Fees'><t:table-row>{cells}\
                     </t:table-row></t:table></t:spreadsheet></o>"
                ),
            ),
        ])
    };
    let fee = "<t:table-cell><x:p>40</x:p></t:table-cell>";
    let repeated = |count: usize, text: &str| {
        format!("<t:table-cell t:number-columns-repeated='{count}'>{text}</t:table-cell>")
    };
    let cut = |cells: &str| read(&ods(cells), None).unwrap().document.cut_short;
    for within in
        [fee.repeat(200), repeated(200, "<x:p>40</x:p>"), fee.to_owned() + &repeated(16_383, "")]
    {
        assert_eq!(cut(&within), None);
    }
    for beyond in
        [fee.repeat(201), repeated(201, "<x:p>40</x:p>"), fee.to_owned() + &repeated(199, "") + fee]
    {
        assert!(cut(&beyond).is_some_and(|why| why.contains("columns")));
    }
}

#[test]
fn a_heading_across_a_table_cuts_nothing_and_a_cell_goes_on_in_all_its_rows() {
    let rows: String = (1..=150)
        .map(|fee| {
            format!("<tr>{}<td>{fee} crowns", if fee == 1 { "<td rowspan=150>Hall" } else { "" })
        })
        .collect();
    let page = format!(
        "<h1>Fees</h1><p>These are the fees of the halls of the harbour, one by one.</p>\
         <table><tr><th>Room<th>Fee{rows}<tr><td colspan=1000>The council sets them.</table>"
    );
    let document = read(page.as_bytes(), Some("text/html")).unwrap().document;
    assert_eq!(document.cut_short, None);
    assert!(document.text.contains("Room: Hall · Fee: 150 crowns"), "{}", document.text);
}

#[test]
fn a_table_that_lays_out_a_page_or_is_hidden_is_not_said_to_be_cut() {
    let rows = "<tr><td>40<td>50".repeat(6_000);
    for page in [
        format!("<p>The fees.</p><table hidden>{rows}</table>"),
        format!("<table><tr><td><table>{}</table>{rows}</table>", "<tr><td>The fees.<td>40"),
    ] {
        assert_eq!(read(page.as_bytes(), Some("text/html")).unwrap().document.cut_short, None);
    }
}
