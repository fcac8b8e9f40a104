//! Signs that a page is recent, read from its title and snippet.

use jiff::civil::Date;
use probity_core::Timestamp;

/// The first year that counts as recent.
pub const FIRST_YEAR: i16 = 2020;
/// The last year that counts whatever the day: any 202x.
const DECADE_ENDS: i16 = 2029;

/// The words that make a page count as recent, if there are any.
///
/// That is a four-digit year from 2020 up to next year (and any 202x), or minutes, hours, days or
/// weeks "ago", with or without a number. A publication day that the search gave counts as its year
/// would.
pub fn recency_evidence(
    texts: [&str; 2],
    published: Option<Date>,
    now: Timestamp,
) -> Option<String> {
    let last = now.year().saturating_add(1).max(DECADE_ENDS);
    let recent = |year: i16| (FIRST_YEAR..=last).contains(&year);
    if let Some(date) = published.filter(|date| recent(date.year())) {
        return Some(date.to_string());
    }
    texts.into_iter().find_map(|text| year_in(text, recent).or_else(|| ago_in(text)))
}

/// Exactly four digits that are such a year, with no Latin letter beside them.
fn year_in(text: &str, recent: impl Fn(i16) -> bool) -> Option<String> {
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
        if number.len() == 4
            && !before.ends_with(|c: char| c.is_ascii_alphanumeric())
            && !after.starts_with(|c: char| c.is_ascii_alphanumeric())
            && number.parse().is_ok_and(&recent)
        {
            return Some(number.to_owned());
        }
    }
    None
}

/// "3 hours ago", "an hour ago", "days ago": a unit of at most weeks and the word, with no letter
/// between.
fn ago_in(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut from = 0;
    while let Some(found) =
        bytes.get(from..)?.windows(3).position(|three| three.eq_ignore_ascii_case(b"ago"))
    {
        let start = from + found;
        from = start + 3;
        let is_word = !text.get(from..).is_some_and(|rest| rest.starts_with(char::is_alphanumeric));
        let before = text.get(..start).unwrap_or_default();
        let ended = before.trim_end_matches(|c: char| !c.is_alphanumeric());
        if !is_word || ended.len() == before.len() {
            continue;
        }
        let mut words = ended.rsplit(|c: char| !c.is_alphanumeric());
        let unit = words.next().unwrap_or_default();
        let singular = unit.strip_suffix(['s', 'S']).unwrap_or(unit);
        let Some(known) = UNITS.iter().find(|known| singular.eq_ignore_ascii_case(known)) else {
            continue;
        };
        let plural = if singular.len() < unit.len() { "s" } else { "" };
        let count = words.next().filter(|word| is_count(word));
        return Some(match count {
            Some(count) => format!("{} {known}{plural} ago", count.to_lowercase()),
            None => format!("{known}{plural} ago"),
        });
    }
    None
}

/// Whether a word before a unit says how many, as far as it is shown.
fn is_count(word: &str) -> bool {
    (1..=COUNT_CHARS).contains(&word.len())
        && (word.bytes().all(|b| b.is_ascii_digit())
            || word.bytes().all(|b| b.is_ascii_alphabetic()))
}

/// What may be counted back from now.
const UNITS: [&str; 4] = ["minute", "hour", "day", "week"];
/// The longest count that is shown.
const COUNT_CHARS: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Option<String> {
        recency_evidence(["", text], None, "2026-11-15".parse().unwrap())
    }

    #[test]
    fn years_from_2020_to_next_year_and_any_of_the_decade_count() {
        for text in
            ["in 2020", "2027 outlook", "by 2029", "(2024)", "12.05.2024", "2024-05-01", "2024年の"]
        {
            assert!(found(text).is_some(), "{text}");
        }
        for text in
            ["in 2019", "by 2030", "12024", "20245", "A2024", "2024b", "1.2e20", "", "20 24"]
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
            "an hour ago",
            "several days ago",
            "weeks ago",
            "updated HOURS AGO",
            "é3 days ago",
        ] {
            assert!(found(text).is_some(), "{text}");
        }
        for text in [
            "3 months ago",
            "2 years ago",
            "3 days",
            "days agog",
            "the days of Chicago",
            "daysago",
            "ago",
            "a long time ago",
        ] {
            assert!(found(text).is_none(), "{text}");
        }
    }

    #[test]
    fn the_evidence_is_given_in_the_words_that_were_found() {
        for (text, expected) in [
            ("posted 3 Hours ago", "3 hours ago"),
            ("An hour ago", "an hour ago"),
            ("(weeks ago)", "weeks ago"),
            ("Lago 5 min. 10 days - ago", "10 days ago"),
        ] {
            assert_eq!(found(text).as_deref(), Some(expected), "{text}");
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
