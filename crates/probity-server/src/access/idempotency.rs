//! A request that a client names by a key is done once, however often it is sent.

use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use http::{HeaderValue, StatusCode, header};
use probity_core::hex;
use probity_store::access::{Answer, Once};
use sha2::{Digest as _, Sha256};

use super::Caller;
use crate::problem::Problem;
use crate::state::Server;
use crate::{limits, read};

/// The header that names a request.
const HEADER: &str = "idempotency-key";
/// A request that was neither answered nor given up for so long died with its server.
const PATIENCE: Duration = Duration::from_secs(300);

/// Answers a repeated request with what it was answered first.
pub(crate) async fn once(State(server): State<Server>, request: Request, next: Next) -> Response {
    let key = match request.headers().get(HEADER) {
        None => return next.run(request).await,
        Some(value) => value.to_str().unwrap_or_default().to_owned(),
    };
    let is_usable = !key.is_empty()
        && key.len() <= limits::ONCE_KEY_CHARS
        && key.bytes().all(|byte| byte.is_ascii_graphic());
    if !is_usable {
        let most = limits::ONCE_KEY_CHARS;
        let why = format!("the key has 1 to {most} visible ASCII characters");
        return Problem::field("Idempotency-Key", why).into_response();
    }
    match keyed(&server, key, request, next).await {
        Ok(response) => response,
        Err(problem) => problem.into_response(),
    }
}

async fn keyed(
    server: &Server,
    key: String,
    request: Request,
    next: Next,
) -> Result<Response, Problem> {
    let caller = request.extensions().get::<Caller>();
    let owner = caller.map_or_else(String::new, |caller| caller.name.clone());
    let (parts, body) = request.into_parts();
    let bytes = read::body(Request::new(body)).await?;
    let mut digest = Sha256::new();
    digest.update(format!("{} {}\n", parts.method, parts.uri));
    digest.update(&bytes);
    let meant = hex(&digest.finalize());
    match server.store.begin_once(&owner, &key, &meant, PATIENCE).await? {
        Once::First => {}
        Once::Done(answer) => return Ok(again(answer)),
        Once::UnderWay => {
            return Err(Problem::conflict(
                "a request with this key is being answered; wait for it",
            ));
        }
        Once::Another => {
            let why = "this key was used for another request; choose a new one";
            return Err(Problem::field("Idempotency-Key", why));
        }
    }
    let response = next.run(Request::from_parts(parts, Body::from(bytes))).await;
    keep(server, &owner, &key, response).await
}

/// Keeps a final answer; a failure of the server may be tried again.
async fn keep(
    server: &Server,
    owner: &str,
    key: &str,
    response: Response,
) -> Result<Response, Problem> {
    let (parts, body) = response.into_parts();
    let media = parts.headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let media = media.unwrap_or_default().to_owned();
    let lasts = !parts.status.is_server_error() && parts.status != StatusCode::TOO_MANY_REQUESTS;
    if !lasts || media.starts_with("text/event-stream") {
        server.store.end_once(owner, key, None).await?;
        return Ok(Response::from_parts(parts, body));
    }
    let bytes = to_bytes(body, limits::ONCE_BYTES).await;
    let text = bytes.ok().and_then(|bytes| String::from_utf8(bytes.to_vec()).ok());
    let Some(text) = text else {
        server.store.end_once(owner, key, None).await?;
        return Err(Problem::internal(&"an answer could not be kept for its key"));
    };
    let answer = Answer { status: parts.status.as_u16(), media, body: text };
    server.store.end_once(owner, key, Some(&answer)).await?;
    Ok(Response::from_parts(parts, Body::from(answer.body)))
}

fn again(answer: Answer) -> Response {
    let status = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::OK);
    let mut response = (status, answer.body).into_response();
    if let Ok(media) = HeaderValue::from_str(&answer.media) {
        response.headers_mut().insert(header::CONTENT_TYPE, media);
    }
    response.headers_mut().insert("idempotency-replayed", HeaderValue::from_static("true"));
    response
}
