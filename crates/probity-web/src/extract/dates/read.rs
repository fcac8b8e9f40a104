//! Text → the dates written in it.
//!
//! A text is cut into numbers, words and the signs between them; a date is three of them that fit:
//! `2019-05-06`, `6.5.2019`, `May 6th, 2019`, `6 de mayo de 2019`, `2019年5月6日`.

use jiff::civil::Date;
use probity_core::calendar::MONTHS;

use super::is_plausible;
use super::months::month;
use super::tokens::{Cursor, Kind, Token, tokens};

/// The most dates that are read from one text.
const MAX_DATES: usize = 200;

/// What `5/6/2019` means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Order {
    /// The fifth of June.
    #[default]
    DayFirst,
    /// The sixth of May, as in American English.
    MonthFirst,
}

impl Order {
    /// The order that is usual in a language: `en`, `en-US`, `de`.
    pub(crate) fn of_language(language: Option<&str>) -> Order {
        let Some(language) = language else { return Order::DayFirst };
        let language = language.to_ascii_lowercase().replace('_', "-");
        match language.as_str() {
            "en" | "en-us" | "en-ph" | "eng" => Order::MonthFirst,
            _ => Order::DayFirst,
        }
    }
}

/// A date found in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Written {
    /// The day.
    pub(crate) date: Date,
    /// Where it begins in the text, in bytes.
    pub(crate) start: usize,
    /// Where it ends.
    pub(crate) end: usize,
}

/// The first plausible date in a text.
pub(crate) fn first_date(text: &str, order: Order) -> Option<Date> {
    dates_in(text, order).first().map(|written| written.date)
}

/// All plausible dates in a text.
pub(crate) fn dates_in(text: &str, order: Order) -> Vec<Written> {
    let tokens = tokens(text);
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() && found.len() < MAX_DATES {
        match date_at(&tokens, at, order) {
            Some((date, used)) if is_plausible(date) => {
                let start = tokens.get(at).map_or(0, |token| token.start);
                let end = tokens.get(at.saturating_add(used).saturating_sub(1));
                found.push(Written { date, start, end: end.map_or(text.len(), |token| token.end) });
                at = at.saturating_add(used);
            }
            _ => at = at.saturating_add(1),
        }
    }
    found
}

