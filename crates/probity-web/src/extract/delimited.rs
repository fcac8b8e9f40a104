//! Comma- and tab-separated values → rows that carry the heads of their columns.

use probity_core::Document;

use super::budget::{Budget, Spent};
use super::render::Written;
use super::table::{Batch, Row};

/// How many rows are in memory at a time.
const BATCH_ROWS: usize = 2_000;
/// The most cells that are kept of one row.
const MAX_CELLS: usize = 200;

/// Reads separated values.
pub(super) fn read(text: &str, budget: &Budget) -> Document {
    let (text, separator) = separator(text);
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(separator)
        .from_reader(text.as_bytes());
    let mut written = Written::default();
    let mut table = Batch::default();
    let mut rows = Vec::new();
    // Values have no language of their own; a row that is broken is skipped.
    for record in reader.records().flatten() {
        if record.len() > MAX_CELLS {
            budget.cut(Spent::Table);
        }
        let cells = record.iter().take(MAX_CELLS);
        rows.push(Row::plain(cells.map(one_line).collect()));
        if rows.len() >= BATCH_ROWS {
            written.push(&table.blocks(std::mem::take(&mut rows)));
            if budget.is_stopped() {
                break;
            }
        }
    }
    written.push(&table.blocks(rows));
    written.into_document()
}

fn one_line(cell: &str) -> String {
    cell.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The rows and the sign that parts their cells: the one that a first line `sep=;` names, as spreadsheet
/// programs write it, else the one that the first line has most of.
fn separator(text: &str) -> (&str, u8) {
    let (first, rest) = text.trim_start().split_once('\n').unwrap_or((text.trim(), ""));
    if let Some([sign]) = first.trim_end_matches('\r').strip_prefix("sep=").map(str::as_bytes)
        && sign.is_ascii()
    {
        return (rest, *sign);
    }
    let count = |sign: u8| first.bytes().filter(|byte| *byte == sign).count();
    let signs = [b',', b'\t', b';', b'|'];
    (text, signs.into_iter().rev().max_by_key(|sign| count(*sign)).unwrap_or(b','))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::budget::Stop;

    fn read(text: &str) -> String {
        super::read(text, &Budget::new(Stop::default())).text
    }

    #[test]
    fn rows_carry_their_heads_whatever_parts_the_cells() {
        let rows = "Room: Great Hall · Day: Saturday · Fee: 900 crowns\nRoom: Loft · Fee: 40";
        assert_eq!(read("Room,Day,Fee\n\"Great Hall\",Saturday,900 crowns\nLoft,,40\n"), rows);
        assert_eq!(read("Room\tDay\tFee\nGreat Hall\tSaturday\t900 crowns\nLoft\t\t40"), rows);
        assert_eq!(read("Room;Day;Fee\nGreat Hall;Saturday;900 crowns\nLoft;;40"), rows);
    }

    #[test]
    fn a_first_line_may_name_the_sign_that_parts_the_cells() {
        assert_eq!(read("sep=;\r\nRoom;Fee\r\nLoft, south;40\r\n"), "Room: Loft, south · Fee: 40");
        assert_eq!(read("sep=^\nRoom^Fee\nLoft^40\n"), "Room: Loft · Fee: 40");
        assert_eq!(read("sep=;\n"), "");
    }

    #[test]
    fn heads_reach_the_last_row_of_a_long_table() {
        let rows: String = (0..5_000).map(|row| format!("r{row},{row}\n")).collect();
        let text = read(&format!("Name,Value\n{rows}"));
        assert!(text.ends_with("Name: r4999 · Value: 4999"));
        assert_eq!(text.lines().count(), 5_000);
    }
}
