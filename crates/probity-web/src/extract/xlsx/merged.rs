//! Merged cells of a sheet: only the first has the value, the rows below it mean it too.

use std::collections::BTreeMap;

use super::{MAX_COLUMNS, column};
use crate::extract::budget::Budget;
use crate::extract::package::{Piece, attribute, walk};

/// The most merged cells that are read of one sheet.
const MAX_MERGED: usize = 100_000;
/// How much longer the text of a sheet may get by what merged cells repeat.
const MAX_REPEATED_BYTES: usize = 1024 * 1024;

/// The cells of a sheet that go on in rows below.
#[derive(Default)]
pub(super) struct Merged {
    /// By the row that they begin in: the column, and the last row that has them.
    begin: BTreeMap<usize, Vec<(usize, usize)>>,
    /// By column: the last row that has the cell, and its text.
    open: BTreeMap<usize, (usize, String)>,
    repeated: usize,
}

/// Reads the list of merged cells, which follows the rows of a sheet.
pub(super) fn read(xml: &str, budget: &Budget) -> Merged {
    let mut merged = Merged::default();
    let rest = xml.rfind("sheetData>").and_then(|end| xml.get(end..)?.split_once('>'));
    let mut count = 0_usize;
    // The rest of the sheet ends elements that it does not begin: there the walk fails, and the list has been read.
    let _ = walk(rest.map_or("", |(_, rest)| rest), budget, |piece| {
        if let Piece::Start(start) = piece
            && start.local_name().as_ref() == "mergeCell"
            && count < MAX_MERGED
        {
            count += 1;
            merged.add(&attribute(start, "ref").unwrap_or_default());
        }
    });
    merged
}

impl Merged {
    /// Notes the cells of a range such as `A5:B7`.
    fn add(&mut self, range: &str) {
        let Some((from, to)) = range.split_once(':') else { return };
        let (Some(first), Some(last)) = (row(from), row(to)) else { return };
        if first < last && column(from) < MAX_COLUMNS {
            self.begin.entry(first).or_default().push((column(from), last));
        }
    }

    /// Gives a row what it has of cells that begin above it.
    pub(super) fn fill(&mut self, row: usize, cells: &mut Vec<String>) {
        self.open.retain(|_, (last, _)| *last >= row);
        for (column, (_, text)) in &self.open {
            self.repeated = self.repeated.saturating_add(text.len());
            if self.repeated > MAX_REPEATED_BYTES {
                break;
            }
            if cells.len() <= *column {
                cells.resize(column.saturating_add(1), String::new());
            }
            if let Some(cell) = cells.get_mut(*column).filter(|cell| cell.is_empty()) {
                cell.clone_from(text);
            }
        }
        for (column, last) in self.begin.remove(&row).unwrap_or_default() {
            let text = cells.get(column).filter(|text| !text.is_empty());
            self.open.extend(text.map(|text| (column, (last, text.clone()))));
        }
    }
}

/// The row of a place such as `BC12`.
fn row(place: &str) -> Option<usize> {
    place.trim_start_matches(|c: char| c.is_ascii_alphabetic()).parse().ok()
}
