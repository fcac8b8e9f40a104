//! DOCX → paragraphs, headings, lists, tables and notes.

mod notes;

use std::collections::HashSet;

use probity_core::Document;
use quick_xml::events::BytesStart;

use super::block::{Block, Shape};
use super::budget::Budget;
use super::dates::{Order, first_date};
use super::detect_language;
use super::inline::{Inline, Mark};
use super::package::{Package, Piece, attribute, field, walk};
use super::render::Written;
use super::table::{self, Head, Row};
use notes::{Kind, Notes};

/// How many styles are based on each other.
const STYLE_DEPTH: usize = 8;
/// The most columns that are kept of one row for merged cells.
const MAX_CELLS: usize = 200;
/// How much longer the text may get by what is repeated in the other cells of merged ones.
const MAX_REPEATED_BYTES: usize = 1024 * 1024;

/// Reads a Word document.
///
/// # Errors
/// When the archive is broken, or unpacks to more than is read.
pub(super) fn read(bytes: &[u8], budget: &Budget) -> Result<Document, String> {
    let mut package = Package::open(bytes, budget)?;
    let styles = package.part("word/styles.xml").unwrap_or_default();
    let list_styles = list_styles(&styles, budget).unwrap_or_default();
    let mut body = Body::new(list_styles);
    for (part, kind) in [("footnotes", Kind::Foot), ("endnotes", Kind::End)] {
        // A document without notes has no such part; what is broken in one costs no more than its notes.
        let xml = package.part(&format!("word/{part}.xml")).unwrap_or_default();
        drop(body.read_notes(&xml, kind, budget));
    }
    let blocks = body.read(&package.part("word/document.xml")?, budget)?;
    let core = package.part("docProps/core.xml").unwrap_or_default();
    Ok(about(&core, &blocks))
}

/// A document of the Office family: its blocks with what its properties say.
pub(super) fn about(core: &str, blocks: &[Block]) -> Document {
    let about = |name: &str| field(core, name);
    let date = |name: &str| about(name).and_then(|text| first_date(&text, Order::DayFirst));
    let written = Written::of(blocks);
    let heading = blocks.iter().find(|block| matches!(block.shape, Shape::Heading(_)));
    let title = about("title").or_else(|| heading.map(|block| block.text.clone()));
    Document {
        title: super::html::one_line(&title.unwrap_or_default(), 300),
        byline: about("creator"),
        published: date("created"),
        updated: date("modified"),
        lang: about("language")
            .map(|lang| lang.chars().take(2).collect::<String>().to_lowercase())
            .filter(|lang| lang.len() == 2)
            .or_else(|| detect_language(&written.text)),
        ..written.into_document()
    }
}

/// The body while it is read.
struct Body {
    blocks: Vec<Block>,
    inline: Inline<'static>,
    heading: Option<u8>,
    is_item: bool,
    depth: usize,
    in_text: bool,
    hidden: bool,
    marks: Vec<Mark>,
    /// How many elements deep in content that is repeated elsewhere.
    fallback: usize,
    table: Vec<Table>,
    /// The styles of paragraphs that are items of lists.
    list_styles: HashSet<String>,
    /// How many bytes of merged cells were repeated.
    repeated: usize,
    notes: Notes,
    /// The note that is read, while the parts with notes are.
    note: Option<(Kind, String)>,
}

/// A table while it is read.
#[derive(Default)]
struct Table {
    rows: Vec<Row>,
    cells: Vec<String>,
    cell: String,
    is_head: bool,
    /// How many columns the cell takes, and whether it goes on from the row above.
    across: usize,
    goes_on: bool,
}

impl Body {
    fn new(list_styles: HashSet<String>) -> Self {
        Body {
            blocks: Vec::new(),
            inline: Inline::new(None),
            heading: None,
            is_item: false,
            depth: 0,
            in_text: false,
            hidden: false,
            marks: Vec::new(),
            fallback: 0,
            table: Vec::new(),
            list_styles,
            repeated: 0,
            notes: Notes::default(),
            note: None,
        }
    }

    fn read(mut self, xml: &str, budget: &Budget) -> Result<Vec<Block>, String> {
        self.walk(xml, budget)?;
        self.flush();
        Ok(self.blocks)
    }

