//! The quantity that begins at a token, if one does.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::date_mention::{ORDINALS, date, is_calendar_word};
use crate::lex::{Token, TokenKind, place, word, word_before};

use super::numeral::{NUMBER_WORDS, Numeral, numeral};
use super::unit::{Found, Unit, measure, money, unit};
use super::{Amount, Quantity, clock};

/// The words right before a number that is an estimate or a limit, and right behind it.
const BOUND_BEFORE: &str = "than|at least|at most|minimum of|maximum of|limit of|excess of|upwards of|as few as|\
    as little as|as many as|as much as|as long as|as high as|as late as|up to|close to|within|limited to|capped at|\
    exceeding|exceeds|exceed|exceeded|over|over -|above|under|under -|below|about|around|roughly|approximately|nearly|\
    almost|estimated|estimated at|some|circa|ca|region of|order of|virtually|≥|≤|>|<|~|≈|mindestens|höchstens|als|etwa|\
    rund|au moins|environ|plus de|moins de|al menos|más de|menos de|unos|unas";
const BOUND_AFTER: &str = "or more|or higher|or over|or above|and over|and above|and older|or older|at least|plus|+|\
    at the earliest|or less|or fewer|or lower|or under|or younger|at most|at the latest|or so|or thereabouts";
/// Currencies by the code that stands before a number.
const CODES: &str = "usd eur gbp chf jpy cny inr krw sek nok dkk pln brl";
/// Above this, the first end of a span has its own magnitude: `2–3 million`, but `900 to 18,250`.
const SHARED_BELOW: f64 = 1_000.0;

/// The quantity at a token and the token after it.
pub(super) fn quantity(tokens: &[Token<'_>], at: usize) -> Option<(Quantity, usize)> {
    let rest = tokens.get(at..)?;
    if !rest.first().is_some_and(may_begin) || is_part_of_name(tokens, at) {
        return None;
    }
    if let Some((clock, used)) = clock::clock(rest) {
        return Some(finish(tokens, at, at + used, Amount::Clock(clock)));
    }
    if let Some((date, used)) = date(tokens, at) {
        return Some(finish(tokens, at, at + used, Amount::Date(date)));
    }
    let found = measured(tokens, at, true)?;
    let (quantity, next) = finish(tokens, at, found.next, Amount::Number(found.value));
    let unit = found.unit.unwrap_or(Unit::Count);
    Some((Quantity { unit, scale: found.scale, ..quantity }, next))
}

/// Most words begin no quantity, and are skipped at once.
fn may_begin(token: &Token<'_>) -> bool {
    static WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
        let others = ["a an half quarter noon midday midnight us minus", CODES, ORDINALS];
        NUMBER_WORDS.into_iter().chain(others).flat_map(|words| words.split(' ')).collect()
    });
    match token.kind {
        TokenKind::Number => true,
        TokenKind::Mark => {
            matches!(token.text, "-" | "−" | "½" | "¼" | "¾" | "⅓" | "⅔")
                || money(token.text).is_some()
        }
        TokenKind::Word => {
            WORDS.contains(token.lower.as_ref())
                || token.is_capital() && is_calendar_word(&token.lower)
        }
    }
}

