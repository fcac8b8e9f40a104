//! A source made ready for many checks: its words by sentence, and where to look for a claim.

use std::collections::HashMap;
use std::ops::Range;

use probity_text::embed::{Embedder, Vector};
use probity_text::tag::Tag;

use super::reading::{Reading, Sentence};

/// How many sentences a passage may have.
const PASSAGE_SENTENCES: usize = 3;
/// How many sentences are looked at closely.
const CLOSE_LOOKS: usize = 4;
/// How many sentences that share no word with the claim are tried by their meaning alone.
const BY_MEANING: usize = 2;

/// A source, read and indexed.
pub(super) struct Index<'t> {
    pub reading: Reading<'t>,
    /// Stem or base form → the sentences it is in.
    sentences: HashMap<Box<str>, Vec<u32>>,
    /// Lower-case name → the first place it stands at.
    names: HashMap<Box<str>, usize>,
    vectors: Vec<Vector>,
}

impl<'t> Index<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let reading = Reading::new(text, |_| false);
        let mut sentences: HashMap<Box<str>, Vec<u32>> = HashMap::new();
        let mut names = HashMap::new();
        for (at, word) in reading.words.iter().enumerate() {
            if word.tag == Tag::Name {
                names.entry(word.lower.clone()).or_insert(at);
            }
            let number = u32::try_from(word.sentence).unwrap_or(u32::MAX);
            for key in [&word.stem, &word.lemma] {
                if word.is_content() || word.amount.is_some() {
                    let known = sentences.entry(key.clone()).or_default();
                    if known.last() != Some(&number) {
                        known.push(number);
                    }
                }
            }
        }
        let embedder = Embedder::embedded();
        let vectors = reading
            .sentences
            .iter()
            .map(|sentence| embedder.embed(text.get(sentence.bytes.clone()).unwrap_or_default()))
            .collect();
        Self { reading, sentences, names, vectors }
    }

    /// Where a name of the claim stands in the source, though not in the passage.
    pub(super) fn name(&self, lower: &str) -> Option<usize> {
        self.names.get(lower).copied()
    }

    /// How near the meaning of a claim is to that of a passage.
    pub(super) fn likeness(&self, claim: &Vector, sentences: Range<usize>) -> f32 {
        self.vectors
            .get(sentences)
            .unwrap_or_default()
            .iter()
            .map(|vector| vector.cosine(claim))
            .fold(0.0, f32::max)
    }

    /// The passages worth comparing with a claim's sentence, as ranges of sentences.
    pub(super) fn passages(&self, claim: &Reading<'_>, sentence: &Sentence) -> Vec<Range<usize>> {
        let ranked = self.ranked(claim, sentence);
        let count = self.reading.sentences.len();
        let mut found: Vec<Range<usize>> = Vec::new();
        for at in ranked {
            let shapes = [(0, 1), (1, 1), (0, 2), (2, 1), (1, 2), (0, 3)];
            for (before, length) in shapes {
                let start = at.saturating_sub(before);
                let end = (at + length).min(count);
                let range = start..end;
                if range.len() <= PASSAGE_SENTENCES && !found.contains(&range) {
                    found.push(range);
                }
            }
        }
        found
    }

    /// The sentences that share most with a claim's sentence, best first.
    fn ranked(&self, claim: &Reading<'_>, sentence: &Sentence) -> Vec<usize> {
        let mut scores: HashMap<u32, f32> = HashMap::new();
        for (_, word) in claim.span(sentence.words.clone()) {
            let weight = if word.amount.is_some() { 0.5 } else { word.weight };
            if weight <= 0.0 {
                continue;
            }
            let mut seen: Vec<u32> = Vec::new();
            for key in [&word.stem, &word.lemma] {
                for number in self.sentences.get(key).map_or(&[][..], Vec::as_slice) {
                    if !seen.contains(number) {
                        *scores.entry(*number).or_default() += weight;
                        seen.push(*number);
                    }
                }
            }
        }
        let text = claim.text.get(sentence.bytes.clone()).unwrap_or_default();
        let vector = Embedder::embedded().embed(text);
        let mut by_meaning: Vec<(usize, f32)> =
            self.vectors.iter().map(|each| each.cosine(&vector)).enumerate().collect();
        for (at, cosine) in &by_meaning {
            if let Ok(number) = u32::try_from(*at) {
                *scores.entry(number).or_default() += cosine.max(0.0);
            }
        }
        by_meaning.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let mut ranked: Vec<(usize, f32)> =
            scores.into_iter().map(|(at, score)| (at as usize, score)).collect();
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let mut found: Vec<usize> =
            ranked.into_iter().take(CLOSE_LOOKS).map(|(at, _)| at).collect();
        for (at, _) in by_meaning.into_iter().take(BY_MEANING) {
            if !found.contains(&at) {
                found.push(at);
            }
        }
        found
    }
}
