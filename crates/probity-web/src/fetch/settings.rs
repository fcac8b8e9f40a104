//! What the user may set about fetching, with its defaults.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use probity_core::{Clock, WebUrl, limits};

use super::client;
use super::guard::AllowedHost;
use super::limits as bounds;
use super::reader_service::ReaderService;
use super::resolve::{Resolver, SystemResolver};
use crate::open_copy::Unpaywall;

/// How pages are fetched.
#[derive(Clone)]
pub struct FetchSettings {
    /// What we call ourselves.
    pub user_agent: String,
    /// How long one page may take in all: waiting for its turn, robots.txt, redirects and retries.
    pub time: Duration,
    /// The largest page, decompressed, and the most that is taken from the wire.
    pub body_bytes: u64,
    /// How many redirects are followed.
    pub redirects: usize,
    /// Whether robots.txt is fetched and obeyed.
    pub robots: bool,
    /// Whether unknown sites are asked for their `trust.txt` and `ads.txt`.
    pub site_files: bool,
    /// What shows pages which are shells without their scripts; nothing by default.
    pub render: Option<Renderer>,
    /// The web archive that is asked for pages whose links are dead; none by default.
    pub archive: Option<WebUrl>,
    /// Whether an open copy is looked for where a paper is behind a wall.
    pub open_copies: bool,
    /// How Unpaywall is asked for open copies beside OpenAlex; not at all by default.
    pub unpaywall: Option<Unpaywall>,
    /// Hosts and ports that are open although their addresses may be private.
    pub allow_hosts: Vec<AllowedHost>,
    /// How many pages are loaded at the same time, over all hosts.
    pub concurrency: usize,
    /// How many pages are loaded from one host at the same time.
    pub per_host: usize,
    /// The least time between two requests to the same host.
    pub delay: Duration,
    /// How often a transient failure is tried again.
    pub retries: usize,
    /// The wait before the first retry; it doubles with each, and varies by half.
    pub backoff: Duration,
    /// Where responses are kept for conditional requests; nowhere by default.
    pub cache: Option<CacheSettings>,
    /// How names are looked up.
    pub resolver: Arc<dyn Resolver>,
    /// Where "now" comes from when the freshness of cached responses is judged.
    pub clock: Clock,
}

/// What shows a page that is a shell without its scripts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Renderer {
    /// A browser on this machine, by its name or path.
    Browser(String),
    /// A service that is sent the page's address.
    Service(ReaderService),
}

/// Where and how much is cached on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CacheSettings {
    /// The folder; it is made if it is not there.
    pub dir: PathBuf,
    /// The most bytes it may hold.
    pub max_bytes: u64,
    /// Whether responses of explicitly allowed, perhaps private hosts are kept too.
    pub allowed_hosts: bool,
}

impl CacheSettings {
    /// A cache in a folder, with the default size and without private hosts.
    pub fn at(dir: impl Into<PathBuf>) -> Self {
        Self { dir: dir.into(), max_bytes: bounds::CACHE_BYTES, allowed_hosts: false }
    }
}

impl Default for FetchSettings {
    fn default() -> Self {
        Self {
            user_agent: client::default_user_agent(),
            time: limits::FETCH_TIME,
            body_bytes: limits::BODY_BYTES,
            redirects: limits::REDIRECTS,
            robots: true,
            site_files: true,
            render: None,
            archive: None,
            open_copies: true,
            unpaywall: None,
            allow_hosts: Vec::new(),
            concurrency: bounds::CONCURRENCY,
            per_host: bounds::PER_HOST,
            delay: bounds::DELAY,
            retries: bounds::RETRIES,
            backoff: bounds::BACKOFF,
            cache: None,
            resolver: Arc::new(SystemResolver),
            clock: Clock::System,
        }
    }
}

impl FetchSettings {
    /// Says what is wrong with the settings, if anything.
    pub(crate) fn check(&self) -> Result<(), String> {
        if self.concurrency == 0 || self.per_host == 0 {
            return Err("concurrency and per_host must be at least 1".to_owned());
        }
        if self.time.is_zero() {
            return Err("the time for a page must be more than nothing".to_owned());
        }
        if self.body_bytes == 0 || self.body_bytes > limits::BODY_BYTES {
            return Err(format!("the size of a page must be 1 to {} bytes", limits::BODY_BYTES));
        }
        if reqwest::header::HeaderValue::from_str(&self.user_agent).is_err() {
            return Err("the user agent cannot be sent in a header".to_owned());
        }
        Ok(())
    }
}

impl fmt::Debug for FetchSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FetchSettings")
            .field("time", &self.time)
            .field("body_bytes", &self.body_bytes)
            .field("redirects", &self.redirects)
            .field("robots", &self.robots)
            .field("allow_hosts", &self.allow_hosts)
            .field("concurrency", &self.concurrency)
            .field("per_host", &self.per_host)
            .field("delay", &self.delay)
            .field("cache", &self.cache)
            .finish_non_exhaustive()
    }
}
