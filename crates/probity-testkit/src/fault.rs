//! The switch that makes one call fail: the n-th of a kind, whichever it is.
//!
//! ```text
//! count a whole run → for each n: run with the n-th call failing → it ends as it should
//! ```
//!
//! Every n is tried where `PROBITY_TORTURE=all`; otherwise a few, drawn the same way each time.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The environment variable that has every n tried.
pub const ALL_VARIABLE: &str = "PROBITY_TORTURE";

/// Counts calls and says which of them fails. Clones count together.
#[derive(Debug, Clone, Default)]
pub struct Fault {
    calls: Arc<AtomicUsize>,
    /// Which call fails, counted from 1; none where it is 0.
    at: usize,
}

impl Fault {
    /// The `nth` call fails, counted from 1.
    pub fn at(nth: usize) -> Self {
        Self { calls: Arc::default(), at: nth }
    }

    /// None fails; they are only counted.
    pub fn never() -> Self {
        Self::default()
    }

    /// Counts a call; whether it is the one that fails.
    pub fn strikes(&self) -> bool {
        self.calls.fetch_add(1, Ordering::SeqCst) + 1 == self.at
    }

    /// How many calls there were.
    pub fn calls(&self) -> usize {
        self.calls.load(Ordering::SeqCst)
    }
}

/// The n that are tried of this many calls: all of them, or the first, the last and some between.
pub fn chosen(calls: usize, some: usize) -> Vec<usize> {
    let all = std::env::var(ALL_VARIABLE).is_ok_and(|value| value == "all");
    if all || calls <= some {
        return (1..=calls).collect();
    }
    let mut chosen: Vec<usize> =
        (0..some).map(|n| 1 + n * (calls - 1) / some.max(2).saturating_sub(1)).collect();
    chosen.dedup();
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_call_fails_and_all_are_counted() {
        let fault = Fault::at(3);
        let struck: Vec<bool> = (0..5).map(|_| fault.clone().strikes()).collect();
        assert_eq!(struck, [false, false, true, false, false]);
        assert_eq!(fault.calls(), 5);
        assert!((0..9).all(|_| !Fault::never().strikes()));
    }

    #[test]
    fn a_few_are_chosen_with_both_ends() {
        if std::env::var(ALL_VARIABLE).is_ok() {
            return;
        }
        assert_eq!(chosen(3, 5), [1, 2, 3]);
        assert_eq!(chosen(100, 5), [1, 25, 50, 75, 100]);
    }
}
