//! No answer keeps a client waiting for ever.

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use http::Method;

use crate::limits;
use crate::problem::Problem;
use crate::routes;

/// Gives up on an answer that does not begin in time. A stream may continue after it has begun, and
/// answers that wait for a run have a limit of their own.
pub(crate) async fn limit_time(request: Request, next: Next) -> Response {
    if routes::waits(request.uri().path()) {
        return next.run(request).await;
    }
    let brings = request.method() == Method::POST && routes::receives(request.uri().path());
    let time = if brings { limits::UPLOAD_TIME } else { limits::ANSWER_TIME };
    match tokio::time::timeout(time, next.run(request)).await {
        Ok(response) => response,
        Err(_) => Problem::unavailable("the answer took too long; try again", 5).into_response(),
    }
}