    /// Keeps the notes of a part until the text calls them.
    fn read_notes(&mut self, xml: &str, kind: Kind, budget: &Budget) -> Result<(), String> {
        self.note = Some((kind, String::new()));
        let read = self.walk(xml, budget);
        *self = Body {
            notes: std::mem::take(&mut self.notes),
            ..Body::new(std::mem::take(&mut self.list_styles))
        };
        read
    }

    fn walk(&mut self, xml: &str, budget: &Budget) -> Result<(), String> {
        walk(xml, budget, |piece| match piece {
            Piece::Start(start) => self.start(start),
            Piece::End(name) => self.end(name),
            Piece::Text(text) => self.text(text),
        })
    }

    fn start(&mut self, start: &BytesStart<'_>) {
        let name = start.local_name();
        if self.fallback > 0 {
            self.fallback = self.fallback.saturating_add(1);
            return;
        }
        match name.as_ref() {
            // What was moved stands where it was moved to.
            "Fallback" | "moveFrom" => self.fallback = 1,
            "footnote" | "endnote" => {
                if let Some((_, id)) = &mut self.note {
                    *id = attribute(start, "id").unwrap_or_default();
                }
            }
            "footnoteReference" => self.call_note(Kind::Foot, start),
            "endnoteReference" => self.call_note(Kind::End, start),
            "noBreakHyphen" => self.text_of_run("-"),
            "p" => {
                self.flush();
                self.heading = None;
                self.is_item = false;
                self.depth = 0;
            }
            "pStyle" => {
                let style = value(start).unwrap_or_default();
                self.heading = heading_of(&style);
                self.is_item = self.list_styles.contains(&style);
            }
            "numPr" => self.is_item = true,
            // A paragraph without the number that its style has.
            "numId" if value(start).as_deref() == Some("0") => self.is_item = false,
            "ilvl" => self.depth = value(start).and_then(|v| v.parse().ok()).unwrap_or(0),
            "r" => {
                self.hidden = false;
                self.marks.clear();
            }
            "vanish" | "webHidden" if is_on(start) => self.hidden = true,
            "b" if is_on(start) => self.marks.push(Mark::Strong),
            "i" if is_on(start) => self.marks.push(Mark::Emphasis),
            "t" => self.in_text = true,
            "tab" => self.inline.push(" "),
            "br" | "cr" => {
                self.inline.push_break();
            }
            "tbl" => {
                self.flush();
                self.table.push(Table::default());
            }
            "tblHeader" if is_on(start) => {
                if let Some(table) = self.table.last_mut() {
                    table.is_head = true;
                }
            }
            "gridSpan" => {
                if let Some(table) = self.table.last_mut() {
                    let columns = value(start).and_then(|columns| columns.parse().ok());
                    table.across = columns.unwrap_or(1);
                }
            }
            "vMerge" => {
                if let Some(table) = self.table.last_mut() {
                    table.goes_on = value(start).as_deref() != Some("restart");
                }
            }
            _ => {}
        }
    }

    fn call_note(&mut self, kind: Kind, start: &BytesStart<'_>) {
        // A note that calls another is none of the text's.
        if self.note.is_none()
            && let Some(id) = attribute(start, "id")
        {
            self.notes.call(kind, id);
        }
    }

    fn end(&mut self, name: &str) {
        if self.fallback > 0 {
            self.fallback = self.fallback.saturating_sub(1);
            return;
        }
        match name {
            "t" => self.in_text = false,
            "p" => self.flush(),
            "tc" => self.end_cell(),
            "tr" => self.end_row(),
            "tbl" => self.end_table(),
            "footnote" | "endnote" => self.end_note(),
            _ => {}
        }
    }

    fn end_note(&mut self) {
        self.flush();
        if let Some((kind, id)) = &mut self.note {
            self.notes.keep(*kind, std::mem::take(id), std::mem::take(&mut self.blocks));
        }
    }

    /// Ends a cell. One that goes on says in each row what it says in the first; one across columns
    /// heads them all, or is a value of the first.
    fn end_cell(&mut self) {
        self.flush();
        let Some(table) = self.table.last_mut() else { return };
        let mut may_repeat = |text: &str| {
            self.repeated = self.repeated.saturating_add(text.len());
            self.repeated <= MAX_REPEATED_BYTES
        };
        let mut text = std::mem::take(&mut table.cell);
        if std::mem::take(&mut table.goes_on) {
            let above = table.rows.last().and_then(|row| row.cells.get(table.cells.len()));
            text = above.filter(|cell| may_repeat(cell)).cloned().unwrap_or(text);
        }
        let at = table.cells.len();
        table.cells.push(text);
        let covered = std::mem::take(&mut table.across).saturating_sub(1);
        for _ in 0..covered.min(MAX_CELLS.saturating_sub(at)) {
            let text = table.cells.get(at).filter(|text| table.is_head && may_repeat(text));
            table.cells.push(text.cloned().unwrap_or_default());
        }
    }

