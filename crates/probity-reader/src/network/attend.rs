//! Attention: every piece takes from every other as much as its query and the other's key agree.
//!
//! head by head: keys turned on their side → scores of some queries → softmax → weighted values

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, f32x16};

use super::exponential::exponential;
use crate::weights::WIDTH;

/// How many heads attend side by side, and the numbers of each.
const HEADS: usize = 12;
const HEAD: usize = WIDTH / HEADS;
/// How many queries are worked on at once, so that every key is loaded once for all of them.
const QUERIES: usize = 6;
/// How many numbers are worked on at once.
const LANES: usize = 16;

/// Queries, keys and values of one head, and the scores of some queries.
#[derive(Default)]
pub(super) struct Scratch {
    /// Filled up to a multiple of [`QUERIES`].
    queries: Vec<[f32; HEAD]>,
    /// For each number of a key that of all pieces, filled up to a multiple of [`LANES`].
    keys: Vec<[f32; LANES]>,
    values: Vec<[[f32; LANES]; 2]>,
    /// A row for each query.
    scores: Vec<[f32; LANES]>,
}

/// From queries, keys and values of all pieces to what each piece takes.
pub(super) fn attend(
    level: Level,
    qkv: &[f32],
    pieces: usize,
    scratch: &mut Scratch,
    out: &mut Vec<f32>,
) {
    out.clear();
    out.resize(pieces * WIDTH, 0.0);
    for head in 0..HEADS {
        dispatch!(level, simd => one_head(simd, qkv, pieces, head, scratch, out));
    }
}

#[inline(always)]
fn one_head<S: Simd>(
    simd: S,
    qkv: &[f32],
    pieces: usize,
    head: usize,
    scratch: &mut Scratch,
    out: &mut [f32],
) {
    let blocks = pieces.div_ceil(LANES);
    scratch.take(qkv, head, pieces, blocks);
    let Scratch { queries, keys, values, scores } = scratch;
    let queries = queries.as_chunks::<QUERIES>().0;
    for (queries, out) in queries.iter().zip(out.chunks_mut(QUERIES * WIDTH)) {
        score(simd, queries, keys, blocks, scores);
        let mut factors = [0.0; QUERIES];
        for (factor, scores) in factors.iter_mut().zip(scores.chunks_exact_mut(blocks)) {
            *factor = 1.0 / soften(scores.as_flattened_mut(), pieces);
        }
        for half in 0..2 {
            let sums = mix(simd, scores, blocks, values, half);
            let rows = out.chunks_exact_mut(WIDTH).zip(sums).zip(factors);
            for ((out, sums), factor) in rows {
                let at = head * HEAD + half * LANES;
                for (out, sum) in out.get_mut(at..).unwrap_or_default().iter_mut().zip(sums) {
                    *out = sum * factor;
                }
            }
        }
    }
}

impl Scratch {
    #[inline(always)]
    fn take(&mut self, qkv: &[f32], head: usize, pieces: usize, blocks: usize) {
        let factor = 1.0 / (HEAD as f32).sqrt();
        let part = |row: &[f32], which: usize| -> [f32; HEAD] {
            let row = row.as_chunks::<HEAD>().0;
            row.get(which * HEADS + head).copied().unwrap_or([0.0; HEAD])
        };
        self.queries.clear();
        self.values.clear();
        self.keys.resize(HEAD * blocks, [0.0; LANES]);
        self.scores.resize(QUERIES * blocks, [0.0; LANES]);
        // What fills the last block is left from another head: its scores are dropped.
        let keys = self.keys.as_flattened_mut();
        for (at, row) in qkv.chunks_exact(3 * WIDTH).enumerate() {
            self.queries.push(part(row, 0).map(|x| x * factor));
            let columns = keys.chunks_exact_mut(blocks * LANES);
            for (column, number) in columns.zip(part(row, 1)) {
                if let Some(place) = column.get_mut(at) {
                    *place = number;
                }
            }
            let value = part(row, 2);
            let halves = value.as_chunks::<LANES>().0;
            self.values.push(halves.first_chunk().copied().unwrap_or([[0.0; LANES]; 2]));
        }
        self.queries.resize(pieces.next_multiple_of(QUERIES), [0.0; HEAD]);
    }
}

