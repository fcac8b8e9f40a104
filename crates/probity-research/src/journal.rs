//! The run's memory: every outside effect is done once, written down, and never done again.
//!
//! [`Journal::step`] looks up the hash of a step's inputs. What was done before is returned from
//! the journal; what was not is done, appended, and only then returned. Resuming, replaying and
//! trying other thresholds all fall out of this.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use probity_core::{Answering, Clock, RunId, Timestamp};
pub use probity_store::JournalEntry as Entry;
use probity_store::Store;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::timeline::Timeline;

/// What kind of effect a step has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StepKind {
    /// The analyst planned.
    Plan,
    /// A plan was submitted to the user.
    Offer,
    /// They said what is to become of it.
    Approve,
    /// A query was sent.
    Search,
    /// The ledger was asked.
    Ledger,
    /// A page was read, or could not be.
    Fetch,
    /// A source was summarised.
    Summarise,
    /// Gaps were looked for.
    Gaps,
    /// A source was judged.
    Judge,
    /// A draft was written.
    Synthesise,
    /// A report was outlined.
    Outline,
    /// A section was written.
    Section,
    /// Headline and summary were written.
    Lead,
    /// An account of failure was written.
    Explain,
    /// A model chose its next tools.
    Gather,
    /// A draft was criticised.
    Criticise,
    /// A citation was judged.
    Check,
    /// Claims were read beside passages.
    Read,
    /// A model was asked, for any of the above.
    Model,
}

impl StepKind {
    /// The kind's name.
    pub fn as_str(self) -> &'static str {
        match self {
            StepKind::Plan => "plan",
            StepKind::Offer => "offer",
            StepKind::Approve => "approve",
            StepKind::Search => "search",
            StepKind::Ledger => "ledger",
            StepKind::Fetch => "fetch",
            StepKind::Summarise => "summarise",
            StepKind::Gaps => "gaps",
            StepKind::Judge => "judge",
            StepKind::Synthesise => "synthesise",
            StepKind::Outline => "outline",
            StepKind::Section => "section",
            StepKind::Lead => "lead",
            StepKind::Explain => "explain",
            StepKind::Gather => "gather",
            StepKind::Criticise => "criticise",
            StepKind::Check => "check",
            StepKind::Read => "read",
            StepKind::Model => "model",
        }
    }
}

/// Why a step could not be done or found.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The journal could not be read or written.
    #[error("the journal of run {run} could not be {action}: {reason}")]
    Storage {
        /// The run.
        run: RunId,
        /// `read` or `written`.
        action: &'static str,
        /// Why.
        reason: String,
    },
    /// An entry does not hold what a step of its kind gives.
    #[error("the journal of run {run} is damaged at step {number} ({kind}): {reason}")]
    Damaged {
        /// The run.
        run: RunId,
        /// The entry, counted from 1.
        number: usize,
        /// Its kind.
        kind: String,
        /// What is wrong.
        reason: String,
    },
    /// A replay needs a step that the run never finished.
    #[error("run {run} was not finished: its journal has no `{kind}` step for {inputs}")]
    NotRecorded {
        /// The run.
        run: RunId,
        /// The kind of step.
        kind: &'static str,
        /// Its inputs.
        inputs: String,
    },
    /// The run was interrupted.
    #[error("the run was interrupted")]
    Interrupted,
    /// The plan has not been approved yet.
    #[error("the run waits for its plan to be approved")]
    Waiting {
        /// Until when it waits.
        until: Timestamp,
    },
}

/// An entry on its way into a journal.
pub type Keeping<'a> = Answering<'a, Result<(), String>>;

/// Where entries are kept.
pub trait Keep: Send + Sync {
    /// Appends an entry; it is stored durably once this returns.
    fn append<'a>(&'a self, run: &'a RunId, entry: &'a Entry) -> Keeping<'a>;

    /// An entry is about to come: what would keep it waiting is done now, beside the step.
    fn expect(&self) {}
}

