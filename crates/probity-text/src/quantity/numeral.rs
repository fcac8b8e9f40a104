//! Tokens → a number: digits with any separators, number words, magnitudes and fractions.

use crate::lex::{Token, TokenKind, place, word};

/// A number that was read, and how many tokens it took.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Numeral {
    pub value: f64,
    /// The other way to read it: `1.200` is 1.2 here and 1200 there.
    pub other: Option<f64>,
    pub used: usize,
    /// `a third`, `half`, `3/4`: a share rather than a count.
    pub share: bool,
    /// `hundreds`, `dozens`: an order of magnitude, from `value` up to ten times it.
    pub vague: bool,
    /// Written in digits, with no magnitude after them.
    pub plain: bool,
    /// A magnitude was part of it: `2 million`.
    pub scaled: bool,
    /// `nine out of ten`: whatever follows is what the share is of, not its unit.
    pub odds: bool,
}

impl Numeral {
    fn new(value: f64, used: usize) -> Self {
        Self { value, used, ..Self::default() }
    }

    fn share(value: f64, used: usize) -> Self {
        Self { share: true, ..Self::new(value, used) }
    }

    pub(super) fn times(mut self, factor: f64, used: usize) -> Self {
        self.value *= factor;
        self.other = self.other.map(|other| other * factor);
        self.used += used;
        self.plain = false;
        self.scaled = true;
        self
    }
}

