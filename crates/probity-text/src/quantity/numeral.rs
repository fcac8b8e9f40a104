//! Tokens → a number: digits with any separators, number words, magnitudes and fractions.

use crate::lex::{Token, TokenKind, place, word};

/// Cardinals from zero on, and the tens from twenty on.
pub(super) const NUMBER_WORDS: [&str; 2] = [
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen \
     eighteen nineteen",
    "twenty thirty forty fifty sixty seventy eighty ninety",
];

/// What words multiply the number before them by.
const MAGNITUDES: [(f64, &str); 8] = [
    (1e2, "hundred"),
    (12.0, "dozen"),
    (
        1e3,
        "thousand tausend tsd mille mil mila duizend tusen tusind tys tysiąc tysiące tysięcy тыс тысяч",
    ),
    (
        1e6,
        "million millions mn mln mio millionen millón millones milione milioni milhão milhões miljoen miljoner miljon \
         millioner milion miliony milionów miljoonaa milyon млн миллион миллиона миллионов",
    ),
    (
        1e9,
        "billion billions bn milliard milliards milliarde milliarden mrd miliardo miliardi mld bilhão bilhões miljard \
         miljarder milliarder miliard miliardy miliardów miljardia milyar млрд миллиард миллиарда миллиардов",
    ),
    (1e12, "trillion trillions tn trn billionen biljoen biljoner"),
    (1e5, "lakh lakhs"),
    (1e7, "crore crores"),
];

/// A number that was read, and how many tokens it took.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Numeral {
    pub value: f64,
    pub used: usize,
    /// `a third`, `half`, `½`: a share rather than a count.
    pub share: bool,
    /// What words behind it multiplied it by.
    pub magnitude: f64,
}

impl Numeral {
    fn new(value: f64, used: usize) -> Self {
        Self { value, used, share: false, magnitude: 1.0 }
    }

    pub(super) fn times(self, factor: f64, used: usize) -> Self {
        Self {
            value: self.value * factor,
            used: self.used + used,
            magnitude: self.magnitude * factor,
            ..self
        }
    }
}

