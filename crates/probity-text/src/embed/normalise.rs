//! Characters of a text → the plain ones that words are spelled with, by the rules of uncased BERT.
//!
//! The models were trained on what a tokenizer with the tables of Unicode 8 made of their texts, so
//! the categories of characters are taken from the same tables: newer characters are letters.

use std::ops::Range;

use unicode_categories::UnicodeCategories;
use unicode_normalization::char::{canonical_combining_class, decompose_canonical};

/// What a character of a text comes to, with the bytes that it was made from.
pub(super) enum Plain {
    /// A part of a word.
    Letter(char, Range<usize>),
    /// A word of its own: punctuation and Chinese characters.
    Alone(char, Range<usize>),
    /// An accent that was taken off the character before it.
    Mark(Range<usize>),
    /// The end of a word.
    Space,
}

/// Goes through a text until `take` has enough.
pub(super) fn normalise(text: &str, mut take: impl FnMut(Plain) -> bool) {
    let mut marks = Marks::default();
    for (at, c) in text.char_indices() {
        let place = at..at + c.len_utf8();
        let go_on = if c.is_ascii() {
            marks.settle(&mut take) && ascii(c, place, &mut take)
        } else {
            foreign(c, place, &mut marks, &mut take)
        };
        if !go_on {
            return;
        }
    }
    marks.settle(&mut take);
}

fn ascii(c: char, place: Range<usize>, take: &mut impl FnMut(Plain) -> bool) -> bool {
    match c {
        'a'..='z' | '0'..='9' => take(Plain::Letter(c, place)),
        'A'..='Z' => take(Plain::Letter(c.to_ascii_lowercase(), place)),
        ' ' | '\t' | '\n' | '\r' => take(Plain::Space),
        c if c.is_ascii_control() => true,
        _ => take(Plain::Alone(c, place)),
    }
}

fn foreign(
    c: char,
    place: Range<usize>,
    marks: &mut Marks,
    take: &mut impl FnMut(Plain) -> bool,
) -> bool {
    if c == char::REPLACEMENT_CHARACTER || c.is_other() {
        return true;
    }
    if c.is_whitespace() {
        return marks.settle(take) && take(Plain::Space);
    }
    let chinese = is_chinese(c);
    let mut go_on = !chinese || (marks.settle(take) && take(Plain::Space));
    decompose_canonical(c, |part| {
        go_on = go_on && marks.add(part, place.clone(), take);
    });
    go_on && (!chinese || (marks.settle(take) && take(Plain::Space)))
}

/// Characters that combine with the one before them and are no accents: the few that are kept go
/// in the order of their class, as in any decomposed text.
#[derive(Default)]
struct Marks {
    kept: Vec<(u8, char, Range<usize>)>,
}

impl Marks {
    fn add(
        &mut self,
        part: char,
        place: Range<usize>,
        take: &mut impl FnMut(Plain) -> bool,
    ) -> bool {
        let class = canonical_combining_class(part);
        let go_on = class != 0 || self.settle(take);
        if part.is_mark_nonspacing() {
            return go_on && take(Plain::Mark(place));
        }
        if class != 0 {
            self.kept.push((class, part, place));
            return go_on;
        }
        go_on && lower(part, place, take)
    }

    /// Hands on what has waited for the end of its run.
    fn settle(&mut self, take: &mut impl FnMut(Plain) -> bool) -> bool {
        self.kept.sort_by_key(|(class, ..)| *class);
        self.kept.drain(..).all(|(_, part, place)| lower(part, place, take))
    }
}

fn lower(part: char, place: Range<usize>, take: &mut impl FnMut(Plain) -> bool) -> bool {
    part.to_lowercase().all(|c| {
        take(match is_punctuation(c) {
            true => Plain::Alone(c, place.clone()),
            false => Plain::Letter(c, place.clone()),
        })
    })
}

fn is_punctuation(c: char) -> bool {
    c.is_ascii_punctuation() || c.is_punctuation()
}

/// The blocks of unified ideographs, as BERT counts them.
fn is_chinese(c: char) -> bool {
    matches!(c,
        '\u{4e00}'..='\u{9fff}' | '\u{3400}'..='\u{4dbf}' | '\u{20000}'..='\u{2a6df}'
        | '\u{2a700}'..='\u{2b73f}' | '\u{2b740}'..='\u{2b81f}' | '\u{2b920}'..='\u{2ceaf}'
        | '\u{f900}'..='\u{faff}' | '\u{2f800}'..='\u{2fa1f}')
}
