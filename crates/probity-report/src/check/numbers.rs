//! Every quantity of a claim must be confirmed by its passage.

use std::ops::Range;

use probity_text::quantity::{Amount as Value, Bound, Match, Quantity, Unit};
use probity_text::tag::Tag;

use super::finding::{Finding, Kind};
use super::pair::Pair;
use super::reading::Amount;
use super::reckon::is_reckoned;

/// A bound is close to a value when they differ by less than this, as a logarithm: a quarter or so.
const CLOSE: f64 = 0.25;
/// A bare bound speaks of a value that differs by less than this: a factor of two or so.
const SAME_SIZE: f64 = 0.7;
/// Months in a year, the base unit of long spans.
const YEAR: f64 = 12.0;

/// A claim's quantity and the source's quantity that confirms it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Confirmed {
    /// Its number among the claim's quantities.
    pub claim: usize,
    /// Its number among the source's.
    pub source: usize,
}

/// What the quantities of a claim came to.
#[derive(Default)]
pub(super) struct Numbers {
    pub confirmed: Vec<Confirmed>,
    /// How many were found nowhere in the passage.
    pub missing: usize,
    /// How many were reckoned from others.
    pub reckoned: usize,
    pub findings: Vec<Finding>,
}

/// Compares the quantities of a claim with those of its passage.
pub(super) fn numbers(pair: &Pair<'_>) -> Numbers {
    let mut found = Numbers::default();
    let mut open = Vec::new();
    for (number, amount) in pair.claim_amounts() {
        match best(pair, amount) {
            Some((source, matched)) => {
                found.confirmed.push(Confirmed { claim: number, source });
                if matched == Match::Near {
                    let known = pair
                        .source
                        .amounts
                        .get(source)
                        .map_or("", |known| text(pair.source.text, known));
                    found.findings.push(Finding::new(
                        Kind::NumberNear,
                        format!("the source says “{known}”, which is less exact"),
                    ));
                }
            }
            None if is_derived(pair, &amount.quantity) || is_idle(pair, amount) => {}
            None if is_reckoned(pair, amount) => found.reckoned += 1,
            None => open.push(amount),
        }
    }
    for amount in open {
        found.missing += 1;
        found.findings.push(absent(pair, amount, &found.confirmed));
    }
    found
}

fn text<'t>(text: &'t str, amount: &Amount) -> &'t str {
    text.get(amount.quantity.range.clone()).unwrap_or_default()
}

/// The source's quantity that confirms a claimed one best: firmly, where the claim's words are.
fn best(pair: &Pair<'_>, amount: &Amount) -> Option<(usize, Match)> {
    let score = |known: &Amount, matched: Match| {
        let firm = if matched == Match::Confirmed { 4.0 } else { 0.0 };
        let home = if known.sentence == pair.align.anchor { 1.0 } else { 0.0 };
        firm + home + 2.0 * nearness(pair, amount, known) + noun_bonus(pair, amount, known)
    };
    if is_outbid(pair, amount, |known| score(known, Match::Different)) {
        return None;
    }
    pair.source_amounts()
        .filter_map(|(number, known)| {
            let matched = against(&amount.quantity, &known.quantity);
            (matched > Match::Different && is_of_same(pair, amount, known))
                .then(|| (number, matched, score(known, matched)))
        })
        .max_by(|a, b| a.2.total_cmp(&b.2).then(b.0.cmp(&a.0)))
        .map(|(number, matched, _)| (number, matched))
}

/// Whether a bound, which many numbers keep, is broken by the one that stands where the claim's words and
/// its other numbers are: "fewer than 200 on 14 March" against "212 on 14 March, 187 a day earlier".
fn is_outbid(pair: &Pair<'_>, amount: &Amount, score: impl Fn(&Amount) -> f32) -> bool {
    if matches!(amount.quantity.bound, Bound::Exactly | Bound::About) {
        return false;
    }
    let company = |known: &Amount| {
        let others = pair.claim_amounts().filter(|(_, other)| other.words != amount.words);
        let near = others.filter(|(_, other)| {
            pair.source_amounts().any(|(_, each)| {
                each.sentence == known.sentence
                    && other.quantity.against(&each.quantity) == Match::Confirmed
            })
        });
        2.0 * near.count() as f32
    };
    let top = pair
        .source_amounts()
        .filter(|(_, known)| is_close(&amount.quantity, &known.quantity))
        .map(|(_, known)| (known, score(known) + company(known)))
        .max_by(|a, b| a.1.total_cmp(&b.1));
    top.is_some_and(|(known, _)| against(&amount.quantity, &known.quantity) == Match::Different)
}

