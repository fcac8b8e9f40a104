//! Laid out blocks → code, line by line, and what is between it.

use pdfboss_output::{BBox, Block, Line, ListItem, Role};

use super::lay_out::line_text;
use crate::extract::text::is_wrapped;

/// A line is one of code where this share of its letters and signs is, and its first is.
const CODE: f32 = 0.8;
/// The fewest lines of code between two lines of a sentence that are a listing.
const WITHIN: usize = 2;
/// Of full lines this share of the words is letters or digits alone where they are prose.
const WORDS: f32 = 0.9;
/// The step, in sizes, from which on a line is empty between two others.
const EMPTY_LINE: f32 = 1.6;

/// What a page is made of.
pub(super) enum Piece {
    /// As it was laid out.
    Laid(Block),
    /// Lines of a listing.
    Code(Vec<Line>),
}

/// Takes the lines of code out of blocks. What is set in a font of one width within a sentence stays there.
pub(super) fn pieces(blocks: Vec<Block>) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::with_capacity(blocks.len());
    for piece in blocks.into_iter().flat_map(parted) {
        match (pieces.last_mut(), piece) {
            (Some(Piece::Code(lines)), Piece::Code(more)) if is_below(lines, &more) => {
                lines.extend(more);
            }
            (_, piece) => pieces.push(piece),
        }
    }
    pieces
}

/// The lines with the columns in which they begin, and an empty line where one is.
pub(super) fn text(lines: &[Line]) -> String {
    let left = lines.iter().map(|line| line.x).fold(f32::MAX, f32::min);
    let mut text = String::new();
    let mut before: Option<&Line> = None;
    for line in lines {
        let written = line_text(line);
        let width = (line.end_x - line.x) / written.chars().count().max(1) as f32;
        let indent = ((line.x - left) / width).round();
        if let Some(before) = before {
            text.push('\n');
            if before.y - line.y > EMPTY_LINE * before.size {
                text.push('\n');
            }
        }
        // A float that is no number becomes none.
        text.extend(std::iter::repeat_n(' ', indent as usize));
        text.push_str(written.trim_end());
        before = Some(line);
    }
    text
}

fn parted(block: Block) -> Vec<Piece> {
    match block {
        Block::Paragraph { lines, bbox, role: Role::Body } => {
            let paragraph =
                |lines: Vec<Line>| Block::Paragraph { bbox: bbox.clone(), lines, role: Role::Body };
            stretches(lines).into_iter().map(|stretch| stretch.piece(paragraph)).collect()
        }
        Block::List { items, bbox } => {
            items.into_iter().flat_map(|item| of_item(item, &bbox)).collect()
        }
        block => vec![Piece::Laid(block)],
    }
}

/// A list's item as a list of its own, and the listings in it.
fn of_item(item: ListItem, bbox: &BBox) -> Vec<Piece> {
    let ListItem { marker, marker_len, lines, bbox: own } = item;
    let mut first = Some((marker, marker_len));
    let block = |lines: Vec<Line>| match first.take() {
        Some((marker, marker_len)) => Block::List {
            items: vec![ListItem { marker, marker_len, lines, bbox: own.clone() }],
            bbox: bbox.clone(),
        },
        None => Block::Paragraph { lines, bbox: bbox.clone(), role: Role::Body },
    };
    let mut block = block;
    stretches(lines).into_iter().map(|stretch| stretch.piece(&mut block)).collect()
}

/// Lines that follow each other, of a listing or not.
struct Stretch {
    lines: Vec<Line>,
    is_code: bool,
}

impl Stretch {
    fn piece(self, mut laid: impl FnMut(Vec<Line>) -> Block) -> Piece {
        if self.is_code { Piece::Code(self.lines) } else { Piece::Laid(laid(self.lines)) }
    }
}

fn stretches(lines: Vec<Line>) -> Vec<Stretch> {
    let mut all: Vec<Stretch> = Vec::new();
    for line in lines {
        let is_code = is_code(&line);
        match all.last_mut() {
            Some(last) if last.is_code == is_code => last.lines.push(line),
            _ => all.push(Stretch { lines: vec![line], is_code }),
        }
    }
    let alone = all.len() == 1;
    let mut settled: Vec<Stretch> = Vec::with_capacity(all.len());
    for mut stretch in all {
        stretch.is_code &= is_listing(&stretch.lines, alone);
        match settled.last_mut() {
            Some(last) if last.is_code == stretch.is_code => last.lines.extend(stretch.lines),
            _ => settled.push(stretch),
        }
    }
    settled
}

/// Whether lines of code are a listing: not a line of a sentence that is full of names, and no prose.
fn is_listing(lines: &[Line], alone: bool) -> bool {
    let texts: Vec<String> = lines.iter().map(line_text).collect();
    let texts: Vec<&str> = texts.iter().map(|text| text.trim()).collect();
    (alone || lines.len() >= WITHIN)
        && !(is_wrapped(&texts) && are_even(&texts) && are_words(&texts))
}

