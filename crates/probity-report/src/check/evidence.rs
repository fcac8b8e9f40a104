//! What of a claim is missing in a passage, and what of it stands apart.

use probity_text::tag::Tag;

use super::pair::{GENERIC, Pair, listed};
use super::reading::Word;

/// Verbs that other wording often does without.
const COLOURLESS: &str = "involve contain come go take last run cover concern reach stand give expect allow hold lie become remain bring pass lead leave keep \
    work form cause make live exist comprise consist total amount occur happen be have do get put set see say follow show appear act prove serve turn need \
    want try seem continue receive require use find call name know consider carry create plan intend aim hope propose decide";

/// What is missing of a claim in a passage: the weight of the heaviest word of each kind.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Lost {
    /// Of its verbs, apart from those that say little.
    pub verb: f64,
    /// Of its nouns.
    pub noun: f64,
    /// Of its names.
    pub name: f64,
    /// Of its adjectives and adverbs.
    pub other: f64,
}

impl Lost {
    /// Weighs what a passage lacks.
    pub(super) fn of(pair: &Pair<'_>) -> Self {
        let mut lost = Self::default();
        for (at, word) in pair.content().filter(|(_, word)| !listed(word, GENERIC)) {
            let grade = pair.align.link(at).map_or(0.0, |link| link.grade);
            let weight = f64::from(word.weight * (1.0 - grade));
            if let Some(heaviest) = lost.kind(word) {
                *heaviest = heaviest.max(weight);
            }
        }
        lost
    }

    fn kind(&mut self, word: &Word) -> Option<&mut f64> {
        match word.tag {
            Tag::Verb if is_colourless(word) => None,
            Tag::Verb => Some(&mut self.verb),
            Tag::Noun => Some(&mut self.noun),
            Tag::Name => Some(&mut self.name),
            Tag::Adjective | Tag::Adverb => Some(&mut self.other),
            _ => None,
        }
    }
}

/// "live in", "take part" are colourless where "live" and "take" are.
pub(super) fn is_colourless(word: &Word) -> bool {
    let verb = word.lemma.split('_').next().unwrap_or_default();
    COLOURLESS.split_whitespace().any(|each| each == verb)
}

/// The share of what was found, names apart, that stands in another sentence than the rest.
pub(super) fn scattered(pair: &Pair<'_>) -> f64 {
    let (mut all, mut outside) = (0.0, 0.0);
    for (at, word) in pair.content().filter(|(_, word)| word.tag != Tag::Name) {
        let Some((_, source)) = pair.counterpart(at) else { continue };
        all += f64::from(word.weight);
        if source.sentence != pair.align.anchor {
            outside += f64::from(word.weight);
        }
    }
    if all > 0.0 { outside / all } else { 0.0 }
}
