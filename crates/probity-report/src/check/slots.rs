//! A word of the claim that the passage lacks: was it put in the place of another?
//!
//! "Two cases of kidney damage" against "two cases of liver damage": all but one word agrees, and that
//! one stands where the source has another. A word that is merely added has no such counterpart.

use probity_text::lemma::Form;
use probity_text::lexicon::{Relation, excludes, relation};
use probity_text::tag::Tag;

use super::finding::{Finding, Kind};
use super::kinship::{ALIGNED, likeness};
use super::names::is_title;
use super::pair::{GENERIC, Pair, home_clause, listed};
use super::reading::{Reading, Word};

/// From this score on, two words stand in the same place.
const SAME_PLACE: f32 = 2.0;

/// Finds words of the claim that replace a word of the passage: words it lacks, and words that it
/// has elsewhere, said of something else.
pub(super) fn replaced(pair: &Pair<'_>) -> Vec<Finding> {
    let excluded = excluded(pair);
    if excluded.is_some() {
        return excluded.into_iter().collect();
    }
    let home = home_clause(pair);
    let away = |at: usize| {
        pair.align
            .firm(at)
            .is_none_or(|link| pair.source.word(link.at).map(|word| word.clause) != home)
    };
    let open = pair.content().filter(|(at, word)| matters(word) && away(*at));
    open.filter_map(|(at, word)| replacement(pair, at, word, home?)).take(2).collect()
}

/// A word without a trace in the passage, where that has a word that excludes it: "a lawyer" for "an
/// accountant", wherever the two stand.
fn excluded(pair: &Pair<'_>) -> Option<Finding> {
    let strange = |at: usize| pair.align.link(at).is_none_or(|link| link.grade < ALIGNED);
    pair.content()
        .filter(|(at, word)| matches!(word.tag, Tag::Noun | Tag::Adjective) && strange(*at))
        .find_map(|(_, word)| {
            let rival = pair.anchor_words().find(|(place, other)| {
                other.is_content()
                    && excludes(&word.lemma, &other.lemma)
                    && pair.align.claimed(*place).is_none()
            })?;
            Some(Finding::new(
                Kind::Replaced,
                format!("the source says “{}”, not “{}”", rival.1.lower, word.lower),
            ))
        })
}

fn matters(word: &Word) -> bool {
    word.weight > 0.35
        && (matches!(word.tag, Tag::Noun | Tag::Name)
            || word.tag == Tag::Adjective && !matches!(word.form, Form::Past | Form::Participle))
        && !is_title(word)
        && !listed(word, GENERIC)
}

fn replacement(pair: &Pair<'_>, at: usize, word: &Word, home: usize) -> Option<Finding> {
    let stray = pair.align.firm(at).is_some();
    // "the stone" takes up the meteorite of the sentence before.
    let earlier =
        pair.align.firm(at).and_then(|link| pair.source.word(link.at)).map(|word| word.sentence);
    let sentence = pair
        .source
        .clauses
        .get(home)
        .and_then(|clause| pair.source.word(clause.words.start))
        .map(|word| word.sentence);
    let free = pair.source_words().filter(|(place, other)| {
        let here = if stray { other.clause == home } else { Some(other.sentence) == sentence };
        let comparable = is_comparable(word, other)
            || is_modifier(pair, at, *place) && matches!(other.tag, Tag::Noun | Tag::Adjective);
        let headed = is_head(pair.source, *place) || is_modifier(pair, at, *place);
        let article =
            pair.source.span(place.saturating_sub(3)..*place).any(|(_, before)| points(before));
        let owned = pair
            .source
            .span(place.saturating_sub(3)..*place)
            .any(|(_, before)| matches!(before.lower.as_ref(), "his" | "her" | "its" | "their"));
        let before = pair.align.firm(at).is_some_and(|link| link.at < *place);
        let anaphor =
            article && earlier.is_some_and(|earlier| earlier < other.sentence) || owned && before;
        here && headed
            && !anaphor
            && other.is_content()
            && comparable
            && other.lemma != word.lemma
            && pair.align.claimed(*place).is_none()
    });
    let (place, other, score) = free
        .map(|(place, other)| (place, other, place_score(pair, at, place)))
        .max_by(|a, b| a.2.total_cmp(&b.2).then(b.0.cmp(&a.0)))?;
    let like = likeness(word, other);
    let rivals = word.tag != Tag::Name
        && matches!(
            relation(&word.lemma, &other.lemma),
            Some(Relation::Sibling | Relation::Opposite)
        );
    let names = word.capital && other.capital && (word.tag == Tag::Name || other.tag == Tag::Name);
    let needed = if rivals {
        SAME_PLACE - 1.0
    } else if names {
        SAME_PLACE - 0.5
    } else if word.tag == Tag::Adjective {
        // Adjectives have more synonyms than any list.
        return None;
    } else {
        SAME_PLACE + 1.5 * like
    };
    // "the finance division" against "the shipping division".
    let needed =
        if is_modifier(pair, at, place) { needed.min(SAME_PLACE - 0.3 + like) } else { needed };
    // "in a coat" against "in two suitcases", of the same verb.
    let needed =
        if is_same_phrase(pair, at, place) { needed.min(1.4 + 1.5 * like) } else { needed };
    let needed = if stray { needed.max(SAME_PLACE) + 0.2 } else { needed };
    (score >= needed).then(|| {
        Finding::new(
            Kind::Replaced,
            format!("the source says “{}”, not “{}”", other.lower, word.lower),
        )
    })
}

