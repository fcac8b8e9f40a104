//! Sentences of two sources that cannot both be right: other numbers, other dates, a denial.

use std::collections::HashSet;

use probity_reader::{Stop, TextReader};
use probity_report::check::check_claim;
use probity_text::date_mention::dates;
use probity_text::lex::tokens;
use probity_text::quantity::{Amount, Bound, Dimension, Match, Quantity, Unit};
use probity_text::tag::{Tag, Tagged, tag};

use super::answer::{disagree, is_explained, supersedes};
use super::pool::Voice;

/// Sentences must be about the same thing before their difference means anything.
const SAME_TOPIC: f64 = 0.55;
/// The least share of the smaller sentence's content words that both have.
const SHARED: f64 = 0.4;
/// How much less two sentences need to share that measure something in the same unit.
const MEASURED: f64 = 0.6;
/// Amounts that differ more than so many times are hardly of the same thing.
const ORDER: f64 = 3.0;
/// The most disagreements that a report tells.
const MOST: usize = 4;

/// What a disagreement on the asked value is worth beside the ranks of its sentences.
const ASKED: f64 = 10.0;

/// Two sentences that contradict each other, by their places.
pub(super) struct Clash {
    /// The one that is told first.
    pub(super) one: usize,
    pub(super) other: usize,
    /// Whether they differ in the very value that was asked for.
    pub(super) asked: bool,
}

/// Pairs of sentences that contradict each other, the best-ranked first. The better of each pair
/// ranks at least `floor`.
pub(super) fn conflicts(voices: &[Voice], floor: f64) -> Vec<Clash> {
    let mut found: Vec<(f64, Clash)> = Vec::new();
    for (i, one) in voices.iter().enumerate() {
        for (j, other) in voices.iter().enumerate().skip(i + 1) {
            let strangers = one.sources.iter().all(|id| !other.sources.contains(id));
            if !strangers || one.score.max(other.score) < floor {
                continue;
            }
            let asked = disagree(one, other);
            if asked || clash(one, other) {
                // What was asked for comes before all else, and of the two what leads the report.
                let first = if asked { ASKED } else { 0.0 };
                let turned = one.aside && !other.aside || supersedes(other, one);
                let (lead, rest) = if turned { (j, i) } else { (i, j) };
                let clash = Clash { one: lead, other: rest, asked };
                found.push((first + one.score + other.score, clash));
            }
        }
    }
    found.sort_by(|a, b| {
        let place = |clash: &Clash| (clash.one.min(clash.other), clash.one.max(clash.other));
        b.0.total_cmp(&a.0).then(place(&a.1).cmp(&place(&b.1)))
    });
    let mut used = HashSet::new();
    let fresh = found.into_iter().map(|(_, clash)| clash).filter(|clash| {
        let fresh = !used.contains(&clash.one) && !used.contains(&clash.other);
        if fresh {
            used.extend([clash.one, clash.other]);
        }
        fresh
    });
    fresh.take(MOST).collect()
}

/// Whether two sentences cannot both be right, whatever was asked.
fn clash(one: &Voice, other: &Voice) -> bool {
    // Who "I" and "we" are, and when "this year" was, is known to nobody here.
    let strange = one.personal || other.personal || one.of_another != other.of_another;
    let aside = one.aside || other.aside;
    let differ = || {
        same_topic(one, other)
            && (numbers_differ(one, other) && !is_explained(one, other) || is_denied(one, other))
    };
    !strange && !aside && (differ() || winners_differ(one, other))
}

pub(super) fn same_topic(one: &Voice, other: &Voice) -> bool {
    let shared = one.stems.iter().filter(|stem| other.stems.contains(stem)).count();
    let smaller = one.stems.len().min(other.stems.len());
    let near = f64::from(one.vector.cosine(&other.vector));
    let share = shared as f64 / smaller.max(1) as f64;
    // Few things are measured in one unit, so who names it speaks of the same thing sooner.
    let measured = one.quantities.iter().any(|a| {
        matches!(a.unit, Unit::Measure(of) if !matches!(of, Dimension::Time | Dimension::Temperature))
            && other.quantities.iter().any(|b| a.unit == b.unit)
    });
    let ease = if measured { MEASURED } else { 1.0 };
    shared >= 2 && near >= SAME_TOPIC * ease && share >= SHARED * ease
}

