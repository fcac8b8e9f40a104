//! What a limit keeps from being read is told.

use super::formats::read;

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
    let cases: [(&str, &str, String, String); 5] = [
        ("text/html", "rows", html(row(2).repeat(5_000)), html(row(2).repeat(5_001))),
        ("text/html", "columns", html(row(100).repeat(2)), html(row(101).repeat(2))),
        ("text/csv", "columns", "a,".repeat(199) + "b", "a,".repeat(200) + "b"),
        ("message/rfc822", "attachments", mail(100), mail(101)),
        ("application/rtf", "deeper", nested(100), nested(300)),
    ];
    for (kind, told, within, beyond) in cases {
        assert_eq!(read(within.as_bytes(), Some(kind)).unwrap().cut_short, None, "{kind} {told}");
        let cut = read(beyond.as_bytes(), Some(kind)).unwrap().cut_short.unwrap_or_default();
        assert!(cut.contains(told), "{kind} {told}: {cut:?}");
    }
}

#[test]
fn a_table_that_lays_out_a_page_or_is_hidden_is_not_said_to_be_cut() {
    let rows = "<tr><td>40<td>50".repeat(6_000);
    for page in [
        format!("<p>The fees.</p><table hidden>{rows}</table>"),
        format!("<table><tr><td><table>{}</table>{rows}</table>", "<tr><td>The fees.<td>40"),
    ] {
        assert_eq!(read(page.as_bytes(), Some("text/html")).unwrap().cut_short, None);
    }
}
