//! A provider that fails again and again is left alone for a while.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// So many failures in a row open the circuit.
const FAILURES: u32 = 6;
/// How long no call is made; after it one call tries, and the next failure opens it again.
const REST: Duration = Duration::from_secs(30);

#[derive(Debug, Default)]
struct State {
    failures: u32,
    rests_until: Option<Instant>,
}

/// Counts failures in a row.
#[derive(Debug, Default)]
pub(crate) struct Breaker(Mutex<State>);

impl Breaker {
    /// Whether the provider may be asked now.
    pub(crate) fn allows(&self) -> bool {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match state.rests_until {
            Some(until) if Instant::now() < until => false,
            Some(_) => {
                // One call finds out; the others wait for another rest or its success.
                state.rests_until = Some(Instant::now() + REST);
                true
            }
            None => true,
        }
    }

    /// Notes how a call ended.
    pub(crate) fn note(&self, failed: bool) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !failed {
            *state = State::default();
            return;
        }
        state.failures = state.failures.saturating_add(1);
        if state.failures >= FAILURES {
            state.rests_until = Some(Instant::now() + REST);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn it_opens_after_failures_in_a_row_lets_one_try_and_closes_on_success() {
        let breaker = Breaker::default();
        for _ in 1..FAILURES {
            breaker.note(true);
        }
        breaker.note(false);
        for _ in 0..FAILURES {
            assert!(breaker.allows(), "a success forgets the failures before it");
            breaker.note(true);
        }
        assert!(!breaker.allows());
        tokio::time::advance(REST).await;
        assert!(breaker.allows());
        assert!(!breaker.allows(), "only one call tries");
        breaker.note(false);
        assert!(breaker.allows() && breaker.allows());
    }
}
