//! How firmly a clause is said: as a fact, a possibility, an expectation, a plan, someone's claim.

use std::ops::Range;

use crate::tag::{Tag, Tagged};

/// Ways in which a clause says less than a plain statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Hedge {
    /// `may`, `might`, `could`, `possibly`, `suggests`, `appears`.
    Possible,
    /// `reportedly`, `alleges`, `claims`, `believes`: somebody's word for it.
    Claimed,
    /// `is expected to`, `forecast`, `should be`.
    Expected,
    /// `plans`, `aims`, `hopes`, `wants`, `proposes`.
    Planned,
    /// `will`.
    Future,
    /// `if`, `unless`, `provided`.
    Conditional,
    /// `must`, `shall`, `has to`.
    Obliged,
    /// `should`, `recommends`, `advises`.
    Advised,
    /// `can`, `may` of permission and ability.
    Able,
}

const WORDS: &[(Hedge, &str)] = &[
    (
        Hedge::Possible,
        "may might could possibly perhaps maybe probably likely potentially possible potential suggest appear seem seemingly apparently hint imply tentative unclear unlikely",
    ),
    (
        Hedge::Claimed,
        "reportedly allegedly supposedly purportedly allege claim believe think suspect argue accuse assume contend assert maintain",
    ),
    (Hedge::Expected, "expect forecast predict project anticipate estimate due foresee"),
    (
        Hedge::Planned,
        "plan aim intend hope want propose consider seek target goal wish aspire promise pledge vow offer try attempt ask urge threaten",
    ),
    (Hedge::Future, "will shall would"),
    (Hedge::Conditional, "if unless provided assuming"),
    (Hedge::Obliged, "must have has had shall compulsory mandatory obligatory required oblige"),
    (Hedge::Advised, "should recommend advise urge ought advice"),
    (Hedge::Able, "can may able cannot allow permit"),
];

/// What people can or cannot do, rather than what may be: `could remember`.
const ABILITIES: &str = "afford remember see hear speak read walk swim understand tell";