/// The number at the front of the tokens.
pub(super) fn numeral(tokens: &[Token<'_>]) -> Option<Numeral> {
    if let Some((value, used)) = share(tokens) {
        // "half a million", "a quarter of a million"
        let small = |at: &usize| matches!(word(tokens, *at), "a" | "an" | "of");
        let behind = used + (used..used + 2).take_while(small).count();
        return Some(match magnitude(word(tokens, behind)).filter(|factor| *factor >= 1e3) {
            Some(factor) => Numeral::new(value, used).times(factor, behind + 1 - used),
            None => Numeral { share: true, ..Numeral::new(value, used) },
        });
    }
    let mut found = match digits(tokens) {
        Some(found) => found,
        None => spelled(tokens).map(|(value, used)| Numeral::new(value, used))?,
    };
    let at = |ahead: usize| word(tokens, found.used + ahead);
    if (at(0), at(1), at(2)) == ("and", "a", "half") {
        found = Numeral { value: found.value + 0.5, used: found.used + 3, ..found };
    }
    // One letter counts only right behind digits.
    if let [digits, letter, ..] = tokens
        && (found.used, digits.kind, letter.joined) == (1, TokenKind::Number, true)
        && let Some(factor) =
            [("k", 1e3), ("b", 1e9)].iter().find(|(name, _)| letter.lower == *name)
    {
        found = found.times(factor.1, 1);
    }
    while let Some(factor) = magnitude(word(tokens, found.used)) {
        found = found.times(factor, 1);
    }
    Some(found)
}

/// What a word multiplies the number before it by.
pub(super) fn magnitude(name: &str) -> Option<f64> {
    MAGNITUDES.iter().find(|(_, names)| place(names, name).is_some()).map(|(factor, _)| *factor)
}

fn digits(tokens: &[Token<'_>]) -> Option<Numeral> {
    let value = read(&tokens.first().filter(|token| token.kind == TokenKind::Number)?.lower)?;
    Some(match tokens.get(1).and_then(|token| vulgar(token.text)) {
        Some(part) => Numeral::new(value + part, 2),
        None => Numeral::new(value, 1),
    })
}

fn vulgar(text: &str) -> Option<f64> {
    const SIGNS: [(&str, f64); 5] =
        [("½", 0.5), ("¼", 0.25), ("¾", 0.75), ("⅓", 1.0 / 3.0), ("⅔", 2.0 / 3.0)];
    SIGNS.iter().find(|(sign, _)| *sign == text).map(|(_, part)| *part)
}

/// Reads digits with separators: a comma before three digits, and what comes more than once, divides thousands.
fn read(text: &str) -> Option<f64> {
    let plain: String =
        text.chars().filter(|c| c.is_ascii_digit() || matches!(c, '.' | ',')).collect();
    let thousands = |mark: char| {
        let mut groups = plain.split(mark);
        // "0,125" and "1200,500" have a decimal comma: nobody divides thousands so.
        let divides =
            groups.next().is_some_and(|first| first.len() <= 3 && !first.starts_with('0'));
        groups.clone().count() > 1 || mark == ',' && divides && groups.all(|group| group.len() == 3)
    };
    let point = match (plain.rfind('.'), plain.rfind(',')) {
        (Some(dot), Some(comma)) => Some(dot.max(comma)),
        (Some(dot), None) => Some(dot).filter(|_| !thousands('.')),
        (None, Some(comma)) => Some(comma).filter(|_| !thousands(',')),
        (None, None) => None,
    };
    let figures = |part: Option<&str>| part.unwrap_or_default().replace(['.', ','], "");
    let (whole, rest) = match point {
        Some(point) => (figures(plain.get(..point)), figures(plain.get(point..))),
        None => (figures(Some(&plain)), String::new()),
    };
    // "3.2.1" is a version.
    let is_version = point.is_none() && plain.split('.').skip(1).any(|group| group.len() != 3);
    let value = format!("{whole}.{rest}").parse::<f64>().ok();
    value.filter(|value| value.is_finite() && !is_version)
}

/// Cardinal words: `twelve`, `twenty-one`, `two hundred and five thousand`, `a hundred`.
fn spelled(tokens: &[Token<'_>]) -> Option<(f64, usize)> {
    let article = matches!(word(tokens, 0), "a" | "an") && magnitude(word(tokens, 1)).is_some();
    let (mut total, mut group, mut used) =
        (0.0, f64::from(u8::from(article)), usize::from(article));
    loop {
        let tens = group % 100.0;
        let linked = match word(tokens, used) {
            "-" => tens >= 20.0,
            "and" => group > 0.0 && tens == 0.0,
            _ => false,
        };
        let next = word(tokens, used + usize::from(linked));
        let fits = |value: &f64| tens == 0.0 || tens >= 20.0 && tens % 10.0 == 0.0 && *value < 10.0;
        match (cardinal(next).filter(fits), magnitude(next)) {
            (Some(value), _) => group += value,
            (_, Some(100.0)) if group > 0.0 && group < 100.0 => group *= 100.0,
            (_, Some(factor)) if group > 0.0 => (total, group) = (total + group * factor, 0.0),
            _ => break,
        }
        used += 1 + usize::from(linked);
    }
    (used > usize::from(article)).then_some((total + group, used))
}

/// The value of a cardinal below one hundred.
pub(super) fn cardinal(name: &str) -> Option<f64> {
    let [small, tens] = NUMBER_WORDS;
    place(small, name).or_else(|| place(tens, name).map(|at| 20 + 10 * at)).map(f64::from)
}

/// `half`, `two-thirds`, `a quarter`, `½`.
fn share(tokens: &[Token<'_>]) -> Option<(f64, usize)> {
    if let Some(part) = vulgar(tokens.first()?.text) {
        return Some((part, 1));
    }
    if word(tokens, 0) == "half" {
        return Some((0.5, 1));
    }
    let (top, used) = match spelled(tokens) {
        Some(found) => found,
        None => matches!(word(tokens, 0), "a" | "an").then_some((1.0, 1))?,
    };
    let used = used + usize::from(word(tokens, used) == "-");
    let below = denominator(word(tokens, used), top)?;
    // "a second", "a third party" and "the third quarter" are no shares.
    let follower = word(tokens, used + 1);
    let is_share = top > 1.0
        || follower.is_empty()
        || word(tokens, used) == "quarter"
        || place("of in to less more fewer lower higher larger smaller . , ; )", follower)
            .is_some();
    (is_share && top < 20.0).then_some((top / below, used + 1))
}

fn denominator(word: &str, top: f64) -> Option<f64> {
    const NAMES: &str = "half third quarter fifth sixth seventh eighth ninth tenth";
    let single = if top > 1.0 { word.strip_suffix('s')? } else { word };
    match single {
        "fourth" => Some(4.0),
        _ => place(NAMES, single).map(|at| f64::from(at + 2)),
    }
}
