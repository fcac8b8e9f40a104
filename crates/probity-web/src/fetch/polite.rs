//! Each host gets few requests at a time, with a pause between them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use probity_core::shared::{Reserved, Shared};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

use super::limits::{CRAWL_DELAY_MAX, HOSTS_REMEMBERED};

/// What is known of the hosts that were asked lately.
pub(crate) struct Politeness {
    per_host: usize,
    delay: Duration,
    hosts: Mutex<HashMap<String, Arc<Host>>>,
    /// Who else asks the same hosts, if anyone is known to.
    shared: Option<Arc<dyn Shared>>,
}

struct Host {
    places: Arc<Semaphore>,
    pace: Mutex<Pace>,
}

struct Pace {
    /// When the next request may start.
    next: Instant,
    /// The least time between two requests.
    delay: Duration,
    /// Until when the host asked us to back off.
    closed_until: Option<Instant>,
}

/// The leave to send one request to a host; it ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Turn(#[allow(dead_code, reason = "held, not read")] OwnedSemaphorePermit);

/// The turn would come after the deadline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoTurn {
    /// The host asked us to stay away for this long.
    Closed(Duration),
    /// The queue for the host is this long.
    Queue(Duration),
}

impl Politeness {
    pub(crate) fn new(per_host: usize, delay: Duration) -> Self {
        Self { per_host, delay, hosts: Mutex::new(HashMap::new()), shared: None }
    }

    /// The same, in step with other processes.
    pub(crate) fn sharing(mut self, shared: Option<Arc<dyn Shared>>) -> Self {
        self.shared = shared;
        self
    }

    /// Waits for a turn at a host; at once an error when none can come before the deadline.
    pub(crate) async fn turn(&self, name: &str, deadline: Instant) -> Result<Turn, NoTurn> {
        let host = self.host(name);
        host.open_before(deadline)?;
        let Ok(place) = Arc::clone(&host.places).acquire_owned().await else {
            return Err(NoTurn::Queue(Duration::ZERO));
        };
        let start = host.reserve(deadline)?;
        tokio::time::sleep_until(start).await;
        if let Some(shared) = &self.shared {
            let delay = lock(&host.pace).delay;
            let left = deadline.saturating_duration_since(Instant::now());
            match shared.reserve(&shared_name(name), delay, left).await {
                Reserved::After(wait) => tokio::time::sleep(wait).await,
                Reserved::Closed(wait) => return Err(NoTurn::Closed(wait)),
                Reserved::Full(wait) => return Err(NoTurn::Queue(wait)),
            }
        }
        Ok(Turn(place))
    }

    /// Takes the pause that a host's robots.txt asks for, within reason.
    pub(crate) fn slow_down(&self, host: &str, delay: Duration) {
        let host = self.host(host);
        let mut pace = lock(&host.pace);
        pace.delay = delay.min(CRAWL_DELAY_MAX).max(self.delay);
    }

    /// Backs off from a host.
    pub(crate) fn close(&self, name: &str, wait: Duration) {
        let until = Instant::now() + wait;
        if let Some(shared) = &self.shared {
            let (shared, name) = (Arc::clone(shared), shared_name(name));
            tokio::spawn(async move { shared.close(&name, wait).await });
        }
        let host = self.host(name);
        let mut pace = lock(&host.pace);
        pace.closed_until = Some(pace.closed_until.map_or(until, |before| before.max(until)));
    }

    fn host(&self, name: &str) -> Arc<Host> {
        let mut hosts = lock(&self.hosts);
        if let Some(host) = hosts.get(name) {
            return Arc::clone(host);
        }
        if hosts.len() >= HOSTS_REMEMBERED {
            forget_idle(&mut hosts);
        }
        let host = Arc::new(Host {
            places: Arc::new(Semaphore::new(self.per_host)),
            pace: Mutex::new(Pace { next: Instant::now(), delay: self.delay, closed_until: None }),
        });
        hosts.insert(name.to_owned(), Arc::clone(&host));
        host
    }
}

