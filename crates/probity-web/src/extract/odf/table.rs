//! A table or a sheet of an OpenDocument file while it is read.

use quick_xml::events::BytesStart;

use crate::extract::block::{Block, Shape};
use crate::extract::package::attribute;
use crate::extract::table::{self, Head, Row, Spans};

/// The most cells that are kept of one row. How many rows there are is bounded by the size of a part.
const MAX_CELLS: usize = 200;

/// What was read of it.
#[derive(Default)]
pub(super) struct Table {
    /// What it is called where people see that: on the tab of a sheet.
    name: Option<String>,
    rows: Vec<Row>,
    cells: Vec<String>,
    cell: String,
    repeat: usize,
    /// How many rows below its own the cell goes on in.
    below: usize,
    is_covered: bool,
    spans: Spans,
    /// The rows that are read head the columns.
    pub(super) in_head: bool,
    /// How many columns the last cell covers beside its own, as far as no cells stand for them yet.
    covered: usize,
    /// A row has more cells with text than are kept.
    pub(super) is_cut: bool,
}

impl Table {
    pub(super) fn new(name: Option<String>) -> Self {
        Self { name, ..Self::default() }
    }

    pub(super) fn begin_cell(&mut self, start: &BytesStart<'_>, is_covered: bool) {
        let count = |name| attribute(start, name).and_then(|count| count.parse().ok()).unwrap_or(1);
        self.repeat = count("number-columns-repeated");
        self.is_covered = is_covered;
        if is_covered {
            self.covered = self.covered.saturating_sub(self.repeat);
            return;
        }
        self.below = count("number-rows-spanned").saturating_sub(1);
        // Some programs leave out the cells that a wide one covers.
        let missing =
            std::mem::replace(&mut self.covered, count("number-columns-spanned").saturating_sub(1));
        let width = self.cells.len().saturating_add(missing).min(MAX_CELLS);
        self.cells.resize(width.max(self.cells.len()), String::new());
    }

    /// Appends a paragraph to the cell.
    pub(super) fn add(&mut self, text: &str) {
        if !self.cell.is_empty() {
            self.cell.push(' ');
        }
        self.cell.push_str(&text.replace('\n', " "));
    }

    pub(super) fn end_cell(&mut self) {
        let cell = std::mem::take(&mut self.cell);
        if !self.is_covered {
            self.spans.begin(self.cells.len(), std::mem::take(&mut self.below), &cell);
        }
        let reach = self.cells.len().saturating_add(self.repeat.max(1));
        self.is_cut |= reach > MAX_CELLS && !cell.is_empty();
        // Sheets repeat their empty cells to the edge of what is possible.
        for _ in 0..self.repeat.clamp(1, MAX_CELLS) {
            if self.cells.len() >= MAX_CELLS {
                break;
            }
            let above = self.is_covered.then(|| self.spans.go_on(self.cells.len())).flatten();
            self.cells.push(above.unwrap_or_else(|| cell.clone()));
        }
    }

    pub(super) fn end_row(&mut self) {
        self.covered = 0;
        let mut cells = std::mem::take(&mut self.cells);
        while cells.pop_if(|cell| cell.is_empty()).is_some() {}
        if !cells.is_empty() {
            self.rows.push(Row { is_head: self.in_head, ..Row::plain(cells) });
        }
    }

    /// Its rows, below its name.
    pub(super) fn blocks(self) -> Vec<Block> {
        let rows = table::blocks(self.rows, Head::First);
        let name = self.name.filter(|_| !rows.is_empty());
        let name = name.and_then(|name| Block::plain(Shape::Heading(2), &name));
        name.into_iter().chain(rows).collect()
    }
}
