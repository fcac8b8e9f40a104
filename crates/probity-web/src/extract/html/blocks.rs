//! Parts of a tree → blocks of text: paragraphs, headings, items, rows, code.

use super::tables::{is_data_table, rows};
use super::tag::Tag;
use super::tree::{Attr, NodeId, NodeMap, Tree};
use crate::extract::block::{Block, Shape};
use crate::extract::cut_words::Compounds;
use crate::extract::inline::{Inline, Mark};
use crate::extract::table::{self, Head};

/// The blocks of some parts of a page, in order.
pub(crate) fn blocks(
    tree: &Tree,
    parts: &[NodeId],
    dropped: &NodeMap<bool>,
    base: Option<&url::Url>,
) -> Vec<Block> {
    let mut writer = Writer {
        tree,
        dropped,
        inline: Inline::new(base),
        scopes: Vec::new(),
        depths: Depths::default(),
        blocks: Vec::new(),
        term: None,
    };
    for part in parts {
        writer.write(*part);
    }
    writer.blocks
}

/// What is open around the text being written.
#[derive(Debug)]
enum Scope {
    Block,
    Heading(u8),
    List {
        next: Option<u32>,
    },
    Item {
        number: Option<u32>,
        started: bool,
    },
    /// The term of a list of definitions.
    Term,
    Quote,
    Pre {
        language: String,
    },
    Mark,
}

/// Counts of what is open, so that no question needs a walk over deep nesting.
#[derive(Default)]
struct Depths {
    lists: usize,
    quotes: usize,
    preformatted: usize,
    terms: usize,
}

impl Depths {
    fn of(&mut self, scope: &Scope) -> Option<&mut usize> {
        match scope {
            Scope::List { .. } => Some(&mut self.lists),
            Scope::Quote => Some(&mut self.quotes),
            Scope::Pre { .. } => Some(&mut self.preformatted),
            Scope::Term => Some(&mut self.terms),
            _ => None,
        }
    }
}

struct Writer<'a> {
    tree: &'a Tree,
    dropped: &'a NodeMap<bool>,
    inline: Inline<'a>,
    scopes: Vec<(NodeId, Scope)>,
    /// How many lists, quotations, preformatted texts and terms are among the scopes.
    depths: Depths,
    blocks: Vec<Block>,
    /// The number of the last block, if it is a term whose definition may follow.
    term: Option<usize>,
}

/// A longer term is a paragraph of its own.
const TERM_CHARS: usize = 200;

