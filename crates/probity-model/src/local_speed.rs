//! How fast a server on the user's machine is, learned from its answers.
//!
//! A provider of the web answers in seconds whatever is asked. A model on a laptop reads and writes a few tokens a second and
//! does one thing at a time: deadlines and parallel calls have to follow it, or everything is out of time.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use url::{Host, Url};

use crate::reply::TokenCount;

/// Tokens that are read in the time in which one is written.
const READ_PER_WRITTEN: f64 = 8.0;
/// How much the latest answer counts beside those before it.
const LATEST: f64 = 0.5;
/// Answers shorter than this say more about the way than about the speed, in tokens of work.
const LEAST_WORK: f64 = 4.0;

/// A call that had less time than this says nothing by being late.
const LATE_LEAST: Duration = Duration::from_secs(5);

/// What a server has shown of its speed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Speed {
    /// Tokens that it writes in a second; nothing before its first answer.
    pub per_second: Option<f64>,
    /// How many calls it works on at once.
    pub slots: usize,
}

impl Speed {
    /// How long it takes to read this many tokens and write this many, as far as is known.
    pub fn time(&self, input: u64, output: u64) -> Option<Duration> {
        let seconds = work(input, output) / self.per_second?;
        seconds.is_finite().then(|| Duration::from_secs_f64(seconds.clamp(0.0, 86_400.0)))
    }
}

/// Learns a server's speed.
#[derive(Debug)]
pub(crate) struct Pace {
    per_second: Mutex<Option<f64>>,
    slots: AtomicUsize,
}

impl Pace {
    pub(crate) fn new(slots: usize) -> Self {
        Self { per_second: Mutex::new(None), slots: AtomicUsize::new(slots) }
    }

    /// Takes note of an answer and of how long it took.
    pub(crate) fn note(&self, tokens: TokenCount, took: Duration) {
        // What the server had read before it did not read again.
        let done = work(tokens.input.saturating_sub(tokens.cached), tokens.output);
        if done < LEAST_WORK || took.is_zero() {
            return;
        }
        let latest = done / took.as_secs_f64();
        let mut known = self.per_second.lock().unwrap_or_else(PoisonError::into_inner);
        *known = Some(known.map_or(latest, |known| known + LATEST * (latest - known)));
    }

    /// Takes note of a call that was out of time: the server is slower than whoever reads and writes so much in that
    /// time. Else one that never ends in time would never be given more of it.
    pub(crate) fn was_late(&self, input: u64, output: u64, took: Duration) {
        if took < LATE_LEAST {
            return;
        }
        let at_most = work(input, output) / took.as_secs_f64();
        let mut known = self.per_second.lock().unwrap_or_else(PoisonError::into_inner);
        *known = Some(known.map_or(at_most, |known| known.min(at_most)));
    }

    /// Takes note of how many calls the server works on at once.
    pub(crate) fn has_slots(&self, slots: usize) {
        self.slots.store(slots.max(1), Ordering::Relaxed);
    }

    pub(crate) fn speed(&self) -> Speed {
        let per_second = *self.per_second.lock().unwrap_or_else(PoisonError::into_inner);
        Speed { per_second, slots: self.slots.load(Ordering::Relaxed).max(1) }
    }
}

/// The size of a call in tokens written.
fn work(input: u64, output: u64) -> f64 {
    input as f64 / READ_PER_WRITTEN + output as f64
}

/// Whether a server is on this machine or in the house, so that no one but its user waits for it.
pub(crate) fn is_local(base: &Url) -> bool {
    match base.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback() || address.is_private(),
        Some(Host::Ipv6(address)) => address.is_loopback() || address.is_unique_local(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_speed_is_learned_from_answers() {
        let pace = Pace::new(1);
        assert_eq!(pace.speed(), Speed { per_second: None, slots: 1 });
        let tokens = |input, output| TokenCount { input, output, ..TokenCount::default() };
        pace.note(tokens(800, 100), Duration::from_secs(20));
        assert_eq!(pace.speed().per_second, Some(10.0));
        assert_eq!(pace.speed().time(1_600, 100), Some(Duration::from_secs(30)));
        // A slower answer counts half, one without work not at all.
        pace.note(tokens(0, 100), Duration::from_secs(20));
        pace.note(tokens(1, 0), Duration::from_secs(60));
        assert_eq!(pace.speed().per_second, Some(7.5));
        // One that is out of time was at most so fast, and never faster than is known.
        pace.was_late(400, 100, Duration::from_secs(30));
        assert_eq!(pace.speed().per_second, Some(5.0));
        pace.was_late(400, 1_000, Duration::from_secs(30));
        pace.was_late(0, 1, Duration::from_secs(1));
        assert_eq!(pace.speed().per_second, Some(5.0));
        pace.has_slots(4);
        assert_eq!(pace.speed().slots, 4);
    }

    #[test]
    fn a_server_is_local_by_its_address() {
        let local = |text: &str| is_local(&text.parse().unwrap());
        for own in [
            "http://127.0.0.1:8080/v1",
            "http://localhost:1/",
            "http://192.168.1.4/",
            "http://[::1]/",
        ] {
            assert!(local(own), "{own}");
        }
        for other in ["https://api.example.com/v1", "http://8.8.8.8/", "http://localhost.example/"]
        {
            assert!(!local(other), "{other}");
        }
    }
}
