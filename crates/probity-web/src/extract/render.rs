//! Blocks → plain text and Markdown.

use std::ops::Range;

use probity_core::{Document, Heading};

use super::block::{Block, Shape};
use super::lists::Lists;

/// A document that is written, whole or piece by piece, so that its blocks need not be kept.
#[derive(Default)]
pub(crate) struct Written {
    /// The text so far.
    pub(crate) text: String,
    markdown: String,
    headings: Vec<Heading>,
    lists: Lists,
}

impl Written {
    /// What blocks say.
    pub(crate) fn of(blocks: &[Block]) -> Written {
        let mut written = Written::default();
        written.push(blocks);
        written
    }

    /// Appends blocks; rows that go on with a table stay in it.
    pub(crate) fn push(&mut self, blocks: &[Block]) {
        let Some(first) = blocks.first() else { return };
        let goes_on = matches!(first.shape, Shape::Row { first: false, .. });
        let text = text(blocks);
        let start = self.start_of(&text);
        self.headings.extend(headings(blocks, start));
        self.lists.push(blocks, start);
        self.append(&text, &markdown(blocks), if goes_on { "\n" } else { "\n\n" });
    }

    /// Appends a document that was read by itself.
    pub(crate) fn push_document(&mut self, document: &Document) {
        let start = self.start_of(&document.text);
        self.headings.extend(document.headings.iter().map(|heading| heading.moved(start)));
        self.lists.push_found(document.lists.iter().map(|list| list.clone().moved(start)));
        self.append(&document.text, &document.markdown, "\n\n");
    }

    /// The text with its structure, as a document of which nothing else is known.
    pub(crate) fn into_document(self) -> Document {
        Document {
            text: self.text,
            markdown: self.markdown,
            headings: self.headings,
            lists: self.lists.finish(),
            ..Document::default()
        }
    }

    /// Where a text begins that is appended.
    fn start_of(&self, text: &str) -> usize {
        self.text.len() + usize::from(!self.text.is_empty() && !text.is_empty())
    }

    fn append(&mut self, text: &str, markdown: &str, between: &str) {
        if !self.text.is_empty() && !text.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(text);
        if !self.markdown.is_empty() && !markdown.is_empty() {
            self.markdown.push_str(between);
        }
        self.markdown.push_str(markdown);
    }
}

/// The text, one block a line. A row that heads a table has no line: the others carry what it says.
pub(crate) fn text(blocks: &[Block]) -> String {
    let mut text = String::with_capacity(blocks.iter().map(|b| b.text.len() + 1).sum());
    for block in blocks.iter().filter(|block| !block.text.is_empty()) {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(line(block));
    }
    text
}

fn line(block: &Block) -> &str {
    block.text.trim_matches(['\n', ' '])
}

/// Each block of [`text`] with its place, where the first of them begins at `start`.
pub(crate) fn lines(
    blocks: &[Block],
    start: usize,
) -> impl Iterator<Item = (&Block, Range<usize>)> {
    let mut end = start;
    blocks.iter().filter(|block| !block.text.is_empty()).map(move |block| {
        let from = end + usize::from(end > start);
        end = from + line(block).len();
        (block, from..end)
    })
}

/// The headings of [`text`] and where they stand in it.
pub(crate) fn headings(blocks: &[Block], start: usize) -> impl Iterator<Item = Heading> {
    lines(blocks, start).filter_map(|(block, line)| match block.shape {
        Shape::Heading(level) if !line.is_empty() => Some(Heading { start: line.start, level }),
        _ => None,
    })
}

/// Where pages begin in [`text`], of which the first blocks are given.
pub(crate) fn page_starts(blocks: &[Block], pages: &[usize]) -> Vec<usize> {
    let of = |from: usize, to: usize| text(blocks.get(from..to).unwrap_or_default());
    let ends = pages.iter().skip(1).copied().chain([blocks.len()]);
    let mut length = of(0, pages.first().copied().unwrap_or(0)).len();
    let start = |(from, to): (&usize, usize)| {
        let text = of(*from, to);
        let start = length.saturating_add(usize::from(length > 0 && !text.is_empty()));
        length = start.saturating_add(text.len());
        start
    };
    pages.iter().zip(ends).map(start).collect()
}

