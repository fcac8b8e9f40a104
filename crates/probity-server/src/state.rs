//! What every request shares.

use std::sync::{Arc, OnceLock, Weak};
use std::time::Instant;

use probity_core::Clock;
use probity_store::Store;
use probity_store::queue::QueueLimits;
use tokio::sync::{Semaphore, watch};

use crate::access::queue::PasswordQueue;
use crate::access::throttle::Throttle;
use crate::backend::Backend;
use crate::guard::{Doors, Rate};
use crate::limits;
use crate::mcp::concurrency_limit::CallLimit;
use crate::mcp::http::Http;
use crate::metrics::Metrics;

/// Whether callers have to say who they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Door {
    /// Everybody who can reach the server may do everything: for one person's own machine.
    Open,
    /// Only users and tokens.
    Login,
}

/// How a server is set up.
pub struct Setup {
    /// Everything that is remembered.
    pub store: Store,
    /// The program around the server.
    pub backend: Arc<dyn Backend>,
    /// Where "now" comes from.
    pub clock: Clock,
    /// Whether callers have to say who they are.
    pub door: Door,
    /// The names under which it may be called.
    pub doors: Doors,
    /// Requests a second that one client may make, and as many times four at once.
    pub rate: u32,
    /// Whether this process executes runs.
    pub workers: bool,
    /// How much may wait for workers.
    pub queue: QueueLimits,
    /// How often a run may fail before it waits for a person.
    pub failures_most: u32,
}

/// A server, ready to answer. Cloning it is cheap.
#[derive(Clone)]
pub struct Server(Arc<Shared>);

/// What the clones of a server share.
pub struct Shared {
    pub(crate) store: Store,
    pub(crate) backend: Arc<dyn Backend>,
    pub(crate) clock: Clock,
    pub(crate) door: Door,
    pub(crate) doors: Doors,
    pub(crate) rate: Rate,
    pub(crate) logins: Throttle,
    pub(crate) passwords: PasswordQueue,
    pub(crate) metrics: Metrics,
    /// Stands in forms without log-in, so that no other site can have made them.
    pub(crate) form_key: String,
    pub(crate) started: Instant,
    pub(crate) workers: bool,
    pub(crate) queue: QueueLimits,
    pub(crate) failures_most: u32,
    pub(crate) stopping: watch::Sender<bool>,
    /// Room for texts that are checked.
    pub(crate) checks: Semaphore,
    /// Room for rankings of topics.
    pub(crate) tellings: Semaphore,
    /// Room for requests that bring documents along.
    pub(crate) uploads: Semaphore,
    /// Tool calls that are in progress.
    pub(crate) calls: Arc<CallLimit>,
    /// MCP over HTTP, once a client speaks it.
    pub(crate) mcp: OnceLock<Http>,
}

impl std::ops::Deref for Server {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

impl Server {
    /// Makes a server.
    ///
    /// # Errors
    /// When the system gives no random numbers or no threads.
    pub fn new(setup: Setup) -> std::io::Result<Self> {
        let form_key = crate::access::secret::fresh().map_err(std::io::Error::other)?;
        let (stopping, _) = watch::channel(false);
        Ok(Self(Arc::new(Shared {
            store: setup.store,
            backend: setup.backend,
            clock: setup.clock,
            door: setup.door,
            doors: setup.doors,
            rate: Rate::new(setup.rate),
            logins: Throttle::default(),
            passwords: PasswordQueue::start()?,
            metrics: Metrics::default(),
            form_key,
            started: Instant::now(),
            workers: setup.workers,
            queue: setup.queue,
            failures_most: setup.failures_most,
            stopping,
            checks: Semaphore::new(limits::CHECKS),
            tellings: Semaphore::new(limits::TELLINGS),
            uploads: Semaphore::new(limits::UPLOADS),
            calls: Arc::default(),
            mcp: OnceLock::new(),
        })))
    }

    /// Tells streams to end, so that their clients come back to another process.
    pub(crate) fn stop(&self) {
        self.stopping.send_replace(true);
        if let Some(http) = self.mcp.get() {
            http.stop();
        }
    }

    /// A hold on the server that does not keep it: for what the server itself keeps.
    pub(crate) fn downgrade(&self) -> Weak<Shared> {
        Arc::downgrade(&self.0)
    }

    /// The server again, if it still is.
    pub(crate) fn upgrade(weak: &Weak<Shared>) -> Option<Self> {
        weak.upgrade().map(Self)
    }
}
