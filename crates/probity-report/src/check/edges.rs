//! What hangs on a word: the same verb or noun with another filler in the same place is another
//! statement.
//!
//! "Arrested in Manchester" against "arrested in Leeds … the gallery in Manchester": every word is
//! there, but the place that the claim fills with one word the source fills with another.

use std::ops::Range;

use probity_text::quantity::Match;
use probity_text::tag::Tag;

use super::finding::{Finding, Kind};
use super::kinship::{ALIGNED, kinship, likeness};
use super::names::is_title;
use super::pair::{GENERIC, Pair, listed};
use super::reading::{Reading, Word};

/// How far behind a word its fillers are looked for, in words.
const REACH: usize = 16;
/// From this likeness on, two nouns may be two words for one thing.
const ALIKE: f32 = 0.4;

/// Words whose two sides are on a par, so that either may stand first.
const MUTUAL: &str = "share meet marry merge agree link connect associate compare differ border combine tie talk negotiate";

/// Something that hangs on a verb or noun.
struct Filler {
    /// The preposition it hangs on; empty for an object.
    relation: Box<str>,
    /// Its words: names, nouns and numbers.
    words: Vec<usize>,
    /// What hangs on those by `of`.
    inner: Vec<usize>,
    /// It is a pronoun.
    opaque: bool,
}

/// Finds a place that the claim fills otherwise than the passage.
pub(super) fn misplaced(pair: &Pair<'_>) -> Option<Finding> {
    let heads = pair.content().filter(|(at, word)| {
        matches!(word.tag, Tag::Verb | Tag::Noun)
            && word.weight > 0.3
            && !listed(word, MUTUAL)
            && pair.align.firm(*at).is_some_and(|link| {
                let found = pair.source.word(link.at).map(|word| word.sentence);
                link.grade > 0.9 && !link.opposite && found == Some(pair.align.anchor)
            })
    });
    heads.into_iter().find_map(|(at, word)| {
        fillers(pair.claim, at).into_iter().find_map(|mine| otherwise(pair, word, &mine))
    })
}

/// Whether every such word of the passage has another filler there than the claim says.
fn otherwise(pair: &Pair<'_>, head: &Word, mine: &Filler) -> Option<Finding> {
    let mut rival = None;
    // A synonym may take its sides otherwise: to blame fuel, to attribute a loss to fuel.
    let same = |word: &Word| word.lemma == head.lemma || word.stem == head.stem;
    for (place, _) in pair.source_words().filter(|(_, word)| word.is_content() && same(word)) {
        let theirs = fillers(pair.source, place);
        let there: Vec<&Filler> =
            theirs.iter().filter(|known| known.relation == mine.relation).collect();
        if mine.opaque || there.iter().any(|known| known.opaque || is_kept(pair, mine, known)) {
            return None;
        }
        // Of several phrases with one preposition only the first surely hangs here.
        let found = there.first().and_then(|known| rivals(pair, mine, known));
        rival = rival.or(found);
    }
    let (said, known) = rival?;
    let said = pair.claim.text.get(said)?;
    let known = pair.source.text.get(known)?;
    Some(Finding::new(Kind::Misplaced, format!("the source says “{known}” there, not “{said}”")))
}

/// Whether the passage has the claim's filler, or something that may be the same.
fn is_kept(pair: &Pair<'_>, mine: &Filler, known: &Filler) -> bool {
    mine.words.iter().any(|at| {
        known.words.iter().chain(&known.inner).any(|place| {
            if pair.align.firm(*at).is_some_and(|link| link.at == *place && !link.opposite) {
                return true;
            }
            let (Some(word), Some(other)) = (pair.claim.word(*at), pair.source.word(*place)) else {
                return true;
            };
            match (word.amount, other.amount) {
                (Some(a), Some(b)) => match (pair.claim.amounts.get(a), pair.source.amounts.get(b))
                {
                    (Some(a), Some(b)) => a.quantity.against(&b.quantity) > Match::Different,
                    _ => true,
                },
                (None, None) => is_akin(word, other),
                _ => false,
            }
        })
    })
}

fn is_akin(word: &Word, other: &Word) -> bool {
    let kin = kinship(word, other);
    kin.grade >= ALIGNED && !kin.opposite || !kin.rivals && likeness(word, other) > ALIKE
}

