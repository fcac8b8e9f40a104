//! Named arrays of numbers in the `safetensors` layout, read where they lie.
//!
//! length of the header (8 bytes) → header (JSON: name → type, shape, place) → numbers

use std::collections::BTreeMap;
use std::ops::Range;

use serde::Deserialize;

/// The longest header that is read. Each array takes about a hundred bytes of it.
pub const HEADER_BYTES: usize = 1 << 20;

/// Why arrays cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum TensorsError {
    /// The bytes end before the header does, or its length is not one.
    #[error("it does not begin with a header of at most {HEADER_BYTES} bytes")]
    Header,
    /// The header is not the JSON of one.
    #[error("its header is not in the safetensors layout: {0}")]
    Layout(#[from] serde_json::Error),
    /// An array that is needed is missing.
    #[error("it has no `{0}`")]
    Missing(String),
    /// An array has another type or shape than it must have, or lies outside of the file.
    #[error("`{name}` is not a whole array of type {kind} and shape {shape:?}")]
    Shape {
        /// The array.
        name: String,
        /// The type that it must have.
        kind: NumberType,
        /// The shape that it must have.
        shape: Vec<usize>,
    },
}

/// The type of the numbers of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberType {
    /// Signed bytes.
    I8,
    /// Floating point of four bytes, the lowest first.
    F32,
}

impl NumberType {
    fn bytes(self) -> usize {
        match self {
            Self::I8 => 1,
            Self::F32 => 4,
        }
    }
}

impl std::fmt::Display for NumberType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::I8 => "I8",
            Self::F32 => "F32",
        })
    }
}

/// Where the arrays of a file lie.
#[derive(Debug)]
pub struct Tensors {
    header: Header,
    data_at: usize,
    length: usize,
}

#[derive(Debug, Deserialize)]
struct Header {
    #[serde(rename = "__metadata__", default)]
    about: BTreeMap<String, String>,
    #[serde(flatten)]
    tensors: BTreeMap<String, Tensor>,
}

#[derive(Debug, Deserialize)]
struct Tensor {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: (usize, usize),
}

impl Tensors {
    /// Reads the header of a file.
    pub fn read(bytes: &[u8]) -> Result<Self, TensorsError> {
        let header = header(bytes).ok_or(TensorsError::Header)?;
        let data_at = header.len() + 8;
        Ok(Self { header: serde_json::from_slice(header)?, data_at, length: bytes.len() })
    }

    /// What the file says about itself under a name.
    pub fn about(&self, name: &str) -> Option<&str> {
        self.header.about.get(name).map(String::as_str)
    }

    /// The names of all arrays.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.header.tensors.keys().map(String::as_str)
    }

    /// How many rows an array has.
    pub fn rows(&self, name: &str) -> Option<usize> {
        self.header.tensors.get(name)?.shape.first().copied()
    }

    /// The bytes of the file that hold an array, which must have this type and shape.
    pub fn place(
        &self,
        name: &str,
        kind: NumberType,
        shape: &[usize],
    ) -> Result<Range<usize>, TensorsError> {
        let tensor = self.header.tensors.get(name);
        let tensor = tensor.ok_or_else(|| TensorsError::Missing(name.to_owned()))?;
        let fits = tensor.dtype == kind.to_string() && tensor.shape == shape;
        let place = fits.then(|| self.whole(tensor, kind)).flatten();
        place.ok_or_else(|| TensorsError::Shape {
            name: name.to_owned(),
            kind,
            shape: shape.to_vec(),
        })
    }

    /// The place of an array that lies inside of the file and is as long as its shape says.
    fn whole(&self, tensor: &Tensor, kind: NumberType) -> Option<Range<usize>> {
        let (start, end) = tensor.data_offsets;
        let length =
            tensor.shape.iter().try_fold(kind.bytes(), |all, side| all.checked_mul(*side))?;
        let place = self.data_at.checked_add(start)?..self.data_at.checked_add(end)?;
        let inside = place.end <= self.length && end.checked_sub(start)? == length;
        inside.then_some(place)
    }
}

fn header(bytes: &[u8]) -> Option<&[u8]> {
    let (length, rest) = bytes.split_first_chunk::<8>()?;
    let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
    rest.get(..length).filter(|_| length <= HEADER_BYTES)
}
