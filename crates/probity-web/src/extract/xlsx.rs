//! XLSX → the rows of every sheet, with the heads of their columns.

mod formats;
mod merged;

use probity_core::Document;

use self::formats::Format;
use self::merged::Merged;
use super::block::{Block, Shape};
use super::budget::{Budget, Spent};
use super::docx::about;
use super::package::{Package, Piece, attribute, walk};
use super::render::Written;
use super::table::{Batch, Row};

/// The most sheets that are read.
const MAX_SHEETS: usize = 200;
/// How many rows are in memory at a time.
const BATCH_ROWS: usize = 2_000;
/// The most columns that are read.
const MAX_COLUMNS: usize = 200;
/// The most texts that cells share.
const MAX_SHARED: usize = 2_000_000;

/// Reads a workbook.
///
/// # Errors
/// When the archive is broken, or unpacks to more than is read.
pub(super) fn read(bytes: &[u8], budget: &Budget) -> Result<Document, String> {
    let mut package = Package::open(bytes, budget)?;
    let book = package.part("xl/workbook.xml")?;
    let relations = package.part("xl/_rels/workbook.xml.rels").unwrap_or_default();
    let shared = match package.part("xl/sharedStrings.xml") {
        Ok(xml) => shared(&xml, budget)?,
        Err(_) => Vec::new(),
    };
    let styles = package.part("xl/styles.xml").unwrap_or_default();
    let formats = formats::read(&styles, budget)?;
    let mut written = Written::default();
    for (name, part) in sheets(&book, &relations, budget)? {
        let Ok(xml) = package.part(&part) else { continue };
        let merged = merged::read(&xml, budget);
        let mut sheet = Sheet { formats: &formats, shared: &shared, merged, ..Sheet::default() };
        written.push(&Block::plain(Shape::Heading(2), &name).into_iter().collect::<Vec<_>>());
        walk(&xml, budget, |piece| sheet.take(piece, &mut written))?;
        sheet.finish(&mut written);
        if sheet.is_cut {
            budget.cut(Spent::Table);
        }
    }
    let core = package.part("docProps/core.xml").unwrap_or_default();
    let said = about(&core, &[]);
    let Document { text, markdown, headings, lists, .. } = written.into_document();
    Ok(Document { text, markdown, headings, lists, ..said })
}

/// The sheets that people see: each name and the part that holds it.
fn sheets(book: &str, relations: &str, budget: &Budget) -> Result<Vec<(String, String)>, String> {
    let mut parts: Vec<(String, String)> = Vec::new();
    walk(relations, budget, |piece| {
        if let Piece::Start(start) = piece
            && start.local_name().as_ref() == "Relationship"
        {
            parts.extend(Option::zip(attribute(start, "Id"), attribute(start, "Target")));
        }
    })?;
    let mut sheets = Vec::new();
    walk(book, budget, |piece| {
        let Piece::Start(start) = piece else { return };
        let hidden = attribute(start, "state").is_some_and(|state| state != "visible");
        if start.local_name().as_ref() != "sheet" || hidden {
            return;
        }
        if sheets.len() >= MAX_SHEETS {
            budget.cut(Spent::Pages);
            return;
        }
        // The relation is `r:id`, whose local name a sheet's own number does not share.
        let relation = attribute(start, "id");
        let target = parts.iter().find(|(id, _)| Some(id) == relation.as_ref());
        if let (Some(name), Some((_, target))) = (attribute(start, "name"), target) {
            let part = match target.strip_prefix('/') {
                Some(from_root) => from_root.to_owned(),
                None => format!("xl/{target}"),
            };
            sheets.push((name, part));
        }
    })?;
    Ok(sheets)
}

