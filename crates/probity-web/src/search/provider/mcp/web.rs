//! MCP over HTTP with bounds: every answer is read whole, up to a limit, or refused.

use std::collections::HashMap;
use std::sync::Arc;

use futures::StreamExt as _;
use futures::stream::{BoxStream, try_unfold};
use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderName, HeaderValue, StatusCode};
use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::streamable_http_client::{
    HttpStatusError, SseError, StreamableHttpClient, StreamableHttpError,
    StreamableHttpPostResponse,
};
use sse_stream::{Sse, SseStream};

use super::session::MESSAGE_BYTES;
use crate::fetch::client::{self, ClientError, default_user_agent};

const SESSION: &str = "mcp-session-id";
const JSON: &str = "application/json";
const EVENTS: &str = "text/event-stream";

/// Why an answer could not be had.
#[derive(Debug, thiserror::Error)]
pub(super) enum WebError {
    /// The server cannot be reached, or broke off.
    #[error("{0}")]
    Broken(String),
    /// It answers too much.
    #[error("the answer is larger than {MESSAGE_BYTES} bytes")]
    TooLarge,
}

type Failure = StreamableHttpError<WebError>;

/// A client that reads no more than it has to.
#[derive(Debug, Clone)]
pub(super) struct Bounded {
    client: reqwest::Client,
}

impl Bounded {
    pub(super) fn new() -> Result<Self, ClientError> {
        // The address is the user's own choice, so any may be reached, loopback too; redirects
        // are not followed, because the request carries a token.
        Ok(Self { client: client::build(&default_user_agent(), |builder| builder)? })
    }

    async fn send(
        &self,
        request: reqwest::RequestBuilder,
        session: Option<&str>,
        token: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<reqwest::Response, Failure> {
        let mut request = request.headers(headers.into_iter().collect());
        if let Some(session) = session {
            request = request.header(SESSION, session);
        }
        if let Some(token) = token {
            request = request.bearer_auth(token);
        }
        request.send().await.map_err(broken)
    }
}

fn broken(error: reqwest::Error) -> Failure {
    // Without the address, which may carry what belongs into no log.
    Failure::Client(WebError::Broken(super::plain(&error.without_url())))
}

/// The body in pieces, as long as there is not too much of it.
fn pieces(response: reqwest::Response) -> BoxStream<'static, Result<bytes::Bytes, WebError>> {
    try_unfold((response, 0usize), |(mut response, had)| async move {
        let piece = response.chunk().await;
        let piece = piece.map_err(|error| WebError::Broken(super::plain(&error.without_url())))?;
        let Some(piece) = piece else { return Ok(None) };
        let had = had.saturating_add(piece.len());
        match had > MESSAGE_BYTES {
            true => Err(WebError::TooLarge),
            false => Ok(Some((piece, (response, had)))),
        }
    })
    .boxed()
}

async fn whole(response: reqwest::Response) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let mut pieces = pieces(response);
    while let Some(piece) = pieces.next().await {
        bytes.extend_from_slice(&piece.map_err(Failure::Client)?);
    }
    Ok(bytes)
}

/// The answer among a stream's events; what else the server says on the way is not for us.
async fn answer(response: reqwest::Response) -> Result<ServerJsonRpcMessage, Failure> {
    let mut events = SseStream::from_bytes_stream(pieces(response));
    while let Some(event) = events.next().await {
        let data = event?.data.unwrap_or_default();
        if data.trim().is_empty() {
            continue;
        }
        let message: ServerJsonRpcMessage = serde_json::from_str(&data)?;
        if matches!(message, ServerJsonRpcMessage::Response(_) | ServerJsonRpcMessage::Error(_)) {
            return Ok(message);
        }
    }
    Err(Failure::UnexpectedEndOfStream)
}

impl StreamableHttpClient for Bounded {
    type Error = WebError;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session_id: Option<Arc<str>>,
        auth_header: Option<String>,
        custom_headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<StreamableHttpPostResponse, Failure> {
        let request = self
            .client
            .post(uri.as_ref())
            .header(ACCEPT, format!("{JSON}, {EVENTS}"))
            .json(&message);
        let session = session_id.as_deref();
        let response = self.send(request, session, auth_header, custom_headers).await?;
        let status = response.status();
        if matches!(status, StatusCode::ACCEPTED | StatusCode::NO_CONTENT) {
            return Ok(StreamableHttpPostResponse::Accepted);
        }
        if status == StatusCode::NOT_FOUND && session.is_some() {
            return Err(Failure::SessionExpired);
        }
        let header = |name: &str| {
            let value = response.headers().get(name).and_then(|value| value.to_str().ok());
            value.map(str::to_owned)
        };
        let (media, given) = (header(CONTENT_TYPE.as_str()).unwrap_or_default(), header(SESSION));
        if !status.is_success() {
            return Err(HttpStatusError::new(status.as_u16(), None).into());
        }
        if media.starts_with(EVENTS) {
            return Ok(StreamableHttpPostResponse::Json(answer(response).await?, given));
        }
        if !media.starts_with(JSON) {
            return Err(Failure::UnexpectedContentType(Some(super::plain(&media))));
        }
        let message = serde_json::from_slice(&whole(response).await?)?;
        Ok(StreamableHttpPostResponse::Json(message, given))
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session_id: Arc<str>,
        auth_header: Option<String>,
        custom_headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<(), Failure> {
        let request = self.client.delete(uri.as_ref());
        self.send(request, Some(&session_id), auth_header, custom_headers).await?;
        Ok(())
    }

    async fn get_stream(
        &self,
        _: Arc<str>,
        _: Option<Arc<str>>,
        _: Option<String>,
        _: Option<String>,
        _: HashMap<HeaderName, HeaderValue>,
    ) -> Result<BoxStream<'static, Result<Sse, SseError>>, Failure> {
        // Nothing that a server says by itself is of use to a search.
        Err(Failure::ServerDoesNotSupportSse)
    }
}
