//! Runs in fonts whose letters are all of one width → runs that are marked as code, a line of them as one run with its
//! columns.
//!
//! Listings and what programs print are set so. What fonts say of themselves is often wrong, so their letters are
//! measured.

use std::collections::{HashMap, HashSet};

use pdfboss_core::{ObjRef, StandardType, StructureElement};
use pdfboss_output::TextSpan;
use pdfboss_text::{Structure, keeps_glyph_x};

use super::PageRuns;
use super::mend::places_of;

/// A run of this many letters shows how wide they are.
const MEASURED: usize = 4;
/// How far, as a share, the mean width of a run's letters may be from that of the others of its font, and which share
/// of all letters must be in such runs. Some have gaps in them that no space fills.
const OFF: f32 = 0.005;
const ALIKE: f32 = 0.5;
/// The fewest runs and different letters that show it of a font that does not say so. Fewer runs than `MANY` must all be
/// alike.
const MIN_RUNS: usize = 3;
const MANY: usize = 5;
const MIN_LETTERS: usize = 10;
/// Where ideographs begin.
const IDEOGRAPHS: char = '\u{2e80}';
/// Where more than this share of the letters is in such fonts, they are those of the text.
const TEXT: f32 = 0.9;
/// How far, in columns, the beginning of a run may be from that of a column, and the widest gap.
const OFF_COLUMN: f32 = 0.2;
const MAX_GAP: f32 = 80.0;
/// Runs whose baselines differ by less than this, in sizes, are on one line.
const LEVEL: f32 = 0.05;

/// What is known of a font.
#[derive(Default)]
struct Measured<'s> {
    words: Runs<'s>,
    lines: Runs<'s>,
    says_so: bool,
}

/// The mean width of the characters of each of some runs, in sizes, and how many letters it has. A text that repeats
/// shows no more than one.
#[derive(Default)]
struct Runs<'s>(HashMap<&'s str, (f32, usize)>);

impl<'s> Measured<'s> {
    fn see(&mut self, span: &'s TextSpan) {
        self.says_so |= span.monospace;
        let count = span.text.chars().count();
        // A space at the end may have been put there and have no width.
        if count < MEASURED || span.text.ends_with(' ') || !is_upright(span) {
            return;
        }
        // Between words there may be more or less than a column.
        let is_word = !span.text.contains(char::is_whitespace);
        let runs = if is_word { &mut self.words } else { &mut self.lines };
        let letters = span.text.chars().filter(|c| is_letter(*c)).count();
        let width = (span.end_x - span.x) / count as f32 / span.size.abs();
        // Figures are of one width in most fonts.
        if letters * 2 > count {
            runs.0.insert(&span.text, (width, letters));
        }
    }

    /// The width of the letters, in sizes, where it is one.
    fn width(mut self) -> Option<f32> {
        if !self.words.show() {
            self.words.0.extend(self.lines.0);
        }
        if self.words.show() || self.says_so { self.words.width() } else { None }
    }
}

impl Runs<'_> {
    /// Whether there are enough to show something.
    fn show(&self) -> bool {
        let letters = self.0.keys().flat_map(|text| text.chars()).filter(|c| is_letter(*c));
        self.0.len() >= MIN_RUNS && letters.collect::<HashSet<char>>().len() >= MIN_LETTERS
    }

    fn width(self) -> Option<f32> {
        let mut widths: Vec<(f32, usize)> = self.0.into_values().collect();
        widths.sort_by(|one, other| one.0.total_cmp(&other.0));
        let all: usize = widths.iter().map(|(_, letters)| letters).sum();
        let mut before = 0;
        let middle = widths.iter().find(|(_, letters)| {
            before += letters;
            before * 2 >= all
        });
        let middle = middle.map(|(width, _)| *width).filter(|width| *width > 0.0)?;
        let alike = widths.iter().filter(|(width, _)| (width - middle).abs() < OFF * middle);
        let letters = alike.map(|(_, letters)| letters).sum::<usize>();
        let share = if widths.len() >= MANY { ALIKE } else { 1.0 };
        (letters as f32 >= share * all as f32).then_some(middle)
    }
}

