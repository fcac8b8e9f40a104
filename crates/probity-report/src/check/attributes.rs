//! What stands beside a noun: its modifier, its title, the name it belongs to.

use probity_text::lexicon::{Relation, relation};
use probity_text::tag::Tag;

use super::comparison::compares;
use super::finding::{Finding, Kind};
use super::pair::Pair;
use super::reading::{Reading, Word};

/// Finds modifiers and titles that the passage gives to something else.
pub(super) fn attributes(pair: &Pair<'_>) -> Option<Finding> {
    if compares(pair) {
        return None;
    }
    modifier(pair).or_else(|| title(pair)).or_else(|| name(pair))
}

/// "Maize prices" where the passage has "wheat prices", and maize elsewhere.
fn modifier(pair: &Pair<'_>) -> Option<Finding> {
    pair.content().find_map(|(at, word)| {
        let head = at + 1;
        let behind =
            pair.claim.word(head).filter(|next| next.tag == Tag::Noun && next.is_content())?;
        let noun = matches!(word.tag, Tag::Noun | Tag::Name);
        let (place, own) = (
            pair.align.firm(head).filter(|link| link.grade > 0.9)?.at,
            pair.align.firm(at).filter(|_| noun)?.at,
        );
        let beside = own < place && place - own <= 3 || own > place && own - place <= 5;
        let other = pair
            .source
            .word(place.checked_sub(1)?)
            .filter(|other| matches!(other.tag, Tag::Noun | Tag::Name) && other.is_content())?;
        // "the region's glaciers" takes up the Alps of the sentence before.
        let taken_up = own < place
            && place
                .checked_sub(2)
                .and_then(|before| pair.source.word(before))
                .is_some_and(|before| matches!(before.lower.as_ref(), "the" | "this" | "that"))
            && pair.source.word(own).map(|word| word.sentence)
                < pair.source.word(place).map(|word| word.sentence);
        let kept = taken_up
            || pair
                .align
                .claimed(place - 1)
                .is_some_and(|claim| claim == at || claim + 1 == head || claim == head);
        (!beside && !kept).then(|| {
            Finding::new(
                Kind::Attribute,
                format!(
                    "the source says this of “{} {}”, not of “{} {}”",
                    other.lower, behind.lower, word.lower, behind.lower
                ),
            )
        })
    })
}

/// "Ida Lambert" where the passage has "Ida Lorenz".
fn name(pair: &Pair<'_>) -> Option<Finding> {
    let named = |reading: &Reading<'_>, at: usize| {
        reading.word(at).is_some_and(|word| word.tag == Tag::Name && word.amount.is_none())
    };
    let strange =
        pair.content().filter(|(at, word)| word.tag == Tag::Name && pair.align.firm(*at).is_none());
    strange.into_iter().find_map(|(at, word)| {
        let last = at
            .checked_sub(1)
            .filter(|before| named(pair.claim, *before))
            .and_then(|before| pair.align.firm(before))
            .map(|link| link.at + 1);
        let next = Some(at + 1)
            .filter(|next| named(pair.claim, *next))
            .and_then(|next| pair.align.firm(next))
            .and_then(|link| link.at.checked_sub(1));
        let place = last
            .into_iter()
            .chain(next)
            .find(|place| named(pair.source, *place) && pair.align.claimed(*place).is_none())?;
        let other = pair.source.word(place)?;
        Some(Finding::new(
            Kind::Attribute,
            format!("the source names “{}”, not “{}”", other.lower, word.lower),
        ))
    })
}

/// "The pianist Ewa" or "Ewa was the pianist" where the passage has "the pianist Kofi".
fn title(pair: &Pair<'_>) -> Option<Finding> {
    pair.content().filter(|(_, word)| word.tag == Tag::Noun).find_map(|(at, word)| {
        let name = holder(pair.claim, at, true)?;
        let place = pair.align.firm(at).filter(|link| link.grade > 0.9)?.at;
        let other = holder(pair.source, place, false)?;
        let known = pair.source.word(other)?;
        let mine = pair.claim.word(name)?;
        let same = |name: usize, other: usize| {
            pair.align.firm(name).is_some_and(|link| link.at.abs_diff(other) <= 2)
        };
        // A winner is one who won, whoever else is called so.
        let done = pair.source_words().any(|(_, other)| {
            other.tag == Tag::Verb && relation(&word.lemma, &other.lemma) == Some(Relation::Derived)
        });
        if done {
            return None;
        }
        let shared = pair.align.claimed(other).is_some_and(|claim| claim.abs_diff(name) <= 2);
        (!same(name, other) && !shared && pair.align.firm(name).is_some()).then(|| {
            Finding::new(
                Kind::Attribute,
                format!(
                    "in the source, “{}” belongs to “{}”, not to “{}”",
                    word.lower, known.lower, mine.lower
                ),
            )
        })
    })
}

/// The name that a noun stands beside: behind it, with or without a comma, or before it with "the"
/// or a form of be between.
fn holder(reading: &Reading<'_>, noun: usize, linked: bool) -> Option<usize> {
    let name = |at: usize| reading.word(at).filter(|word| word.tag == Tag::Name).map(|_| at);
    let comma = |at: usize| reading.word(at).is_some_and(|word| word.lower.as_ref() == ",");
    if let Some(at) = name(noun + 1).or_else(|| name(noun + 2).filter(|_| comma(noun + 1))) {
        return Some(at);
    }
    if !linked {
        return None;
    }
    let start = noun.saturating_sub(6);
    let before: Vec<(usize, &Word)> = reading.span(start..noun).collect();
    let link =
        before.iter().rposition(|(_, word)| word.tag == Tag::Aux && word.lemma.as_ref() == "be")?;
    let (at, _) = before.get(link.checked_sub(1)?)?;
    let between = before.iter().skip(link + 1).all(|(_, word)| {
        matches!(word.tag, Tag::Determiner | Tag::Adjective | Tag::Adverb | Tag::Verb)
    });
    name(*at).filter(|_| between)
}