impl Keep for Store {
    fn append<'a>(&'a self, run: &'a RunId, entry: &'a Entry) -> Keeping<'a> {
        Box::pin(async move { self.append_step(run, entry).await.map_err(|e| e.to_string()) })
    }

    fn expect(&self) {
        self.expect_step();
    }
}

/// A journal that lives as long as its run: for runs that are not saved.
pub struct Forget;

impl Keep for Forget {
    fn append<'a>(&'a self, _: &'a RunId, _: &'a Entry) -> Keeping<'a> {
        Box::pin(async { Ok(()) })
    }
}

/// The journal of one run.
pub struct Journal {
    run: RunId,
    entries: Mutex<HashMap<String, (usize, Entry)>>,
    keep: Option<Box<dyn Keep>>,
    clock: Clock,
    done: AtomicUsize,
    timeline: Timeline,
    /// Steps in progress, so that a second caller waits for the first.
    under_way: Mutex<HashMap<String, Arc<tokio::sync::Mutex<()>>>>,
}

impl Journal {
    /// A journal that does what is missing and keeps it.
    pub fn recording(
        run: impl Into<RunId>,
        entries: Vec<Entry>,
        keep: impl Keep + 'static,
        clock: Clock,
    ) -> Result<Self, JournalError> {
        // Long before the first step, as a rule.
        keep.expect();
        Self::new(run.into(), entries, Some(Box::new(keep)), clock)
    }

    /// A read-only journal: a missing step is an error, nothing is ever done.
    pub fn replaying(run: impl Into<RunId>, entries: Vec<Entry>) -> Result<Self, JournalError> {
        Self::new(run.into(), entries, None, Clock::System)
    }

    fn new(
        run: RunId,
        entries: Vec<Entry>,
        keep: Option<Box<dyn Keep>>,
        clock: Clock,
    ) -> Result<Self, JournalError> {
        let mut known = HashMap::with_capacity(entries.len());
        for (index, entry) in entries.into_iter().enumerate() {
            let number = index + 1;
            if let Some(part) = entry.changed() {
                return Err(JournalError::Damaged {
                    run,
                    number,
                    kind: entry.kind,
                    reason: format!("its {part} was changed after it was written"),
                });
            }
            known.insert(entry.key.clone(), (number, entry));
        }
        let done = AtomicUsize::new(known.len());
        let timeline = Timeline::default();
        let under_way = Mutex::default();
        let entries = Mutex::new(known);
        Ok(Self { run, entries, keep, clock, done, timeline, under_way })
    }

    /// What time it is, for steps that write that down.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// When the steps were done that this run asked for.
    pub fn timeline(&self) -> &Timeline {
        &self.timeline
    }

    /// Whether what is missing is done, rather than only given back.
    pub(crate) fn is_recording(&self) -> bool {
        self.keep.is_some()
    }

    /// Whether a step was done before.
    pub fn knows<I: Serialize>(&self, kind: StepKind, inputs: &I) -> bool {
        let key = Entry::key_of(kind.as_str(), &serde_json::to_string(inputs).unwrap_or_default());
        self.entries.lock().unwrap_or_else(PoisonError::into_inner).contains_key(&key)
    }

