//! Small words that turn a meaning round: before and after, above and below, with and without.

use probity_text::quantity::Match;

use super::finding::{Finding, Kind};
use super::pair::Pair;
use super::reading::Word;

const OPPOSITES: &[(&str, &str)] = &[
    ("before", "after"),
    ("above", "below"),
    ("over", "under"),
    ("inside", "outside"),
    ("until", "after"),
    ("for", "against"),
    ("ahead", "behind"),
    ("up", "down"),
    ("into", "out"),
    ("since", "before"),
    ("since", "until"),
    ("before", "following"),
    ("prior", "after"),
    ("like", "unlike"),
];
/// How many words after a small word are searched for what it governs.
const REACH: usize = 5;

/// Finds small words that stand for the opposite before the same thing.
pub(super) fn order(pair: &Pair<'_>) -> Option<Finding> {
    pair.claim_words().filter(|(_, word)| is_small(word)).find_map(|(at, word)| {
        let theirs =
            governed(pair, at).into_iter().find_map(|source| governing(pair, source, word))?;
        Some({
            Finding::new(
                Kind::Order,
                format!("the source says “{theirs}” where the claim says “{}”", word.lower),
            )
        })
    })
}

fn is_small(word: &Word) -> bool {
    !word.is_content()
        && word.amount.is_none()
        && OPPOSITES.iter().any(|(a, b)| *a == word.lower.as_ref() || *b == word.lower.as_ref())
}

/// Where the source has the first things behind a claim's small word.
fn governed(pair: &Pair<'_>, at: usize) -> Vec<usize> {
    let mut found = Vec::new();
    for (place, word) in pair.claim.span(at + 1..(at + 1 + REACH).min(pair.sentence.words.end)) {
        if let Some(mine) = word.amount.and_then(|amount| pair.claim.amounts.get(amount)) {
            let same = pair.source_amounts().find(|(_, known)| {
                known.sentence == pair.align.anchor
                    && mine.quantity.against(&known.quantity) > Match::Different
            });
            found.extend(same.map(|(_, known)| known.words.start));
            break;
        }
        if word.is_content() {
            found.extend(pair.align.firm(place).filter(|link| !link.opposite).map(|link| link.at));
        }
        if found.len() == 2 {
            break;
        }
    }
    found
}

/// An opposite of a small word that governs a place of the source, where the word itself does not.
fn governing(pair: &Pair<'_>, place: usize, word: &Word) -> Option<String> {
    let sentence = pair.source.word(place)?.sentence;
    let start = pair.source.sentences.get(sentence)?.words.start;
    let before = pair.source.span(start.max(place.saturating_sub(REACH))..place);
    for (_, other) in before.rev() {
        if other.lower == word.lower {
            return None;
        }
        let opposite = OPPOSITES.iter().any(|(a, b)| {
            (*a, *b) == (&*word.lower, &*other.lower) || (*b, *a) == (&*word.lower, &*other.lower)
        });
        if opposite {
            return Some(other.lower.to_string());
        }
        if matches!(other.lower.as_ref(), "," | ";") {
            return None;
        }
    }
    None
}