/// Whether a letter says something about widths: ideographs have one in every font.
fn is_letter(c: char) -> bool {
    c.is_alphabetic() && c < IDEOGRAPHS
}

/// Marks the runs in fonts of one width as code and joins those that are a line, each in its column. Where nearly all
/// of the text is in such fonts, nothing is marked.
pub(super) fn mark(pages: &mut [PageRuns]) {
    let mut fonts: HashMap<(&str, &str), Measured<'_>> = HashMap::new();
    for span in pages.iter().flat_map(|(spans, ..)| spans) {
        let font = fonts.entry((&span.font_name, &span.font)).or_default();
        font.see(span);
    }
    let widths: HashMap<(String, String), f32> = fonts
        .into_iter()
        .filter_map(|((name, font), measured)| {
            Some(((name.to_owned(), font.to_owned()), measured.width()?))
        })
        .collect();
    let width = |span: &TextSpan| {
        let width = widths.get(&(span.font_name.clone(), span.font.clone()))?;
        Some(width * span.size.abs())
    };
    let is_code = |span: &TextSpan| width(span).is_some();
    let (mut all, mut code) = (0, 0);
    for span in pages.iter().flat_map(|(spans, ..)| spans) {
        all += span.text.len();
        code += if is_code(span) { span.text.len() } else { 0 };
    }
    if code == 0 || code as f32 > TEXT * all as f32 {
        return;
    }
    for (spans, ..) in pages {
        let mut whole: Vec<TextSpan> = Vec::with_capacity(spans.len());
        for line in std::mem::take(spans).chunk_by(is_on_line) {
            let is_listing = line.iter().all(&is_code);
            match line.first().and_then(width).filter(|_| is_listing) {
                Some(width) => whole.extend(joined(line, width)),
                None => whole.extend_from_slice(line),
            }
        }
        for span in whole.iter_mut().filter(|span| is_code(span)) {
            span.structure = Some(code_element());
        }
        *spans = whole;
    }
}

/// The runs of a line, those that stand in columns of this width as one.
fn joined(line: &[TextSpan], width: f32) -> Vec<TextSpan> {
    let mut whole: Vec<TextSpan> = Vec::with_capacity(1);
    for span in line {
        match whole.last_mut().and_then(|last| Some((gap(last, span, width)?, last))) {
            Some((spaces, last)) => append(last, span, spaces),
            None => whole.push(span.clone()),
        }
    }
    whole
}

/// How many spaces are between two runs of a line; none where the second does not stand in a column of the first, or one
/// of them is not plain text.
fn gap(last: &TextSpan, next: &TextSpan, width: f32) -> Option<usize> {
    let columns = (next.x - last.end_x) / width;
    let is_plain = |span: &TextSpan| is_upright(span) && !span.logical;
    let fits = is_plain(last)
        && is_plain(next)
        && (columns - columns.round()).abs() < OFF_COLUMN
        && (-OFF_COLUMN..MAX_GAP).contains(&columns);
    // A space that was put at the end has no width.
    let written = (last.end_x - last.x) / width;
    let is_there = last.text.ends_with(' ') && (last.text.chars().count() as f32) > written + 0.5;
    fits.then(|| (columns.round() as usize).saturating_sub(usize::from(is_there)))
}

fn append(last: &mut TextSpan, next: &TextSpan, spaces: usize) {
    let mut places = places_of(last);
    last.text.extend(std::iter::repeat_n(' ', spaces));
    places.extend(std::iter::repeat_n(last.end_x, spaces));
    last.text.push_str(&next.text);
    places.extend(places_of(next));
    last.glyph_x = if keeps_glyph_x(&last.text) { places.into() } else { Box::default() };
    last.end_x = next.end_x;
    last.bbox.x1 = last.bbox.x1.max(next.bbox.x1);
}

