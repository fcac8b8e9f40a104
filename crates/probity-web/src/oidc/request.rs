//! One bounded request to a provider, through the guard of pages.

use std::time::Duration;

use probity_core::{WebUrl, printable};
use reqwest::header::{ACCEPT, HeaderMap, HeaderValue};
use serde::de::DeserializeOwned;

use super::{REQUEST_TIME, SignOnError};
use crate::fetch::body::{self, ReadOptions};
use crate::fetch::client::{self, ClientError};
use crate::fetch::guard::Door;
use crate::fetch::settings::FetchSettings;
use crate::fetch::wire::{Wire, WireError};

/// The largest document of a provider, in bytes.
const BODY_BYTES: u64 = 512 * 1024;
/// How much of what a provider says is repeated, in characters.
pub(super) const SAID_CHARS: usize = 200;

/// What is sent to a provider.
pub(super) struct Requests {
    wire: Wire,
    time: Duration,
}

/// What came back, read to its end.
pub(super) struct Answered {
    pub(super) status: u16,
    pub(super) bytes: Vec<u8>,
}

impl Requests {
    pub(super) fn new(fetch: &FetchSettings) -> Result<Self, ClientError> {
        client::install_crypto();
        // Whoever sets a shorter time for pages waits no longer here.
        Ok(Self { wire: Wire::new(fetch)?, time: REQUEST_TIME.min(fetch.time) })
    }

    /// An address of the provider's: with TLS, or on a host that was opened.
    pub(super) fn endpoint(&self, text: &str) -> Result<WebUrl, SignOnError> {
        let said = printable::brief(text, SAID_CHARS);
        let wrong = |why: &str| SignOnError::Discovery(format!("{said}: {why}"));
        let url = WebUrl::parse(text).map_err(|error| wrong(&error.to_string()))?;
        match self.wire.door(&url).map_err(|why| wrong(&why))? {
            Door::Allowed => Ok(url),
            Door::Public if url.as_url().scheme() == "https" => Ok(url),
            Door::Public => Err(wrong("this is not https")),
        }
    }

    /// A JSON document.
    pub(super) async fn document<T: DeserializeOwned>(
        &self,
        url: &WebUrl,
        mut headers: HeaderMap,
    ) -> Result<T, SignOnError> {
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        let answered = self.in_time(self.wire.get(url, headers)).await?;
        let (host, status) = (url.host(), answered.status);
        match status {
            200..=299 => {}
            300..=399 => {
                let said = format!("{host} answered with a redirect, which is not followed");
                return Err(SignOnError::Unreachable(said));
            }
            _ => {
                let said = format!("{host} answered with status {status}");
                return Err(SignOnError::Unreachable(said));
            }
        }
        serde_json::from_slice(&answered.bytes).map_err(|error| {
            let said = printable::brief(&error.to_string(), SAID_CHARS);
            SignOnError::Discovery(format!("{host} sent no document that can be read: {said}"))
        })
    }

    /// What a provider answers to a form.
    pub(super) async fn post(
        &self,
        url: &WebUrl,
        mut headers: HeaderMap,
        form: String,
    ) -> Result<Answered, SignOnError> {
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        self.in_time(self.wire.post(url, headers, form.into_bytes())).await
    }

    async fn in_time(
        &self,
        asking: impl Future<Output = Result<reqwest::Response, WireError>>,
    ) -> Result<Answered, SignOnError> {
        let reading = async {
            let answer = asking.await.map_err(unreachable)?;
            let status = answer.status().as_u16();
            let how = ReadOptions { limit: BODY_BYTES, memory: None, wanted: None, cut: false };
            let read = body::read(answer, &how).await;
            let read = read.map_err(|error| unreachable(WireError::Failed(error.to_string())))?;
            Ok(Answered { status, bytes: read.bytes })
        };
        tokio::time::timeout(self.time, reading).await.unwrap_or_else(|_| Err(too_slow()))
    }
}

/// What is said of a provider that takes too long.
pub(super) fn too_slow() -> SignOnError {
    SignOnError::Unreachable("it took too long to answer".to_owned())
}

fn unreachable(error: WireError) -> SignOnError {
    let (WireError::Refused(why)
    | WireError::TimedOut(why)
    | WireError::Transient(why)
    | WireError::Failed(why)) = error;
    SignOnError::Unreachable(printable::brief(&why, SAID_CHARS))
}
