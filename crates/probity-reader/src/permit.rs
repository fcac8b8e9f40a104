//! How many pairs are read at once, over the whole process.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::stop::{Stop, Stopped};

/// The most threads that read unless more are asked for: beyond, they wait for memory.
const THREADS: usize = 4;
/// How often a thread that waits for its turn looks whether it is still wanted.
const LOOK: Duration = Duration::from_millis(20);

/// How many threads may read; 0 before anybody has asked.
static ALLOWED: AtomicUsize = AtomicUsize::new(0);
static BUSY: Mutex<usize> = Mutex::new(0);
static FREED: Condvar = Condvar::new();

/// How many threads may read at once.
pub(crate) fn allowed() -> usize {
    match ALLOWED.load(Ordering::Relaxed) {
        0 => thread::available_parallelism().map_or(1, usize::from).min(THREADS),
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
            if *busy < allowed() {
                *busy += 1;
                return Ok(Self);
            }
            (busy, _) = FREED.wait_timeout(busy, LOOK).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut busy = BUSY.lock().unwrap_or_else(PoisonError::into_inner);
        *busy = busy.saturating_sub(1);
        FREED.notify_one();
    }
}
