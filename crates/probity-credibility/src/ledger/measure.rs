//! The numbers of the ledger and the one rule that moves a score.

use std::fmt;

use probity_core::Band;
use serde::Serialize;

/// A number that is not where it must be.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("{what} of {value} is outside 0 to 1")]
pub struct RangeError {
    /// What the number is: `a score`, `an alpha`.
    pub what: &'static str,
    /// The number that was given.
    pub value: f64,
}

fn unit(what: &'static str, value: f64) -> Result<f64, RangeError> {
    if (0.0..=1.0).contains(&value) {
        // Adding zero turns -0.0 into 0.0, so that equal scores have equal bits.
        Ok(value + 0.0)
    } else {
        Err(RangeError { what, value })
    }
}

/// An outlet's credibility: a finite number from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize)]
#[serde(transparent)]
pub struct Credibility(f64);

impl Credibility {
    /// Where an outlet begins that the ledger has never seen.
    pub const NEUTRAL: Self = Self(0.5);

    /// Takes a number as a credibility.
    ///
    /// # Errors
    /// When it is not a number from 0 to 1.
    pub fn new(value: f64) -> Result<Self, RangeError> {
        unit("a score", value).map(Self)
    }

    /// The number.
    pub fn get(self) -> f64 {
        self.0
    }

    /// How the number is read.
    pub fn band(self) -> Band {
        Band::of(self.0)
    }

    pub(super) const fn seed(value: f64) -> Self {
        Self(value)
    }
}

impl fmt::Display for Credibility {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// How far one coding moves a score towards its target: 0 not at all, 1 all the way.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize)]
#[serde(transparent)]
pub struct Alpha(f64);

impl Alpha {
    /// The step by default.
    pub const DEFAULT: Self = Self(0.1);
    /// All the way.
    pub const WHOLE: Self = Self(1.0);

    /// Takes a number as a step.
    ///
    /// # Errors
    /// When it is not a number from 0 to 1.
    pub fn new(value: f64) -> Result<Self, RangeError> {
        unit("an alpha", value).map(Self)
    }

    /// The number.
    pub fn get(self) -> f64 {
        self.0
    }
}

impl Default for Alpha {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Where a coding pulls a score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// Towards 1: the weights sum above zero.
    Trust,
    /// Towards 0: the weights sum below zero.
    Distrust,
}

impl Target {
    /// The target of a sum of weights; none when they cancel out, and then nothing moves.
    pub fn of_sum(sum: i64) -> Option<Self> {
        match sum.cmp(&0) {
            std::cmp::Ordering::Greater => Some(Self::Trust),
            std::cmp::Ordering::Less => Some(Self::Distrust),
            std::cmp::Ordering::Equal => None,
        }
    }

    /// The score that the target stands for.
    pub fn value(self) -> f64 {
        match self {
            Self::Trust => 1.0,
            Self::Distrust => 0.0,
        }
    }
}

/// The exponential moving average: `prev + alpha · (target − prev)`, kept between the two so that
/// no rounding error can carry it past its target. Without a target nothing moves.
pub fn nudge(prev: Credibility, alpha: Alpha, target: Option<Target>) -> Credibility {
    let Some(target) = target.map(Target::value) else { return prev };
    let next = prev.0 + alpha.0 * (target - prev.0);
    Credibility(next.clamp(prev.0.min(target), prev.0.max(target)) + 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_tenth_of_the_way_is_the_default_step() {
        let before = Credibility::new(0.92).unwrap();
        let up = nudge(before, Alpha::DEFAULT, Some(Target::Trust));
        let down = nudge(before, Alpha::DEFAULT, Some(Target::Distrust));
        assert!((up.get() - 0.928).abs() < 1e-12, "{up}");
        assert!((down.get() - 0.828).abs() < 1e-12, "{down}");
        assert_eq!(nudge(before, Alpha::DEFAULT, None), before);
    }

    #[test]
    fn what_is_not_between_zero_and_one_is_refused() {
        for value in [-0.1, 1.0000001, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(Credibility::new(value).is_err(), "{value}");
            assert!(Alpha::new(value).is_err(), "{value}");
        }
        assert_eq!(Credibility::new(-0.0).unwrap().get().to_bits(), 0);
        assert_eq!(Alpha::new(1.5).unwrap_err().to_string(), "an alpha of 1.5 is outside 0 to 1");
    }

    proptest! {
        #[test]
        fn a_nudge_stays_in_range_and_never_overshoots(
            prev in 0.0..=1.0f64, alpha in 0.0..=1.0f64, up in any::<bool>()
        ) {
            let target = if up { Target::Trust } else { Target::Distrust };
            let next = nudge(
                Credibility::new(prev).unwrap(), Alpha::new(alpha).unwrap(), Some(target)).get();
            prop_assert!((0.0..=1.0).contains(&next));
            prop_assert!((target.value() - next).abs() <= (target.value() - prev).abs());
            let forward = if up { next >= prev } else { next <= prev };
            prop_assert!(forward);
            let expected = prev + alpha * (target.value() - prev);
            prop_assert!((next - expected).abs() < 1e-15);
        }

        #[test]
        fn the_ends_of_alpha_are_nothing_and_everything(prev in 0.0..=1.0f64, up in any::<bool>()) {
            let target = if up { Target::Trust } else { Target::Distrust };
            let prev = Credibility::new(prev).unwrap();
            let step = |alpha| nudge(prev, Alpha::new(alpha).unwrap(), Some(target)).get();
            prop_assert_eq!(step(0.0), prev.get());
            prop_assert!((step(1.0) - target.value()).abs() < 1e-15);
        }

        #[test]
        fn a_bigger_alpha_never_moves_less(
            prev in 0.0..=1.0f64, a in 0.0..=1.0f64, b in 0.0..=1.0f64, up in any::<bool>()
        ) {
            let target = if up { Target::Trust } else { Target::Distrust };
            let prev = Credibility::new(prev).unwrap();
            let moved = |alpha| {
                (nudge(prev, Alpha::new(alpha).unwrap(), Some(target)).get() - prev.get()).abs()
            };
            prop_assert!(moved(a.min(b)) <= moved(a.max(b)));
        }
    }
}