/// Compares two quantities; "the second win" also confirms "won twice".
fn against(claimed: &Quantity, known: &Quantity) -> Match {
    if let (Value::Ordinal(rank), Value::Point { value, .. })
    | (Value::Point { value, .. }, Value::Ordinal(rank)) = (claimed.amount, known.amount)
        && (claimed.unit == Unit::Times || known.unit == Unit::Times)
        && f64::from(rank) == value
    {
        return Match::Confirmed;
    }
    // "Twice a day" is how often, "double the dose" how much.
    if claimed.unit == Unit::Times
        && known.unit == Unit::Times
        && claimed.per.is_none()
        && known.per.is_some()
        && claimed.counts.is_none()
    {
        return Match::Different;
    }
    // "halved" is down by 50 percent, "doubled" is up by 100.
    if let (Value::Point { value: percent, .. }, Value::Point { value: times, .. }) =
        (claimed.amount, known.amount)
        && claimed.unit == Unit::Percent
        && known.unit == Unit::Times
        && times != 1.0
    {
        let change = if times < 1.0 { 100.0 * (1.0 - times) } else { 100.0 * (times - 1.0) };
        return if (change - percent).abs() < 0.5 { Match::Confirmed } else { Match::Different };
    }
    claimed.against(known)
}

/// Whether "more than 40 passengers" is confirmed by a larger number of the same thing, and not by
/// any larger number.
fn is_of_same(pair: &Pair<'_>, amount: &Amount, known: &Amount) -> bool {
    let ends = match known.quantity.amount {
        Value::Range { low, high } => {
            matches!(amount.quantity.amount, Value::Point { value, .. } if value == low || value == high)
        }
        _ => false,
    };
    let based = |quantity: &Quantity| match quantity.amount {
        Value::Point { value, .. } => Some((value * 1_000.0).round() as i64),
        _ => None,
    };
    let equal = ends
        || raw(&amount.quantity) == raw(&known.quantity)
        || based(&amount.quantity) == based(&known.quantity);
    if equal || matches!(amount.quantity.bound, Bound::Exactly | Bound::About) {
        return true;
    }
    // Who says "over 30" of 31 means it: bounds are drawn close to what they bound.
    if known.sentence == pair.align.anchor && is_close(&amount.quantity, &known.quantity) {
        return true;
    }
    let counted = amount.quantity.counts.is_some() && amount.quantity.unit == Unit::Count;
    noun_bonus(pair, amount, known) > 0.0
        || (!counted || known.quantity.counts.is_none())
            && known.sentence == pair.align.anchor
            && nearness(pair, amount, known) > 0.15
            // "Workers over 50" is nothing that 212 workers bear out.
            && (amount.quantity.counts.is_some() || is_within(amount, known, SAME_SIZE))
}

/// Whether a known value lies so near a claimed bound that the bound was drawn for it.
fn is_close(claimed: &Quantity, known: &Quantity) -> bool {
    match (claimed.amount, known.amount) {
        (Value::Point { .. }, Value::Point { .. }) => {
            claimed.unit == known.unit && ratio(claimed, known).is_some_and(|ratio| ratio < CLOSE)
        }
        _ => false,
    }
}

/// How far two values are apart, as a logarithm.
fn ratio(claimed: &Quantity, known: &Quantity) -> Option<f64> {
    match (claimed.amount, known.amount) {
        (Value::Point { value: a, .. }, Value::Point { value: b, .. }) if a > 0.0 && b > 0.0 => {
            Some((a / b).ln().abs())
        }
        _ => None,
    }
}

fn is_within(amount: &Amount, known: &Amount, limit: f64) -> bool {
    ratio(&amount.quantity, &known.quantity).is_none_or(|ratio| ratio < limit)
}

/// How near the claim's neighbouring words are to a source's quantity, from 0 to 1.
fn nearness(pair: &Pair<'_>, amount: &Amount, known: &Amount) -> f32 {
    let around = amount.words.start.saturating_sub(4)..amount.words.end + 4;
    let distances =
        around.filter_map(|at| pair.align.firm(at)).map(|link| distance(link.at, &known.words));
    distances.map(|distance| 1.0 / (1.0 + distance as f32)).sum::<f32>().min(1.0)
}

fn distance(at: usize, words: &Range<usize>) -> usize {
    words.start.saturating_sub(at).max((at + 1).saturating_sub(words.end))
}

/// Counting the same noun speaks for a match, counting another against it.
fn noun_bonus(pair: &Pair<'_>, amount: &Amount, known: &Amount) -> f32 {
    match (noun(pair, amount), known.quantity.counts.as_ref()) {
        (Some(at), Some(range)) => {
            match pair.align.firm(at).and_then(|link| pair.source.word(link.at)) {
                Some(word) if word.start == range.start => 1.0,
                Some(_) => -0.5,
                None => 0.0,
            }
        }
        _ => 0.0,
    }
}

