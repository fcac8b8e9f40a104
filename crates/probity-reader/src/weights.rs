//! The weights file → matrices and vectors, every one of them checked.
//!
//! `safetensors` with matrices of signed bytes and a scale for each row (`NAME.scale`), and vectors
//! of f32. The width is fixed; the number of layers is what the file says.

use std::borrow::Cow;
use std::ops::Range;

use probity_text::embed::{PieceId, WordPiece};
use probity_text::tensors::{NumberType, Tensors, TensorsError};

use crate::encode::PIECES;
use crate::network::linear::Matrix;

/// The numbers that stand for a piece.
pub(crate) const WIDTH: usize = 384;
/// The numbers between the two matrices of a layer.
pub(crate) const INNER: usize = 1536;
/// How many positions the weights know; the first [`PIECES`] are used.
const POSITIONS: usize = 512;
/// How many match marks there are.
const MARKS: usize = 6;
/// The most layers that a file may have.
const LAYERS: usize = 48;
/// What a weights file says of itself.
const FORMAT: &str = "probity-reader-1";

/// Why weights cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum WeightsError {
    /// The file or one of its arrays is not what it must be.
    #[error(transparent)]
    Tensors(#[from] TensorsError),
    /// The file is for something else.
    #[error("its format is {0:?}, not {FORMAT:?}")]
    Format(Option<String>),
    /// There are no layers, or too many.
    #[error("it has {0} layers, not 1 to {LAYERS}")]
    Layers(usize),
    /// There is an array that the reader does not know.
    #[error("it has an array `{0}` that a reader does not have")]
    Unknown(String),
    /// A number is infinite or none.
    #[error("`{0}` has values that are not numbers")]
    NotFinite(String),
}

/// What normalises the numbers of a piece.
pub(crate) struct Norm {
    pub(crate) weight: Vec<f32>,
    pub(crate) bias: Vec<f32>,
}

/// One layer.
pub(crate) struct Layer {
    /// Queries, keys and values, one below the other.
    pub(crate) qkv: Matrix,
    pub(crate) out: Matrix,
    pub(crate) after_attention: Norm,
    pub(crate) widen: Matrix,
    pub(crate) narrow: Matrix,
    pub(crate) after_widening: Norm,
}

/// Rows and a bias that stay as they are: the small matrices at the end.
pub(crate) struct Head<const ROWS: usize> {
    pub(crate) rows: Vec<f32>,
    pub(crate) bias: [f32; ROWS],
}

/// All weights.
pub(crate) struct Weights {
    bytes: Cow<'static, [u8]>,
    /// The rows of the words stay in the file's bytes: only those that are read come into memory.
    words: Range<usize>,
    word_scales: Range<usize>,
    pub(crate) positions: Vec<f32>,
    pub(crate) sides: Vec<f32>,
    pub(crate) marks: Vec<f32>,
    pub(crate) norm: Norm,
    pub(crate) layers: Vec<Layer>,
    pub(crate) qa: Head<2>,
    pub(crate) span: Head<2>,
    pub(crate) head: Matrix,
    pub(crate) out: Head<3>,
}

impl Weights {
    pub(crate) fn read(bytes: Cow<'static, [u8]>) -> Result<Self, WeightsError> {
        let tensors = Tensors::read(&bytes)?;
        let format = tensors.about("format");
        if format != Some(FORMAT) {
            return Err(WeightsError::Format(format.map(str::to_owned)));
        }
        let count = layers(&tensors)?;
        let file = File { tensors: &tensors, bytes: &bytes };
        let vocabulary = WordPiece::embedded().len();
        let words = tensors.place("word.weight", NumberType::I8, &[vocabulary, WIDTH])?;
        let word_scales = tensors.place("word.weight.scale", NumberType::F32, &[vocabulary])?;
        file.vector("word.weight.scale", vocabulary)?;
        let mut positions = file.quantised("pos.weight", POSITIONS)?;
        positions.truncate(PIECES * WIDTH);
        Ok(Self {
            positions,
            sides: file.array("seg.weight", &[2, WIDTH])?,
            marks: file.array("match.weight", &[MARKS, WIDTH])?,
            norm: file.norm("n")?,
            layers: (0..count).map(|at| file.layer(at)).collect::<Result<_, _>>()?,
            qa: file.head("qa")?,
            span: file.head("span")?,
            head: file.matrix(&["head"], WIDTH, WIDTH)?,
            out: file.head("out")?,
            words,
            word_scales,
            bytes,
        })
    }

    /// The row of a piece: signed bytes and their scale.
    pub(crate) fn word(&self, id: PieceId) -> Option<(&[u8; WIDTH], f32)> {
        let at = usize::try_from(id).ok()?;
        let (rows, _) = self.bytes.get(self.words.clone())?.as_chunks::<WIDTH>();
        let (scales, _) = self.bytes.get(self.word_scales.clone())?.as_chunks::<4>();
        Some((rows.get(at)?, f32::from_le_bytes(*scales.get(at)?)))
    }
}

