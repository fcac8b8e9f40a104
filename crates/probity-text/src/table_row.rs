//! Rows of tables in running text: `Room: Great Hall · Day: Saturday · Fee: 900`.
//!
//! Extraction writes them so, and whoever reads a row apart from its table finds its columns again here.

/// Between the cells of a row.
pub const CELL_SEPARATOR: &str = " · ";

/// The columns and cells of a row; none where the line is no row.
pub fn row(line: &str) -> Option<(Vec<String>, Vec<String>)> {
    // The column that names the rows often has no name itself.
    let (first, rest) = line.split_once(CELL_SEPARATOR)?;
    let first = first.split_once(": ").unwrap_or(("", first));
    let rest = rest.split(CELL_SEPARATOR).map(|cell| cell.split_once(": "));
    let pairs: Vec<(&str, &str)> =
        std::iter::once(Some(first)).chain(rest).collect::<Option<_>>()?;
    let (columns, cells): (Vec<String>, Vec<String>) = pairs
        .into_iter()
        .map(|(column, cell)| (column.trim().to_owned(), cell.trim().to_owned()))
        .unzip();
    Some((columns, cells))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_columns_and_cells() {
        let (columns, cells) = row("hall: Great Hall · day: Saturday · price: 900 crowns").unwrap();
        assert_eq!(columns, ["hall", "day", "price"]);
        assert_eq!(cells, ["Great Hall", "Saturday", "900 crowns"]);
        assert_eq!(row("The hall: a place to meet."), None);
        let (columns, cells) =
            row("Saturday · Great Hall: 900 crowns · Small Hall: 400 crowns").unwrap();
        assert_eq!(columns, ["", "Great Hall", "Small Hall"]);
        assert_eq!(cells, ["Saturday", "900 crowns", "400 crowns"]);
    }
}