/// The two texts that exclude each other: both names, both numbers of a kind, or both nouns of
/// which the passage has the claim's elsewhere.
fn rivals(pair: &Pair<'_>, mine: &Filler, known: &Filler) -> Option<(Range<usize>, Range<usize>)> {
    let counted = |reading: &Reading<'_>, filler: &Filler| {
        filler.words.iter().any(|at| reading.word(*at).is_some_and(|word| word.amount.is_some()))
    };
    if counted(pair.claim, mine) != counted(pair.source, known) || takes_up(pair, mine, known) {
        return None;
    }
    let at = *mine.words.last()?;
    let place = *known.words.last()?;
    let (word, other) = (pair.claim.word(at)?, pair.source.word(place)?);
    let rival = match (word.amount, other.amount) {
        (Some(a), Some(b)) => {
            let (a, b) = (pair.claim.amounts.get(a)?, pair.source.amounts.get(b)?);
            super::binding::is_of_kind(a, b)
        }
        (None, None) => {
            let names = word.tag == Tag::Name && other.tag == Tag::Name;
            let elsewhere = pair.align.firm(at).is_some_and(|link| link.grade > 0.85);
            let nouns = word.tag == Tag::Noun && other.tag == Tag::Noun && elsewhere;
            (names || nouns) && !is_title(word) && !listed(word, GENERIC) && !listed(other, GENERIC)
        }
        _ => false,
    };
    rival.then_some((word.start..word.end, other.start..other.end))
}

/// "The building" takes up the shelter of the sentence before.
fn takes_up(pair: &Pair<'_>, mine: &Filler, known: &Filler) -> bool {
    let Some(first) = known.words.first().copied() else { return false };
    let pointing = pair
        .source
        .span(first.saturating_sub(2)..first)
        .any(|(_, word)| matches!(word.lower.as_ref(), "the" | "this" | "that" | "these" | "its"));
    let sentence = pair.source.word(first).map(|word| word.sentence);
    let earlier = mine
        .words
        .iter()
        .filter_map(|at| pair.counterpart(*at))
        .any(|(_, word)| Some(word.sentence) < sentence);
    pointing && earlier
}

/// What hangs on a verb or noun, to its right.
fn fillers(reading: &Reading<'_>, head: usize) -> Vec<Filler> {
    let Some(word) = reading.word(head) else { return Vec::new() };
    let Some(end) = reading.sentences.get(word.sentence).map(|sentence| sentence.words.end) else {
        return Vec::new();
    };
    let verb = word.tag == Tag::Verb;
    let mut found: Vec<Filler> = Vec::new();
    let mut relation: Option<Box<str>> = verb.then(|| "".into());
    let mut open = false;
    let mut of = false;
    for (at, word) in reading.span(head + 1..(head + REACH).min(end)) {
        let nominal =
            matches!(word.tag, Tag::Noun | Tag::Name) && word.is_content() || word.amount.is_some();
        match word.tag {
            _ if nominal => {
                let Some(relation) = relation.clone() else { continue };
                if of {
                    if let Some(last) = found.last_mut() {
                        last.inner.push(at);
                    }
                    continue;
                }
                match found.last_mut().filter(|last| open && last.relation == relation) {
                    Some(last) => last.words.push(at),
                    None => found.push(Filler {
                        relation,
                        words: vec![at],
                        inner: Vec::new(),
                        opaque: false,
                    }),
                }
                open = true;
            }
            // What follows "of" belongs to the noun before it.
            Tag::Preposition if word.lower.as_ref() == "of" && open => of = true,
            Tag::Preposition => {
                of = false;
                open = false;
                // A noun has what follows it at once; more may hang on the verb.
                if !verb && !found.is_empty() {
                    break;
                }
                // "malaria in Peru": what else follows a noun may hang on its verb.
                if !verb && !matches!(word.lower.as_ref(), "of" | "by") {
                    break;
                }
                relation = Some(word.lower.clone());
            }
            Tag::Pronoun => {
                if let Some(relation) = relation.clone().filter(|_| !open && !of) {
                    found.push(Filler {
                        relation,
                        words: Vec::new(),
                        inner: Vec::new(),
                        opaque: true,
                    });
                }
            }
            Tag::Verb | Tag::Aux | Tag::Modal => break,
            Tag::Mark
                if matches!(word.lower.as_ref(), "-" | "$" | "€" | "£" | "\"" | "“" | "”") =>
                {}
            Tag::Mark => break,
            Tag::Conjunction if matches!(word.lower.as_ref(), "and" | "or") => {}
            Tag::Conjunction => break,
            Tag::Noun if !word.is_content() => {}
            _ if relation.is_none() => break,
            _ => {}
        }
    }
    found
}
