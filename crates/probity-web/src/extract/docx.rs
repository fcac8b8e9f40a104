//! DOCX → paragraphs, headings, lists and tables.

use std::io::{Cursor, Read};

use probity_core::Document;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use zip::ZipArchive;

use super::block::{Block, Shape};
use super::dates::{Order, first_date};
use super::inline::{Inline, Mark};
use super::{ExtractError, Kind, detect_language, render};

/// The most that one part of the archive is unpacked to.
const MAX_PART_BYTES: u64 = 40 * 1024 * 1024;
/// The most parts that an archive may have.
const MAX_PARTS: usize = 20_000;

/// Reads a Word document.
///
/// # Errors
/// When the archive is broken, or unpacks to more than is read.
pub(super) fn read(bytes: &[u8]) -> Result<Document, ExtractError> {
    let broken = |reason: String| ExtractError::Broken { kind: Kind::Docx, reason };
    let mut archive =
        ZipArchive::new(Cursor::new(bytes)).map_err(|error| broken(error.to_string()))?;
    if archive.len() > MAX_PARTS {
        return Err(broken(format!("the archive has {} parts", archive.len())));
    }
    let main = part(&mut archive, "word/document.xml").map_err(broken)?;
    let blocks = Body::read(&main).map_err(broken)?;
    let core = part(&mut archive, "docProps/core.xml").unwrap_or_default();
    let about = |name: &str| field(&core, name);
    let date = |name: &str| about(name).and_then(|text| first_date(&text, Order::DayFirst));
    let text = render::text(&blocks);
    let heading = blocks.iter().find(|block| matches!(block.shape, Shape::Heading(_)));
    let title = about("title").or_else(|| heading.map(|block| block.text.clone()));
    Ok(Document {
        title: super::html::one_line(&title.unwrap_or_default(), 300),
        byline: about("creator"),
        published: date("created"),
        updated: date("modified"),
        lang: about("language")
            .map(|lang| lang.chars().take(2).collect::<String>().to_lowercase())
            .filter(|lang| lang.len() == 2)
            .or_else(|| detect_language(&text)),
        markdown: render::markdown(&blocks),
        headings: render::headings(&blocks),
        text,
        ..Document::default()
    })
}

/// A part of the archive as text, unpacked no further than the limit.
fn part(archive: &mut ZipArchive<Cursor<&[u8]>>, name: &str) -> Result<String, String> {
    let file = archive.by_name(name).map_err(|error| format!("{name}: {error}"))?;
    let mut bytes = Vec::new();
    file.take(MAX_PART_BYTES.saturating_add(1))
        .read_to_end(&mut bytes)
        .map_err(|error| format!("{name}: {error}"))?;
    if bytes.len() as u64 > MAX_PART_BYTES {
        return Err(format!("{name} unpacks to more than {MAX_PART_BYTES} bytes"));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The text of an element of the core properties, by its local name.
fn field(xml: &str, name: &str) -> Option<String> {
    let mut reader = Reader::from_str(xml);
    let mut inside = false;
    loop {
        match reader.read_event().ok()? {
            Event::Start(start) => inside = start.local_name().as_ref() == name,
            Event::Text(text) if inside => {
                let text = text.trim().to_owned();
                return (!text.is_empty()).then_some(text);
            }
            Event::End(_) => inside = false,
            Event::Eof => return None,
            _ => {}
        }
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
    /// How many elements deep in content that repeats what stands elsewhere.
    fallback: usize,
    table: Vec<Table>,
}

/// A table while it is read.
#[derive(Default)]
struct Table {
    rows: usize,
    cells: Vec<String>,
    cell: String,
}

impl Body {
    fn read(xml: &str) -> Result<Vec<Block>, String> {
        let mut body = Body {
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
        };
        let mut reader = Reader::from_str(xml);
        loop {
            match reader.read_event().map_err(|error| error.to_string())? {
                Event::Start(start) => body.start(&start),
                Event::Empty(start) => {
                    body.start(&start);
                    body.end(start.local_name().as_ref());
                }
                Event::End(end) => body.end(end.local_name().as_ref()),
                Event::Text(text) => {
                    body.text(&text);
                }
                Event::GeneralRef(entity) => {
                    if let Some(c) = resolve(&entity) {
                        body.text(c.encode_utf8(&mut [0; 4]));
                    }
                }
                Event::Eof => break,
                _ => {}
            }
        }
        body.flush();
        Ok(body.blocks)
    }

    fn start(&mut self, start: &BytesStart<'_>) {
        let name = start.local_name();
        if self.fallback > 0 {
            self.fallback = self.fallback.saturating_add(1);
            return;
        }
        match name.as_ref() {
            "Fallback" => self.fallback = 1,
            "p" => {
                self.flush();
                self.heading = None;
                self.is_item = false;
                self.depth = 0;
            }
            "pStyle" => self.heading = value(start).as_deref().and_then(heading_of),
            "numPr" => self.is_item = true,
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
            _ => {}
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
            "tc" => {
                self.flush();
                if let Some(table) = self.table.last_mut() {
                    table.cells.push(std::mem::take(&mut table.cell));
                }
            }
            "tr" => self.end_row(),
            "tbl" => {
                self.table.pop();
            }
            _ => {}
        }
    }

    fn end_row(&mut self) {
        let Some(table) = self.table.last_mut() else { return };
        let first = table.rows == 0;
        table.rows = table.rows.saturating_add(1);
        let cells = std::mem::take(&mut table.cells);
        if let Some(row) = Block::row(cells, first, first) {
            self.blocks.push(row);
        }
    }

    fn text(&mut self, text: &str) {
        if !self.in_text || self.hidden || self.fallback > 0 {
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
    }
}

/// The value of an element's `w:val` attribute.
fn value(start: &BytesStart<'_>) -> Option<String> {
    let attribute = start.attributes().flatten().find(|a| a.key.local_name().as_ref() == "val")?;
    Some(attribute.value.into_owned())
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

/// The character of an entity.
fn resolve(entity: &quick_xml::events::BytesRef<'_>) -> Option<char> {
    if let Ok(Some(c)) = entity.resolve_char_ref() {
        return Some(c);
    }
    Some(match entity.as_ref() {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        _ => return None,
    })
}
