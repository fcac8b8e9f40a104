//! How well predicted worth agrees with ratings from elsewhere.

use serde::Serialize;

/// From this rating on an outlet counts as reliable.
pub const RELIABLE: f64 = 0.5;
/// How many groups the calibration has.
const GROUPS: usize = 10;

/// What was predicted for an outlet, and how it is rated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rated {
    /// The prediction.
    pub predicted: f64,
    /// The rating, from 0 to 1.
    pub rated: f64,
}

/// A group of outlets with like predictions.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Calibration {
    /// The mean prediction.
    pub predicted: f64,
    /// The mean rating.
    pub rated: f64,
    /// How many outlets.
    pub outlets: usize,
}

/// The figures of a comparison.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figures {
    /// How many outlets were compared.
    pub outlets: usize,
    /// How many of them are rated reliable.
    pub reliable: usize,
    /// How often a reliable outlet has a higher prediction than an unreliable one; none without both.
    pub auc: Option<f64>,
    /// The rank correlation of predictions and ratings; none where either does not vary.
    pub spearman: Option<f64>,
    /// The root of the mean squared difference.
    pub error: f64,
    /// Ten groups by prediction.
    pub calibration: Vec<Calibration>,
}

/// Compares predictions with ratings.
///
/// ```
/// use probity_credibility::evaluate::{Rated, figures};
///
/// let pairs = [(0.2, 0.1), (0.4, 0.6), (0.9, 0.8)].map(|(predicted, rated)| Rated { predicted, rated });
/// let figures = figures(&pairs);
/// assert_eq!((figures.auc, figures.spearman), (Some(1.0), Some(1.0)));
/// ```
pub fn figures(pairs: &[Rated]) -> Figures {
    let predicted = ranks(pairs.iter().map(|pair| pair.predicted));
    let rated = ranks(pairs.iter().map(|pair| pair.rated));
    let reliable = pairs.iter().filter(|pair| pair.rated >= RELIABLE).count();
    let squares: f64 = pairs.iter().map(|pair| (pair.predicted - pair.rated).powi(2)).sum();
    Figures {
        outlets: pairs.len(),
        reliable,
        auc: auc(pairs, &predicted, reliable),
        spearman: correlation(&predicted, &rated),
        error: (squares / pairs.len().max(1) as f64).sqrt(),
        calibration: calibration(pairs),
    }
}

fn auc(pairs: &[Rated], ranks: &[f64], reliable: usize) -> Option<f64> {
    let unreliable = pairs.len() - reliable;
    if reliable == 0 || unreliable == 0 {
        return None;
    }
    let good = pairs.iter().zip(ranks).filter(|(pair, _)| pair.rated >= RELIABLE);
    let sum: f64 = good.map(|(_, rank)| rank).sum();
    let reliable = reliable as f64;
    Some((sum - reliable * (reliable + 1.0) / 2.0) / reliable / unreliable as f64)
}

/// Ranks from 1; equal values share the mean of theirs.
fn ranks(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut order: Vec<(usize, f64)> = values.enumerate().collect();
    order.sort_by(|(_, a), (_, b)| a.total_cmp(b));
    let mut ranks = vec![0.0; order.len()];
    for equal in order.chunk_by(|(_, a), (_, b)| a == b) {
        let first = order.partition_point(|(_, v)| equal.first().is_some_and(|(_, own)| v < own));
        let rank = first as f64 + (equal.len() as f64 + 1.0) / 2.0;
        for (place, _) in equal {
            if let Some(own) = ranks.get_mut(*place) {
                *own = rank;
            }
        }
    }
    ranks
}

fn correlation(a: &[f64], b: &[f64]) -> Option<f64> {
    let count = a.len() as f64;
    let (mean_a, mean_b) = (a.iter().sum::<f64>() / count, b.iter().sum::<f64>() / count);
    let pairs = || a.iter().zip(b).map(|(x, y)| (x - mean_a, y - mean_b));
    let (xx, yy) = pairs().fold((0.0, 0.0), |(xx, yy), (x, y)| (xx + x * x, yy + y * y));
    let both: f64 = pairs().map(|(x, y)| x * y).sum();
    (xx > 0.0 && yy > 0.0).then(|| both / (xx * yy).sqrt())
}

fn calibration(pairs: &[Rated]) -> Vec<Calibration> {
    let mut sorted = pairs.to_vec();
    sorted.sort_by(|a, b| a.predicted.total_cmp(&b.predicted));
    let size = sorted.len().div_ceil(GROUPS).max(1);
    let mean = |group: &[Rated], of: fn(&Rated) -> f64| {
        group.iter().map(of).sum::<f64>() / group.len().max(1) as f64
    };
    let group = |group: &[Rated]| Calibration {
        predicted: mean(group, |pair| pair.predicted),
        rated: mean(group, |pair| pair.rated),
        outlets: group.len(),
    };
    sorted.chunks(size).map(group).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(pairs: &[(f64, f64)]) -> Figures {
        let pairs: Vec<Rated> = pairs
            .iter()
            .map(|(predicted, rated)| Rated { predicted: *predicted, rated: *rated })
            .collect();
        figures(&pairs)
    }

    #[test]
    fn equal_predictions_tell_nothing_apart() {
        let same = of(&[(0.4, 0.1), (0.4, 0.9), (0.4, 0.7)]);
        assert_eq!((same.auc, same.spearman), (Some(0.5), None));
        let none = of(&[]);
        assert_eq!((none.outlets, none.auc, none.error), (0, None, 0.0));
    }

    #[test]
    fn a_wrong_order_is_recognised_by_both_figures() {
        let wrong = of(&[(0.9, 0.1), (0.5, 0.4), (0.1, 0.9)]);
        assert_eq!((wrong.auc, wrong.spearman), (Some(0.0), Some(-1.0)));
        assert_eq!(wrong.calibration.len(), 3);
        assert_eq!((wrong.outlets, wrong.reliable), (3, 1));
    }
}
