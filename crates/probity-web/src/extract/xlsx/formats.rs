//! How the numbers of a sheet are shown: as days, as shares, with their unit, or as they are.

use jiff::ToSpan as _;
use jiff::civil::date;

use crate::extract::budget::Budget;
use crate::extract::package::{Piece, attribute, walk};

/// The longest text that a format puts before or behind a number.
const MAX_UNIT_CHARS: usize = 40;

/// How a number is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Format {
    /// As it is.
    Number,
    /// As a share of a hundred.
    Share,
    /// As a day.
    Day,
    /// Divided by this many thousands, between texts: a currency, a unit.
    Unit { before: String, after: String, thousands: i32 },
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
                    formats.push(own.map_or_else(|| built_in(id), |(_, format)| format.clone()));
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

/// A piece of a format's code.
enum Part {
    /// Stands for itself.
    Text(String),
    /// Stands for something of the number or the day.
    Sign(char),
    /// Says which numbers the section is for.
    Condition,
}

/// The pieces of the section for positive numbers.
fn parts(code: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut chars = code.chars();
    while let Some(c) = chars.next() {
        match c {
            ';' => break,
            '"' => parts.push(Part::Text(chars.by_ref().take_while(|c| *c != '"').collect())),
            '[' => {
                let inside: String = chars.by_ref().take_while(|c| *c != ']').collect();
                // `[$Kč-405]` is a currency and a language, `[>=1000]` a condition; the rest are colours.
                if inside.starts_with(['<', '>', '=']) {
                    parts.push(Part::Condition);
                }
                let currency = inside.strip_prefix('$').and_then(|said| said.split('-').next());
                parts.extend(currency.map(|currency| Part::Text(currency.to_owned())));
            }
            '\\' => parts.extend(chars.next().map(|c| Part::Text(c.into()))),
            // As wide as the next sign, or filled with it.
            '_' | '*' => drop(chars.next()),
            ' ' | '\u{a0}' | '\u{202f}' => parts.push(Part::Text(' '.into())),
            '$' | '£' | '¥' | '¢' | '\u{20a0}'..='\u{20cf}' => parts.push(Part::Text(c.into())),
            'G' | 'g'
                if chars
                    .as_str()
                    .get(..6)
                    .is_some_and(|rest| rest.eq_ignore_ascii_case("eneral")) =>
            {
                // As many digits as the number has.
                parts.push(Part::Sign('0'));
                chars.by_ref().take(6).for_each(drop);
            }
            c => parts.push(Part::Sign(c.to_ascii_lowercase())),
        }
    }
    parts
}

fn by_code(code: &str) -> Format {
    let parts = parts(code);
    let has = |signs: &[char]| {
        parts.iter().any(|part| matches!(part, Part::Sign(c) if signs.contains(c)))
    };
    if has(&['y', 'd']) {
        return Format::Day;
    }
    if has(&['%']) {
        return Format::Share;
    }
    let is_digit = |part: &Part| matches!(part, Part::Sign('0' | '#' | '?'));
    let first = parts.iter().position(is_digit);
    let last = parts.iter().rposition(is_digit);
    // Times and fractions, too, have texts; what is a number alone has digits and their marks.
    let (Some(first), Some(last)) = (first, last) else { return Format::Number };
    if has(&['h', 'm', 's', '/', 'e', '@']) {
        return Format::Number;
    }
    let text = |parts: &[Part]| {
        let texts = parts.iter().filter_map(|part| match part {
            Part::Text(text) => Some(text.as_str()),
            Part::Sign(_) | Part::Condition => None,
        });
        texts.collect::<String>().chars().take(MAX_UNIT_CHARS).collect::<String>()
    };
    let behind = parts.get(last.saturating_add(1)..).unwrap_or_default();
    let commas = behind.iter().take_while(|part| matches!(part, Part::Sign(','))).count();
    let before = text(parts.get(..first).unwrap_or_default()).trim_start().to_owned();
    let after = text(behind).trim_end().to_owned();
    let is_unit = [&before, &after].iter().any(|text| text.contains(is_of_unit));
    let thousands = i32::try_from(commas).unwrap_or(0);
    // Millions of what is less than one have no digits left; other sections are not read.
    if thousands > 0 && parts.iter().any(|part| matches!(part, Part::Condition)) {
        return Format::Number;
    }
    match is_unit || thousands > 0 {
        true => Format::Unit { before, after, thousands },
        false => Format::Number,
    }
}