/// How many layers there are; an error for an array that belongs to none of a reader's parts.
fn layers(tensors: &Tensors) -> Result<usize, WeightsError> {
    const PARTS: [&str; 9] =
        ["word.", "pos.", "seg.", "match.", "n.", "qa.", "span.", "head.", "out."];
    let mut count = 0;
    for name in tensors.names() {
        let layer = name.strip_prefix("layers.").and_then(|rest| rest.split_once('.'));
        match layer.and_then(|(number, _)| number.parse::<usize>().ok()) {
            Some(number) => count = count.max(number.saturating_add(1)),
            None if PARTS.iter().any(|part| name.starts_with(part)) => {}
            None => return Err(WeightsError::Unknown(name.to_owned())),
        }
    }
    if (1..=LAYERS).contains(&count) { Ok(count) } else { Err(WeightsError::Layers(count)) }
}

struct File<'a> {
    tensors: &'a Tensors,
    bytes: &'a [u8],
}

impl File<'_> {
    fn raw(&self, name: &str, kind: NumberType, shape: &[usize]) -> Result<&[u8], WeightsError> {
        let place = self.tensors.place(name, kind, shape)?;
        Ok(self.bytes.get(place).unwrap_or_default())
    }

    fn array(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, WeightsError> {
        let (numbers, _) = self.raw(name, NumberType::F32, shape)?.as_chunks::<4>();
        let numbers: Vec<f32> = numbers.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        let finite = numbers.iter().all(|number| number.is_finite());
        if finite { Ok(numbers) } else { Err(WeightsError::NotFinite(name.to_owned())) }
    }

    fn vector(&self, name: &str, length: usize) -> Result<Vec<f32>, WeightsError> {
        self.array(name, &[length])
    }

    fn norm(&self, name: &str) -> Result<Norm, WeightsError> {
        Ok(Norm {
            weight: self.vector(&format!("{name}.weight"), WIDTH)?,
            bias: self.vector(&format!("{name}.bias"), WIDTH)?,
        })
    }

    fn head<const ROWS: usize>(&self, name: &str) -> Result<Head<ROWS>, WeightsError> {
        let rows = self.array(&format!("{name}.weight"), &[ROWS, WIDTH])?;
        let mut bias = [0.0; ROWS];
        for (own, read) in bias.iter_mut().zip(self.vector(&format!("{name}.bias"), ROWS)?) {
            *own = read;
        }
        Ok(Head { rows, bias })
    }

    /// Rows of signed bytes, made into numbers.
    fn quantised(&self, name: &str, rows: usize) -> Result<Vec<f32>, WeightsError> {
        let scales = self.vector(&format!("{name}.scale"), rows)?;
        let bytes = self.raw(name, NumberType::I8, &[rows, WIDTH])?;
        let rows = bytes.chunks_exact(WIDTH).zip(scales);
        Ok(rows
            .flat_map(|(row, scale)| {
                row.iter().map(move |byte| f32::from(byte.cast_signed()) * scale)
            })
            .collect())
    }

    /// Some matrices of the same shape, one below the other.
    fn matrix(&self, names: &[&str], rows: usize, columns: usize) -> Result<Matrix, WeightsError> {
        let mut parts = Vec::new();
        for name in names {
            let weights = self.raw(&format!("{name}.weight"), NumberType::I8, &[rows, columns])?;
            let scales = self.vector(&format!("{name}.weight.scale"), rows)?;
            let bias = self.vector(&format!("{name}.bias"), rows)?;
            parts.push((weights, scales, bias));
        }
        let weights: Vec<&[u8]> = parts.iter().map(|(weights, ..)| *weights).collect();
        let scales = parts.iter().flat_map(|(_, scales, _)| scales).copied().collect();
        let bias = parts.iter().flat_map(|(.., bias)| bias).copied().collect();
        Ok(Matrix::pack(&weights, columns, scales, bias))
    }

    fn layer(&self, at: usize) -> Result<Layer, WeightsError> {
        let name = |part: &str| format!("layers.{at}.{part}");
        let (q, k, v) = (name("q"), name("k"), name("v"));
        Ok(Layer {
            qkv: self.matrix(&[&q, &k, &v], WIDTH, WIDTH)?,
            out: self.matrix(&[&name("o")], WIDTH, WIDTH)?,
            after_attention: self.norm(&name("n1"))?,
            widen: self.matrix(&[&name("a")], INNER, WIDTH)?,
            narrow: self.matrix(&[&name("b")], WIDTH, INNER)?,
            after_widening: self.norm(&name("n2"))?,
        })
    }
}