/// The place of the noun that a claimed quantity counts.
fn noun(pair: &Pair<'_>, amount: &Amount) -> Option<usize> {
    let range = amount.quantity.counts.as_ref()?;
    pair.claim_words().find(|(_, word)| word.start == range.start).map(|(at, _)| at)
}

/// A claimed quantity was not found: was it changed, or added?
fn absent(pair: &Pair<'_>, amount: &Amount, confirmed: &[Confirmed]) -> Finding {
    let mine = text(pair.claim.text, amount);
    let free = |number: &usize| confirmed.iter().all(|each| each.source != *number);
    let rival = pair
        .source_amounts()
        .filter(|(number, _)| free(number))
        .filter(|(_, known)| is_rival(pair, amount, known))
        .max_by(|(_, a), (_, b)| nearness(pair, amount, a).total_cmp(&nearness(pair, amount, b)));
    match rival {
        Some((_, known)) => {
            let theirs = text(pair.source.text, known);
            let kind = if amount.label && known.label { Kind::Label } else { Kind::Number };
            Finding::new(kind, format!("the source says “{theirs}”, not “{mine}”"))
        }
        None => Finding::new(Kind::NumberAdded, format!("the passage does not give “{mine}”")),
    }
}

/// Whether a source's quantity stands where the claimed one would: of the same kind, or the same
/// number of something else.
fn is_rival(pair: &Pair<'_>, amount: &Amount, known: &Amount) -> bool {
    let (mine, theirs) = (&amount.quantity, &known.quantity);
    let home = known.sentence == pair.align.anchor;
    match (mine.amount, theirs.amount) {
        (Value::Date(a), Value::Date(b)) => {
            let shared = a.relative.is_some() && b.relative.is_some()
                || (a.year.is_some() && b.year.is_some())
                || (a.month.is_some() && b.month.is_some())
                || (a.weekday.is_some() && b.weekday.is_some());
            shared && home
        }
        (Value::Clock(_), Value::Clock(_)) => true,
        (Value::Ordinal(_), Value::Ordinal(_)) => home,
        (Value::Date(_) | Value::Clock(_) | Value::Ordinal(_), _)
        | (_, Value::Date(_) | Value::Clock(_) | Value::Ordinal(_)) => false,
        _ if raw(mine) == raw(theirs) => true,
        // "half the estimate" against "twice the estimate".
        _ if matches!(
            (mine.unit, theirs.unit),
            (Unit::Percent, Unit::Times) | (Unit::Times, Unit::Percent)
        ) =>
        {
            home
        }
        _ => home && is_same_kind(mine.unit, theirs.unit),
    }
}

/// The number as it was written, before its unit.
fn raw(quantity: &Quantity) -> Option<i64> {
    match quantity.amount {
        Value::Point { value, .. } => Some((value / quantity.scale * 1_000.0).round() as i64),
        _ => None,
    }
}

/// Whether two units measure the same sort of thing, so that one number rules out the other.
pub(super) fn is_same_kind(mine: Unit, theirs: Unit) -> bool {
    mine == theirs
        || matches!(
            (mine, theirs),
            (Unit::Money(_), Unit::Money(_))
                | (Unit::Percent | Unit::Points, Unit::Percent | Unit::Points)
                | (Unit::Times, Unit::Count)
                | (Unit::Count, Unit::Times)
        )
}

/// Numbers that a claim may hold without its passage: "at first", and the one of "once a week".
fn is_idle(pair: &Pair<'_>, amount: &Amount) -> bool {
    match amount.quantity.amount {
        // "what was first estimated"
        Value::Ordinal(1)
            if pair.claim.word(amount.words.end).is_some_and(|next| next.tag == Tag::Verb) =>
        {
            true
        }
        Value::Ordinal(1) => {
            pair.source_has("debut maiden initial inaugural earliest")
                || pair
                    .claim
                    .word(amount.words.start.saturating_sub(1))
                    .is_some_and(|word| word.lower.as_ref() == "at")
        }
        Value::Point { value: 1.0, .. } => match amount.quantity.unit {
            Unit::Times => pair.source_has("daily weekly monthly annual yearly once"),
            // "One round lasts" for "a round lasts".
            Unit::Count => !counts_otherwise(pair, amount),
            _ => false,
        },
        _ => false,
    }
}

/// Whether the passage counts the claim's noun by some number.
fn counts_otherwise(pair: &Pair<'_>, amount: &Amount) -> bool {
    let Some((_, word)) = noun(pair, amount).and_then(|at| pair.counterpart(at)) else {
        return true;
    };
    pair.source_amounts().any(|(_, known)| {
        known.quantity.counts.as_ref().is_some_and(|noun| noun.start == word.start)
    })
}

