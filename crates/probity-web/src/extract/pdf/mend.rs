//! Runs of text as programs write them → runs as readers see them: sizes that are sizes, words in
//! one piece, letters with their accents.

use std::collections::HashMap;

use pdfboss_output::TextSpan;
use pdfboss_text::keeps_glyph_x;
use unicode_normalization::char::compose;

use super::apart::add_space;
use super::columns;
use super::indices::Index;

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
/// How far, in sizes, an accent is raised over a capital letter.
const MAX_RAISED: f32 = 0.5;
/// The mark of a note has at most this many characters, is smaller than this share of the note, and raised by this.
const MARK_CHARS: usize = 3;
const MARK_SIZE: f32 = 0.85;
const MARK_RAISED: f32 = 0.15;
/// What is smaller than this share of most letters of a page is an index or a note.
const INDEX_SIZE: f32 = 0.9;
/// The longest index, in bytes, whose pieces are of several fonts.
const MAX_INDEX: usize = 12;
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
    let spans = with_accents(spans);
    let mut joined: Vec<TextSpan> = Vec::with_capacity(spans.len() / 4);
    let index_size = INDEX_SIZE * body_size(&spans);
    let spaces: Vec<Option<bool>> = spans.chunk_by(goes_on).flat_map(spaces_of).collect();
    let mut index: Option<Index> = None;
    for (span, space) in spans.into_iter().zip(spaces) {
        if joined.last_mut().is_some_and(|last| put_on(last, &span)) {
            continue;
        }
        let before = index.take();
        match joined.last_mut() {
            Some(last) if goes_on(last, &span) => {
                let is_factor = before.is_some_and(|index| index.is_before_factor(last, &span));
                append(last, span, space.or(is_factor.then_some(true)));
            }
            Some(last) if is_one_index(last, &span, index_size) => append(last, span, None),
            Some(last) => match Index::of(last, &span, before) {
                Some((found, space)) => {
                    let end_x = last.end_x.max(span.end_x);
                    append(last, span, Some(space));
                    last.end_x = end_x;
                    index = Some(found);
                }
                None => {
                    if before.is_some_and(|index| index.is_before_factor(last, &span)) {
                        add_space(last);
                    }
                    joined.push(span);
                }
            },
            None => joined.push(span),
        }
    }
    joined
}

/// The runs with each accent that stands by itself on the letter that is drawn under it next. This comes before words are
/// joined: an accent in the middle of a wide letter is as far from the letter before it as the next word is.
fn with_accents(spans: Vec<TextSpan>) -> Vec<TextSpan> {
    let mut whole: Vec<TextSpan> = Vec::with_capacity(spans.len());
    for span in spans {
        let under = whole.last().and_then(|last| under_accent(last, &span));
        match whole.last_mut().zip(under) {
            Some((last, letter)) => *last = letter,
            None => whole.push(span),
        }
    }
    whole
}

/// For each run of a line whether a space is before it, where that is known otherwise than from the gap.
fn spaces_of(line: &[TextSpan]) -> Vec<Option<bool>> {
    let mut all = vec![None; line.len()];
    let known = columns::spaces(line).unwrap_or_else(|| columns::spread(line));
    all.iter_mut().skip(1).zip(known).for_each(|(space, known)| *space = known);
    all
}

/// The size that most letters of a page have.
fn body_size(spans: &[TextSpan]) -> f32 {
    let mut sizes: HashMap<u32, usize> = HashMap::new();
    for span in spans {
        let chars = sizes.entry(span.size.abs().to_bits()).or_default();
        *chars = chars.saturating_add(span.text.len());
    }
    let most = sizes.into_iter().max_by_key(|(size, chars)| (*chars, *size));
    most.map_or(0.0, |(size, _)| f32::from_bits(size))
}

/// Whether two runs are pieces of one index: it is put together of signs, digits and letters of several fonts, and
/// lines are ordered from left to right, where an index above would be mixed with the one below it.
fn is_one_index(last: &TextSpan, next: &TextSpan, index_size: f32) -> bool {
    let size = last.size.abs();
    size < index_size
        && is_on_line(last, next)
        && (-KERN * size..WORD_GAP * size).contains(&(next.x - last.end_x))
        && last.text.len().saturating_add(next.text.len()) <= MAX_INDEX
        && last.color == next.color
        && last.invisible == next.invisible
}

