//! Which words of a passage stand for which words of a claim.

use std::ops::Range;

use probity_text::tag::Tag;

use super::index::Index;
use super::kinship::{ALIGNED, Kinship, kinship, likeness};
use super::life::stands_for;
use super::names::spelled_out;
use super::reading::{Reading, Word};

/// The grade of a name that is found in the source, but not in the passage.
const ELSEWHERE: f32 = 0.85;

/// What a name or a subject weighs beside other words in telling which sentence the claim rests on.
const NAMED: f32 = 0.4;

/// A word of the source that stands this well for a word of the claim is no other word's neighbour.
const SPOKEN_FOR: f32 = 0.75;

/// Where a claim's word was found.
#[derive(Debug, Clone, Copy)]
pub(super) struct Link {
    /// The place of the source's word.
    pub at: usize,
    /// How well it stands for the claim's word.
    pub grade: f32,
    /// It says the opposite.
    pub opposite: bool,
}

/// For each word of a claim's sentence, the words of some sentences that are akin to it. Worked out
/// once, and used for every passage made of those sentences.
pub(super) struct Kin {
    claim: Range<usize>,
    each: Vec<Vec<(usize, Kinship, f32)>>,
}

impl Kin {
    /// Finds the kin of a claim's words in the given stretches of the source.
    pub(super) fn new(
        claim: &Reading<'_>,
        words: Range<usize>,
        source: &Reading<'_>,
        stretches: &[Range<usize>],
    ) -> Self {
        let each = claim.span(words.clone()).map(|(_, word)| {
            if word.is_content() { kin(word, source, stretches) } else { Vec::new() }
        });
        Self { each: each.collect(), claim: words }
    }

    fn of(&self, at: usize, passage: &Range<usize>) -> impl Iterator<Item = (usize, Kinship, f32)> {
        let all = at
            .checked_sub(self.claim.start)
            .and_then(|at| self.each.get(at))
            .map_or(&[][..], Vec::as_slice);
        all.iter().copied().filter(move |(at, _, _)| passage.contains(at))
    }
}

fn kin(
    word: &Word,
    source: &Reading<'_>,
    stretches: &[Range<usize>],
) -> Vec<(usize, Kinship, f32)> {
    let mut found = Vec::new();
    for stretch in stretches {
        for (at, other) in source.span(stretch.clone()) {
            // A function word of the source counts only as itself: "over" for "over".
            let phrase = word.lemma.contains('_');
            if other.is_content() || !phrase && other.lower == word.lower && other.amount.is_none()
            {
                let kinship = kinship(word, other);
                if kinship.grade > 0.0 {
                    // Among equals, the same kind of word, affirmed or denied alike.
                    let alike = 0.02 * f32::from(u8::from(word.tag == other.tag))
                        + 0.005 * f32::from(u8::from(word.denied == other.denied));
                    found.push((at, kinship, alike));
                }
            }
        }
    }
    found
}

/// The words of a claim's sentence laid against a passage.
pub(super) struct Alignment {
    /// The claim's words, as places in its reading.
    pub claim: Range<usize>,
    /// The passage's words.
    pub passage: Range<usize>,
    links: Vec<Option<Link>>,
    /// The sentence of the source that holds most of the claim.
    pub anchor: usize,
}

impl Alignment {
    /// Lays a claim's words against the words of a passage.
    pub(super) fn new(
        claim: &Reading<'_>,
        kin: &Kin,
        index: &Index<'_>,
        passage: Range<usize>,
    ) -> Self {
        let source = &index.reading;
        let words = kin.claim.clone();
        let mut found = Self {
            links: vec![None; words.len()],
            claim: words.clone(),
            passage,
            anchor: usize::MAX,
        };
        found.anchor = found.first_anchor(claim, kin, source);
        // The second time a word that occurs twice is taken where the rest of the claim is.
        for _ in 0..2 {
            for at in words.clone() {
                let link = found.nearest_kin(kin, at, source);
                if let Some(slot) = found.links.get_mut(at - words.start) {
                    *slot = link;
                }
            }
            found.anchor = found.find_anchor(claim, source);
        }
        for (at, word) in claim.span(words.clone()) {
            if word.is_content() && found.firm(at).is_none() {
                let link = found.by_meaning(word, at, kin, index);
                if let Some(slot) = found.links.get_mut(at - words.start) {
                    *slot = link;
                }
            }
        }
        found
    }

    /// Where a claim's word was found, if it was.
    pub(super) fn link(&self, at: usize) -> Option<Link> {
        at.checked_sub(self.claim.start).and_then(|at| self.links.get(at).copied()).flatten()
    }

    /// Where a claim's word was found well enough to speak of the same thing.
    pub(super) fn firm(&self, at: usize) -> Option<Link> {
        self.link(at).filter(|link| link.grade >= ALIGNED)
    }

    /// The claim's word that a source's word stands for.
    pub(super) fn claimed(&self, source: usize) -> Option<usize> {
        let stands = |link: &Option<Link>| {
            link.is_some_and(|link| link.at == source && link.grade >= ALIGNED)
        };
        self.links.iter().position(stands).map(|at| at + self.claim.start)
    }