/// The hedges of a clause, each with the token it rests on. A verb such as `believes` or `expects`
/// hedges the clause that hangs on it too, which the caller passes as part of the range.
///
/// ```
/// use probity_text::{hedge::{Hedge, hedges}, lex::tokens, tag::tag};
///
/// let sentence = tag(tokens("The bridge may have been built by monks."));
/// assert_eq!(hedges(&sentence, 0..sentence.len())[0], (Hedge::Possible, 2));
/// ```
pub fn hedges(sentence: &[Tagged<'_>], range: Range<usize>) -> Vec<(Hedge, usize)> {
    let mut found: Vec<(Hedge, usize)> = Vec::new();
    for (at, tagged) in sentence.iter().enumerate().take(range.end).skip(range.start) {
        let base = tagged.lemma.base.as_str();
        let word = tagged.token.lower.as_ref();
        for (hedge, words) in WORDS {
            let listed = words.split_whitespace().any(|each| each == base || each == word);
            if listed
                && fits(sentence, at, *hedge)
                && !found.iter().any(|(known, _)| known == hedge)
            {
                found.push((*hedge, at));
            }
        }
    }
    found
}

/// Whether a listed word hedges where it stands: nouns such as `claim` and `plan` name things,
/// `due to` gives a cause, a capital `May` is a month.
fn fits(sentence: &[Tagged<'_>], at: usize, hedge: Hedge) -> bool {
    let Some(tagged) = sentence.get(at) else { return false };
    let next = sentence.get(at + 1);
    let last = at.checked_sub(1).and_then(|at| sentence.get(at));
    match tagged.token.lower.as_ref() {
        "due" => {
            next.is_some_and(|next| next.token.lower == "to")
                && sentence
                    .get(at + 2)
                    .is_some_and(|verb| verb.tag == Tag::Verb || verb.tag == Tag::Aux)
                || next.is_some_and(|next| {
                    matches!(next.token.lower.as_ref(), "in" | "on" | "by" | "for" | "next")
                })
        }
        // "may be used only", "may not": what is allowed, not what is possible.
        "may" => {
            tagged.tag == Tag::Modal && (hedge != Hedge::Possible || !is_permission(sentence, at))
        }
        "could" => !next.is_some_and(|next| {
            next.token.lower == "not" || ABILITIES.split(' ').any(|verb| verb == next.lemma.base)
        }),
        // "promised to be neutral", but not "promised help".
        _ if hedge == Hedge::Planned
            && matches!(
                tagged.lemma.base.as_str(),
                "want"
                    | "seek"
                    | "promise"
                    | "pledge"
                    | "vow"
                    | "offer"
                    | "try"
                    | "attempt"
                    | "ask"
                    | "urge"
                    | "threaten"
                    | "agree"
            ) =>
        {
            tagged.tag == Tag::Verb && next.is_some_and(|next| next.token.lower == "to")
        }

        // "the 1.4 billion estimated in 2012" says who reckoned it, not that it is doubtful.
        "estimated"
            if last.is_some_and(|last| {
                matches!(last.tag, Tag::Number | Tag::Noun | Tag::Adjective)
            }) =>
        {
            false
        }
        // "35 percent less likely" is a finding, not a guess.
        "likely"
            if last.is_some_and(|last| {
                matches!(last.token.lower.as_ref(), "more" | "less" | "as" | "most" | "least")
            }) =>
        {
            false
        }
        "likely" | "possible" | "potential" | "unclear" => true,
        "estimated" | "estimate" => {
            hedge == Hedge::Expected && last.is_none_or(|last| last.tag != Tag::Determiner)
        }
        "maintain" | "maintained" | "maintains" => {
            next.is_some_and(|next| next.token.lower == "that")
        }
        "have" | "has" | "had" => next.is_some_and(|next| next.token.lower == "to"),
        _ if tagged.lemma.base == "have" => false,
        _ if matches!(tagged.tag, Tag::Modal | Tag::Adverb | Tag::Conjunction) => true,
        "aim" | "goal" | "target" | "advice" => true,
        _ => tagged.tag == Tag::Verb || tagged.tag == Tag::Adjective,
    }
}

/// Whether a "may" speaks of permission: it is denied, or bound to a condition.
fn is_permission(sentence: &[Tagged<'_>], at: usize) -> bool {
    let rest = || sentence.iter().skip(at + 1).map(|tagged| tagged.token.lower.as_ref());
    rest().next() == Some("not")
        || rest().take(8).any(|word| matches!(word, "only" | "unless" | "if" | "without"))
}

/// Whether a verb's hedge reaches into the clause that follows it: `believes that …`.
pub fn reaches_on(tagged: &Tagged<'_>) -> bool {
    let base = tagged.lemma.base.as_str();
    tagged.tag == Tag::Verb
        && WORDS.iter().take(4).any(|(_, words)| words.split_whitespace().any(|each| each == base))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lex::tokens;
    use crate::tag::tag;

    fn found(text: &str) -> Vec<Hedge> {
        let sentence = tag(tokens(text));
        hedges(&sentence, 0..sentence.len()).into_iter().map(|(hedge, _)| hedge).collect()
    }

    #[test]
    fn hedges_are_found_by_kind() {
        assert!(found("It could rain.").contains(&Hedge::Possible));
        assert!(found("Sales are expected to double.").contains(&Hedge::Expected));
        assert!(found("The company plans to expand.").contains(&Hedge::Planned));
        assert!(found("He allegedly hid the money.").contains(&Hedge::Claimed));
        assert!(found("Construction is due to start in May.").contains(&Hedge::Expected));
        assert!(found("Adults should eat fruit.").contains(&Hedge::Advised));
    }

    #[test]
    fn a_plain_statement_has_none() {
        for text in [
            "The council approved a plan in May.",
            "The delay was due to fog.",
            "The claim was settled.",
            "It rained.",
        ] {
            assert_eq!(found(text), [], "{text}");
        }
    }
}
