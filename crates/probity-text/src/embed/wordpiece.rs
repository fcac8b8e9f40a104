//! Text → pieces of the model's vocabulary, by the rules of uncased BERT.
//!
//! clean → split at spaces, punctuation and Chinese characters → lower-case, accents off → greedy
//! longest match, `##` before every piece that continues a word.

use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

/// Words of more characters than this are unknown.
const WORD_CHARS: usize = 100;

/// The number of a piece in the vocabulary. Whole words stand in order of their frequency.
pub type PieceId = u32;

/// The vocabulary, borrowed from the asset in the binary.
pub(super) struct WordPiece {
    /// Pieces that begin a word.
    whole: HashMap<&'static str, PieceId>,
    /// Pieces that continue a word, without their `##`.
    inner: HashMap<&'static str, PieceId>,
}

impl WordPiece {
    /// Reads a vocabulary of one piece a line. Names in brackets, such as `[SEP]`, are for the
    /// encoder that the table was made from and never match a text.
    pub(super) fn new(vocabulary: &'static str) -> Self {
        let mut whole = HashMap::with_capacity(25_000);
        let mut inner = HashMap::with_capacity(6_000);
        for (id, piece) in (0..).zip(vocabulary.lines()) {
            if piece.len() > 2 && piece.starts_with('[') && piece.ends_with(']') {
                continue;
            }
            match piece.strip_prefix("##") {
                Some(rest) if !rest.is_empty() => inner.insert(rest, id),
                _ => whole.insert(piece, id),
            };
        }
        Self { whole, inner }
    }

    /// The number of a lower-case word that the vocabulary holds as a whole.
    pub(super) fn whole_word(&self, word: &str) -> Option<PieceId> {
        self.whole.get(word).copied()
    }

    /// Appends the pieces of a text to `pieces`, until there are `limit`. Unknown words have none.
    pub(super) fn pieces(&self, text: &str, limit: usize, pieces: &mut Vec<PieceId>) {
        let mut word = String::new();
        for c in text.chars() {
            if pieces.len() >= limit {
                break;
            }
            match kind(c) {
                Kind::Dropped => {}
                Kind::Space => self.flush(&mut word, pieces),
                Kind::Alone => {
                    self.flush(&mut word, pieces);
                    word.push(c);
                    self.flush(&mut word, pieces);
                }
                Kind::Letter => word.push(c),
            }
        }
        self.flush(&mut word, pieces);
        pieces.truncate(limit);
    }

    fn flush(&self, word: &mut String, pieces: &mut Vec<PieceId>) {
        if word.is_empty() {
            return;
        }
        if word.is_ascii() {
            word.make_ascii_lowercase();
            self.split(word, pieces);
        } else {
            let plain: String = word
                .nfd()
                .filter(|c| c.general_category() != GeneralCategory::NonspacingMark)
                .flat_map(char::to_lowercase)
                .collect();
            self.split(&plain, pieces);
        }
        word.clear();
    }

    /// Greedy longest match; a word with a part that matches nothing has no pieces at all.
    fn split(&self, word: &str, pieces: &mut Vec<PieceId>) {
        if word.chars().nth(WORD_CHARS).is_some() {
            return;
        }
        let before = pieces.len();
        let mut rest = word;
        while !rest.is_empty() {
            let map = if rest.len() == word.len() { &self.whole } else { &self.inner };
            let Some((id, length)) = longest(map, rest) else {
                pieces.truncate(before);
                return;
            };
            pieces.push(id);
            rest = rest.get(length..).unwrap_or_default();
        }
    }
}

fn longest(map: &HashMap<&'static str, PieceId>, word: &str) -> Option<(PieceId, usize)> {
    let ends = word.char_indices().map(|(at, c)| at + c.len_utf8());
    ends.rev().find_map(|end| Some((*map.get(word.get(..end)?)?, end)))
}

enum Kind {
    /// Controls and unassigned characters.
    Dropped,
    Space,
    /// Punctuation and Chinese characters are words of their own.
    Alone,
    Letter,
}

fn kind(c: char) -> Kind {
    if c.is_ascii() {
        return match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' => Kind::Letter,
            ' ' | '\t' | '\n' | '\r' => Kind::Space,
            c if c.is_ascii_control() => Kind::Dropped,
            _ => Kind::Alone,
        };
    }
    if c.is_whitespace() {
        return Kind::Space;
    }
    match c.general_category_group() {
        GeneralCategoryGroup::Other => Kind::Dropped,
        GeneralCategoryGroup::Punctuation => Kind::Alone,
        _ if c == char::REPLACEMENT_CHARACTER => Kind::Dropped,
        _ if is_chinese(c) => Kind::Alone,
        _ => Kind::Letter,
    }
}

/// The blocks of unified ideographs, as BERT counts them.
fn is_chinese(c: char) -> bool {
    matches!(c,
        '\u{4e00}'..='\u{9fff}' | '\u{3400}'..='\u{4dbf}' | '\u{20000}'..='\u{2a6df}'
        | '\u{2a700}'..='\u{2b73f}' | '\u{2b740}'..='\u{2b81f}' | '\u{2b920}'..='\u{2ceaf}'
        | '\u{f900}'..='\u{faff}' | '\u{2f800}'..='\u{2fa1f}')
}