/// Both name an amount of the same kind and of the same thing, and the amounts exclude each other.
fn numbers_differ(one: &Voice, other: &Voice) -> bool {
    let same_kind = |a: &Quantity, b: &Quantity| {
        a.unit != Unit::Count || same_things(counted(one, a), counted(other, b))
    };
    let pairs = || one.quantities.iter().flat_map(|a| other.quantities.iter().map(move |b| (a, b)));
    pairs().any(|(a, b)| {
        // Another year is mostly another occasion; only the very same statement makes it a dispute.
        // So is another temperature: it says when something holds.
        let dated = matches!(a.amount, Amount::Date(_) | Amount::Clock(_))
            || a.unit == Unit::Measure(Dimension::Temperature);
        exclude(a, b)
            && same_kind(a, b)
            && (!dated && is_alike(a, b) || same_statement(one, other))
            && !follows(a, &other.quantities)
            && !follows(b, &one.quantities)
            // Who names the same amount somewhere else agrees, and speaks of another one here. That both
            // name the same day is no such agreement on a number.
            && !pairs().any(|(c, d)| {
                let alike = std::mem::discriminant(&c.amount) == std::mem::discriminant(&a.amount);
                alike && c.unit == a.unit && d.unit == a.unit && agree(c, d)
            })
    })
}

/// Whether two amounts of one kind cannot both be right.
pub(super) fn exclude(a: &Quantity, b: &Quantity) -> bool {
    a.unit == b.unit
        && a.per == b.per
        && is_plain(a)
        && is_plain(b)
        && same_bound(a, b)
        && std::mem::discriminant(&a.amount) == std::mem::discriminant(&b.amount)
        && !agree(a, b)
}

/// Whether two amounts are of an order: 287 and 19 million are rather prices of two things.
pub(super) fn is_alike(a: &Quantity, b: &Quantity) -> bool {
    match (point(a), point(b)) {
        (Some(a), Some(b)) => a.abs().max(b.abs()) <= ORDER * a.abs().min(b.abs()),
        _ => true,
    }
}

/// Whether an amount is the sum or the difference of two that the other side names: 212 million where
/// it says "287 million, 75 million more".
fn follows(amount: &Quantity, others: &[Quantity]) -> bool {
    let Some(value) = point(amount) else { return false };
    let same = others.iter().filter(|other| other.unit == amount.unit).filter_map(point);
    let values: Vec<f64> = same.collect();
    let near = |reckoned: f64| (reckoned - value).abs() <= 0.005 * value.abs();
    let pairs = values.iter().flat_map(|a| values.iter().map(move |b| (*a, *b)));
    pairs.filter(|(a, b)| a != b).any(|(a, b)| near(a + b) || near(a - b))
}

fn point(quantity: &Quantity) -> Option<f64> {
    match quantity.amount {
        Amount::Point { value, .. } => Some(value),
        _ => None,
    }
}

/// Whether two sentences share nearly all their words, whichever is longer.
fn same_statement(one: &Voice, other: &Voice) -> bool {
    let shared = one.stems.iter().filter(|stem| other.stems.contains(stem)).count();
    let larger = one.stems.len().max(other.stems.len());
    shared as f64 >= 0.7 * larger as f64
}

/// Both name what is first of its kind, and they name another.
fn winners_differ(one: &Voice, other: &Voice) -> bool {
    let (Some(a), Some(b)) = (Superlative::of(&one.text), Superlative::of(&other.text)) else {
        return false;
    };
    let shared = a.kind.iter().filter(|stem| b.kind.contains(stem)).count();
    let same_kind = shared >= 2 && shared == a.kind.len().min(b.kind.len());
    let same_time = a.years.is_empty() || b.years.is_empty() || a.years == b.years;
    let own = |names: &[String], others: &str| -> Vec<String> {
        names.iter().filter(|name| !others.contains(name.as_str())).cloned().collect()
    };
    let named =
        |text: &str, names: &[String]| names.iter().any(|name| text.contains(name.as_str()));
    // Names that both sentences share say where or when; what is left says who or what.
    let (mine, theirs) = (own(&a.names, &other.text), own(&b.names, &one.text));
    let settled = named(&other.text, a.names.get(..1).unwrap_or_default())
        || named(&one.text, b.names.get(..1).unwrap_or_default());
    same_kind && same_time && !settled && !mine.is_empty() && !theirs.is_empty()
}

