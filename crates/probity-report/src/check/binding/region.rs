//! The stretch of words that goes with each of several numbers.

use std::ops::Range;

use crate::check::pair::Pair;
use crate::check::reading::{Amount, Reading, Word};

use super::is_of_kind;

/// The words around a quantity and around its rival.
pub(super) struct Regions {
    /// Around the quantity itself.
    pub home: Range<usize>,
    /// Around its rival.
    pub away: Range<usize>,
    /// The part of the latter that both share: what comes before the first of the two.
    pub shared: Range<usize>,
    /// Where the rival stands.
    pub rival: usize,
}

impl Regions {
    /// Parts the words of the passage between a quantity and its rival; none when nothing does.
    pub(super) fn new(pair: &Pair<'_>, own: &Amount, rival: &Amount) -> Option<Self> {
        let source = pair.source;
        let words =
            |sentence: usize| source.sentences.get(sentence).map(|sentence| sentence.words.clone());
        if own.sentence != rival.sentence {
            let away = words(rival.sentence)?;
            let shared =
                if rival.sentence < own.sentence { away.start..rival.words.start } else { 0..0 };
            return Some(Self {
                home: words(own.sentence)?,
                away,
                shared,
                rival: rival.words.start,
            });
        }
        let (first, second) =
            if own.words.start < rival.words.start { (own, rival) } else { (rival, own) };
        // "from 60,000 in 2000 to 35,000 in 2022"
        let moves = source
            .span(first.words.start.saturating_sub(2)..first.words.start)
            .any(|(_, word)| word.lower.as_ref() == "from");
        let between = source.span(first.words.end..second.words.start);
        let cut = between
            .rev()
            .find(|(at, word)| {
                parts(word) || is_boundary(source, *at) || moves && word.lower.as_ref() == "to"
            })
            .map(|(at, _)| at)?;
        // "300 instruments, of which 87 survive": the second counts the same as the first.
        if source
            .span(cut..second.words.start)
            .any(|(_, word)| matches!(word.lower.as_ref(), "which" | "whom" | "them" | "these"))
        {
            return None;
        }
        let whole = words(own.sentence)?;
        let others: Vec<&Amount> = pair
            .source_amounts()
            .map(|(_, amount)| amount)
            .filter(|amount| amount.sentence == own.sentence)
            .collect();
        let left = start_of(source, &others, first, whole.start)..cut;
        let right = cut..end_of(source, &others, second, whole.end);
        let prefix = left.start..first.words.start;
        let (home, away, shared) = if own.words.start < rival.words.start {
            (left, right, 0..0)
        } else {
            (right, left, prefix)
        };
        Some(Self { home, away, shared, rival: rival.words.start })
    }
}

/// The stretch of a claim that goes with one of its quantities.
pub(super) fn own_stretch(pair: &Pair<'_>, mine: &Amount) -> Range<usize> {
    let clause = pair
        .claim
        .word(mine.words.start)
        .and_then(|word| pair.claim.clauses.get(word.clause))
        .map_or(pair.sentence.words.clone(), |clause| clause.words.clone());
    let others: Vec<&Amount> = pair.claim_amounts().map(|(_, amount)| amount).collect();
    start_of(pair.claim, &others, mine, clause.start)..end_of(pair.claim, &others, mine, clause.end)
}

/// Words and marks that part one number's company from the next's.
fn parts(word: &Word) -> bool {
    matches!(
        word.lower.as_ref(),
        "," | ";" | "and" | "but" | "while" | "whereas" | "or" | "–" | "—" | ":" | "that" | "which"
    )
}

fn is_boundary(reading: &Reading<'_>, at: usize) -> bool {
    let clause = |at: Option<usize>| at.and_then(|at| reading.word(at)).map(|word| word.clause);
    clause(Some(at)) != clause(at.checked_sub(1))
}

/// Where the stretch of a quantity ends: at the cut before the next of its kind.
fn end_of(reading: &Reading<'_>, others: &[&Amount], amount: &Amount, end: usize) -> usize {
    let next = others
        .iter()
        .filter(|other| other.words.start > amount.words.start && is_of_kind(amount, other))
        .map(|other| other.words.start)
        .min();
    let Some(next) = next else { return end };
    reading
        .span(amount.words.end..next)
        .rev()
        .find(|(_, word)| parts(word))
        .map_or(next, |(at, _)| at)
        .min(end)
}

/// Where the stretch of a quantity begins: at the cut after the one before it of its kind.
fn start_of(reading: &Reading<'_>, others: &[&Amount], amount: &Amount, start: usize) -> usize {
    let last = others
        .iter()
        .filter(|other| other.words.start < amount.words.start && is_of_kind(amount, other))
        .map(|other| other.words.end)
        .max();
    let Some(last) = last else { return start };
    reading
        .span(last..amount.words.start)
        .find(|(_, word)| parts(word))
        .map_or(last, |(at, _)| at)
        .max(start)
}
