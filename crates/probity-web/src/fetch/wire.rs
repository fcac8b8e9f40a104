//! One request, one response: sent only through the right door, judged before its body is read.

use std::io;
use std::sync::Arc;

use probity_core::WebUrl;
use reqwest::header::{ACCEPT, ACCEPT_ENCODING, ACCEPT_LANGUAGE, HeaderMap, HeaderValue};

use super::client::{self, ClientError};
use super::decode;
use super::failure::{cause, in_words};
use super::guard::{Door, Guard};
use super::limits::HEADER_BYTES;
use super::resolve::{Bounds, Guarded, NoAddress, OutOfBounds};
use super::settings::FetchSettings;

/// Why a request got no response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum WireError {
    /// The address is out of bounds.
    Refused(String),
    /// The host did not even take the connection in time.
    TimedOut(String),
    /// It may work a moment later: the connection was reset or closed.
    Transient(String),
    /// It will not work any better a moment later.
    Failed(String),
}

/// The connections to the outside.
///
/// There are two clients, because a client looks names up without knowing the port: one for any
/// host, which connects to public addresses only, and one for the hosts and ports that the user
/// allowed. The guard picks the client for each request, so an allowed host is open at its
/// allowed port and at no other.
pub(crate) struct Wire {
    guard: Guard,
    public: reqwest::Client,
    allowed: Option<reqwest::Client>,
}

impl Wire {
    pub(crate) fn new(settings: &FetchSettings) -> Result<Self, ClientError> {
        let guard = Guard::new(&settings.allow_hosts);
        let client = |bounds: Bounds| {
            client::build(&settings.user_agent, |builder| {
                let resolver = Guarded::new(Arc::clone(&settings.resolver), bounds.clone());
                builder.dns_resolver(Arc::new(resolver))
            })
        };
        let allowed = match settings.allow_hosts.is_empty() {
            true => None,
            false => Some(client(Bounds::Allowed(guard.allowed_names()))?),
        };
        Ok(Self { public: client(Bounds::Public)?, allowed, guard })
    }

    /// The door to an address, or why there is none.
    pub(crate) fn door(&self, url: &WebUrl) -> Result<Door, String> {
        self.guard.check(url)
    }

    /// Sends a POST and waits for the head of the response.
    pub(crate) async fn post(
        &self,
        url: &WebUrl,
        headers: HeaderMap,
        body: Vec<u8>,
    ) -> Result<reqwest::Response, WireError> {
        let (_, client) = self.client(url)?;
        client.post(without_user(url)).headers(headers).body(body).send().await.map_err(named)
    }

    /// The client for an address, or why nothing is sent there.
    fn client(&self, url: &WebUrl) -> Result<(Door, &reqwest::Client), WireError> {
        let door = self.door(url).map_err(WireError::Refused)?;
        let client = match (door, &self.allowed) {
            (Door::Allowed, Some(client)) => client,
            _ => &self.public,
        };
        Ok((door, client))
    }

    /// Sends a GET and waits for the head of the response.
    pub(crate) async fn get(
        &self,
        url: &WebUrl,
        headers: HeaderMap,
    ) -> Result<reqwest::Response, WireError> {
        let (door, client) = self.client(url)?;
        let request = client.get(without_user(url)).headers(headers);
        let response = request.send().await.map_err(named)?;
        // The resolver has seen to this already; a mistake there must not go unnoticed.
        if let (Door::Public, Some(peer)) = (door, response.remote_addr())
            && !probity_core::address::is_public(peer.ip())
        {
            return Err(WireError::Refused(format!("{} is not a public address", peer.ip())));
        }
        let size: usize =
            response.headers().iter().map(|(name, value)| name.as_str().len() + value.len()).sum();
        if size > HEADER_BYTES {
            let reason = format!("the headers are larger than {HEADER_BYTES} bytes");
            return Err(WireError::Failed(reason));
        }
        Ok(response)
    }
}

/// The headers of every request for a page.
pub(crate) fn page_headers() -> HeaderMap {
    let mut headers = HeaderMap::new();
    let accept = "text/html, application/xhtml+xml, application/pdf;q=0.9, text/*;q=0.8, */*;q=0.5";
    headers.insert(ACCEPT, HeaderValue::from_static(accept));
    headers.insert(ACCEPT_LANGUAGE, HeaderValue::from_static("en, *;q=0.5"));
    headers.insert(ACCEPT_ENCODING, HeaderValue::from_static(decode::ACCEPT_ENCODING));
    headers
}

/// The address without user name and password: what a link carries is never sent as ours.
fn without_user(url: &WebUrl) -> url::Url {
    let mut url = url.as_url().clone();
    // These fail only for addresses without a host, which a WebUrl has.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.set_fragment(None);
    url
}

fn named(error: reqwest::Error) -> WireError {
    let error = error.without_url();
    if let Some(refused) = cause::<OutOfBounds>(&error) {
        return WireError::Refused(refused.to_string());
    }
    if let Some(unknown) = cause::<NoAddress>(&error) {
        return WireError::Failed(unknown.to_string());
    }
    if error.is_timeout() {
        return WireError::TimedOut("connecting took too long".to_owned());
    }
    let words = in_words(&error);
    if is_transient(&error) { WireError::Transient(words) } else { WireError::Failed(words) }
}

/// Whether the connection was there and broke, which may be chance.
fn is_transient(error: &reqwest::Error) -> bool {
    if let Some(error) = cause::<io::Error>(error)
        && matches!(
            error.kind(),
            io::ErrorKind::ConnectionReset
                | io::ErrorKind::ConnectionAborted
                | io::ErrorKind::BrokenPipe
        )
    {
        return true;
    }
    cause::<hyper::Error>(error).is_some_and(|error| {
        error.is_incomplete_message() || error.is_canceled() || error.is_closed()
    })
}
