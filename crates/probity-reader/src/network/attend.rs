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

/// Keys and values of one head, and the scores of some queries.
#[derive(Default)]
pub(super) struct Scratch {
    /// Keys of [`LANES`] pieces, number by number.
    keys: Vec<[[f32; LANES]; HEAD]>,
    values: Vec<[f32; HEAD]>,
    /// A row of blocks for each query.
    scores: Vec<[f32; LANES]>,
}

/// From queries, keys and values of all pieces to what the first `wanted` of them take.
pub(super) fn attend(
    level: Level,
    qkv: &[f32],
    wanted: usize,
    scratch: &mut Scratch,
    out: &mut Vec<f32>,
) {
    out.resize(wanted * WIDTH, 0.0);
    for head in 0..HEADS {
        dispatch!(level, simd => one_head(simd, qkv, head, scratch, out));
    }
}

#[inline(always)]
fn one_head<S: Simd>(simd: S, qkv: &[f32], head: usize, scratch: &mut Scratch, out: &mut [f32]) {
    // A piece's queries of all heads, then its keys, then its values.
    let pieces = qkv.as_chunks::<HEAD>().0.as_chunks::<{ 3 * HEADS }>().0;
    scratch.take(pieces, head);
    let Scratch { keys, values, scores } = scratch;
    for (pieces, out) in pieces.chunks(QUERIES).zip(out.chunks_mut(QUERIES * WIDTH)) {
        let mut queries = [&[0.0; HEAD]; QUERIES];
        for (query, piece) in queries.iter_mut().zip(pieces) {
            *query = piece.get(head).unwrap_or(query);
        }
        score(simd, queries, keys, scores);
        let mut factors = [0.0; QUERIES];
        for (factor, scores) in factors.iter_mut().zip(scores.chunks_exact_mut(keys.len())) {
            *factor = 1.0 / soften(simd, scores, values.len());
        }
        for half in 0..HEAD / LANES {
            let sums = mix(simd, scores, keys.len(), values, half);
            for ((out, sum), factor) in out.chunks_exact_mut(WIDTH).zip(sums).zip(factors) {
                let at = head * (HEAD / LANES) + half;
                if let Some(out) = out.as_chunks_mut::<LANES>().0.get_mut(at) {
                    (sum * factor).store_array(out);
                }
            }
        }
    }
}

impl Scratch {
    #[inline(always)]
    fn take(&mut self, pieces: &[[[f32; HEAD]; 3 * HEADS]], head: usize) {
        let blocks = pieces.len().div_ceil(LANES);
        self.scores.resize(QUERIES * blocks, [0.0; LANES]);
        self.values.clear();
        self.values.extend(pieces.iter().filter_map(|piece| piece.get(2 * HEADS + head)));
        // What fills the last block may be left from another head: its scores are dropped.
        self.keys.resize(blocks, [[0.0; LANES]; HEAD]);
        for (block, pieces) in self.keys.iter_mut().zip(pieces.chunks(LANES)) {
            for (lane, key) in pieces.iter().filter_map(|piece| piece.get(HEADS + head)).enumerate()
            {
                for (numbers, number) in block.iter_mut().zip(key) {
                    if let Some(place) = numbers.get_mut(lane) {
                        *place = *number;
                    }
                }
            }
        }
    }
}

/// The scores of some queries with every key.
#[inline(always)]
fn score<S: Simd>(
    simd: S,
    queries: [&[f32; HEAD]; QUERIES],
    keys: &[[[f32; LANES]; HEAD]],
    scores: &mut [[f32; LANES]],
) {
    let [a, b, c, d, e, f] = queries;
    for (block, keys_of_block) in keys.iter().enumerate() {
        let mut sums = [f32x16::splat(simd, 0.0); QUERIES];
        let numbers = a.iter().zip(b).zip(c).zip(d).zip(e).zip(f);
        for (keys, (((((a, b), c), d), e), f)) in keys_of_block.iter().zip(numbers) {
            let keys = f32x16::load_array_ref(simd, keys);
            for (sum, number) in sums.iter_mut().zip([a, b, c, d, e, f]) {
                *sum = keys.mul_add(*number, *sum);
            }
        }
        for (row, sum) in scores.chunks_exact_mut(keys.len()).zip(sums) {
            if let Some(out) = row.get_mut(block) {
                sum.store_array(out);
            }
        }
    }
}

/// Turns the scores of a query into weights and gives their sum; what lies behind the last piece
/// weighs nothing.
#[inline(always)]
fn soften<S: Simd>(simd: S, scores: &mut [[f32; LANES]], pieces: usize) -> f32 {
    let factor = 1.0 / (HEAD as f32).sqrt();
    scores.as_flattened_mut().get_mut(pieces..).unwrap_or_default().fill(f32::MIN);
    let mut most = f32x16::splat(simd, f32::MIN);
    for block in scores.iter() {
        most = most.max(f32x16::load_array_ref(simd, block));
    }
    let most = f32x16::splat(simd, most.reduce_max());
    let mut sum = f32x16::splat(simd, 0.0);
    for block in scores.iter_mut() {
        let weights = exponential((f32x16::load_array_ref(simd, block) - most) * factor);
        sum += weights;
        weights.store_array(block);
    }
    sum.reduce_sum()
}

/// The values of all pieces, weighted for some queries: one half of their numbers.
#[inline(always)]
fn mix<S: Simd>(
    simd: S,
    weights: &[[f32; LANES]],
    blocks: usize,
    values: &[[f32; HEAD]],
    half: usize,
) -> [f32x16<S>; QUERIES] {
    let mut rows = [&[][..]; QUERIES];
    for (row, weights) in rows.iter_mut().zip(weights.chunks_exact(blocks)) {
        *row = weights.as_flattened();
    }
    let [a, b, c, d, e, f] = rows;
    let mut sums = [f32x16::splat(simd, 0.0); QUERIES];
    let weights = a.iter().zip(b).zip(c).zip(d).zip(e).zip(f);
    for (value, (((((a, b), c), d), e), f)) in values.iter().zip(weights) {
        let Some(value) = value.as_chunks::<LANES>().0.get(half) else { continue };
        let value = f32x16::load_array_ref(simd, value);
        for (sum, weight) in sums.iter_mut().zip([a, b, c, d, e, f]) {
            *sum = value.mul_add(*weight, *sum);
        }
    }
    sums
}