    fn end_row(&mut self) {
        let Some(table) = self.table.last_mut() else { return };
        let cells = std::mem::take(&mut table.cells);
        let is_head = std::mem::take(&mut table.is_head);
        table.rows.push(Row { is_head, ..Row::plain(cells) });
    }

    /// Ends a table. One inside a cell is text of that cell.
    fn end_table(&mut self) {
        let Some(table) = self.table.pop() else { return };
        let blocks = table::blocks(table.rows, Head::Unmarked);
        match self.table.last_mut() {
            Some(outer) => {
                let texts = blocks.iter().map(|block| block.text.as_str());
                for text in texts.filter(|text| !text.is_empty()) {
                    outer.cell.push_str(if outer.cell.is_empty() { "" } else { " " });
                    outer.cell.push_str(text);
                }
            }
            None => {
                self.blocks.extend(blocks);
                self.blocks.extend(self.notes.take_called());
            }
        }
    }

    fn text(&mut self, text: &str) {
        if self.in_text {
            self.text_of_run(text);
        }
    }

    fn text_of_run(&mut self, text: &str) {
        if self.hidden || self.fallback > 0 {
            return;
        }
        for mark in &self.marks {
            self.inline.open(mark.clone());
        }
        self.inline.push(text);
        for _ in &self.marks {
            self.inline.close();
        }
    }

    /// Ends the paragraph: in a table it belongs to the cell.
    fn flush(&mut self) {
        let Some(run) = self.inline.take() else { return };
        if let Some(table) = self.table.last_mut() {
            if !table.cell.is_empty() {
                table.cell.push(' ');
            }
            table.cell.push_str(&run.text.replace('\n', " "));
            return;
        }
        let shape = match self.heading {
            Some(level) => Shape::Heading(level),
            None if self.is_item => Shape::Item { depth: self.depth.min(8), number: None },
            None => Shape::Paragraph,
        };
        self.blocks.extend(Block::of(shape, run));
        self.blocks.extend(self.notes.take_called());
    }
}

/// The styles that make paragraphs items of lists: they have numbers or bullets, or are based on one that has.
fn list_styles(xml: &str, budget: &Budget) -> Result<HashSet<String>, String> {
    let mut lists: HashSet<String> = HashSet::new();
    let mut based: Vec<(String, String)> = Vec::new();
    let mut style = String::new();
    walk(xml, budget, |piece| {
        let Piece::Start(start) = piece else { return };
        match start.local_name().as_ref() {
            "style" => style = attribute(start, "styleId").unwrap_or_default(),
            "basedOn" => based.extend(value(start).map(|parent| (style.clone(), parent))),
            "numPr" => drop(lists.insert(style.clone())),
            _ => {}
        }
    })?;
    for _ in 0..STYLE_DEPTH {
        let more: Vec<String> = based
            .iter()
            .filter(|(style, parent)| lists.contains(parent) && !lists.contains(style))
            .map(|(style, _)| style.clone())
            .collect();
        lists.extend(more);
    }
    Ok(lists)
}

/// The value of an element's `w:val` attribute.
fn value(start: &BytesStart<'_>) -> Option<String> {
    attribute(start, "val")
}

/// A switch is on unless it says otherwise.
fn is_on(start: &BytesStart<'_>) -> bool {
    !matches!(value(start).as_deref(), Some("0" | "false" | "off" | "none"))
}

/// `Heading2`, `berschrift2`, `Title`.
fn heading_of(style: &str) -> Option<u8> {
    let lower = style.to_ascii_lowercase();
    if lower == "title" || lower == "titel" {
        return Some(1);
    }
    let is_heading = ["heading", "berschrift", "titre", "ttulo", "titolo", "rubrik"]
        .iter()
        .any(|name| lower.starts_with(name));
    let level =
        lower.chars().next_back().and_then(|c| c.to_digit(10)).and_then(|d| u8::try_from(d).ok());
    level.filter(|level| is_heading && (1..=6).contains(level))
}
