//! Jobs as others see them: what is queued, who has it, how it ended.

use std::time::Duration;

use probity_core::{RunId, Timestamp};
use serde::{Deserialize, Serialize};

use crate::sql::ColumnError;

/// How far a job has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JobState {
    /// It waits for a worker, perhaps until it is due.
    Queued,
    /// A worker has it, or had it and died.
    Leased,
    /// It was done.
    Done,
    /// It failed too often and waits for a person.
    Dead,
    /// It was cancelled.
    Cancelled,
}

impl JobState {
    /// The state's name.
    pub fn as_str(self) -> &'static str {
        match self {
            JobState::Queued => "queued",
            JobState::Leased => "leased",
            JobState::Done => "done",
            JobState::Dead => "dead",
            JobState::Cancelled => "cancelled",
        }
    }

    pub(super) fn parse(text: &str) -> Result<Self, ColumnError> {
        [Self::Queued, Self::Leased, Self::Done, Self::Dead, Self::Cancelled]
            .into_iter()
            .find(|state| state.as_str() == text)
            .ok_or_else(|| ColumnError::new("state", format!("is `{text}`")))
    }
}

/// Work to be queued.
#[derive(Debug, Clone, Copy)]
pub struct NewJob<'a> {
    /// Its id; of a research run, the run's.
    pub id: &'a str,
    /// What kind of work it is: `research`, `feeds`.
    pub kind: &'a str,
    /// Whose it is, for fairness and limits.
    pub owner: &'a str,
    /// What to do, as JSON.
    pub payload: &'a str,
    /// Higher goes first.
    pub priority: i64,
    /// Not before so long from now.
    pub after: Duration,
    /// How often it may fail, by error or by a worker's death, before it is dead.
    pub failures_most: u32,
}

impl<'a> NewJob<'a> {
    /// The one job of work that recurs for ever, at any time and after everything else.
    pub fn standing(kind: &'a str, failures_most: u32) -> Self {
        Self {
            id: kind,
            kind,
            owner: "probity",
            payload: "{}",
            priority: -1,
            after: Duration::ZERO,
            failures_most,
        }
    }
}

/// How much may wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueueLimits {
    /// Jobs that are queued or leased in all.
    pub open: i64,
    /// The same for one owner.
    pub open_per_owner: i64,
}

impl QueueLimits {
    /// For work that has to be done, however full the queue is.
    pub const NONE: Self = Self { open: i64::MAX, open_per_owner: i64::MAX };
}

/// The result of queueing a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Enqueued {
    /// It waits.
    Added,
    /// There is one of this id already; nothing changed.
    Exists,
    /// Too much waits already.
    QueueFull,
    /// Too much of this owner's waits already.
    OwnerFull,
}

/// Names a lease. A worker that claimed the job later has another fence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fence {
    /// The job.
    pub job: String,
    /// Who has it.
    pub worker: String,
    /// The number of the lease, counted from 1.
    pub attempt: i64,
}

impl Fence {
    /// The run that the job is about: the job of a run has its id.
    pub(crate) fn run(&self) -> RunId {
        RunId::from(self.job.as_str())
    }
}

/// A job in the hands of a worker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leased {
    /// The lease.
    pub fence: Fence,
    /// What kind of work it is.
    pub kind: String,
    /// Whose it is.
    pub owner: String,
    /// What to do, as JSON.
    pub payload: String,
    /// Whether its cancellation was requested.
    pub cancel: bool,
}

/// What a heartbeat brings back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beat {
    /// The lease is kept.
    Held,
    /// The lease is kept, and its cancellation was requested.
    Cancel,
    /// The lease is lost: stop at once.
    Lost,
}

/// The result of cancelling a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cancelled {
    /// It had not begun and never will.
    AtOnce,
    /// Its worker learns of it with the next heartbeat.
    Asked,
    /// There is no such job, or it has ended.
    Nothing,
}

/// A job as lists show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct JobSummary {
    /// Its id.
    pub id: String,
    /// What kind of work it is.
    pub kind: String,
    /// Whose it is.
    pub owner: String,
    /// How far it has come.
    pub state: JobState,
    /// Higher goes first.
    pub priority: i64,
    /// How often it was leased.
    pub attempt: i64,
    /// How often it failed.
    pub failures: i64,
    /// Who has it, or had it last.
    pub worker: Option<String>,
    /// What went wrong last.
    pub error: Option<String>,
    /// When it is due.
    pub due_at: Timestamp,
    /// When it was queued.
    pub queued_at: Timestamp,
    /// When something last happened to it.
    pub touched_at: Timestamp,
}

/// How a worker ends its lease.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobEnd<'a> {
    /// The work is done.
    Done,
    /// The work was cancelled.
    Cancelled,
    /// Another worker shall go on with it.
    HandedOver,
    /// It went wrong and would go wrong again: it waits for a person.
    Hopeless {
        /// What went wrong.
        error: &'a str,
    },
    /// It went wrong; it is tried again later, unless it failed too often.
    Failed {
        /// What went wrong.
        error: &'a str,
        /// How long to wait before it is tried again.
        again: Duration,
    },
}
