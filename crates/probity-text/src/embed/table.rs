//! The table of vectors, read in place from the bytes in the binary: no copy, no decoding.

use super::{DIMENSIONS, PieceId};
use crate::tensors::{NumberType, Tensors};

/// A quantised table: a row of signed bytes for each piece, and a scale for each row.
#[derive(Default)]
pub(super) struct Table {
    rows: &'static [[u8; DIMENSIONS]],
    scales: &'static [[u8; 4]],
}

impl Table {
    /// Reads a `safetensors` file with an int8 tensor `embeddings` and an f32 tensor `weights`.
    /// None when it is not one, or its shapes do not fit together.
    pub(super) fn read(bytes: &'static [u8]) -> Option<Self> {
        let tensors = Tensors::read(bytes).ok()?;
        let count = tensors.rows("embeddings")?;
        let rows = tensors.place("embeddings", NumberType::I8, &[count, DIMENSIONS]).ok()?;
        let scales = tensors.place("weights", NumberType::F32, &[count]).ok()?;
        let (rows, _) = bytes.get(rows)?.as_chunks::<DIMENSIONS>();
        let (scales, _) = bytes.get(scales)?.as_chunks::<4>();
        Some(Self { rows, scales })
    }

    /// How many rows there are.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Adds the vector of a piece to a sum.
    pub(super) fn add(&self, id: PieceId, sum: &mut [f32; DIMENSIONS]) {
        let Some((row, scale)) = self.row(id) else {
            return;
        };
        for (sum, byte) in sum.iter_mut().zip(row) {
            *sum += f32::from(byte.cast_signed()) * scale;
        }
    }

    fn row(&self, id: PieceId) -> Option<(&'static [u8; DIMENSIONS], f32)> {
        let at = usize::try_from(id).ok()?;
        Some((self.rows.get(at)?, f32::from_le_bytes(*self.scales.get(at)?)))
    }
}
