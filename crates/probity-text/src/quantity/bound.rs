//! Words around a number that turn it into a bound or an estimate.

use crate::lex::Token;

/// How a number is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Bound {
    /// As it stands.
    Exactly,
    /// `about`, `nearly`, `some`.
    About,
    /// `at least`, `no fewer than`, `or more`.
    AtLeast,
    /// `more than`, `over`, `above`.
    MoreThan,
    /// `at most`, `up to`, `no more than`, `as many as`.
    AtMost,
    /// `less than`, `under`, `below`.
    LessThan,
}

/// Word sequences that end right before the number.
const BEFORE: &[(Bound, &str)] = &[
    (
        Bound::AtLeast,
        "no fewer than|no less than|not less than|not fewer than|a minimum of|minimum of|at least|as few as|\
         as little as|≥|mindestens|au moins|al menos",
    ),
    (
        Bound::AtMost,
        "no more than|not more than|a maximum of|maximum of|at most|up to|within|as many as|as much as|as long as|\
         as high as|as late as|not exceeding|not exceed|capped at|limited to|a limit of|≤|höchstens",
    ),
    (
        Bound::MoreThan,
        "more than|greater than|higher than|larger than|longer than|in excess of|upwards of|exceeding|exceeds|\
         exceeded|over|over -|above|>|mehr als|plus de|más de",
    ),
    (
        Bound::LessThan,
        "less than|fewer than|lower than|smaller than|shorter than|under|under -|below|<|weniger als|moins de|\
         menos de",
    ),
    (
        Bound::About,
        "about|around|roughly|approximately|nearly|almost|close to|estimated|estimated at|some|circa|ca|\
         in the region of|in the order of|virtually|~|≈|etwa|rund|environ|unos|unas",
    ),
];

/// Word sequences that follow the number and its unit.
const AFTER: &[(Bound, &str)] = &[
    (
        Bound::AtLeast,
        "or more|or higher|or over|or above|and over|and above|and older|or older|at least|plus|+|at the earliest",
    ),
    (Bound::AtMost, "or less|or fewer|or lower|or under|or younger|at most|at the latest"),
    (Bound::About, "or so|or thereabouts"),
];

/// The bound that ends right before `at`; of several the longest.
pub(super) fn before(tokens: &[Token<'_>], at: usize) -> Bound {
    let reaching = BEFORE.iter().flat_map(|(bound, phrases)| {
        phrases.split('|').filter_map(move |phrase| {
            let length = phrase.split(' ').count();
            let start = at.checked_sub(length)?;
            says(tokens, start, phrase).then_some((length, *bound))
        })
    });
    reaching.max_by_key(|(length, _)| *length).map_or(Bound::Exactly, |(_, bound)| bound)
}

/// The bound that begins at `at`, and how many tokens it takes.
pub(super) fn after(tokens: &[Token<'_>], at: usize) -> Option<(Bound, usize)> {
    AFTER.iter().find_map(|(bound, phrases)| {
        let phrase = phrases.split('|').find(|phrase| says(tokens, at, phrase))?;
        Some((*bound, phrase.split(' ').count()))
    })
}

/// Whether a phrase stands at a token.
fn says(tokens: &[Token<'_>], at: usize, phrase: &str) -> bool {
    let mut here = tokens.get(at..).unwrap_or_default().iter();
    phrase.split(' ').all(|word| here.next().is_some_and(|token| token.lower == word))
}
