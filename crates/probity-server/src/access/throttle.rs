//! Guessing passwords is slow: tries from an address, and for a name, are counted for a while.
//!
//! A try counts when it starts, so that a hundred at once are no cheaper than a hundred in turn. One that
//! was right takes all of them back.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::limits;

/// Tries by address and by name. Each counts as a failure for a while, unless it was right.
#[derive(Default)]
pub(crate) struct Throttle(Mutex<HashMap<String, Failures>>);

struct Failures {
    count: u32,
    last: Instant,
}

impl Failures {
    /// How long a caller with that many failures has to wait: longer with each beyond the few that
    /// anyone may make.
    fn pause(&self) -> Duration {
        let beyond = self.count.saturating_sub(limits::LOGIN_TRIES.saturating_sub(1));
        limits::LOGIN_PAUSE * 2u32.saturating_pow(beyond.min(6)).saturating_sub(1)
    }
}

impl Throttle {
    /// Begins a try, which counts as a failure from now on.
    ///
    /// # Errors
    /// How many seconds to wait before another try.
    pub(crate) fn begin(&self, keys: &[String], now: Instant) -> Result<(), u64> {
        let mut failures = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let waits = keys.iter().filter_map(|key| {
            let known = failures.get(key)?;
            let left = known.pause().checked_sub(now.duration_since(known.last))?;
            (!left.is_zero()).then(|| left.as_secs() + 1)
        });
        if let Some(seconds) = waits.max() {
            return Err(seconds);
        }
        let forgotten = limits::LOGIN_PAUSE * 64;
        if failures.len() >= limits::CLIENTS {
            failures.retain(|_, known| now.duration_since(known.last) < forgotten);
        }
        for key in keys {
            if failures.len() >= limits::CLIENTS && !failures.contains_key(key) {
                continue;
            }
            let known = failures.entry(key.clone()).or_insert(Failures { count: 0, last: now });
            if now.duration_since(known.last) >= forgotten {
                known.count = 0;
            }
            known.count = known.count.saturating_add(1);
            known.last = now;
        }
        Ok(())
    }

    /// Takes a try back that was never made.
    pub(crate) fn take_back(&self, keys: &[String]) {
        let mut failures = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for key in keys {
            let Some(known) = failures.get_mut(key) else { continue };
            known.count = known.count.saturating_sub(1);
            if known.count == 0 {
                failures.remove(key);
            }
        }
    }

    /// Forgets a caller who succeeded.
    pub(crate) fn forget(&self, keys: &[String]) {
        let mut failures = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for key in keys {
            failures.remove(key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_mistakes_are_free_and_more_cost_time() {
        let (throttle, start) = (Throttle::default(), Instant::now());
        let (ada, bob) = (["ada".to_owned()], ["bob".to_owned()]);
        for _ in 0..limits::LOGIN_TRIES {
            assert_eq!(throttle.begin(&ada, start), Ok(()));
        }
        let first = throttle.begin(&ada, start).unwrap_err();
        let later = start + Duration::from_secs(first);
        assert_eq!(throttle.begin(&ada, later), Ok(()));
        assert!(throttle.begin(&ada, later).unwrap_err() > first);
        assert_eq!(throttle.begin(&bob, start), Ok(()));
        assert_eq!(throttle.begin(&ada, start + Duration::from_secs(24 * 3600)), Ok(()));
        throttle.forget(&ada);
        assert_eq!(throttle.begin(&ada, start), Ok(()));
    }

    #[test]
    fn a_try_that_was_never_made_does_not_count() {
        let (throttle, start, ada) = (Throttle::default(), Instant::now(), ["ada".to_owned()]);
        for _ in 0..limits::LOGIN_TRIES * 3 {
            assert_eq!(throttle.begin(&ada, start), Ok(()));
            throttle.take_back(&ada);
        }
    }
}
