//! Numbers that a source does not give and that follow from those it gives: sums, differences, what is
//! left of a whole, the years between two dates, the year after.
//!
//! Of a few small numbers almost any other can be made, so a claim must say by some word that it reckons.

use probity_text::quantity::{Amount as Value, Bound, Dimension, Match, Quantity, Unit};

use super::numbers::is_same_kind;
use super::pair::{Pair, listed};
use super::reading::Amount;

/// How many quantities of a passage are tried with each other.
const TRIED: usize = 16;
/// Months in a year, the base unit of long spans.
const YEAR: f64 = 12.0;

/// Words of a claim that take one number from another.
const DIFFERENCE: &str = "more fewer less than new additional extra still missing remain remaining left rest survive survivor survived not other others increase \
    decrease rise fall grow drop gain lose lead margin majority difference later earlier older younger longer shorter without no none did up down by within";
/// Words of a claim that put numbers together.
const SUM: &str = "total together altogether combined overall all both sum or and casualty";
/// Words of a claim that count the years of a life or a time.
const AGE: &str = "age aged old year live lived decade when after for at young";
/// Words of a passage that speak of what comes on top.
const FURTHER: &str = "more another further additional other besides else";
/// Words for the year behind.
const LATER: &str = "following next later after subsequent";
/// Words for the year before.
const EARLIER: &str = "previous preceding earlier before prior";

/// Whether a claimed quantity can be reckoned from those of the passage.
pub(super) fn is_reckoned(pair: &Pair<'_>, claimed: &Amount) -> bool {
    let quantity = &claimed.quantity;
    match quantity.amount {
        Value::Date(date) => {
            date.month.is_none() && date.year.is_some_and(|year| is_other_year(pair, year))
        }
        Value::Point { .. } => {
            let minus = takes_away(pair, claimed);
            is_age(pair, quantity)
                || minus && is_remainder(pair, quantity)
                || is_all_but(pair, quantity)
                || is_sum(pair, quantity, minus)
        }
        _ => false,
    }
}

/// Whether a value answers what is claimed, with its bound.
fn answers(claimed: &Quantity, value: f64) -> bool {
    let known = Quantity {
        amount: Value::Point { value, other: None },
        bound: Bound::Exactly,
        per: None,
        counts: None,
        ..claimed.clone()
    };
    let near = match claimed.amount {
        Value::Point { value: mine, .. } => (mine / value.max(1e-9)).ln().abs() < 0.4,
        _ => false,
    };
    near && claimed.against(&known) == Match::Confirmed
}

/// The plain values of a passage that are of a claimed kind.
fn values(pair: &Pair<'_>, claimed: &Quantity) -> Vec<f64> {
    let mut found = Vec::new();
    for (_, known) in pair.source_amounts().take(TRIED) {
        let fits = is_same_kind(claimed.unit, known.quantity.unit)
            || claimed.unit == Unit::Points && known.quantity.unit == Unit::Percent;
        match known.quantity.amount {
            Value::Point { value, .. } if fits && !known.label => found.push(value),
            Value::Change { from, to } if fits => found.extend([from, to]),
            _ => {}
        }
    }
    found
}

/// Whether the claim speaks of a difference; "fewer than" right before a number is its bound.
fn takes_away(pair: &Pair<'_>, claimed: &Amount) -> bool {
    let bounded = !matches!(claimed.quantity.bound, Bound::Exactly | Bound::About);
    let before = claimed.words.start.saturating_sub(if bounded { 2 } else { 0 });
    pair.claim_words()
        .filter(|(at, _)| *at < before || *at >= claimed.words.end)
        .any(|(_, word)| listed(word, DIFFERENCE))
}

/// The sum or the difference of two, where the claim speaks of one.
fn is_sum(pair: &Pair<'_>, claimed: &Quantity, minus: bool) -> bool {
    let plus = pair.claim_has(SUM) || pair.source_has(FURTHER);
    if !minus && !plus {
        return false;
    }
    let all = values(pair, claimed);
    let two = |a: &f64, b: &f64| {
        minus && a > b && answers(claimed, a - b) || plus && answers(claimed, a + b)
    };
    let one_more = pair.source_has("another further")
        && claimed.unit == Unit::Count
        && all.iter().any(|value| answers(claimed, value + 1.0));
    one_more
        || all
            .iter()
            .enumerate()
            .any(|(number, a)| all.iter().skip(number + 1).any(|b| two(a, b) || minus && two(b, a)))
}