/// Letters, and signs of currencies and units; no brackets or dashes.
fn is_of_unit(c: char) -> bool {
    c.is_alphabetic() || matches!(c, '$' | '£' | '¥' | '¢' | '°' | '\u{20a0}'..='\u{20cf}')
}

impl Format {
    /// A stored number as people see it.
    pub(super) fn shown(&self, value: &str) -> String {
        let Ok(number) = value.parse::<f64>() else { return value.to_owned() };
        match self {
            Format::Number => value.to_owned(),
            Format::Share => format!("{}%", plain(number * 100.0)),
            Format::Day => day(number).unwrap_or_else(|| value.to_owned()),
            Format::Unit { before, after, thousands } => {
                let shown = match thousands {
                    0 => value.to_owned(),
                    thousands => plain(number / 1000_f64.powi(*thousands)),
                };
                let (sign, digits) =
                    shown.strip_prefix('-').map_or(("", shown.as_str()), |rest| ("-", rest));
                format!("{sign}{before}{digits}{after}")
            }
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
        for (code, format) in [
            ("dd/mm/yyyy", Format::Day),
            ("0.0%", Format::Share),
            ("[Red]0.00", Format::Number),
            ("#,##0_);(#,##0)", Format::Number),
            ("\"Total\" hh:mm", Format::Number),
            ("0.00E+00\" kg\"", Format::Number),
            ("General", Format::Number),
        ] {
            assert_eq!(by_code(code), format, "{code}");
        }
    }

    #[test]
    fn a_number_keeps_its_currency_and_its_unit() {
        for (code, value, shown) in [
            ("#,##0\\ \"Kč\"", "900", "900 Kč"),
            ("#,##0.00\\ [$Kč-405]", "-900.5", "-900.5 Kč"),
            ("[$$-409]#,##0.00;[Red]-[$$-409]#,##0.00", "-12", "-$12"),
            ("_-* #,##0.00\\ \"€\"_-", "3", "3 €"),
            ("\"CHF \"0", "7", "CHF 7"),
            ("General\\ \"kg\"", "7.25", "7.25 kg"),
            ("0.0\" days\"", "1.5", "1.5 days"),
            ("0\\ \\d", "4", "4 d"),
            ("0.0,,\" M\"", "3200000", "3.2 M"),
            ("£#,##0", "text", "text"),
            ("0.0\"°C\"", "-4", "-4°C"),
            ("[>=1000000]0.0,,\"M\";0", "950", "950"),
            ("[=1]0\" crown\";0\" crowns\"", "1", "1 crown"),
            // As programs write the forms of accounting.
            ("\"$\"#,##0_);[Red]\\(\"$\"#,##0\\)", "-12", "-$12"),
            (
                "_(\"$\"* #,##0.00_);_(\"$\"* \\(#,##0.00\\);_(\"$\"* \"-\"??_);_(@_)",
                "-1200.5",
                "-$1200.5",
            ),
            ("_(* #,##0.00_);_(* \\(#,##0.00\\);_(* \"-\"??_);_(@_)", "-7", "-7"),
            ("_-* #,##0.00\\ _€_-;\\-* #,##0.00\\ _€_-", "-7", "-7"),
            ("#,##0.00\u{a0}€;[Red]-#,##0.00\u{a0}€", "-7", "-7 €"),
        ] {
            assert_eq!(by_code(code).shown(value), shown, "{code}");
        }
    }
}