/// Puts a space between the raised mark that begins a note and the note: `1This`.
pub(super) fn part_notes(spans: &mut [TextSpan]) {
    let mut before: Option<(f32, f32)> = None;
    for index in 0..spans.len() {
        let Some([mark, note]) = spans.get_mut(index..index.saturating_add(2)) else { break };
        // Logos lower and raise letters into each other, so a little way back is no new line.
        let size = note.size.abs();
        let begins_line = before.is_none_or(|(end_x, y): (f32, f32)| {
            end_x > mark.x + size || (y - mark.y).abs() > size
        });
        if begins_line && is_mark_of(mark, note) {
            add_space(mark);
        }
        before = Some((mark.end_x, mark.y));
    }
}

/// Whether a run is raised, small and short before a word that it touches.
fn is_mark_of(mark: &TextSpan, note: &TextSpan) -> bool {
    let size = note.size.abs();
    mark.rotate == 0
        && note.rotate == 0
        && mark.size.abs() < MARK_SIZE * size
        && (MARK_RAISED * size..size).contains(&(mark.y - note.y))
        && (-KERN * size..LINE_GAP * size).contains(&(note.x - mark.end_x))
        && mark.text.chars().count() <= MARK_CHARS
        && note.text.starts_with(char::is_alphabetic)
}

/// Whether a run continues with the line of the one before it.
fn goes_on(last: &TextSpan, next: &TextSpan) -> bool {
    let size = last.size.abs();
    let follows = (-KERN * size..LINE_GAP * size).contains(&(next.x - last.end_x))
        || (accent(last).is_some() && overlaps(last, next));
    let is_short = last.text.len() < MAX_JOINED;
    is_short && is_on_line(last, next) && follows && looks_alike(last, next)
}

