//! The same pieces, marks and logits as the definition of the reader.
//!
//! `tests/data/parity.json` holds short pairs of every kind, `parity-long.json` heaps of words that
//! are cut off, unknown, in other scripts or alike.

use fearless_simd::{Level, Simd};
use serde::Deserialize;

use crate::Reader;
use crate::encode::{First, encode};
use crate::network::{Scratch, Wanted, read_at};

const TOLERANCE: f64 = 1e-2;

#[derive(Deserialize)]
struct Row {
    kind: String,
    first: String,
    text: String,
    ids: Vec<u32>,
    sides: Vec<usize>,
    marks: Vec<u8>,
    qa: Vec<f64>,
    nli: Vec<f64>,
    start: Vec<f64>,
    end: Vec<f64>,
}

fn agree(what: &str, row: &Row, ours: &[f32], theirs: &[f64]) {
    assert_eq!(ours.len(), theirs.len());
    for (ours, theirs) in ours.iter().zip(theirs) {
        let off = (f64::from(*ours) - theirs).abs();
        assert!(off <= TOLERANCE, "{what} of {:?} is off by {off}", row.text);
    }
}

/// What processors before this one could do.
fn older() -> Vec<Level> {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    {
        let best = Level::new();
        let avx2 = best.as_avx2().map(|avx2| avx2.level());
        avx2.into_iter().chain(best.as_sse4_2().map(|sse| sse.level())).collect()
    }
    #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
    Vec::new()
}

fn rows(json: &str) -> Vec<Row> {
    serde_json::from_str(json).unwrap()
}

fn check(row: &Row, level: Level, scratch: &mut Scratch) {
    let weights = &Reader::embedded().unwrap().weights;
    let kind = if row.kind == "claim" { First::Claim } else { First::Question };
    let pair = encode(kind, &row.first, "", &row.text);
    assert_eq!(pair.ids, row.ids);
    assert_eq!(pair.marks, row.marks, "{} / {}", row.first, row.text);
    assert_eq!((0..pair.ids.len()).map(|at| pair.side(at)).collect::<Vec<_>>(), row.sides);
    let reading = read_at(level, weights, &pair, Wanted::Spans, scratch);
    agree("answerable or topic", row, &reading.qa, &row.qa);
    agree("support", row, &reading.nli, &row.nli);
    agree("a start", row, &reading.start, &row.start);
    agree("an end", row, &reading.end, &row.end);
    let alone = read_at(level, weights, &pair, Wanted::Pair, scratch);
    assert_eq!(alone.nli, reading.nli);
}

#[test]
fn every_pair_reads_as_the_definition_says() {
    let short = rows(include_str!("../tests/data/parity.json"));
    let long = rows(include_str!("../tests/data/parity-long.json"));
    assert_eq!((short.len(), long.len()), (18, 8));
    let mut scratch = Scratch::default();
    short.iter().chain(&long).for_each(|row| check(row, Level::new(), &mut scratch));
}

#[test]
fn older_processors_read_the_same() {
    let mut scratch = Scratch::default();
    for level in older() {
        // Few pairs, since they take their time.
        for row in rows(include_str!("../tests/data/parity.json")).iter().step_by(5) {
            check(row, level, &mut scratch);
        }
    }
}
