//! The constants of scoring as configuration, checked before anything is scored with them.

use std::collections::HashSet;

use probity_core::{Outlet, Score};
use serde::{Deserialize, Serialize};

use crate::outlet::{OutletRules, RulesError};
use crate::tier::TierTable;

/// Where authority comes from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AuthorityMode {
    /// The score that the outlet was given in the ledger, else what its tier, its kind and its name
    /// say together.
    #[default]
    Blend,
    /// The score that the outlet was given in the ledger, else its tier.
    Ledger,
    /// The tier alone.
    Tiers,
}

/// How a question word that is missing from title and snippet counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RelevanceMode {
    /// Not at all.
    #[default]
    Overlap,
    /// By its best embedding match.
    Soft,
}

/// Whose words title and snippet have to hold.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RelevanceTo {
    /// The question's, or those of the query that found the page, whichever share is larger.
    #[default]
    Either,
    /// The question's alone.
    Question,
}

/// What each part of a score weighs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Weights {
    /// The weight of authority.
    pub authority: f64,
    /// The weight of relevance.
    pub relevance: f64,
    /// What a recent page gains.
    pub recency: f64,
}

impl Default for Weights {
    fn default() -> Self {
        let [authority, relevance] = Score::WEIGHTS;
        Self { authority, relevance, recency: 0.1 }
    }
}

/// Everything about scoring that a user may change. The default is the embedded table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Policy {
    /// Where authority comes from.
    pub authority: AuthorityMode,
    /// How relevance is counted.
    pub relevance: RelevanceMode,
    /// What relevance is measured against.
    pub relevance_to: RelevanceTo,
    /// How much the name of an unknown outlet counts against a tier that anyone may register in.
    pub prior_weight: f64,
    /// Whether it counts for an unknown outlet that credible outlets cite it.
    pub citations: bool,
    /// A page whose score is at or below this is blocked.
    pub threshold: f64,
    /// What each part weighs.
    pub weights: Weights,
    /// Who belongs to which tier.
    pub tiers: TierTable,
    /// Whose page an address is.
    pub outlets: OutletRules,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            authority: AuthorityMode::default(),
            relevance: RelevanceMode::default(),
            relevance_to: RelevanceTo::default(),
            prior_weight: 0.9,
            citations: false,
            threshold: 0.5,
            weights: Weights::default(),
            tiers: TierTable::default(),
            outlets: OutletRules::default(),
        }
    }
}

/// Why a policy cannot be used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PolicyError {
    /// A number that has to be a share is not.
    #[error("`{name}` is {value}; it has to lie between 0 and 1")]
    OutOfRange {
        /// The setting.
        name: &'static str,
        /// What it was set to.
        value: f64,
    },
    /// The weights would push scores above 1.
    #[error("the weights add up to {0}; they may add up to at most 1, and not to 0")]
    Weights(f64),
    /// An entry of a domain list is no domain.
    #[error("`{entry}` in `{list}` is not a domain (expected something like reuters.com)")]
    Domain {
        /// The list.
        list: &'static str,
        /// The entry.
        entry: String,
    },
    /// An entry of a suffix list is more or less than one label.
    #[error("`{entry}` in `{list}` is not a single label (expected something like edu)")]
    Label {
        /// The list.
        list: &'static str,
        /// The entry.
        entry: String,
    },
    /// A domain is in two tiers.
    #[error("`{0}` is listed both as major and as social; it can be only one")]
    Twice(String),
    /// The rules of outlets contradict themselves.
    #[error(transparent)]
    Outlets(#[from] RulesError),
}

impl Policy {
    /// Checks every number and list.
    ///
    /// # Errors
    /// The first thing that is wrong, by the setting's name.
    pub fn check(&self) -> Result<(), PolicyError> {
        let tiers = &self.tiers;
        for (name, value) in [
            ("threshold", self.threshold),
            ("prior_weight", self.prior_weight),
            ("weights.authority", self.weights.authority),
            ("weights.relevance", self.weights.relevance),
            ("weights.recency", self.weights.recency),
            ("tiers.academic", tiers.academic),
            ("tiers.major", tiers.major),
            ("tiers.organisation", tiers.organisation),
            ("tiers.general", tiers.general),
            ("tiers.social", tiers.social),
        ] {
            // Written so that NaN fails too.
            if !(0.0..=1.0).contains(&value) {
                return Err(PolicyError::OutOfRange { name, value });
            }
        }
        let sum = self.weights.authority + self.weights.relevance + self.weights.recency;
        if sum <= 0.0 || sum > 1.0 + TOLERANCE {
            return Err(PolicyError::Weights(sum));
        }
        check_domains("tiers.major_domains", &tiers.major_domains)?;
        check_domains("tiers.social_domains", &tiers.social_domains)?;
        check_labels("tiers.academic_suffixes", &tiers.academic_suffixes)?;
        check_labels("tiers.academic_country_labels", &tiers.academic_country_labels)?;
        check_labels("tiers.organisation_suffixes", &tiers.organisation_suffixes)?;
        let major: HashSet<_> = tiers.major_domains.iter().collect();
        if let Some(twice) = tiers.social_domains.iter().find(|domain| major.contains(domain)) {
            return Err(PolicyError::Twice(twice.clone()));
        }
        Ok(self.outlets.check()?)
    }
}

/// Scores are compared with this tolerance, so that rounding never lets a page through.
pub const TOLERANCE: f64 = 1e-9;

fn check_domains(list: &'static str, entries: &[String]) -> Result<(), PolicyError> {
    match entries.iter().find(|e| Outlet::new(e).map_or(true, |o| o.as_str() != e.as_str())) {
        Some(entry) => Err(PolicyError::Domain { list, entry: entry.clone() }),
        None => Ok(()),
    }
}

fn check_labels(list: &'static str, entries: &[String]) -> Result<(), PolicyError> {
    let is_label = |entry: &&String| {
        !entry.is_empty()
            && entry.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
    };
    match entries.iter().find(|entry| !is_label(entry)) {
        Some(entry) => Err(PolicyError::Label { list, entry: entry.clone() }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_policy_is_valid() {
        assert_eq!(Policy::default().check(), Ok(()));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let wrong = |change: &dyn Fn(&mut Policy)| {
            let mut policy = Policy::default();
            change(&mut policy);
            policy.check().unwrap_err().to_string()
        };
        assert!(wrong(&|p| p.threshold = 1.5).contains("threshold"));
        assert!(wrong(&|p| p.threshold = f64::NAN).contains("threshold"));
        assert!(wrong(&|p| p.weights.relevance = 0.7).contains("add up to 1.2"));
        assert!(wrong(&|p| p.tiers.major = -0.1).contains("tiers.major"));
        assert!(
            wrong(&|p| p.tiers.major_domains.push("https://a.com".into())).contains("https://a")
        );
        assert!(wrong(&|p| p.tiers.academic_suffixes.push("ac.uk".into())).contains("ac.uk"));
        assert!(wrong(&|p| p.tiers.social_domains.push("medium.com".into())).contains("both"));
    }
}
