//! Pairs of a claim and a passage, and what a reader made of them.
//!
//! Reading is apart from deciding: who checks lists the pairs, has them read, and decides from the numbers. A run
//! keeps the numbers in its journal, so that a replay decides the same on any processor.

use std::collections::{HashMap, HashSet};

use probity_reader::{Entailment, Stop, Stopped, TextReader};
use serde::{Deserialize, Serialize};

/// The most pairs that are read for one report or one text.
pub const PAIRS_MOST: usize = 1_200;

/// A sentence of a claim and a passage, as a reader gets them.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Pair {
    /// The sentence.
    pub claim: String,
    /// The passage.
    pub passage: String,
}

/// Pairs that have to be read, the more promising passage of each claim before the next.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wanted {
    ranked: Vec<(usize, Pair)>,
}

impl Wanted {
    /// Adds the pairs of one claim, the most promising first.
    pub fn add(&mut self, pairs: Vec<Pair>) {
        self.ranked.extend(pairs.into_iter().enumerate());
    }

    /// The pairs to read: each once, and where there are too many, the more promising ones.
    pub fn into_pairs(mut self) -> Vec<Pair> {
        self.ranked.sort_by_key(|(rank, _)| *rank);
        let mut seen = HashSet::new();
        self.ranked.retain(|(_, pair)| seen.insert(pair.clone()));
        self.ranked.into_iter().map(|(_, pair)| pair).take(PAIRS_MOST).collect()
    }
}

/// What was read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Readings {
    by: String,
    found: HashMap<Pair, Entailment>,
}

impl Readings {
    /// Puts pairs and what was made of them together, in the order in which they were read.
    pub fn new(by: &str, pairs: Vec<Pair>, read: Vec<Entailment>) -> Self {
        Self { by: by.to_owned(), found: pairs.into_iter().zip(read).collect() }
    }

    /// Has pairs read.
    ///
    /// # Errors
    /// When the reader is stopped.
    pub fn of(pairs: Vec<Pair>, reader: &TextReader, stop: &Stop) -> Result<Self, Stopped> {
        let read = reader.entails_pairs(&borrowed(&pairs), stop)?;
        Ok(Self::new(if pairs.is_empty() { "" } else { reader.name() }, pairs, read))
    }

    /// Those of some pairs that were not read yet.
    pub fn missing(&self, pairs: Vec<Pair>) -> Vec<Pair> {
        pairs.into_iter().filter(|pair| !self.found.contains_key(pair)).collect()
    }

    /// Adds what was read later.
    pub fn extend(&mut self, other: Self) {
        if !other.by.is_empty() {
            self.by = other.by;
        }
        self.found.extend(other.found);
    }

    /// Who read; empty where nothing had to be.
    pub fn by(&self) -> &str {
        &self.by
    }

    /// Whether words were compared, because there is no trained reader.
    pub fn is_lexical(&self) -> bool {
        self.by == TextReader::LEXICAL
    }

    /// What was made of each of some pairs. Those beyond what is read at once are left out, unless that is
    /// all of them: then words are compared.
    pub(crate) fn of_all(&self, pairs: &[Pair]) -> Vec<Option<Entailment>> {
        let read: Vec<Option<Entailment>> =
            pairs.iter().map(|pair| self.found.get(pair).copied()).collect();
        if read.iter().any(Option::is_some) {
            return read;
        }
        let compared = TextReader::Lexical.entails_pairs(&borrowed(pairs), &Stop::never());
        compared.map_or(read, |compared| compared.into_iter().map(Some).collect())
    }
}

/// Pairs as a reader takes them.
pub fn borrowed(pairs: &[Pair]) -> Vec<(&str, &str)> {
    pairs.iter().map(|pair| (pair.claim.as_str(), pair.passage.as_str())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(claim: &str, passage: usize) -> Pair {
        Pair { claim: claim.to_owned(), passage: format!("passage {passage}") }
    }

    #[test]
    fn where_there_is_too_much_to_read_every_claim_keeps_its_best_passages() {
        let mut wanted = Wanted::default();
        for claim in 0..PAIRS_MOST / 2 {
            wanted.add((0..4).map(|passage| pair(&format!("claim {claim}"), passage)).collect());
        }
        let pairs = wanted.into_pairs();
        assert_eq!(pairs.len(), PAIRS_MOST);
        assert!(
            pairs.iter().all(|pair| ["passage 0", "passage 1"].contains(&pair.passage.as_str()))
        );
    }

    #[test]
    fn a_pair_that_two_need_is_read_once() {
        let mut wanted = Wanted::default();
        wanted.add(vec![pair("one", 1), pair("one", 2)]);
        wanted.add(vec![pair("one", 2)]);
        assert_eq!(wanted.into_pairs().len(), 2);
    }

    #[test]
    fn what_was_not_read_is_compared_by_words() {
        let pairs = [Pair {
            claim: "The mill closed.".to_owned(),
            passage: "The mill closed early.".to_owned(),
        }];
        let read = Readings::default().of_all(&pairs);
        assert!(read[0].is_some_and(|read| read.supported > 0.5 && read.contradicted == 0.0));
    }
}
