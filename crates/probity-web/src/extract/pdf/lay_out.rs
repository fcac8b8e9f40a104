//! Runs of text on pages → blocks in reading order, and where each page begins.

use pdfboss_output::{Block as Laid, Cell, Line, Marker, Role, document_layout_with_rulings};
use probity_core::{Document, Heading};

use super::Window;
use super::normalise::normalise;
use crate::extract::block::{Block, Shape};
use crate::extract::budget::{Budget, Spent};
use crate::extract::inline::{Inline, Mark};
use crate::extract::lists::Lists;
use crate::extract::render;
use crate::extract::table::{self, Head, Row};

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
    pub(super) fn add(&mut self, pages: Window, budget: &Budget) -> Result<(), Spent> {
        let layouts = document_layout_with_rulings(&pages.runs);
        for (layout, slanted) in layouts.into_iter().zip(pages.slanted) {
            let mut blocks: Vec<Block> = layout.blocks.iter().flat_map(blocks).collect();
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

fn blocks(laid: &Laid) -> Vec<Block> {
    match laid {
        Laid::Paragraph { role: Role::PageHeader | Role::PageFooter, .. } => Vec::new(),
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
            let rows = rows.iter().map(|row| Row::plain(row.iter().map(cell).collect()));
            table::blocks(rows.collect(), Head::Unmarked)
        }
    }
}

fn cell(cell: &Cell) -> String {
    let text = cell.line.as_ref().map(line_text).unwrap_or_default();
    normalise(&text).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn line_text(line: &Line) -> String {
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
                text = without_hyphen(text, next_start);
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
        let joined = text.trim_end().ends_with('\u{ad}')
            || without_hyphen(&text, next_start).len() < text.trim_end().len()
            || is_ideographic(text.trim_end().chars().next_back(), next_start);
        if !joined {
            inline.push(" ");
        }
    }
    Block::of(shape, inline.take()?)
}

/// The text without a hyphen at its end that only the line end has put there.
fn without_hyphen(text: &str, next: Option<char>) -> &str {
    let trimmed = text.trim_end();
    let Some(stem) = trimmed.strip_suffix(['-', '\u{2010}']) else { return text };
    let between =
        |is: fn(char) -> bool| stem.chars().next_back().is_some_and(is) && next.is_some_and(is);
    let cuts_word =
        between(char::is_lowercase) || (between(char::is_uppercase) && is_capitals(stem));
    if cuts_word { stem } else { text }
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
    use super::*;

    #[test]
    fn a_hyphen_that_cuts_a_word_goes() {
        let joined = |text: &str, next: char| without_hyphen(text, Some(next)).to_owned();
        assert_eq!(joined("the negli-", 'g'), "the negli");
        assert_eq!(joined("NO WARRANTY, NOT EVEN IM-", 'P'), "NO WARRANTY, NOT EVEN IM");
        assert_eq!(joined("a text in UTF-", 'E'), "a text in UTF-");
        assert_eq!(joined("the Baden-", 'W'), "the Baden-");
    }
}
