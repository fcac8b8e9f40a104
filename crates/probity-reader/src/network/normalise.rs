//! The numbers of each piece to mean 0 and deviation 1, then scaled and shifted.

use crate::weights::{Norm, WIDTH};

const EPSILON: f32 = 1e-12;

pub(super) fn normalise(state: &mut [f32], norm: &Norm) {
    for row in state.as_chunks_mut::<WIDTH>().0 {
        let mean = row.iter().sum::<f32>() / WIDTH as f32;
        let variance = row.iter().map(|x| (x - mean) * (x - mean)).sum::<f32>() / WIDTH as f32;
        let factor = 1.0 / (variance + EPSILON).sqrt();
        for ((x, weight), bias) in row.iter_mut().zip(&norm.weight).zip(&norm.bias) {
            *x = (*x - mean) * factor * weight + bias;
        }
    }
}
