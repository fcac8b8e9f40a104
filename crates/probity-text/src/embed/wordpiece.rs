//! Text → pieces of the model's vocabulary, by the rules of uncased BERT.
//!
//! clean (`normalise`) → accents off, lower case → split at spaces, punctuation and Chinese
//! characters → greedy longest match, `##` before every piece that continues a word.
//!
//! Every piece knows the bytes of the text that it was made from. Names such as `[SEP]` in a text
//! are plain words: what a page says cannot end a side of what a model reads.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::OnceLock;

use super::normalise::{Plain, normalise};

/// Words of more characters than this are unknown.
const WORD_CHARS: usize = 100;

static VOCABULARY: &str = include_str!("../../assets/static256-int8/vocab.txt");

/// The number of a piece in the vocabulary. Whole words stand in order of their frequency.
pub type PieceId = u32;

/// A piece of a text and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// Its number; [`WordPiece::UNKNOWN`] stands for a whole word that the vocabulary cannot spell.
    pub id: PieceId,
    /// The bytes of the text that it was made from, on boundaries of characters.
    pub place: Range<usize>,
}

/// The vocabulary, borrowed from the asset in the binary.
pub struct WordPiece {
    /// Every piece as it is written, by number.
    written: Vec<&'static str>,
    /// Pieces that begin a word.
    whole: HashMap<&'static str, PieceId>,
    /// Pieces that continue a word, without their `##`.
    inner: HashMap<&'static str, PieceId>,
}

impl WordPiece {
    /// What stands for a word that cannot be spelled, `[UNK]`.
    pub const UNKNOWN: PieceId = 100;
    /// What a model reads first, `[CLS]`.
    pub const START: PieceId = 101;
    /// What ends each side of what a model reads, `[SEP]`.
    pub const END: PieceId = 102;

    /// The vocabulary in the binary, made ready on first use.
    pub fn embedded() -> &'static WordPiece {
        static PIECES: OnceLock<WordPiece> = OnceLock::new();
        PIECES.get_or_init(|| WordPiece::new(VOCABULARY))
    }

    /// Reads a vocabulary of one piece a line. Names in brackets, such as `[SEP]`, are for models
    /// and never match a text.
    fn new(vocabulary: &'static str) -> Self {
        let written: Vec<&str> = vocabulary.lines().collect();
        let mut whole = HashMap::with_capacity(25_000);
        let mut inner = HashMap::with_capacity(6_000);
        for (id, piece) in (0..).zip(written.iter().copied()) {
            if piece.len() > 2 && piece.starts_with('[') && piece.ends_with(']') {
                continue;
            }
            match piece.strip_prefix("##") {
                Some(rest) if !rest.is_empty() => inner.insert(rest, id),
                _ => whole.insert(piece, id),
            };
        }
        Self { written, whole, inner }
    }

    /// How many pieces there are.
    #[expect(clippy::len_without_is_empty, reason = "a vocabulary is never empty")]
    pub fn len(&self) -> usize {
        self.written.len()
    }

    /// A piece as it is written, with `##` before one that continues a word; empty for a number
    /// that is none.
    pub fn written(&self, id: PieceId) -> &'static str {
        let at = usize::try_from(id).ok();
        at.and_then(|at| self.written.get(at)).copied().unwrap_or_default()
    }

    /// The number of a lower-case word that the vocabulary holds as a whole.
    pub(super) fn whole_word(&self, word: &str) -> Option<PieceId> {
        self.whole.get(word).copied()
    }

    /// The first `limit` pieces of a text. The rest of the text is not looked at.
    pub fn pieces(&self, text: &str, limit: usize) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let mut word = Word::default();
        normalise(text, |plain| {
            match plain {
                Plain::Letter(c, place) => word.push(c, place),
                Plain::Mark(place) => word.stretch(place),
                Plain::Space => self.flush(&mut word, &mut pieces),
                Plain::Alone(c, place) => {
                    self.flush(&mut word, &mut pieces);
                    word.push(c, place);
                    self.flush(&mut word, &mut pieces);
                }
            }
            pieces.len() < limit
        });
        self.flush(&mut word, &mut pieces);
        pieces.truncate(limit);
        pieces
    }

    /// Greedy longest match; a word with a part that matches nothing is unknown as a whole.
    fn flush(&self, word: &mut Word, pieces: &mut Vec<Piece>) {
        let before = pieces.len();
        let mut at = 0;
        while let Some(rest) = word.plain.get(at..).filter(|rest| !rest.is_empty()) {
            let map = if at == 0 { &self.whole } else { &self.inner };
            let found = (word.chars <= WORD_CHARS).then(|| longest(map, rest)).flatten();
            let Some((id, length)) = found else {
                pieces.truncate(before);
                let place = word.from..word.to;
                pieces.push(Piece { id: Self::UNKNOWN, place });
                break;
            };
            pieces.push(Piece { id, place: word.place(at..at + length) });
            at += length;
        }
        word.clear();
    }
}