/// Whether a claimed share or difference can be worked out from two numbers of one sentence: 9 of
/// 60 is 15 percent, from 40 to 50 is 10 more and a quarter more.
fn is_derived(pair: &Pair<'_>, claimed: &Quantity) -> bool {
    if let Value::Change { from, to } = claimed.amount {
        // "6 crowns instead of 4"
        let given = |end: f64| {
            pair.source_amounts().any(|(_, known)| {
                matches!(known.quantity.amount, Value::Point { value, .. } if value == end)
                    && known.sentence == pair.align.anchor
            })
        };
        return given(from) && given(to);
    }
    let Value::Point { value, .. } = claimed.amount else { return false };
    if is_span_of_years(pair, claimed, value) {
        return true;
    }
    let rest = pair.source_has("rest remainder remaining") && claimed.unit == Unit::Percent;
    if rest && pair.source_amounts().any(|(_, known)| known.quantity.unit == Unit::Percent && matches!(known.quantity.amount, Value::Point { value: part, .. } if (100.0 - part - value).abs() < 0.6)) {
        return true;
    }
    let over = matches!(claimed.bound, Bound::MoreThan | Bound::AtLeast)
        && claimed.unit == Unit::Percent
        && value <= 50.0;
    if over && pair.source_has("most majority") {
        return true;
    }
    let close = |other: f64| (other - value).abs() <= 0.006 * value.abs().max(1.0);
    let changed = pair.source_amounts().any(|(_, known)| match known.quantity.amount {
        Value::Change { from, to } if claimed.unit == known.quantity.unit => {
            close((to - from).abs())
        }
        Value::Change { from, to } if claimed.unit == Unit::Percent && from != 0.0 => {
            close(100.0 * ((to - from) / from).abs())
        }
        _ => false,
    });
    changed || claimed.unit == Unit::Percent && is_share(pair, claimed)
}

/// "For eight years" where the source has "from 2009 to 2017".
fn is_span_of_years(pair: &Pair<'_>, claimed: &Quantity, value: f64) -> bool {
    let said = pair.claim.text.get(claimed.range.clone()).unwrap_or_default();
    let years: Vec<i32> = pair
        .source_amounts()
        .filter(|(_, known)| known.sentence == pair.align.anchor)
        .flat_map(|(_, known)| match known.quantity.amount {
            Value::Date(date) => [date.year, date.until],
            _ => [None, None],
        })
        .flatten()
        .collect();
    let spans = |two: &[i32]| matches!(two, [a, b] if f64::from(b - a) == value / YEAR);
    said.contains("year") && years.windows(2).any(spans)
}

fn is_share(pair: &Pair<'_>, claimed: &Quantity) -> bool {
    let counts: Vec<(f64, &Amount)> = pair
        .source_amounts()
        .filter_map(|(_, known)| match known.quantity.amount {
            Value::Point { value, .. } if known.quantity.unit == Unit::Count => {
                Some((value, known))
            }
            _ => None,
        })
        .collect();
    let led = counts.iter().any(|(_, whole)| {
        // "Of 40 members", "of the 40 members".
        let before = whole.words.start.saturating_sub(2)..whole.words.start;
        pair.source.span(before).any(|(_, word)| word.lower.as_ref() == "of")
    });
    is_part_of_earlier(&counts, claimed) && (led || pair.source_has("them which whom")) || counts.windows(2).any(|two| {
        let [(part, first), (whole, second)] = two else { return false };
        let linked = first.sentence == second.sentence
            && pair
                .source
                .span(first.words.end..second.words.start)
                .any(|(_, word)| word.tag == Tag::Preposition && word.lower.as_ref() == "of");
        let share = Quantity { amount: Value::Point { value: 100.0 * part / whole, other: None }, bound: Bound::Exactly, per: None, ..claimed.clone() };
        let close = matches!(claimed.amount, Value::Point { value, .. } if (100.0 * part / whole - value).abs() < 0.6);
        linked && part < whole && (close || claimed.bound != Bound::Exactly && claimed.against(&share) == Match::Confirmed)
    })
}

/// "Tested 120 apps and found that 71 of them …": the part after the whole.
fn is_part_of_earlier(counts: &[(f64, &Amount)], claimed: &Quantity) -> bool {
    counts.windows(2).any(|two| {
        let [(whole, _), (part, _)] = two else { return false };
        let share = Quantity {
            amount: Value::Point { value: 100.0 * part / whole, other: None },
            bound: Bound::Exactly,
            per: None,
            ..claimed.clone()
        };
        part < whole && claimed.against(&share) == Match::Confirmed
    })
}