/// Whether two runs have one baseline and one size.
fn is_on_line(last: &TextSpan, next: &TextSpan) -> bool {
    let is_plain = |span: &TextSpan| span.rotate == 0 && !span.vertical && !span.logical;
    let size = last.size.abs();
    is_plain(last)
        && is_plain(next)
        && (last.y - next.y).abs() < 0.05 * size
        && (next.size.abs() - size).abs() < 0.05 * size
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

/// The run under an accent that stands by itself, on its line or raised over a capital letter, with
/// the accent on its first letter.
fn under_accent(last: &TextSpan, next: &TextSpan) -> Option<TextSpan> {
    let mark = accent(last).filter(|_| last.text.chars().count() == 1)?;
    let raised = (-0.05..MAX_RAISED).contains(&((last.y - next.y) / last.size.abs()));
    // In formulas the accent is of another font than the letter.
    let is_seen = last.invisible == next.invisible && last.color == next.color;
    if !(raised && overlaps(last, next) && is_seen) {
        return None;
    }
    let letter = next.text.chars().next()?;
    let whole = accented(mark, letter)?;
    let mut places = places_of(next);
    let rest = next.text.get(letter.len_utf8()..).unwrap_or_default();
    let mut joined = TextSpan { text: format!("{whole}{rest}"), ..next.clone() };
    let of_mark = whole.chars().skip(1).map(|_| next.x);
    places.splice(0..0, of_mark);
    if !keeps_glyph_x(&joined.text) {
        places.clear();
    }
    joined.glyph_x = places.into();
    Some(joined)
}

/// Puts an accent that is drawn over the last letter of the run before it on that letter, as programs set cedillas.
fn put_on(last: &mut TextSpan, next: &TextSpan) -> bool {
    let size = last.size.abs();
    let Some(mark) = accent(next).filter(|_| next.text.chars().count() == 1) else { return false };
    let mut places = places_of(last);
    let (Some(letter), Some(begin)) = (last.text.chars().next_back(), places.last().copied())
    else {
        return false;
    };
    let middle = (next.x + next.end_x) / 2.0;
    let is_over = (begin..last.end_x).contains(&middle) && overlaps(last, next);
    let is_level = (-0.05..MAX_RAISED).contains(&((next.y - last.y) / size));
    let is_seen = last.invisible == next.invisible && last.color == next.color;
    let is_plain = last.rotate == 0 && next.rotate == 0 && !last.vertical && !last.logical;
    let Some(whole) = accented(mark, letter).filter(|_| is_over && is_level && is_seen && is_plain)
    else {
        return false;
    };
    last.text.pop();
    last.text.push_str(&whole);
    places.extend(whole.chars().skip(1).map(|_| begin));
    last.glyph_x = if keeps_glyph_x(&last.text) { places.into() } else { Box::default() };
    true
}

/// A letter with a mark: one character where there is one for both.
fn accented(mark: char, letter: char) -> Option<String> {
    // Accents are set over letters without their own dots.
    let plain = match letter {
        'ı' => 'i',
        'ȷ' => 'j',
        other => other,
    };
    let whole = compose(plain, mark).map(String::from);
    whole.or_else(|| plain.is_alphabetic().then(|| format!("{plain}{mark}")))
}

/// Appends a run, after a space where `space` says so or else the gap is as wide as one.
fn append(last: &mut TextSpan, next: TextSpan, space: Option<bool>) {
    let gap = next.x - last.end_x;
    let spaced = space.unwrap_or(gap > WORD_GAP * last.size.abs());
    let mark = accent(last).filter(|_| overlaps(last, &next));
    let letter = next.text.chars().next();
    let whole = mark.zip(letter).and_then(|(mark, letter)| accented(mark, letter));
    let placed = !(last.glyph_x.is_empty() && next.glyph_x.is_empty())
        || whole.as_deref().is_some_and(keeps_glyph_x);
    let mut places = if placed { places_of(last) } else { Vec::new() };
    if let Some((letter, whole)) = letter.zip(whole) {
        last.text.pop();
        places.pop();
        last.text.push_str(&whole);
        places.extend(whole.chars().skip(1).filter(|_| placed).map(|_| next.x));
        last.text.push_str(next.text.get(letter.len_utf8()..).unwrap_or_default());
    } else {
        let parted =
            last.text.ends_with(char::is_whitespace) || next.text.starts_with(char::is_whitespace);
        if spaced && !parted {
            last.text.push(' ');
            places.extend(placed.then_some(last.end_x));
        }
        last.text.push_str(&next.text);
    }
    if placed {
        places.extend(places_of(&next));
    }
    last.glyph_x = places.into();
    last.end_x = next.end_x;
    last.bbox.x1 = last.bbox.x1.max(next.bbox.x1);
    last.italic |= next.italic && last.font != next.font;
    last.underline &= next.underline;
    last.strikethrough &= next.strikethrough;
}

/// Where each character of a run begins; evenly spread where the run does not say.
pub(super) fn places_of(span: &TextSpan) -> Vec<f32> {
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
        '˝' => '\u{30b}',
        'ˇ' => '\u{30c}',
        '¸' => '\u{327}',
        '˛' => '\u{328}',
        // The arrow of a vector, which joins a letter already.
        mark @ ('\u{300}'..='\u{36f}' | '\u{20d0}'..='\u{20f0}') => mark,
        _ => return None,
    })
}

#[cfg(test)]
pub(super) mod tests {
    use pdfboss_core::Rect;

    use super::*;

    /// A run of letters half as wide as they are high.
    pub(in super::super) fn run(text: &str, x: f32, y: f32) -> TextSpan {
        let width = 5.0 * text.chars().count() as f32;
        let places = text.chars().enumerate().map(|(index, _)| x + 5.0 * index as f32);
        TextSpan {
            glyph_x: if keeps_glyph_x(text) { places.collect() } else { Box::default() },
            text: text.to_owned(),
            x,
            y,
            end_x: x + width,
            end_y: y,
            size: 10.0,
            ascent: 8.0,
            descent: -2.0,
            bbox: Rect { x0: x, y0: y - 2.0, x1: x + width, y1: y + 8.0 },
            font: "F1".to_owned(),
            font_name: String::new(),
            font_family: String::new(),
            font_stretch: None,
            font_weight: None,
            page: 0,
            rotate: 0,
            rise: 0.0,
            logical: false,
            bold: false,
            italic: false,
            monospace: false,
            serif: false,
            vertical: false,
            invisible: false,
            underline: false,
            strikethrough: false,
            highlight: false,
            highlight_color: None,
            color: None,
            artifact: None,
            structure: None,
            alt: None,
            lang: None,
            expansion: None,
        }
    }

