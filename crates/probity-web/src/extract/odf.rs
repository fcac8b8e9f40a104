//! OpenDocument texts, sheets and slides → paragraphs, headings, lists, tables and notes.

mod hidden;
mod table;

use probity_core::Document;
use quick_xml::events::BytesStart;

use self::hidden::Hidden;
use self::table::Table;
use super::block::{Block, Shape};
use super::budget::{Budget, Spent};
use super::dates::{Order, first_date};
use super::detect_language;
use super::inline::Inline;
use super::package::{Package, Piece, attribute, field, walk};
use super::render::{Written, page_starts};

/// What is no text of the document: changes that were taken back, remarks, speakers' notes, other scripts of names.
const UNSEEN: &[&str] = &[
    "tracked-changes",
    "annotation",
    "notes",
    "ruby-text",
    "forms",
    "database-ranges",
    "named-expressions",
    "note-citation",
];

/// Reads an OpenDocument file.
///
/// # Errors
/// When the archive is broken, or unpacks to more than is read.
pub(super) fn read(bytes: &[u8], budget: &Budget) -> Result<Document, String> {
    let mut package = Package::open(bytes, budget)?;
    let content = package.part("content.xml")?;
    let about = package.part("meta.xml").unwrap_or_default();
    let mut body = Body { inline: Some(Inline::new(None)), ..Body::default() };
    walk(&content, budget, |piece| match piece {
        Piece::Start(start) => body.start(start),
        Piece::End(name) => body.end(name),
        Piece::Text(text) => body.text(text),
    })?;
    body.flush();
    let Body { blocks, pages, has_cut_table, .. } = body;
    if has_cut_table {
        budget.cut(Spent::Table);
    }
    let date = |name: &str| field(&about, name).and_then(|text| first_date(&text, Order::DayFirst));
    let written = Written::of(&blocks);
    let heading = blocks.iter().find(|block| matches!(block.shape, Shape::Heading(_)));
    let title = field(&about, "title").or_else(|| heading.map(|block| block.text.clone()));
    Ok(Document {
        title: super::html::one_line(&title.unwrap_or_default(), 300),
        byline: field(&about, "creator").or_else(|| field(&about, "initial-creator")),
        published: date("creation-date"),
        updated: date("date"),
        lang: detect_language(&written.text),
        page_starts: page_starts(&blocks, &pages),
        ..written.into_document()
    })
}

/// The body while it is read.
#[derive(Default)]
struct Body {
    blocks: Vec<Block>,
    inline: Option<Inline<'static>>,
    heading: Option<u8>,
    lists: usize,
    item_begun: bool,
    in_paragraph: usize,
    unseen: usize,
    hidden: Hidden,
    /// Its tables are sheets, whose names people see.
    has_sheets: bool,
    /// The first block of each slide.
    pages: Vec<usize>,
    /// The frame that is read holds the title of a slide.
    in_title: bool,
    tables: Vec<Table>,
    /// A table has more columns than are read.
    has_cut_table: bool,
    /// The paragraph around the note that is read, and the level of its heading.
    around: Option<(Inline<'static>, Option<u8>)>,
    /// The notes of the paragraph or the table that is read.
    notes: Vec<Block>,
}

impl Body {
    fn start(&mut self, start: &BytesStart<'_>) {
        let name = start.local_name();
        let name = name.as_ref();
        self.hidden.read(name, start);
        if name == "page" {
            self.flush();
            self.pages.push(self.blocks.len());
        }
        if self.unseen > 0 || UNSEEN.contains(&name) || self.hidden.has(name, start) {
            self.unseen = self.unseen.saturating_add(1);
            return;
        }
        match name {
            "spreadsheet" => self.has_sheets = true,
            "frame" => {
                self.in_title = attribute(start, "class").is_some_and(|class| class == "title");
            }
            "p" | "h" => {
                self.flush();
                self.in_paragraph = self.in_paragraph.saturating_add(1);
                let level = attribute(start, "outline-level").and_then(|level| level.parse().ok());
                self.heading = (name == "h").then(|| level.unwrap_or(1_u8).clamp(1, 6));
            }
            "list" => self.lists = self.lists.saturating_add(1),
            "list-item" => self.item_begun = false,
            "s" | "tab" => self.push(" "),
            "line-break" => {
                if let Some(inline) = &mut self.inline {
                    inline.push_break();
                }
            }
            "table" => {
                self.flush();
                let is_sheet = self.has_sheets && self.tables.is_empty();
                let name = attribute(start, "name").filter(|_| is_sheet);
                self.tables.push(Table::new(name));
            }
            "table-header-rows" => self.set_head(true),
            "table-cell" | "covered-table-cell" => {
                if let Some(table) = self.tables.last_mut() {
                    table.begin_cell(start, name == "covered-table-cell");
                }
            }
            "note-body" => self.begin_note(),
            _ => {}
        }
    }

    fn end(&mut self, name: &str) {
        if self.unseen > 0 {
            self.unseen = self.unseen.saturating_sub(1);
            return;
        }
        match name {
            "p" | "h" => {
                self.flush();
                self.in_paragraph = self.in_paragraph.saturating_sub(1);
                self.heading = None;
            }
            "list" => self.lists = self.lists.saturating_sub(1),
            "frame" => self.in_title = false,
            "table-cell" | "covered-table-cell" => {
                if let Some(table) = self.tables.last_mut() {
                    table.end_cell();
                }
            }
            "table-row" => {
                if let Some(table) = self.tables.last_mut() {
                    table.end_row();
                }
            }
            "table-header-rows" => self.set_head(false),
            "note-body" => self.end_note(),
            "table" => {
                if let Some(table) = self.tables.pop() {
                    self.has_cut_table |= table.is_cut;
                    self.blocks.extend(table.blocks());
                    self.blocks.append(&mut self.notes);
                }
            }
            _ => {}
        }
    }

    /// A note stands within the sentence that calls it, and is read apart from it.
    fn begin_note(&mut self) {
        if self.around.is_none() {
            let around = self.inline.replace(Inline::new(None));
            self.around = around.map(|inline| (inline, self.heading.take()));
        }
    }

    fn end_note(&mut self) {
        self.flush();
        if let Some((inline, heading)) = self.around.take() {
            (self.inline, self.heading) = (Some(inline), heading);
        }
    }

    fn text(&mut self, text: &str) {
        if self.unseen == 0 && self.in_paragraph > 0 {
            self.push(text);
        }
    }

    fn push(&mut self, text: &str) {
        if let Some(inline) = &mut self.inline {
            inline.push(text);
        }
    }

    fn set_head(&mut self, in_head: bool) {
        if let Some(table) = self.tables.last_mut() {
            table.in_head = in_head;
        }
    }

    /// Ends the paragraph: in a table it belongs to the cell.
    fn flush(&mut self) {
        let Some(run) = self.inline.as_mut().and_then(Inline::take) else { return };
        if self.around.is_some() {
            self.notes.extend(Block::of(Shape::Paragraph, run));
            return;
        }
        if let Some(table) = self.tables.last_mut() {
            table.add(&run.text);
            return;
        }
        let depth = self.lists.saturating_sub(1).min(8);
        let shape = match self.heading {
            Some(level) => Shape::Heading(level),
            None if self.in_title => Shape::Heading(2),
            None if self.lists > 0 && self.item_begun => Shape::ItemRest { depth },
            None if self.lists > 0 => Shape::Item { depth, number: None },
            None => Shape::Paragraph,
        };
        self.item_begun = self.lists > 0;
        self.blocks.extend(Block::of(shape, run));
        self.blocks.append(&mut self.notes);
    }
}
