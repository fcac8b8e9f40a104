//! How well one word of a source stands for one word of a claim.

use probity_text::lemma::{Form, respelled};
use probity_text::lexicon::{Relation, concept, is_concept, relation};
use probity_text::senses;
use probity_text::tag::Tag;

use super::reading::Word;

/// Two words are aligned from this grade on.
pub(super) const ALIGNED: f32 = 0.5;

/// The most that two neighbours in the space of embeddings can have: they may be synonyms, or a
/// daughter and a granddaughter.
const NEIGHBOURS: f32 = 0.65;

/// How a claim's word and a source's word compare.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Kinship {
    /// From 0, unrelated, to 1, the same.
    pub grade: f32,
    /// They say the opposite.
    pub opposite: bool,
    /// They are two of a kind that exclude each other.
    pub rivals: bool,
}

impl Kinship {
    const NONE: Kinship = Kinship { grade: 0.0, opposite: false, rivals: false };

    fn of(grade: f32) -> Self {
        Self { grade, ..Self::NONE }
    }
}

/// Compares by spelling and lexicon.
pub(super) fn kinship(claim: &Word, source: &Word) -> Kinship {
    if claim.lower == source.lower && claim.lemma == source.lemma {
        return Kinship::of(1.0);
    }
    if claim.tag == Tag::Name || source.tag == Tag::Name {
        let known = concept(&claim.lower, &source.lower) == Some(Relation::Same);
        return Kinship::of(super::names::grade(claim, source).max(if known { 0.9 } else { 0.0 }));
    }
    let mut found = by_lemma(claim, source);
    // "largest" is not borne out by "large", nor "larger" by "largest" of something else.
    if found.grade > 0.6
        && claim.form == Form::Superlative
        && source.form != Form::Superlative
        && !found.opposite
    {
        found.grade = 0.55;
    }
    found
}

fn by_lemma(claim: &Word, source: &Word) -> Kinship {
    let phrase = claim.lemma.contains('_') || source.lemma.contains('_');
    if claim.lower == source.lower && !phrase || claim.lemma == source.lemma {
        return Kinship::of(1.0);
    }
    let relation = related(claim, source).filter(|found| is_fitting(*found, claim, source));
    match relation {
        Some(Relation::Same) => return Kinship::of(0.95),
        Some(Relation::Opposite) => return Kinship { grade: 0.9, opposite: true, rivals: false },
        Some(Relation::Derived) => return Kinship::of(0.9),
        _ => {}
    }
    if claim.stem == source.stem && claim.stem.len() > 2 || is_respelling(claim, source) {
        return Kinship::of(0.95);
    }
    let prefix = shared_prefix(&claim.lower, &source.lower);
    if prefix >= 5 && prefix * 10 >= 7 * claim.lower.len().max(source.lower.len()) {
        return Kinship::of(0.8);
    }
    match relation {
        Some(Relation::Broader) => Kinship::of(0.8),
        Some(Relation::Near) => Kinship::of(0.75),
        Some(Relation::Narrower) => Kinship::of(0.4),
        Some(Relation::Sibling) => Kinship { grade: 0.2, opposite: false, rivals: true },
        _ => by_senses(claim, source),
    }
}

/// Compares by the senses of WordNet, for words that the tables of the lexicon do not bring together.
fn by_senses(claim: &Word, source: &Word) -> Kinship {
    if claim.tag != source.tag {
        return Kinship::NONE;
    }
    match claim.senses().relation(source.senses()) {
        Some(senses::Relation::Synonym { common: true }) => Kinship::of(0.85),
        Some(senses::Relation::Family) => Kinship::of(0.85),
        Some(senses::Relation::Kind(_)) => Kinship::of(0.78),
        Some(senses::Relation::Synonym { common: false }) => Kinship::of(0.6),
        _ => Kinship::NONE,
    }
}

/// Whether a relation fits the kinds of the two words: "fall" the season is nothing to "fell".
fn is_fitting(relation: Relation, claim: &Word, source: &Word) -> bool {
    let verb = |word: &Word| word.tag == Tag::Verb;
    let crossed =
        verb(claim) != verb(source) && (claim.tag == Tag::Noun || source.tag == Tag::Noun);
    let listed = [&claim.lower, &claim.lemma]
        .into_iter()
        .any(|a| [&source.lower, &source.lemma].into_iter().any(|b| concept(a, b).is_some()));
    !crossed || listed || relation == Relation::Derived
}

/// How two words are related, by their base forms and, for words such as `earlier` and `lower`
/// that the lexicon lists as they stand, by their own.
fn related(claim: &Word, source: &Word) -> Option<Relation> {
    let of_bases = relation(&claim.lemma, &source.lemma);
    if matches!(of_bases, Some(Relation::Same | Relation::Opposite)) {
        return of_bases;
    }
    // "moved to" is a phrase, and still a form of "move".
    let (mine, theirs) = (bare(&claim.lemma), bare(&source.lemma));
    if (mine, theirs) != (claim.lemma.as_ref(), source.lemma.as_ref())
        && let Some(found @ (Relation::Same | Relation::Opposite)) = relation(mine, theirs)
    {
        return Some(found);
    }
    let mine = [&claim.lower, &claim.lemma];
    let theirs = [&source.lower, &source.lemma];
    let pairs = mine.into_iter().flat_map(|a| theirs.into_iter().map(move |b| (a, b)));
    let listed =
        pairs.filter(|(a, b)| is_concept(a) && is_concept(b)).filter_map(|(a, b)| relation(a, b));
    listed
        .max_by_key(|relation| (*relation == Relation::Same, *relation == Relation::Opposite))
        .or(of_bases)
}

/// A phrase without the preposition that ends it.
fn bare(lemma: &str) -> &str {
    match lemma.split_once('_') {
        Some((verb, "to" | "in" | "into" | "at" | "on" | "from" | "for" | "with" | "of")) => verb,
        _ => lemma,
    }
}

fn is_respelling(claim: &Word, source: &Word) -> bool {
    let american = |word: &Word| respelled(&word.lower).unwrap_or_else(|| word.lower.to_string());
    claim.lower.len() > 4 && american(claim) == american(source)
}

fn shared_prefix(a: &str, b: &str) -> usize {
    a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count()
}

/// Compares by meaning, for words that spelling and lexicon do not bring together: neighbours in the
/// space of embeddings may be synonyms or mere neighbours, so they count little.
pub(super) fn likeness(claim: &Word, source: &Word) -> f32 {
    if claim.tag == Tag::Name || source.tag == Tag::Name {
        return 0.0;
    }
    let cosine = claim.vector().cosine(source.vector());
    ((cosine - 0.3) * 1.6).clamp(0.0, NEIGHBOURS)
}
