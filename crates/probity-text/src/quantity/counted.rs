//! What a number counts, and what it is per.

use std::ops::Range;

use crate::Language;
use crate::lex::{Token, TokenKind, place, word, word_before};
use crate::stopwords::stopwords;

/// How many words behind a number are searched for the noun it counts.
const REACH: usize = 4;

/// The noun that a number at the front counts: `homes` in `new homes were built`.
pub(super) fn counted(tokens: &[Token<'_>], single: bool) -> Option<Range<usize>> {
    let skip = usize::from(tokens.first().is_some_and(|token| token.is("-")));
    let skip = skip + usize::from(tokens.get(skip).is_some_and(|token| token.lower == "of"));
    let named = skip > 0 && place("the all its their those these", word(tokens, skip)).is_some();
    let skip = skip + usize::from(named);
    let stop = stopwords(Language::English);
    let noun =
        |token: &&Token<'_>| token.kind == TokenKind::Word && !stop.contains(token.lower.as_ref());
    let run: Vec<_> = tokens.get(skip..)?.iter().take(REACH).take_while(noun).collect();
    let participle =
        |token: &&&Token<'_>| token.lower.ends_with("ed") || token.lower.ends_with("ing");
    let head = run
        .iter()
        .find(|token| is_plural(&token.lower) && !single)
        .or_else(|| run.first().filter(|token| !participle(token)))?;
    Some(head.start..head.end())
}

/// Whether a lower-case word looks like the plural of a noun.
pub(crate) fn is_plural(word: &str) -> bool {
    const IRREGULAR: &str =
        "people children men women mice feet teeth sheep fish species geese staff police cattle";
    place(IRREGULAR, word).is_some()
        || word.len() > 3
            && word.ends_with('s')
            && !word.ends_with("ss")
            && !word.ends_with("us")
            && !word.ends_with("is")
}

/// `an hour`, `per person`, `/month`, `annually` at the front.
pub(super) fn per(tokens: &[Token<'_>]) -> Option<&'static str> {
    let word = |at: usize| word(tokens, at);
    if let Some(period) = adverb(word(0)) {
        return Some(period);
    }
    if !matches!(word(0), "per" | "a" | "an" | "each" | "every" | "/" | "for") {
        return None;
    }
    let skip = usize::from(word(0) == "for" && matches!(word(1), "each" | "every"));
    if word(0) == "for" && skip == 0 {
        return None;
    }
    Some(match word(1 + skip) {
        "second" | "s" => "second",
        "minute" | "min" => "minute",
        "hour" | "h" | "hr" => "hour",
        "day" => "day",
        "night" => "night",
        "week" => "week",
        "month" => "month",
        "quarter" => "quarter",
        "year" | "annum" => "year",
        "person" | "head" | "capita" => "person",
        "household" => "household",
        "kilogram" | "kg" | "kilo" => "kilogram",
        "tonne" | "ton" => "tonne",
        "litre" | "liter" => "litre",
        "kilometre" | "kilometer" | "km" => "kilometre",
        "mile" => "mile",
        "hectare" => "hectare",
        _ => return None,
    })
}

/// The same, a few words on: `350 grams of red meat a week`.
pub(super) fn per_further(tokens: &[Token<'_>]) -> Option<&'static str> {
    let reach =
        tokens.iter().take(REACH + 3).take_while(|token| token.kind == TokenKind::Word).count();
    let free =
        |at: usize| place("for in within after over than", word_before(tokens, at)).is_none();
    (1..reach).filter(|at| free(*at)).find_map(|at| tokens.get(at..).and_then(per))
}

fn adverb(word: &str) -> Option<&'static str> {
    Some(match word {
        "hourly" => "hour",
        "daily" => "day",
        "nightly" => "night",
        "weekly" => "week",
        "monthly" => "month",
        "annually" | "yearly" => "year",
        _ => return None,
    })
}
