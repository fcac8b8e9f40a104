//! What is common in the news at hand: how often each word occurs, and the mean direction.

use std::collections::HashMap;

use foldhash::fast::FixedState;
use probity_text::embed::{DIMENSIONS, Embedder};

use super::features::{self, Term};

/// What headlines are weighed against. It is made once for a set of articles and then stays, so
/// that an article weighs the same whenever it arrives.
#[derive(Debug, Clone)]
pub struct Background {
    headlines: u32,
    frequencies: HashMap<Term, u32, FixedState>,
    mean: [f32; DIMENSIONS],
}

impl Default for Background {
    fn default() -> Self {
        Self::of([])
    }
}

impl Background {
    /// The background of some headlines. Headlines that repeat count once: a wire story on a
    /// hundred sites does not make its words common.
    pub fn of<'a>(titles: impl IntoIterator<Item = &'a str>) -> Self {
        let mut seen = std::collections::HashSet::with_hasher(FixedState::default());
        let mut frequencies: HashMap<Term, u32, FixedState> = HashMap::default();
        // Whole numbers add up to the same whatever their order.
        let mut sums = [0_i64; DIMENSIONS];
        let mut headlines = 0_u32;
        for title in titles {
            let words = features::words_of(title);
            if !seen.insert(words.key) {
                continue;
            }
            headlines = headlines.saturating_add(1);
            for term in &words.terms {
                *frequencies.entry(term.term).or_default() += 1;
            }
            let vector = Embedder::embedded().embed(title);
            for (sum, x) in sums.iter_mut().zip(vector.as_slice()) {
                *sum += to_fixed(*x);
            }
        }
        let mut mean = [0.0; DIMENSIONS];
        for (mean, sum) in mean.iter_mut().zip(sums) {
            *mean = from_fixed(sum) / (headlines.max(1) as f32 + PRIOR_HEADLINES);
        }
        Self { headlines, frequencies, mean }
    }

    /// In how many headlines a word occurs.
    pub(super) fn frequency(&self, term: Term) -> u32 {
        self.frequencies.get(&term).copied().unwrap_or(0)
    }

    /// How telling a word is here: the logarithm of how few headlines have it.
    pub(super) fn rarity(&self, term: Term) -> f32 {
        let headlines = self.headlines as f32 + PRIOR_HEADLINES;
        (headlines / (self.frequency(term) as f32 + 0.5)).ln().max(0.1)
    }

    /// The mean direction of the headlines.
    pub(super) fn mean(&self) -> &[f32; DIMENSIONS] {
        &self.mean
    }
}

/// As many headlines of which nothing is known stand behind every background, so that a handful of
/// articles is not weighed against itself alone.
const PRIOR_HEADLINES: f32 = 20.0;

/// Parts of a vector are summed in steps of 2^-24.
const FIXED_STEPS: f32 = 16_777_216.0;

#[expect(clippy::cast_possible_truncation, reason = "parts of a unit vector are within 1")]
fn to_fixed(x: f32) -> i64 {
    (x * FIXED_STEPS) as i64
}

fn from_fixed(sum: i64) -> f32 {
    (sum as f64 / f64::from(FIXED_STEPS)) as f32
}
