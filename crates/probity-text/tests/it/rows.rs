//! Rows of tables that stand in running text.

use probity_text::table_row::{CELL_SEPARATOR, row};
use proptest::prelude::*;

#[test]
fn a_row_is_read_with_or_without_a_name_of_its_first_column() {
    for (line, columns, cells) in [
        (
            "Room: Great Hall · Day: Saturday · Fee: 900",
            &["Room", "Day", "Fee"][..],
            &["Great Hall", "Saturday", "900"][..],
        ),
        ("Saturday · Great Hall: 900", &["", "Great Hall"], &["Saturday", "900"]),
        ("Time: 9:30 · Place: Quay: north side", &["Time", "Place"], &["9:30", "Quay: north side"]),
        ("A: 1 · B:  spaced ", &["A", "B"], &["1", "spaced"]),
    ] {
        let (found, values) = row(line).unwrap_or_else(|| panic!("{line}"));
        assert_eq!(found, columns, "{line}");
        assert_eq!(values, cells, "{line}");
    }
}

#[test]
fn a_sentence_is_no_row() {
    for line in [
        "",
        "The hall: a place to meet.",
        "Bread · butter · jam",
        "Fee: 900 · and more",
        "Room: A·Day: B",
        "A: 1 | B: 2",
    ] {
        assert_eq!(row(line), None, "{line}");
    }
}

/// A cell or the name of a column: without the marks that divide a row.
fn part() -> impl Strategy<Value = String> {
    "[A-Za-z0-9éß%€.,-]{1,8}( [A-Za-z0-9éß]{1,8}){0,2}"
}

proptest! {
    #[test]
    fn a_row_that_was_written_is_read_again(pairs in prop::collection::vec((part(), part()), 2..8)) {
        let cells: Vec<String> = pairs.iter().map(|(column, cell)| format!("{column}: {cell}")).collect();
        let (columns, values) = row(&cells.join(CELL_SEPARATOR)).unwrap();
        let read: Vec<(String, String)> = columns.into_iter().zip(values).collect();
        prop_assert_eq!(read, pairs);
    }

    #[test]
    fn a_row_of_any_line_has_as_many_columns_as_cells(line in "(\\PC| · |: ){0,30}") {
        if let Some((columns, cells)) = row(&line) {
            prop_assert_eq!(columns.len(), cells.len());
            prop_assert!(columns.len() >= 2);
        }
    }
}