    fn joined(runs: Vec<TextSpan>) -> Vec<String> {
        let spans = join(runs);
        for span in &spans {
            let places = if keeps_glyph_x(&span.text) { span.text.chars().count() } else { 0 };
            assert_eq!(span.glyph_x.len(), places, "{}", span.text);
        }
        spans.into_iter().map(|span| span.text).collect()
    }

    #[test]
    fn an_accent_joins_the_letter_that_is_drawn_under_it() {
        let accented = |before: &str, accent: &str, after: &str| {
            let at = 5.0 * before.chars().count() as f32;
            joined(vec![run(before, 0.0, 0.0), run(accent, at, 0.0), run(after, at, 0.0)])
        };
        assert_eq!(accented("biblioth", "`", "eque"), ["bibliothèque"]);
        assert_eq!(accented("di\u{fb00}", "´", "erents"), ["di\u{fb00}érents"]);
        assert_eq!(accented("cro", "ˆ", "ıt"), ["croît"]);
        assert_eq!(accented("Vie", "˜", "yn"), ["Vieỹn"]);
        assert_eq!(accented("els", "˝", "o"), ["első"]);
        assert_eq!(accented("zał", "˛", "acznik"), ["załącznik"]);
        assert_eq!(accented("x = ", "\u{20d7}", "p"), ["x = p\u{20d7}"]);
        assert_eq!(accented("a", "˜", "=b"), ["a˜=b"], "no letter, no accent");
        assert_eq!(accented("so ", "ˆ", "p4"), ["so p\u{302}4"], "no character for both");
    }

    #[test]
    fn an_accent_in_the_middle_of_a_wide_letter_parts_no_word() {
        let accent = TextSpan { end_x: 20.0, ..run("˛", 17.0, 0.0) };
        let runs = vec![run("zał", 0.0, 0.0), accent, run("acznik", 15.0, 0.0)];
        assert_eq!(joined(runs), ["załącznik"]);
    }

    #[test]
    fn a_cedilla_joins_the_letter_before_it() {
        let runs = vec![run("fac", 0.0, 0.0), run("¸", 10.0, 0.0), run("ade", 15.0, 0.0)];
        assert_eq!(joined(runs), ["façade"]);
        let hat = TextSpan { font: "F2".to_owned(), ..run("ˆ", 10.3, 2.0) };
        assert_eq!(joined(vec![run("avp", 0.0, 0.0), hat]), ["avp\u{302}"]);
        let after = vec![run("fac", 0.0, 0.0), run("¸", 15.0, 0.0)];
        assert_eq!(joined(after), ["fac¸"], "not over it");
    }

    #[test]
    fn the_mark_of_a_note_stands_apart_from_it() {
        let raised = |text: &str, x: f32| TextSpan { size: 6.0, ..run(text, x, 3.0) };
        let parted = |runs: Vec<TextSpan>| -> String {
            let mut spans = runs;
            part_notes(&mut spans);
            spans.into_iter().map(|span| span.text).collect()
        };
        assert_eq!(parted(vec![raised("1", 0.0), run("This", 5.0, 0.0)]), "1 This");
        let below = vec![run("before", 0.0, 20.0), raised("12", 0.0), run("This", 10.0, 0.0)];
        assert_eq!(parted(below), "before12 This");
        let power = vec![run("x", 0.0, 0.0), raised("2", 5.0), run("y", 10.0, 0.0)];
        assert_eq!(parted(power), "x2y");
        let logo = vec![run("L", 0.0, 0.0), raised("A", 4.0), run("TEX", 8.0, 0.0)];
        assert_eq!(parted(logo), "LATEX");
        let lowered = vec![TextSpan { y: -3.0, ..raised("1", 0.0) }, run("This", 5.0, 0.0)];
        assert_eq!(parted(lowered), "1This");
    }

    #[test]
    fn an_accent_over_a_capital_letter_is_raised() {
        let runs = vec![run("l’", 0.0, 0.0), run("´", 10.5, 2.8), run("Ecole", 10.0, 0.0)];
        assert_eq!(joined(runs), ["l’École"]);
        let far = vec![run("´", 10.5, 8.0), run("Ecole", 10.0, 0.0)];
        assert_eq!(joined(far), ["´", "Ecole"]);
    }
}
