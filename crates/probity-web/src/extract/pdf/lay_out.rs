//! Runs of text on pages → blocks in reading order, and where each page begins.

use std::collections::HashSet;

use pdfboss_output::{
    Block as Laid, Cell, Line, Marker, Role, TextSpan, document_layout_with_rulings,
};
use probity_core::{Document, Heading};

use super::Window;
use super::listing::{self, Piece};
use super::normalise::normalise;
use super::one_width;
use super::running::{drop_running, is_page_number};
use super::{bullets, headings};
use crate::extract::block::{Block, Shape};
use crate::extract::budget::{Budget, Spent};
use crate::extract::cut_words::Compounds;
use crate::extract::inline::{Inline, Mark};
use crate::extract::lists::Lists;
use crate::extract::render;
use crate::extract::table::{self, Head, Row};

const HYPHENS: [char; 2] = ['-', '\u{2010}'];
/// The fewest letters that show that a line is set in capitals.
const CAPITALS: usize = 12;

/// Pages that were laid out, as text.
#[derive(Default)]
pub(super) struct Pages {
    text: String,
    blocks: Vec<Block>,
    starts: Vec<usize>,
    headings: Vec<Heading>,
    lists: Lists,
    /// The slanted lines of the page before.
    slanted: Vec<String>,
}

impl Pages {
    /// Lays out the next pages. Sizes and running heads are compared within them.
    ///
    /// # Errors
    /// When the document's text is used up; the pages before are kept.
    pub(super) fn add(&mut self, mut pages: Window, budget: &Budget) -> Result<(), Spent> {
        drop_running(&mut pages.runs);
        one_width::mark(&mut pages.runs);
        let mut layouts = document_layout_with_rulings(&pages.runs);
        headings::demote(&mut layouts);
        for ((layout, slanted), (spans, ..)) in
            layouts.into_iter().zip(pages.slanted).zip(&pages.runs)
        {
            let cut = cut_words(spans);
            let pieces = listing::pieces(bullets::itemise(layout.blocks));
            let mut blocks: Vec<Block> =
                pieces.iter().flat_map(|piece| blocks_of(piece, &cut)).collect();
            // What is on the page before too is a watermark, as a running head is one line of many.
            let new = slanted.iter().filter(|line| !self.slanted.contains(line));
            blocks.extend(new.filter_map(|line| Block::plain(Shape::Paragraph, &normalise(line))));
            self.slanted = slanted;
            let page = render::text(&blocks);
            budget.take_text(page.len())?;
            if !self.text.is_empty() && !page.is_empty() {
                self.text.push('\n');
            }
            let start = self.text.len();
            self.starts.push(start);
            self.headings.extend(render::headings(&blocks, start));
            self.lists.push(&blocks, start);
            self.text.push_str(&page);
            self.blocks.extend(blocks);
        }
        Ok(())
    }

    /// The text with its structure, and its blocks.
    pub(super) fn finish(self) -> (Document, Vec<Block>) {
        let document = Document {
            markdown: render::markdown(&self.blocks),
            text: self.text,
            page_starts: self.starts,
            headings: self.headings,
            lists: self.lists.finish(),
            ..Document::default()
        };
        (document, self.blocks)
    }
}

fn blocks_of(piece: &Piece, cut: &HashSet<&str>) -> Vec<Block> {
    match piece {
        Piece::Laid(laid) => blocks(laid, cut),
        Piece::Code(lines) => code(lines).into_iter().collect(),
    }
}

/// A listing, its lines as they are.
fn code(lines: &[Line]) -> Option<Block> {
    let text = listing::text(lines);
    let mut inline = Inline::new(None);
    inline.push_raw(&normalise(&Compounds::of(&text).mend_lines(&text)));
    Block::of(Shape::Code(String::new()), inline.take()?)
}

fn blocks(laid: &Laid, cut: &HashSet<&str>) -> Vec<Block> {
    match laid {
        // Heads and feet are gone already; what is left repeats but for its numbers, as rows of tables do.
        Laid::Paragraph { role: Role::PageHeader | Role::PageFooter, lines, .. }
            if lines.iter().all(|line| is_page_number(&line_text(line))) =>
        {
            Vec::new()
        }
        Laid::Paragraph { lines, role, .. } => {
            let mut block = block(Shape::Paragraph, lines, 0);
            if let Some(block) = &mut block {
                block.quotes = usize::from(*role == Role::Quote);
            }
            block.into_iter().collect()
        }
        Laid::Heading { level, lines, .. } => {
            block(Shape::Heading((*level).clamp(1, 6)), lines, 0).into_iter().collect()
        }
        Laid::List { items, .. } => items
            .iter()
            .filter_map(|item| {
                let number = match item.marker {
                    Marker::Number(number) => Some(number),
                    Marker::Bullet => None,
                };
                block(Shape::Item { depth: 0, number }, &item.lines, item.marker_len)
            })
            .collect(),
        Laid::Table { rows, .. } => {
            let rows =
                rows.iter().map(|row| Row::plain(row.iter().map(|one| cell(one, cut)).collect()));
            table::blocks(rows.collect(), Head::Unmarked)
        }
    }
}

/// The words at the ends of runs that end with a hyphen.
fn cut_words(spans: &[TextSpan]) -> HashSet<&str> {
    let ends = spans.iter().map(|span| span.text.trim_end()).filter(|text| text.ends_with(HYPHENS));
    ends.filter_map(|text| text.split_whitespace().next_back()).collect()
}

