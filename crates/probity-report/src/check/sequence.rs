//! A before B: which of two things came first.

use std::ops::Range;

use super::finding::{Finding, Kind};
use super::pair::Pair;
use super::reading::Reading;

/// What stands on either side of a "before" or "after".
struct Sequence {
    before: bool,
    left: Range<usize>,
    right: Range<usize>,
}

/// Compares the order of two events in the claim and in the passage.
pub(super) fn sequence(pair: &Pair<'_>) -> Option<Finding> {
    let mine = sequence_in(pair.claim, pair.sentence.words.clone())?;
    let words = pair.source.sentences.get(pair.align.anchor)?.words.clone();
    let theirs = sequence_in(pair.source, words)?;
    let weigh = |side: &Range<usize>, other: &Range<usize>| {
        let found = pair.claim.span(side.clone()).filter(|(at, word)| {
            word.is_content() && pair.align.firm(*at).is_some_and(|link| other.contains(&link.at))
        });
        found.map(|(_, word)| word.weight).sum::<f32>()
    };
    let straight = weigh(&mine.left, &theirs.left).min(weigh(&mine.right, &theirs.right));
    let across = weigh(&mine.left, &theirs.right).min(weigh(&mine.right, &theirs.left));
    if straight == across {
        return None;
    }
    let exchanged = across > straight;
    let turned = exchanged != (mine.before != theirs.before);
    turned
        .then(|| Finding::new(Kind::Order, "what came first in the source comes last in the claim"))
}

fn sequence_in(reading: &Reading<'_>, words: Range<usize>) -> Option<Sequence> {
    let (at, word) = reading.span(words.clone()).find(|(at, word)| {
        *at > words.start
            && matches!(word.lower.as_ref(), "before" | "after")
            && word.amount.is_none()
    })?;
    Some(Sequence {
        before: word.lower.as_ref() == "before",
        left: words.start..at,
        right: at + 1..words.end,
    })
}
