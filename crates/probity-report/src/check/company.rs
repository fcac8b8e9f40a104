//! In whose company a claim's words stand in the passage: beside the claim's own names and numbers, or
//! beside others.
//!
//! "Dressler directed it" against "directed by Ostrow and written by Dressler": all is there, but the name
//! next to the verb is not the claim's.

use probity_text::lexicon::{Relation, excludes, relation};
use probity_text::tag::Tag;

use super::binding::is_of_kind;
use super::kinship::likeness;
use super::numbers::Numbers;
use super::pair::Pair;
use super::reading::{Amount, Word};
use super::signals::{Signals, share};

/// What another clause adds to a distance in words.
const CLAUSE: usize = 5;
/// What another sentence adds.
const SENTENCE: usize = 20;
/// From this likeness on two nouns are of one field.
const FIELD: f32 = 0.12;

/// Measures the company of the claim's words.
pub(super) fn company(pair: &Pair<'_>, numbers: &Numbers, row: &mut Signals) {
    row.push(("rival nearer", rival_nearer(pair, numbers)));
    let (own, beside) = named(pair);
    row.push(("beside own names", own));
    row.push(("verb beside own name", beside));
    let (sibling, field) = replaced(pair);
    row.push(("sibling", sibling));
    row.push(("same field", field));
    row.push(("topic", topic(pair)));
}

/// Of the claim's words and other numbers found in the passage, the share that stands nearer to another
/// number of the same kind than to the one that confirms the claim's; the worst of its numbers.
fn rival_nearer(pair: &Pair<'_>, numbers: &Numbers) -> f32 {
    let mut worst = 0.0_f32;
    for confirmed in &numbers.confirmed {
        // "Line 4" is a name.
        let own = pair.source.amounts.get(confirmed.source).filter(|own| !own.label);
        let Some(own) = own else { continue };
        let rivals: Vec<&Amount> = pair
            .source_amounts()
            .filter(|(number, rival)| {
                *number != confirmed.source && !rival.label && is_of_kind(own, rival)
            })
            .map(|(_, rival)| rival)
            .collect();
        let words = pair
            .content()
            .filter_map(|(at, word)| pair.counterpart(at).map(|(place, _)| (place, word.weight)));
        let others = numbers
            .confirmed
            .iter()
            .filter(|other| other.source != confirmed.source)
            .filter_map(|other| pair.source.amounts.get(other.source))
            .map(|other| (other.words.start, 1.0));
        let (mut away, mut all) = (0.0, 0.0);
        for (place, weight) in words.chain(others) {
            let home = distance(pair, place, own);
            let nearest = rivals.iter().map(|rival| distance(pair, place, rival)).min();
            all += weight;
            away += if nearest.is_some_and(|nearest| nearest < home) { weight } else { 0.0 };
        }
        worst = worst.max(share(away, all));
    }
    worst
}

/// How far a word of the source is from a number; another clause or sentence adds to it.
fn distance(pair: &Pair<'_>, at: usize, amount: &Amount) -> usize {
    let far = amount.words.start.abs_diff(at).min(amount.words.end.saturating_sub(1).abs_diff(at));
    let (Some(word), Some(number)) = (pair.source.word(at), pair.source.word(amount.words.start))
    else {
        return far;
    };
    far + CLAUSE * usize::from(word.clause != number.clause)
        + SENTENCE * usize::from(word.sentence != number.sentence)
}

/// The share of the claim's other words whose nearest name in the passage is one of the claim's, and
/// whether that holds for its verb: 1, −1, or 0 where there is no name.
fn named(pair: &Pair<'_>) -> (f32, f32) {
    let mine: Vec<&str> = pair
        .claim_words()
        .filter(|(_, word)| word.tag == Tag::Name)
        .map(|(_, word)| word.lower.as_ref())
        .collect();
    if mine.is_empty() {
        return (0.5, 0.0);
    }
    let (mut own, mut all, mut verb) = (0.0, 0.0, 0.0);
    for (at, word) in pair.content().filter(|(_, word)| word.tag != Tag::Name) {
        let Some((place, source)) = pair.counterpart(at) else { continue };
        let Some(sentence) = pair.source.sentences.get(source.sentence) else { continue };
        let nearest = pair
            .source
            .span(sentence.words.clone())
            .filter(|(_, name)| name.tag == Tag::Name && name.is_content())
            .min_by_key(|(name, found)| {
                name.abs_diff(place) + CLAUSE * usize::from(found.clause != source.clause)
            });
        let Some((_, name)) = nearest else { continue };
        let known = mine.contains(&name.lower.as_ref());
        all += 1.0;
        own += f32::from(u8::from(known));
        if word.tag == Tag::Verb {
            verb = if known { 1.0 } else { -1.0 };
        }
    }
    (if all > 0.0 { own / all } else { 0.5 }, verb)
}

/// Whether a noun, name or adjective that was not found has a free sibling where the rest of the claim is,
/// and how near in meaning the nearest free word of its kind is.
fn replaced(pair: &Pair<'_>) -> (f32, f32) {
    let (mut sibling, mut field) = (0.0_f32, 0.0_f32);
    let open = pair.content().filter(|(at, word)| {
        matches!(word.tag, Tag::Noun | Tag::Name | Tag::Adjective) && pair.align.firm(*at).is_none()
    });
    for (_, word) in open {
        for (_, other) in pair.anchor_words().filter(|(at, other)| {
            other.is_content() && other.tag == word.tag && pair.align.claimed(*at).is_none()
        }) {
            let rivals = excludes(&word.lemma, &other.lemma)
                || relation(&word.lemma, &other.lemma) == Some(Relation::Sibling);
            sibling = sibling.max(f32::from(u8::from(rivals)));
            field = field.max(likeness(word, other).max(same_place(word, other)));
        }
    }
    (sibling, field)
}

/// Two different names are of one field by being names.
fn same_place(word: &Word, other: &Word) -> f32 {
    if word.tag == Tag::Name && other.tag == Tag::Name { FIELD } else { 0.0 }
}

/// Whether the claim speaks of what the source opens with: its first name is one of the claim's.
fn topic(pair: &Pair<'_>) -> f32 {
    let Some(first) = pair.source.sentences.first() else { return 0.0 };
    let name = pair
        .source
        .span(first.words.clone())
        .find(|(_, word)| word.tag == Tag::Name && word.is_content())
        .map(|(_, word)| word.lower.as_ref());
    let mine = |name: &str| pair.claim_words().any(|(_, word)| word.lower.as_ref() == name);
    match name {
        Some(name) if mine(name) => 1.0,
        Some(_) => -1.0,
        None => 0.0,
    }
}
