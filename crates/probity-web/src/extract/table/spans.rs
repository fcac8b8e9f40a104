//! Cells that go on in the rows below: what the rows there have of them.

/// The most columns in which cells go on.
const MAX_COLUMNS: usize = 200;
/// How much longer the text of a table may get by what its lower rows repeat.
const MAX_REPEATED_BYTES: usize = 1024 * 1024;

/// Cells that span rows, by column: how many rows are left, and their text.
#[derive(Default)]
pub(crate) struct Spans {
    columns: Vec<(usize, String)>,
    repeated: usize,
}

impl Spans {
    /// Notes a cell that goes on in `rows` rows below its own.
    pub(crate) fn begin(&mut self, column: usize, rows: usize, text: &str) {
        if rows == 0 || column >= MAX_COLUMNS {
            return;
        }
        if self.columns.len() <= column {
            self.columns.resize(column.saturating_add(1), (0, String::new()));
        }
        if let Some(place) = self.columns.get_mut(column) {
            *place = (rows, text.to_owned());
        }
    }

    /// The text of the cell that goes on in a column of the next row, if one does; empty once too much was repeated.
    pub(crate) fn go_on(&mut self, column: usize) -> Option<String> {
        let (left, text) = self.columns.get_mut(column).filter(|(left, _)| *left > 0)?;
        *left = left.saturating_sub(1);
        self.repeated = self.repeated.saturating_add(text.len());
        Some(if self.repeated <= MAX_REPEATED_BYTES { text.clone() } else { String::new() })
    }
}
