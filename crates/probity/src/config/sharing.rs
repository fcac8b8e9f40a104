//! Settings of what several processes share: the store, the queue, the workers.

use std::time::Duration;

use probity_core::Secret;
use probity_research::work::{CONCURRENCY_MOST, WorkSettings};
use probity_store::queue::{QueueLimits, RunJob};
use probity_store::{Listen, StoreOptions};
use serde::{Deserialize, Serialize};

/// Where runs, ledger and library are kept.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct StoreSettings {
    /// A path, `sqlite:PATH` or `postgres://…`; by default a file in the data folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) url: Option<Secret>,
    /// The maximum number of connections per process to a PostgreSQL server.
    pub(crate) connections: u32,
    /// The longest that a PostgreSQL server works on one statement, in seconds.
    pub(crate) statement_seconds: u64,
    /// Whether a pooler in transaction mode, such as PgBouncer, is in front of the server.
    pub(crate) pooled: bool,
    /// Whether to hear what other processes write by the server's notifications.
    pub(crate) listen: bool,
    /// Where the server itself is, for notifications, if `url` names a pooler.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) listen_url: Option<Secret>,
}

impl Default for StoreSettings {
    fn default() -> Self {
        let options = StoreOptions::default();
        Self {
            url: None,
            connections: options.connections,
            statement_seconds: options.statement_time.as_secs(),
            pooled: false,
            listen: true,
            listen_url: None,
        }
    }
}

impl StoreSettings {
    /// How the store is reached.
    pub(crate) fn options(&self) -> StoreOptions {
        let listen = match &self.listen_url {
            _ if !self.listen => Listen::Off,
            Some(url) => Listen::At(url.clone()),
            None => Listen::Auto,
        };
        StoreOptions {
            connections: self.connections,
            statement_time: Duration::from_secs(self.statement_seconds),
            pooled: self.pooled,
            listen,
        }
    }

    pub(crate) fn check(&self) -> Result<(), String> {
        if !(1..=1_000).contains(&self.connections) {
            let given = self.connections;
            return Err(format!("`connections` is {given}; it has to lie between 1 and 1000"));
        }
        if self.statement_seconds == 0 {
            return Err("`statement_seconds` has to be at least 1".to_owned());
        }
        Ok(())
    }
}

/// How much may wait for workers.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct QueueSettings {
    /// The maximum number of runs that wait or are in progress.
    pub(crate) open: u32,
    /// The maximum number of runs that wait or are in progress for one owner.
    pub(crate) open_per_owner: u32,
    /// How often a run may fail, by error or by its worker's death, before it waits for a person.
    pub(crate) failures_most: u32,
    /// After how many days the events of a run that ended are forgotten; its report stays.
    pub(crate) events_days: u32,
    /// What all workers together may spend on models in a day (UTC), in US dollars.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) max_cost_per_day: Option<f64>,
}

impl Default for QueueSettings {
    fn default() -> Self {
        Self {
            open: 10_000,
            open_per_owner: 1_000,
            failures_most: RunJob::FAILURES_MOST,
            events_days: 30,
            max_cost_per_day: None,
        }
    }
}

impl QueueSettings {
    /// The limits as the store takes them.
    pub(crate) fn limits(&self) -> QueueLimits {
        QueueLimits { open: i64::from(self.open), open_per_owner: i64::from(self.open_per_owner) }
    }

    pub(crate) fn check(&self) -> Result<(), String> {
        if self.failures_most == 0 {
            return Err("`failures_most` has to be at least 1".to_owned());
        }
        if self.max_cost_per_day.is_some_and(|cost| !(cost.is_finite() && cost >= 0.0)) {
            return Err("`max_cost_per_day` has to be 0 or more dollars".to_owned());
        }
        Ok(())
    }
}

/// How a worker works.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct WorkerSettings {
    /// How many runs one process executes at once.
    pub(crate) concurrency: usize,
    /// After how many seconds without a heartbeat another worker takes over a run.
    pub(crate) lease_seconds: u64,
    /// After a stop signal, how many seconds a worker waits for steps in progress.
    pub(crate) drain_seconds: u64,
    /// How many seconds a run that failed waits before it is tried again; doubled each time.
    pub(crate) retry_seconds: u64,
}

impl Default for WorkerSettings {
    fn default() -> Self {
        let usual = WorkSettings::new("");
        Self {
            concurrency: usual.concurrency,
            lease_seconds: usual.lease.as_secs(),
            drain_seconds: usual.drain.as_secs(),
            retry_seconds: usual.retry.as_secs(),
        }
    }
}

impl WorkerSettings {
    /// The settings of a worker of this name.
    pub(crate) fn of(&self, worker: String) -> WorkSettings {
        WorkSettings {
            concurrency: self.concurrency,
            lease: Duration::from_secs(self.lease_seconds),
            drain: Duration::from_secs(self.drain_seconds),
            retry: Duration::from_secs(self.retry_seconds),
            ..WorkSettings::new(worker)
        }
    }

    pub(crate) fn check(&self) -> Result<(), String> {
        if !(1..=CONCURRENCY_MOST).contains(&self.concurrency) {
            let given = self.concurrency;
            return Err(format!(
                "`concurrency` is {given}; it has to lie between 1 and {CONCURRENCY_MOST}"
            ));
        }
        if !(1..=3_600).contains(&self.lease_seconds) {
            let given = self.lease_seconds;
            return Err(format!("`lease_seconds` is {given}; it has to lie between 1 and 3600"));
        }
        Ok(())
    }
}
