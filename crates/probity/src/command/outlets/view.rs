//! Events of the ledger as lines for people.

use probity_core::printable;
use probity_credibility::ledger::EventRecord;

use crate::app::App;

/// What an event did and why, in a few words.
pub(crate) fn reason(record: &EventRecord) -> String {
    let mut parts = Vec::new();
    let codes: Vec<&str> = record.codes.iter().map(|used| used.code.as_str()).collect();
    match (record.reverts, &record.provenance) {
        (Some(undone), _) => parts.push(format!("undoes event {undone}")),
        (None, Some(label)) => parts.push(format!("from {}", printable::brief(label, 40))),
        (None, None) if codes.is_empty() => parts.push("by hand".to_owned()),
        (None, None) => parts.push(codes.join(" + ")),
    }
    if let Some(note) = &record.note {
        parts.push(format!("“{}”", printable::brief(note, 60)));
    }
    if let Some(reference) = &record.subject.reference {
        parts.push(printable::brief(reference, 60));
    }
    parts.join(" · ")
}

/// One event as a line of a table, cut to the width of the terminal.
pub(crate) fn event_line(record: &EventRecord, app: &App) -> String {
    let line = format!(
        "{:>6}  {}  {:<6}  {:.3} → {:.3}  {}: {}",
        record.seq,
        record.at.date(),
        record.kind.as_str(),
        record.before,
        record.after,
        printable::brief(&record.by, 30),
        reason(record),
    );
    printable::brief(&line, app.style.width().max(60))
}
