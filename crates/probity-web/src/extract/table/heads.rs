//! Where the heads of a table's columns stand, when the format does not say so.

use super::{Head, Row};

/// How many rows tell how wide a table is.
const LOOKED_AT: usize = 50;
/// From this width on, a row of names below a title is taken for heads whatever stands below it.
const WIDE: usize = 3;
/// The years that may head a column: what statistics are kept for, and forecast.
const YEARS: std::ops::RangeInclusive<u16> = 1_800..=2_100;

/// Which of the first rows are heads.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Place {
    /// How many rows come before them: a title, a source, a date of printing.
    pub(super) before: usize,
    /// How many they are.
    pub(super) heads: usize,
}

impl Place {
    /// Where the first row follows that is no head.
    pub(super) fn end(self) -> usize {
        self.before.saturating_add(self.heads)
    }

    /// The heads.
    pub(super) fn of(self, rows: &[Row]) -> &[Row] {
        rows.get(self.before..self.end()).unwrap_or_default()
    }
}

/// Finds the row that heads the columns, if one does.
pub(super) fn find(rows: &[Row], head: Head) -> Place {
    let before = before(rows);
    let rest = rows.get(before..).unwrap_or_default();
    let is_wide = rest.first().is_some_and(|first| first.cells.len() >= WIDE);
    // A form has cells by themselves too: below one, custom alone is not enough.
    let head = if before > 0 && !is_wide { Head::Unmarked } else { head };
    match has_head(rest, head) {
        true => Place { before, heads: 1 },
        false => Place::default(),
    }
}

/// How many rows stand before the table proper: those that fill at most half of its columns.
fn before(rows: &[Row]) -> usize {
    let width = rows.iter().take(LOOKED_AT).map(Row::filled).max().unwrap_or(0);
    // Beside an empty corner one head may be all that there is.
    let is_before = |row: &&Row| !has_corner(row) && row.filled().saturating_mul(2) <= width;
    rows.iter().take_while(is_before).count()
}

/// Whether the first row heads the columns.
fn has_head(rows: &[Row], head: Head) -> bool {
    let Some((first, rest)) = rows.split_first() else { return false };
    // The corner above a column of names is often empty. Where columns are only guessed, that says nothing.
    let corner = head == Head::First && has_corner(first);
    let names = first.filled().saturating_add(usize::from(corner)) == first.cells.len()
        && first.filled() > usize::from(!corner)
        && (!first.cells.iter().any(|cell| is_value(cell)) || has_years(first, rest));
    // Without a custom, a column of numbers below a word is what distinguishes a header from a row.
    let below = |column: usize| {
        let mut cells = below(rest, column);
        cells.next().is_some_and(is_value) && cells.all(is_value)
    };
    names && !rest.is_empty() && (head == Head::First || (0..first.cells.len()).any(below))
}

/// Whether only the first cell of a row is empty.
fn has_corner(row: &Row) -> bool {
    row.cells.first().is_some_and(String::is_empty)
        && row.filled().saturating_add(1) == row.cells.len()
}

/// The cells of a column that have text.
fn below(rows: &[Row], column: usize) -> impl Iterator<Item = &str> {
    let cells = rows.iter().filter_map(move |row| row.cells.get(column));
    cells.map(String::as_str).filter(|cell| !cell.is_empty())
}

/// Whether the numbers of the first row are years in their order, above numbers that are not: what they head are
/// figures, as in most statistics. Years in a row of data have years below them.
fn has_years(first: &Row, rest: &[Row]) -> bool {
    let numbers = || first.cells.iter().enumerate().filter(|(_, cell)| is_value(cell));
    let years: Vec<u16> = numbers().filter_map(|(_, cell)| year(cell)).collect();
    let is_figure = |cell: &str| is_value(cell) && year(cell).is_none();
    years.len() > 1
        && years.len() == numbers().count()
        && years.len() < first.cells.len()
        && (years.is_sorted() || years.iter().rev().is_sorted())
        && numbers().any(|(column, _)| below(rest, column).any(is_figure))
}

/// The year that a cell names, also with the year or the quarter that it ends in: `2024`, `2023/24`, `2024 Q1`.
fn year(cell: &str) -> Option<u16> {
    let (year, rest) = cell.split_at_checked(4)?;
    let rest = rest.trim_start().trim_start_matches(['-', '–', '/', 'Q']);
    let is_year = rest.len() <= 4 && rest.chars().all(|c| c.is_ascii_digit());
    // `20245` is a number, not a year and a quarter.
    let is_longer = cell.chars().nth(4).is_some_and(|c| c.is_ascii_digit());
    year.parse().ok().filter(|year| is_year && !is_longer && YEARS.contains(year))
}

/// A number, an amount, a date: what is in a column rather than above it begins with one.
fn is_value(cell: &str) -> bool {
    cell.trim_start_matches(|c: char| !c.is_alphanumeric()).starts_with(char::is_numeric)
}
