//! Numbers in text → values that can be compared: amounts, shares, money, measures, times, dates.
//!
//! `1.2 million` and `1,200,000` are the same number, `half` is 50 %, `10 pm` is 22:00. Each find
//! keeps its place in the text, how it is meant (`about`, `at least`) and what it counts.

mod bound;
mod clock;
mod counted;
mod numeral;
mod scan;
mod unit;

use std::ops::Range;

pub use bound::Bound;
pub use clock::Clock;
pub use unit::{Dimension, Unit};

pub(crate) use counted::is_plural;

use crate::date_mention::DateMention;
use crate::lex::{Token, tokens};

/// How much, how many, or when.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Amount {
    /// One value, in the base unit of its dimension.
    Point {
        /// The usual reading.
        value: f64,
        /// The other reading, where separators leave a choice (`1.200`).
        other: Option<f64>,
    },
    /// Anything between two values: `250–400`, `between 2 and 3`.
    Range {
        /// The lower end.
        low: f64,
        /// The upper end.
        high: f64,
    },
    /// `from 40 to 52`: a span or a change from one value to another.
    Change {
        /// Where it began.
        from: f64,
        /// Where it ended.
        to: f64,
    },
    /// `hundreds`: at least the first, below the second.
    Vague {
        /// The order of magnitude.
        low: f64,
        /// Ten times that.
        high: f64,
    },
    /// A place in an order: `third`, `21st`.
    Ordinal(u32),
    /// A time of day.
    Clock(Clock),
    /// A date, a month, a year.
    Date(DateMention),
}

/// A quantity that a text mentions.
#[derive(Debug, Clone, PartialEq)]
pub struct Quantity {
    /// Its place in the text, with its unit.
    pub range: Range<usize>,
    /// How much.
    pub amount: Amount,
    /// Of what kind.
    pub unit: Unit,
    /// What the unit as written is in base units: 1,000 for kilometres.
    pub scale: f64,
    /// How it is meant.
    pub bound: Bound,
    /// The noun it counts, where one was found: `homes` in `1,200 new homes`.
    pub counts: Option<Range<usize>>,
    /// What it is per: `hour` in `40 crowns an hour`.
    pub per: Option<&'static str>,
}

/// How a quantity that is claimed stands to one that is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Match {
    /// They cannot both be right, or are not of one kind.
    Different,
    /// Near, but claimed more exactly than it is known.
    Near,
    /// The known one confirms the claimed one.
    Confirmed,
}

/// The quantities of a text, in order.
///
/// ```
/// use probity_text::quantity::{Amount, Unit, quantities};
///
/// let found = quantities("About half of the 1.2 million residents pay 40 crowns an hour.");
/// assert_eq!(found[0].unit, Unit::Percent);
/// assert_eq!(found[1].amount, Amount::Point { value: 1_200_000.0, other: None });
/// assert_eq!((found[2].unit, found[2].per), (Unit::Money("crown"), Some("hour")));
/// ```
pub fn quantities(text: &str) -> Vec<Quantity> {
    in_tokens(&tokens(text))
}

/// The quantities in tokens that are at hand already.
pub fn in_tokens(tokens: &[Token<'_>]) -> Vec<Quantity> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        match scan::quantity(tokens, at) {
            Some((quantity, next)) => {
                found.push(quantity);
                at = next.max(at + 1);
            }
            None => at += 1,
        }
    }
    found
}

/// Whether a word is a unit, a magnitude or a percent sign, which no year can stand before.
pub(crate) fn is_unit_like(word: &str) -> bool {
    unit::money(word).is_some()
        || matches!(
            word,
            "%" | "percent" | "per" | "million" | "billion" | "thousand" | "bn" | "people"
        )
        || unit::measure(word).is_some_and(|_| word.len() > 1)
}

impl Quantity {
    /// Compares what is claimed with what is known: "about 1,200" is confirmed by 1,243, "1,200"
    /// is only near it, "at least 1,000" follows from it.
    pub fn against(&self, known: &Quantity) -> Match {
        compare::compare(self, known)
    }
}

mod compare;

#[cfg(test)]
mod tests;
