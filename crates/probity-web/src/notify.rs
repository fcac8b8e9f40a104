//! Messages to people: to an address of theirs, to ntfy, by e-mail.
//!
//! ```text
//! Message + Channel → (guard: may this host be reached) → POST | SMTP → sent | SendError, which says whether trying again may help
//! ```
//!
//! Addresses are the administrator's own choice, and go through the guard of pages anyway: a
//! private host is reached only where it was opened. Nothing that comes back is kept.

mod channel;
mod mail;
mod sign;
mod smtp;

use std::sync::Arc;
use std::time::Duration;

use probity_core::{Secret, WebUrl, printable};
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use serde::{Deserialize, Serialize};

use crate::fetch::client::{self, ClientError};
use crate::fetch::settings::FetchSettings;
use crate::fetch::wire::{Wire, WireError};

pub use channel::{Channel, MailServer, Security};
pub use mail::is_address;
pub use sign::{SIGNATURE, verify};

/// How long sending one message may take.
const SEND_TIME: Duration = Duration::from_secs(30);
/// How much of a reason is shown, in characters.
const REASON_CHARS: usize = 300;

/// Something to tell people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// What kind of event it is: `topic`, `outlet`, `question`, `test`.
    pub kind: String,
    /// What happened, in a line.
    pub title: String,
    /// More about it, a line each.
    pub lines: Vec<String>,
    /// Where to read more.
    pub link: Option<String>,
    /// When it happened.
    pub at: String,
}

impl Message {
    /// The lines and the link as one text.
    fn text(&self) -> String {
        let lines = self.lines.iter().map(|line| printable::line(line).to_string());
        let lines: Vec<String> = lines.chain(self.link.clone()).collect();
        lines.join("\n")
    }
}

/// Why a message was not sent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SendError {
    /// It may work another time.
    #[error("{0}")]
    Passing(String),
    /// It would fail again.
    #[error("{0}")]
    Lasting(String),
}

impl SendError {
    fn passing(reason: &str) -> Self {
        Self::Passing(printable::brief(reason, REASON_CHARS))
    }

    fn lasting(reason: &str) -> Self {
        Self::Lasting(printable::brief(reason, REASON_CHARS))
    }
}

/// Sends messages. Cheap to clone.
#[derive(Clone)]
pub struct Messenger {
    wire: Arc<Wire>,
    settings: Arc<FetchSettings>,
}

impl Messenger {
    /// A messenger that reaches what pages may be fetched from.
    ///
    /// # Errors
    /// When TLS cannot be set up.
    pub fn new(settings: FetchSettings) -> Result<Self, ClientError> {
        client::install_crypto();
        Ok(Self { wire: Arc::new(Wire::new(&settings)?), settings: Arc::new(settings) })
    }

    /// Sends a message once. Trying again is the caller's decision.
    ///
    /// # Errors
    /// Says what went wrong, and whether it may go right another time.
    pub async fn send(&self, channel: &Channel, message: &Message) -> Result<(), SendError> {
        let sending = async {
            match channel {
                Channel::Webhook { url, secret } => self.hook(url, secret.as_ref(), message).await,
                Channel::Ntfy { url, token } => self.ntfy(url, token.as_ref(), message).await,
                Channel::Mail(server) => smtp::send(&self.settings, server, message).await,
            }
        };
        match tokio::time::timeout(SEND_TIME, sending).await {
            Ok(sent) => sent,
            Err(_) => Err(SendError::passing("it took too long")),
        }
    }

    /// The message as JSON, signed where there is a secret.
    async fn hook(
        &self,
        url: &WebUrl,
        secret: Option<&Secret>,
        message: &Message,
    ) -> Result<(), SendError> {
        let body = serde_json::to_vec(message).map_err(|e| SendError::lasting(&e.to_string()))?;
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if let Some(secret) = secret {
            let signature = sign::sign(secret, &body);
            put(&mut headers, SIGNATURE, &signature)?;
        }
        self.post(url, headers, body).await
    }

    /// The message as ntfy takes it: the text as the body, the rest in headers.
    async fn ntfy(
        &self,
        url: &WebUrl,
        token: Option<&Secret>,
        message: &Message,
    ) -> Result<(), SendError> {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
        put(&mut headers, "title", &mail::header_text(&message.title))?;
        put(&mut headers, "tags", &message.kind)?;
        if let Some(link) = &message.link {
            put(&mut headers, "click", link)?;
        }
        if let Some(token) = token {
            put(&mut headers, "authorization", &format!("Bearer {}", token.expose()))?;
        }
        self.post(url, headers, message.text().into_bytes()).await
    }

    async fn post(&self, url: &WebUrl, headers: HeaderMap, body: Vec<u8>) -> Result<(), SendError> {
        let answer = self.wire.post(url, headers, body).await.map_err(|error| match error {
            WireError::Refused(reason) => SendError::lasting(&reason),
            WireError::TimedOut(reason)
            | WireError::Transient(reason)
            | WireError::Failed(reason) => SendError::passing(&reason),
        })?;
        let status = answer.status();
        if status.is_success() {
            return Ok(());
        }
        let reason = format!("{} answered with status {}", url.host(), status.as_u16());
        // A server that rejects the message will reject it again.
        match status.as_u16() {
            408 | 425 | 429 | 500..=599 => Err(SendError::passing(&reason)),
            _ => Err(SendError::lasting(&reason)),
        }
    }
}

fn put(headers: &mut HeaderMap, name: &'static str, value: &str) -> Result<(), SendError> {
    let wrong = || SendError::lasting(&format!("the header `{name}` cannot be sent"));
    let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| wrong())?;
    let mut value = HeaderValue::from_str(value).map_err(|_| wrong())?;
    value.set_sensitive(true);
    headers.insert(name, value);
    Ok(())
}
