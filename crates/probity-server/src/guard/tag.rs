//! Answers that did not change need not be sent again.

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use sha2::{Digest as _, Sha256};

use crate::limits;
use crate::problem::Problem;

/// Whether an answer's text is whole and worth a tag.
fn is_taggable(response: &Response) -> bool {
    let media = response.headers().get(header::CONTENT_TYPE).and_then(|v| v.to_str().ok());
    response.status() == StatusCode::OK
        && !response.headers().contains_key(header::ETAG)
        && media.is_some_and(|m| m.starts_with("application/json") || m.starts_with("text/html"))
}

fn is_known(headers: &HeaderMap, tag: &str) -> bool {
    let sent = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    sent.is_some_and(|sent| {
        let bare = |text: &str| text.trim().trim_start_matches("W/").to_owned();
        sent.trim() == "*" || sent.split(',').any(|one| bare(one) == bare(tag))
    })
}

/// Gives what is read a tag, and answers 304 where the client has it already.
pub(crate) async fn tag(request: Request, next: Next) -> Response {
    let is_reading = matches!(*request.method(), Method::GET | Method::HEAD);
    let asked = request.headers().clone();
    let response = next.run(request).await;
    if !is_reading || !is_taggable(&response) {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let Ok(bytes) = to_bytes(body, limits::TAGGED_BYTES).await else {
        return Problem::internal(&"an answer was larger than any may be").into_response();
    };
    let digest = Sha256::digest(&bytes);
    let digits = probity_core::hex(digest.iter().take(12));
    // Weak, because the same answer may be sent compressed.
    let tag = format!("W/\"{digits}\"");
    if let Ok(value) = HeaderValue::from_str(&tag) {
        parts.headers.insert(header::ETAG, value);
    }
    let usual = HeaderValue::from_static("private, no-cache");
    parts.headers.entry(header::CACHE_CONTROL).or_insert(usual);
    if is_known(&asked, &tag) {
        parts.status = StatusCode::NOT_MODIFIED;
        parts.headers.remove(header::CONTENT_LENGTH);
        return Response::from_parts(parts, Body::empty());
    }
    Response::from_parts(parts, Body::from(bytes))
}
