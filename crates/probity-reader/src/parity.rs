//! The same pieces, marks and logits as the definition of the reader, in `tests/data/parity.json`.

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

/// What this processor can do, and what older ones could.
fn levels() -> Vec<Level> {
    let best = Level::new();
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    let older = [best.as_avx2().map(|avx2| avx2.level()), best.as_sse4_2().map(|sse| sse.level())];
    #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
    let older = [None];
    older.into_iter().flatten().chain([best]).collect()
}

#[test]
fn every_pair_reads_as_the_definition_says_on_every_processor() {
    let rows: Vec<Row> = serde_json::from_str(include_str!("../tests/data/parity.json")).unwrap();
    assert_eq!(rows.len(), 18);
    let weights = &Reader::embedded().unwrap().weights;
    let mut scratch = Scratch::default();
    for (row, level) in rows.iter().flat_map(|row| levels().into_iter().map(move |l| (row, l))) {
        let kind = if row.kind == "claim" { First::Claim } else { First::Question };
        let pair = encode(kind, &row.first, "", &row.text);
        assert_eq!(pair.ids, row.ids);
        assert_eq!(pair.marks, row.marks, "{} / {}", row.first, row.text);
        assert_eq!((0..pair.ids.len()).map(|at| pair.side(at)).collect::<Vec<_>>(), row.sides);
        let reading = read_at(level, weights, &pair, Wanted::Spans, &mut scratch);
        agree("answerable or topic", row, &reading.qa, &row.qa);
        agree("support", row, &reading.nli, &row.nli);
        agree("a start", row, &reading.start, &row.start);
        agree("an end", row, &reading.end, &row.end);
        let alone = read_at(level, weights, &pair, Wanted::Pair, &mut scratch);
        assert_eq!(alone.nli, reading.nli);
    }
}
