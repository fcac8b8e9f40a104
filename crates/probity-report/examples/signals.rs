//! Labelled claims → what the citation check measures about each, as lines of JSON, to fit its weights on.
//!
//! `cargo run -p probity-report --example signals -- FILE.jsonl… > signals.jsonl`, then `scripts/fit-citations signals.jsonl`.
#![allow(clippy::print_stdout, reason = "the rows are what one runs this for")]

use std::error::Error;

use probity_report::check::{SourceIndex, Support};
use serde::{Deserialize, Serialize};

/// A source with claims about it.
#[derive(Deserialize)]
struct Labelled {
    id: String,
    source: String,
    claims: Vec<(Support, String, String)>,
}

/// One claim with what was measured.
#[derive(Serialize)]
struct Row<'a> {
    id: &'a str,
    label: Support,
    kind: &'a str,
    claim: &'a str,
    support: Support,
    value: f64,
    reasons: Vec<String>,
    passage: Option<String>,
    signals: Vec<(&'static str, f32)>,
}

fn main() -> Result<(), Box<dyn Error>> {
    for path in std::env::args().skip(1) {
        for line in std::fs::read_to_string(&path)?.lines() {
            let labelled: Labelled = serde_json::from_str(line)?;
            let source = SourceIndex::new(&labelled.source);
            for (label, kind, claim) in &labelled.claims {
                let check = source.check(claim);
                let row = Row {
                    id: &labelled.id,
                    label: *label,
                    kind,
                    claim,
                    support: check.support,
                    value: check.value,
                    reasons: check.reasons,
                    passage: check.passage.map(|passage| passage.text),
                    signals: source.signals(claim),
                };
                println!("{}", serde_json::to_string(&row)?);
            }
        }
    }
    Ok(())
}
