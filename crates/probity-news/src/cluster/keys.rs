//! Which articles are compared at all: those that share a key.
//!
//! A key is a rare word of the headline, a pair of common ones, or a band of its signature.

use std::hash::BuildHasher as _;

use foldhash::fast::FixedState;

use super::Background;
use super::features::Features;
use super::minhash::{BANDS, Shingles};

/// A word in more headlines than this is a key only together with another.
const COMMON: u32 = 100;
/// How many of the common words make pairs: the rarest of them.
const PAIRED: usize = 4;
/// How many rare words are keys: the rarest of them.
const RARE: usize = 6;

/// The keys of an article, at most `RARE + PAIRED * (PAIRED - 1) / 2 + BANDS`.
pub(super) fn keys(features: &Features, shingles: &Shingles, background: &Background) -> Vec<u64> {
    let hasher = FixedState::default();
    let is_rare = |term: &&u64| background.frequency(**term) <= COMMON;
    let mut keys: Vec<u64> =
        features.title_terms.iter().filter(is_rare).take(RARE).copied().collect();
    let common: Vec<u64> =
        features.title_terms.iter().filter(|term| !is_rare(term)).take(PAIRED).copied().collect();
    for (at, left) in common.iter().enumerate() {
        for right in common.iter().skip(at + 1) {
            keys.push(hasher.hash_one((left.min(right), left.max(right))));
        }
    }
    keys.extend(shingles.bands());
    debug_assert!(keys.len() <= RARE + PAIRED * (PAIRED - 1) / 2 + BANDS);
    keys.sort_unstable();
    keys.dedup();
    keys.shrink_to_fit();
    keys
}
