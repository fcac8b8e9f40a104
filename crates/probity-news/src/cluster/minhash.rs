//! Headlines that are the same except for a word or two, by MinHash.
//!
//! words → shingles of one and of two words → the smallest of each of several hashes → bands

use std::hash::BuildHasher as _;

use foldhash::fast::FixedState;
use probity_text::words::words;

/// How many bands a signature has: headlines that agree in one of them are compared.
pub(super) const BANDS: usize = 6;
/// How many hashes a band has. With six bands of three, headlines that share 7 of 10 shingles meet
/// with a chance of 92 %, and such that share 3 of 10 with one of 15 %.
const ROWS: usize = 3;
/// The share of shingles that near duplicates have in common.
const NEAR: f32 = 0.7;
/// How many shingles of a headline are looked at.
const SHINGLES: usize = 64;

/// A headline's shingles, and its numbers.
#[derive(Debug, Clone)]
pub(super) struct Shingles {
    hashes: Vec<u32>,
    numbers: u64,
}

impl Shingles {
    /// Reads a headline.
    pub(super) fn read(title: &str) -> Self {
        let hasher = FixedState::default();
        let mut hashes = Vec::new();
        let mut numbers = 0_u64;
        let mut before = None;
        for word in words(title).take(SHINGLES / 2) {
            let hash = hasher.hash_one(word.lower.as_ref());
            hashes.push(fold(hash));
            if let Some(before) = before {
                hashes.push(fold(hasher.hash_one((before, hash))));
            }
            if word.lower.starts_with(|c: char| c.is_ascii_digit()) {
                numbers = numbers.wrapping_add(hash);
            }
            before = Some(hash);
        }
        hashes.sort_unstable();
        hashes.dedup();
        hashes.shrink_to_fit();
        Self { hashes, numbers }
    }

    /// The bands of the signature, each as one number.
    pub(super) fn bands(&self) -> [u64; BANDS] {
        let hasher = FixedState::default();
        let mut bands = [0_u64; BANDS];
        for (at, band) in bands.iter_mut().enumerate() {
            let rows = (0..ROWS).map(|row| {
                let seed = (at * ROWS + row) as u64;
                self.hashes.iter().map(|hash| mix(u64::from(*hash), seed)).min().unwrap_or(0)
            });
            *band = rows.fold(at as u64, |band, row| hasher.hash_one((band, row)));
        }
        bands
    }

    /// Whether two headlines are the same except for a word or two. Other numbers are other news: a
    /// later death toll or another final score.
    pub(super) fn is_near(&self, other: &Shingles) -> bool {
        if self.numbers != other.numbers || self.hashes.is_empty() {
            return false;
        }
        let (mut left, mut right) = (self.hashes.iter().peekable(), other.hashes.iter().peekable());
        let mut shared = 0_usize;
        while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
            let order = a.cmp(b);
            shared += usize::from(order.is_eq());
            if order.is_le() {
                left.next();
            }
            if order.is_ge() {
                right.next();
            }
        }
        let all = self.hashes.len() + other.hashes.len() - shared;
        shared as f32 >= NEAR * all as f32
    }
}

#[expect(clippy::cast_possible_truncation, reason = "half of a hash is a hash")]
fn fold(hash: u64) -> u32 {
    (hash ^ (hash >> 32)) as u32
}

/// One of a family of hashes, by the finaliser of SplitMix64.
fn mix(hash: u64, seed: u64) -> u64 {
    let mut z = hash.wrapping_add((seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(left: &str, right: &str) -> bool {
        Shingles::read(left).is_near(&Shingles::read(right))
    }

    #[test]
    fn a_word_more_is_a_near_duplicate_and_another_number_is_not() {
        let title = "Rescuers search for survivors after the Lorne Islands ferry disaster";
        assert!(near(title, &format!("UPDATE: {title}")));
        assert!(!near(&format!("{title}, 12 dead"), &format!("{title}, 48 dead")));
        assert!(!near(title, "Lorne ferry captain arrested, faces manslaughter charges"));
    }

    #[test]
    fn near_duplicates_share_a_band() {
        let title = "Kestrel Air to buy its rival Norvia for three billion dollars in cash";
        let (one, two) = (Shingles::read(title), Shingles::read(&format!("{title} - report")));
        let bands = two.bands();
        assert!(one.bands().iter().any(|band| bands.contains(band)));
    }
}
