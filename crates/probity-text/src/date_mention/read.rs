//! One date at a token: all-figure forms, forms with a month's name, years, decades, centuries.

use probity_core::calendar::{MONTHS, WEEKDAYS};

use crate::lex::{Token, TokenKind, place, word as lower, word_before};

use super::DateMention;
use crate::quantity::is_unit_like;

/// The short names of the months and those of other languages, from January on: only such as are no other words in
/// running text.
const OTHER_NAMES: [&str; 12] = [
    "jan januar jänner janvier enero gennaio janeiro januari stycznia styczeń",
    "feb februar feber février febrero febbraio fevereiro februari lutego luty",
    "mar märz mars marzo março maart marts marca marzec",
    "apr avril abril aprile kwietnia kwiecień",
    "mai mayo maggio maio mei maj maja",
    "jun juni juin junio giugno junho czerwca czerwiec",
    "jul juli juillet julio luglio julho lipca lipiec",
    "aug août agosto augustus augusti sierpnia sierpień",
    "sep sept septembre septiembre settembre setembro września wrzesień",
    "oct oktober octobre octubre ottobre outubro okt października październik",
    "nov novembre noviembre novembro listopada listopad",
    "dec dezember décembre diciembre dicembre dezembro dez desember grudnia grudzień",
];
/// The ordinals of one word, from the first on.
pub(crate) const ORDINALS: &str = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth \
    thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth";
/// Years that a bare number of four digits may be.
const YEARS: std::ops::RangeInclusive<i32> = 1_000..=2_150;
/// Words before the bare name of a month that make it one.
const MONTH_CUES: &str = "in of by since until till last next early late mid from to between and during before after \
    through each every this on – -";

