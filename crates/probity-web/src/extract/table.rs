//! Rows of a table → blocks whose text says what each cell is.
//!
//! A row is read apart from its table: by the index, by a quotation, by the check of a citation. So
//! each carries the heads of its columns: `Room: Great Hall · Day: Saturday · Fee: 900`.

mod heads;
mod spans;

use probity_text::table_row::CELL_SEPARATOR;

use self::heads::Place;
pub(crate) use self::spans::Spans;
use super::block::{Block, Shape};

/// The longest head of a column that its cells repeat.
const MAX_HEAD_CHARS: usize = 80;
/// How much longer than its cells the text of a table may get by repeating the heads.
const MAX_REPEATED_BYTES: usize = 16 * 1024 * 1024;

/// A row as its format has it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Row {
    /// The text of the cells.
    pub(crate) cells: Vec<String>,
    /// The format says that it heads the columns.
    pub(crate) is_head: bool,
    /// The format says that its first cell heads the row.
    pub(crate) has_head: bool,
}

impl Row {
    /// A row of which the format says nothing.
    pub(crate) fn plain(cells: Vec<String>) -> Self {
        Self { cells, is_head: false, has_head: false }
    }

    fn is_empty(&self) -> bool {
        self.filled() == 0
    }

    /// How many of its cells have text.
    fn filled(&self) -> usize {
        self.cells.iter().filter(|cell| !cell.is_empty()).count()
    }
}

/// Where the heads of the columns stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Head {
    /// In the rows that the format marks as such, if there are any.
    Unmarked,
    /// In the first row by custom, as in a file of comma-separated values, unless it begins with numbers.
    First,
}

/// The rows of one table as blocks; rows without text are left out.
pub(crate) fn blocks(rows: Vec<Row>, head: Head) -> Vec<Block> {
    let rows: Vec<Row> = rows.into_iter().filter(|row| !row.is_empty()).collect();
    let marked = rows.iter().take_while(|row| row.is_head).count();
    let place = match marked {
        0 => heads::find(&rows, head),
        // A table of heads alone has rows like any other.
        marked => Place { before: 0, heads: if marked == rows.len() { 0 } else { marked } },
    };
    let columns = columns(place.of(&rows));
    let mut repeated = 0;
    written(rows, &columns, place, true, &mut repeated)
}

/// A table that comes in batches, the heads of its columns in the first row by custom.
#[derive(Default)]
pub(crate) struct Batch {
    columns: Vec<String>,
    begun: bool,
    repeated: usize,
}

impl Batch {
    /// The next rows as blocks.
    pub(crate) fn blocks(&mut self, rows: Vec<Row>) -> Vec<Block> {
        let rows: Vec<Row> = rows.into_iter().filter(|row| !row.is_empty()).collect();
        let first = !self.begun;
        self.begun |= !rows.is_empty();
        let place = if first { heads::find(&rows, Head::First) } else { Place::default() };
        if place.heads > 0 {
            self.columns = columns(place.of(&rows));
        }
        written(rows, &self.columns, place, first, &mut self.repeated)
    }
}

/// Rows as blocks; `repeated` counts what heads have added to the text of the table.
fn written(
    rows: Vec<Row>,
    columns: &[String],
    place: Place,
    first: bool,
    repeated: &mut usize,
) -> Vec<Block> {
    let width: usize = columns.iter().map(String::len).sum();
    let block = |(index, row): (usize, Row)| {
        if index < place.before {
            return Block::plain(Shape::Paragraph, &row_text(&[], &row));
        }
        let is_head = index < place.end();
        *repeated = repeated.saturating_add(width);
        let columns = if *repeated <= MAX_REPEATED_BYTES { columns } else { &[] };
        let text = if is_head { String::new() } else { row_text(columns, &row) };
        let first = first && index == place.before;
        let shape = Shape::Row { cells: row.cells, header: is_head, first };
        Some(Block { shape, quotes: 0, text, markdown: String::new(), link_chars: 0 })
    };
    rows.into_iter().enumerate().filter_map(block).collect()
}

/// The head of each column: that of several rows is joined, and cut where it would be a text.
fn columns(heads: &[Row]) -> Vec<String> {
    let width = heads.iter().map(|row| row.cells.len()).max().unwrap_or(0);
    let column = |at: usize| {
        let mut names: Vec<&str> = heads
            .iter()
            .filter_map(|row| row.cells.get(at).map(String::as_str))
            .filter(|name| !name.is_empty())
            .collect();
        names.dedup();
        names.join(" ").chars().take(MAX_HEAD_CHARS).collect::<String>().trim().to_owned()
    };
    (0..width).map(column).collect()
}

