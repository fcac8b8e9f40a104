//! The four ways a score changes. Each computes an event from the outlet's current score; none of
//! them can be appended without going through here.

use probity_core::{Outlet, Timestamp};

use super::{
    Alpha, Coding, Credibility, EventKind, EventRecord, Head, LedgerEvent, Name, Signature,
    Standing, Subject, nudge,
};

/// An outlet's score as a list from elsewhere gives it.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportRow {
    /// The outlet.
    pub outlet: Outlet,
    /// The score the list gives.
    pub score: Credibility,
    /// The name the list gives; none leaves the name as it is.
    pub name: Option<Name>,
}

/// Where a list comes from, and who imports it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provenance {
    /// What the list is: a title, an edition, a file.
    pub label: Name,
    /// Who imports it, and what they say about it.
    pub signature: Signature,
}

/// An event cannot be undone for an outlet that it does not concern.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("event {seq} is about {theirs}, not about {ours}")]
pub struct ForeignEvent {
    /// The event.
    pub seq: i64,
    /// The outlet it concerns.
    pub theirs: Outlet,
    /// The outlet that was asked about.
    pub ours: Outlet,
}

/// Applies a coding: the sum of its weights chooses the target, its alpha the step.
///
/// `standing` must be that of the coding's outlet.
pub fn apply(coding: &Coding, standing: &Standing, head: &Head, at: Timestamp) -> LedgerEvent {
    let request = coding.request();
    let target = coding.target();
    let mut record = draft(EventKind::Nudge, standing, &request.signature, at);
    record.after = nudge(standing.score, request.alpha, target).get();
    record.alpha = Some(request.alpha.get());
    record.target = target.map(super::Target::value);
    record.codes = coding.codes().to_vec();
    record.subject = request.subject.clone();
    LedgerEvent::seal(record, head)
}

/// Sets a score by hand.
pub fn set(
    score: Credibility,
    signature: &Signature,
    standing: &Standing,
    head: &Head,
    at: Timestamp,
) -> LedgerEvent {
    let mut record = draft(EventKind::Set, standing, signature, at);
    record.after = score.get();
    LedgerEvent::seal(record, head)
}

/// A list's rating as it counts for an outlet that has a score: a share of the way there.
pub fn weighed(row: &ImportRow, score: Credibility, weight: Alpha) -> ImportRow {
    let (from, to) = (score.get(), row.score.get());
    let reached = from + weight.get() * (to - from);
    // Rounding never takes it past either end.
    let reached = reached.clamp(from.min(to), from.max(to));
    ImportRow { score: Credibility::new(reached).unwrap_or(score), ..row.clone() }
}

/// Takes a score over from a list; none when the list says what the ledger says already.
pub fn import(
    row: &ImportRow,
    provenance: &Provenance,
    standing: &Standing,
    head: &Head,
    at: Timestamp,
) -> Option<LedgerEvent> {
    let name = row.name.as_ref().filter(|name| standing.name.as_ref() != Some(name));
    if standing.known && row.score == standing.score && name.is_none() {
        return None;
    }
    let mut record = draft(EventKind::Import, standing, &provenance.signature, at);
    record.after = row.score.get();
    record.name = name.map(|name| name.as_str().to_owned());
    record.provenance = Some(provenance.label.as_str().to_owned());
    Some(LedgerEvent::seal(record, head))
}

/// Undoes an event by a new one: the outlet's score becomes what it was just before it, whatever
/// came in between. Names stay as they are.
///
/// # Errors
/// When the event concerns another outlet.
pub fn revert(
    event: &EventRecord,
    signature: &Signature,
    standing: &Standing,
    head: &Head,
    at: Timestamp,
) -> Result<LedgerEvent, ForeignEvent> {
    if event.outlet != standing.outlet {
        return Err(ForeignEvent {
            seq: event.seq,
            theirs: event.outlet.clone(),
            ours: standing.outlet.clone(),
        });
    }
    let mut record = draft(EventKind::Revert, standing, signature, at);
    record.after = event.before;
    record.reverts = Some(event.seq);
    Ok(LedgerEvent::seal(record, head))
}

fn draft(
    kind: EventKind,
    standing: &Standing,
    signature: &Signature,
    at: Timestamp,
) -> EventRecord {
    EventRecord {
        seq: 0,
        at,
        kind,
        outlet: standing.outlet.clone(),
        name: None,
        before: standing.score.get(),
        after: standing.score.get(),
        alpha: None,
        target: None,
        codes: Vec::new(),
        subject: Subject::outlet(),
        by: signature.by.as_str().to_owned(),
        note: signature.note.as_ref().map(|note| note.as_str().to_owned()),
        provenance: None,
        reverts: None,
        previous: String::new(),
        hash: String::new(),
    }
}