fn is_upright(span: &TextSpan) -> bool {
    span.rotate == 0 && !span.vertical
}

fn is_on_line(last: &TextSpan, next: &TextSpan) -> bool {
    let size = last.size.abs();
    (last.y - next.y).abs() < LEVEL * size && (next.size.abs() - size).abs() < LEVEL * size
}

/// As the file itself could have said that a run is code.
fn code_element() -> Structure {
    let element = StructureElement {
        standard_type: StandardType::Code,
        object: ObjRef { num: 0, r#gen: 0 },
        revision: 0,
    };
    Structure {
        standard_type: Some(StandardType::Code),
        path: vec![element],
        attributes: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use pdfboss_output::ReadingOrder;

    use super::super::mend::tests::run;
    use super::*;

    /// Lines of which each letter is half as wide as it is high, or as wide as in print.
    fn lines(texts: &[&str], font: &str, in_print: bool) -> Vec<TextSpan> {
        let wide = |c: char| match c {
            'i' | 'l' | 't' | ' ' | '.' => 2.5,
            'm' | 'w' => 8.0,
            _ => 5.0,
        };
        let span = |(line, text): (usize, &&str)| {
            let printed: f32 = text.chars().map(wide).sum();
            let plain = run(text, 0.0, -12.0 * line as f32);
            let end_x = if in_print { printed } else { plain.end_x };
            TextSpan { font: font.to_owned(), end_x, ..plain }
        };
        texts.iter().enumerate().map(span).collect()
    }

    fn marked(spans: Vec<TextSpan>) -> Vec<TextSpan> {
        let mut pages = vec![(spans, Vec::new(), ReadingOrder::Content)];
        mark(&mut pages);
        pages.remove(0).0
    }

    fn code(spans: &[TextSpan]) -> usize {
        spans.iter().filter(|span| span.structure.is_some()).count()
    }

    const PROGRAM: &[&str] =
        &["let mut will = 1;", "while will", "limit(will)", "form.draw", "quit"];
    const PROSE: &[&str] = &[
        "The mill of the valley was built by monks",
        "who wrote about it in twenty books",
        "that nobody has read since they were lost",
    ];

    #[test]
    fn what_is_set_in_one_width_within_print_is_code() {
        let mixed = [lines(PROSE, "F1", true), lines(PROGRAM, "F2", false)].concat();
        let found = marked(mixed);
        assert_eq!(code(&found), PROGRAM.len());
        assert!(found.iter().all(|span| span.structure.is_some() == (span.font == "F2")));
    }

    #[test]
    fn a_text_that_is_all_of_one_width_is_no_code_and_neither_are_numbers_and_ideographs() {
        assert_eq!(code(&marked(lines(PROGRAM, "F2", false))), 0);
        for plain in [
            ["1234", "5678", "9012", "3456", "7890"],
            ["日本語の", "文章では", "文字の幅", "は同じで", "あるから"],
        ] {
            let mixed = [lines(PROSE, "F1", true), lines(&plain, "F2", false)].concat();
            assert_eq!(code(&marked(mixed)), 0);
        }
    }

    #[test]
    fn runs_of_a_line_of_code_keep_their_columns() {
        let parts = [("let a", 0.0), ("= 1;", 35.0), ("// one", 80.0)];
        let row = parts.map(|(text, x)| TextSpan { font: "F2".to_owned(), ..run(text, x, 20.0) });
        let all = [lines(PROSE, "F1", true), lines(PROGRAM, "F2", false), row.to_vec()].concat();
        let found = marked(all);
        let texts: Vec<&str> = found.iter().map(|span| span.text.as_str()).collect();
        assert!(texts.contains(&"let a  = 1;     // one"), "{texts:?}");
    }
}