/// "The most popular first dance song … was 'At Last'": a kind of thing, and names.
struct Superlative {
    /// The adjective and what it describes.
    kind: Vec<String>,
    /// Titles in quotation marks, or else names.
    names: Vec<String>,
    years: Vec<i32>,
}

impl Superlative {
    fn of(text: &str) -> Option<Self> {
        let words = tag(tokens(text));
        let at = words.windows(2).position(|pair| match pair {
            [most, next] => most.token.lower == "most" && next.tag == Tag::Adjective,
            _ => false,
        });
        let start = match at {
            Some(at) => at + 1,
            None => words.iter().position(|word| {
                word.tag == Tag::Adjective
                    && word.token.lower.len() > 5
                    && word.token.lower.ends_with("est")
            })?,
        };
        let described = words
            .iter()
            .skip(start)
            .take_while(|word| matches!(word.tag, Tag::Adjective | Tag::Noun | Tag::Number));
        let kind: Vec<String> = described.map(|word| word.lemma.base.to_string()).collect();
        let quoted = quoted(text);
        let names = if quoted.is_empty() { names(&words) } else { quoted };
        let years = dates(text).into_iter().filter_map(|(_, date)| date.year).collect();
        (kind.len() >= 2 && !names.is_empty()).then_some(Self { kind, names, years })
    }
}

/// What stands in double quotation marks.
fn quoted(text: &str) -> Vec<String> {
    let parts: Vec<&str> = text.split(['"', '“', '”']).collect();
    parts.iter().skip(1).step_by(2).map(|part| (*part).to_owned()).collect()
}

/// Runs of names.
fn names(words: &[Tagged<'_>]) -> Vec<String> {
    let runs = words.chunk_by(|a, b| a.tag == Tag::Name && b.tag == Tag::Name);
    let named = runs.filter(|run| run.first().is_some_and(|word| word.tag == Tag::Name));
    named.map(|run| run.iter().map(|word| word.token.text).collect::<Vec<_>>().join(" ")).collect()
}

/// Whether two amounts say the same.
pub(super) fn agree(a: &Quantity, b: &Quantity) -> bool {
    match (&a.amount, &b.amount) {
        // At most 55 and at most 60 do not exclude each other, but as limits they are two.
        (
            Amount::Point { value: one, other: None },
            Amount::Point { value: other, other: None },
        ) if a.bound != Bound::Exactly || b.bound != Bound::Exactly => {
            (one - other).abs() <= f64::EPSILON * one.abs().max(other.abs())
        }
        _ => a.against(b) != Match::Different || b.against(a) != Match::Different,
    }
}

/// Whether two amounts are given in the same sense. A limit of 60 is at most 60.
fn same_bound(a: &Quantity, b: &Quantity) -> bool {
    let limit = |q: &Quantity| matches!(q.bound, Bound::AtMost | Bound::AtLeast);
    let exact = |q: &Quantity| q.bound == Bound::Exactly;
    a.bound == b.bound || exact(a) && limit(b) || limit(a) && exact(b)
}

fn is_plain(quantity: &Quantity) -> bool {
    quantity.bound != Bound::About
        && !matches!(quantity.amount, Amount::Vague { .. } | Amount::Ordinal(_))
}

/// Whether two counts are of the same things. A number that counts nothing is a label: line 4.
fn same_things(one: Option<String>, other: Option<String>) -> bool {
    one.is_some() && one == other
}

fn counted(voice: &Voice, quantity: &Quantity) -> Option<String> {
    let range = quantity.counts.clone()?;
    Some(voice.text.get(range)?.to_lowercase())
}

/// One sentence checked against the other as if that were its source: near in words, yet refused
/// for a negation or the opposite direction.
fn is_denied(one: &Voice, other: &Voice) -> bool {
    let near = f64::from(one.vector.cosine(&other.vector)) >= 0.8;
    if !near {
        return false;
    }
    let check = check_claim(&one.text, &other.text, &TextReader::Embedded, &Stop::never());
    check.is_ok_and(|check| check.opposed)
}
