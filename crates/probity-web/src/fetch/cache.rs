//! Responses kept on disk, so that an unchanged page is not sent again.
//!
//! ```text
//! look: nothing | fresh → answer without a request | stale → conditional request
//! settle: 304 → the kept body with new headers | 200 → kept if the response allows it
//! ```
//!
//! What may be kept and for how long is decided by the rules of RFC 9111 for a shared cache, so
//! nothing marked private is kept; nor is anything that sets a cookie. Trouble with the disk or a
//! damaged file never fails a fetch: it only means that the page is asked for again.

mod disk;

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use http_cache_semantics::{AfterResponse, BeforeRequest, CacheOptions, CachePolicy};
use probity_core::{Clock, WebUrl};
use reqwest::header::{HeaderMap, SET_COOKIE};

use super::limits::CACHE_BODY_BYTES;
use super::settings::CacheSettings;
use disk::{Disk, Entry};

/// The cache of one fetcher.
pub(crate) struct Cache {
    disk: Disk,
    clock: Clock,
    pub(crate) allowed_hosts: bool,
}

/// What the cache knows of an address.
pub(crate) enum Look {
    /// Nothing of use.
    Nothing,
    /// A response that is still good.
    Fresh(Kept),
    /// A response that must be confirmed, and the headers that ask for it.
    Stale(Box<Stale>),
}

/// A response as it was kept.
pub(crate) struct Kept {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

/// A kept response that waits for a word from the server.
pub(crate) struct Stale {
    entry: Entry,
    pub(crate) headers: HeaderMap,
}

impl Cache {
    /// Opens or makes the cache's folder.
    pub(crate) fn open(settings: &CacheSettings, clock: Clock) -> std::io::Result<Self> {
        let disk = Disk::open(settings.dir.clone(), settings.max_bytes)?;
        Ok(Self { disk, clock, allowed_hosts: settings.allowed_hosts })
    }

    /// Looks an address up, as it would be asked for with these headers.
    pub(crate) async fn look(&self, url: &WebUrl, headers: &HeaderMap) -> Look {
        let Some(entry) = self.disk.load(url.as_str()).await else { return Look::Nothing };
        let Some(request) = request(url, headers) else { return Look::Nothing };
        match entry.policy.before_request(&request, self.now()) {
            BeforeRequest::Fresh(parts) => Look::Fresh(Kept {
                status: parts.status.as_u16(),
                headers: parts.headers,
                body: entry.body,
            }),
            BeforeRequest::Stale { request, matches: true } => {
                Look::Stale(Box::new(Stale { entry, headers: request.headers }))
            }
            BeforeRequest::Stale { matches: false, .. } => Look::Nothing,
        }
    }

    /// Takes a 304: the kept response with its headers brought up to date, or nothing when the
    /// server spoke of another version.
    pub(crate) async fn confirm(
        &self,
        url: &WebUrl,
        stale: Stale,
        headers: &HeaderMap,
    ) -> Option<Kept> {
        let request = request(url, &stale.headers)?;
        let response = response(304, headers)?;
        match stale.entry.policy.after_response(&request, &response, self.now()) {
            AfterResponse::NotModified(policy, parts) => {
                let kept = Kept {
                    status: parts.status.as_u16(),
                    headers: parts.headers,
                    body: stale.entry.body.clone(),
                };
                self.disk.store(Entry { policy, ..stale.entry }).await;
                Some(kept)
            }
            AfterResponse::Modified(..) => None,
        }
    }

    /// Keeps a response, if it may be kept.
    pub(crate) async fn keep(
        &self,
        url: &WebUrl,
        sent: &HeaderMap,
        status: u16,
        headers: &HeaderMap,
        body: &[u8],
    ) {
        // Pages with a cookie are made for one visitor, whatever else they say.
        if status != 200 || headers.contains_key(SET_COOKIE) || body.len() > CACHE_BODY_BYTES {
            return;
        }
        let (Some(request), Some(response)) = (request(url, sent), response(status, headers))
        else {
            return;
        };
        let options = CacheOptions { shared: true, ..CacheOptions::default() };
        let policy = CachePolicy::new_options(&request, &response, self.now(), options);
        let can_return = headers.contains_key("etag") || headers.contains_key("last-modified");
        if policy.is_storable() && (can_return || !policy.is_stale(self.now())) {
            self.disk
                .store(Entry { url: url.as_str().to_owned(), policy, body: body.to_vec() })
                .await;
        }
    }

    fn now(&self) -> SystemTime {
        UNIX_EPOCH + Duration::from_millis(u64::try_from(self.clock.now().0).unwrap_or(0))
    }
}

fn request(url: &WebUrl, headers: &HeaderMap) -> Option<http::Request<()>> {
    let mut request = http::Request::get(url.as_str()).body(()).ok()?;
    *request.headers_mut() = headers.clone();
    Some(request)
}

fn response(status: u16, headers: &HeaderMap) -> Option<http::Response<()>> {
    let mut response = http::Response::builder().status(status).body(()).ok()?;
    *response.headers_mut() = headers.clone();
    Some(response)
}
