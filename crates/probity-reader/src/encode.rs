//! A question or claim and a passage → what the network reads.
//!
//! `[CLS] question or claim [SEP] lead text [SEP]`, each piece with its side and its match mark.

use std::ops::Range;

use probity_text::embed::{Piece, PieceId, WordPiece};

use crate::mark::{marks, words};

/// The most pieces that are read at once, and the pieces between the sides among them.
pub(crate) const PIECES: usize = 256;
const BETWEEN: usize = 3;

/// The text of the first side.
#[derive(Debug, Clone, Copy)]
pub(crate) enum First {
    Question,
    Claim,
}

impl First {
    /// The most pieces of it that are read.
    fn pieces(self) -> usize {
        match self {
            Self::Question => 64,
            Self::Claim => 96,
        }
    }
}

/// A pair as the network reads it.
pub(crate) struct Encoded {
    /// The pieces, with those that begin and end the sides.
    pub(crate) ids: Vec<PieceId>,
    /// A mark for each piece.
    pub(crate) marks: Vec<u8>,
    /// The second side, without the piece that ends it.
    pub(crate) second: Range<usize>,
    /// Where the pieces of the text stand in it; they are the last of the second side.
    pub(crate) text: Vec<Range<usize>>,
    /// Where the text was cut off, when it was.
    pub(crate) cut: Option<usize>,
}

impl Encoded {
    /// The side of each piece.
    pub(crate) fn side(&self, at: usize) -> usize {
        usize::from(at >= self.second.start)
    }
}

/// Puts a pair together.
pub(crate) fn encode(kind: First, first: &str, lead: &str, text: &str) -> Encoded {
    let vocabulary = WordPiece::embedded();
    let first = numbers(&vocabulary.pieces(first, kind.pieces()));
    let room = PIECES - BETWEEN - first.len();
    let mut second = numbers(&vocabulary.pieces(lead, room));
    let room = room - second.len();
    // One more than there is room for, to know where the text is cut off.
    let mut text = vocabulary.pieces(text, room + 1);
    let cut = text.get(room).map(|piece| piece.place.start);
    text.truncate(room);
    second.extend(numbers(&text));

    let (words_first, words_second) = (words(vocabulary, &first), words(vocabulary, &second));
    let marks_first = marks(first.len(), &words_first, &words_second);
    let marks_second = marks(second.len(), &words_second, &words_first);
    let second_at = first.len() + 2;
    Encoded {
        second: second_at..second_at + second.len(),
        ids: [&[WordPiece::START][..], &first, &[WordPiece::END], &second, &[WordPiece::END]]
            .concat(),
        marks: [&[0][..], &marks_first, &[0], &marks_second, &[0]].concat(),
        text: text.into_iter().map(|piece| piece.place).collect(),
        cut,
    }
}

fn numbers(pieces: &[Piece]) -> Vec<PieceId> {
    pieces.iter().map(|piece| piece.id).collect()
}