/// The texts that cells refer to by number.
fn shared(xml: &str, budget: &Budget) -> Result<Vec<String>, String> {
    let mut texts: Vec<String> = Vec::new();
    let (mut in_text, mut in_reading) = (false, false);
    walk(xml, budget, |piece| match piece {
        Piece::Start(start) => match start.local_name().as_ref() {
            "si" if texts.len() < MAX_SHARED => texts.push(String::new()),
            "t" => in_text = true,
            // The pronunciation of a name is beside it.
            "rPh" => in_reading = true,
            _ => {}
        },
        Piece::End("t") => in_text = false,
        Piece::End("rPh") => in_reading = false,
        Piece::Text(text) if in_text && !in_reading => {
            if let Some(last) = texts.last_mut() {
                last.push_str(text);
            }
        }
        _ => {}
    })?;
    Ok(texts)
}

/// A sheet while it is read.
#[derive(Default)]
struct Sheet<'a> {
    shared: &'a [String],
    formats: &'a [Format],
    table: Batch,
    merged: Merged,
    row: usize,
    rows: Vec<Row>,
    cells: Vec<String>,
    hidden: bool,
    column: usize,
    kind: String,
    style: usize,
    value: String,
    in_value: bool,
    /// It has more columns than are read.
    is_cut: bool,
}

impl Sheet<'_> {
    fn take(&mut self, piece: Piece<'_>, written: &mut Written) {
        match piece {
            Piece::Start(start) => match start.local_name().as_ref() {
                "row" => {
                    self.hidden = attribute(start, "hidden").is_some_and(|hidden| hidden == "1");
                    self.cells.clear();
                    let number = attribute(start, "r").and_then(|number| number.parse().ok());
                    self.row = number.unwrap_or_else(|| self.row.saturating_add(1));
                }
                "c" => {
                    let place = attribute(start, "r");
                    self.column = place.as_deref().map_or(self.cells.len(), column);
                    self.kind = attribute(start, "t").unwrap_or_default();
                    let style = attribute(start, "s").and_then(|style| style.parse().ok());
                    self.style = style.unwrap_or(0);
                    self.value.clear();
                }
                "v" | "t" => self.in_value = true,
                _ => {}
            },
            Piece::Text(text) if self.in_value => self.value.push_str(text),
            Piece::Text(_) => {}
            Piece::End("v" | "t") => self.in_value = false,
            Piece::End("c") => self.end_cell(),
            Piece::End("row") => {
                self.merged.fill(self.row, &mut self.cells);
                if !self.hidden {
                    self.rows.push(Row::plain(std::mem::take(&mut self.cells)));
                }
                if self.rows.len() >= BATCH_ROWS {
                    self.finish(written);
                }
            }
            Piece::End(_) => {}
        }
    }

    fn end_cell(&mut self) {
        let text = match self.kind.as_str() {
            "s" => {
                let shared =
                    self.value.trim().parse().ok().and_then(|at: usize| self.shared.get(at));
                shared.cloned().unwrap_or_default()
            }
            "b" => if self.value.trim() == "1" { "true" } else { "false" }.to_owned(),
            "str" | "inlineStr" | "e" | "d" => self.value.clone(),
            _ => match self.formats.get(self.style) {
                Some(format) => format.shown(self.value.trim()),
                None => self.value.trim().to_owned(),
            },
        };
        if text.is_empty() {
            return;
        }
        if self.column >= MAX_COLUMNS {
            self.is_cut = true;
            return;
        }
        if self.cells.len() <= self.column {
            self.cells.resize(self.column.saturating_add(1), String::new());
        }
        if let Some(cell) = self.cells.get_mut(self.column) {
            *cell = text.split_whitespace().collect::<Vec<_>>().join(" ");
        }
    }

    fn finish(&mut self, written: &mut Written) {
        written.push(&self.table.blocks(std::mem::take(&mut self.rows)));
    }
}

/// The column of a place such as `BC12`, from 0.
fn column(place: &str) -> usize {
    let letters = place.bytes().take_while(u8::is_ascii_alphabetic).take(4);
    let number = letters.fold(0_usize, |number, letter| {
        let letter = usize::from(letter.to_ascii_uppercase().saturating_sub(b'A'));
        number.saturating_mul(26).saturating_add(letter).saturating_add(1)
    });
    number.saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_counted_in_letters() {
        assert_eq!(["A1", "Z9", "AA1", "BC12"].map(column), [0, 25, 26, 54]);
    }
}
