//! How far a matter has come: who was arrested is not yet charged, and who was charged not yet convicted.

use super::finding::{Finding, Kind};
use super::pair::{Pair, listed};
use super::reading::Word;

/// Matters that go step by step, the first step first. The words of one step can stand for each other.
const LADDERS: [&[&str]; 3] = [
    &[
        "suspect suspicion question interrogate investigate arrest detain",
        "charge accuse indict prosecute trial",
        "convict conviction sentence guilty jail imprison",
    ],
    &["propose draft debate consider introduce table", "pass adopt approve vote ratify"],
    &["shortlist nominate nomination candidate tip", "win award winner"],
];

/// The claim is a step further than the passage, which has no word of that step.
pub(super) fn further(pair: &Pair<'_>) -> Option<Finding> {
    if pair.claim_words().any(|(_, word)| word.cue) {
        return None;
    }
    LADDERS.iter().find_map(|ladder| {
        let step = |word: &Word| ladder.iter().rposition(|step| listed(word, step));
        let mine = pair.claim_words().filter_map(|(_, word)| Some((step(word)?, word)));
        let (top, word) = mine.max_by_key(|(step, _)| *step)?;
        let known = || pair.source_words().filter_map(|(_, word)| Some((step(word)?, word)));
        let (reached, other) = known().max_by_key(|(step, _)| *step)?;
        (reached < top).then(|| {
            Finding::new(
                Kind::Hedge,
                format!("the source says “{}”, which is not yet “{}”", other.lower, word.lower),
            )
        })
    })
}
