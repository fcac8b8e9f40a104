//! What is common in the news at hand: how often each word occurs, and the mean direction.

use std::collections::HashMap;
use std::hash::BuildHasher as _;

use foldhash::fast::FixedState;
use probity_text::embed::{DIMENSIONS, Embedder};
use serde::{Deserialize, Serialize};

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

    /// The background as text, for later use. It comes back to the last bit.
    pub fn to_text(&self) -> String {
        let mut frequencies: Vec<(Term, u32)> =
            self.frequencies.iter().map(|(term, count)| (*term, *count)).collect();
        frequencies.sort_unstable();
        let mean = self.mean.iter().map(|x| x.to_bits()).collect();
        let (form, headlines) = (form(), self.headlines);
        let written = Written { form, headlines, frequencies, mean };
        serde_json::to_string(&written).unwrap_or_default()
    }

    /// A background from its text; none where the text is not one, or one of another form.
    pub fn from_text(text: &str) -> Option<Self> {
        let written: Written = serde_json::from_str(text).ok()?;
        let mean: Vec<f32> = written.mean.into_iter().map(f32::from_bits).collect();
        let mean: [f32; DIMENSIONS] = mean.try_into().ok()?;
        let is_sound = written.form == form() && mean.iter().all(|x| x.is_finite());
        let frequencies = written.frequencies.into_iter().collect();
        is_sound.then_some(Self { headlines: written.headlines, frequencies, mean })
    }

    /// In how many headlines a word occurs.
    pub(super) fn frequency(&self, term: Term) -> u32 {
        self.frequencies.get(&term).copied().unwrap_or(0)
    }

    /// How distinctive a word is here: the logarithm of how few headlines have it.
    pub(super) fn rarity(&self, term: Term) -> f32 {
        let headlines = self.headlines as f32 + PRIOR_HEADLINES;
        (headlines / (self.frequency(term) as f32 + 0.5)).ln().max(0.1)
    }

    /// The mean direction of the headlines.
    pub(super) fn mean(&self) -> &[f32; DIMENSIONS] {
        &self.mean
    }
}

/// What the numbers in the text mean: a word and a vector, read as they are now. Where stems, their
/// hashes or vectors have become others, what was computed from the old ones is not used.
fn form() -> u64 {
    const SAMPLE: &str = "Ferries connecting the islands";
    let terms: Vec<Term> = features::words_of(SAMPLE).terms.iter().map(|one| one.term).collect();
    let vector = Embedder::embedded().embed(SAMPLE);
    let bits: Vec<u32> = vector.as_slice().iter().map(|x| x.to_bits()).collect();
    FixedState::default().hash_one((terms, bits))
}

/// A background as text. Parts of the mean are given by their bits.
#[derive(Serialize, Deserialize)]
struct Written {
    form: u64,
    headlines: u32,
    frequencies: Vec<(Term, u32)>,
    mean: Vec<u32>,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_background_comes_back_from_its_text_to_the_last_bit() {
        let made = Background::of(["Ferry sinks off Lorne Islands", "Bank raises rates again"]);
        let back = Background::from_text(&made.to_text()).unwrap();
        assert_eq!(back.headlines, made.headlines);
        assert_eq!(back.frequencies, made.frequencies);
        assert_eq!(back.mean.map(f32::to_bits), made.mean.map(f32::to_bits));
        let otherwise = made.to_text().replace("\"form\":", "\"form\":1");
        for other in ["", "{}", &otherwise] {
            assert!(Background::from_text(other).is_none(), "{other}");
        }
    }
}