/// The date that begins at a token, and how many tokens it takes.
pub(crate) fn date(tokens: &[Token<'_>], at: usize) -> Option<(DateMention, usize)> {
    let rest = tokens.get(at..)?;
    // "Boeing-747", "v.2019"
    let name = at.checked_sub(2).and_then(|name| tokens.get(name)).is_some_and(Token::is_capital);
    let glued = rest.first()?.joined && matches!(word_before(tokens, at), "-" | "/" | ".");
    if name && glued {
        return None;
    }
    figures(rest)
        .or_else(|| day_first(rest))
        .or_else(|| month_first(tokens, at))
        .or_else(|| century(rest))
        .or_else(|| years(tokens, at))
        .or_else(|| {
            let weekday = Some(weekday(&rest.first().filter(|name| name.is_capital())?.lower)?);
            Some((DateMention { weekday, ..DateMention::default() }, 1))
        })
}

/// Whether a lower-case word names a month or a weekday.
pub(crate) fn is_calendar_word(word: &str) -> bool {
    month(word).is_some() || weekday(word).is_some()
}

/// The day of the week a lower-case word names: `monday`, `mondays`, `monday's`.
fn weekday(word: &str) -> Option<u8> {
    let name = word.trim_end_matches("'s").trim_end_matches('s');
    number(WEEKDAYS.iter().position(|day| *day == name)?)
}

fn month(word: &str) -> Option<u8> {
    let word = word.trim_end_matches('.');
    let english = MONTHS.iter().position(|name| *name == word);
    let other = || OTHER_NAMES.iter().position(|names| place(names, word).is_some());
    number(english.or_else(other)?)
}

/// The item at a place of a list, counted from 1.
fn number(at: usize) -> Option<u8> {
    u8::try_from(at + 1).ok()
}

fn whole(token: Option<&Token<'_>>) -> Option<i32> {
    let token = token.filter(|token| token.kind == TokenKind::Number && token.text.len() <= 4)?;
    token.text.parse().ok()
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
    let suffix = tokens.get(1).filter(|token| token.joined).map_or("", |token| &token.lower);
    let suffixed = place("st nd rd th . er º", suffix).is_some();
    Some((u8::try_from(day).ok()?, 1 + usize::from(suffixed)))
}

/// `2025-03-02`, `2025-03`, `02/03/2025`, `2.3.2025`.
fn figures(tokens: &[Token<'_>]) -> Option<(DateMention, usize)> {
    let first = tokens.first().filter(|token| token.kind == TokenKind::Number)?;
    if first.text.matches('.').count() == 2 && !first.text.contains(',') {
        let parts: Vec<i32> = first.text.split('.').map_while(|part| part.parse().ok()).collect();
        // "3.2.1" is a version, and "3.001.000" three million.
        let long = first.text.rsplit('.').next().is_some_and(|last| last.len() > 1);
        let grouped = first.text.split('.').any(|part| part.len() == 3);
        return Some((from_parts(&parts).filter(|_| long && !grouped)?, 1));
    }
    let joined = |at: usize| tokens.get(at).filter(|token| token.joined);
    let mark = joined(1).filter(|mark| matches!(mark.text, "-" | "/" | "‑"))?;
    let (a, b) = (whole(Some(first))?, whole(joined(2))?);
    let third = joined(3).filter(|next| next.text == mark.text).and_then(|_| joined(4));
    if let Some(c) = whole(third) {
        return Some((from_parts(&[a, b, c])?, 5));
    }
    // "2019-21" is a span of years, which `years` reads.
    let is_month = first.text.len() == 4 && YEARS.contains(&a) && (1..=12).contains(&b);
    let is_month = is_month && mark.is("-") && joined(2).is_some_and(|token| token.text.len() == 2);
    let mention = DateMention { month: u8::try_from(b).ok(), ..DateMention::of_year(a) };
    is_month.then_some((mention, 3))
}

fn from_parts(parts: &[i32]) -> Option<DateMention> {
    let [a, b, c] = *parts else { return None };
    let (year, month, day, swappable) = match (a, b) {
        (32.., _) => (a, b, c, false),
        (_, 13..) => (c, a, b, false),
        _ => (c, b, a, a <= 12 && a != b),
    };
    let year = match year {
        0..70 => 2000 + year,
        70..100 => 1900 + year,
        _ => year,
    };
    let byte =
        |value: i32, top: i32| u8::try_from(value).ok().filter(|_| (1..=top).contains(&value));
    let (month, day) = (Some(byte(month, 12)?), Some(byte(day, 31)?));
    Some(DateMention { month, day, swappable, ..DateMention::of_year(year) })
}

/// `2 March 2025`, `2nd of March`, `the second of March, 2025`.
fn day_first(tokens: &[Token<'_>]) -> Option<(DateMention, usize)> {
    let (day, mut used) = day(tokens)?;
    used += usize::from(matches!(lower(tokens, used), "of" | "de" | "-"));
    let name = tokens.get(used)?;
    let month = month(&name.lower)?;
    let (year, more) = trailing_year(tokens, used + 1);
    // "5 may" is no date, "le 14 juin 1998" is one.
    if !(name.is_capital() || name.text.len() > 4 || year.is_some()) {
        return None;
    }
    let mention =
        DateMention { day: Some(day), month: Some(month), year, ..DateMention::default() };
    Some((mention, used + 1 + more))
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
    let rest = tokens.get(at..)?;
    // "Maj. Reed" is a major and "Maja" a name; whoever means the month there writes it small.
    let is_small = |token: &Token<'_>| place("maj maja marca", &token.lower).is_some();
    let name = rest.first().filter(|token| token.is_capital() && !is_small(token))?;
    let month = Some(month(&name.lower)?);
    let dot =
        rest.get(1).is_some_and(|token| token.joined && token.is(".")) && name.text.len() <= 4;
    let named = 1 + usize::from(dot);
    let in_figures = rest.get(named).is_some_and(|token| token.kind == TokenKind::Number);
    let day =
        rest.get(named..).and_then(day).filter(|_| in_figures && year(rest.get(named)).is_none());
    let used = named + day.map_or(0, |(_, used)| used);
    let (year, more) = trailing_year(rest, used);
    let day = day.map(|(day, _)| day);
    let mention = DateMention { month, day, year, ..DateMention::default() };
    if day.is_some() || year.is_some() {
        return Some((mention, used + more));
    }
    // "May" and "March" begin sentences as other words; a capital inside one makes them months.
    let before = word_before(tokens, at);
    let inside = at > 0 && place(". ! ? \" “ ' : -", before).is_none();
    let ambiguous = place("may march mar mai mars", &name.lower).is_some() && !inside;
    let long = name.text.len() > 3 || inside && name.lower == "may";
    let cued = place(MONTH_CUES, before).is_some();
    (cued || long && !ambiguous).then_some((mention, 1))
}

/// `19th century`, `nineteenth century`.
fn century(tokens: &[Token<'_>]) -> Option<(DateMention, usize)> {
    let twenty_first = (0..3).map(|at| lower(tokens, at)).eq(["twenty", "-", "first"]);
    let (number, used) = if twenty_first { (21, 3) } else { day(tokens)? };
    let used = used + usize::from(lower(tokens, used) == "-");
    if !matches!(lower(tokens, used), "century" | "centuries") {
        return None;
    }
    let number = i32::from(number) * 100;
    let mention = DateMention { until: Some(number), ..DateMention::of_year(number - 100) };
    Some((mention, used + 1))
}

/// `2019`, `1990s`, `2019–2021`, `2019-21`.
fn years(tokens: &[Token<'_>], at: usize) -> Option<(DateMention, usize)> {
    let rest = tokens.get(at..)?;
    let next = rest.get(1);
    let first = year(rest.first())?;
    let span = |last: i32| DateMention { until: Some(last), ..DateMention::of_year(first) };
    if next.is_some_and(|next| next.joined && matches!(next.lower.as_ref(), "s" | "'s")) {
        return Some((span(first + if first % 100 == 0 { 99 } else { 9 }), 2));
    }
    if next.is_some_and(|next| matches!(next.text, "-" | "–" | "—" | "/" | "‑"))
        && let Some(last) = last_year(first, rest.get(2))
    {
        return Some((span(last), 3));
    }
    is_year(tokens, at).then_some((DateMention::of_year(first), 1))
}

fn last_year(first: i32, token: Option<&Token<'_>>) -> Option<i32> {
    let token = token.filter(|token| matches!(token.text.len(), 2 | 4))?;
    let last = whole(Some(token))?;
    let last = if token.text.len() == 2 { first / 100 * 100 + last } else { last };
    (last > first && last - first < 200).then_some(last)
}

/// Whether a bare number of four digits is a year and not a count: `1500 people` is a count.
fn is_year(tokens: &[Token<'_>], at: usize) -> bool {
    let before = word_before(tokens, at);
    let next = tokens.get(at + 1);
    let numbered = before == "." && at > 1 && word_before(tokens, at - 1) == "no";
    if next.is_some_and(|next| is_unit_like(&next.lower))
        || numbered
        || matches!(before, "$" | "€" | "£" | "¥" | "no" | "№" | "#")
    {
        return false;
    }
    let is_plural = |word: &str| word.len() > 3 && word.ends_with('s') && !word.ends_with("ss");
    let counts = next.is_some_and(|token| !token.is_capital() && is_plural(&token.lower));
    !counts || matches!(before, "in" | "since" | "the")
}
