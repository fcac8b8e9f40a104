//! When articles were published, and how likeness fades over time.

use super::Settings;

/// Milliseconds in an hour.
const HOUR: f64 = 3_600_000.0;

/// The times of some articles: how many have one, and their sum in milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Times {
    dated: u32,
    sum: i128,
}

impl Times {
    /// The times of some articles.
    pub(super) fn of(times: impl IntoIterator<Item = Option<i64>>) -> Self {
        let one = |at: i64| Self { dated: 1, sum: at.into() };
        times.into_iter().flatten().fold(Self::default(), |all, at| all.and(one(at)))
    }

    /// The times of two groups together.
    pub(super) fn and(self, other: Self) -> Self {
        Self { dated: self.dated.saturating_add(other.dated), sum: self.sum + other.sum }
    }

    /// The mean, in milliseconds since 1970; 0 where no time is known.
    pub(super) fn place(self) -> i64 {
        i64::try_from(self.sum / i128::from(self.dated.max(1))).unwrap_or(0)
    }

    fn mean(self) -> Option<f64> {
        (self.dated > 0).then(|| self.sum as f64 / f64::from(self.dated))
    }

    /// The share of likeness that is left over the time between two groups; all of it where a time
    /// is not known.
    pub(super) fn decay(self, other: Self, settings: &Settings) -> f32 {
        let (Some(left), Some(right)) = (self.mean(), other.mean()) else { return 1.0 };
        let hours = (left - right).abs() / HOUR;
        (0.5_f64).powf(hours / f64::from(settings.half_life_hours.max(0.001))) as f32
    }
}