/// The one form that a row of a table has in a text.
fn row_text(columns: &[String], row: &Row) -> String {
    // A single cell across the table is a heading between rows.
    let columns = if row.cells.len() > 1 { columns } else { &[] };
    let mut text = String::new();
    let mut joint = "";
    for (index, cell) in row.cells.iter().enumerate().filter(|(_, cell)| !cell.is_empty()) {
        text.push_str(joint);
        let column = columns.get(index).map(|name| name.trim_end_matches([':', ' ']));
        if let Some(column) = column.filter(|name| !name.is_empty() && *name != cell) {
            text.push_str(column);
            text.push_str(": ");
        }
        let heads_row = index == 0 && row.has_head && columns.is_empty();
        let cell = cell.replace('\n', " ");
        text.push_str(if heads_row { cell.trim_end_matches([':', ' ']) } else { &cell });
        joint = if heads_row { ": " } else { CELL_SEPARATOR };
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(cells: &[&str]) -> Row {
        Row::plain(cells.iter().map(|cell| (*cell).to_owned()).collect())
    }

    fn texts(rows: Vec<Row>, head: Head) -> Vec<String> {
        let blocks = blocks(rows, head).into_iter();
        blocks.map(|block| block.text).filter(|text| !text.is_empty()).collect()
    }

    #[test]
    fn every_row_carries_the_heads_of_its_columns() {
        let head = Row { is_head: true, ..row(&["Room", "Day", "Fee"]) };
        let rows =
            vec![head, row(&["Great Hall", "Saturday", "900 crowns"]), row(&["Loft", "", "40"])];
        assert_eq!(
            texts(rows, Head::Unmarked),
            ["Room: Great Hall · Day: Saturday · Fee: 900 crowns", "Room: Loft · Fee: 40"]
        );
    }

    #[test]
    fn without_heads_the_cells_stand_alone() {
        let rows = vec![row(&["Name", "Anna"]), row(&["Town", "Port Ellery"])];
        assert_eq!(texts(rows.clone(), Head::Unmarked), ["Name · Anna", "Town · Port Ellery"]);
        assert_eq!(texts(rows, Head::First), ["Name: Town · Anna: Port Ellery"]);
    }

    #[test]
    fn a_column_of_numbers_below_words_has_a_head() {
        let rows = vec![row(&["Room", "Seats"]), row(&["Hall", "120"]), row(&["Loft", "18"])];
        assert_eq!(
            texts(rows, Head::Unmarked),
            ["Room: Hall · Seats: 120", "Room: Loft · Seats: 18"]
        );
    }

    #[test]
    fn the_corner_of_a_table_with_names_of_rows_may_be_empty() {
        let rows = vec![row(&["", "Town", "Bells"]), row(&["0", "Quarrow", "12"])];
        assert_eq!(texts(rows, Head::First), ["0 · Town: Quarrow · Bells: 12"]);
        let rows = vec![row(&["", "Bells"]), row(&["Quarrow", "twelve"])];
        assert_eq!(texts(rows.clone(), Head::First), ["Quarrow · Bells: twelve"]);
        assert_eq!(texts(rows, Head::Unmarked), ["Bells", "Quarrow · twelve"]);
        let rows = vec![row(&["", "∑"]), row(&["Left tail", "2 x"])];
        assert_eq!(texts(rows, Head::Unmarked), ["∑", "Left tail · 2 x"]);
    }

    #[test]
    fn what_stands_before_the_heads_is_no_head() {
        let rows = vec![
            row(&["Price list of the harbour", "", ""]),
            row(&["Source", "harbour office"]),
            row(&["Berth", "Season", "Fee", "Deposit"]),
            row(&["North quay", "Summer", "120", "20"]),
        ];
        let texts_of = [
            "Price list of the harbour",
            "Source · harbour office",
            "Berth: North quay · Season: Summer · Fee: 120 · Deposit: 20",
        ];
        assert_eq!(texts(rows.clone(), Head::First), texts_of);
        assert_eq!(texts(rows, Head::Unmarked), texts_of);
        // A form has single cells too, and no heads.
        let form =
            vec![row(&["Minutes"]), row(&["Present", "Anna"]), row(&["Town", "Port Ellery"])];
        assert_eq!(texts(form, Head::First), ["Minutes", "Present · Anna", "Town · Port Ellery"]);
    }

    #[test]
    fn columns_of_statistics_are_headed_by_years() {
        let rows = |years: [&str; 2]| {
            vec![row(&["Town", years[0], years[1]]), row(&["Ellery", "1200", "990"])]
        };
        for years in
            [["2023", "2024"], ["2024", "2023"], ["2022/23", "2023/24"], ["2024 Q1", "2024 Q2"]]
        {
            let text = format!("Town: Ellery · {}: 1200 · {}: 990", years[0], years[1]);
            assert_eq!(texts(rows(years), Head::First), std::slice::from_ref(&text));
            assert_eq!(texts(rows(years), Head::Unmarked), [text]);
        }
        // Neither the years of people nor amounts are heads.
        let people = vec![row(&["Mozart", "1756", "1791"]), row(&["Beethoven", "1770", "1827"])];
        assert_eq!(texts(people, Head::First), ["Mozart · 1756 · 1791", "Beethoven · 1770 · 1827"]);
        let facts = vec![row(&["Founded", "1911"]), row(&["Inhabitants", "12000"])];
        assert_eq!(texts(facts, Head::First), ["Founded · 1911", "Inhabitants · 12000"]);
    }

    #[test]
    fn a_head_may_have_a_digit_in_it() {
        let rows = vec![row(&["Town", "CO2 (t)", "Q1"]), row(&["Ellery", "12", "3"])];
        assert_eq!(texts(rows, Head::First), ["Town: Ellery · CO2 (t): 12 · Q1: 3"]);
    }

    #[test]
    fn a_cell_that_heads_its_row_comes_before_a_colon() {
        let fact = Row { has_head: true, ..row(&["Founded", "1911"]) };
        let named = Row { has_head: true, ..row(&["Area:", "12 km²", "land"]) };
        assert_eq!(
            texts(vec![fact, named], Head::Unmarked),
            ["Founded: 1911", "Area: 12 km² · land"]
        );
    }

    #[test]
    fn heads_are_not_repeated_without_end() {
        let head = Row { is_head: true, ..row(&["h".repeat(5_000).as_str(); 60]) };
        let rows: Vec<Row> =
            std::iter::once(head).chain((0..9_000).map(|_| row(&["1"; 60]))).collect();
        let length: usize = texts(rows, Head::Unmarked).iter().map(String::len).sum();
        assert!(length < 20 * 1024 * 1024, "{length}");
    }
}