    /// The best kin of a claim's word; among equals, the one nearest to where its neighbours are.
    fn nearest_kin(&self, kin: &Kin, at: usize, source: &Reading<'_>) -> Option<Link> {
        let mut top: Option<(f32, Link)> = None;
        for (place, Kinship { grade, opposite, .. }, alike) in kin.of(at, &self.passage) {
            // One word of the source stands for one word of the claim, unless it is the same word.
            let taken = grade < 1.0 && self.is_taken(at, place, grade);
            let grade = if taken { 0.5 * grade } else { grade };
            let against = if opposite { 0.35 } else { 0.0 };
            let score = grade + alike + self.closeness(at, place, source) - against;
            if top.as_ref().is_none_or(|(best, _)| score > *best) {
                top = Some((score, Link { at: place, grade, opposite }));
            }
        }
        top.map(|(_, link)| link)
    }

    /// Spelling and lexicon failed: an acronym spelled out, or the nearest meaning, unless the two
    /// are known to be rivals.
    fn by_meaning(&self, word: &Word, at: usize, kin: &Kin, index: &Index<'_>) -> Option<Link> {
        let source = &index.reading;
        let found = self.link(at);
        if let Some(at) = stands_for(word, source, &self.passage) {
            return Some(Link { at, grade: 0.95, opposite: false });
        }
        // A name from elsewhere in the source: the passage may speak of "it" or "the company".
        if let Some(at) = index.name(&word.lower).filter(|_| word.tag == Tag::Name) {
            return Some(Link { at, grade: ELSEWHERE, opposite: false });
        }
        if let Some(at) = spelled_out(word, source) {
            return Some(Link { at, grade: 0.95, opposite: false });
        }
        let rival = |place: usize| {
            kin.of(at, &self.passage).any(|(other, kinship, _)| other == place && kinship.rivals)
        };
        let nearest = source
            .span(self.passage.clone())
            .filter(|(place, other)| other.is_content() && !rival(*place))
            .map(|(place, other)| {
                // "Adler resigned after Orbis withdrew": what Orbis did is not what Adler did.
                let taken = if self.is_taken(at, place, SPOKEN_FOR) { 0.5 } else { 1.0 };
                Link { at: place, grade: taken * likeness(word, other), opposite: false }
            })
            .max_by(|a, b| a.grade.total_cmp(&b.grade));
        match (found, nearest) {
            (Some(found), Some(near)) if near.grade > found.grade => Some(near),
            (None, near) => near.filter(|near| near.grade > 0.0),
            (found, _) => found,
        }
    }

    /// Whether another word of the claim has a better right to a word of the source.
    fn is_taken(&self, at: usize, place: usize, grade: f32) -> bool {
        let other = |(number, link): (usize, &Option<Link>)| {
            let better = link.is_some_and(|link| link.at == place && link.grade > grade);
            better && number + self.claim.start != at
        };
        self.links.iter().enumerate().any(other)
    }

    /// The sentence that could hold most of the claim's weight.
    fn first_anchor(&self, claim: &Reading<'_>, kin: &Kin, source: &Reading<'_>) -> usize {
        let mut sums: Vec<(usize, f32)> = Vec::new();
        for (at, word) in claim.span(self.claim.clone()) {
            let mut best: Vec<(usize, f32)> = Vec::new();
            for (place, kinship, _) in kin.of(at, &self.passage) {
                let Some(sentence) = source.word(place).map(|word| word.sentence) else { continue };
                match best.iter_mut().find(|(known, _)| *known == sentence) {
                    Some((_, grade)) => *grade = grade.max(kinship.grade),
                    None => best.push((sentence, kinship.grade)),
                }
            }
            for (sentence, grade) in best {
                match sums.iter_mut().find(|(known, _)| *known == sentence) {
                    Some((_, sum)) => *sum += grade * word.weight,
                    None => sums.push((sentence, grade * word.weight)),
                }
            }
        }
        let heaviest = sums.into_iter().max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
        heaviest.map_or(usize::MAX, |(sentence, _)| sentence)
    }

    /// A little for being in the sentence, and near the words, where the neighbours were found.
    fn closeness(&self, at: usize, place: usize, source: &Reading<'_>) -> f32 {
        let sentence = source.word(place).map_or(usize::MAX, |word| word.sentence);
        let home = if sentence == self.anchor { 0.03 } else { 0.0 };
        let around = (at.saturating_sub(3)..at).chain(at + 1..at + 4);
        let nearest =
            around.filter_map(|near| self.firm(near)).map(|link| link.at.abs_diff(place)).min();
        home + nearest.map_or(0.0, |distance| 0.04 / (1.0 + distance as f32))
    }

    /// The sentence of the source in which most of the claim's weight was found.
    fn find_anchor(&self, claim: &Reading<'_>, source: &Reading<'_>) -> usize {
        let mut weights: Vec<(usize, f32)> = Vec::new();
        let predicate = claim
            .span(self.claim.clone())
            .find(|(_, word)| matches!(word.tag, Tag::Verb | Tag::Aux | Tag::Modal))
            .map(|(at, _)| at);
        for (at, word) in claim.span(self.claim.clone()) {
            let Some(link) = self.link(at) else { continue };
            let Some(sentence) = source.word(link.at).map(|word| word.sentence) else { continue };
            // What is said counts more than of whom: "he" may stand there for the name.
            let named = word.tag == Tag::Name || predicate.is_some_and(|verb| at < verb);
            let kind = if named { NAMED } else { 1.0 };
            let weight = kind * word.weight * link.grade;
            match weights.iter_mut().find(|(known, _)| *known == sentence) {
                Some((_, sum)) => *sum += weight,
                None => weights.push((sentence, weight)),
            }
        }
        let heaviest = weights.into_iter().max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
        heaviest.map_or(usize::MAX, |(sentence, _)| sentence)
    }
}
