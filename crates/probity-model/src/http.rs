//! One exchange with a provider: bounded, within a deadline, and without showing its key.

use std::time::{Duration, SystemTime};

use futures::StreamExt as _;
use probity_core::{Clock, Secret, printable};
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;
use url::Url;

use crate::account::{Account, Granted, ServiceAccount, TokenCache};
use crate::error::ModelError;
use crate::retry::retry_after;
use crate::stream::Events;

/// The largest reply, streamed or whole.
pub(crate) const REPLY_BYTES: usize = 8 * 1024 * 1024;
/// How much is read of a body that should be short: an error's, a token's.
const ERROR_BYTES: usize = 64 * 1024;
/// How much of an error's message is quoted.
const DETAIL_CHARS: usize = 240;
/// What a form is sent as.
const FORM: &str = "application/x-www-form-urlencoded";
/// How long connecting may take.
const CONNECT_TIME: Duration = Duration::from_secs(10);

/// A connection to a provider, with its key.
#[derive(Debug)]
pub(crate) struct Http {
    client: reqwest::Client,
    key: Option<Secret>,
    /// An account whose owner is shown in another way than by a key.
    account: Option<Account>,
    /// What that account was granted.
    tokens: TokenCache,
}

/// What is posted, where, and how the reply is framed.
pub(crate) struct Post {
    /// The model, for messages.
    pub(crate) model: String,
    pub(crate) url: Url,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Value,
    pub(crate) framing: Framing,
}

/// How a reply is framed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Framing {
    /// One JSON text.
    Whole,
    /// Server-sent events.
    Sse,
    /// A JSON text on each line.
    Lines,
}

