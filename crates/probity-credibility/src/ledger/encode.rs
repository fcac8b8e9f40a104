//! The bytes that are hashed: one encoding that a third party can rebuild with few lines of code.
//!
//! A header line, then one line per field in a fixed order: the field's name, a space, the length
//! of its value in bytes, a space, the value, a line feed. An absent field is its name, a space
//! and `-`. Lengths make the encoding unambiguous whatever the values hold. Whole numbers are
//! written in decimal, scores as the 16 hexadecimal digits of their IEEE 754 bits, so that no
//! rounding or number format can come between two readers. `docs/ledger.md` tells users the same.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

use super::{EventRecord, Seed, WeighedCode};

const EVENT_HEADER: &str = "probity ledger event v1\n";
const SEEDS_HEADER: &str = "probity ledger seeds v1\n";

/// The hash of an event's fields, its place and the hash before it; not of its own `hash` field.
pub(super) fn event_hash(record: &EventRecord) -> String {
    hex_digest(&event_text(record))
}

/// The hash of the seed table, which the first event carries as the hash before it.
pub(super) fn seeds_hash<'a>(seeds: impl IntoIterator<Item = (&'a str, &'a str, f64)>) -> String {
    let mut text = String::from(SEEDS_HEADER);
    for (domain, name, score) in seeds {
        field(&mut text, "domain", Some(domain));
        field(&mut text, "name", Some(name));
        field(&mut text, "score", Some(&bits(score)));
    }
    hex_digest(&text)
}

/// The seeds by domain, as they are hashed.
pub(super) fn in_order(seeds: &[Seed]) -> Vec<(&str, &str, f64)> {
    let mut rows: Vec<_> =
        seeds.iter().map(|seed| (seed.domain, seed.name, seed.score.get())).collect();
    rows.sort_by_key(|(domain, _, _)| *domain);
    rows
}

/// The text whose SHA-256 is the event's hash.
pub(super) fn event_text(record: &EventRecord) -> String {
    let mut text = String::with_capacity(768);
    text.push_str(EVENT_HEADER);
    let codes = WeighedCode::to_text(&record.codes);
    let number = |value: i64| value.to_string();
    field(&mut text, "seq", Some(&number(record.seq)));
    field(&mut text, "previous", Some(&record.previous));
    field(&mut text, "at", Some(&number(record.at.0)));
    field(&mut text, "kind", Some(record.kind.as_str()));
    field(&mut text, "outlet", Some(record.outlet.as_str()));
    field(&mut text, "name", record.name.as_deref());
    field(&mut text, "before", Some(&bits(record.before)));
    field(&mut text, "after", Some(&bits(record.after)));
    field(&mut text, "alpha", record.alpha.map(bits).as_deref());
    field(&mut text, "target", record.target.map(bits).as_deref());
    field(&mut text, "codes", Some(codes.as_str()).filter(|codes| !codes.is_empty()));
    field(&mut text, "subject", Some(record.subject.kind.as_str()));
    field(&mut text, "reference", record.subject.reference.as_deref());
    field(&mut text, "by", Some(&record.by));
    field(&mut text, "note", record.note.as_deref());
    field(&mut text, "provenance", record.provenance.as_deref());
    field(&mut text, "reverts", record.reverts.map(number).as_deref());
    text
}

fn field(text: &mut String, name: &str, value: Option<&str>) {
    // Writing to a String cannot fail.
    let _ = match value {
        Some(value) => writeln!(text, "{name} {} {value}", value.len()),
        None => writeln!(text, "{name} -"),
    };
}

fn bits(value: f64) -> String {
    format!("{:016x}", value.to_bits())
}

fn hex_digest(text: &str) -> String {
    probity_core::hex(Sha256::digest(text.as_bytes()).iter())
}

#[cfg(test)]
mod tests {
    use probity_core::{Outlet, Timestamp, WebUrl};

    use super::*;
    use crate::ledger::{
        Alpha, Code, CodeName, Codebook, Coding, CodingRequest, Head, Signature, Standing, Subject,
        Weight, apply, genesis, seeds,
    };

    /// What users are shown, and what others check our logs by: it must never change.
    const PAGE: &str = include_str!("../../../../docs/ledger.md");

    #[test]
    fn the_documented_example_is_what_is_hashed() {
        let name = CodeName::new("source-unreliable").unwrap();
        let code = Code {
            name: name.clone(),
            weight: Weight::new(-1).unwrap(),
            description: String::new(),
            retired: false,
            revision: 1,
        };
        let url = WebUrl::parse("https://www.reuters.com/world/1").unwrap();
        let outlet = Outlet::new("reuters.com").unwrap();
        let request = CodingRequest {
            outlet: outlet.clone(),
            subject: Subject::article(&url),
            codes: vec![name],
            alpha: Alpha::DEFAULT,
            signature: Signature::new("Ada", Some("headline ≠ text")).unwrap(),
        };
        let seed = seeds().iter().find(|seed| seed.domain == "reuters.com").unwrap();
        let standing = Standing { outlet, score: seed.score, name: None, known: true };
        let coding = Coding::weigh(request, &Codebook::new([code])).unwrap();
        let event = apply(&coding, &standing, &Head::genesis(), Timestamp(1_772_366_400_123));

        let text = event_text(event.record());
        assert!(PAGE.contains(&format!("```text\n{text}```")), "{text}");
        assert!(PAGE.contains(&format!("Its SHA-256 is `{}`", event.record().hash)));
        assert!(PAGE.contains(genesis()));
    }
}
