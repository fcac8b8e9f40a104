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

/// Word sequences that end right before the number, longest first.
const BEFORE: &[(&str, Bound)] = &[
    ("no fewer than", Bound::AtLeast),
    ("no less than", Bound::AtLeast),
    ("not less than", Bound::AtLeast),
    ("not fewer than", Bound::AtLeast),
    ("a minimum of", Bound::AtLeast),
    ("minimum of", Bound::AtLeast),
    ("at least", Bound::AtLeast),
    ("from at least", Bound::AtLeast),
    ("no more than", Bound::AtMost),
    ("not more than", Bound::AtMost),
    ("a maximum of", Bound::AtMost),
    ("maximum of", Bound::AtMost),
    ("at most", Bound::AtMost),
    ("up to", Bound::AtMost),
    ("within", Bound::AtMost),
    ("as many as", Bound::AtMost),
    ("as long as", Bound::AtMost),
    ("as high as", Bound::AtMost),
    ("as late as", Bound::AtMost),
    ("as few as", Bound::AtLeast),
    ("as little as", Bound::AtLeast),
    ("over -", Bound::MoreThan),
    ("under -", Bound::LessThan),
    ("as much as", Bound::AtMost),
    ("not exceeding", Bound::AtMost),
    ("not exceed", Bound::AtMost),
    ("capped at", Bound::AtMost),
    ("limited to", Bound::AtMost),
    ("a limit of", Bound::AtMost),
    ("more than", Bound::MoreThan),
    ("greater than", Bound::MoreThan),
    ("higher than", Bound::MoreThan),
    ("larger than", Bound::MoreThan),
    ("longer than", Bound::MoreThan),
    ("in excess of", Bound::MoreThan),
    ("upwards of", Bound::MoreThan),
    ("exceeding", Bound::MoreThan),
    ("exceeds", Bound::MoreThan),
    ("exceeded", Bound::MoreThan),
    ("well over", Bound::MoreThan),
    ("just over", Bound::MoreThan),
    ("over", Bound::MoreThan),
    ("above", Bound::MoreThan),
    ("less than", Bound::LessThan),
    ("fewer than", Bound::LessThan),
    ("lower than", Bound::LessThan),
    ("smaller than", Bound::LessThan),
    ("shorter than", Bound::LessThan),
    ("just under", Bound::LessThan),
    ("well under", Bound::LessThan),
    ("under", Bound::LessThan),
    ("below", Bound::LessThan),
    ("about", Bound::About),
    ("around", Bound::About),
    ("roughly", Bound::About),
    ("approximately", Bound::About),
    ("nearly", Bound::About),
    ("almost", Bound::About),
    ("close to", Bound::About),
    ("an estimated", Bound::About),
    ("estimated", Bound::About),
    ("estimated at", Bound::About),
    ("some", Bound::About),
    ("circa", Bound::About),
    ("ca", Bound::About),
    ("in the region of", Bound::About),
    ("in the order of", Bound::About),
    ("virtually", Bound::About),
    ("~", Bound::About),
    ("≈", Bound::About),
    ("≥", Bound::AtLeast),
    (">", Bound::MoreThan),
    ("≤", Bound::AtMost),
    ("<", Bound::LessThan),
    ("etwa", Bound::About),
    ("rund", Bound::About),
    ("environ", Bound::About),
    ("unos", Bound::About),
    ("unas", Bound::About),
    ("mindestens", Bound::AtLeast),
    ("höchstens", Bound::AtMost),
    ("mehr als", Bound::MoreThan),
    ("plus de", Bound::MoreThan),
    ("más de", Bound::MoreThan),
    ("weniger als", Bound::LessThan),
    ("moins de", Bound::LessThan),
    ("menos de", Bound::LessThan),
    ("au moins", Bound::AtLeast),
    ("al menos", Bound::AtLeast),
];

/// Word sequences that follow the number and its unit.
const AFTER: &[(&str, Bound)] = &[
    ("or more", Bound::AtLeast),
    ("or higher", Bound::AtLeast),
    ("or over", Bound::AtLeast),
    ("or above", Bound::AtLeast),
    ("and over", Bound::AtLeast),
    ("and above", Bound::AtLeast),
    ("and older", Bound::AtLeast),
    ("or older", Bound::AtLeast),
    ("at least", Bound::AtLeast),
    ("plus", Bound::AtLeast),
    ("+", Bound::AtLeast),
    ("or less", Bound::AtMost),
    ("or fewer", Bound::AtMost),
    ("or lower", Bound::AtMost),
    ("or under", Bound::AtMost),
    ("or younger", Bound::AtMost),
    ("at most", Bound::AtMost),
    ("at the earliest", Bound::AtLeast),
    ("at the latest", Bound::AtMost),
    ("or so", Bound::About),
    ("or thereabouts", Bound::About),
];

/// The bound that ends right before `at`, and how many tokens it takes.
pub(super) fn before(tokens: &[Token<'_>], at: usize) -> (Bound, usize) {
    let matched = |words: &str| {
        let length = words.split(' ').count();
        let start = at.checked_sub(length)?;
        words
            .split(' ')
            .zip(tokens.get(start..at)?)
            .all(|(word, token)| token.lower == word)
            .then_some(length)
    };
    let best = BEFORE
        .iter()
        .filter_map(|(words, bound)| Some((*bound, matched(words)?)))
        .max_by_key(|(_, length)| *length);
    best.unwrap_or((Bound::Exactly, 0))
}

/// The bound that begins at `at`, and how many tokens it takes.
pub(super) fn after(tokens: &[Token<'_>], at: usize) -> Option<(Bound, usize)> {
    AFTER.iter().find_map(|(words, bound)| {
        let length = words.split(' ').count();
        let span = tokens.get(at..at + length)?;
        words
            .split(' ')
            .zip(span)
            .all(|(word, token)| token.lower == word)
            .then_some((*bound, length))
    })
}
