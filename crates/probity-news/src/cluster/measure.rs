//! How well stories that were found agree with stories that people labelled.

use std::collections::HashMap;
use std::hash::Hash;

/// How two ways of grouping the same things agree, each figure from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Agreement {
    /// The mean share of a thing's group that belongs with it.
    pub precision: f64,
    /// The mean share of what belongs with a thing that is in its group.
    pub recall: f64,
    /// The harmonic mean of the two.
    pub f1: f64,
}

/// BCubed precision, recall and F1 of groups that were found against true ones, given for each
/// thing as a pair (found, true).
///
/// ```
/// use probity_news::cluster::bcubed;
///
/// let agreement = bcubed([("x", 1), ("x", 1), ("x", 2), ("y", 2)]);
/// assert!((agreement.precision - 2.0 / 3.0).abs() < 1e-9);
/// assert!((agreement.recall - 0.75).abs() < 1e-9);
/// ```
pub fn bcubed<A: Hash + Eq, B: Hash + Eq>(pairs: impl IntoIterator<Item = (A, B)>) -> Agreement {
    let mut both: HashMap<(A, B), f64> = HashMap::new();
    for pair in pairs {
        *both.entry(pair).or_default() += 1.0;
    }
    let mut found: HashMap<&A, f64> = HashMap::new();
    let mut truth: HashMap<&B, f64> = HashMap::new();
    for ((a, b), count) in &both {
        *found.entry(a).or_default() += count;
        *truth.entry(b).or_default() += count;
    }
    let total: f64 = both.values().sum::<f64>().max(1.0);
    let (mut precision, mut recall) = (0.0, 0.0);
    for ((a, b), count) in &both {
        precision += count * count / found.get(a).copied().unwrap_or(1.0);
        recall += count * count / truth.get(b).copied().unwrap_or(1.0);
    }
    let (precision, recall) = (precision / total, recall / total);
    let f1 = if precision + recall > 0.0 {
        2.0 * precision * recall / (precision + recall)
    } else {
        0.0
    };
    Agreement { precision, recall, f1 }
}
