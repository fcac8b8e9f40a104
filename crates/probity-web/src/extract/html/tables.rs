//! Tables: which hold data, and their rows.

use super::tag::Tag;
use super::tree::{Attr, NodeId, NodeMap, Tree};
use crate::extract::inline::Inline;

/// A cell with more text than this holds a page, not data.
const MAX_CELL_BYTES: usize = 1_500;
/// The most rows that are read of one table.
const MAX_ROWS: usize = 5_000;
/// The most cells that are read of one row.
const MAX_CELLS: usize = 100;

/// A row of a table.
pub(crate) struct Row {
    /// The text of the cells.
    pub(crate) cells: Vec<String>,
    /// Whether all cells are heads.
    pub(crate) header: bool,
}

/// Whether a table holds data; one that lays out the page is read like a `<div>`.
pub(crate) fn is_data_table(tree: &Tree, table: NodeId, dropped: &NodeMap<bool>) -> bool {
    if matches!(tree.attr(table, Attr::Role).map(str::trim), Some("presentation" | "none")) {
        return false;
    }
    let mut rows = 0_usize;
    let mut widest = 0_usize;
    let mut cells = 0_usize;
    let mut cell_bytes = 0_usize;
    for id in tree.subtree(table).skip(1).filter(|id| !dropped.get(*id)) {
        match tree.tag(id) {
            Tag::Table | Tag::Form | Tag::Article | Tag::Section => return false,
            Tag::Tr => {
                rows = rows.saturating_add(1);
                widest = widest.max(cells);
                cells = 0;
            }
            Tag::Td | Tag::Th => {
                cells = cells.saturating_add(1);
                cell_bytes = 0;
            }
            Tag::Text => {
                cell_bytes = cell_bytes.saturating_add(tree.text(id).trim().len());
                if cell_bytes > MAX_CELL_BYTES {
                    return false;
                }
            }
            _ => {}
        }
    }
    widest = widest.max(cells);
    rows >= 2 && widest >= 2
}

/// The rows of a table that have any text.
pub(crate) fn rows(tree: &Tree, table: NodeId, dropped: &NodeMap<bool>) -> Vec<Row> {
    let mut rows = Vec::new();
    for tr in tree
        .subtree(table)
        .filter(|id| tree.tag(*id) == Tag::Tr && !dropped.get(*id))
        .take(MAX_ROWS)
    {
        let mut row = Row { cells: Vec::new(), header: true };
        for cell in tree.children(tr).filter(|c| tree.tag(*c).is_cell()).take(MAX_CELLS) {
            if dropped.get(cell) {
                continue;
            }
            row.header &= tree.tag(cell) == Tag::Th;
            row.cells.push(cell_text(tree, cell, dropped));
        }
        if row.cells.iter().any(|cell| !cell.is_empty()) {
            rows.push(row);
        }
    }
    rows
}

fn cell_text(tree: &Tree, cell: NodeId, dropped: &NodeMap<bool>) -> String {
    let mut inline = Inline::new(None);
    for id in tree.subtree(cell).filter(|id| !dropped.get(*id)) {
        match tree.tag(id) {
            Tag::Text => inline.push(tree.text(id)),
            tag if tag.is_block() || tag == Tag::Br => inline.push(" "),
            _ => {}
        }
    }
    inline.take().map(|run| run.text).unwrap_or_default()
}