fn longest(map: &HashMap<&'static str, PieceId>, word: &str) -> Option<(PieceId, usize)> {
    let ends = word.char_indices().map(|(at, c)| at + c.len_utf8());
    ends.rev().find_map(|end| Some((*map.get(word.get(..end)?)?, end)))
}

/// A word as it is put together, with the place in the text of each of its bytes.
#[derive(Default)]
struct Word {
    plain: String,
    places: Vec<Range<usize>>,
    chars: usize,
    from: usize,
    to: usize,
}

impl Word {
    fn push(&mut self, c: char, place: Range<usize>) {
        if self.chars == 0 {
            self.from = place.start;
        }
        self.from = self.from.min(place.start);
        self.to = self.to.max(place.end);
        self.chars += 1;
        // A word that is too long is unknown whatever follows, so that its letters are not kept.
        if self.chars <= WORD_CHARS {
            self.plain.push(c);
            self.places.extend(std::iter::repeat_n(place, c.len_utf8()));
        }
    }

    /// Takes a mark that was dropped to the character that it belongs to.
    fn stretch(&mut self, mark: Range<usize>) {
        if self.chars > 0 && self.to == mark.start {
            self.to = mark.end;
            if let Some(last) = self.places.last_mut().filter(|last| last.end == mark.start) {
                last.end = mark.end;
            }
        }
    }

    /// Where some of its bytes stand in the text.
    fn place(&self, bytes: Range<usize>) -> Range<usize> {
        let places = self.places.get(bytes).unwrap_or_default();
        let start = places.iter().map(|place| place.start).min().unwrap_or(self.from);
        start..places.iter().map(|place| place.end).max().unwrap_or(self.to)
    }

    fn clear(&mut self) {
        self.plain.clear();
        self.places.clear();
        (self.chars, self.from, self.to) = (0, 0, 0);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn pieces(text: &str) -> Vec<Piece> {
        WordPiece::embedded().pieces(text, usize::MAX)
    }

    /// Odd texts and what the tokenizer that the models were trained with makes of them.
    #[test]
    fn pieces_are_those_of_the_tokenizer_of_the_models() {
        let rows = include_str!("../../tests/data/pieces.json");
        let rows: Vec<(String, Vec<PieceId>)> = serde_json::from_str(rows).unwrap();
        assert_eq!(rows.len(), 160);
        for (text, ids) in rows {
            let ours: Vec<PieceId> = pieces(&text).iter().map(|piece| piece.id).collect();
            assert_eq!(ours, ids, "{text:?}");
        }
    }

    #[test]
    fn a_piece_knows_the_bytes_it_was_made_from() {
        let text = "Le café à İzmir, cafe\u{301} \u{200b}漢!";
        let places: Vec<&str> =
            pieces(text).into_iter().map(|piece| text.get(piece.place).unwrap()).collect();
        assert_eq!(places[..3], ["Le", "café", "à"]);
        assert!(places.contains(&"cafe\u{301}") && places.contains(&"漢"), "{places:?}");
        assert!(places.concat().contains("İzmir"), "{places:?}");
    }

    #[test]
    fn no_more_pieces_are_made_than_asked_for() {
        let text = "unaffable roads ".repeat(10_000);
        let some = WordPiece::embedded().pieces(&text, 7);
        assert_eq!(some.len(), 7);
        assert_eq!(some, pieces(&text)[..7]);
        assert_eq!(WordPiece::embedded().pieces(&text, 0), []);
    }

    #[test]
    fn a_word_without_end_is_one_unknown_piece() {
        let text = "a".repeat(100_000);
        assert_eq!(pieces(&text), [Piece { id: WordPiece::UNKNOWN, place: 0..100_000 }]);
    }

    proptest! {
        #[test]
        fn places_lie_between_characters_in_the_order_of_the_text(text in "\\PC{0,60}|[\\s\\S]{0,40}") {
            let mut before = 0;
            for piece in pieces(&text) {
                prop_assert!(text.get(piece.place.clone()).is_some_and(|part| !part.is_empty()));
                prop_assert!(piece.place.end >= before, "{piece:?} in {text:?}");
                before = piece.place.end;
            }
        }
    }
}
