//! Runs of text as programs write them → runs as readers see them: sizes that are sizes, words in
//! one piece, letters with their accents.

use std::collections::HashMap;

use pdfboss_output::TextSpan;
use unicode_normalization::char::compose;

/// A letter is about half as wide as its font is high.
const SIZE_PER_WIDTH: f32 = 2.0;
/// A stated size that is this many times too small or too large is the size of something else: fonts
/// drawn by programs (Type 3) have units of their own.
const OFF: f32 = 3.0;
/// The fewest letters of a font from which its size is told.
const MIN_CHARS: usize = 8;
/// The gap, in sizes, from which on a space was meant.
const WORD_GAP: f32 = 0.1;
/// The gap from which on it is not the same line of text any more: a column, a cell.
const LINE_GAP: f32 = 0.6;
/// How far, in sizes, a run may step back into the one before it.
const KERN: f32 = 0.25;
/// A run of this many bytes is a line, and joins no more.
const MAX_JOINED: usize = 2_000;

/// Gives fonts that state no true size the one that their letters have.
pub(super) fn mend_sizes(spans: &mut [TextSpan]) {
    let mut fonts: HashMap<(String, u32), (f32, usize)> = HashMap::new();
    for span in spans.iter().filter(|span| span.rotate == 0 && !span.vertical) {
        let (width, chars) = fonts.entry(key(span)).or_default();
        *width += (span.end_x - span.x).abs();
        *chars = chars.saturating_add(span.text.chars().count());
    }
    for span in spans.iter_mut().filter(|span| span.rotate == 0 && !span.vertical) {
        let Some((width, chars)) = fonts.get(&key(span)).filter(|(_, chars)| *chars >= MIN_CHARS)
        else {
            continue;
        };
        let seen = SIZE_PER_WIDTH * width / *chars as f32;
        let stated = span.size.abs();
        if !(seen.is_finite() && seen > 0.0) || (stated * OFF > seen && seen * OFF > stated) {
            continue;
        }
        span.size = seen;
        (span.ascent, span.descent) = (0.8 * seen, -0.2 * seen);
        (span.bbox.y0, span.bbox.y1) = (span.y + span.descent, span.y + span.ascent);
    }
}

fn key(span: &TextSpan) -> (String, u32) {
    (span.font.clone(), span.size.to_bits())
}

/// Joins runs that follow each other on a line: programs part words wherever letters are kerned.
pub(super) fn join(spans: Vec<TextSpan>) -> Vec<TextSpan> {
    let mut joined: Vec<TextSpan> = Vec::with_capacity(spans.len() / 4);
    for span in spans {
        match joined.last_mut() {
            Some(last) if goes_on(last, &span) => append(last, span),
            _ => joined.push(span),
        }
    }
    joined
}

/// Whether a run goes on with the line of the one before it.
fn goes_on(last: &TextSpan, next: &TextSpan) -> bool {
    let is_plain = |span: &TextSpan| span.rotate == 0 && !span.vertical && !span.logical;
    let size = last.size.abs();
    let on_line =
        (last.y - next.y).abs() < 0.05 * size && (next.size.abs() - size).abs() < 0.05 * size;
    let joins_accent = accent(last).is_some() && last.glyph_x.is_empty() && next.glyph_x.is_empty();
    let follows = (-KERN * size..LINE_GAP * size).contains(&(next.x - last.end_x))
        || (joins_accent && overlaps(last, next));
    let is_short = last.text.len() < MAX_JOINED;
    is_short && is_plain(last) && is_plain(next) && on_line && follows && looks_alike(last, next)
}

fn looks_alike(last: &TextSpan, next: &TextSpan) -> bool {
    last.font == next.font
        && last.invisible == next.invisible
        && last.color == next.color
        && last.rise == next.rise
        && last.artifact.is_some() == next.artifact.is_some()
        && last.highlight == next.highlight
}

/// Whether a run is drawn over the end of the one before it, as letters are over accents.
fn overlaps(last: &TextSpan, next: &TextSpan) -> bool {
    let size = last.size.abs();
    (-1.2 * size..-KERN * size).contains(&(next.x - last.end_x))
}

fn append(last: &mut TextSpan, next: TextSpan) {
    let gap = next.x - last.end_x;
    let mark = accent(last).filter(|_| overlaps(last, &next));
    let accented = mark.zip(next.text.chars().next()).and_then(|(mark, letter)| {
        // Beyond these letters every character would need its place.
        Some((letter, compose(letter, mark).filter(|whole| *whole < '\u{300}')?))
    });
    if let Some((letter, whole)) = accented {
        last.text.pop();
        last.text.push(whole);
        last.text.push_str(next.text.get(letter.len_utf8()..).unwrap_or_default());
        last.glyph_x = Box::default();
    } else {
        let mut places = Vec::new();
        let placed = !(last.glyph_x.is_empty() && next.glyph_x.is_empty());
        if placed {
            places.extend(places_of(last));
        }
        let parted =
            last.text.ends_with(char::is_whitespace) || next.text.starts_with(char::is_whitespace);
        if gap > WORD_GAP * last.size.abs() && !parted {
            last.text.push(' ');
            places.extend(placed.then_some(last.end_x));
        }
        if placed {
            places.extend(places_of(&next));
        }
        last.text.push_str(&next.text);
        last.glyph_x = places.into();
    }
    last.end_x = next.end_x;
    last.bbox.x1 = last.bbox.x1.max(next.bbox.x1);
    last.underline &= next.underline;
    last.strikethrough &= next.strikethrough;
}

/// Where each character of a run begins; evenly spread where the run does not say.
fn places_of(span: &TextSpan) -> Vec<f32> {
    if !span.glyph_x.is_empty() {
        return span.glyph_x.to_vec();
    }
    let count = span.text.chars().count();
    let step = (span.end_x - span.x) / count.max(1) as f32;
    (0..count).map(|index| span.x + step * index as f32).collect()
}

/// The accent at the end of a run that stands there by itself, as a mark that joins a letter.
fn accent(span: &TextSpan) -> Option<char> {
    Some(match span.text.chars().next_back()? {
        '´' => '\u{301}',
        '`' => '\u{300}',
        'ˆ' => '\u{302}',
        '˜' => '\u{303}',
        '¨' => '\u{308}',
        '¯' => '\u{304}',
        '˘' => '\u{306}',
        '˙' => '\u{307}',
        '˚' => '\u{30a}',
        'ˇ' => '\u{30c}',
        '¸' => '\u{327}',
        _ => return None,
    })
}
