//! One address → its answer: from the cache or the wire, in its turn, tried again if need be.

use std::time::{Duration, SystemTime};

use probity_core::WebUrl;
use reqwest::header::{CONTENT_TYPE, HeaderMap, LOCATION};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::Instant;

use super::Inner;
use super::body::{self, Body, BodyError, ReadOptions};
use super::cache::{Cache, Kept, Look, Stale};
use super::guard::Door;
use super::limits::ERROR_PAGE_BYTES;
use super::page::FetchOutcome;
use super::polite::NoTurn;
use super::retry::{is_transient, retry_after};
use super::walls;
use super::wire::{WireError, page_headers};

/// What came for one address. The bytes are plain.
pub(crate) struct PageAnswer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Body,
    pub(crate) cached: bool,
    /// One of the places for pages in flight; returned with the answer.
    pub(crate) place: Option<OwnedSemaphorePermit>,
}

impl PageAnswer {
    /// A header as text, broken characters replaced.
    pub(crate) fn header(&self, name: impl reqwest::header::AsHeaderName) -> Option<String> {
        let value = self.headers.get(name)?;
        Some(String::from_utf8_lossy(value.as_bytes()).trim().to_owned())
    }

    /// The `Content-Type`, as sent.
    pub(crate) fn content_type(&self) -> Option<String> {
        self.header(CONTENT_TYPE).filter(|text| !text.is_empty())
    }

    /// Where the answer redirects to, if it is a redirect.
    pub(crate) fn location(&self) -> Option<String> {
        is_redirect(self.status).then(|| self.header(LOCATION)).flatten()
    }
}

fn is_redirect(status: u16) -> bool {
    matches!(status, 301 | 302 | 303 | 307 | 308)
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stop {
    pub(crate) outcome: FetchOutcome,
    pub(crate) reason: String,
    pub(crate) status: Option<u16>,
    pub(crate) retry_after: Option<Duration>,
}

impl Stop {
    pub(crate) fn new(outcome: FetchOutcome, reason: impl Into<String>) -> Self {
        Self { outcome, reason: reason.into(), status: None, retry_after: None }
    }
}

impl From<WireError> for Stop {
    fn from(error: WireError) -> Self {
        match error {
            WireError::Refused(reason) => Self::new(FetchOutcome::BlockedByAddress, reason),
            WireError::TimedOut(reason) => Self::new(FetchOutcome::Timeout, reason),
            WireError::Transient(reason) | WireError::Failed(reason) => {
                Self::new(FetchOutcome::Failed, reason)
            }
        }
    }
}

/// How one attempt ended that did not bring an answer.
enum Miss {
    /// Trying again may help; the server may have said when.
    Again(Stop),
    /// That was it.
    Final(Stop),
}

/// How an address is to be asked for.
pub(crate) struct Asking<'a> {
    /// When the whole page must be there.
    pub(crate) deadline: Instant,
    /// Headers besides the usual ones.
    pub(crate) extra: &'a HeaderMap,
    /// Whether the cache may answer and keep.
    pub(crate) use_cache: bool,
    /// By type and first bytes, whether the rest of a good answer is wanted.
    pub(crate) wanted: &'a (dyn Fn(Option<&str>, &[u8]) -> bool + Sync),
    /// How much is read, where that is less than of a page; the rest is ignored.
    pub(crate) most: Option<u64>,
}

impl Inner {
    /// Asks for one address, without following where it leads.
    pub(crate) async fn load(&self, url: &WebUrl, how: &Asking<'_>) -> Result<PageAnswer, Stop> {
        let door = self.wire.door(url).map_err(WireError::Refused)?;
        let mut headers = page_headers();
        headers.extend(how.extra.clone());
        let cache = self
            .cache
            .as_ref()
            .filter(|cache| how.use_cache && (door == Door::Public || cache.allowed_hosts));
        let Some(cache) = cache else { return self.try_often(url, &headers, how).await };
        match cache.look(url, &headers).await {
            Look::Fresh(kept) => Ok(kept_answer(kept, None)),
            Look::Stale(stale) => self.confirm(cache, url, *stale, &headers, how).await,
            Look::Nothing => self.load_and_keep(cache, url, &headers, how).await,
        }
    }

    async fn load_and_keep(
        &self,
        cache: &Cache,
        url: &WebUrl,
        headers: &HeaderMap,
        how: &Asking<'_>,
    ) -> Result<PageAnswer, Stop> {
        let answer = self.try_often(url, headers, how).await?;
        cache.keep(url, headers, answer.status, &answer.headers, &answer.body.bytes).await;
        Ok(answer)
    }

    async fn confirm(
        &self,
        cache: &Cache,
        url: &WebUrl,
        stale: Stale,
        headers: &HeaderMap,
        how: &Asking<'_>,
    ) -> Result<PageAnswer, Stop> {
        let answer = self.try_often(url, &stale.headers, how).await?;
        if answer.status != 304 {
            cache.keep(url, headers, answer.status, &answer.headers, &answer.body.bytes).await;
            return Ok(answer);
        }
        match cache.confirm(url, stale, &answer.headers).await {
            Some(kept) => Ok(kept_answer(kept, answer.place)),
            // The server confirmed a version that we do not have.
            None => {
                // Its place must be free again before another is waited for.
                drop(answer);
                self.load_and_keep(cache, url, headers, how).await
            }
        }
    }

