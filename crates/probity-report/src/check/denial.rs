//! A denial must rest on something: a claim with "not" needs a source that denies, ends, limits or
//! says the opposite.

use probity_text::lemma::Form;
use probity_text::tag::Tag;

use super::copy::has_opposite;
use super::finding::{Finding, Kind};
use super::pair::{Pair, listed};
use super::reading::Word;

/// Words that deny without a "not".
const DENYING: &str = "no not never none nobody nothing nowhere neither nor without fail failure lack refuse refusal reject deny denial stop cease end halt \
    only except exclude exempt unlike instead rather lose loss miss absent absence unable until below under less fewer avoid prevent ban prohibit forbid bar \
    zero barely hardly scarcely rarely seldom against oppose rule_out abandon cancel drop scrap doubt unlikely unclear unknown alone cannot withdraw decline \
    free unchanged expect missing abolish freeze frozen offline closed close push_back postpone delay remain stay still";

/// A claim that denies where the passage has nothing that could bear a denial.
pub(super) fn unfounded(pair: &Pair<'_>) -> Option<Finding> {
    let denies = pair.claim_words().any(|(at, word)| match word.lower.as_ref() {
        "not" | "n't" | "never" | "cannot" | "nobody" | "none" => true,
        // "No more than 40" and "no doubt" deny nothing.
        "no" => pair.claim.word(at + 1).is_some_and(|next| {
            !listed(next, "more less fewer later doubt matter longer one other")
                && next.amount.is_none()
        }),
        _ => false,
    });
    if !denies || has_opposite(pair) {
        return None;
    }
    // "Never before", "not before 2029": these rest on a record or a first time.
    let ever = pair.claim_has("never ever before since");
    let bears = |word: &Word| {
        word.cue
            || ever && (word.form == Form::Superlative || listed(word, "first most record last"))
            || listed(word, DENYING)
            || is_negated(word)
    };
    let borne = pair.anchor_words().any(|(_, word)| bears(word));
    (!borne).then(|| Finding::new(Kind::Denied, "the claim denies what the source says"))
}

/// "unhappy", "illegal", "non-smoker".
fn is_negated(word: &Word) -> bool {
    matches!(word.tag, Tag::Adjective | Tag::Adverb | Tag::Verb | Tag::Noun)
        && word.lower.len() > 5
        && ["un", "non", "dis", "im", "il", "ir", "in", "mis"]
            .iter()
            .any(|prefix| word.lower.strip_prefix(prefix).is_some_and(probity_text::lexicon::knows))
}

/// "No woman had before her" for "the first woman": a denial that a first time or a record bears.
pub(super) fn is_record(pair: &Pair<'_>) -> bool {
    let denies = pair.claim_words().any(|(_, word)| word.cue);
    let record =
        |word: &Word| word.form == Form::Superlative || listed(word, "first last most record only");
    denies
        && pair.claim_has("before since ever never other")
        && pair.anchor_words().any(|(_, word)| record(word))
}