/// `COVID-19`, `F-16`: a number glued to a capitalised word is a name.
fn is_part_of_name(tokens: &[Token<'_>], at: usize) -> bool {
    let glued = tokens.get(at).is_some_and(|token| token.joined && token.kind == TokenKind::Number);
    let [.., word, mark] = tokens.get(..at).unwrap_or_default() else { return false };
    glued && mark.joined && mark.is("-") && word.kind == TokenKind::Word && word.is_capital()
}

/// A quantity without unit from one token up to another, with the words that bound it, and the token after it.
fn finish(tokens: &[Token<'_>], at: usize, next: usize, amount: Amount) -> (Quantity, usize) {
    let says = |start: usize, phrase: &&str| {
        let mut here = tokens.get(start..).unwrap_or_default().iter();
        phrase.split(' ').all(|word| here.next().is_some_and(|token| token.lower == word))
    };
    let length = |phrase: &str| phrase.split(' ').count();
    let before =
        |phrase: &str| at.checked_sub(length(phrase)).is_some_and(|start| says(start, &phrase));
    let after = BOUND_AFTER.split('|').find(|phrase| says(next, phrase));
    let bounded = after.is_some() || BOUND_BEFORE.split('|').any(before);
    let next = next + after.map_or(0, length);
    let start = tokens.get(at).map_or(0, |token| token.start);
    let end = tokens.get(next.saturating_sub(1)).map_or(start, Token::end);
    (Quantity { range: start..end, amount, unit: Unit::Count, scale: 1.0, bounded }, next)
}

/// A number with its sign, currency sign and unit: the value in base units.
struct Measured {
    value: f64,
    unit: Option<Unit>,
    scale: f64,
    magnitude: f64,
    /// The token after it.
    next: usize,
}

/// The number at a token. Where it has no unit and is the first end of a span, it takes that of the other end.
fn measured(tokens: &[Token<'_>], at: usize, may_share: bool) -> Option<Measured> {
    let (currency, start) = currency_sign(tokens, at);
    let (sign, start) = minus_sign(tokens, start);
    let mut read = numeral(tokens.get(start..)?)?;
    // "$5m" is five million; without the sign, "5m" is five metres.
    let is_million = |token: &Token<'_>| token.joined && token.lower == "m";
    if currency.is_some() && tokens.get(start + read.used).is_some_and(is_million) {
        read = read.times(1e6, 1);
    }
    let next = start + read.used;
    let own = unit_behind(tokens, next, &read).filter(|_| currency.is_none());
    // "no one", "one of them" and "second half" count nothing.
    let vague = own.is_none()
        && read.used == 1
        && match word(tokens, start) {
            "one" => true,
            "half" => {
                place("first second other latter -", word_before(tokens, start)).is_some()
                    || word(tokens, next) == "-"
            }
            _ => false,
        };
    if vague {
        return None;
    }
    let bare = Measured {
        value: sign * read.value,
        unit: currency,
        scale: 1.0,
        magnitude: read.magnitude,
        next,
    };
    match own {
        Some((Found { unit, scale, offset, .. }, next)) => Some(Measured {
            value: (bare.value + offset) * scale,
            unit: Some(unit),
            scale,
            next,
            ..bare
        }),
        None if read.share => {
            Some(Measured { value: bare.value * 100.0, unit: Some(Unit::Percent), ..bare })
        }
        None if may_share && read.magnitude == 1.0 && read.value < SHARED_BELOW => {
            Some(shared(tokens, at, bare))
        }
        None => Some(bare),
    }
}

/// The first end of a span with the magnitude and the unit of the second: `2–3 million`, `10 to 12 km`.
fn shared(tokens: &[Token<'_>], at: usize, first: Measured) -> Measured {
    let before = word_before(tokens, at);
    let linked = tokens.get(first.next).is_some_and(|link| match link.lower.as_ref() {
        // "rose by 900 to 18,250" names two numbers.
        "to" => before != "by",
        "and" => before == "between",
        "or" => true,
        "-" | "–" | "—" | "‑" => link.joined,
        _ => false,
    });
    let second = linked.then(|| measured(tokens, first.next + 1, false)).flatten();
    match second.filter(|second| first.unit.is_none() || first.unit == second.unit) {
        Some(second) if first.value * second.magnitude * second.scale <= second.value => Measured {
            value: first.value * second.magnitude * second.scale,
            unit: second.unit,
            scale: second.scale,
            ..first
        },
        _ => first,
    }
}

/// `$`, `US$`, `€`, `EUR` before a number: the currency, and the token after it.
fn currency_sign(tokens: &[Token<'_>], at: usize) -> (Option<Unit>, usize) {
    let country = matches!(word(tokens, at), "us" | "a" | "c" | "hk" | "nz")
        && tokens.get(at + 1).is_some_and(|sign| sign.joined && sign.is("$"));
    let at = at + usize::from(country);
    let sign = |token: &&Token<'_>| {
        let is_code = token.text.len() == 3 && token.text.bytes().all(|b| b.is_ascii_uppercase());
        token.kind == TokenKind::Mark || is_code && place(CODES, &token.lower).is_some()
    };
    // "R$" is Brazil's.
    if tokens.get(at).is_some_and(|sign| sign.joined && sign.is("$"))
        && word_before(tokens, at) == "r"
    {
        return (Some(Unit::Money("real")), at + 1);
    }
    match tokens.get(at).filter(sign).and_then(|token| money(&token.lower)) {
        Some(name) => (Some(Unit::Money(name)), at + 1),
        None => (None, at),
    }
}

/// A minus sign is apart from what is before it and attached to its number.
fn minus_sign(tokens: &[Token<'_>], at: usize) -> (f64, usize) {
    let is_sign = tokens.get(at).is_some_and(|token| {
        token.lower == "minus" || matches!(token.text, "-" | "−") && !token.joined
    });
    let number = tokens.get(at + 1).filter(|next| next.kind == TokenKind::Number);
    let clings = number.is_some_and(|next| next.joined || word(tokens, at) == "minus");
    if is_sign && clings { (-1.0, at + 1) } else { (1.0, at) }
}

/// The unit behind a number and the token after it; `half an hour` and `2.6 additional hours` have words between.
fn unit_behind(tokens: &[Token<'_>], next: usize, read: &Numeral) -> Option<(Found, usize)> {
    const ADDED: &str = "additional more extra further full whole consecutive other";
    let between = match (word(tokens, next), word(tokens, next + 1)) {
        (added, name) if name.len() > 2 && place(ADDED, added).is_some() => {
            usize::from(measure(name).is_some())
        }
        ("a" | "an", _) if read.share => 1,
        ("of", "a" | "an") if read.share => 2,
        _ => 0,
    };
    let found = unit(tokens.get(next + between..)?)?;
    let fits = between == 0 || matches!(found.unit, Unit::Measure(_));
    let next = next + between + found.used;
    fits.then_some((found, next))
}