/// The number at the front of the tokens.
pub(super) fn numeral(tokens: &[Token<'_>]) -> Option<Numeral> {
    odds(tokens).or_else(|| fraction(tokens)).or_else(|| vague(tokens)).or_else(|| scaled(tokens))
}

/// Digits or number words, with a magnitude and a half if they follow.
fn scaled(tokens: &[Token<'_>]) -> Option<Numeral> {
    let mut found = match digits(tokens) {
        Some(found) => found,
        None => spelled(tokens)?,
    };
    if word(tokens, found.used) == "and"
        && word(tokens, found.used + 1) == "a"
        && word(tokens, found.used + 2) == "half"
    {
        found.value += 0.5;
        found.used += 3;
        found.plain = false;
    }
    while let Some(scale) = tokens.get(found.used).and_then(|token| magnitude(token, found.plain)) {
        found = found.times(scale, 1);
    }
    Some(found)
}

fn digits(tokens: &[Token<'_>]) -> Option<Numeral> {
    let token = tokens.first()?;
    if let Some(part) = vulgar(token.text) {
        return Some(Numeral::share(part, 1));
    }
    if token.kind != TokenKind::Number {
        return None;
    }
    let (value, other) = read(token.text)?;
    let mut found = Numeral { other, plain: true, ..Numeral::new(value, 1) };
    if let Some(part) = tokens.get(1).and_then(|token| vulgar(token.text)) {
        found = Numeral::new(value + part, 2);
    }
    Some(found)
}

fn vulgar(text: &str) -> Option<f64> {
    Some(match text {
        "½" => 0.5,
        "¼" => 0.25,
        "¾" => 0.75,
        "⅓" => 1.0 / 3.0,
        "⅔" => 2.0 / 3.0,
        _ => return None,
    })
}

/// Reads digits with separators: the usual value, and the other one where the text leaves a choice.
pub(super) fn read(text: &str) -> Option<(f64, Option<f64>)> {
    let plain: String =
        text.chars().filter(|c| c.is_ascii_digit() || matches!(c, '.' | ',')).collect();
    let value = |digits: &str| digits.parse::<f64>().ok().filter(|value| value.is_finite());
    let joined = value(&plain.replace(['.', ','], ""));
    let decimal = |group: char| value(&plain.replace(group, "").replace(',', "."));
    let (dots, commas) = (plain.matches('.').count(), plain.matches(',').count());
    let grouped = plain.split(['.', ',']).skip(1).all(|group| group.len() == 3);
    let head = plain.split(['.', ',']).next().map_or(0, str::len);
    let either = grouped && head <= 3 && !plain.starts_with('0');
    let (usual, other) = match (dots, commas) {
        (0, 1) if either => (joined, decimal('.')),
        (1, 0) if either => (decimal(','), joined),
        (0 | 1, 0) | (0, 1) => (value(&plain.replace(',', ".")), None),
        (0, _) => (joined, None),
        (_, 0) => (joined.filter(|_| grouped), None),
        _ if plain.rfind('.') > plain.rfind(',') => (decimal(',').filter(|_| dots == 1), None),
        _ => (decimal('.').filter(|_| commas == 1), None),
    };
    Some((usual?, other))
}

/// What a word multiplies the number before it by. One letter counts only right behind digits.
fn magnitude(token: &Token<'_>, plain: bool) -> Option<f64> {
    let glued = plain && token.joined;
    Some(match token.lower.as_ref() {
        "hundred" => 1e2,
        "dozen" => 12.0,
        "thousand" | "tausend" | "mille" | "mil" => 1e3,
        "million" | "millions" | "mn" | "mln" | "mio" | "millionen" | "millón" | "millones"
        | "milioni" | "milhões" => 1e6,
        "billion" | "billions" | "bn" | "milliard" | "milliards" | "milliarde" | "milliarden"
        | "mrd" | "miliardi" => 1e9,
        "trillion" | "trillions" | "tn" | "trn" => 1e12,
        "lakh" | "lakhs" => 1e5,
        "crore" | "crores" => 1e7,
        "k" if glued => 1e3,
        "b" if glued => 1e9,
        _ => return None,
    })
}

/// Cardinal words: `twelve`, `twenty-one`, `two hundred and five thousand`, `a hundred`.
fn spelled(tokens: &[Token<'_>]) -> Option<Numeral> {
    let (mut total, mut group, mut used, mut last) = (0.0, 0.0, 0, f64::INFINITY);
    let article = matches!(word(tokens, 0), "a" | "an")
        && matches!(
            word(tokens, 1),
            "hundred" | "thousand" | "million" | "billion" | "trillion" | "dozen"
        );
    if article {
        group = 1.0;
        used = 1;
    }
    loop {
        let skip = match word(tokens, used) {
            "-" if used > 0 && last >= 20.0 => 1,
            "and" if used > 0 && last == 100.0 => 1,
            _ => 0,
        };
        let next = word(tokens, used + skip);
        if let Some(value) = cardinal(next)
            .filter(|value| *value < last && (last > 99.0 || *value < 10.0 && last >= 20.0))
        {
            group += value;
            last = value;
        } else if next == "hundred" && group > 0.0 && group < 100.0 {
            group *= 100.0;
            last = 100.0;
        } else if next == "dozen" && group > 0.0 {
            group *= 12.0;
            last = 0.0;
        } else if let (true, Some(scale)) = (group > 0.0, large(next)) {
            total += group * scale;
            group = 0.0;
            last = f64::INFINITY;
        } else {
            break;
        }
        used += skip + 1;
    }
    (used > usize::from(article)).then(|| Numeral::new(total + group, used))
}

fn large(word: &str) -> Option<f64> {
    Some(match word {
        "thousand" => 1e3,
        "million" => 1e6,
        "billion" => 1e9,
        "trillion" => 1e12,
        _ => return None,
    })
}

/// The value of a cardinal below one hundred.
pub(super) fn cardinal(word: &str) -> Option<f64> {
    const SMALL: &str = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen \
        fifteen sixteen seventeen eighteen nineteen";
    const TENS: &str = "twenty thirty forty fifty sixty seventy eighty ninety";
    place(SMALL, word).or_else(|| place(TENS, word).map(|tens| 20 + 10 * tens)).map(f64::from)
}

/// `half a million`, `two-thirds`, `a quarter`, `3/4`, `half`.
fn fraction(tokens: &[Token<'_>]) -> Option<Numeral> {
    if word(tokens, 0) == "half" {
        let skip = usize::from(matches!(word(tokens, 1), "a" | "an" | "of"));
        if let Some(scale) =
            large(word(tokens, 1 + skip)).or((word(tokens, 1 + skip) == "dozen").then_some(12.0))
        {
            return Some(Numeral::new(0.5 * scale, 2 + skip));
        }
        return Some(Numeral::share(0.5, 1));
    }
    if let Some(found) = slashed(tokens) {
        return Some(found);
    }
    let article = matches!(word(tokens, 0), "a" | "an" | "one");
    let (top, mut used) = match (article, spelled(tokens)) {
        (_, Some(found)) if found.value < 20.0 => (found.value, found.used),
        (true, None) => (1.0, 1),
        _ => return None,
    };
    if word(tokens, used) == "-" {
        used += 1;
    }
    let below = denominator(word(tokens, used), top)?;
    let follower = word(tokens, used + 1);
    // "a second", "a third party" and "the third quarter" are no shares.
    let share = top > 1.0
        || follower.is_empty()
        || place("of in to less more fewer lower higher larger smaller . , ; )", follower)
            .is_some()
        || word(tokens, used) == "quarter";
    let million = large(word(tokens, used + 3));
    if let (true, "of", "a", Some(scale)) = (share, follower, word(tokens, used + 2), million) {
        return Some(Numeral::new(top / below * scale, used + 4));
    }
    share.then(|| Numeral::share(top / below, used + 1))
}

fn slashed(tokens: &[Token<'_>]) -> Option<Numeral> {
    let [top, slash, below, ..] = tokens else { return None };
    let glued = slash.is("/") && slash.joined && below.joined && below.kind == TokenKind::Number;
    if !glued || tokens.get(3).is_some_and(|token| token.is("/")) {
        return None;
    }
    let (top, below) = (read(top.text)?.0, read(below.text)?.0);
    let plausible = top >= 1.0 && top < below && matches!(below as u32, 2..=6 | 8 | 10);
    plausible.then(|| Numeral::share(top / below, 3))
}

fn denominator(word: &str, top: f64) -> Option<f64> {
    const NAMES: &str = "half third quarter fifth sixth seventh eighth ninth tenth";
    let single = if top > 1.0 { word.strip_suffix('s')? } else { word };
    match single {
        "halve" => Some(2.0),
        "fourth" => Some(4.0),
        "hundredth" => Some(100.0),
        _ => place(NAMES, single).map(|at| f64::from(at + 2)),
    }
}

/// `one in five`, `4 out of 10`, `nine in every ten`.
fn odds(tokens: &[Token<'_>]) -> Option<Numeral> {
    let top = scaled(tokens)?;
    let mut at = top.used;
    match (word(tokens, at), word(tokens, at + 1)) {
        ("out", "of") => at += 2,
        ("in", "every") => at += 2,
        ("in", _) => at += 1,
        _ => return None,
    }
    let below = scaled(tokens.get(at..)?)?;
    let whole = |value: f64| value.fract() == 0.0;
    let out = word(tokens, top.used) == "out";
    let typical = matches!(
        below.value as u64,
        2..=10 | 12 | 15 | 20 | 25 | 50 | 100 | 1_000 | 10_000 | 100_000 | 1_000_000
    );
    let plausible = top.value >= 1.0
        && top.value < below.value
        && whole(top.value)
        && whole(below.value)
        && typical;
    // "four in ten" is a share; "3 in 20 minutes" and "4 out of the 10" hardly ever are.
    let plausible =
        plausible && (out || super::unit::measure(word(tokens, at + below.used)).is_none());
    let share = Numeral::share(top.value / below.value, at + below.used);
    plausible.then_some(Numeral { odds: true, ..share })
}

/// `hundreds`, `dozens of`, `tens of thousands`.
fn vague(tokens: &[Token<'_>]) -> Option<Numeral> {
    let size = |word: &str| match word {
        "tens" => Some(10.0),
        "dozens" => Some(12.0),
        "scores" => Some(20.0),
        "hundreds" => Some(1e2),
        _ => large(word.strip_suffix('s')?),
    };
    let first = size(word(tokens, 0))?;
    let (value, used) =
        match size(word(tokens, 2)).filter(|next| word(tokens, 1) == "of" && *next > first) {
            Some(next) => (first * next, 3),
            None => (first, 1),
        };
    Some(Numeral { vague: true, ..Numeral::new(value, used) })
}