/// The scores of some queries with every key.
#[inline(always)]
fn score<S: Simd>(
    simd: S,
    queries: &[[f32; HEAD]; QUERIES],
    keys: &[[f32; LANES]],
    blocks: usize,
    scores: &mut [[f32; LANES]],
) {
    let [a, b, c, d, e, f] = queries;
    for block in 0..blocks {
        let mut sums = [f32x16::splat(simd, 0.0); QUERIES];
        let numbers = a.iter().zip(b).zip(c).zip(d).zip(e).zip(f);
        let keys = keys.get(block..).unwrap_or_default().iter().step_by(blocks);
        for (keys, (((((a, b), c), d), e), f)) in keys.zip(numbers) {
            let keys = f32x16::from_slice(simd, keys);
            for (sum, number) in sums.iter_mut().zip([a, b, c, d, e, f]) {
                *sum = keys.mul_add(f32x16::splat(simd, *number), *sum);
            }
        }
        let rows = scores.get_mut(block..).unwrap_or_default().iter_mut().step_by(blocks);
        for (row, sum) in rows.zip(sums) {
            sum.store_slice(row);
        }
    }
}

/// Turns scores into weights and gives their sum; what lies behind the last piece weighs nothing.
#[inline(always)]
fn soften(scores: &mut [f32], pieces: usize) -> f32 {
    let (scores, behind) = scores.split_at_mut_checked(pieces).unwrap_or_default();
    behind.fill(0.0);
    let mut most = [f32::MIN; LANES];
    let (chunks, rest) = scores.as_chunks::<LANES>();
    for chunk in chunks.iter().map(|chunk| &chunk[..]).chain([rest]) {
        for (most, score) in most.iter_mut().zip(chunk) {
            *most = if *score > *most { *score } else { *most };
        }
    }
    let most = most.iter().copied().fold(f32::MIN, f32::max);
    for score in scores.iter_mut() {
        *score = exponential(*score - most);
    }
    let mut sums = [0.0; LANES];
    let (chunks, rest) = scores.as_chunks::<LANES>();
    for chunk in chunks.iter().map(|chunk| &chunk[..]).chain([rest]) {
        for (sum, weight) in sums.iter_mut().zip(chunk) {
            *sum += weight;
        }
    }
    sums.iter().sum()
}

/// The values of all pieces, weighted for some queries: one half of their numbers.
#[inline(always)]
fn mix<S: Simd>(
    simd: S,
    weights: &[[f32; LANES]],
    blocks: usize,
    values: &[[[f32; LANES]; 2]],
    half: usize,
) -> [[f32; LANES]; QUERIES] {
    let mut rows = [&[][..]; QUERIES];
    for (row, weights) in rows.iter_mut().zip(weights.chunks_exact(blocks)) {
        *row = weights.as_flattened();
    }
    let [a, b, c, d, e, f] = rows;
    let mut sums = [f32x16::splat(simd, 0.0); QUERIES];
    let weights = a.iter().zip(b).zip(c).zip(d).zip(e).zip(f);
    for (value, (((((a, b), c), d), e), f)) in values.iter().zip(weights) {
        let Some(value) = value.get(half) else { continue };
        let value = f32x16::from_slice(simd, value);
        for (sum, weight) in sums.iter_mut().zip([a, b, c, d, e, f]) {
            *sum = value.mul_add(f32x16::splat(simd, *weight), *sum);
        }
    }
    let mut out = [[0.0; LANES]; QUERIES];
    for (out, sum) in out.iter_mut().zip(sums) {
        sum.store_slice(out);
    }
    out
}
