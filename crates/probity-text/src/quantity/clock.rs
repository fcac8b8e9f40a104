//! Times of day: `10 pm`, `22:00`, `ten o'clock`, `noon`, `9 to 11 am`.

use crate::lex::{Token, TokenKind, word};

use super::numeral::{cardinal, read};

const HALF_DAY: u16 = 12 * 60;
const DAY: u16 = 24 * 60;

/// A time of day, or a span of them, in minutes after midnight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Clock {
    /// The time, or the beginning of the span.
    pub from: u16,
    /// The end of the span; equal to `from` for one time.
    pub to: u16,
    /// Whether morning and evening are distinguished; `ten o'clock` does not say.
    pub known_half: bool,
}

impl Clock {
    /// Whether two times may be the same: 10 pm is 22:00 and may be ten o'clock. One time agrees
    /// with a span that begins or ends at it.
    pub fn agrees(&self, other: &Clock) -> bool {
        let cycle = if self.known_half && other.known_half { DAY } else { HALF_DAY };
        let same = |a: u16, b: u16| a % cycle == b % cycle;
        if self.from == self.to && other.from != other.to {
            return same(self.from, other.from) || same(self.from, other.to);
        }
        same(self.from, other.from) && same(self.to, other.to)
    }

    fn at(minutes: u16, known_half: bool) -> Self {
        Self { from: minutes, to: minutes, known_half }
    }
}

/// Which half of the day a word gives.
#[derive(Clone, Copy, PartialEq)]
enum Half {
    Morning,
    Evening,
    Unsaid,
}

/// A time as it was written: hour and minute, its half of the day, how many tokens it took, and
/// whether it can be nothing but a time.
struct Written {
    hour: u16,
    minute: u16,
    half: Half,
    used: usize,
    sure: bool,
}

/// The time of day at the front of the tokens, and how many tokens it took.
pub(super) fn clock(tokens: &[Token<'_>]) -> Option<(Clock, usize)> {
    let mut first = written(tokens)?;
    let link = word(tokens, first.used);
    if matches!(link, "to" | "-" | "–" | "—" | "until" | "till" | "and")
        && let Some(second) = tokens.get(first.used + 1..).and_then(written)
        && second.sure
    {
        if first.half == Half::Unsaid
            && !(first.sure && first.hour > 12)
            && second.half != Half::Unsaid
        {
            first.half = second.half;
        }
        let used = first.used + 1 + second.used;
        let (from, to) = (first.clock()?, second.clock()?);
        return Some((
            Clock { from: from.from, to: to.from, known_half: from.known_half && to.known_half },
            used,
        ));
    }
    if !first.sure {
        return None;
    }
    Some((first.clock()?, first.used))
}

impl Written {
    fn clock(&self) -> Option<Clock> {
        if self.hour > 24 || self.minute > 59 {
            return None;
        }
        let minutes = self.hour * 60 + self.minute;
        Some(match self.half {
            Half::Morning => Clock::at(minutes % HALF_DAY, true),
            Half::Evening => Clock::at(minutes % HALF_DAY + HALF_DAY, true),
            Half::Unsaid => Clock::at(minutes % DAY, self.hour > 12 || self.hour == 0),
        })
    }
}

fn written(tokens: &[Token<'_>]) -> Option<Written> {
    let word = |at: usize| word(tokens, at);
    match word(0) {
        "noon" | "midday" => {
            return Some(Written { hour: 12, minute: 0, half: Half::Evening, used: 1, sure: true });
        }
        "midnight" => {
            return Some(Written { hour: 0, minute: 0, half: Half::Morning, used: 1, sure: true });
        }
        "half" | "quarter" if matches!(word(1), "past" | "to") => return spoken(tokens),
        _ => {}
    }
    let (hour, minute, mut used, colon) = hour_and_minute(tokens)?;
    let (half, more) = half_day(tokens.get(used..).unwrap_or_default());
    let clock_word = half == Half::Unsaid && matches!(word(used), "o'clock" | "uhr" | "hrs");
    used += more + usize::from(clock_word);
    let (half, late) =
        if clock_word { half_day(tokens.get(used..).unwrap_or_default()) } else { (half, 0) };
    used += late;
    if half != Half::Unsaid && !(1..=12).contains(&hour) {
        return Some(Written { hour, minute, half: Half::Unsaid, used, sure: true });
    }
    Some(Written { hour, minute, half, used, sure: colon || clock_word || half != Half::Unsaid })
}

/// `10`, `ten`, `10:30`, `10.30 pm`, `22h30`; whether minutes were written with a colon.
fn hour_and_minute(tokens: &[Token<'_>]) -> Option<(u16, u16, usize, bool)> {
    let token = tokens.first()?;
    if token.kind == TokenKind::Word {
        let hour = cardinal(&token.lower).filter(|hour| (1.0..=12.0).contains(hour))?;
        return Some((hour as u16, 0, 1, false));
    }
    let minute =
        |text: &str| text.parse::<u16>().ok().filter(|minute| text.len() == 2 && *minute < 60);
    if let Some((hour, rest)) = token.text.split_once('.') {
        let (hour, minute) = (hour.parse().ok().filter(|hour| *hour <= 24)?, minute(rest)?);
        let marked = half_day(tokens.get(1..).unwrap_or_default()).0 != Half::Unsaid
            || tokens.get(1).is_some_and(|t| t.lower == "uhr");
        return marked.then_some((hour, minute, 1, true));
    }
    let hour = read(token.text)
        .filter(|(hour, _)| *hour <= 24.0 && hour.fract() == 0.0 && token.text.len() <= 2)?
        .0 as u16;
    let next = tokens.get(1);
    if next.is_some_and(|next| next.joined && next.is(":")) {
        let found =
            tokens.get(2).filter(|token| token.joined).and_then(|token| minute(token.text))?;
        let seconds =
            usize::from(tokens.get(3).is_some_and(|token| token.joined && token.is(":"))) * 2;
        return Some((hour, found, 3 + seconds, true));
    }
    if let Some(found) = next
        .filter(|next| next.joined)
        .and_then(|next| next.lower.strip_prefix('h'))
        .and_then(minute)
    {
        return Some((hour, found, 2, true));
    }
    Some((hour, 0, 1, false))
}

/// `am`, `p.m.`, `in the morning`, `at night`: the half and how many tokens it took.
fn half_day(tokens: &[Token<'_>]) -> (Half, usize) {
    let word = |at: usize| word(tokens, at);
    match (word(0), word(1), word(2)) {
        ("am" | "a.m." | "a.m", _, _) => (Half::Morning, 1),
        ("pm" | "p.m." | "p.m", _, _) => (Half::Evening, 1),
        ("in", "the", "morning") => (Half::Morning, 3),
        ("in", "the", "afternoon" | "evening") => (Half::Evening, 3),
        ("at", "night", _) => (Half::Evening, 2),
        _ => (Half::Unsaid, 0),
    }
}

/// `half past nine`, `quarter to five`.
fn spoken(tokens: &[Token<'_>]) -> Option<Written> {
    let part = if tokens.first()?.lower == "half" { 30 } else { 15 };
    let (hour, _, used, _) = hour_and_minute(tokens.get(2..)?)?;
    let (half, more) = half_day(tokens.get(2 + used..).unwrap_or_default());
    let minutes = if tokens.get(1)?.lower == "past" {
        hour * 60 + part
    } else {
        (hour * 60 + HALF_DAY).checked_sub(part)? % HALF_DAY
    };
    Some(Written {
        hour: minutes / 60,
        minute: minutes % 60,
        half,
        used: 2 + used + more,
        sure: true,
    })
}
