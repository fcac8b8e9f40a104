//! One date at a token: all-figure forms, forms with a month's name, years, decades, centuries.

use crate::lex::{Token, TokenKind, place, word as lower, word_before};

use super::{DateMention, Relative};
use crate::quantity::{is_plural, is_unit_like};

/// The names of the months, from January on.
const MONTHS: [&str; 12] = [
    "january jan januar janvier enero gennaio janeiro januari",
    "february feb februar février febrero febbraio fevereiro februari",
    "march mar märz mars marzo março maart",
    "april apr avril abril aprile",
    "may mai mayo maggio maio mei",
    "june jun juni juin junio giugno junho",
    "july jul juli juillet julio luglio julho",
    "august aug août agosto augustus",
    "september sep sept septembre septiembre settembre setembro",
    "october oct oktober octobre octubre ottobre outubro okt",
    "november nov novembre noviembre novembro",
    "december dec dezember décembre diciembre dicembre dezembro dez",
];
const WEEKDAYS: &str = "monday tuesday wednesday thursday friday saturday sunday";
/// The ordinals of one word, from the first on.
pub(crate) const ORDINALS: &str = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth \
    thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth";
/// Years that a bare number of four digits may be.
const YEARS: std::ops::RangeInclusive<i32> = 1_000..=2_150;
/// Words before a bare number that make it a year.
const YEAR_CUES: &str = "in since by until till during before after around circa of from to between and year early \
    late mid spring summer autumn fall winter for through season im seit en depuis desde dal nel em fiscal ( - – / \
    the than about a";
/// Words behind a bare number that make it a year: they count nothing.
const YEAR_FOLLOWERS: &str = "and to was the a when but with for by as at on after before or had saw it he she they \
    because";
/// Words before the bare name of a month that make it one.
const MONTH_CUES: &str = "in of by since until till last next early late mid from to between and during before after \
    through each every this on – -";

