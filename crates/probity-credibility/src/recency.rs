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
    texts.into_iter().find_map(|text| year_in(text, recent).or_else(|| ago_in(text)))
}

/// A run of exactly four digits that is such a year, with no letter or digit beside it.
fn year_in(text: &str, recent: impl Fn(i16) -> bool) -> Option<String> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(found) =
        bytes.get(at..).and_then(|rest| rest.iter().position(u8::is_ascii_digit))
    {
        let start = at + found;
        let run = bytes.iter().skip(start).take_while(|b| b.is_ascii_digit()).count();
        at = start + run;
        let beside = |index: Option<usize>| {
            index.and_then(|i| bytes.get(i)).is_some_and(u8::is_ascii_alphanumeric)
        };
        if run != 4 || beside(start.checked_sub(1)) || beside(Some(at)) {
            continue;
        }
        if let Some(year) = text.get(start..at).filter(|y| y.parse().is_ok_and(&recent)) {
            return Some(year.to_owned());
        }
    }
    None
}

/// "3 hours ago": a number, a unit of at most weeks, and the word, with white space between.
fn ago_in(text: &str) -> Option<String> {
    let words: Vec<&str> = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .take(MAX_WORDS)
        .collect();
    words.windows(3).find_map(|window| {
        let &[count, unit, ago] = window else { return None };
        let unit = unit.to_ascii_lowercase();
        let unit_known =
            matches!(unit.strip_suffix('s').unwrap_or(&unit), "minute" | "hour" | "day" | "week");
        let counted = !count.is_empty() && count.bytes().all(|b| b.is_ascii_digit());
        (counted && unit_known && ago.eq_ignore_ascii_case("ago"))
            .then(|| format!("{count} {unit} ago"))
    })
}

/// Snippets are short; a longer text is not searched to its end.
const MAX_WORDS: usize = 2_000;

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
        for text in ["3 minutes ago", "1 hour ago", "2 Days Ago", "posted 10 weeks ago."] {
            assert!(found(text).is_some(), "{text}");
        }
        for text in ["3 months ago", "2 years ago", "an hour ago", "3 days", "days ago"] {
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
