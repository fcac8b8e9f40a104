//! The numbers of each piece to mean 0 and deviation 1, then scaled and shifted.

use fearless_simd::{Level, Simd, dispatch};

use crate::weights::{Norm, WIDTH};

const EPSILON: f32 = 1e-12;
/// Sums side by side, so that the compiler may use wide registers.
const LANES: usize = 16;

/// Adds a change to the state and normalises it.
pub(super) fn add_and_normalise(level: Level, state: &mut [f32], change: &[f32], norm: &Norm) {
    dispatch!(level, simd => {
        add(simd, state, change);
        rows(simd, state, norm)
    });
}

/// Normalises the state.
pub(super) fn normalise(level: Level, state: &mut [f32], norm: &Norm) {
    dispatch!(level, simd => rows(simd, state, norm));
}

#[inline(always)]
fn add<S: Simd>(_: S, state: &mut [f32], change: &[f32]) {
    for (state, change) in state.iter_mut().zip(change) {
        *state += change;
    }
}

#[inline(always)]
fn rows<S: Simd>(_: S, state: &mut [f32], norm: &Norm) {
    for row in state.as_chunks_mut::<WIDTH>().0 {
        let mean = sum(row, |x| x) / WIDTH as f32;
        let variance = sum(row, |x| (x - mean) * (x - mean)) / WIDTH as f32;
        let factor = 1.0 / (variance + EPSILON).sqrt();
        for ((x, weight), bias) in row.iter_mut().zip(&norm.weight).zip(&norm.bias) {
            *x = (*x - mean) * factor * weight + bias;
        }
    }
}

#[inline(always)]
fn sum(row: &[f32; WIDTH], of: impl Fn(f32) -> f32) -> f32 {
    let mut sums = [0.0; LANES];
    for chunk in row.as_chunks::<LANES>().0 {
        for (sum, x) in sums.iter_mut().zip(chunk) {
            *sum += of(*x);
        }
    }
    sums.iter().sum()
}
