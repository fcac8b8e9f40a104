//! Matrices of signed bytes times inputs of sixteen bits.
//!
//! Every input is scaled by its largest number and rounded to whole numbers, so that the sums are
//! exact and the same on every processor.

/// How many rows of a matrix are worked on side by side.
const LANES: usize = 16;
/// The largest weight, as a whole number.
const WEIGHT: i32 = 128;

/// Inputs as whole numbers, with a scale for each.
#[derive(Default)]
pub(crate) struct Quantised {
    values: Vec<i16>,
    scales: Vec<f32>,
    width: usize,
}

impl Quantised {
    /// Takes inputs of `width` numbers each.
    pub(crate) fn take(&mut self, inputs: &[f32], width: usize) {
        // So many steps that a sum of `width` products cannot pass the range of its type.
        let sums = i32::MAX / (WEIGHT * i32::try_from(width).unwrap_or(i32::MAX));
        let steps = f32::from(i16::try_from(sums).unwrap_or(i16::MAX));
        self.width = width;
        self.values.clear();
        self.scales.clear();
        for input in inputs.chunks_exact(width) {
            let most = input.iter().fold(0.0_f32, |most, x| most.max(x.abs()));
            let factor = if most > 0.0 { steps / most } else { 0.0 };
            self.scales.push(most / steps);
            self.values.extend(input.iter().map(|x| (x * factor).round_ties_even() as i16));
        }
    }
}

/// A matrix with a scale and a bias for each row.
pub(crate) struct Matrix {
    /// Blocks of [`LANES`] rows; in a block two columns of each row, then the next two.
    blocks: Vec<[[i8; 2]; LANES]>,
    pairs: usize,
    scales: Vec<f32>,
    bias: Vec<f32>,
}

impl Matrix {
    /// Takes rows of `columns` signed bytes, one part after the other.
    pub(crate) fn pack(parts: &[&[u8]], columns: usize, scales: Vec<f32>, bias: Vec<f32>) -> Self {
        let pairs = columns / 2;
        let mut blocks =
            Vec::with_capacity(parts.iter().map(|part| part.len()).sum::<usize>() / 32);
        let rows: Vec<&[[u8; 2]]> = parts
            .iter()
            .flat_map(|part| part.chunks_exact(columns))
            .map(|row| row.as_chunks::<2>().0)
            .collect();
        for rows in rows.chunks(LANES) {
            let at = blocks.len();
            blocks.resize(at + pairs, [[0; 2]; LANES]);
            let block = blocks.get_mut(at..).unwrap_or_default();
            for (lane, row) in rows.iter().enumerate() {
                for (pair, out) in row.iter().zip(block.iter_mut()) {
                    if let Some(out) = out.get_mut(lane) {
                        *out = pair.map(u8::cast_signed);
                    }
                }
            }
        }
        Self { blocks, pairs, scales, bias }
    }

    /// The outputs for some inputs.
    pub(crate) fn apply(&self, inputs: &Quantised, outputs: &mut Vec<f32>) {
        let rows = self.scales.len();
        outputs.clear();
        outputs.resize(inputs.scales.len() * rows, 0.0);
        let blocks = self.blocks.chunks_exact(self.pairs);
        let lanes = self.scales.chunks(LANES).zip(self.bias.chunks(LANES));
        for (at, (block, (scales, bias))) in blocks.zip(lanes).enumerate() {
            let inputs = inputs.values.chunks_exact(inputs.width).zip(&inputs.scales);
            for ((input, input_scale), output) in inputs.zip(outputs.chunks_exact_mut(rows)) {
                let sums = sums(block, input);
                let output = output.get_mut(at * LANES..).unwrap_or_default().iter_mut();
                for (((output, sum), scale), bias) in output.zip(sums).zip(scales).zip(bias) {
                    *output = sum as f32 * (input_scale * scale) + bias;
                }
            }
        }
    }
}

#[inline]
fn sums(block: &[[[i8; 2]; LANES]], input: &[i16]) -> [i32; LANES] {
    let mut sums = [0_i32; LANES];
    for (weights, input) in block.iter().zip(input.as_chunks::<2>().0) {
        let [x, y] = input.map(i32::from);
        for (sum, [a, b]) in sums.iter_mut().zip(weights) {
            *sum += x * i32::from(*a) + y * i32::from(*b);
        }
    }
    sums
}
