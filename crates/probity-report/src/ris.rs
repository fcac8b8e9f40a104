//! The sources as RIS, one tag a line: what a title says cannot begin a line, so it cannot be a tag.

use std::fmt::Write as _;

use crate::assemble::CheckedReport;
use crate::reference::{Reference, references};

/// Renders the sources of a report. Lines end in CR LF, as the format asks.
pub fn ris(report: &CheckedReport) -> String {
    references(report).iter().map(entry).collect::<Vec<_>>().join("\r\n")
}

fn entry(reference: &Reference<'_>) -> String {
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let _ = write!(text, "{name}  - {value}\r\n");
    };
    tag("TY", "ELEC");
    tag("ID", &reference.key);
    tag("TI", &reference.title);
    tag("PB", reference.publisher);
    if let Some(date) = reference.published {
        tag("PY", &date.year().to_string());
        tag("DA", &date.strftime("%Y/%m/%d").to_string());
    }
    tag("UR", &reference.url);
    tag("Y2", &reference.accessed.strftime("%Y/%m/%d").to_string());
    tag("N1", &reference.note);
    tag("ER", "");
    text
}