/// The date that begins at a token, and how many tokens it takes.
pub(crate) fn date(tokens: &[Token<'_>], at: usize) -> Option<(DateMention, usize)> {
    let rest = tokens.get(at..)?;
    let glued = at > 0
        && rest.first().is_some_and(|token| token.joined)
        && tokens
            .get(at - 1)
            .is_some_and(|before| before.is("-") || before.is("/") || before.is("."));
    if glued
        && tokens
            .get(at.saturating_sub(2))
            .is_some_and(|before| before.kind == TokenKind::Word && before.is_capital())
    {
        return None;
    }
    if let Some(found) = between_years(rest).or_else(|| relative(rest)) {
        return Some(found);
    }
    let found = weekday_first(rest)
        .or_else(|| figures(rest))
        .or_else(|| day_first(rest))
        .or_else(|| month_first(tokens, at));
    found.or_else(|| century(rest)).or_else(|| years(tokens, at))
}

/// Whether a lower-case word names a month or a weekday.
pub(crate) fn is_calendar_word(word: &str) -> bool {
    month(word).is_some() || weekday(word).is_some()
}

/// The day of the week a lower-case word names: `monday`, `mondays`, `monday's`.
fn weekday(word: &str) -> Option<u8> {
    let name = word.strip_suffix("'s").unwrap_or(word);
    let name = name.strip_suffix('s').unwrap_or(name);
    place(WEEKDAYS, name).map(|at| at + 1)
}

fn whole(token: Option<&Token<'_>>) -> Option<i32> {
    let token = token.filter(|token| token.kind == TokenKind::Number && token.text.len() <= 4)?;
    token.text.parse().ok()
}

fn month(word: &str) -> Option<u8> {
    let word = word.trim_end_matches('.');
    let at = MONTHS.iter().position(|names| place(names, word).is_some())?;
    u8::try_from(at + 1).ok()
}

fn year(token: Option<&Token<'_>>) -> Option<i32> {
    whole(token.filter(|token| token.text.len() == 4)).filter(|year| YEARS.contains(year))
}

/// A day of the month, with `nd` or `.` behind it: the day and the tokens taken.
fn day(tokens: &[Token<'_>]) -> Option<(u8, usize)> {
    if let Some(at) = place(ORDINALS, lower(tokens, 0)) {
        return Some((at + 1, 1));
    }
    let day = whole(tokens.first()).filter(|day| (1..=31).contains(day))?;
    let suffix = tokens.get(1).is_some_and(|token| {
        token.joined && matches!(token.lower.as_ref(), "st" | "nd" | "rd" | "th" | "." | "er" | "º")
    });
    Some((u8::try_from(day).ok()?, 1 + usize::from(suffix)))
}

/// `Monday, 2 March`; a weekday alone counts too.
fn weekday_first(tokens: &[Token<'_>]) -> Option<(DateMention, usize)> {
    let first = tokens.first().filter(|token| token.is_capital())?;
    let weekday = Some(weekday(&first.lower)?);
    let skip = 1 + usize::from(lower(tokens, 1) == ",");
    let skip = skip + usize::from(lower(tokens, skip) == "the");
    let rest = tokens.get(skip..).unwrap_or_default();
    match figures(rest).or_else(|| day_first(rest)).or_else(|| named_month(rest, true, false)) {
        Some((mention, used)) if mention.day.is_some() => {
            Some((DateMention { weekday, ..mention }, skip + used))
        }
        _ => Some((DateMention { weekday, ..DateMention::default() }, 1)),
    }
}

/// `2025-03-02`, `2025-03`, `02/03/2025`, `2.3.2025`.
fn figures(tokens: &[Token<'_>]) -> Option<(DateMention, usize)> {
    let first = tokens.first().filter(|token| token.kind == TokenKind::Number)?;
    if first.text.matches('.').count() == 2 && !first.text.contains(',') {
        let last = first.text.rsplit('.').next().map_or(0, str::len);
        if last < 2 {
            return None;
        }
        let parts: Vec<i32> = first.text.split('.').map_while(|part| part.parse().ok()).collect();
        return Some((from_parts(&parts)?, 1));
    }
    let mark = tokens
        .get(1)
        .filter(|mark| mark.joined && (mark.is("-") || mark.is("/") || mark.is("‑")))?;
    let second = tokens.get(2).filter(|token| token.joined)?;
    let third = tokens
        .get(3)
        .filter(|next| next.joined && next.text == mark.text)
        .and_then(|_| tokens.get(4))
        .filter(|token| token.joined);
    let (a, b) = (whole(Some(first))?, whole(Some(second))?);
    if let Some(c) = whole(third) {
        return Some((from_parts(&[a, b, c])?, 5));
    }
    let year_month = first.text.len() == 4
        && second.text.len() == 2
        && YEARS.contains(&a)
        && (1..=12).contains(&b)
        && mark.is("-");
    // "2019-21" is a span of years, which `years` reads.
    year_month.then(|| {
        (DateMention { year: Some(a), month: u8::try_from(b).ok(), ..DateMention::default() }, 3)
    })
}

fn from_parts(parts: &[i32]) -> Option<DateMention> {
    let [a, b, c] = *parts else { return None };
    let byte =
        |value: i32, top: i32| u8::try_from(value).ok().filter(|_| (1..=top).contains(&value));
    if a > 31 {
        return Some(DateMention {
            year: Some(a),
            month: Some(byte(b, 12)?),
            day: Some(byte(c, 31)?),
            ..DateMention::default()
        });
    }
    let year = if c < 100 { if c < 70 { 2000 + c } else { 1900 + c } } else { c };
    let (day, month, swappable) = if b > 12 { (b, a, false) } else { (a, b, a <= 12 && a != b) };
    Some(DateMention {
        year: Some(year),
        month: Some(byte(month, 12)?),
        day: Some(byte(day, 31)?),
        swappable,
        ..DateMention::default()
    })
}

/// `2 March 2025`, `2nd of March`, `the second of March, 2025`.
fn day_first(tokens: &[Token<'_>]) -> Option<(DateMention, usize)> {
    let (day, mut used) = day(tokens)?;
    if matches!(lower(tokens, used), "of" | "de" | "-") {
        used += 1;
    }
    let name =
        tokens.get(used).filter(|token| token.is_capital() || lower(tokens, used).len() > 4)?;
    let month = month(&name.lower)?;
    used += 1;
    let (year, more) = trailing_year(tokens, used);
    Some((
        DateMention { day: Some(day), month: Some(month), year, ..DateMention::default() },
        used + more,
    ))
}

fn trailing_year(tokens: &[Token<'_>], at: usize) -> (Option<i32>, usize) {
    let skip = usize::from(matches!(lower(tokens, at), "," | "." | "of" | "de" | "-"));
    match year(tokens.get(at + skip)) {
        Some(year) => (Some(year), skip + 1),
        None => (None, 0),
    }
}

/// `March 2, 2025`, `March 2025`, `in March`.
fn month_first(tokens: &[Token<'_>], at: usize) -> Option<(DateMention, usize)> {
    let before = word_before(tokens, at);
    let cue = place(MONTH_CUES, before).is_some();
    // A capital inside a sentence makes "May" and "March" months.
    let inside = at > 0 && !matches!(before, "." | "!" | "?" | "\"" | "“" | "'" | ":" | "-");
    named_month(tokens.get(at..)?, cue, inside)
}

/// A month's name with what follows; alone only after a cue, since `May` and `March` are words too.
fn named_month(tokens: &[Token<'_>], cue: bool, inside: bool) -> Option<(DateMention, usize)> {
    let name = tokens.first().filter(|token| token.is_capital())?;
    let month = Some(month(&name.lower)?);
    let dot = usize::from(
        tokens.get(1).is_some_and(|token| token.joined && token.is(".")) && name.text.len() <= 4,
    );
    let mut used = 1 + dot;
    if let Some(year) = year(tokens.get(used)) {
        return Some((DateMention { month, year: Some(year), ..DateMention::default() }, used + 1));
    }
    if let Some((day, more)) = day(tokens.get(used..).unwrap_or_default())
        .filter(|_| tokens.get(used).is_some_and(|token| token.kind == TokenKind::Number))
    {
        used += more;
        let (year, more) = trailing_year(tokens, used);
        return Some((
            DateMention { month, day: Some(day), year, ..DateMention::default() },
            used + more,
        ));
    }
    let (year, more) = trailing_year(tokens, used);
    if year.is_some() {
        return Some((DateMention { month, year, ..DateMention::default() }, used + more));
    }
    let ambiguous =
        matches!(name.lower.as_ref(), "may" | "march" | "mar" | "mai" | "mars") && !inside;
    let long = name.text.len() > 3 || inside && name.lower == "may";
    (cue || long && !ambiguous)
        .then_some((DateMention { month, ..DateMention::default() }, 1 + dot * usize::from(!long)))
}

/// `19th century`, `nineteenth century`.
fn century(tokens: &[Token<'_>]) -> Option<(DateMention, usize)> {
    let (number, used) = match day(tokens) {
        Some(found) => found,
        None if lower(tokens, 0) == "twenty"
            && lower(tokens, 1) == "-"
            && lower(tokens, 2) == "first" =>
        {
            (21, 3)
        }
        None => return None,
    };
    let used = used + usize::from(lower(tokens, used) == "-");
    if !matches!(lower(tokens, used), "century" | "centuries" | "c.") {
        return None;
    }
    let bc = matches!(lower(tokens, used + 1), "bc" | "bce" | "b.c." | "b.c.e.");
    let number = i32::from(number);
    let (from, to) = if bc {
        (-number * 100, -(number - 1) * 100 - 1)
    } else {
        ((number - 1) * 100, number * 100)
    };
    Some((
        DateMention { year: Some(from), until: Some(to), ..DateMention::default() },
        used + 1 + usize::from(bc),
    ))
}

/// `last year`, `this winter`, `next month`.
fn relative(tokens: &[Token<'_>]) -> Option<(DateMention, usize)> {
    const PERIODS: &[&str] = &[
        "year", "month", "week", "season", "winter", "summer", "spring", "autumn", "decade",
        "century", "term", "quarter", "night", "weekend",
    ];
    let offset = match lower(tokens, 0) {
        "last" | "previous" => -1,
        "this" | "current" => 0,
        "next" | "coming" => 1,
        _ => return None,
    };
    let name = lower(tokens, 1);
    let name = name.strip_suffix("'s").unwrap_or(name);
    let period = PERIODS.iter().find(|period| **period == name)?;
    Some((DateMention { relative: Some(Relative { period, offset }), ..DateMention::default() }, 2))
}

/// `between 1985 and 2020`, `from 1985 to 2020`.
fn between_years(tokens: &[Token<'_>]) -> Option<(DateMention, usize)> {
    let linked = matches!(
        (lower(tokens, 0), lower(tokens, 2)),
        ("between", "and") | ("from", "to" | "until" | "till")
    );
    let (first, last) = (year(tokens.get(1)).filter(|_| linked)?, year(tokens.get(3))?);
    let unit = is_unit_like(lower(tokens, 4));
    (first < last && !unit).then_some((
        DateMention { year: Some(first), until: Some(last), ..DateMention::default() },
        4,
    ))
}

/// `2019`, `1990s`, `2019–2021`, `2019-21`, `300 BC`.
fn years(tokens: &[Token<'_>], at: usize) -> Option<(DateMention, usize)> {
    let rest = tokens.get(at..)?;
    let era = lower(rest, 1);
    if matches!(era, "bc" | "bce" | "b.c." | "b.c.e." | "ad" | "ce" | "a.d.")
        && rest.get(1).is_some_and(|token| token.text.len() > 1 && token.is_capital())
    {
        let number = whole(rest.first())?;
        let number = if era.starts_with('b') { -number } else { number };
        return Some((DateMention::of_year(number), 2));
    }
    let first = year(rest.first())?;
    let next = rest.get(1);
    if next.is_some_and(|next| next.joined && matches!(next.lower.as_ref(), "s" | "'s")) {
        let width = if first % 100 == 0 { 99 } else { 9 };
        return Some((
            DateMention { year: Some(first), until: Some(first + width), ..DateMention::default() },
            2,
        ));
    }
    if next.is_some_and(|next| matches!(next.text, "-" | "–" | "—" | "/" | "‑"))
        && let Some(last) = last_year(first, rest.get(2))
    {
        return Some((
            DateMention { year: Some(first), until: Some(last), ..DateMention::default() },
            3,
        ));
    }
    is_year(tokens, at).then_some((DateMention::of_year(first), 1))
}

fn last_year(first: i32, token: Option<&Token<'_>>) -> Option<i32> {
    let token = token.filter(|token| token.kind == TokenKind::Number)?;
    let last: i32 = token.text.parse().ok()?;
    let last = if token.text.len() == 2 { first / 100 * 100 + last } else { last };
    (token.text.len() != 3 && last > first && last - first < 200).then_some(last)
}

/// Whether a bare number of four digits is a year and not a count: `1500 people` is a count.
fn is_year(tokens: &[Token<'_>], at: usize) -> bool {
    let before = word_before(tokens, at);
    let next = tokens.get(at + 1);
    let follower = next.map_or("", |token| token.lower.as_ref());
    if is_unit_like(follower) || matches!(before, "$" | "€" | "£" | "¥" | "no" | "no." | "№" | "#")
    {
        return false;
    }
    let plural = next.is_some_and(|token| {
        token.kind == TokenKind::Word && !token.is_capital() && is_plural(&token.lower)
    });
    let cued = at == 0 || place(YEAR_CUES, before).is_some();
    if plural {
        return matches!(before, "in" | "since" | "the");
    }
    let ends = next.is_none_or(|token| token.kind == TokenKind::Mark)
        || !next.is_some_and(|token| token.text.starts_with(char::is_alphabetic));
    cued || ends || place(YEAR_FOLLOWERS, follower).is_some()
}
