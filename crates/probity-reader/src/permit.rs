//! How many pairs are read at once, over the whole process.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, LazyLock, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::stop::{Stop, Stopped};

/// The most threads that read unless more are asked for: beyond, they wait for memory.
const THREADS: usize = 4;
/// How often a thread that waits for its turn looks whether it is still wanted.
const LOOK: Duration = Duration::from_millis(20);

/// How many threads may read, once someone has said so; 0 before.
static ALLOWED: AtomicUsize = AtomicUsize::new(0);
/// How many may read otherwise. Asking the system costs more than it should for every pair.
static USUAL: LazyLock<usize> =
    LazyLock::new(|| thread::available_parallelism().map_or(1, usize::from).min(THREADS));
static BUSY: Mutex<usize> = Mutex::new(0);
static FREED: Condvar = Condvar::new();

/// How many threads may read at once.
pub(crate) fn allowed() -> usize {
    match ALLOWED.load(Ordering::Relaxed) {
        0 => *USUAL,
        threads => threads,
    }
}

/// Sets how many threads may read at once.
pub(crate) fn allow(threads: usize) {
    ALLOWED.store(threads.max(1), Ordering::Relaxed);
    FREED.notify_all();
}

/// The right to read one pair.
pub(crate) struct Permit;

impl Permit {
    /// Waits for a turn, or for the caller to give up.
    pub(crate) fn wait(stop: &Stop) -> Result<Self, Stopped> {
        let mut busy = BUSY.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            stop.check()?;
            if let Some(permit) = Self::take(&mut busy) {
                return Ok(permit);
            }
            (busy, _) = FREED.wait_timeout(busy, LOOK).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn take(busy: &mut usize) -> Option<Self> {
        (*busy < allowed()).then(|| {
            *busy += 1;
            Self
        })
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut busy = BUSY.lock().unwrap_or_else(PoisonError::into_inner);
        *busy = busy.saturating_sub(1);
        FREED.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_pairs_are_read_at_once_than_allowed() {
        allow(2);
        let (first, second) = (Permit::wait(&Stop::never()), Permit::wait(&Stop::never()));
        assert!(first.is_ok() && second.is_ok());
        let third = Permit::take(&mut BUSY.lock().unwrap());
        assert!(third.is_none());
        drop(first);
        assert!(Permit::wait(&Stop::never()).is_ok());
    }
}
