//! A source as bibliographies see it: a key, a title, a publisher, days; all untrusted text cleaned.

use std::collections::BTreeSet;

use jiff::civil::Date;
use probity_core::{Candidate, printable};

use crate::assemble::CheckedReport;

/// The longest title that is written, in characters.
const TITLE_CHARS: usize = 2_000;
/// The longest name part of a key, in characters.
const NAME_CHARS: usize = 20;

/// A source as bibliographies see it.
pub(crate) struct Reference<'a> {
    /// Letters, digits and dashes; the same page has the same key in every report.
    pub(crate) key: String,
    pub(crate) title: String,
    pub(crate) publisher: &'a str,
    pub(crate) url: String,
    pub(crate) published: Option<Date>,
    pub(crate) accessed: Date,
    pub(crate) note: String,
}

/// The listed sources of a report.
pub(crate) fn references(report: &CheckedReport) -> Vec<Reference<'_>> {
    let mut taken = BTreeSet::new();
    let accessed = report.facts().asked_at.date();
    let mut fresh = |n: usize, source: &Candidate| {
        let key = key(source);
        // Two addresses with one hash are as good as never seen; then the number distinguishes
        // them.
        let key = if taken.contains(&key) { format!("{key}-{n}") } else { key };
        taken.insert(key.clone());
        key
    };
    report
        .sources()
        .map(|(n, source)| Reference {
            key: fresh(n, source),
            title: title(source),
            publisher: publisher(source),
            url: url(source.url.as_str()),
            published: source.published,
            accessed,
            note: note(source),
        })
        .collect()
}

/// Whose page a source is: its outlet, or its host where none is known.
pub(crate) fn publisher(source: &Candidate) -> &str {
    source.outlet.as_ref().map_or(source.url.host(), |outlet| outlet.as_str())
}

fn title(source: &Candidate) -> String {
    let line = printable::line(&source.title);
    let folded = line.split_whitespace().collect::<Vec<_>>().join(" ");
    match folded.is_empty() {
        true => source.url.host().to_owned(),
        false => printable::brief(&folded, TITLE_CHARS),
    }
}

fn note(source: &Candidate) -> String {
    let credibility = format!("Credibility {:.2}", source.credibility.total);
    match &source.relevance {
        Some(relevance) => format!("{credibility}, relevance {}/5", relevance.score),
        None => credibility,
    }
}

/// An address without the few characters that addresses may hold and file formats trip over.
fn url(address: &str) -> String {
    let mut safe = String::with_capacity(address.len());
    for c in address.chars() {
        match c {
            '{' | '}' | '\\' | '"' | '<' | '>' | '^' | '`' | '|' => {
                safe.push_str(&format!("%{:02X}", u32::from(c)));
            }
            c if c.is_control() || c.is_whitespace() => {}
            c => safe.push(c),
        }
    }
    safe
}

fn key(source: &Candidate) -> String {
    let host = publisher(source);
    let name: String = host
        .split('.')
        .next()
        .unwrap_or_default()
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .take(NAME_CHARS)
        .collect();
    let name = if name.is_empty() { "source".to_owned() } else { name };
    let year = source.published.map_or(String::new(), |date| date.year().to_string());
    format!("{name}{year}-{:06x}", hash(source.url.as_str()) & 0xff_ffff)
}

/// FNV-1a: short, and the same on every machine for all time.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
