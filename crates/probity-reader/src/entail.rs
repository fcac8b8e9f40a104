//! What a passage says about a claim.

use serde::{Deserialize, Serialize};

use crate::round::rounded;

/// Half of the last place that probabilities are rounded to.
const NEAREST: f64 = 0.0005;

/// How probable it is that a passage supports a claim, says too little, or contradicts it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Entailment {
    /// The passage supports the claim.
    pub supported: f64,
    /// The passage does not say enough.
    pub not_enough: f64,
    /// The passage contradicts the claim.
    pub contradicted: f64,
}

impl Entailment {
    /// From the three logits of the network.
    pub(crate) fn from_logits(logits: [f32; 3]) -> Self {
        let logits = logits.map(finite);
        let most = logits.iter().copied().fold(f64::MIN, f64::max);
        let powers = logits.map(|logit| (logit - most).exp());
        let sum: f64 = powers.iter().sum();
        let [supported, not_enough, contradicted] = powers.map(|power| rounded(power / sum));
        Self { supported, not_enough, contradicted }
    }

    /// The logit of support: ln(p / (1 − p)), as far out as three places of p tell.
    pub fn logit(&self) -> f64 {
        let p = self.supported.clamp(NEAREST, 1.0 - NEAREST);
        rounded((p / (1.0 - p)).ln())
    }
}

/// Broken weights may give what is no number.
fn finite(logit: f32) -> f64 {
    if logit.is_finite() { f64::from(logit) } else { 0.0 }
}
