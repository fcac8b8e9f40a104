//! Credibility scores: a number with its three parts, and the words for reading it.

use serde::{Deserialize, Serialize};

/// A credibility score at discovery, with the parts it was made of.
///
/// `total` is the weighted sum that the scorer computed; the parts are unweighted, so that a
/// reader can see what each contributed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// The weighted sum.
    pub total: f64,
    /// Who publishes it: the ledger's score of the outlet, or its tier's value.
    pub authority: f64,
    /// The share of the question's content words found in title and snippet.
    pub relevance: f64,
    /// What recency added: its full weight or nothing.
    pub recency: f64,
}

impl Score {
    /// What authority and relevance weigh by default. Recency is its weight or nothing.
    pub const WEIGHTS: [f64; 2] = [0.4, 0.5];

    /// What authority, relevance and recency each give to the total, in this order. Nothing where
    /// they do not add up to it, because the weights were changed: then it is not known.
    pub fn shares(&self) -> Option<[f64; 3]> {
        const ROUNDING: f64 = 0.005;
        let [authority, relevance] = Self::WEIGHTS;
        let shares = [authority * self.authority, relevance * self.relevance, self.recency];
        let is_share = |share: &f64| (0.0..=1.0).contains(share);
        let adds_up = (shares.iter().sum::<f64>() - self.total).abs() <= ROUNDING;
        (adds_up && shares.iter().all(is_share)).then_some(shares)
    }
}

/// How a credibility number is read, the same in every interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Band {
    /// Below 0.30.
    Unreliable,
    /// From 0.30.
    Weak,
    /// From 0.50.
    Neutral,
    /// From 0.70.
    Established,
    /// From 0.85.
    TopTier,
}

impl Band {
    /// All bands with their lower bounds, highest first.
    pub const TABLE: [(f64, Band); 5] = [
        (0.85, Band::TopTier),
        (0.70, Band::Established),
        (0.50, Band::Neutral),
        (0.30, Band::Weak),
        (0.0, Band::Unreliable),
    ];

    /// The band of a score. A rounding error below a bound still counts as reaching it.
    pub fn of(score: f64) -> Self {
        Self::TABLE
            .iter()
            .find(|(from, _)| score >= from - 1e-9)
            .map_or(Band::Unreliable, |(_, band)| *band)
    }

    /// The band in words.
    pub fn words(self) -> &'static str {
        match self {
            Band::TopTier => "primary or top-tier",
            Band::Established => "established",
            Band::Neutral => "neutral or mixed",
            Band::Weak => "weak",
            Band::Unreliable => "unreliable",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_that_add_up_to_the_total_are_given_and_others_are_not() {
        let score = Score { total: 0.76, authority: 0.4, relevance: 1.0, recency: 0.1 };
        let shares = score.shares().unwrap();
        assert!((shares.iter().sum::<f64>() - score.total).abs() < 1e-9);
        assert!((shares[0] - 0.16).abs() < 1e-9 && (shares[1] - 0.5).abs() < 1e-9);
        assert_eq!(Score { total: 0.6, ..score }.shares(), None);
        assert_eq!(Score { total: f64::NAN, ..score }.shares(), None);
        assert_eq!(Score { authority: -1.0, total: 0.2, ..score }.shares(), None);
    }

    #[test]
    fn a_number_is_read_by_its_band() {
        for (score, words) in [
            (0.95, "primary or top-tier"),
            (0.85, "primary or top-tier"),
            (0.849, "established"),
            (0.70, "established"),
            (0.5, "neutral or mixed"),
            (0.3, "weak"),
            (0.2999, "unreliable"),
            (0.0, "unreliable"),
        ] {
            assert_eq!(Band::of(score).words(), words, "{score}");
        }
    }
}
