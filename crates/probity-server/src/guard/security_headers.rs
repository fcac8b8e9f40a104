//! What every answer wears: headers that keep browsers careful, and problems as pages for people.

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::{HeaderName, HeaderValue, header};

use crate::page;
use crate::problem::Problem;
use crate::routes;
use crate::state::Server;

/// Nothing but our own files, no frames, no forms to elsewhere, nothing inline.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; \
    connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const HEADERS: [(HeaderName, &str); 7] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=()"),
];

/// An answer that other sites may show in a frame; it brings its own policy.
#[derive(Clone, Copy)]
pub(crate) struct Framed;

/// Puts the careful headers on an answer.
pub(crate) async fn harden(State(server): State<Server>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let framed = response.extensions().get::<Framed>().is_some();
    let headers = response.headers_mut();
    let wanted = |name: &HeaderName| !(framed && *name == header::X_FRAME_OPTIONS);
    for (name, value) in HEADERS.into_iter().filter(|(name, _)| wanted(name)) {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("private, no-cache"));
    if server.doors.is_secure() {
        let value = HeaderValue::from_static("max-age=31536000");
        headers.insert(header::STRICT_TRANSPORT_SECURITY, value);
    }
    response
}

/// Shows a problem as a page where a page was asked for.
pub(crate) async fn dress(request: Request, next: Next) -> Response {
    let accepts = request.headers().get(header::ACCEPT).and_then(|value| value.to_str().ok());
    let is_page = !routes::is_for_programs(request.uri().path())
        && accepts.is_none_or(|accepts| accepts.contains("text/html"));
    let response = next.run(request).await;
    match response.extensions().get::<Problem>() {
        Some(problem) if is_page => page::problem(&problem.clone(), response),
        _ => response,
    }
}
