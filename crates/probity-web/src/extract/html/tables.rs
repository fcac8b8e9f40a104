//! Tables: which hold data, and their rows.

use super::tag::Tag;
use super::tree::{Attr, NodeId, NodeMap, Tree};
use crate::extract::inline::Inline;
use crate::extract::table::{Row, Spans};

/// A cell with more text than this holds a page, not data.
const MAX_CELL_BYTES: usize = 1_500;
/// The most rows that are read of one table.
const MAX_ROWS: usize = 5_000;
/// The most cells that are read of one row.
const MAX_CELLS: usize = 100;

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

/// The rows of a table, every cell in its column.
pub(crate) fn rows(tree: &Tree, table: NodeId, dropped: &NodeMap<bool>) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut spans = Spans::default();
    for tr in tree
        .subtree(table)
        .filter(|id| tree.tag(*id) == Tag::Tr && !dropped.get(*id))
        .take(MAX_ROWS)
    {
        let mut row = Row { cells: Vec::new(), is_head: true, has_head: false };
        for cell in tree.children(tr).filter(|c| tree.tag(*c).is_cell()).take(MAX_CELLS) {
            if dropped.get(cell) {
                continue;
            }
            fill(&mut row.cells, &mut spans);
            let is_head = tree.tag(cell) == Tag::Th;
            row.has_head |= is_head && row.cells.is_empty();
            row.is_head &= is_head;
            let text = cell_text(tree, cell, dropped);
            let across = span(tree, cell, Attr::Colspan).min(MAX_CELLS);
            let down = span(tree, cell, Attr::Rowspan).min(MAX_ROWS);
            for column in 0..across {
                // A head is above all its columns, a value in the first of them.
                let text = if column == 0 || is_head { text.clone() } else { String::new() };
                spans.begin(row.cells.len(), down.saturating_sub(1), &text);
                row.cells.push(text);
            }
        }
        fill(&mut row.cells, &mut spans);
        rows.push(row);
    }
    rows
}

/// Whether a table has more rows, or cells in more columns, than are read. A cell may reach beyond them: a heading
/// across the table says how wide it may be at most. A table around another holds no data.
pub(crate) fn is_cut(tree: &Tree, table: NodeId, hidden: &NodeMap<bool>) -> bool {
    let (mut rows, mut columns) = (0_usize, 0_usize);
    let mut cut = false;
    for id in tree.subtree(table).skip(1).filter(|id| !hidden.get(*id)) {
        match tree.tag(id) {
            Tag::Table => return false,
            Tag::Tr => {
                rows = rows.saturating_add(1);
                columns = 0;
                cut |= rows > MAX_ROWS;
            }
            tag if tag.is_cell() => {
                cut |= columns >= MAX_CELLS;
                columns = columns.saturating_add(span(tree, id, Attr::Colspan));
            }
            _ => {}
        }
    }
    cut
}

/// How many columns or rows a cell takes.
fn span(tree: &Tree, cell: NodeId, attr: Attr) -> usize {
    let said = tree.attr(cell, attr).and_then(|value| value.trim().parse().ok());
    said.unwrap_or(1).max(1)
}

/// Puts cells of rows above into the next columns of a row.
fn fill(cells: &mut Vec<String>, spans: &mut Spans) {
    while cells.len() < MAX_CELLS
        && let Some(text) = spans.go_on(cells.len())
    {
        cells.push(text);
    }
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