/// Whether no gap in the lines is wider than one blank: columns of a listing may have two.
fn are_even(lines: &[&str]) -> bool {
    lines.iter().all(|line| !line.trim_end().contains("  "))
}

/// Whether lines are words and numbers with the marks of sentences, next to nothing else.
fn are_words(lines: &[&str]) -> bool {
    let is_word = |word: &&str| {
        let bare = word.trim_matches(|c| ".,;:!?()\"'“”‘’„«»-–—".contains(c));
        let is_inner = |c: char| c.is_alphanumeric() || matches!(c, '-' | '\'' | '’');
        !bare.is_empty() && bare.chars().all(is_inner)
    };
    let words: Vec<&str> = lines.iter().flat_map(|line| line.split_whitespace()).collect();
    let count = words.iter().filter(|word| is_word(word)).count();
    count as f32 >= WORDS * words.len() as f32
}

fn is_code(line: &Line) -> bool {
    let (mut all, mut code) = (0, 0);
    let mut first = None;
    for piece in &line.inlines {
        let visible = piece.text.chars().filter(|c| !c.is_whitespace()).count();
        all += visible;
        code += if piece.code { visible } else { 0 };
        first = first.or((visible > 0).then_some(piece.code));
    }
    first == Some(true) && code as f32 >= CODE * all as f32
}

/// Whether lines go on below others, in the same column of the page.
fn is_below(lines: &[Line], more: &[Line]) -> bool {
    match (lines.last(), more.first()) {
        (Some(last), Some(next)) => {
            next.y < last.y && next.x < last.end_x.max(last.x + last.size) + last.size
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use pdfboss_output::Inline;

    use super::*;

    const BOX: BBox = BBox { x0: 0.0, y0: 0.0, x1: 0.0, y1: 0.0 };

    /// A line in columns of 5; of code where it begins with `>` or a quotation mark.
    fn line(text: &str, number: usize) -> Line {
        let code = text.trim_start().starts_with(['>', '“']);
        let x = 5.0 * (text.len() - text.trim_start().len()) as f32;
        let text = text.trim_start().to_owned();
        let end_x = x + 5.0 * text.len() as f32;
        let piece = Inline { text, bold: false, italic: false, code };
        Line { inlines: vec![piece], y: -12.0 * number as f32, x, end_x, size: 10.0 }
    }

    fn told(texts: &[&str]) -> Vec<String> {
        let lines = texts.iter().enumerate().map(|(number, text)| line(text, number)).collect();
        let block = Block::Paragraph { lines, bbox: BOX, role: Role::Body };
        let of = |piece: &Piece| match piece {
            Piece::Code(lines) => format!("```{}", text(lines)),
            Piece::Laid(Block::Paragraph { lines, .. }) => {
                lines.iter().map(line_text).collect::<Vec<_>>().join(" ")
            }
            Piece::Laid(block) => format!("{block:?}"),
        };
        pieces(vec![block]).iter().map(of).collect()
    }

    #[test]
    fn a_listing_keeps_its_lines_and_columns() {
        assert_eq!(
            told(&["For example,", "  >f <- function(x) {", "    >x + 1", "  >}", "adds one."]),
            ["For example,", "```>f <- function(x) {\n  >x + 1\n>}", "adds one."]
        );
        assert_eq!(told(&[">plot(x)"]), ["```>plot(x)"]);
    }

    #[test]
    fn a_line_of_names_within_a_sentence_stays_in_it() {
        let sentence = ["It is drawn by", ">spatstat.geom::plot", "as below."];
        assert_eq!(told(&sentence), [sentence.join(" ")]);
    }

    #[test]
    fn prose_in_a_font_of_one_width_is_prose() {
        let prose = [
            "“This program is free software, and everybody may give it to others",
            "“as long as this notice stands in all copies and in its papers and",
            "“nothing is taken away.",
        ];
        assert_eq!(told(&prose), [prose.join(" ")]);
    }

    #[test]
    fn full_lines_of_a_program_are_no_prose() {
        let program =
            [">save.em <- harbour(tide = tide, label = label, miss = c(0, NA))", ">names(save.em)"];
        assert_eq!(told(&program), [format!("```{}", program.join("\n"))]);
    }

    #[test]
    fn an_empty_line_of_a_listing_stays_and_another_column_is_another_listing() {
        let far = |number: usize, x: f32| Line { x, end_x: x + 40.0, ..line(">draw(x)", number) };
        let listing = |lines: Vec<Line>| Block::Paragraph { lines, bbox: BOX, role: Role::Body };
        let found = pieces(vec![listing(vec![line(">a", 0)]), listing(vec![line(">b", 2)])]);
        let [Piece::Code(lines)] = found.as_slice() else { panic!("two listings") };
        assert_eq!(text(lines), ">a\n\n>b");
        let found = pieces(vec![listing(vec![far(5, 0.0)]), listing(vec![far(0, 300.0)])]);
        assert_eq!(found.len(), 2);
    }
}
