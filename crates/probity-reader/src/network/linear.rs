//! Matrices of signed bytes times inputs of sixteen bits.
//!
//! Every input is scaled by its largest number and rounded to whole numbers, so that the sums are
//! exact and the same on every processor. Eight bits would do for the weights, not for the inputs:
//! logits would move by a tenth and more.

use fearless_simd::{Level, Simd, dispatch};

use super::exponential::ROUNDS;
use super::tile::{Columns, INPUTS, ROWS, Sums, packed, tile};

/// The largest weight, as a whole number.
const WEIGHT: i32 = 128;

/// Inputs as whole numbers, with a scale for each.
#[derive(Default)]
pub(crate) struct Quantised {
    /// Two numbers each; rows of zeros at the end fill the last tile.
    pairs: Vec<i32>,
    scales: Vec<f32>,
    /// How many pairs an input has.
    width: usize,
}

impl Quantised {
    /// Takes inputs of `width` numbers each.
    pub(crate) fn take(&mut self, level: Level, inputs: &[f32], width: usize) {
        let count = inputs.len() / width.max(1);
        self.width = width / 2;
        self.scales.resize(count, 0.0);
        self.pairs.resize(count.next_multiple_of(INPUTS) * self.width, 0);
        self.pairs.get_mut(count * self.width..).unwrap_or_default().fill(0);
        dispatch!(level, simd => self.round(simd, inputs, width));
    }

    #[inline(always)]
    fn round<S: Simd>(&mut self, _: S, inputs: &[f32], width: usize) {
        // So many steps that a sum of `width` products cannot pass the range of its type.
        let sums = i32::MAX / (WEIGHT * i32::try_from(width).unwrap_or(1));
        let steps = f32::from(i16::try_from(sums).unwrap_or(i16::MAX));
        let inputs = inputs.chunks_exact(width).zip(&mut self.scales);
        for ((input, scale), pairs) in inputs.zip(self.pairs.chunks_exact_mut(self.width)) {
            // Positive numbers are in the order of their bits, which are faster to compare.
            let most = input.iter().fold(0, |most, x| most.max(x.to_bits() & 0x7fff_ffff));
            let most = f32::from_bits(most);
            let factor = if most > 0.0 { steps / most } else { 0.0 };
            *scale = most / steps;
            for (pair, [low, high]) in pairs.iter_mut().zip(input.as_chunks::<2>().0) {
                let [low, high] =
                    [low, high].map(|x| (x * factor + ROUNDS).to_bits().cast_signed() as i16);
                *pair = packed(low, high);
            }
        }
    }
}

/// A matrix with a scale and a bias for each row.
pub(crate) struct Matrix {
    /// Panels of [`ROWS`] rows, two columns at a time.
    panels: Vec<Columns>,
    /// How many pairs of columns there are.
    width: usize,
    scales: Vec<f32>,
    bias: Vec<f32>,
}

impl Matrix {
    /// Takes rows of `columns` signed bytes, one part after the other. All of them together are a
    /// multiple of [`ROWS`].
    pub(crate) fn pack(parts: &[&[u8]], columns: usize, scales: Vec<f32>, bias: Vec<f32>) -> Self {
        let width = columns / 2;
        let rows: Vec<&[[u8; 2]]> = parts
            .iter()
            .flat_map(|part| part.chunks_exact(columns))
            .map(|row| row.as_chunks::<2>().0)
            .collect();
        let mut panels: Vec<Columns> = vec![Columns::default(); rows.len() / ROWS * width];
        for (rows, panel) in rows.chunks_exact(ROWS).zip(panels.chunks_exact_mut(width)) {
            for (at, columns) in panel.iter_mut().enumerate() {
                let bytes = columns.as_flattened_mut().as_chunks_mut::<2>().0;
                for (out, row) in bytes.iter_mut().zip(rows) {
                    *out = row.get(at).copied().unwrap_or_default().map(u8::cast_signed);
                }
            }
        }
        Self { panels, width, scales, bias }
    }

    /// The outputs for some inputs.
    pub(crate) fn apply(&self, level: Level, inputs: &Quantised, outputs: &mut Vec<f32>) {
        outputs.resize(inputs.scales.len() * self.scales.len(), 0.0);
        dispatch!(level, simd => self.fill(simd, inputs, outputs));
    }

    #[inline(always)]
    fn fill<S: Simd>(&self, simd: S, inputs: &Quantised, outputs: &mut [f32]) {
        let rows = self.scales.len();
        let mut sums: Sums = [[0; ROWS]; INPUTS];
        let (scales, bias) = (self.scales.as_chunks::<ROWS>().0, self.bias.as_chunks::<ROWS>().0);
        let panels = self.panels.chunks_exact(self.width).zip(scales.iter().zip(bias));
        for (at, (panel, (scales, bias))) in panels.enumerate() {
            let tiles = inputs.pairs.chunks_exact(INPUTS * inputs.width);
            let tiles = tiles.zip(inputs.scales.chunks(INPUTS));
            for ((pairs, input_scales), outputs) in tiles.zip(outputs.chunks_mut(INPUTS * rows)) {
                tile(simd, panel, pairs, &mut sums);
                let outputs = outputs.chunks_exact_mut(rows).zip(&sums).zip(input_scales);
                for ((output, sums), input_scale) in outputs {
                    let Some(output) = output.as_chunks_mut::<ROWS>().0.get_mut(at) else { return };
                    let numbers = output.iter_mut().zip(sums).zip(scales.iter().zip(bias));
                    for ((output, sum), (scale, bias)) in numbers {
                        *output = *sum as f32 * (input_scale * scale) + bias;
                    }
                }
            }
        }
    }
}
