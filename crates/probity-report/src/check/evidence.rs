//! All that was found about a claim and a passage → how likely the passage bears the claim out.
//!
//! The weights are those of a logistic regression over the tuning half and part of the fresh pairs, rounded.
//! They order claims of one verdict among themselves; the verdict itself is not theirs.

use probity_text::tag::Tag;

use super::finding::Finding;
use super::pair::{GENERIC, Pair, listed};
use super::reading::Word;

/// Verbs that other wording often does without.
const COLOURLESS: &str = "involve contain come go take last run cover concern reach stand give expect allow hold lie become remain bring pass lead leave keep \
    work form cause make live exist comprise consist total amount occur happen be have do get put set see say follow show appear act prove serve turn need \
    want try seem continue receive require use find call name know consider carry create plan intend aim hope propose decide";

/// What a claim without differences starts from.
const BIAS: f64 = 0.6;
/// For the share of the claim that was found.
const COVERED: f64 = 2.5;
/// Against the heaviest noun that was not.
const NOUN: f64 = -0.7;
/// Against the heaviest name that was not.
const NAME: f64 = -1.6;
/// Against the heaviest adjective or adverb that was not.
const OTHER: f64 = -1.1;
/// Against the verb that was not.
const VERB: f64 = -0.5;
/// Against words that were found only in a neighbouring sentence, by their share.
const SCATTERED: f64 = -0.9;
/// Against each number that was not found.
const NUMBER: f64 = -1.3;
/// Against claims of few words, of which a passage holds most by chance.
const SHORT: f64 = -3.9;

/// What is missing of a claim in a passage: the weight of the heaviest word of each kind.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Lost {
    /// Of its verbs, apart from those that say little.
    pub verb: f64,
    noun: f64,
    name: f64,
    other: f64,
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
fn is_colourless(word: &Word) -> bool {
    let verb = word.lemma.split('_').next().unwrap_or_default();
    COLOURLESS.split_whitespace().any(|each| each == verb)
}

/// How likely a passage bears a claim out, from 0 to 1.
pub(super) fn likelihood(
    pair: &Pair<'_>,
    covered: f32,
    lost: &Lost,
    missing: usize,
    findings: &[Finding],
) -> f64 {
    let items = pair.content().count() + pair.claim_amounts().count();
    let mut sum = BIAS
        + COVERED * f64::from(covered)
        + NOUN * lost.noun
        + NAME * lost.name
        + OTHER * lost.other
        + VERB * lost.verb
        + SCATTERED * scattered(pair)
        + NUMBER * missing.min(2) as f64
        + SHORT / items.max(1) as f64;
    for (number, finding) in findings.iter().enumerate() {
        let again = findings.iter().take(number).any(|other| other.kind == finding.kind);
        sum += if again { 0.0 } else { finding.kind.weight() };
    }
    1.0 / (1.0 + (-sum).exp())
}

/// The share of what was found, names apart, that stands in another sentence than the rest.
fn scattered(pair: &Pair<'_>) -> f64 {
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
