//! The quantity that begins at a token, if one does.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::date_mention::{ORDINALS, date, is_calendar_word};
use crate::lex::{Token, TokenKind, place, word, word_before};

use super::numeral::{Numeral, cardinal, numeral};
use super::unit::{Dimension, Found, Unit, money, unit};
use super::{Amount, Quantity, bound, clock, counted};

/// The quantity at a token and the token after it. Words of a bound before it (`at least`) belong
/// to it, but not to the tokens it takes.
pub(super) fn quantity(tokens: &[Token<'_>], at: usize) -> Option<(Quantity, usize)> {
    let rest = tokens.get(at..)?;
    if !rest.first().is_some_and(may_begin) || is_part_of_name(tokens, at) {
        return None;
    }
    if let Some((clock, used)) = clock::clock(rest) {
        return Some((plain(tokens, at, used, Amount::Clock(clock)), at + used));
    }
    if let Some((date, used)) = date(tokens, at) {
        let mut quantity = plain(tokens, at, used, Amount::Date(date));
        if let Some((bound, _)) = bound::after(tokens, at + used) {
            quantity.bound = bound;
        }
        return Some((quantity, at + used));
    }
    if let Some((value, unit, used)) = spoken_span(tokens, at) {
        let amount = Amount::Point { value, other: None };
        return Some((Quantity { unit, ..plain(tokens, at, used, amount) }, at + used));
    }
    if let Some((rank, used)) = ordinal(rest) {
        return Some((plain(tokens, at, used, Amount::Ordinal(rank)), at + used));
    }
    if let Some(factor) = factor(tokens, at) {
        let amount = Amount::Point { value: factor, other: None };
        let per = counted::per(tokens.get(at + 1..).unwrap_or_default());
        let quantity = Quantity { unit: Unit::Times, per, ..plain(tokens, at, 1, amount) };
        return Some((quantity, at + 1));
    }
    spans(tokens, at).or_else(|| single(tokens, at))
}

/// Words that a quantity can begin with, beside digits and names of months and days. Most words are
/// none of them, and are skipped at once.
const BEGINNINGS: &str = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen \
    fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety a an half \
    quarter between from noon midday midnight dozens tens scores hundreds thousands millions billions twice double \
    doubled doubling doubles twofold triple tripled triples tripling trebled threefold thrice quadrupled \
    quadrupling once quadruple fourfold fivefold tenfold halved halving halves first second third fourth fifth sixth seventh \
    eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth \
    twentieth other us usd eur gbp last previous this current next coming minus";

fn may_begin(token: &Token<'_>) -> bool {
    static WORDS: LazyLock<HashSet<&str>> =
        LazyLock::new(|| BEGINNINGS.split_whitespace().collect());
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

/// A quantity of `used` tokens without unit.
fn plain(tokens: &[Token<'_>], at: usize, used: usize, amount: Amount) -> Quantity {
    let start = tokens.get(at).map_or(0, |token| token.start);
    let end = tokens.get((at + used).saturating_sub(1)).map_or(start, Token::end);
    let bound = bound::before(tokens, at);
    Quantity {
        range: start..end,
        amount,
        unit: Unit::Count,
        scale: 1.0,
        bound,
        counts: None,
        per: None,
    }
}

/// A number with its sign, currency sign and unit: the value in base units.
struct Measured {
    numeral: Numeral,
    value: f64,
    other: Option<f64>,
    unit: Option<Unit>,
    scale: f64,
    /// The token after it.
    next: usize,
}

fn measured(tokens: &[Token<'_>], at: usize) -> Option<Measured> {
    let (currency, start) = currency_sign(tokens, at);
    let (sign, start) = minus_sign(tokens, start);
    let mut numeral = numeral(tokens.get(start..)?).filter(|_| is_counting(tokens, start))?;
    // "$5m" is five million; without the sign, "5m" is five metres.
    let short = |token: &Token<'_>| token.joined && token.lower == "m" && numeral.plain;
    if currency.is_some() && tokens.get(start + numeral.used).is_some_and(short) {
        numeral = numeral.times(1e6, 1);
    }
    let next = start + numeral.used;
    let other = numeral.other.map(|other| sign * other);
    let bare =
        Measured { numeral, value: sign * numeral.value, other, unit: currency, scale: 1.0, next };
    match unit_behind(tokens, &bare) {
        Some((Found { unit, scale, offset, .. }, next)) => Some(Measured {
            value: (bare.value + offset) * scale,
            other: bare.other.map(|other| (other + offset) * scale),
            unit: Some(unit),
            scale,
            next,
            ..bare
        }),
        None if numeral.share => {
            Some(Measured { value: bare.value * 100.0, unit: Some(Unit::Percent), ..bare })
        }
        None => Some(bare),
    }
}

/// `$`, `US$`, `€`, `EUR` before a number: the currency, and the token after it.
fn currency_sign(tokens: &[Token<'_>], at: usize) -> (Option<Unit>, usize) {
    let country = matches!(word(tokens, at), "us" | "a" | "c" | "hk" | "nz")
        && tokens.get(at + 1).is_some_and(|sign| sign.joined && sign.is("$"));
    let at = at + usize::from(country);
    let sign = |token: &&Token<'_>| {
        token.kind == TokenKind::Mark || matches!(token.text, "USD" | "EUR" | "GBP")
    };
    match tokens.get(at).filter(sign).and_then(|token| money(&token.lower)) {
        Some(name) => (Some(Unit::Money(name)), at + 1),
        None => (None, at),
    }
}

/// A minus sign stands apart from what is before it and clings to its number.
fn minus_sign(tokens: &[Token<'_>], at: usize) -> (f64, usize) {
    if word(tokens, at) == "minus"
        && tokens.get(at + 1).is_some_and(|next| next.kind == TokenKind::Number)
    {
        return (-1.0, at + 1);
    }
    let sign = tokens.get(at).is_some_and(|token| matches!(token.text, "-" | "−") && !token.joined);
    let number =
        tokens.get(at + 1).is_some_and(|next| next.joined && next.kind == TokenKind::Number);
    if sign && number { (-1.0, at + 1) } else { (1.0, at) }
}

/// The unit behind a number and the token after it; `half an hour` and `a quarter of a mile` have
/// small words between.
fn unit_behind(tokens: &[Token<'_>], bare: &Measured) -> Option<(Found, usize)> {
    if bare.unit.is_some() || bare.numeral.odds {
        return None;
    }
    const ADDED: &str = "additional more extra further full whole consecutive other";
    let between = match (word(tokens, bare.next), word(tokens, bare.next + 1)) {
        // "2.6 additional hours"
        (added, next) if next.len() > 2 && place(ADDED, added).is_some() => {
            usize::from(super::unit::measure(next).is_some())
        }
        ("a" | "an", _) if bare.numeral.share => 1,
        ("of", "a" | "an") if bare.numeral.share => 2,
        _ => 0,
    };
    let found = unit(tokens.get(bare.next + between..)?)?;
    let fits = between == 0 || matches!(found.unit, Unit::Measure(_));
    let next = bare.next + between + found.used;
    fits.then_some((found, next))
}

/// Whether a number word counts here: not the "one" of "no one" nor the "half" of "second half".
fn is_counting(tokens: &[Token<'_>], at: usize) -> bool {
    let (before, after) = (word_before(tokens, at), word(tokens, at + 1));
    match word(tokens, at) {
        "one" => {
            place("no any every each this that which another the some", before).is_none()
                && place("another , . is can must day", after).is_none()
                && (after != "of" || word(tokens, at + 2) != "the")
        }
        "half" => {
            !matches!(before, "first" | "second" | "other" | "latter" | "-")
                && (after != "-" || unit(tokens.get(at + 1..).unwrap_or_default()).is_some())
        }
        "zero" => after != "-",
        _ => true,
    }
}

fn single(tokens: &[Token<'_>], at: usize) -> Option<(Quantity, usize)> {
    let found = measured(tokens, at)?;
    let amount = if found.numeral.vague {
        Amount::Vague { low: found.value, high: found.value * 10.0 }
    } else {
        Amount::Point { value: found.value, other: found.other }
    };
    Some(finish(tokens, at, &found, amount, found.unit))
}

/// `between 2 and 3`, `from 40 to 52`, `250–400`, `10 to 12`.
fn spans(tokens: &[Token<'_>], at: usize) -> Option<(Quantity, usize)> {
    let opener = word(tokens, at);
    let opened = matches!(opener, "between" | "from");
    let first = measured(tokens, at + usize::from(opened))?;
    let link = tokens.get(first.next)?;
    let linked = match (opener, link.lower.as_ref()) {
        ("between", "and") | ("from", "to") => true,
        ("between" | "from", _) => false,
        // "rose by 900 to 18,250" names two numbers.
        (_, "to") => word_before(tokens, at) != "by",
        // "three or four cups": neighbours.
        (_, "or") => first.value < 20.0,
        (_, "-" | "–" | "—" | "‑") => link.joined,
        _ => false,
    };
    if !linked || first.numeral.vague || first.numeral.share && first.unit != Some(Unit::Percent) {
        return None;
    }
    let second = measured(tokens, first.next + 1)?;
    let mut low = first.value;
    // "2–3 million", "10 to 12 km": the first takes the magnitude and unit of the second.
    if first.unit.is_none() {
        let factor = second.value / plain_value(tokens, first.next + 1).unwrap_or(second.value);
        let bare = !first.numeral.scaled && !first.numeral.share && first.value < 1_000.0;
        if factor.is_finite() && bare && factor > 0.0 {
            low *= factor;
        }
    } else if first.unit != second.unit && second.unit.is_some() {
        return None;
    }
    let unit = second.unit.or(first.unit);
    if link.lower == "or" && second.value - low != 1.0 {
        return None;
    }
    let change = opener == "from";
    if !change && low >= second.value {
        return None;
    }
    let amount = if change {
        Amount::Change { from: low, to: second.value }
    } else {
        Amount::Range { low, high: second.value }
    };
    Some(finish(tokens, at, &second, amount, unit))
}

/// The value of digits alone, before magnitude and unit.
fn plain_value(tokens: &[Token<'_>], at: usize) -> Option<f64> {
    let token = tokens.get(at)?;
    super::numeral::read(token.text)
        .map(|(value, _)| value)
        .filter(|_| token.kind == TokenKind::Number)
        .or_else(|| cardinal(&token.lower))
}

/// Adds what is around a number: its bound, the noun it counts, what it is per.
fn finish(
    tokens: &[Token<'_>],
    at: usize,
    last: &Measured,
    amount: Amount,
    unit: Option<Unit>,
) -> (Quantity, usize) {
    let (bound, used) = match bound::after(tokens, last.next) {
        Some(found) => found,
        None => (bound::before(tokens, at), 0),
    };
    let next = last.next + used;
    let rest = tokens.get(next..).unwrap_or_default();
    let unit = unit.unwrap_or(Unit::Count);
    let counts = match unit {
        Unit::Count | Unit::Percent => {
            counted::counted(rest, amount == Amount::Point { value: 1.0, other: None })
        }
        _ => None,
    };
    let behind = counts
        .as_ref()
        .map_or(0, |noun| rest.iter().take_while(|token| token.start < noun.end).count());
    let per = counted::per(rest)
        .or_else(|| counted::per(rest.get(behind..).unwrap_or_default()))
        .or_else(|| counted::per_further(rest));
    let plain = plain(tokens, at, next - at, amount);
    (Quantity { unit, scale: last.scale, bound, counts, per, ..plain }, next)
}

/// `3rd`, `third`, `twenty-first`; not the shares that `numeral` reads.
fn ordinal(tokens: &[Token<'_>]) -> Option<(u32, usize)> {
    let first = tokens.first()?;
    if first.kind == TokenKind::Number {
        let suffix = tokens.get(1).filter(|next| next.joined)?;
        let suffixed = matches!(suffix.lower.as_ref(), "st" | "nd" | "rd" | "th");
        return suffixed.then(|| first.text.parse().ok().map(|rank| (rank, 2))).flatten();
    }
    let rank = |word: &str| place(ORDINALS, word).map(|at| u32::from(at) + 1);
    if let Some(tens) = cardinal(&first.lower).filter(|tens| *tens >= 20.0)
        && word(tokens, 1) == "-"
        && let Some(ones) = rank(word(tokens, 2)).filter(|ones| *ones < 10)
    {
        return Some((tens as u32 + ones, 3));
    }
    // "a second" is a span of time as often as a rank.
    rank(&first.lower).map(|rank| (rank, 1))
}

/// `a decade`, `a year and a half`, `every other day`: the value in base units, its unit, and how many tokens it took.
fn spoken_span(tokens: &[Token<'_>], at: usize) -> Option<(f64, Unit, usize)> {
    let word = |ahead: usize| word(tokens, at + ahead);
    let scale = super::unit::measure(word(1))?;
    let half = [word(2), word(3), word(4)] == ["and", "a", "half"];
    let time = matches!(scale.dimension, Dimension::Months | Dimension::Time);
    let (times, used) = match word(0) {
        "a" | "an" | "one" if half => (1.5, 5),
        "a" | "one" if matches!(word(1), "decade" | "century") => (1.0, 2),
        "other" | "second" if time && word_before(tokens, at) == "every" => (2.0, 2),
        _ => return None,
    };
    Some((times * scale.factor, Unit::Measure(scale.dimension), used))
}

/// Words that multiply: `twice`, `doubled`, `once a day`.
fn factor(tokens: &[Token<'_>], at: usize) -> Option<f64> {
    let (before, after) = (word_before(tokens, at), word(tokens, at + 1));
    let verb = place("to will would could should may might nearly almost", before).is_some();
    let value = match word(tokens, at) {
        "once" if place("a an per every each daily weekly", after).is_some() => 1.0,
        "double" if verb || place("the its that what their in", after).is_some() => 2.0,
        "triple" if verb || place("the its that what", after).is_some() => 3.0,
        "quadruple" if verb => 4.0,
        "twice" | "doubled" | "doubling" | "doubles" | "twofold" => 2.0,
        "tripled" | "triples" | "tripling" | "trebled" | "threefold" | "thrice" => 3.0,
        "quadrupled" | "quadrupling" | "fourfold" => 4.0,
        "fivefold" => 5.0,
        "tenfold" => 10.0,
        "halved" | "halving" | "halves" => 0.5,
        _ => return None,
    };
    Some(value)
}
