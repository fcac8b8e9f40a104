//! Permit → page, within the limits: addresses, sizes, time, robots, politeness.
//!
//! ```text
//! Permit → guard → robots → cache? → turn → request → (redirect: from the start) → body → extract → walls → Page
//! ```
//!
//! # Architecture
//!
//! | part | its promise |
//! | --- | --- |
//! | `guard`, `resolve` | nothing is sent to an address that is not public and was not allowed; what was checked is what is connected to |
//! | `decode`, `body` | no body makes more than its limit of work or memory |
//! | `robots`, `polite` | no host is asked for what it closes, nor faster than is polite |
//! | `load`, `follow` | every request, retry and redirect shares one deadline |
//! | `cache` | what has not changed is not sent again |
//! | `judge`, `walls` | a page counts as read only if its own text was there |
//! | `views`, `render`, `reader_service` | a page that is a shell is read from another view of its own site, in a browser whose every request is answered by the rules above, or by a service that the user set |
//! | [`api`] | the other client, for APIs the user configured |
//!
//! Whatever a page does, [`Fetcher::fetch`] answers with a [`Page`] that says how it ended.

pub mod api;
mod archive;
pub(crate) mod body;
mod cache;
pub(crate) mod client;
mod decode;
mod failure;
mod follow;
pub(crate) mod guard;
mod judge;
pub mod limits;
mod load;
mod page;
mod polite;
mod reader_service;
mod render;
pub(crate) mod resolve;
mod retry;
mod robots;
pub(crate) mod settings;
mod site_files;
mod views;
mod walls;
pub(crate) mod wire;

use std::sync::Arc;
use std::time::Duration;

use probity_core::{Answering, Shared};
use probity_credibility::Permit;
use reqwest::header::{
    CACHE_CONTROL, ETAG, HeaderMap, HeaderName, HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH,
    LAST_MODIFIED,
};
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout_at};

use body::BodyMemory;
use cache::Cache;
use follow::{Journey, Trail};
use load::{PageAnswer, Stop};
use polite::Politeness;
use retry::Retry;
use robots::Robots;
use wire::Wire;

pub use api::{ApiClient, ApiError, ApiReply, ApiRequest, ApiSettings};
pub use client::{AGENT_NAME, ClientError, default_user_agent};
pub use guard::{AllowedHost, AllowedHostError};
pub use page::{FetchOutcome, Page, RawOutcome, RawResponse, Validators};
pub use reader_service::ReaderService;
pub use resolve::{Resolver, SystemResolver};
pub use settings::{CacheSettings, FetchSettings, Renderer};

/// Why there is no fetcher.
#[derive(Debug, thiserror::Error)]
pub enum FetcherError {
    /// The settings contradict themselves.
    #[error("fetching cannot be set up: {0}")]
    Settings(String),
    /// The HTTP client cannot start.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// The cache's folder cannot be used.
    #[error("the page cache cannot be opened: {0} (choose another folder or switch it off)")]
    Cache(#[source] std::io::Error),
}

/// Fetches pages. Cheap to clone; clones share connections, politeness and caches.
#[derive(Clone)]
pub struct Fetcher {
    inner: Arc<Inner>,
}

struct Inner {
    settings: FetchSettings,
    wire: Wire,
    robots: Robots,
    politeness: Politeness,
    retry: Retry,
    cache: Option<Cache>,
    memory: BodyMemory,
    in_flight: Arc<Semaphore>,
    extracting: Semaphore,
    rendering: Semaphore,
}

impl std::fmt::Debug for Fetcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Fetcher").field("settings", &self.inner.settings).finish_non_exhaustive()
    }
}

impl Fetcher {
    /// Sets fetching up. Nothing is asked yet.
    ///
    /// # Errors
    /// When the settings make no sense, TLS cannot be set up or the cache cannot be opened.
    pub fn new(settings: FetchSettings) -> Result<Self, FetcherError> {
        Self::sharing(settings, None)
    }

