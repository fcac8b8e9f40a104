//! Numbers in text → values that can be compared: amounts, shares, money, measures, times, dates.
//!
//! `1.2 million` and `1,200,000` are the same number, `half` is 50 %, `10 pm` is 22:00. Each find keeps its place in
//! the text and its unit. Both ends of a span are finds of their own.

mod clock;
mod compare;
mod numeral;
mod scan;
mod unit;

use std::ops::Range;

pub use clock::Clock;
pub use unit::Unit;

use crate::Language;
use crate::date_mention::DateMention;
use crate::lex::{Token, TokenKind, tokens};

/// How much, how many, or when.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Amount {
    /// A value in the base unit of what is measured.
    Number(f64),
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
    /// Whether it is an estimate or a limit: `about`, `at least`, `or more`.
    pub bounded: bool,
}

/// How a claimed quantity relates to a known one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Match {
    /// They cannot both be right, or are not of one kind.
    Different,
    /// Near: rounded, or one of them is an estimate or a limit.
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
/// assert_eq!(found[1].amount, Amount::Number(1_200_000.0));
/// assert_eq!(found[2].unit, Unit::Money("crown"));
/// ```
pub fn quantities(text: &str) -> Vec<Quantity> {
    let mut tokens: Vec<Token<'_>> = tokens(text);
    drop_points(text, &mut tokens);
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        match scan::quantity(&tokens, at) {
            Some((quantity, next)) => {
                found.push(quantity);
                at = next.max(at + 1);
            }
            None => at += 1,
        }
    }
    found
}

/// Takes the point out of `3.500` where the language of the text divides thousands by it. Whether it does is looked for
/// only if there is such a number.
fn drop_points(text: &str, tokens: &mut [Token<'_>]) {
    let mut doubtful = tokens.iter_mut().filter(|token| is_doubtful(token)).peekable();
    if doubtful.peek().is_some() && Language::detect(text).has_decimal_comma() {
        doubtful.for_each(|token| token.lower = token.text.replace('.', "").into());
    }
}

/// `3.500`: three and a half with needless noughts, or three thousand five hundred.
fn is_doubtful(token: &Token<'_>) -> bool {
    let Some((whole, rest)) = token.text.split_once('.') else { return false };
    let figures = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    token.kind == TokenKind::Number
        && (1..=3).contains(&whole.len())
        && !whole.starts_with('0')
        && rest.len() == 3
        && figures(whole)
        && figures(rest)
}

/// Whether a word is a unit, a magnitude or a percent sign, which no year can stand before.
pub(crate) fn is_unit_like(word: &str) -> bool {
    unit::money(word).is_some()
        || matches!(word, "%" | "percent" | "per" | "people")
        || numeral::magnitude(word).is_some()
        || word.len() > 1 && unit::measure(word).is_some()
}

impl Quantity {
    /// Compares what is claimed with what is known: 1.2 million is confirmed by 1,200,000, and near 1,243,000.
    pub fn against(&self, known: &Quantity) -> Match {
        compare::compare(self, known)
    }
}

#[cfg(test)]
mod tests;
