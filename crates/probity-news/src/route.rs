//! The outcome for a category by the outlets that speak for it.
//!
//! mean credibility of the representatives whose outlet is rated → scored as usual, ranked lower in proportion, or left
//! aside until the mean recovers; what is left aside is tried again on a schedule

use probity_core::{CategoryId, Timestamp};
use probity_store::topics::{Action, RoutingRecord};
use serde::{Deserialize, Serialize};

/// A category that is left aside is first tried again after this many milliseconds (six hours);
/// each time it is postponed, the wait doubles.
const RETRY_FIRST: i64 = 6 * 3_600_000;
/// The longest wait before it is tried again (a week).
const RETRY_MOST: i64 = 7 * 24 * 3_600_000;
/// Means that differ by less than this are equal.
const STEP: f64 = 1e-9;

/// Where the lines are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Lines {
    /// From this mean on a category is scored as usual.
    pub keep: f64,
    /// Below this mean it is left aside.
    pub skip: f64,
}

impl Default for Lines {
    fn default() -> Self {
        Self { keep: 0.6, skip: 0.4 }
    }
}

impl Lines {
    /// Says what is wrong with the lines, if anything.
    ///
    /// # Errors
    /// With what is wrong, in words.
    pub fn check(&self) -> Result<(), String> {
        let Self { keep, skip } = self;
        if (0.0..=1.0).contains(skip) && (0.0..=1.0).contains(keep) && skip <= keep {
            return Ok(());
        }
        Err(format!("`skip` is {skip} and `keep` {keep}; they lie between 0 and 1, skip first"))
    }

    /// What a mean leads to, and what ranks are multiplied by. The share falls from 1 at `keep` to 0
    /// at `skip`, so that nothing jumps at either line. Without a mean nothing speaks against a
    /// category.
    ///
    /// ```
    /// use probity_news::route::Lines;
    /// use probity_store::topics::Action;
    ///
    /// let lines = Lines::default();
    /// assert_eq!(lines.action(Some(0.6)), (Action::Scored, 1.0));
    /// let (action, factor) = lines.action(Some(0.5));
    /// assert!(action == Action::Downranked && (factor - 0.5).abs() < 1e-9);
    /// assert_eq!(lines.action(Some(0.39)), (Action::Skipped, 0.0));
    /// ```
    pub fn action(&self, mean: Option<f64>) -> (Action, f64) {
        let Some(mean) = mean else { return (Action::Scored, 1.0) };
        if mean >= self.keep - STEP {
            (Action::Scored, 1.0)
        } else if mean >= self.skip - STEP {
            let share = (mean - self.skip) / (self.keep - self.skip).max(STEP);
            (Action::Downranked, share.clamp(0.0, 1.0))
        } else {
            (Action::Skipped, 0.0)
        }
    }
}

/// Whether a category's new articles are looked at, by its last decision: not while it is left
/// aside, its mean has not recovered and the next trial is not due.
pub fn is_open(
    last: Option<&RoutingRecord>,
    mean: Option<f64>,
    lines: Lines,
    now: Timestamp,
) -> bool {
    let Some(last) = last.filter(|last| last.action == Action::Skipped) else { return true };
    let recovered = lines.action(mean).0 != Action::Skipped;
    recovered || is_due(last, now)
}

fn is_due(last: &RoutingRecord, now: Timestamp) -> bool {
    last.retry_at.is_none_or(|at| at <= now)
}

/// Decides about a category, by what the articles that speak for it are worth. None is an outlet that
/// has not been rated: it counts neither for nor against the category.
pub fn decide(
    category: CategoryId,
    speaking: &[Option<f64>],
    lines: Lines,
    last: Option<&RoutingRecord>,
    now: Timestamp,
) -> RoutingRecord {
    let mean = mean(speaking);
    let (action, factor) = lines.action(mean);
    let was_skipped = last.filter(|last| last.action == Action::Skipped);
    let was_retry = was_skipped.is_some_and(|last| is_due(last, now));
    let (retry_at, retries) = match (action, was_skipped) {
        (Action::Skipped, Some(last)) if !was_retry => (last.retry_at, last.retries),
        (Action::Skipped, last) => {
            let retries = last.map_or(0, |last| last.retries + 1);
            let doubled = RETRY_FIRST.saturating_mul(1 << retries.clamp(0, 16));
            (Some(Timestamp(now.0.saturating_add(doubled.min(RETRY_MOST)))), retries)
        }
        _ => (None, 0),
    };
    RoutingRecord {
        category,
        at: now,
        representatives: i64::try_from(speaking.len()).unwrap_or(i64::MAX),
        mean,
        keep: lines.keep,
        skip: lines.skip,
        action,
        factor,
        retry_at,
        retries,
        was_retry,
    }
}

/// The mean of what is rated among some articles' outlets; none where nothing is.
pub fn mean(speaking: &[Option<f64>]) -> Option<f64> {
    let rated: Vec<f64> = speaking.iter().copied().flatten().collect();
    (!rated.is_empty()).then(|| rated.iter().sum::<f64>() / rated.len() as f64)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const HOUR: i64 = 3_600_000;

    #[test]
    fn a_category_is_put_off_for_longer_each_time_and_taken_up_when_its_outlets_recover() {
        let lines = Lines::default();
        let first = decide(CategoryId(1), &[Some(0.3), None, Some(0.4)], lines, None, Timestamp(0));
        assert_eq!((first.action, first.retries), (Action::Skipped, 0));
        assert_eq!(first.retry_at, Some(Timestamp(6 * HOUR)));
        assert!(!is_open(Some(&first), first.mean, lines, Timestamp(HOUR)));

        let early = decide(CategoryId(1), &[Some(0.3)], lines, Some(&first), Timestamp(HOUR));
        assert_eq!((early.retry_at, early.retries), (first.retry_at, 0), "not tried yet");

        assert!(is_open(Some(&early), Some(0.35), lines, Timestamp(6 * HOUR)));
        let second = decide(CategoryId(1), &[Some(0.35)], lines, Some(&early), Timestamp(6 * HOUR));
        assert!(second.was_retry);
        assert_eq!(second.retry_at, Some(Timestamp(18 * HOUR)));

        assert!(is_open(Some(&second), Some(0.7), lines, Timestamp(7 * HOUR)), "it recovered");
        let third = decide(CategoryId(1), &[Some(0.7)], lines, Some(&second), Timestamp(7 * HOUR));
        assert_eq!((third.action, third.factor, third.retry_at), (Action::Scored, 1.0, None));
    }

    #[test]
    fn a_category_whose_outlets_nobody_rated_is_kept() {
        let made = decide(CategoryId(1), &[None, None], Lines::default(), None, Timestamp(0));
        assert_eq!((made.action, made.mean, made.representatives), (Action::Scored, None, 2));
    }

    proptest! {
        #[test]
        fn a_better_mean_never_ranks_lower(a in 0.0..1.0_f64, b in 0.0..1.0_f64) {
            let lines = Lines::default();
            let (low, high) = (a.min(b), a.max(b));
            prop_assert!(lines.action(Some(low)).1 <= lines.action(Some(high)).1);
            prop_assert!((0.0..=1.0).contains(&lines.action(Some(a)).1));
        }
    }
}