impl Host {
    fn open_before(&self, deadline: Instant) -> Result<(), NoTurn> {
        let now = Instant::now();
        match lock(&self.pace).closed_until {
            Some(until) if until >= deadline => Err(NoTurn::Closed(until.duration_since(now))),
            _ => Ok(()),
        }
    }

    /// Takes the next start and moves the one after it on.
    fn reserve(&self, deadline: Instant) -> Result<Instant, NoTurn> {
        self.open_before(deadline)?;
        let now = Instant::now();
        let mut pace = lock(&self.pace);
        let start = now.max(pace.next).max(pace.closed_until.unwrap_or(now));
        if start >= deadline {
            return Err(NoTurn::Queue(start.duration_since(now)));
        }
        pace.next = start + pace.delay;
        Ok(start)
    }
}

/// What processes call a host among themselves.
fn shared_name(host: &str) -> String {
    format!("host {host}")
}

/// Forgets hosts that no request waits for: first those that ask for no patience, then any.
fn forget_idle(hosts: &mut HashMap<String, Arc<Host>>) {
    let now = Instant::now();
    hosts.retain(|_, host| {
        let pace = lock(&host.pace);
        Arc::strong_count(host) > 1
            || pace.next > now
            || pace.closed_until.is_some_and(|until| until > now)
    });
    if hosts.len() >= HOSTS_REMEMBERED {
        hosts.retain(|_, host| Arc::strong_count(host) > 1);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[tokio::test(start_paused = true)]
    async fn requests_to_one_host_are_spaced_and_others_do_not_wait() {
        let politeness = Politeness::new(2, SECOND);
        let begin = Instant::now();
        let deadline = begin + 30 * SECOND;
        for nth in 0..3 {
            drop(politeness.turn("a.example", deadline).await.unwrap());
            assert_eq!(begin.elapsed(), nth * SECOND);
        }
        drop(politeness.turn("b.example", deadline).await.unwrap());
        assert_eq!(begin.elapsed(), 2 * SECOND);
    }

    #[tokio::test(start_paused = true)]
    async fn no_more_turns_than_places_at_once() {
        let politeness = Politeness::new(1, Duration::ZERO);
        let deadline = Instant::now() + 30 * SECOND;
        let held = politeness.turn("a.example", deadline).await.unwrap();
        let second = politeness.turn("a.example", deadline);
        assert!(tokio::time::timeout(SECOND, second).await.is_err());
        drop(held);
        assert!(politeness.turn("a.example", deadline).await.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn a_turn_after_the_deadline_is_refused_at_once() {
        let politeness = Politeness::new(1, Duration::ZERO);
        let begin = Instant::now();
        politeness.close("a.example", 60 * SECOND);
        assert_eq!(
            politeness.turn("a.example", begin + 30 * SECOND).await.unwrap_err(),
            NoTurn::Closed(60 * SECOND)
        );
        assert_eq!(begin.elapsed(), Duration::ZERO);
        politeness.turn("a.example", begin + 90 * SECOND).await.unwrap();
        assert_eq!(begin.elapsed(), 60 * SECOND);
    }

    #[tokio::test(start_paused = true)]
    async fn a_crawl_delay_counts_up_to_its_cap() {
        let politeness = Politeness::new(1, SECOND);
        let begin = Instant::now();
        let deadline = begin + 1000 * SECOND;
        politeness.slow_down("a.example", Duration::from_secs(86_400));
        politeness.turn("a.example", deadline).await.unwrap();
        politeness.turn("a.example", deadline).await.unwrap();
        assert_eq!(begin.elapsed(), CRAWL_DELAY_MAX);
    }

    #[tokio::test(start_paused = true)]
    async fn only_so_many_hosts_are_remembered() {
        let politeness = Politeness::new(1, SECOND);
        let deadline = Instant::now() + 30 * SECOND;
        for nth in 0..HOSTS_REMEMBERED + 10 {
            politeness.turn(&format!("h{nth}.example"), deadline).await.unwrap();
        }
        assert!(lock(&politeness.hosts).len() <= HOSTS_REMEMBERED);
    }
}