/// Words that take up something said before.
fn points(word: &Word) -> bool {
    matches!(word.lower.as_ref(), "the" | "this" | "that" | "these" | "those" | "its" | "their")
}

/// Whether no noun follows at once: the last of a row of nouns is what the row is about.
fn is_head(reading: &Reading<'_>, at: usize) -> bool {
    !reading.word(at + 1).is_some_and(|next| next.tag == Tag::Noun && next.is_content())
}

/// Whether two words stand right before nouns that are the same.
fn is_modifier(pair: &Pair<'_>, claim: usize, source: usize) -> bool {
    let noun = pair
        .claim
        .word(claim + 1)
        .is_some_and(|next| matches!(next.tag, Tag::Noun | Tag::Name) && next.is_content());
    noun && pair.align.firm(claim + 1).is_some_and(|link| link.at == source + 1 && link.grade > 0.9)
}

/// Whether two nouns hang on the same preposition of the same verb.
fn is_same_phrase(pair: &Pair<'_>, claim: usize, source: usize) -> bool {
    let same = match (pair.claim.governor(claim), pair.source.governor(source)) {
        (Some(a), Some(b)) => a.lower == b.lower && a.lower.as_ref() != "of",
        _ => false,
    };
    let verbs = verb_before(pair.claim, claim).zip(verb_before(pair.source, source));
    let head = |reading: &Reading<'_>, at: usize| {
        !reading.word(at + 1).is_some_and(|next| matches!(next.tag, Tag::Noun | Tag::Name))
    };
    same && head(pair.claim, claim)
        && head(pair.source, source)
        && verbs.is_some_and(|(a, b)| {
            pair.align.firm(a).is_some_and(|link| link.at == b && link.grade > 0.9)
        })
}

fn is_comparable(word: &Word, other: &Word) -> bool {
    // At the start of a sentence a capital may hide a name.
    word.tag == other.tag
        || word.capital
            && other.capital
            && matches!((word.tag, other.tag), (Tag::Noun, Tag::Name) | (Tag::Name, Tag::Noun))
}

/// How much two places have in common: neighbours, preposition, side of the verb.
fn place_score(pair: &Pair<'_>, claim: usize, source: usize) -> f32 {
    let free = |at: usize| pair.align.firm(at).is_none();
    let unclaimed = |at: usize| pair.align.claimed(at).is_none();
    let left = side(
        pair,
        neighbour(pair.claim, claim, false, free),
        neighbour(pair.source, source, false, unclaimed),
    );
    let right = side(
        pair,
        neighbour(pair.claim, claim, true, free),
        neighbour(pair.source, source, true, unclaimed),
    );
    let governors = match (pair.claim.governor(claim), pair.source.governor(source)) {
        (Some(a), Some(b)) if a.lower == b.lower => 0.7,
        (Some(_), Some(_)) => -0.5,
        _ => 0.0,
    };
    let verbs = match (verb_before(pair.claim, claim), verb_before(pair.source, source)) {
        (Some(a), Some(b)) if pair.align.firm(a).is_some_and(|link| link.at == b) => 0.8,
        (None, None) => 0.6,
        _ => 0.0,
    };
    left + right + governors + verbs
}

/// The next word on one side, past articles, hyphens and modifiers that have no counterpart.
fn neighbour(
    reading: &Reading<'_>,
    at: usize,
    right: bool,
    loose: impl Fn(usize) -> bool,
) -> Option<usize> {
    let sentence = reading.sentences.get(reading.word(at)?.sentence)?.words.clone();
    let skipped = |word: &Word| word.tag == Tag::Determiner || word.lower.as_ref() == "-";
    let modifier = |at: usize, word: &Word| {
        matches!(word.tag, Tag::Noun | Tag::Adjective) && word.is_content() && loose(at)
    };
    let beside = |(at, word): &(usize, &Word)| !skipped(word) && !modifier(*at, word);
    if right {
        reading.span(at + 1..sentence.end).find(beside).map(|(at, _)| at)
    } else {
        reading.span(sentence.start..at).rev().find(beside).map(|(at, _)| at)
    }
}

fn side(pair: &Pair<'_>, claim: Option<usize>, source: Option<usize>) -> f32 {
    let (Some(mine), Some(theirs)) = (claim, source) else {
        return if claim.is_none() && source.is_none() { 0.7 } else { 0.0 };
    };
    if pair.align.firm(mine).is_some_and(|link| link.at == theirs) {
        return 1.5;
    }
    let (Some(a), Some(b)) = (pair.claim.word(mine), pair.source.word(theirs)) else { return 0.0 };
    if a.amount.is_some() && b.amount.is_some() {
        return 1.0;
    }
    let mark = |word: &Word| word.tag == Tag::Mark;
    let joins = |word: &Word| matches!(word.lower.as_ref(), "," | "and" | "or" | "but");
    if mark(a) && mark(b) || joins(a) && joins(b) {
        return 0.4;
    }
    if !a.is_content() && a.lower == b.lower { 0.8 } else { 0.0 }
}

fn verb_before(reading: &Reading<'_>, at: usize) -> Option<usize> {
    let clause = reading.clauses.get(reading.word(at)?.clause)?.words.clone();
    reading.span(clause.start..at).rev().find(|(_, word)| word.tag == Tag::Verb).map(|(at, _)| at)
}
