//! Guessing passwords is slow: failures from an address, and for a name, are counted for a while.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::limits;

/// Failures by address and by name. Each counts for a while, then is forgotten.
#[derive(Default)]
pub(crate) struct Throttle(Mutex<HashMap<String, Failures>>);

struct Failures {
    count: u32,
    last: Instant,
}

impl Failures {
    /// How long somebody with so many failures has to wait: longer with each beyond the few that
    /// anybody may make.
    fn pause(&self) -> Duration {
        let beyond = self.count.saturating_sub(limits::LOGIN_TRIES.saturating_sub(1));
        limits::LOGIN_PAUSE * 2u32.saturating_pow(beyond.min(6)).saturating_sub(1)
    }
}

impl Throttle {
    /// How many seconds somebody has to wait before another try.
    pub(crate) fn wait(&self, keys: &[String], now: Instant) -> Option<u64> {
        let failures = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let waits = keys.iter().filter_map(|key| {
            let known = failures.get(key)?;
            let left = known.pause().checked_sub(now.duration_since(known.last))?;
            (!left.is_zero()).then(|| left.as_secs() + 1)
        });
        waits.max()
    }

    /// Counts a failure.
    pub(crate) fn fail(&self, keys: &[String], now: Instant) {
        let mut failures = self.0.lock().unwrap_or_else(PoisonError::into_inner);
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
    }

    /// Forgets somebody who got it right.
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
        for _ in 0..limits::LOGIN_TRIES - 1 {
            throttle.fail(&ada, start);
            assert_eq!(throttle.wait(&ada, start), None);
        }
        throttle.fail(&ada, start);
        let first = throttle.wait(&ada, start).unwrap();
        throttle.fail(&ada, start);
        assert!(throttle.wait(&ada, start).unwrap() > first);
        assert_eq!(throttle.wait(&bob, start), None);
        assert_eq!(throttle.wait(&ada, start + Duration::from_secs(24 * 3600)), None);
        throttle.forget(&ada);
        assert_eq!(throttle.wait(&ada, start), None);
    }
}
