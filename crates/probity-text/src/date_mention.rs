//! Dates in any form → year, month, day and weekday, as far as each is given.

mod read;

use std::ops::Range;

use crate::lex::{place, tokens};
use crate::words::{bare, words};

pub(crate) use read::{ORDINALS, date, is_calendar_word};

/// A date, a month, a year or a span of years, as it is mentioned in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct DateMention {
    /// The year.
    pub year: Option<i32>,
    /// The last year of a span: `1990s` ends in 1999.
    pub until: Option<i32>,
    /// The month, 1 to 12.
    pub month: Option<u8>,
    /// The day of the month, 1 to 31.
    pub day: Option<u8>,
    /// The day of the week, Monday 1 to Sunday 7, where nothing else is given.
    pub weekday: Option<u8>,
    /// Whether day and month may be the other way round, as in `02/03/2025`.
    pub swappable: bool,
}

/// Whether a text names a time that only the day of writing explains: `yesterday`, `last month`.
pub fn is_relative(text: &str) -> bool {
    const DAYS: &str = "today yesterday tomorrow tonight";
    const WHICH: &str = "last previous this current next coming";
    const PERIODS: &str = "year month week season winter summer spring autumn decade century term quarter night weekend";
    let mut which = false;
    words(text).any(|word| {
        let named = which && place(PERIODS, bare(&word.lower)).is_some();
        which = place(WHICH, &word.lower).is_some();
        named || place(DAYS, &word.lower).is_some()
    })
}

/// How one date compares with another that is taken as known. Of several parts the greatest counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Agreement {
    /// Everything it gives is given by the known date too.
    Same,
    /// It agrees where both speak, and gives more than the known date does.
    Finer,
    /// They cannot both be right.
    Different,
}

impl DateMention {
    /// A mention of a year alone.
    pub fn of_year(year: i32) -> Self {
        Self { year: Some(year), ..Self::default() }
    }

    /// Whether it gives a year and nothing finer.
    pub fn is_year(&self) -> bool {
        self.year.is_some() && self.month.is_none() && self.day.is_none() && self.until.is_none()
    }

    /// Compares a date with a known one: 2 March 2025 confirms March 2025, not the other way round.
    pub fn against(&self, known: &DateMention) -> Agreement {
        let plain = self.parts_against(known);
        if plain == Agreement::Different && (self.swappable || known.swappable) {
            return Self { month: self.day, day: self.month, ..*self }.parts_against(known);
        }
        plain
    }

    fn parts_against(&self, known: &DateMention) -> Agreement {
        let shared = self.month.is_some() && known.month.is_some()
            || self.weekday.is_some() && known.weekday.is_some()
            || self.year.is_some() && known.year.is_some();
        if !shared {
            return Agreement::Different;
        }
        one(self.month, known.month)
            .max(one(self.day, known.day))
            .max(one(self.weekday, known.weekday))
            .max(years(self, known))
    }
}

fn one(mine: Option<u8>, known: Option<u8>) -> Agreement {
    match (mine, known) {
        (Some(mine), Some(known)) if mine != known => Agreement::Different,
        (Some(_), None) => Agreement::Finer,
        _ => Agreement::Same,
    }
}

/// A decade holds what lies in it.
fn years(mine: &DateMention, known: &DateMention) -> Agreement {
    let (Some(from), Some(start)) = (mine.year, known.year) else {
        return if mine.year.is_some() { Agreement::Finer } else { Agreement::Same };
    };
    let (to, end) = (mine.until.unwrap_or(from), known.until.unwrap_or(start));
    if from <= start && end <= to {
        Agreement::Same
    } else if start <= from && to <= end {
        Agreement::Finer
    } else {
        Agreement::Different
    }
}

/// The dates of a text with their byte ranges.
///
/// ```
/// use probity_text::date_mention::dates;
///
/// let all = dates("Signed on March 2nd, 2025 and again on 2025-03-09.");
/// assert_eq!(all[0].1.day, Some(2));
/// assert_eq!((all[1].1.year, all[1].1.day), (Some(2025), Some(9)));
/// ```
pub fn dates(text: &str) -> Vec<(Range<usize>, DateMention)> {
    let tokens = tokens(text);
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        match date(&tokens, at) {
            Some((mention, used)) => {
                let last = tokens.get(at + used.saturating_sub(1));
                let range = tokens.get(at).zip(last).map(|(first, last)| first.start..last.end());
                found.extend(range.map(|range| (range, mention)));
                at += used.max(1);
            }
            None => at += 1,
        }
    }
    found
}

#[cfg(test)]
mod tests;
