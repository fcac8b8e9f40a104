//! Signs that a page is recent, read from its title and snippet.

use jiff::civil::Date;
use probity_core::Timestamp;

/// The first year that counts as recent.
pub const FIRST_YEAR: i16 = 2020;

/// The words that make a page count as recent, if there are any.
///
/// That is a four-digit year from 2020 up to next year, or "N minutes/hours/days/weeks ago". A
/// publication day that the search gave counts as its year would.
pub fn recency_evidence(
    texts: [&str; 2],
    published: Option<Date>,
    now: Timestamp,
) -> Option<String> {
    let last = now.year().saturating_add(1);
    let recent = |year: i16| (FIRST_YEAR..=last).contains(&year);
    if let Some(date) = published.filter(|date| recent(date.year())) {
        return Some(date.to_string());
    }
    texts.into_iter().find_map(|text| evidence_in(text, recent))
}

/// Both kinds of evidence begin with a number, so a text is read from number to number.
fn evidence_in(text: &str, recent: impl Fn(i16) -> bool) -> Option<String> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(found) =
        bytes.get(at..).and_then(|rest| rest.iter().position(u8::is_ascii_digit))
    {
        let start = at + found;
        at = start + bytes.iter().skip(start).take_while(|b| b.is_ascii_digit()).count();
        let number = text.get(start..at).unwrap_or_default();
        let before = text.get(..start).unwrap_or_default();
        let after = text.get(at..).unwrap_or_default();
        if is_year(before, number, after, &recent) {
            return Some(number.to_owned());
        }
        if let Some(ago) = ago(before, number, after) {
            return Some(ago);
        }
    }
    None
}

/// Exactly four digits that are such a year, with no Latin letter beside them.
fn is_year(before: &str, number: &str, after: &str, recent: impl Fn(i16) -> bool) -> bool {
    number.len() == 4
        && !before.ends_with(|c: char| c.is_ascii_alphanumeric())
        && !after.starts_with(|c: char| c.is_ascii_alphanumeric())
        && number.parse().is_ok_and(recent)
}

/// "3 hours ago": a number, a unit of at most weeks, and the word, with no letter between.
fn ago(before: &str, number: &str, after: &str) -> Option<String> {
    if number.len() > COUNT_DIGITS || before.ends_with(char::is_alphanumeric) {
        return None;
    }
    let after = after.strip_prefix(|c: char| !c.is_alphanumeric())?;
    let mut words = after.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let (unit, last) = (words.next()?, words.next()?);
    let singular = unit.strip_suffix(['s', 'S']).unwrap_or(unit);
    let unit = UNITS.iter().find(|known| singular.eq_ignore_ascii_case(known))?;
    let plural = if number == "1" { "" } else { "s" };
    last.eq_ignore_ascii_case("ago").then(|| format!("{number} {unit}{plural} ago"))
}

/// What may be counted back from now.
const UNITS: [&str; 4] = ["minute", "hour", "day", "week"];
/// The longest count that is taken for one.
const COUNT_DIGITS: usize = 6;

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Option<String> {
        recency_evidence(["", text], None, "2026-11-15".parse().unwrap())
    }

    #[test]
    fn years_from_2020_to_next_year_count() {
        for text in ["in 2020", "2027 outlook", "(2024)", "12.05.2024", "2024-05-01", "2024年の"]
        {
            assert!(found(text).is_some(), "{text}");
        }
        for text in
            ["in 2019", "by 2028", "12024", "20245", "A2024", "2024b", "1.2e20", "", "20 24"]
        {
            assert!(found(text).is_none(), "{text}");
        }
    }

    #[test]
    fn short_times_ago_count() {
        for text in [
            "3 minutes ago",
            "1 hour ago",
            "2 Days Ago",
            "posted 10 weeks ago.",
            "7 7 days\u{a0}ago",
        ] {
            assert!(found(text).is_some(), "{text}");
        }
        for text in [
            "3 months ago",
            "2 years ago",
            "an hour ago",
            "3 days",
            "days ago",
            "é3 days ago",
            "3rd day ago",
        ] {
            assert!(found(text).is_none(), "{text}");
        }
    }

    #[test]
    fn a_given_publication_day_counts_by_its_year() {
        let now = "2026-11-15".parse().unwrap();
        let on = |text: &str| recency_evidence(["", ""], Some(text.parse().unwrap()), now);
        assert_eq!(on("2025-02-03").as_deref(), Some("2025-02-03"));
        assert_eq!(on("2018-02-03"), None);
    }
}
