//! A provider's date in any of their spellings → a day, if it is a plausible one.

use jiff::Span;
use jiff::civil::Date;

use crate::extract::month;

/// Nothing was printed before this year, so nothing was published.
const FIRST_YEAR: i16 = 1450;
/// The longest text that is looked at, in bytes.
const DATE_BYTES: usize = 64;

/// Reads a date as `2026-03-05…`, `2026/03/05`, `Mar 5, 2026`, `Thu, 05 Mar 2026 …` or `3 days ago`.
///
/// A month or a year alone is no day, and a day later than tomorrow or before printing is a mistake:
/// both give none, as does anything else.
pub(crate) fn parse(text: &str, today: Date) -> Option<Date> {
    let text = text.trim();
    let text = text.get(..text.floor_char_boundary(DATE_BYTES))?;
    numeric(text)
        .or_else(|| named(text))
        .or_else(|| relative(text, today))
        .and_then(|day| plausible(day, today))
}

/// A day from its numbers, if there is such a day.
pub(crate) fn from_parts(year: i64, month: i64, day: i64, today: Date) -> Option<Date> {
    let date =
        Date::new(year.try_into().ok()?, month.try_into().ok()?, day.try_into().ok()?).ok()?;
    plausible(date, today)
}

fn plausible(day: Date, today: Date) -> Option<Date> {
    // Tomorrow, because it may be that already where the page was published.
    let latest = today.tomorrow().unwrap_or(today);
    (day.year() >= FIRST_YEAR && day <= latest).then_some(day)
}

/// `2026-03-05`, alone or before a time.
fn numeric(text: &str) -> Option<Date> {
    let (day, rest) = text.split_at_checked(10)?;
    if rest.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let mut parts = day.splitn(3, ['-', '/']);
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    let digits =
        |text: &str, length| text.len() == length && text.bytes().all(|b| b.is_ascii_digit());
    if !(digits(year, 4) && digits(month, 2) && digits(day, 2)) {
        return None;
    }
    Date::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?).ok()
}

/// A day with its month in words, in either order.
fn named(text: &str) -> Option<Date> {
    let (mut year, mut month_number, mut day) = (None, None, None);
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        if let Some(number) = month_number.is_none().then(|| month(&word.to_lowercase())).flatten()
        {
            month_number = Some(number);
        } else if word.bytes().all(|b| b.is_ascii_digit()) {
            match word.len() {
                1 | 2 if day.is_none() => day = word.parse::<i8>().ok(),
                4 if year.is_none() => year = word.parse::<i16>().ok(),
                _ => {}
            }
        }
    }
    Date::new(year?, month_number?, day?).ok()
}

/// `3 days ago` and the like, as far as they name a day.
fn relative(text: &str, today: Date) -> Option<Date> {
    let lower = text.to_ascii_lowercase();
    let mut words = lower.split_whitespace();
    let first = words.next()?;
    match first {
        "today" => return Some(today),
        "yesterday" => return today.yesterday().ok(),
        _ => {}
    }
    let count: i64 = first.parse().ok()?;
    let unit = words.next()?;
    if words.next() != Some("ago") || count < 0 {
        return None;
    }
    let days = match unit.trim_end_matches('s') {
        "second" | "sec" | "minute" | "min" => 0,
        "hour" | "hr" => count / 24,
        "day" => count,
        "week" => count.checked_mul(7)?,
        _ => return None,
    };
    today.checked_sub(Span::new().try_days(days).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use proptest::prelude::*;

    use super::*;

    const TODAY: Date = date(2026, 11, 15);

    #[test]
    fn the_spellings_of_providers_are_read() {
        for text in [
            "2026-03-05",
            "2026-03-05T23:59:59.000Z",
            "2026-03-05 10:00:00",
            "2026/03/05",
            "Mar 5, 2026",
            "March 5, 2026",
            "5 Mar 2026",
            "05 March 2026",
            "Thu, 05 Mar 2026 10:00:00 GMT",
        ] {
            assert_eq!(parse(text, TODAY), Some(date(2026, 3, 5)), "{text}");
        }
        assert_eq!(parse("3 days ago", TODAY), Some(date(2026, 11, 12)));
        assert_eq!(parse("2 weeks ago", TODAY), Some(date(2026, 11, 1)));
        assert_eq!(parse("1 hour ago", TODAY), Some(TODAY));
        assert_eq!(parse("Yesterday", TODAY), Some(date(2026, 11, 14)));
    }

    #[test]
    fn absurd_and_inexact_dates_are_none() {
        for text in [
            "",
            "2026",
            "March 2026",
            "2026-13-45",
            "2026-02-30",
            "9999-01-01",
            "0001-01-01",
            "2026-12-24",
            "-2026-03-05",
            "soon",
            "3 months ago",
            "99999999999999 weeks ago",
            "-5 days ago",
            "1700000000",
            "2026-03-051",
            "31 Feb 2026",
            "Marbles 5 2026x",
        ] {
            assert_eq!(parse(text, TODAY), None, "{text}");
        }
        assert_eq!(parse("2026-11-16", TODAY), Some(date(2026, 11, 16)), "tomorrow, by time zone");
        assert_eq!(from_parts(2026, 0, 1, TODAY), None);
        assert_eq!(from_parts(i64::MAX, 1, 1, TODAY), None);
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic_or_leave_the_bounds(text in "\\PC{0,80}") {
            if let Some(day) = parse(&text, TODAY) {
                prop_assert!(day.year() >= FIRST_YEAR && day <= TODAY.tomorrow().unwrap());
            }
        }

        #[test]
        fn every_written_day_is_read_back(days in 0i64..200_000) {
            let day = TODAY.checked_sub(Span::new().days(days)).unwrap();
            prop_assert_eq!(parse(&day.to_string(), TODAY), Some(day));
            prop_assert_eq!(parse(&day.strftime("%d %B %Y").to_string(), TODAY), Some(day));
        }
    }
}
