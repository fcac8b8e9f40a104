//! The table of vectors, read in place from the bytes in the binary: no copy, no decoding.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{DIMENSIONS, PieceId};

/// A quantised table: a row of signed bytes for each piece, and a scale for each row.
#[derive(Default)]
pub(super) struct Table {
    rows: &'static [[u8; DIMENSIONS]],
    scales: &'static [[u8; 4]],
}

#[derive(Deserialize)]
struct Tensor {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: (usize, usize),
}

impl Table {
    /// Reads a `safetensors` file with an int8 tensor `embeddings` and an f32 tensor `weights`.
    /// None when it is not one, or its shapes do not fit together.
    pub(super) fn read(bytes: &'static [u8]) -> Option<Self> {
        let (length, rest) = bytes.split_first_chunk::<8>()?;
        let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
        let (header, data) = rest.split_at_checked(length)?;
        let tensors: BTreeMap<String, Tensor> = serde_json::from_slice(header).ok()?;
        let bytes_of = |name: &str, dtype: &str| {
            let tensor = tensors.get(name).filter(|tensor| tensor.dtype == dtype)?;
            Some((tensor, data.get(tensor.data_offsets.0..tensor.data_offsets.1)?))
        };
        let (table, rows) = bytes_of("embeddings", "I8")?;
        let (_, scales) = bytes_of("weights", "F32")?;
        let (rows, no_rest) = rows.as_chunks::<DIMENSIONS>();
        let (scales, _) = scales.as_chunks::<4>();
        let fits = table.shape == [rows.len(), DIMENSIONS] && no_rest.is_empty();
        (fits && rows.len() == scales.len()).then_some(Self { rows, scales })
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
