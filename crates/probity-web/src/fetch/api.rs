//! Requests to APIs that the user configured: search providers, not web pages.
//!
//! ```text
//! ApiRequest::get(base).query("q", …).secret_header("x-api-key", key) → ApiClient::send → ApiReply | ApiError
//! ```
//!
//! The base URL is the user's own choice, so any address is allowed, loopback too; that is why this
//! client must never be given an address that came out of a search, a page or a model. Time and
//! size are bounded anyway, redirects stay on the configured host, and keys travel in
//! [`Secret`](probity_core::Secret)s that no log or error shows.

mod error;
mod request;

use std::time::{Duration, SystemTime};

use probity_core::{Answering, printable};
use reqwest::Method;
use reqwest::header::{CONTENT_TYPE, LOCATION};
use serde::de::DeserializeOwned;

use super::body::{self, BodyError, ReadOptions};
use super::client::{self, ClientError};
use super::failure;
use super::limits::{API_BODY_BYTES, API_REDIRECTS, API_TIME};
use super::retry::retry_after;

pub use error::ApiError;
pub use request::ApiRequest;

/// How much of an error reply is quoted.
const DETAIL_CHARS: usize = 200;

/// Bounds on API requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiSettings {
    /// How long one request may take in all.
    pub time: Duration,
    /// The largest reply, decoded.
    pub body_bytes: u64,
    /// What we call ourselves.
    pub user_agent: String,
}

impl Default for ApiSettings {
    fn default() -> Self {
        Self {
            time: API_TIME,
            body_bytes: API_BODY_BYTES,
            user_agent: client::default_user_agent(),
        }
    }
}

/// A successful reply, whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiReply {
    /// The host that replied.
    pub host: String,
    /// The status, 200 to 299.
    pub status: u16,
    /// The `Content-Type`, as sent.
    pub content_type: Option<String>,
    /// The body, decompressed.
    pub body: Vec<u8>,
}

impl ApiReply {
    /// The body read as JSON.
    ///
    /// # Errors
    /// When it is not JSON of that shape.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T, ApiError> {
        serde_json::from_slice(&self.body).map_err(|error| ApiError::Malformed {
            host: self.host.clone(),
            reason: error.to_string(),
        })
    }

    /// The body as text, broken characters replaced.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

/// A client for configured APIs. Cheap to clone; clones share connections.
#[derive(Debug, Clone)]
pub struct ApiClient {
    client: reqwest::Client,
    settings: ApiSettings,
}

impl ApiClient {
    /// Makes a client.
    ///
    /// # Errors
    /// When TLS cannot be set up.
    pub fn new(settings: ApiSettings) -> Result<Self, ClientError> {
        let client = client::build(&settings.user_agent, |builder| builder)?;
        Ok(Self { client, settings })
    }

    /// Gets an address and reads the reply as JSON.
    ///
    /// # Errors
    /// As [`ApiClient::send`], and when the reply is not JSON of that shape.
    pub async fn get_json<T: DeserializeOwned>(&self, request: ApiRequest) -> Result<T, ApiError> {
        self.send(request.header("accept", "application/json")).await?.json()
    }

    /// Sends a request once and returns a successful reply. Retrying is the caller's decision:
    /// see [`ApiError::is_transient`] and [`ApiError::retry_after`].
    ///
    /// # Errors
    /// When there is no reply in time, the status is no success, or the reply is too large.
    pub fn send(&self, request: ApiRequest) -> Answering<'_, Result<ApiReply, ApiError>> {
        Box::pin(async move {
            let time = request.time.unwrap_or(self.settings.time);
            let host = request.host().to_owned();
            match tokio::time::timeout(time, self.exchange(&request)).await {
                Ok(reply) => reply,
                Err(_) => Err(ApiError::Timeout { host, time }),
            }
        })
    }

    async fn exchange(&self, request: &ApiRequest) -> Result<ApiReply, ApiError> {
        let headers = request.header_map()?;
        let mut url = request.address();
        for _ in 0..=API_REDIRECTS {
            let mut builder =
                self.client.request(request.method.clone(), url.clone()).headers(headers.clone());
            if let Some((_, body)) = &request.body {
                builder = builder.body(body.clone());
            }
            let response = builder.send().await.map_err(|error| unreachable(request, error))?;
            match next_address(request, &url, &response)? {
                Some(next) => url = next,
                None => return self.reply(request, response).await,
            }
        }
        Err(ApiError::Redirected {
            host: request.host().to_owned(),
            to: "itself, over and over".to_owned(),
        })
    }

    async fn reply(
        &self,
        request: &ApiRequest,
        response: reqwest::Response,
    ) -> Result<ApiReply, ApiError> {
        let host = request.host().to_owned();
        let status = response.status();
        let wait = retry_after(response.headers(), SystemTime::now());
        let content_type = response
            .headers()
            .get(CONTENT_TYPE)
            .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
        if status.as_u16() == 429 || (status.as_u16() == 503 && wait.is_some()) {
            return Err(ApiError::RateLimited { host, status: status.as_u16(), retry_after: wait });
        }
        let how =
            ReadOptions { limit: self.settings.body_bytes, memory: None, wanted: None, cut: false };
        let body = body::read(response, &how).await;
        if !status.is_success() {
            let detail = body.map(|body| detail(request, &body.bytes)).unwrap_or_default();
            let status = status.as_u16();
            return Err(match status {
                401 | 403 => ApiError::Unauthorised { host, status, detail },
                _ => ApiError::Status { host, status, detail },
            });
        }
        let bytes = body.map_err(|error| unread(&host, error))?.bytes;
        Ok(ApiReply { host, status: status.as_u16(), content_type, body: bytes })
    }
}

/// Where a redirect leads, if the response is one: only to the same host, and never from https
/// to http, because the request carries keys.
fn next_address(
    request: &ApiRequest,
    from: &url::Url,
    response: &reqwest::Response,
) -> Result<Option<url::Url>, ApiError> {
    let redirects = matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308);
    let Some(location) = response.headers().get(LOCATION).filter(|_| redirects) else {
        return Ok(None);
    };
    let elsewhere = |to: &str| ApiError::Redirected {
        host: request.host().to_owned(),
        to: printable::brief(to, 80),
    };
    let text = location.to_str().map_err(|_| elsewhere("an unreadable address"))?;
    let next = from.join(text).map_err(|_| elsewhere("an unreadable address"))?;
    let upgraded = from.scheme() == "http" && next.scheme() == "https";
    let same_origin = from.scheme() == next.scheme()
        && from.port_or_known_default() == next.port_or_known_default();
    if next.host_str() != from.host_str()
        || !(same_origin || upgraded)
        || request.method != Method::GET
    {
        return Err(elsewhere(next.host_str().unwrap_or("nowhere")));
    }
    Ok(Some(next))
}

fn unreachable(request: &ApiRequest, error: reqwest::Error) -> ApiError {
    ApiError::Unreachable {
        host: request.host().to_owned(),
        reason: failure::in_words(&error.without_url()),
    }
}

fn unread(host: &str, error: BodyError) -> ApiError {
    let host = host.to_owned();
    match error {
        BodyError::TooLarge(limit) => ApiError::TooLarge { host, limit },
        BodyError::Broken(reason) => ApiError::Unreachable { host, reason },
        other => ApiError::Malformed { host, reason: other.to_string() },
    }
}

fn detail(request: &ApiRequest, bytes: &[u8]) -> String {
    let text = request.without_keys(&String::from_utf8_lossy(bytes));
    printable::brief(text.trim(), DETAIL_CHARS)
}
