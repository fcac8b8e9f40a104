//! Everything that can go wrong for a caller, as one type (RFC 9457).

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use probity_store::StoreError;
use probity_store::ledger::LedgerError;
use probity_store::library::LibraryError;
use serde::Serialize;
use utoipa::ToSchema;

/// What went wrong with a request: what happened, to which thing, and what to do.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Problem {
    /// The kind of problem, as a name that does not change.
    #[serde(rename = "type")]
    kind: String,
    /// The kind of problem in words.
    title: String,
    /// The status of the answer.
    #[schema(minimum = 400, maximum = 599)]
    status: u16,
    /// What happened this time.
    detail: String,
    /// The field of the request that is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<String>,
    /// How many seconds to wait before trying again.
    #[serde(skip_serializing_if = "Option::is_none")]
    retry_after: Option<u64>,
}

impl Problem {
    fn new(status: StatusCode, kind: &str, title: &str, detail: impl Into<String>) -> Self {
        Self {
            kind: format!("urn:probity:{kind}"),
            title: title.to_owned(),
            status: status.as_u16(),
            detail: detail.into(),
            field: None,
            retry_after: None,
        }
    }

    /// The request cannot be read.
    pub(crate) fn unreadable(detail: impl Into<String>) -> Self {
        Self::new(
            StatusCode::BAD_REQUEST,
            "unreadable",
            "The request could not be understood",
            detail,
        )
    }

    /// There is no question, or it asks nothing.
    pub(crate) fn question(detail: impl Into<String>) -> Self {
        let title = "The question cannot be researched";
        Self::new(StatusCode::BAD_REQUEST, "question", title, detail).at("question")
    }

    /// The caller sent no credentials, or unknown ones.
    pub(crate) fn unknown_caller(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "unauthorized", "Log in first", detail)
    }

    /// The caller may not do this.
    pub(crate) fn forbidden(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, "forbidden", "This is not allowed", detail)
    }

    /// There is no such thing.
    pub(crate) fn not_found(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not-found", "There is no such thing", detail)
    }

    /// The method does not fit the address.
    pub(crate) fn method(detail: impl Into<String>) -> Self {
        let title = "The address does not take this method";
        Self::new(StatusCode::METHOD_NOT_ALLOWED, "method", title, detail)
    }

    /// The thing is not in a state for this.
    pub(crate) fn conflict(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, "conflict", "This cannot be done now", detail)
    }

    /// The request is too large.
    pub(crate) fn too_large(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", "The request is too large", detail)
    }

    /// The body is of another kind.
    pub(crate) fn media(detail: impl Into<String>) -> Self {
        let title = "The body is of another kind";
        Self::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "media-type", title, detail)
    }

    /// A field holds what it cannot hold.
    pub(crate) fn field(field: impl Into<String>, detail: impl Into<String>) -> Self {
        let title = "A field of the request is wrong";
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "field", title, detail).at(field)
    }

    /// The caller asks too much.
    pub(crate) fn too_many(detail: impl Into<String>, seconds: u64) -> Self {
        let title = "Too many requests";
        Self::new(StatusCode::TOO_MANY_REQUESTS, "too-many", title, detail).wait(seconds)
    }

    /// It cannot be done right now.
    pub(crate) fn unavailable(detail: impl Into<String>, seconds: u64) -> Self {
        let title = "This is not possible right now";
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", title, detail).wait(seconds)
    }

    /// Something failed on the server's side; the log has the details.
    pub(crate) fn internal(error: &dyn std::fmt::Display) -> Self {
        tracing::error!(%error, "a request failed");
        let title = "Something went wrong on the server";
        let detail = "the server's log says more; `probity doctor` checks what may be broken";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", title, detail)
    }

    fn at(mut self, field: impl Into<String>) -> Self {
        self.field = Some(field.into());
        self
    }

    fn wait(mut self, seconds: u64) -> Self {
        self.retry_after = Some(seconds.max(1));
        self
    }

    /// The status of the answer.
    pub fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    /// The field of the request that is wrong, if one is.
    pub(crate) fn field_name(&self) -> Option<&str> {
        self.field.as_deref().filter(|field| !matches!(*field, "" | "."))
    }

    /// What happened this time.
    pub fn detail(&self) -> &str {
        &self.detail
    }

    /// The kind of problem in words.
    pub fn title(&self) -> &str {
        &self.title
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let body = serde_json::to_vec(&self).unwrap_or_default();
        let mut response = (self.status(), body).into_response();
        let headers = response.headers_mut();
        let media = HeaderValue::from_static("application/problem+json");
        headers.insert(header::CONTENT_TYPE, media);
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if let Some(seconds) = self.retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if self.status == StatusCode::UNAUTHORIZED.as_u16() {
            let scheme = HeaderValue::from_static("Bearer realm=\"probity\"");
            headers.insert(header::WWW_AUTHENTICATE, scheme);
        }
        // A page shows the same problem as a page.
        response.extensions_mut().insert(self);
        response
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Busy { .. } => Self::unavailable("the store is busy; try again", 1),
            StoreError::ReadOnly { .. } | StoreError::Full { .. } | StoreError::Failing { .. } => {
                tracing::error!(%error, "the store cannot be written");
                Self::unavailable("the store cannot be written; `probity doctor` says why", 60)
            }
            error => Self::internal(&error),
        }
    }
}

impl From<LedgerError> for Problem {
    fn from(error: LedgerError) -> Self {
        match error {
            LedgerError::UnknownEvent(_) => Self::not_found(error.to_string()),
            LedgerError::Coding(_) | LedgerError::Codebook(_) => {
                Self::field("codes", error.to_string())
            }
            LedgerError::Foreign(_) | LedgerError::Twice(_) => Self::conflict(error.to_string()),
            LedgerError::LooksLike { .. } => {
                Self::conflict(format!("{error}; send `new: true` if it is another outlet"))
            }
            LedgerError::Tampered(_) => Self::unavailable(error.to_string(), 3600),
            LedgerError::Store(error) => error.into(),
        }
    }
}

impl From<LibraryError> for Problem {
    fn from(error: LibraryError) -> Self {
        match error {
            LibraryError::Store(error) => error.into(),
            error => Self::unreadable(error.to_string()),
        }
    }
}
