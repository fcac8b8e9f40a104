//! How the numbers of a sheet are shown: as days, as shares, or as they are.

use jiff::ToSpan as _;
use jiff::civil::date;

use crate::extract::budget::Budget;
use crate::extract::package::{Piece, attribute, walk};

/// How a number is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    /// As it is.
    Number,
    /// As a share of a hundred.
    Share,
    /// As a day.
    Day,
}

/// The formats of a workbook's styles, by their number.
pub(super) fn read(xml: &str, budget: &Budget) -> Result<Vec<Format>, String> {
    let mut custom: Vec<(u32, Format)> = Vec::new();
    let mut formats = Vec::new();
    let mut in_cells = false;
    walk(xml, budget, |piece| match piece {
        Piece::Start(start) => {
            let id = attribute(start, "numFmtId").and_then(|id| id.parse().ok()).unwrap_or(0);
            match start.local_name().as_ref() {
                "numFmt" => {
                    let code = attribute(start, "formatCode").unwrap_or_default();
                    custom.push((id, by_code(&code)));
                }
                "cellXfs" => in_cells = true,
                "xf" if in_cells => {
                    let own = custom.iter().find(|(found, _)| *found == id);
                    formats.push(own.map_or_else(|| built_in(id), |(_, format)| *format));
                }
                _ => {}
            }
        }
        Piece::End("cellXfs") => in_cells = false,
        _ => {}
    })?;
    Ok(formats)
}

fn built_in(id: u32) -> Format {
    match id {
        9 | 10 => Format::Share,
        14..=17 | 22 | 27..=36 | 50..=58 => Format::Day,
        _ => Format::Number,
    }
}

fn by_code(code: &str) -> Format {
    // What is in quotes or brackets is text.
    let mut bare = String::new();
    let mut inside = false;
    for c in code.chars() {
        match c {
            '"' => inside = !inside,
            '[' => inside = true,
            ']' => inside = false,
            c if !inside => bare.push(c.to_ascii_lowercase()),
            _ => {}
        }
    }
    if bare.contains('y') || bare.contains('d') {
        Format::Day
    } else if bare.contains('%') {
        Format::Share
    } else {
        Format::Number
    }
}

impl Format {
    /// A stored number as people see it.
    pub(super) fn shown(self, value: &str) -> String {
        let Ok(number) = value.parse::<f64>() else { return value.to_owned() };
        match self {
            Format::Number => value.to_owned(),
            Format::Share => format!("{}%", plain(number * 100.0)),
            Format::Day => day(number).unwrap_or_else(|| value.to_owned()),
        }
    }
}

/// A number without the noise of its last digits.
fn plain(number: f64) -> String {
    let text = format!("{number:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Days are counted from the last of 1899, with a day in 1900 that never was.
fn day(number: f64) -> Option<String> {
    let days = (1.0..=2_958_465.0).contains(&number).then_some(number.floor() as i64)?;
    Some(date(1899, 12, 30).checked_add(days.days()).ok()?.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_shown_as_their_style_says() {
        assert_eq!(Format::Day.shown("45000"), "2023-03-15");
        assert_eq!(Format::Share.shown("0.125"), "12.5%");
        assert_eq!(Format::Number.shown("1200"), "1200");
        assert_eq!(Format::Day.shown("soon"), "soon");
    }

    #[test]
    fn formats_are_recognised_by_their_code() {
        assert_eq!(by_code("dd/mm/yyyy"), Format::Day);
        assert_eq!(by_code("0.0%"), Format::Share);
        assert_eq!(by_code("#,##0.00 \"days\""), Format::Number);
        assert_eq!(by_code("[Red]0.00"), Format::Number);
    }
}