    /// Sets fetching up so that hosts are asked in step with other processes.
    ///
    /// # Errors
    /// When the settings make no sense, TLS cannot be set up or the cache cannot be opened.
    pub fn sharing(
        settings: FetchSettings,
        shared: Option<Arc<dyn Shared>>,
    ) -> Result<Self, FetcherError> {
        settings.check().map_err(FetcherError::Settings)?;
        let cache = settings.cache.as_ref().map(|cache| Cache::open(cache, settings.clock));
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let retry = Retry { times: settings.retries, backoff: settings.backoff };
        let inner = Inner {
            wire: Wire::new(&settings)?,
            robots: Robots::new(settings.redirects, retry),
            retry,
            politeness: Politeness::new(settings.per_host, settings.delay).sharing(shared),
            cache: cache.transpose().map_err(FetcherError::Cache)?,
            memory: BodyMemory::default(),
            in_flight: Arc::new(Semaphore::new(settings.concurrency)),
            extracting: Semaphore::new(cores),
            rendering: Semaphore::new(limits::RENDERING),
            settings,
        };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// Fetches and reads a page. Whatever the page does is in the outcome.
    pub fn fetch<'a>(&'a self, permit: &'a Permit) -> Answering<'a, Page> {
        Box::pin(async move {
            let inner = &self.inner;
            let url = permit.url();
            let deadline = Instant::now() + inner.settings.time;
            let mut trail = Trail::from(url);
            let journey = Journey { wanted: &judge::wanted, ..Journey::of_page(deadline) };
            let fetched =
                timeout_at(deadline, inner.follow_and_judge(url, &mut trail, &journey)).await;
            let page = match fetched {
                Ok(Ok(page)) => page,
                Ok(Err(stop)) => judge::stopped(judge::started(url, &trail), stop),
                Err(_) => judge::stopped(judge::started(url, &trail), inner.too_late()),
            };
            let page = match &inner.settings.archive {
                Some(archive) if archive::is_dead(&page) => {
                    let kept = inner.try_archive(archive, page.clone(), &journey);
                    timeout_at(deadline, kept).await.unwrap_or(page)
                }
                _ => page,
            };
            tracing::info!(
                url = %page.url, outcome = %page.outcome, status = page.status, bytes = page.bytes,
                reason = %probity_core::printable::brief(&page.reason, 200), "fetched"
            );
            page
        })
    }

    /// Gets the bytes of a feed, unread: only if they changed, where the validators of the last
    /// version are given.
    ///
    /// Guards, limits and politeness are those of pages. robots.txt is not asked: it speaks to
    /// crawlers, and a feed is polled because its reader subscribed to it.
    pub async fn fetch_raw(&self, permit: &Permit, last: Option<&Validators>) -> RawResponse {
        self.bytes(permit, last.map(conditions).unwrap_or_default(), false).await
    }

    /// Follows a link to where it leads, and gives the bytes found there, unread: for links whose
    /// only use is to point on. The rules are those of pages: robots.txt counts at every step, and
    /// redirects by `<meta>` are followed too.
    pub async fn follow(&self, permit: &Permit) -> RawResponse {
        self.bytes(permit, HeaderMap::new(), true).await
    }

    fn bytes<'a>(
        &'a self,
        permit: &'a Permit,
        extra: HeaderMap,
        as_page: bool,
    ) -> Answering<'a, RawResponse> {
        Box::pin(async move {
            let inner = &self.inner;
            let deadline = Instant::now() + inner.settings.time;
            let mut trail = Trail::from(permit.url());
            let journey = Journey { extra, as_page, ..Journey::of_page(deadline) };
            let answer = match timeout_at(deadline, inner.follow(&mut trail, &journey)).await {
                Ok(answer) => answer,
                Err(_) => Err(inner.too_late()),
            };
            raw_response(permit, trail, answer)
        })
    }
}

impl Inner {
    async fn follow_and_judge(
        &self,
        url: &probity_core::WebUrl,
        trail: &mut Trail,
        journey: &Journey<'_>,
    ) -> Result<Page, Stop> {
        let answer = self.follow(trail, journey).await?;
        let (page, views) = self.judge(url, trail, answer, journey.deadline).await;
        if page.outcome != FetchOutcome::Shell {
            return Ok(page);
        }
        let page = self.try_views(page, &views, journey).await;
        if page.outcome != FetchOutcome::Shell {
            return Ok(page);
        }
        Ok(match &self.settings.render {
            Some(Renderer::Browser(browser)) => self.render(browser, page, journey.deadline).await,
            Some(Renderer::Service(service)) => self.ask_reader(service, page, journey).await,
            None => page,
        })
    }

    fn too_late(&self) -> Stop {
        let seconds = self.settings.time.as_secs_f32();
        Stop::new(FetchOutcome::Timeout, format!("the page was not there within {seconds} s"))
    }
}

/// The headers that ask for a document only if it changed.
fn conditions(last: &Validators) -> HeaderMap {
    let mut headers = HeaderMap::new();
    let mut set = |name: HeaderName, value: Option<&String>| {
        if let Some(value) = value.and_then(|value| HeaderValue::from_str(value).ok()) {
            headers.insert(name, value);
        }
    };
    set(IF_NONE_MATCH, last.etag.as_ref());
    set(IF_MODIFIED_SINCE, last.last_modified.as_ref());
    headers
}

fn raw_response(permit: &Permit, trail: Trail, answer: Result<PageAnswer, Stop>) -> RawResponse {
    let moved = trail.for_good && !trail.passed.is_empty();
    let mut raw = RawResponse {
        url: permit.url().clone(),
        moved_to: (moved && answer.is_ok()).then(|| trail.at.clone()),
        final_url: trail.at,
        status: trail.status,
        outcome: RawOutcome::Body,
        reason: String::new(),
        validators: Validators::default(),
        content_type: trail.content_type,
        retry_after: None,
        max_age: None,
        body: Vec::new(),
    };
    let stop = match answer {
        Err(stop) => Some(stop),
        Ok(answer) if answer.status == 304 => {
            raw.validators = validators(&answer);
            raw.max_age = max_age(&answer);
            raw.outcome = RawOutcome::NotModified;
            raw.reason = "not changed".to_owned();
            None
        }
        Ok(answer) => match judge::by_status(&raw.final_url, &answer) {
            Some(stop) => Some(stop),
            None => {
                raw.validators = validators(&answer);
                raw.max_age = max_age(&answer);
                raw.reason = "fetched".to_owned();
                raw.body = answer.body.bytes;
                None
            }
        },
    };
    if let Some(stop) = stop {
        raw.outcome = RawOutcome::Missing(stop.outcome);
        raw.status = stop.status.or(raw.status);
        raw.retry_after = stop.retry_after;
        raw.reason = stop.reason;
    }
    raw
}

fn validators(answer: &PageAnswer) -> Validators {
    Validators { etag: answer.header(ETAG), last_modified: answer.header(LAST_MODIFIED) }
}

/// How long the server says that its answer holds.
fn max_age(answer: &PageAnswer) -> Option<Duration> {
    let header = answer.header(CACHE_CONTROL)?.to_ascii_lowercase();
    let mut directives = header.split(',').map(str::trim);
    let seconds = directives.find_map(|part| part.strip_prefix("max-age=")?.parse::<u32>().ok())?;
    Some(Duration::from_secs(u64::from(seconds)))
}