impl Writer<'_> {
    fn write(&mut self, part: NodeId) {
        let end = self.tree.end(part);
        let mut id = part;
        while id < end {
            self.close_until(id);
            let tag = self.tree.tag(id);
            if self.dropped.get(id) {
                if tag.is_block() {
                    self.flush();
                }
                id = self.tree.end(id);
                continue;
            }
            if tag == Tag::Table && is_data_table(self.tree, id, self.dropped) {
                self.write_table(id);
                id = self.tree.end(id);
                continue;
            }
            self.open(id, tag);
            id = id.following();
        }
        self.close_until(NodeId(u32::MAX));
        self.flush();
    }

    fn open(&mut self, id: NodeId, tag: Tag) {
        let end = self.tree.end(id);
        if tag == Tag::Text {
            if self.is_preformatted() {
                self.inline.push_raw(self.tree.text(id));
            } else {
                self.inline.push(self.tree.text(id));
            }
            return;
        }
        if self.is_preformatted() {
            // Lines of code in elements of their own are still one block.
            if tag == Tag::Br || tag.is_block() {
                self.inline.push_line();
            }
            return;
        }
        if tag == Tag::Br {
            if self.inline.push_break() {
                self.flush();
            }
            return;
        }
        if let Some(mark) = self.mark(id, tag) {
            self.inline.open(mark);
            self.enter(end, Scope::Mark);
            return;
        }
        if tag.is_block() {
            self.flush();
            let scope = self.scope(id, tag);
            self.enter(end, scope);
        }
    }

    fn is_preformatted(&self) -> bool {
        self.depths.preformatted > 0
    }

    fn enter(&mut self, end: NodeId, scope: Scope) {
        if let Some(depth) = self.depths.of(&scope) {
            *depth = depth.saturating_add(1);
        }
        self.scopes.push((end, scope));
    }

    fn scope(&mut self, id: NodeId, tag: Tag) -> Scope {
        match tag {
            Tag::Ul | Tag::Dl | Tag::Menu | Tag::Dir => Scope::List { next: None },
            Tag::Ol => {
                let start = self.tree.attr(id, Attr::Start).and_then(|n| n.trim().parse().ok());
                Scope::List { next: Some(start.unwrap_or(1)) }
            }
            Tag::Li | Tag::Dd => Scope::Item { number: self.take_number(), started: false },
            Tag::Dt => Scope::Term,
            Tag::Blockquote => Scope::Quote,
            Tag::Pre | Tag::Listing | Tag::Xmp | Tag::Plaintext => {
                Scope::Pre { language: language_of(self.tree, id) }
            }
            _ => tag.heading().map_or(Scope::Block, Scope::Heading),
        }
    }

    /// The next number of the innermost list, if it has numbers.
    fn take_number(&mut self) -> Option<u32> {
        self.scopes.iter_mut().rev().find_map(|(_, scope)| match scope {
            Scope::List { next: Some(next) } => {
                let number = *next;
                *next = next.saturating_add(1);
                Some(Some(number))
            }
            Scope::List { next: None } => Some(None),
            _ => None,
        })?
    }

    fn mark(&self, id: NodeId, tag: Tag) -> Option<Mark> {
        Some(match tag {
            Tag::Strong | Tag::B => Mark::Strong,
            Tag::Em | Tag::I | Tag::Cite | Tag::Var => Mark::Emphasis,
            Tag::Code | Tag::Kbd | Tag::Samp | Tag::Tt => Mark::Code,
            Tag::A => Mark::Link(self.tree.attr(id, Attr::Href)?.trim().to_owned()),
            Tag::Sup => Mark::Sup,
            _ => return None,
        })
    }

    fn close_until(&mut self, id: NodeId) {
        while let Some((end, _)) = self.scopes.last() {
            if *end > id {
                break;
            }
            match self.scopes.last() {
                Some((_, Scope::Mark)) => self.inline.close(),
                _ => self.flush(),
            }
            if let Some((_, scope)) = self.scopes.pop()
                && let Some(depth) = self.depths.of(&scope)
            {
                *depth = depth.saturating_sub(1);
            }
        }
    }

    /// Ends the current block, if there is any text in it.
    fn flush(&mut self) {
        let Some(run) = self.inline.take() else { return };
        let quotes = self.depths.quotes;
        let is_term = self.depths.terms > 0;
        let shape = self.shape();
        let term = self.take_term(is_term || matches!(shape, Shape::Item { .. }), quotes);
        let mut block = Block {
            shape,
            quotes,
            text: run.text,
            markdown: run.markdown,
            link_chars: run.link_chars,
        };
        if let Some(term) = term {
            block.text = with_term(&term.text, &block.text, is_term);
            block.markdown = with_term(&term.markdown, &block.markdown, is_term);
            block.link_chars = block.link_chars.saturating_add(term.link_chars);
        }
        if matches!(block.shape, Shape::Code(_)) {
            block.text = Compounds::of(&block.text).mend_lines(&block.text);
        }
        self.blocks.push(block);
        self.term = is_term.then(|| self.blocks.len().saturating_sub(1));
    }

    /// The term before the block that is being written: a definition says of what it is one, and
    /// terms of one definition are together.
    fn take_term(&mut self, wanted: bool, quotes: usize) -> Option<Block> {
        let number = self.term.take()?;
        let short = |term: &Block| term.text.chars().nth(TERM_CHARS).is_none();
        let last = self.blocks.last().filter(|term| short(term) && term.quotes == quotes);
        let fits = wanted && last.is_some() && number + 1 == self.blocks.len();
        if fits { self.blocks.pop() } else { None }
    }

    /// The shape that the innermost scopes give to text.
    fn shape(&mut self) -> Shape {
        let depth = self.depths.lists.saturating_sub(1);
        for (_, scope) in self.scopes.iter_mut().rev() {
            match scope {
                Scope::Heading(level) => return Shape::Heading(*level),
                Scope::Pre { language } => return Shape::Code(language.clone()),
                Scope::Item { started: true, .. } => return Shape::ItemRest { depth },
                Scope::Item { number, started } => {
                    *started = true;
                    return Shape::Item { depth, number: *number };
                }
                Scope::List { .. } | Scope::Block | Scope::Quote | Scope::Mark | Scope::Term => {}
            }
        }
        Shape::Paragraph
    }

    fn write_table(&mut self, node: NodeId) {
        self.flush();
        let quotes = self.depths.quotes;
        for mut block in table::blocks(rows(self.tree, node, self.dropped), Head::Unmarked) {
            block.quotes = quotes;
            self.blocks.push(block);
        }
    }
}

/// A term and what follows it: another term of the same definition, or the definition.
fn with_term(term: &str, rest: &str, is_term: bool) -> String {
    let term = term.trim();
    let between = match () {
        () if is_term => ", ",
        () if term.ends_with([':', '.', '?', '!', ',', ';']) => " ",
        () => ": ",
    };
    format!("{term}{between}{}", rest.trim_start())
}

/// The language that a code block says it is in.
fn language_of(tree: &Tree, pre: NodeId) -> String {
    let named = |id: NodeId| {
        let class = tree.attr(id, Attr::Class)?;
        class.split_ascii_whitespace().find_map(|name| {
            let language = name
                .strip_prefix("language-")
                .or_else(|| name.strip_prefix("lang-"))
                .or_else(|| name.strip_prefix("highlight-source-"))?;
            let plain = language.len() <= 20
                && language
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '#'));
            plain.then(|| language.to_owned())
        })
    };
    named(pre)
        .or_else(|| tree.children(pre).find(|c| tree.tag(*c) == Tag::Code).and_then(named))
        .or_else(|| named(tree.parent(pre)))
        .unwrap_or_default()
}
