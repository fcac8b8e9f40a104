//! What several processes agree on: how fast others are asked, and what is spent.
//!
//! Crates that reach the outside take a [`Shared`] if they are given one; who keeps it, and where, is
//! not their concern. Without one, each process keeps to its own pace.

use std::pin::Pin;
use std::time::Duration;

/// An answer on its way.
pub type Answering<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// The result of asking for a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reserved {
    /// It is yours after this wait.
    After(Duration),
    /// It is left alone for so long.
    Closed(Duration),
    /// Others wait already, so long.
    Full(Duration),
}

/// What several processes agree on.
pub trait Shared: Send + Sync + std::fmt::Debug {
    /// Takes the next free slot of a host or provider, spaced by an interval, if it comes soon enough.
    fn reserve<'a>(
        &'a self,
        name: &'a str,
        interval: Duration,
        at_most: Duration,
    ) -> Answering<'a, Reserved>;

    /// Leaves a host or provider alone for so long.
    fn close<'a>(&'a self, name: &'a str, wait: Duration) -> Answering<'a, ()>;

    /// Notes whether asking failed by the other's fault: what fails again and again is left alone.
    fn note<'a>(&'a self, name: &'a str, failed: bool) -> Answering<'a, ()>;

    /// Holds this many US dollars of the day's, or says which limit is in the way.
    fn hold<'a>(&'a self, dollars: f64) -> Answering<'a, Result<(), String>>;

    /// Gives held money back and notes what was spent of it.
    fn settle<'a>(&'a self, held: f64, spent: f64) -> Answering<'a, ()>;
}
