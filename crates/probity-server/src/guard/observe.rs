//! Every request gets an id, a line in the log, and a place in the counts.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::{HeaderName, HeaderValue};

use crate::state::Server;

/// The header that carries a request's id.
const HEADER: HeaderName = HeaderName::from_static("x-request-id");
/// The longest id that is taken over from a proxy.
const ID_CHARS: usize = 64;

static NEXT: AtomicU64 = AtomicU64::new(1);

fn id_of(request: &Request) -> String {
    let given = request.headers().get(HEADER).and_then(|value| value.to_str().ok());
    let is_plain = |text: &&str| {
        !text.is_empty()
            && text.len() <= ID_CHARS
            && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
    };
    match given.filter(is_plain) {
        Some(given) => given.to_owned(),
        None => format!("{:x}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed)),
    }
}

/// Names, counts and logs a request.
pub(crate) async fn observe(
    State(server): State<Server>,
    request: Request,
    next: Next,
) -> Response {
    let id = id_of(&request);
    let method = request.method().clone();
    // The pattern, not the address: an address may hold what belongs into no log.
    let path = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let path = path.unwrap_or_else(|| "(unknown)".to_owned());
    let began = Instant::now();
    let mut response = next.run(request).await;
    let took = began.elapsed();
    let status = response.status().as_u16();
    server.metrics.count(status, took);
    tracing::info!(%id, %method, %path, status, millis = took.as_millis() as u64, "request");
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(HEADER, value);
    }
    response
}
