//! Blocks of text: what every reader of a format makes, and what is rendered.

use super::inline::{Inline, Run};

/// What a block is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A paragraph, also the lines of an address or poem.
    Paragraph,
    /// A heading of level 1 to 6.
    Heading(u8),
    /// An item of a list, nested `depth` deep (from 0), with its number if the list has numbers.
    Item {
        /// How many lists are around it, less one.
        depth: usize,
        /// The number in an ordered list.
        number: Option<u32>,
    },
    /// A further paragraph of the item before it.
    ItemRest {
        /// As for the item.
        depth: usize,
    },
    /// Preformatted text with the language it says it is in.
    Code(String),
    /// A row of a table.
    Row {
        /// The cells.
        cells: Vec<String>,
        /// Whether it heads the table.
        header: bool,
        /// Whether a table starts with it.
        first: bool,
    },
}

/// A block of text.
#[derive(Debug, Clone)]
pub(crate) struct Block {
    /// What it is.
    pub(crate) shape: Shape,
    /// How many quotations are around it.
    pub(crate) quotes: usize,
    /// The text without any markup.
    pub(crate) text: String,
    /// The text with inline Markdown.
    pub(crate) markdown: String,
    /// How many characters of the text are in links.
    pub(crate) link_chars: usize,
}

impl Block {
    /// A block whose text has no inline marks.
    pub(crate) fn plain(shape: Shape, text: &str) -> Option<Block> {
        let mut inline = Inline::new(None);
        inline.push(text);
        Block::of(shape, inline.take()?)
    }

    /// A block of a run of text.
    pub(crate) fn of(shape: Shape, run: Run) -> Option<Block> {
        let has_text = !run.text.trim().is_empty();
        has_text.then_some(Block {
            shape,
            quotes: 0,
            text: run.text,
            markdown: run.markdown,
            link_chars: run.link_chars,
        })
    }
}