/// The date that begins at a token, and how many tokens it takes.
fn date_at(tokens: &[Token], at: usize, order: Order) -> Option<(Date, usize)> {
    // A number that continues from another (an address, a version) begins no date.
    if let Some(before) = at.checked_sub(1).and_then(|before| tokens.get(before))
        && matches!(&before.kind, Kind::Sign(sign) if matches!(sign.as_str(), "." | "/" | "-" | "+" | "#"))
        && at
            .checked_sub(2)
            .and_then(|before| tokens.get(before))
            .is_some_and(|token| matches!(token.kind, Kind::Number(..)))
    {
        return None;
    }
    let reads: [fn(&mut Cursor<'_>, Order) -> Option<Date>; 5] =
        [compact, east_asian, numeric, day_first_name, month_first_name];
    reads.iter().find_map(|read| {
        let mut cursor = Cursor { tokens, at };
        let date = read(&mut cursor, order)?;
        Some((date, cursor.at.saturating_sub(at)))
    })
}

/// `20190506`, also with a time behind it.
fn compact(cursor: &mut Cursor<'_>, _: Order) -> Option<Date> {
    let (number, digits) = cursor.number()?;
    if digits != 8 {
        return None;
    }
    day(number / 10_000, number / 100 % 100, number % 100)
}

/// `2019年5月6日`, `2019년 5월 6일`.
fn east_asian(cursor: &mut Cursor<'_>, _: Order) -> Option<Date> {
    let (year, 4) = cursor.number()? else { return None };
    let sign = cursor.sign()?.trim();
    if !sign.starts_with(['年', '년']) {
        return None;
    }
    let (month, _) = cursor.number()?;
    if !cursor.sign()?.trim().starts_with(['月', '월']) {
        return None;
    }
    let (number, _) = cursor.number()?;
    day(year, month, number)
}

/// `2019-05-06`, `6.5.2019`, `5/6/2019`, `06.05.19`.
fn numeric(cursor: &mut Cursor<'_>, order: Order) -> Option<Date> {
    let (first, first_digits) = cursor.number()?;
    let sign = separator(cursor)?;
    let (second, second_digits) = cursor.number()?;
    if separator(cursor)? != sign || second_digits > 2 {
        return None;
    }
    let (third, third_digits) = cursor.number()?;
    if first_digits == 4 && third_digits <= 2 {
        return day(first, second, third);
    }
    if first_digits > 2 {
        return None;
    }
    let year = match third_digits {
        4 => third,
        // Two digits for the year only in the forms where nothing else is usual.
        2 if sign == '.' => full_year(third),
        2 if sign == '/'
            && (order == Order::MonthFirst || (first_digits == 2 && second_digits == 2)) =>
        {
            full_year(third)
        }
        _ => return None,
    };
    let month_first = match (first > 12, second > 12) {
        (true, _) => false,
        (_, true) => true,
        _ => sign != '.' && order == Order::MonthFirst,
    };
    if month_first { day(year, first, second) } else { day(year, second, first) }
}

/// The sign between the numbers of a date: one of `-./`, perhaps with a space.
fn separator(cursor: &mut Cursor<'_>) -> Option<char> {
    match cursor.sign()? {
        "-" | "–" => Some('-'),
        "/" | " / " => Some('/'),
        "." | ". " => Some('.'),
        _ => None,
    }
}

/// `6 May 2019`, `6. Mai 2019`, `6 de mayo de 2019`, `6th of May, 2019`, `6-May-2019`.
fn day_first_name(cursor: &mut Cursor<'_>, _: Order) -> Option<Date> {
    let (number, digits) = cursor.number()?;
    if digits == 4 {
        return year_first_name(cursor, number);
    }
    if digits > 2 {
        return None;
    }
    cursor.skip_joint();
    cursor.skip_joint();
    cursor.skip_gap()?;
    let month = named_month(cursor)?;
    cursor.skip_joint();
    cursor.skip_gap()?;
    let year = named_year(cursor)?;
    day(year, month, number)
}

/// `2019. május 6.`, `2019 May 6`.
fn year_first_name(cursor: &mut Cursor<'_>, year: u32) -> Option<Date> {
    cursor.skip_gap()?;
    let month = named_month(cursor)?;
    cursor.skip_gap()?;
    let (number, digits) = cursor.number()?;
    if digits > 2 { None } else { day(year, month, number) }
}

/// `May 6, 2019`, `Mai 6th 2019`.
fn month_first_name(cursor: &mut Cursor<'_>, _: Order) -> Option<Date> {
    let word = cursor.word()?;
    // Names are glued to what is before them where a page forgets the space.
    let month = month_of(word).or_else(|| glued_month(word))?;
    cursor.skip_gap()?;
    let (number, digits) = cursor.number()?;
    if digits > 2 {
        return None;
    }
    cursor.skip_joint();
    cursor.skip_gap()?;
    let year = named_year(cursor)?;
    day(year, month, number)
}

fn named_month(cursor: &mut Cursor<'_>) -> Option<u32> {
    match cursor.next()? {
        Kind::Word(word) => month_of(word),
        // `5 tháng 6 năm 2019` has a number for the month, but only after its word.
        Kind::Number(number, digits) if *digits <= 2 => {
            let joint = cursor.at.checked_sub(3).and_then(|at| cursor.tokens.get(at));
            matches!(joint.map(|t| &t.kind), Some(Kind::Word(word)) if word == "tháng")
                .then_some(*number)
        }
        _ => None,
    }
}

fn month_of(word: &str) -> Option<u32> {
    month(word).and_then(|month| u32::try_from(month).ok())
}

/// The English month at the end of a word: `SmithMarch`.
fn glued_month(word: &str) -> Option<u32> {
    MONTHS
        .iter()
        .find(|name| name.len() > 3 && word.ends_with(**name))
        .and_then(|name| month_of(name))
}

/// A year of four digits, in the Buddhist calendar too, or of two behind an apostrophe.
fn named_year(cursor: &mut Cursor<'_>) -> Option<u32> {
    let (year, digits) = cursor.number()?;
    match digits {
        4 if (2_500..=2_600).contains(&year) => Some(year.saturating_sub(543)),
        4 => Some(year),
        _ => None,
    }
}

fn full_year(two_digits: u32) -> u32 {
    if two_digits >= 90 {
        two_digits.saturating_add(1_900)
    } else {
        two_digits.saturating_add(2_000)
    }
}

fn day(year: u32, month: u32, day: u32) -> Option<Date> {
    Date::new(i16::try_from(year).ok()?, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        first_date(text, Order::DayFirst).map_or_else(|| "none".to_owned(), |date| date.to_string())
    }

    #[test]
    fn dates_are_read_as_they_are_written() {
        for text in [
            "2019-05-06",
            "2019-05-06T10:00:00+02:00",
            "2019/5/6 10:00",
            "2019.05.06.",
            "20190506",
            "06.05.2019",
            "6. 5. 2019",
            "06.05.19",
            "06/05/2019",
            "6-5-2019",
            "6 May 2019",
            "Mon, 06 May 2019 10:00:00 GMT",
            "6. Mai 2019, 10:15 Uhr",
            "6 de mayo de 2019",
            "6 mai 2019 à 10h15",
            "6 mei 2019",
            "le 6 mai 2019",
            "May 6, 2019",
            "May 6th, 2019",
            "on the 6th of May, 2019",
            "Posted by SmithMay 6, 2019 and May 6, 2019",
            "6 мая 2019 г.",
            "6 maja 2019",
            "6. května 2019",
            "2019. május 6.",
            "6 Mayıs 2019 Pazartesi",
            "2019年5月6日 10:00",
            "2019年05月06日",
            "2019년 5월 6일",
            "6 tháng 5, 2019",
            "6 พฤษภาคม 2562",
            "٦ مايو ٢٠١٩",
            "6 مايو 2019",
            "6 Μαΐου 2019",
            "6-May-2019",
            "2019 May 6",
            "６月の話ではなく２０１９年５月６日",
        ] {
            assert_eq!(read(text), "2019-05-06", "{text}");
        }
    }

    #[test]
    fn american_dates_put_the_month_first() {
        let read = |text| first_date(text, Order::MonthFirst).map(|date| date.to_string());
        assert_eq!(read("5/6/2019").as_deref(), Some("2019-05-06"));
        assert_eq!(read("25/6/2019").as_deref(), Some("2019-06-25"));
        assert_eq!(read("8/17/13 11:04am").as_deref(), Some("2013-08-17"));
        assert_eq!(read("5/6/19").as_deref(), Some("2019-05-06"));
        assert_eq!(read("06.05.2019").as_deref(), Some("2019-05-06"));
        assert_eq!(Order::of_language(Some("en_US")), Order::MonthFirst);
        assert_eq!(Order::of_language(Some("en-GB")), Order::DayFirst);
    }

    #[test]
    fn what_only_looks_like_a_date_is_none() {
        for text in [
            "192.168.1.2019",
            "version 1.2.3",
            "call 555-12-2019 now",
            "1850-05-06",
            "2019-13-40",
            "31 February 2019",
            "May 2019",
            "2999-01-01",
            "12/2019",
            "room 6 in 2019",
            "lots of 1/2/10",
        ] {
            assert_eq!(read(text), "none", "{text}");
        }
    }

    #[test]
    fn all_dates_of_a_text_are_found_with_their_places() {
        let text = "Published 6 May 2019, updated 2019-05-07.";
        let found = dates_in(text, Order::DayFirst);
        assert_eq!(found.len(), 2);
        assert_eq!(text.get(found[0].start..found[0].end), Some("6 May 2019"));
        assert_eq!(text.get(found[1].start..found[1].end), Some("2019-05-07"));
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read_without_a_crash(text in "\\PC{0,200}") {
            let _ = dates_in(&text, Order::MonthFirst);
        }

        #[test]
        fn every_day_is_read_back(days in 0_i32..12_000) {
            let date = jiff::civil::date(1995, 1, 1).checked_add(jiff::Span::new().days(days)).unwrap();
            if is_plausible(date) {
                proptest::prop_assert_eq!(first_date(&date.to_string(), Order::DayFirst), Some(date));
                let written = date.strftime("%d %B %Y").to_string();
                proptest::prop_assert_eq!(first_date(&written, Order::DayFirst), Some(date));
                let american = date.strftime("%m/%d/%Y").to_string();
                proptest::prop_assert_eq!(first_date(&american, Order::MonthFirst), Some(date));
            }
        }
    }
}
