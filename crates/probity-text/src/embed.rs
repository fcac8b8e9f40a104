//! Static embeddings: a vector for every piece of a word, and their mean for a text.
//!
//! text → pieces (`wordpiece`) → rows of the table (`table`) → mean → unit length
//!
//! The table is in the binary (`assets/static256-int8`, made by `scripts/make-embeddings`) and is
//! read where it lies. Frequent words have short vectors there, so a plain mean is a weighted one.

mod normalise;
mod table;
mod wordpiece;

use std::sync::OnceLock;

use table::Table;
pub use wordpiece::{Piece, PieceId, WordPiece};

/// How many numbers a vector has.
pub const DIMENSIONS: usize = 256;
/// How many pieces of a text are looked at. What follows is not embedded.
pub const PIECES: usize = 8_192;

static MODEL: &[u8] = include_bytes!("../assets/static256-int8/model.safetensors");

/// A direction in the space of meanings, of length 1, or zero for a text without known words.
#[derive(Debug, Clone, PartialEq)]
pub struct Vector([f32; DIMENSIONS]);

impl Vector {
    const ZERO: Vector = Vector([0.0; DIMENSIONS]);

    /// The cosine of two vectors, from -1 to 1; 0 with the zero vector.
    pub fn cosine(&self, other: &Vector) -> f32 {
        // Eight sums side by side, so that the compiler may use wide registers.
        let mut sums = [0.0_f32; 8];
        let (left, _) = self.0.as_chunks::<8>();
        let (right, _) = other.0.as_chunks::<8>();
        for (left, right) in left.iter().zip(right) {
            for ((sum, a), b) in sums.iter_mut().zip(left).zip(right) {
                *sum += a * b;
            }
        }
        sums.iter().sum()
    }

    /// The numbers.
    pub fn as_slice(&self) -> &[f32] {
        &self.0
    }

    /// Whether no word was known.
    pub fn is_zero(&self) -> bool {
        self.0.iter().all(|x| *x == 0.0)
    }

    /// Scales a sum to length 1.
    fn unit(mut sum: [f32; DIMENSIONS]) -> Self {
        let length = sum.iter().map(|x| x * x).sum::<f32>().sqrt();
        if length < 1e-12 {
            return Vector::ZERO;
        }
        for x in &mut sum {
            *x /= length;
        }
        Vector(sum)
    }
}

/// Turns texts into vectors.
///
/// ```
/// use probity_text::embed::Embedder;
///
/// let embedder = Embedder::embedded();
/// let cat = embedder.embed("a cat on the roof");
/// assert!(cat.cosine(&embedder.embed("kittens climb houses")) > cat.cosine(&embedder.embed("tax law")));
/// ```
pub struct Embedder {
    pieces: &'static WordPiece,
    table: Table,
}

impl Embedder {
    /// The model in the binary, made ready on first use.
    pub fn embedded() -> &'static Embedder {
        static EMBEDDER: OnceLock<Embedder> = OnceLock::new();
        EMBEDDER.get_or_init(|| {
            let table = Table::read(MODEL).unwrap_or_default();
            Embedder { pieces: WordPiece::embedded(), table }
        })
    }

    /// The pieces of a text, at most [`PIECES`]. Unknown words have none.
    pub fn pieces(&self, text: &str) -> Vec<PieceId> {
        let pieces = self.pieces.pieces(text, PIECES);
        pieces.into_iter().map(|piece| piece.id).filter(|id| *id != WordPiece::UNKNOWN).collect()
    }

    /// The place of a lower-case word in the vocabulary, which is ordered by frequency; none for a
    /// word that is made of several pieces.
    pub fn rank(&self, word: &str) -> Option<PieceId> {
        self.pieces.whole_word(word)
    }

    /// The vector of a text: of its first [`PIECES`] pieces.
    pub fn embed(&self, text: &str) -> Vector {
        self.mean(&self.pieces(text))
    }

    /// The vector of some pieces together.
    pub fn mean(&self, pieces: &[PieceId]) -> Vector {
        let mut sum = [0.0; DIMENSIONS];
        for id in pieces {
            self.table.add(*id, &mut sum);
        }
        Vector::unit(sum)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_table_and_the_vocabulary_belong_together() {
        let embedder = Embedder::embedded();
        assert_eq!(embedder.table.len(), WordPiece::embedded().len());
        assert_eq!(embedder.table.len(), 30_522);
    }

    #[test]
    fn a_text_without_known_words_is_far_from_everything() {
        let embedder = Embedder::embedded();
        let nothing = embedder.embed("");
        assert!(nothing.is_zero());
        assert_eq!(nothing.cosine(&embedder.embed("music")), 0.0);
    }

    #[test]
    fn names_of_special_pieces_in_a_text_are_plain_words() {
        let embedder = Embedder::embedded();
        let plain = embedder.pieces("[ sep ]");
        assert_eq!(embedder.pieces("[SEP]"), plain);
        assert_eq!(plain.len(), 3);
    }

    proptest! {
        #[test]
        fn any_text_has_a_vector_of_length_one_or_zero(text in "\\PC{0,80}") {
            let vector = Embedder::embedded().embed(&text);
            let length = vector.cosine(&vector);
            prop_assert!(vector.is_zero() || (length - 1.0).abs() < 1e-3, "{length}");
        }
    }
}