/// "All but two" of seventeen.
fn is_all_but(pair: &Pair<'_>, claimed: &Quantity) -> bool {
    let word = |at: Option<usize>| {
        at.and_then(|at| pair.source.word(at)).map_or("", |word| word.lower.as_ref())
    };
    let left_out = |known: &Amount| {
        let start = known.words.start;
        word(start.checked_sub(2)) == "all" && word(start.checked_sub(1)) == "but"
    };
    let few = pair.source_amounts().take(TRIED).filter(|(_, known)| left_out(known));
    few.into_iter().any(|(_, few)| {
        let Value::Point { value: few, .. } = few.quantity.amount else { return false };
        values(pair, claimed).iter().any(|whole| *whole > few && answers(claimed, whole - few))
    })
}

/// What a share leaves of the whole.
fn is_remainder(pair: &Pair<'_>, claimed: &Quantity) -> bool {
    claimed.unit == Unit::Percent
        && values(pair, claimed)
            .iter()
            .any(|share| *share < 100.0 && answers(claimed, 100.0 - share))
}

/// The years of a passage, and of what stands before it in the same paragraph's opening.
fn years(pair: &Pair<'_>) -> Vec<i32> {
    let mut found = Vec::new();
    for (_, known) in pair.source_amounts().take(TRIED) {
        match known.quantity.amount {
            Value::Date(date) => found.extend(date.year.into_iter().chain(date.until)),
            Value::Range { low, high } | Value::Change { from: low, to: high }
                if is_year(low) && is_year(high) =>
            {
                found.extend([low as i32, high as i32]);
            }
            _ => {}
        }
    }
    found
}

fn is_year(value: f64) -> bool {
    (1_000.0..2_100.0).contains(&value) && value.fract() == 0.0
}

/// An age or a time that lies between two years of the passage; a birthday may make one year.
fn is_age(pair: &Pair<'_>, claimed: &Quantity) -> bool {
    let months = claimed.unit == Unit::Measure(Dimension::Months);
    // "He was 34 when he died".
    let of_age = claimed.unit == Unit::Count
        && claimed.counts.is_none()
        && pair.claim_has("age aged old when");
    if !months && !of_age {
        return false;
    }
    let unit = if months { YEAR } else { 1.0 };
    let all = years(pair);
    pair.claim_has(AGE)
        && all.iter().any(|first| {
            all.iter().filter(|last| *last > first).any(|last| {
                let years = f64::from(last - first);
                answers(claimed, years * unit) || answers(claimed, (years - 1.0) * unit)
            })
        })
}

/// "Four years later", "the following spring": a year reckoned from one that the passage gives.
fn is_other_year(pair: &Pair<'_>, claimed: i32) -> bool {
    let all = years(pair);
    let apart = |offset: i32| all.iter().any(|year| year + offset == claimed);
    let step = |list: &str| {
        pair.source_words().filter(|(_, word)| listed(word, list)).any(|(at, _)| {
            pair.source
                .span(at.saturating_sub(2)..at + 3)
                .any(|(_, word)| listed(word, "year spring summer autumn fall winter season"))
        })
    };
    if step(LATER) && apart(1) || step(EARLIER) && apart(-1) {
        return true;
    }
    pair.source_amounts().take(TRIED).any(|(_, known)| {
        let Value::Point { value, .. } = known.quantity.amount else { return false };
        if known.quantity.unit != Unit::Measure(Dimension::Months) || value % YEAR != 0.0 {
            return false;
        }
        let years = (value / YEAR) as i32;
        let behind = |list: &str| {
            pair.source
                .span(known.words.end..known.words.end + 2)
                .any(|(_, word)| listed(word, list))
        };
        behind(LATER) && apart(years) || behind(EARLIER) && apart(-years)
    })
}