/// No client could be made.
#[derive(Debug, thiserror::Error)]
#[error("the HTTP client for language models cannot start: {0}")]
pub struct ClientError(#[source] reqwest::Error);

impl Http {
    pub(crate) fn new(key: Option<Secret>, account: Option<Account>) -> Result<Self, ClientError> {
        // An error means that the program installed a provider of its own, which is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let builder = || {
            reqwest::Client::builder()
                .user_agent(concat!("probity/", env!("CARGO_PKG_VERSION")))
                .no_proxy()
                // A key must not follow a redirect.
                .redirect(reqwest::redirect::Policy::none())
                .referer(false)
                .retry(reqwest::retry::never())
                .connect_timeout(CONNECT_TIME)
        };
        let client = builder().build().or_else(|error| {
            tracing::warn!(%error, "no trusted certificates were found; only http can be used");
            builder().tls_certs_only([]).build().map_err(ClientError)
        })?;
        Ok(Self { client, key, account, tokens: TokenCache::default() })
    }

    /// What a server says at an address, if it says JSON and not too much of it.
    pub(crate) async fn get(&self, url: &Url, key: Option<&Secret>) -> Option<Value> {
        let mut request = self.client.get(url.clone());
        if let Some(key) = key {
            request = request.bearer_auth(key.expose());
        }
        let response = request.send().await.ok().filter(|got| got.status().is_success())?;
        serde_json::from_slice(&beginning(response).await).ok()
    }

    /// Posts a request and hands every JSON text of the reply to `take`, which ends the reading
    /// early with an error.
    pub(crate) async fn post(
        &self,
        post: Post,
        mut take: impl FnMut(Value) -> Result<(), String>,
    ) -> Result<(), ModelError> {
        let model = post.model.clone();
        let response = self.send(&post).await?;
        let mut read = 0;
        let mut events = Events::new(post.framing == Framing::Sse);
        let mut whole = Vec::new();
        let mut body = response.bytes_stream();
        while let Some(piece) = body.next().await {
            let piece = piece.map_err(|error| {
                let (model, reason) = (model.clone(), innermost(error));
                ModelError::BrokenOff { model, reason }
            })?;
            read += piece.len();
            if read > REPLY_BYTES {
                return Err(ModelError::TooLarge { model, limit: REPLY_BYTES });
            }
            if post.framing == Framing::Whole {
                whole.extend_from_slice(&piece);
                continue;
            }
            let texts = events
                .feed(&piece)
                .map_err(|_| ModelError::TooLarge { model: model.clone(), limit: REPLY_BYTES })?;
            texts.iter().try_for_each(|text| self.hand(&model, text, &mut take))?;
        }
        if post.framing == Framing::Whole {
            return self.hand(&model, &String::from_utf8_lossy(&whole), &mut take);
        }
        events.finish().iter().try_for_each(|text| self.hand(&model, text, &mut take))
    }

    fn hand(
        &self,
        model: &str,
        text: &str,
        take: &mut impl FnMut(Value) -> Result<(), String>,
    ) -> Result<(), ModelError> {
        let malformed = |reason: String| ModelError::Malformed { model: model.to_owned(), reason };
        // What a model says stays as it is: the letters of a key may be words in it.
        let value = serde_json::from_str(text).map_err(|error| malformed(error.to_string()))?;
        take(value).map_err(malformed)
    }

    async fn send(&self, post: &Post) -> Result<reqwest::Response, ModelError> {
        let model = &post.model;
        let body = serde_json::to_vec(&post.body).unwrap_or_default();
        let shown = self.shown(model, &post.url, &body).await?;
        let headers = headers(post, &shown)
            .map_err(|reason| ModelError::Malformed { model: model.clone(), reason })?;
        tracing::debug!(%model, url = %post.url, bytes = body.len(), "asking a model");
        let sending = self.client.post(post.url.clone()).headers(headers).body(body).send();
        let response = sending.await.map_err(|error| unreachable(model, error))?;
        let status = response.status().as_u16();
        tracing::debug!(%model, status, "a model answered");
        match status {
            200..=299 => Ok(response),
            _ => {
                let refusal = self.refusal(model, status, response).await;
                if status == 401 {
                    self.tokens.forget();
                }
                Err(refusal)
            }
        }
    }

    /// The headers by which a request shows an account.
    async fn shown(
        &self,
        model: &str,
        url: &Url,
        body: &[u8],
    ) -> Result<Vec<(&'static str, String)>, ModelError> {
        Ok(match &self.account {
            None => Vec::new(),
            Some(Account::Aws(keys)) => keys.sign(url, body, Clock::System.now()),
            Some(Account::Google(service)) => {
                let token = self.token(model, service).await?;
                vec![("authorization", format!("Bearer {}", token.expose()))]
            }
        })
    }

    /// The access token of a service account.
    async fn token(&self, model: &str, service: &ServiceAccount) -> Result<Secret, ModelError> {
        let malformed = |reason| ModelError::Malformed { model: model.to_owned(), reason };
        let exchange = async |form: String| {
            let url = service.token_url().clone();
            let request = self.client.post(url).header(CONTENT_TYPE, FORM).body(form);
            let response = request.send().await.map_err(|error| unreachable(model, error))?;
            match response.status().as_u16() {
                200..=299 => serde_json::from_slice::<Granted>(&beginning(response).await)
                    .map_err(|_| malformed("no access token was granted".to_owned())),
                // Whoever grants tokens refuses an account with 400.
                400 => {
                    let (status, detail) = (400, self.detail(response).await);
                    Err(ModelError::Unauthorised { model: model.to_owned(), status, detail })
                }
                status => Err(self.refusal(model, status, response).await),
            }
        };
        self.tokens.token(service, Clock::System.now(), malformed, exchange).await
    }

    async fn refusal(&self, model: &str, status: u16, response: reqwest::Response) -> ModelError {
        let wait = retry_after(response.headers(), SystemTime::now());
        let detail = self.detail(response).await;
        let model = model.to_owned();
        match status {
            401 | 403 => ModelError::Unauthorised { model, status, detail },
            408 | 409 | 425 | 429 | 500..=599 => {
                ModelError::Busy { model, status, detail, retry_after: wait }
            }
            _ => ModelError::Rejected { model, status, detail },
        }
    }

    /// What an error reply says: its message where it has one, else its beginning.
    async fn detail(&self, response: reqwest::Response) -> String {
        let bytes = beginning(response).await;
        let text = String::from_utf8_lossy(&bytes);
        let value: Value = serde_json::from_str(&text).unwrap_or_default();
        let said =
            ["/error/message", "/error_description", "/error", "/message", "/0/error/message"];
        let said = said.iter().find_map(|path| value.pointer(path).and_then(Value::as_str));
        self.error(said.unwrap_or(text.trim()))
    }

    /// What someone says went wrong, short and without the key. The key goes first, so that no part of
    /// it is left at the cut.
    pub(crate) fn error(&self, said: &str) -> String {
        let (account, shown) =
            (self.account.iter().flat_map(Account::secrets), self.tokens.shown());
        let secrets = self.key.iter().chain(account).chain(&shown);
        let said = secrets.fold(said.to_owned(), |said, secret| secret.redact(&said));
        printable::brief(&said, DETAIL_CHARS)
    }
}

/// The beginning of a body, as much as is read of one that should be short.
async fn beginning(response: reqwest::Response) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut body = response.bytes_stream();
    while let Some(Ok(piece)) = body.next().await {
        bytes.extend_from_slice(&piece);
        if bytes.len() >= ERROR_BYTES {
            break;
        }
    }
    bytes
}

fn headers(post: &Post, shown: &[(&'static str, String)]) -> Result<HeaderMap, String> {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    let accept = match post.framing {
        Framing::Sse => "text/event-stream",
        Framing::Whole | Framing::Lines => "application/json",
    };
    headers.insert(ACCEPT, HeaderValue::from_static(accept));
    for (name, value) in post.headers.iter().chain(shown) {
        let mut value = HeaderValue::from_str(value)
            .map_err(|_| format!("the value of the header {name} cannot be sent; check the key"))?;
        // Libraries log headers at their most verbose; a sensitive one is masked.
        value.set_sensitive(true);
        headers.insert(HeaderName::from_static(name), value);
    }
    Ok(headers)
}

fn unreachable(model: &str, error: reqwest::Error) -> ModelError {
    ModelError::Unreachable { model: model.to_owned(), reason: innermost(error) }
}

/// What went wrong below HTTP, down to its innermost cause.
fn innermost(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut innermost: &(dyn std::error::Error + 'static) = &error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    printable::brief(&innermost.to_string(), DETAIL_CHARS)
}
