//! Sentences of two sources that cannot both be right: other numbers, other dates, a denial.

use std::collections::HashSet;

use probity_report::check::{SourceIndex, Support};
use probity_text::quantity::{Amount, Bound, Match, Quantity, Unit};

use super::pool::Voice;

/// Sentences must be about the same thing before their difference means anything.
const SAME_TOPIC: f64 = 0.62;
/// The least share of the smaller sentence's content words that both have.
const SHARED: f64 = 0.45;
/// The most disagreements that a report tells.
const MOST: usize = 4;

/// Pairs of sentences that contradict each other, the best-ranked first.
pub(super) fn conflicts(voices: &[Voice]) -> Vec<(usize, usize)> {
    let mut found: Vec<(f64, usize, usize)> = Vec::new();
    for (i, one) in voices.iter().enumerate() {
        for (j, other) in voices.iter().enumerate().skip(i + 1) {
            let strangers = one.sources.iter().all(|id| !other.sources.contains(id));
            if !strangers || !same_topic(one, other) {
                continue;
            }
            if numbers_differ(one, other) || is_denied(one, other) {
                found.push((one.score + other.score, i, j));
            }
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)));
    let mut used = HashSet::new();
    let fresh = found.into_iter().filter(|(_, i, j)| {
        let fresh = !used.contains(i) && !used.contains(j);
        if fresh {
            used.extend([*i, *j]);
        }
        fresh
    });
    fresh.map(|(_, i, j)| (i, j)).take(MOST).collect()
}

fn same_topic(one: &Voice, other: &Voice) -> bool {
    let shared = one.stems.iter().filter(|stem| other.stems.contains(stem)).count();
    let smaller = one.stems.len().min(other.stems.len());
    let near = f64::from(one.vector.cosine(&other.vector));
    smaller >= 3 && shared >= 3 && near >= SAME_TOPIC && shared as f64 >= SHARED * smaller as f64
}

/// Both name an amount of the same kind and of the same thing, and the amounts exclude each other.
fn numbers_differ(one: &Voice, other: &Voice) -> bool {
    let comparable = |a: &Quantity, b: &Quantity| {
        a.unit == b.unit
            && a.per == b.per
            && is_plain(a)
            && is_plain(b)
            && std::mem::discriminant(&a.amount) == std::mem::discriminant(&b.amount)
            && (a.unit != Unit::Count || counted(one, a) == counted(other, b))
    };
    let agree = |a: &Quantity, b: &Quantity| {
        a.against(b) != Match::Different || b.against(a) != Match::Different
    };
    one.quantities.iter().any(|a| {
        // Another year is mostly another occasion; only the very same statement makes it a dispute.
        if matches!(a.amount, Amount::Date(_)) && !same_statement(one, other) {
            return false;
        }
        let alike: Vec<&Quantity> = other.quantities.iter().filter(|b| comparable(a, b)).collect();
        !alike.is_empty()
            && alike.iter().all(|b| !agree(a, b))
            // The other side must not name the same amount somewhere else.
            && !other.quantities.iter().any(|b| agree(a, b))
    })
}

/// Whether two sentences share nearly all their words, whichever is longer.
fn same_statement(one: &Voice, other: &Voice) -> bool {
    let shared = one.stems.iter().filter(|stem| other.stems.contains(stem)).count();
    let larger = one.stems.len().max(other.stems.len());
    shared as f64 >= 0.7 * larger as f64
}

fn is_plain(quantity: &Quantity) -> bool {
    quantity.bound == Bound::Exactly
        && !matches!(quantity.amount, Amount::Vague { .. } | Amount::Ordinal(_))
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
    let check = SourceIndex::new(&other.text).check(&one.text);
    check.support == Support::Unsupported
        && check.reasons.iter().any(|reason| {
            let reason = reason.to_lowercase();
            ["negat", "denie", "opposite", "contrary", "polarity"]
                .iter()
                .any(|cue| reason.contains(cue))
        })
}