/// The text of a cell, whose lines are one already; a line ended where one of its `cut` words stands.
fn cell(cell: &Cell, cut: &HashSet<&str>) -> String {
    let text = cell.line.as_ref().map(line_text).unwrap_or_default();
    let mut whole = String::with_capacity(text.len());
    let mut words = text.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let next = words.peek().and_then(|next| next.chars().next());
        let (rest, joined) = match cut.contains(word) {
            true => line_end(word, next),
            false => (word, next.is_none()),
        };
        whole.push_str(&normalise(rest));
        if !joined {
            whole.push(' ');
        }
    }
    whole.trim_end().to_owned()
}

pub(super) fn line_text(line: &Line) -> String {
    line.inlines.iter().map(|inline| inline.text.as_str()).collect()
}

/// The lines as one block: words that a line end has cut are whole again.
fn block(shape: Shape, lines: &[Line], skip: usize) -> Option<Block> {
    let mut inline = Inline::new(None);
    let mut skip = skip;
    let mut lines = lines.iter().peekable();
    while let Some(line) = lines.next() {
        let next_start = lines.peek().and_then(|next| line_text(next).trim_start().chars().next());
        let count = line.inlines.len();
        for (index, piece) in line.inlines.iter().enumerate() {
            let from = piece.text.char_indices().nth(skip).map_or(piece.text.len(), |(at, _)| at);
            skip = skip.saturating_sub(piece.text.chars().count());
            let mut text = piece.text.get(from..).unwrap_or_default();
            if index.saturating_add(1) == count {
                (text, _) = line_end(text, next_start);
            }
            let mark = if piece.bold && !matches!(shape, Shape::Heading(_)) {
                Some(Mark::Strong)
            } else if piece.italic {
                Some(Mark::Emphasis)
            } else {
                None
            };
            let marked = mark.map(|mark| inline.open(mark)).is_some();
            inline.push(&normalise(text));
            if marked {
                inline.close();
            }
        }
        let text = line_text(line);
        if !line_end(&text, next_start).1 {
            inline.push(" ");
        }
    }
    Block::of(shape, inline.take()?)
}

/// A line without a hyphen at its end that only the line end has put there, and whether the next line, which begins
/// with a letter, goes on with its last word.
fn line_end(text: &str, next: Option<char>) -> (&str, bool) {
    let trimmed = text.trim_end();
    if trimmed.ends_with('\u{ad}') || is_ideographic(trimmed.chars().next_back(), next) {
        return (text, true);
    }
    let Some(stem) = trimmed.strip_suffix(HYPHENS) else { return (text, false) };
    let between =
        |is: fn(char) -> bool| stem.chars().next_back().is_some_and(is) && next.is_some_and(is);
    let cuts_word =
        between(char::is_lowercase) || (between(char::is_uppercase) && is_capitals(stem));
    if cuts_word {
        return (stem, true);
    }
    // The hyphen of a word that has one: UTF-8, Baden-Baden.
    let is_compound = between(char::is_alphanumeric);
    (if is_compound { trimmed } else { text }, is_compound)
}

/// Whether a line is set in capitals, so that a hyphen in it says no more than one between small letters.
fn is_capitals(line: &str) -> bool {
    let letters = line.chars().filter(|c| c.is_alphabetic()).count();
    letters >= CAPITALS && !line.chars().any(char::is_lowercase)
}

fn is_ideographic(last: Option<char>, next: Option<char>) -> bool {
    let wide = |c: char| matches!(c, '\u{3000}'..='\u{9fff}' | '\u{ff00}'..='\u{ffef}');
    last.is_some_and(wide) && next.is_some_and(wide)
}

#[cfg(test)]
mod tests {
    use pdfboss_output::Inline as Inlined;

    use super::*;

    #[test]
    fn a_hyphen_that_cuts_a_word_goes() {
        let joined = |text: &str, next: char| line_end(text, Some(next)).0.to_owned();
        assert_eq!(joined("the negli-", 'g'), "the negli");
        assert_eq!(joined("NO WARRANTY, NOT EVEN IM-", 'P'), "NO WARRANTY, NOT EVEN IM");
        assert_eq!(joined("a text in UTF-", 'E'), "a text in UTF-");
        assert_eq!(joined("the Baden-", 'W'), "the Baden-");
    }

    #[test]
    fn a_word_with_a_hyphen_goes_on_in_the_next_line() {
        assert_eq!(line_end("a text in UTF- ", Some('8')), ("a text in UTF-", true));
        assert_eq!(line_end("a text - ", Some('e')), ("a text - ", false));
        assert_eq!(line_end("a text", Some('e')), ("a text", false));
    }

    #[test]
    fn a_cell_has_no_hyphens_of_line_ends() {
        let inline =
            |text: &str| Inlined { text: text.to_owned(), bold: false, italic: false, code: false };
        let line = |text: &str| Line {
            inlines: vec![inline(text)],
            y: 0.0,
            x: 0.0,
            end_x: 0.0,
            size: 10.0,
        };
        let cell = |text: &str| {
            let one = Cell { line: Some(line(text)), colspan: 1, rowspan: 1 };
            super::cell(&one, &HashSet::from(["er-", "UTF-"]))
        };
        assert_eq!(cell("Transport er- ror."), "Transport error.");
        assert_eq!(cell("UTF- 8 text"), "UTF-8 text");
        assert_eq!(cell("pre- and post-war"), "pre- and post-war");
    }
}
