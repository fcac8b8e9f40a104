//! How fast one provider is asked: a slot for each request, spaced as it wishes.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use probity_core::shared::{Reserved, Shared};
use tokio::time::Instant;

/// Why no slot is free before a deadline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Full {
    /// Other requests are waiting already.
    Queue,
    /// The provider asked us to back off for this long.
    Held(Duration),
    /// All processes skip it for this long: one of them was asked to, or it failed again and again.
    Resting(Duration),
}

/// Spaces requests to one provider. Shared by all queries of a [`super::SearchSet`].
#[derive(Debug)]
pub(crate) struct Pace {
    interval: Duration,
    times: Mutex<Times>,
    /// Who else asks the same provider, by a name that they all know.
    shared: Option<(Arc<dyn Shared>, String)>,
}

#[derive(Debug)]
struct Times {
    next: Instant,
    held_until: Instant,
}

impl Pace {
    /// Allows this many requests a second, one after the other.
    pub(crate) fn per_second(rate: f64) -> Self {
        let interval = Duration::try_from_secs_f64(1.0 / rate).unwrap_or(Duration::ZERO);
        let now = Instant::now();
        Self { interval, times: Mutex::new(Times { next: now, held_until: now }), shared: None }
    }

    /// The same, in step with other processes.
    pub(crate) fn sharing(mut self, shared: Option<Arc<dyn Shared>>, provider: &str) -> Self {
        self.shared = shared.map(|shared| (shared, format!("search {provider}")));
        self
    }

    /// Waits for a slot; an error, at once, when none is free before the deadline.
    pub(crate) async fn slot_before(&self, deadline: Instant) -> Result<(), Full> {
        let slot = self.reserve(deadline)?;
        tokio::time::sleep_until(slot).await;
        let Some((shared, name)) = &self.shared else { return Ok(()) };
        let left = deadline.saturating_duration_since(Instant::now());
        match shared.reserve(name, self.interval, left).await {
            Reserved::After(wait) => tokio::time::sleep(wait).await,
            Reserved::Closed(wait) => return Err(Full::Resting(wait)),
            Reserved::Full(_) => return Err(Full::Queue),
        }
        Ok(())
    }

    /// Backs off from the provider, as it asked.
    pub(crate) fn hold_off(&self, wait: Duration) {
        if let Some((shared, name)) = &self.shared {
            let (shared, name) = (Arc::clone(shared), name.clone());
            tokio::spawn(async move { shared.close(&name, wait).await });
        }
        let mut times = self.times();
        if let Some(until) = Instant::now().checked_add(wait) {
            times.held_until = times.held_until.max(until);
        }
    }

    /// Notes whether asking failed by the provider's fault, so that all processes skip one that
    /// fails again and again.
    pub(crate) async fn note(&self, failed: bool) {
        if let Some((shared, name)) = &self.shared {
            shared.note(name, failed).await;
        }
    }

    fn reserve(&self, deadline: Instant) -> Result<Instant, Full> {
        let mut times = self.times();
        let now = Instant::now();
        if times.held_until >= deadline {
            return Err(Full::Held(times.held_until.saturating_duration_since(now)));
        }
        let slot = times.next.max(times.held_until).max(now);
        if slot >= deadline {
            return Err(Full::Queue);
        }
        times.next = slot.checked_add(self.interval).ok_or(Full::Queue)?;
        Ok(slot)
    }

    fn times(&self) -> MutexGuard<'_, Times> {
        // Nothing is left half done while the lock is held, so a poisoned one is as good.
        self.times.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn requests_are_spaced_and_late_ones_refused_at_once() {
        let pace = Pace::per_second(0.5);
        let start = Instant::now();
        let deadline = start + Duration::from_secs(5);
        pace.slot_before(deadline).await.unwrap();
        assert_eq!(start.elapsed(), Duration::ZERO);
        pace.slot_before(deadline).await.unwrap();
        pace.slot_before(deadline).await.unwrap();
        assert_eq!(start.elapsed(), Duration::from_secs(4));
        assert_eq!(
            pace.slot_before(deadline).await,
            Err(Full::Queue),
            "the next slot is after the deadline"
        );
        assert_eq!(start.elapsed(), Duration::from_secs(4));
    }

    #[tokio::test(start_paused = true)]
    async fn a_refused_request_takes_no_slot() {
        let pace = Pace::per_second(1.0);
        let start = Instant::now();
        pace.slot_before(start + Duration::from_secs(1)).await.unwrap();
        assert_eq!(pace.slot_before(start + Duration::from_millis(500)).await, Err(Full::Queue));
        pace.slot_before(start + Duration::from_secs(9)).await.unwrap();
        assert_eq!(start.elapsed(), Duration::from_secs(1));
    }

    #[tokio::test(start_paused = true)]
    async fn every_query_waits_when_the_provider_asked_for_it() {
        let pace = Pace::per_second(100.0);
        let start = Instant::now();
        pace.hold_off(Duration::from_secs(3));
        assert_eq!(
            pace.slot_before(start + Duration::from_secs(2)).await,
            Err(Full::Held(Duration::from_secs(3)))
        );
        pace.slot_before(start + Duration::from_secs(4)).await.unwrap();
        assert_eq!(start.elapsed(), Duration::from_secs(3));
    }
}
