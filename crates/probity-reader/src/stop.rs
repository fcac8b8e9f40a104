//! How a caller that has given up stops the work.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Asked between two pairs whether to go on.
#[derive(Debug, Clone)]
pub struct Stop(Option<Arc<AtomicBool>>);

/// Stops the work on request and when it is dropped: a caller that no longer waits for a result
/// need not remember to say so.
#[derive(Debug)]
pub struct Stopper(Arc<AtomicBool>);

/// The work was stopped before it was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("reading was stopped before it was done")]
pub struct Stopped;

impl Stop {
    /// Work that is never stopped.
    pub fn never() -> Self {
        Self(None)
    }

    /// Work that continues for as long as the [`Stopper`] is kept.
    pub fn new() -> (Stopper, Stop) {
        let flag = Arc::new(AtomicBool::new(false));
        (Stopper(flag.clone()), Self(Some(flag)))
    }

    /// Whether to stop.
    pub fn is_stopped(&self) -> bool {
        self.0.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    pub(crate) fn check(&self) -> Result<(), Stopped> {
        if self.is_stopped() { Err(Stopped) } else { Ok(()) }
    }
}

impl Stopper {
    /// Stops the work.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Drop for Stopper {
    fn drop(&mut self) {
        self.stop();
    }
}