    /// Tries until there is an answer, the failure is not transient, or the tries are used up.
    async fn try_often(
        &self,
        url: &WebUrl,
        headers: &HeaderMap,
        how: &Asking<'_>,
    ) -> Result<PageAnswer, Stop> {
        let mut tried = 0;
        loop {
            let stop = match self.try_once(url, headers, how).await {
                Ok(answer) => return Ok(answer),
                Err(Miss::Final(stop)) => return Err(stop),
                Err(Miss::Again(stop)) => stop,
            };
            if let Some(wait) = stop.retry_after {
                // Every page of the host waits, not only this one.
                self.politeness.close(url.dns_host(), wait);
            }
            let wait = stop.retry_after.unwrap_or_else(|| self.retry.pause(tried));
            if tried >= self.retry.times || Instant::now() + wait >= how.deadline {
                return Err(stop);
            }
            tracing::debug!(%url, reason = %stop.reason, ?wait, "trying again");
            tokio::time::sleep(wait).await;
            tried += 1;
        }
    }

    async fn try_once(
        &self,
        url: &WebUrl,
        headers: &HeaderMap,
        how: &Asking<'_>,
    ) -> Result<PageAnswer, Miss> {
        let _turn = self.politeness.turn(url.dns_host(), how.deadline).await.map_err(late)?;
        // The semaphore is never closed, so this waits and does not fail.
        let place = std::sync::Arc::clone(&self.in_flight).acquire_owned().await.ok();
        let response = self.wire.get(url, headers.clone()).await.map_err(|error| match error {
            WireError::Transient(_) => Miss::Again(error.into()),
            _ => Miss::Final(error.into()),
        })?;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let body = match status {
            // The body of a redirect or a confirmation is not read.
            300..=399 => Body::default(),
            _ => self.body(response, how).await.map_err(|miss| with_status(miss, status))?,
        };
        let answer = PageAnswer { status, headers, body, cached: false, place };
        if is_transient(status) && walls::bot_wall_page(url, &answer).is_none() {
            return Err(Miss::Again(busy(url, &answer)));
        }
        Ok(answer)
    }

    async fn body(&self, response: reqwest::Response, how: &Asking<'_>) -> Result<Body, Miss> {
        let success = response.status().is_success();
        let content_type = response
            .headers()
            .get(CONTENT_TYPE)
            .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
        let wanted = |first: &[u8]| (how.wanted)(content_type.as_deref(), first);
        let reading = match success {
            true => ReadOptions {
                limit: how.most.unwrap_or(u64::MAX).min(self.settings.body_bytes),
                memory: Some(&self.memory),
                wanted: Some(&wanted),
                cut: how.most.is_some(),
            },
            false => ReadOptions {
                limit: ERROR_PAGE_BYTES.min(self.settings.body_bytes),
                memory: None,
                wanted: None,
                cut: true,
            },
        };
        match body::read(response, &reading).await {
            Ok(body) => Ok(body),
            // The status says enough where the page is only that of an error.
            Err(_) if !success => Ok(Body::default()),
            Err(error) => Err(unread(error, content_type.as_deref())),
        }
    }
}

fn kept_answer(kept: Kept, place: Option<OwnedSemaphorePermit>) -> PageAnswer {
    PageAnswer {
        status: kept.status,
        headers: kept.headers,
        body: Body::from(kept.body),
        cached: true,
        place,
    }
}

fn late(no_turn: NoTurn) -> Miss {
    let stop = match no_turn {
        NoTurn::Closed(wait) => Stop {
            retry_after: Some(wait),
            ..Stop::new(
                FetchOutcome::Failed,
                format!("the host asked to be left alone for another {} s", wait.as_secs().max(1)),
            )
        },
        NoTurn::Queue(_) => Stop::new(
            FetchOutcome::Timeout,
            "too many pages of the same host are waiting for their turn",
        ),
    };
    Miss::Final(stop)
}

fn busy(url: &WebUrl, answer: &PageAnswer) -> Stop {
    let wait = retry_after(&answer.headers, SystemTime::now());
    let asks = match wait {
        Some(wait) => format!(" and asks to wait {} s", wait.as_secs()),
        None => String::new(),
    };
    Stop {
        status: Some(answer.status),
        retry_after: wait,
        ..Stop::new(
            FetchOutcome::Failed,
            format!("{} answers with status {}{asks}", url.host(), answer.status),
        )
    }
}

fn unread(error: BodyError, content_type: Option<&str>) -> Miss {
    match error {
        BodyError::Broken(_) => Miss::Again(Stop::new(FetchOutcome::Failed, error.to_string())),
        BodyError::TooLarge(_) => Miss::Final(Stop::new(FetchOutcome::TooLarge, error.to_string())),
        BodyError::Encoding(_) => Miss::Final(Stop::new(FetchOutcome::Failed, error.to_string())),
        BodyError::Unwanted => {
            let kind = content_type.unwrap_or("a body without a type");
            let kind = probity_core::printable::brief(kind, 80);
            let reason = format!("{kind} holds no text that can be read");
            Miss::Final(Stop::new(FetchOutcome::WrongType, reason))
        }
    }
}

fn with_status(miss: Miss, status: u16) -> Miss {
    let set = |stop: Stop| Stop { status: Some(status), ..stop };
    match miss {
        Miss::Again(stop) => Miss::Again(set(stop)),
        Miss::Final(stop) => Miss::Final(set(stop)),
    }
}
