//! Times of day: `10 pm`, `22:00`, `ten o'clock`, `noon`, `9 to 11 am`.

use crate::lex::{Token, TokenKind, word};

use super::numeral::cardinal;

const HALF_DAY: u16 = 12 * 60;
const DAY: u16 = 24 * 60;

/// A time of day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Clock {
    /// Minutes after midnight.
    pub minutes: u16,
    /// Whether morning and evening are distinguished; `ten o'clock` does not say.
    pub known_half: bool,
}

impl Clock {
    /// Whether two times may be the same: 10 pm is 22:00 and may be ten o'clock.
    pub fn agrees(&self, other: &Clock) -> bool {
        let cycle = if self.known_half && other.known_half { DAY } else { HALF_DAY };
        self.minutes % cycle == other.minutes % cycle
    }
}

/// A time as it was written: its half of the day, as minutes that it adds, how many tokens it took, and whether it can
/// be nothing but a time.
struct Written {
    minutes: u16,
    half: Option<u16>,
    used: usize,
    sure: bool,
}

/// The time of day at the front of the tokens, and how many tokens it took.
pub(super) fn clock(tokens: &[Token<'_>]) -> Option<(Clock, usize)> {
    let mut first = written(tokens)?;
    let until = || tokens.get(first.used + 1..).and_then(written).filter(|second| second.sure);
    // "9 to 11 pm": both are in the evening.
    if first.half.is_none()
        && first.minutes <= HALF_DAY
        && matches!(word(tokens, first.used), "to" | "-" | "–" | "—" | "until" | "till" | "and")
        && let Some(second) = until()
    {
        (first.half, first.sure) = (second.half, true);
    }
    let known_half = first.half.is_some() || first.minutes >= HALF_DAY + 60 || first.minutes < 60;
    let minutes = match first.half {
        Some(half) => first.minutes % HALF_DAY + half,
        None => first.minutes % DAY,
    };
    first.sure.then_some((Clock { minutes, known_half }, first.used))
}

fn written(tokens: &[Token<'_>]) -> Option<Written> {
    let word = |at: usize| word(tokens, at);
    let named = |half| Some(Written { minutes: 0, half: Some(half), used: 1, sure: true });
    match word(0) {
        "noon" | "midday" => return named(HALF_DAY),
        "midnight" => return named(0),
        "half" | "quarter" if matches!(word(1), "past" | "to") => return spoken(tokens),
        _ => {}
    }
    let (minutes, mut used, colon) = hour_and_minute(tokens)?;
    let clock_word = usize::from(matches!(word(used), "o'clock" | "uhr" | "hrs"));
    used += clock_word;
    let (half, more) = half_day(tokens.get(used..).unwrap_or_default());
    let sure = colon || clock_word > 0 || half.is_some();
    // "22:00 in the evening" needs no half.
    let half = half.filter(|_| (60..HALF_DAY + 60).contains(&minutes));
    Some(Written { minutes, half, used: used + more, sure })
}

/// `10`, `ten`, `10:30`, `10.30 pm`, `22h30`: the minutes, how many tokens, and whether minutes were written.
fn hour_and_minute(tokens: &[Token<'_>]) -> Option<(u16, usize, bool)> {
    let token = tokens.first()?;
    let hour = |text: &str| text.parse::<u16>().ok().filter(|hour| text.len() <= 2 && *hour <= 24);
    let minute =
        |text: &str| text.parse::<u16>().ok().filter(|minute| text.len() == 2 && *minute < 60);
    if token.kind == TokenKind::Word {
        let hour = cardinal(&token.lower).filter(|hour| (1.0..=12.0).contains(hour))?;
        return Some((hour as u16 * 60, 1, false));
    }
    if let Some((hours, rest)) = token.text.split_once('.') {
        let marked =
            half_day(tokens.get(1..).unwrap_or_default()).0.is_some() || word(tokens, 1) == "uhr";
        return marked.then_some((hour(hours)? * 60 + minute(rest)?, 1, true));
    }
    let hours = hour(token.text)? * 60;
    let joined = |at: usize| tokens.get(at).filter(|token| token.joined);
    match joined(1).map_or("", |token| token.lower.as_ref()) {
        ":" => {
            let seconds = if joined(3).is_some_and(|token| token.is(":")) { 2 } else { 0 };
            Some((hours + minute(joined(2)?.text)?, 3 + seconds, true))
        }
        next => match next.strip_prefix('h').and_then(minute) {
            Some(minutes) => Some((hours + minutes, 2, true)),
            None => Some((hours, 1, false)),
        },
    }
}

/// `am`, `p.m.`, `in the morning`, `at night`: the minutes that the half adds, and how many tokens it took.
fn half_day(tokens: &[Token<'_>]) -> (Option<u16>, usize) {
    match (word(tokens, 0), word(tokens, 1), word(tokens, 2)) {
        ("am" | "a.m." | "a.m", _, _) => (Some(0), 1),
        ("pm" | "p.m." | "p.m", _, _) => (Some(HALF_DAY), 1),
        ("in", "the", "morning") => (Some(0), 3),
        ("in", "the", "afternoon" | "evening") => (Some(HALF_DAY), 3),
        ("at", "night", _) => (Some(HALF_DAY), 2),
        _ => (None, 0),
    }
}

/// `half past nine`, `quarter to five`.
fn spoken(tokens: &[Token<'_>]) -> Option<Written> {
    let part = if word(tokens, 0) == "half" { 30 } else { 15 };
    let (hour, used, _) = hour_and_minute(tokens.get(2..)?)?;
    let (half, more) = half_day(tokens.get(2 + used..).unwrap_or_default());
    let minutes = match word(tokens, 1) {
        "past" => hour + part,
        _ => (hour + HALF_DAY).checked_sub(part)? % HALF_DAY,
    };
    Some(Written { minutes, half, used: 2 + used + more, sure: true })
}
