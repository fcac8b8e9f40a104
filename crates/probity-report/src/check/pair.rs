//! A claim's sentence laid against a passage, as all the comparisons see it.

use std::ops::Range;

use probity_text::quantity::Match;
use probity_text::tag::Tag;

use super::align::Alignment;
use super::reading::{Amount, Reading, Sentence, Word};

/// A claim's sentence and a passage of a source, aligned.
pub(super) struct Pair<'a> {
    pub claim: &'a Reading<'a>,
    pub sentence: &'a Sentence,
    pub source: &'a Reading<'a>,
    /// The sentences of the passage.
    pub passage: Range<usize>,
    pub align: &'a Alignment,
}

impl<'a> Pair<'a> {
    /// The claim's words with their places.
    pub(super) fn claim_words(&self) -> impl DoubleEndedIterator<Item = (usize, &'a Word)> {
        self.claim.span(self.sentence.words.clone())
    }

    /// The claim's words that say something.
    pub(super) fn content(&self) -> impl DoubleEndedIterator<Item = (usize, &'a Word)> {
        self.claim_words().filter(|(_, word)| word.is_content())
    }

    /// The claim's quantities with their numbers.
    pub(super) fn claim_amounts(&self) -> impl Iterator<Item = (usize, &'a Amount)> {
        let range = self.sentence.quantities.clone();
        let amounts = self.claim.amounts.get(range.clone()).unwrap_or_default();
        range.zip(amounts)
    }

    /// The passage's quantities with their numbers.
    pub(super) fn source_amounts(&self) -> impl Iterator<Item = (usize, &'a Amount)> {
        let sentences = self.source.sentences.get(self.passage.clone()).unwrap_or_default();
        sentences.iter().flat_map(|sentence| {
            let amounts = self.source.amounts.get(sentence.quantities.clone()).unwrap_or_default();
            sentence.quantities.clone().zip(amounts)
        })
    }

    /// The passage's words with their places.
    pub(super) fn source_words(&self) -> impl DoubleEndedIterator<Item = (usize, &'a Word)> {
        self.source.span(self.align.passage.clone())
    }

    /// The words of the sentence that holds most of the claim.
    pub(super) fn anchor_words(&self) -> impl DoubleEndedIterator<Item = (usize, &'a Word)> {
        let words = self
            .source
            .sentences
            .get(self.align.anchor)
            .map_or(0..0, |sentence| sentence.words.clone());
        self.source.span(words)
    }

    /// Whether a word of the list stands in the claim.
    pub(super) fn claim_has(&self, list: &str) -> bool {
        self.claim_words().any(|(_, word)| listed(word, list))
    }

    /// Whether a word of the list stands in the passage.
    pub(super) fn source_has(&self, list: &str) -> bool {
        self.source_words().any(|(_, word)| listed(word, list))
    }

    /// The source's word that stands firmly for a claim's word.
    pub(super) fn counterpart(&self, at: usize) -> Option<(usize, &'a Word)> {
        let link = self.align.firm(at)?;
        Some((link.at, self.source.word(link.at)?))
    }
}

/// Nouns that say little by themselves, and may be left out or put in.
pub(super) const GENERIC: &str = "time way thing case people part number kind year day place level rate amount total share order fact result period point side area matter";

/// Whether a word, or its base, is in a list separated by spaces.
pub(super) fn listed(word: &Word, list: &str) -> bool {
    word.tag != Tag::Mark
        && list.split(' ').any(|each| each == word.lower.as_ref() || each == word.lemma.as_ref())
}

/// The clause of the passage in which most of the claim was found.
pub(super) fn home_clause(pair: &Pair<'_>) -> Option<usize> {
    let mut weights: Vec<(usize, f32)> = Vec::new();
    let mut add =
        |clause: usize, weight: f32| match weights.iter_mut().find(|(known, _)| *known == clause) {
            Some((_, sum)) => *sum += weight,
            None => weights.push((clause, weight)),
        };
    for (at, word) in pair.content() {
        let Some((_, source)) = pair.counterpart(at) else { continue };
        let kind = match word.tag {
            Tag::Verb => 1.5,
            // A name may stand in the sentence before, taken up by a pronoun.
            Tag::Name => 0.3,
            _ => 1.0,
        };
        add(source.clause, word.weight * kind);
    }
    for (_, mine) in pair.claim_amounts() {
        let same = |known: &Amount| mine.quantity.against(&known.quantity) == Match::Confirmed;
        let found = pair
            .source_amounts()
            .find(|(_, known)| same(known))
            .and_then(|(_, known)| pair.source.word(known.words.start));
        if let Some(word) = found {
            add(word.clause, 1.2);
        }
    }
    weights
        .into_iter()
        .max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)))
        .map(|(clause, _)| clause)
}