    /// Gives back a step's output, doing the work only if it was never done.
    ///
    /// # Errors
    /// When the journal cannot be written, an entry is damaged, or a replay lacks the step.
    pub async fn step<T, I, F>(
        &self,
        kind: StepKind,
        inputs: &I,
        work: F,
    ) -> Result<T, JournalError>
    where
        T: Serialize + DeserializeOwned,
        I: Serialize,
        F: AsyncFnOnce() -> T,
    {
        let inputs = serde_json::to_string(inputs).unwrap_or_default();
        let key = Entry::key_of(kind.as_str(), &inputs);
        if let Some(known) = self.recall(&key) {
            return known;
        }
        let Some(keep) = &self.keep else {
            return Err(JournalError::NotRecorded {
                run: self.run.clone(),
                kind: kind.as_str(),
                inputs: inputs.chars().take(200).collect(),
            });
        };
        // A second caller of a step in progress waits for it.
        let turn = Arc::clone(self.turns().entry(key.clone()).or_default());
        let _turn = turn.lock().await;
        if let Some(known) = self.recall(&key) {
            return known;
        }
        keep.expect();
        let began = std::time::Instant::now();
        let output = work().await;
        let output_json = serde_json::to_string(&output).unwrap_or_default();
        let millis = match self.clock {
            Clock::System => i64::try_from(began.elapsed().as_millis()).unwrap_or(i64::MAX),
            // With a fixed clock nothing takes time.
            Clock::Fixed(_) => 0,
        };
        let entry = Entry { millis, ..entry(kind, inputs, output_json, self.clock.now()) };
        let written = keep.append(&self.run, &entry).await;
        written.map_err(|reason| JournalError::Storage {
            run: self.run.clone(),
            action: "written",
            reason,
        })?;
        self.timeline.note(&entry);
        let number = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        self.lock().insert(key.clone(), (number, entry));
        self.turns().remove(&key);
        Ok(output)
    }

    /// What was done in steps of a kind, with their inputs, in the order in which it was written down.
    pub fn done<I: DeserializeOwned, T: DeserializeOwned>(&self, kind: StepKind) -> Vec<(I, T)> {
        let entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let mut found: Vec<&(usize, Entry)> =
            entries.values().filter(|(_, entry)| entry.kind == kind.as_str()).collect();
        found.sort_by_key(|(number, _)| *number);
        let read = |(_, entry): &(usize, Entry)| {
            let inputs = serde_json::from_str(&entry.inputs).ok()?;
            Some((inputs, serde_json::from_str(&entry.output).ok()?))
        };
        found.into_iter().filter_map(read).collect()
    }

    /// What a step gave, if it was done before.
    fn recall<T: DeserializeOwned>(&self, key: &str) -> Option<Result<T, JournalError>> {
        let (number, entry) = self.lock().get(key).cloned()?;
        self.timeline.note(&entry);
        Some(serde_json::from_str(&entry.output).map_err(|error| JournalError::Damaged {
            run: self.run.clone(),
            number,
            kind: entry.kind,
            reason: error.to_string(),
        }))
    }

    fn turns(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<tokio::sync::Mutex<()>>>> {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, (usize, Entry)>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A step that took no time, as it is written down.
pub(crate) fn entry(kind: StepKind, inputs: String, output: String, at: Timestamp) -> Entry {
    Entry {
        key: Entry::key_of(kind.as_str(), &inputs),
        kind: kind.as_str().to_owned(),
        inputs,
        digest: Entry::digest_of(&output),
        output,
        at,
        millis: 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_step_that_is_asked_for_twice_at_once_is_done_once() {
        let journal = Journal::recording("r", Vec::new(), Forget, Clock::System).unwrap();
        let done = AtomicUsize::new(0);
        let ask = || {
            journal.step(StepKind::Fetch, &"page", async || {
                tokio::task::yield_now().await;
                done.fetch_add(1, Ordering::Relaxed)
            })
        };
        let (one, other) = tokio::join!(ask(), ask());
        assert_eq!((one.unwrap(), other.unwrap()), (0, 0));
        assert_eq!(done.into_inner(), 1);
        assert!(journal.turns().is_empty());
    }

    #[tokio::test]
    async fn a_step_that_was_cut_off_can_be_done_again() {
        let journal = Journal::recording("r", Vec::new(), Forget, Clock::System).unwrap();
        let never = journal.step(StepKind::Fetch, &"page", async || std::future::pending().await);
        let cut: Result<Result<usize, _>, _> =
            tokio::time::timeout(std::time::Duration::ZERO, never).await;
        assert!(cut.is_err());
        let again = journal.step(StepKind::Fetch, &"page", async || 7).await;
        assert_eq!(again.unwrap(), 7);
    }
}
