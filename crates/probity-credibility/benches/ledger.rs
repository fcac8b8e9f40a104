//! How long it takes to prove a log of a hundred thousand events.

#![allow(clippy::expect_used, reason = "a benchmark stops at the first surprise")]

use std::collections::HashMap;

use probity_core::{Outlet, Timestamp};
use probity_credibility::ledger::{
    Alpha, Code, CodeName, Codebook, Coding, CodingRequest, Credibility, EventRecord, Head,
    OutletRow, Signature, Standing, Subject, Verifier, Weight, apply, seeds,
};

const EVENTS: usize = 100_000;

fn main() {
    divan::main();
}

/// Appends one event.
#[divan::bench]
fn nudge(bencher: divan::Bencher<'_, '_>) {
    let (coding, standing, head) =
        (coding("reuters.com"), standing("reuters.com"), Head::genesis());
    bencher.bench(|| apply(&coding, &standing, &head, Timestamp(1_700_000_000_000)));
}

/// Proves a whole log: hashes, chain, replay and rows.
#[divan::bench(sample_count = 10)]
fn verify_100k_events(bencher: divan::Bencher<'_, '_>) {
    let (log, head, rows) = log();
    bencher.counter(divan::counter::ItemsCount::new(EVENTS)).bench(|| {
        let mut verifier = Verifier::new();
        for record in &log {
            verifier.event(record).expect("an honest log");
        }
        verifier.finish(&head, rows.iter().cloned()).expect("an honest log")
    });
}

fn log() -> (Vec<EventRecord>, Head, Vec<OutletRow>) {
    let mut rows: Vec<OutletRow> = seeds()
        .iter()
        .map(|seed| OutletRow {
            domain: seed.domain.to_owned(),
            name: Some(seed.name.to_owned()),
            score: seed.score.get(),
            seeded: Some(seed.score.get()),
            last_event: None,
        })
        .collect();
    let codings: HashMap<String, Coding> =
        rows.iter().map(|row| (row.domain.clone(), coding(&row.domain))).collect();
    let mut head = Head::genesis();
    let mut log = Vec::with_capacity(EVENTS);
    for turn in 0..EVENTS {
        let count = rows.len();
        let row = rows.get_mut(turn % count).expect("a seeded outlet");
        let mut standing = standing(&row.domain);
        standing.score = Credibility::new(row.score).expect("in range");
        let coding = codings.get(&row.domain).expect("a coding for each");
        let event = apply(coding, &standing, &head, Timestamp(1_700_000_000_000));
        head = event.head();
        row.score = event.record().after;
        row.last_event = Some(head.seq);
        log.push(event.into_record());
    }
    (log, head, rows)
}

fn standing(domain: &str) -> Standing {
    let outlet = Outlet::new(domain).expect("a domain");
    let seed = seeds().iter().find(|seed| seed.domain == domain).expect("a seed");
    Standing { outlet, score: seed.score, name: None, known: true }
}

fn coding(domain: &str) -> Coding {
    let name = CodeName::new("source-unreliable").expect("a name");
    let code = Code {
        name: name.clone(),
        weight: Weight::new(-1).expect("a weight"),
        description: String::new(),
        retired: false,
        revision: 1,
    };
    let request = CodingRequest {
        outlet: Outlet::new(domain).expect("a domain"),
        subject: Subject::outlet(),
        codes: vec![name],
        alpha: Alpha::new(0.001).expect("in range"),
        signature: Signature::new("Ada Example", Some("headline not supported by the text"))
            .expect("plain words"),
    };
    Coding::weigh(request, &Codebook::new([code])).expect("a known code")
}
