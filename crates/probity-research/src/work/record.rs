//! Writes a run's events down as they come, each once, whoever carries the run on.
//!
//! A worker that takes a run up goes through all of it again, with the finished steps given back
//! from the journal, and so tells the same things again. What is stored already is not stored a
//! second time: each event takes one equal event off the stored ones, in whatever order,
//! because judgements that run side by side end in any. What differs is new, and is stored; what was
//! stored and does not happen again stays, because it happened. What a model spent and how far it has
//! written is only reported while it happens, so it is always new.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use probity_core::RunId;
use probity_store::events::{NewEvent, PAGE_EVENTS};
use probity_store::{Store, StoreError};
use tokio::sync::{Notify, watch};
use tokio::task::JoinHandle;
use tokio::time::Instant;

use crate::event::{Event, Watcher};

/// The most events that wait to be written while the store is away. Beyond that, what a model
/// spends and writes is left out: the next such event says more.
const WAITING_MOST: usize = 4_096;
/// The most events that one run may have; beyond that, only those that end it.
const EVENTS_MOST: i64 = 50_000;
/// The most events that one transaction takes.
const BATCH: usize = 64;
/// How long events are gathered before they are written together.
const GATHER: Duration = Duration::from_millis(25);
/// How long to wait before a write that failed for a passing reason is tried again.
const AGAIN: Duration = Duration::from_millis(250);
/// How long the same events are tried again before they are given up. A worker's lease runs out long
/// before; whoever carries out a run without one must not wait for ever.
const PATIENCE: Duration = Duration::from_secs(120);

/// Writes events down as they come.
pub struct Recorder {
    shared: Arc<Shared>,
    writing: JoinHandle<()>,
    done: watch::Receiver<Option<bool>>,
}

struct Shared {
    state: Mutex<State>,
    wake: Notify,
}

#[derive(Default)]
struct State {
    /// Events that an earlier worker stored and that have not happened again yet.
    stored: HashMap<String, usize>,
    waiting: Vec<NewEvent>,
    /// How many events the run has, those that wait included.
    count: i64,
    /// How the run ended, held back until it is certain that it did.
    last: Vec<NewEvent>,
    closed: Option<Closing>,
}

/// What is still done when nothing more comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Closing {
    /// What cannot be written at the moment is tried again.
    Patient,
    /// What cannot be written at once is left out.
    Prompt,
}

impl Recorder {
    /// Begins where the run's events end.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn begin(store: &Store, run: &RunId) -> Result<Self, StoreError> {
        let mut state = State::default();
        loop {
            let page = store.events_after(run, state.count, PAGE_EVENTS).await?;
            let Some(last) = page.last() else { break };
            state.count = last.seq;
            for event in page {
                *state.stored.entry(event.event).or_default() += 1;
            }
        }
        let written = state.count;
        let shared = Arc::new(Shared { state: Mutex::new(state), wake: Notify::new() });
        let (telling, done) = watch::channel(None);
        let (store, run) = (store.clone(), run.to_owned());
        let writer = Arc::clone(&shared);
        let writing = tokio::spawn(async move {
            let kept = write(&store, &run, &writer, written).await;
            telling.send_replace(Some(kept));
        });
        Ok(Self { shared, writing, done })
    }

    /// Waits until all events are written, and gives the events that end the run.
    /// Gives none if the lease was lost or the store refused.
    pub async fn close(self) -> Option<Vec<NewEvent>> {
        self.close_as(Closing::Patient).await
    }

    /// The same for a run that came to no end: what the store does not take at once is left out,
    /// because whoever takes the run up again tells it again.
    pub async fn close_promptly(self) {
        self.close_as(Closing::Prompt).await;
    }

    async fn close_as(mut self, closing: Closing) -> Option<Vec<NewEvent>> {
        self.shared.lock().closed = Some(closing);
        self.shared.wake.notify_one();
        let kept = match self.done.wait_for(Option::is_some).await {
            Ok(kept) => *kept == Some(true),
            Err(_) => false,
        };
        kept.then(|| std::mem::take(&mut self.shared.lock().last))
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        self.writing.abort();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watcher for Recorder {
    fn watch(&self, event: &Event) {
        let kept = kept(event);
        let mut state = self.shared.lock();
        if matches!(event, Event::Report { .. } | Event::Error { .. } | Event::End) {
            state.last.push(kept);
            return;
        }
        if let Some(count) = state.stored.get_mut(&kept.event).filter(|count| **count > 0) {
            *count -= 1;
            return;
        }
        let passing =
            matches!(event, Event::Writing { .. } | Event::Spend { .. } | Event::Pace { .. });
        if state.count >= EVENTS_MOST || (passing && state.waiting.len() >= WAITING_MOST) {
            return;
        }
        state.count += 1;
        state.waiting.push(kept);
        drop(state);
        self.shared.wake.notify_one();
    }
}

/// An event as the store keeps it.
fn kept(event: &Event) -> NewEvent {
    NewEvent {
        kind: event.kind().to_owned(),
        event: serde_json::to_string(event).unwrap_or_default(),
    }
}

/// Writes what waits until the sender is gone. Gives `false` if it may not.
async fn write(store: &Store, run: &RunId, shared: &Shared, mut written: i64) -> bool {
    let mut failing: Option<Instant> = None;
    loop {
        let (batch, closed) = {
            let state = shared.lock();
            let batch: Vec<NewEvent> = state.waiting.iter().take(BATCH).cloned().collect();
            (batch, state.closed)
        };
        if batch.is_empty() {
            if closed.is_some() {
                return true;
            }
            shared.wake.notified().await;
            if shared.lock().closed.is_none() {
                tokio::time::sleep(GATHER).await;
            }
            continue;
        }
        match store.append_events(run, written, &batch).await {
            Ok(()) => {
                failing = None;
                written += i64::try_from(batch.len()).unwrap_or(0);
                shared.lock().waiting.drain(..batch.len());
            }
            Err(error) if error.is_passing() && !is_over(shared, &mut failing) => {
                tokio::time::sleep(AGAIN).await;
            }
            Err(error) => {
                tracing::warn!(%error, %run, "events could not be written");
                return false;
            }
        }
    }
}

/// Whether events that could not be written since an instant are given up.
fn is_over(shared: &Shared, failing: &mut Option<Instant>) -> bool {
    let since = *failing.get_or_insert_with(Instant::now);
    shared.lock().closed == Some(Closing::Prompt) || since.elapsed() >= PATIENCE
}

#[cfg(test)]
mod tests {
    use super::*;

    fn closed(closing: Option<Closing>) -> Shared {
        let state = State { closed: closing, ..State::default() };
        Shared { state: Mutex::new(state), wake: Notify::new() }
    }

    #[test]
    fn events_that_cannot_be_written_are_given_up_in_the_end() {
        for closing in [None, Some(Closing::Patient)] {
            let (shared, mut failing) = (closed(closing), None);
            assert!(!is_over(&shared, &mut failing), "at the first failure");
            assert!(!is_over(&shared, &mut failing), "at the second, a moment later");
            failing = failing.and_then(|since| since.checked_sub(PATIENCE));
            assert!(is_over(&shared, &mut failing));
        }
    }

    #[test]
    fn a_run_that_failed_waits_for_no_second_attempt() {
        assert!(is_over(&closed(Some(Closing::Prompt)), &mut None));
    }
}