/// The text as Markdown.
pub(crate) fn markdown(blocks: &[Block]) -> String {
    let mut out = String::new();
    let mut previous: Option<&Block> = None;
    for (index, block) in blocks.iter().enumerate() {
        if let Some(previous) = previous {
            out.push('\n');
            if !is_tight(previous, block) {
                push_quoted(&mut out, "", previous.quotes.min(block.quotes));
            }
        }
        let next_row = blocks.get(index.saturating_add(1));
        push_quoted(&mut out, &one(block, next_row), block.quotes);
        previous = Some(block);
    }
    out.truncate(out.trim_end().len());
    out
}

/// Items of one list and rows of one table have no empty line between them.
fn is_tight(previous: &Block, block: &Block) -> bool {
    if previous.quotes != block.quotes {
        return false;
    }
    match (&previous.shape, &block.shape) {
        (Shape::Row { .. }, Shape::Row { first, .. }) => !first,
        (Shape::Item { .. } | Shape::ItemRest { .. }, Shape::Item { .. }) => true,
        _ => false,
    }
}

fn push_quoted(out: &mut String, lines: &str, quotes: usize) {
    let prefix = "> ".repeat(quotes.min(MAX_QUOTES));
    for line in lines.split('\n') {
        out.push_str(&prefix);
        out.push_str(line);
        out.truncate(out.trim_end_matches(' ').len().max(out.len().saturating_sub(2)));
        out.push('\n');
    }
    out.pop();
    if lines.is_empty() {
        out.truncate(out.trim_end_matches(' ').len());
        out.push('\n');
    }
}

/// Deeper quotations look alike.
const MAX_QUOTES: usize = 5;
/// Deeper lists look alike.
const MAX_INDENT: usize = 8;

/// One block in Markdown, without quotation marks.
fn one(block: &Block, _next: Option<&Block>) -> String {
    match &block.shape {
        Shape::Paragraph => guard_line_start(&block.markdown),
        Shape::Heading(level) => {
            format!("{} {}", "#".repeat(usize::from(*level)), block.markdown.replace("  \n", " "))
        }
        Shape::Item { depth, number } => {
            let indent = "  ".repeat((*depth).min(MAX_INDENT));
            let sign = number.map_or_else(|| "-".to_owned(), |number| format!("{number}."));
            format!("{indent}{sign} {}", block.markdown.replace("  \n", " "))
        }
        Shape::ItemRest { depth } => {
            let indent = "  ".repeat((*depth).min(MAX_INDENT));
            format!("{indent}  {}", block.markdown.replace("  \n", " "))
        }
        Shape::Code(language) => {
            let fence = if block.text.contains("```") { "~~~~" } else { "```" };
            format!("{fence}{language}\n{}\n{fence}", block.text.trim_matches('\n'))
        }
        Shape::Row { cells, header, first } => row(cells, *header, *first),
    }
}

fn row(cells: &[String], header: bool, first: bool) -> String {
    let line = |cells: &mut dyn Iterator<Item = String>| {
        let mut line = String::from("|");
        for cell in cells {
            line.push(' ');
            line.push_str(&cell);
            line.push_str(" |");
        }
        line
    };
    let written = line(&mut cells.iter().map(|cell| cell.replace('|', "\\|").replace('\n', " ")));
    if !first {
        return written;
    }
    let rule = line(&mut cells.iter().map(|_| "---".to_owned()));
    if header {
        format!("{written}\n{rule}")
    } else {
        format!("{}\n{rule}\n{written}", line(&mut cells.iter().map(|_| String::new())))
    }
}

/// Keeps the start of a paragraph from being read as a heading, an item, a quotation or a rule.
fn guard_line_start(markdown: &str) -> String {
    let special = markdown.starts_with(['#', '>', '+', '=', '|'])
        || markdown.starts_with("- ")
        || markdown.starts_with("---");
    let digits = markdown.chars().take_while(char::is_ascii_digit).count();
    let after = markdown.get(digits..).unwrap_or_default();
    if special {
        format!("\\{markdown}")
    } else if (1..=9).contains(&digits) && (after.starts_with(". ") || after.starts_with(") ")) {
        format!("{}\\{after}", markdown.get(..digits).unwrap_or_default())
    } else {
        markdown.to_owned()
    }
}
