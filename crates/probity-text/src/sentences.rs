//! Text → sentences, each with its place in the text.
//!
//! Lines come first (a heading, a list item and a table row end where their line ends; hard-wrapped
//! prose is joined again), then full stops that end a sentence are distinguished from those that do
//! not (`Dr.`, `No. 5`, `3.5`, `J. Smith`, `p.m.`; in their languages `Abs. 2`, `21. Jahrhundert`,
//! `pág. 5`). Linear in the text, whatever the text is.

mod blocks;
mod habits;
mod stops;

use std::ops::Range;

use habits::Habits;

/// The longest sentence, in bytes; what is longer is cut at a space.
pub const SENTENCE_BYTES: usize = 1_500;

/// The byte ranges of the sentences of a text, in order, without surrounding white space, list
/// bullets or heading marks. Pieces without a letter or a digit are left out.
///
/// ```
/// use probity_text::sentences::sentences;
///
/// let text = "Dr. Reyes paid No. 5 at 9 p.m. sharp. \"Why?\" he asked. It cost 3.5 m.";
/// let found: Vec<_> = sentences(text).into_iter().map(|range| &text[range]).collect();
/// assert_eq!(found, ["Dr. Reyes paid No. 5 at 9 p.m. sharp.", "\"Why?\" he asked.", "It cost 3.5 m."]);
/// ```
pub fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let habits = Habits::of(text);
    for block in blocks::blocks(text) {
        let Some(body) = text.get(block.clone()) else { continue };
        let mut start = 0;
        for end in stops::ends(body, &habits) {
            push(text, block.start + start..block.start + end, &mut found);
            start = end;
        }
        push(text, block.start + start..block.end, &mut found);
    }
    found
}

/// The sentences themselves.
pub fn split(text: &str) -> impl Iterator<Item = &str> {
    sentences(text).into_iter().filter_map(move |range| text.get(range))
}

/// Trims a piece, cuts what is too long, and keeps what says something.
fn push(text: &str, range: Range<usize>, found: &mut Vec<Range<usize>>) {
    let mut start = range.start;
    while let Some(piece) = text.get(start..range.end) {
        let lead = piece.len() - piece.trim_start().len();
        let piece = piece.trim();
        if piece.is_empty() {
            return;
        }
        start += lead;
        let length = if piece.len() > SENTENCE_BYTES { cut(piece) } else { piece.len() };
        let head = piece.get(..length).unwrap_or(piece).trim_end();
        if head.chars().any(char::is_alphanumeric) {
            found.push(start..start + head.len());
        }
        start += length;
    }
}

/// Where to cut a piece that is too long: after its last white space or clause mark that fits, else
/// at the limit.
fn cut(piece: &str) -> usize {
    let limit = piece.floor_char_boundary(SENTENCE_BYTES);
    let head = piece.get(..limit).unwrap_or(piece);
    let mark = |c: char| matches!(c, ';' | '；' | '，' | '、' | '،') || c.is_whitespace();
    match head.char_indices().rev().find(|(_, c)| mark(*c)) {
        Some((at, c)) if at > limit / 2 => at + c.len_utf8(),
        _ => limit,
    }
}

#[cfg(test)]
mod tests;
