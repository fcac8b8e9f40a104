//! Why an API gave no usable reply, and whether to ask again.

use std::time::Duration;

/// Why an API gave no usable reply.
#[derive(Debug, thiserror::Error)]
pub enum ApiError {
    /// The host did not answer in time.
    #[error("{host} did not answer within {} s", time.as_secs_f32())]
    Timeout {
        /// Who was asked.
        host: String,
        /// The limit.
        time: Duration,
    },
    /// The host cannot be reached, or the connection broke.
    #[error("{host} cannot be reached: {reason}")]
    Unreachable {
        /// Who was asked.
        host: String,
        /// What happened.
        reason: String,
    },
    /// The key is missing or wrong (401, 403).
    #[error("{host} refused the key (status {status}): {detail}")]
    Unauthorised {
        /// Who was asked.
        host: String,
        /// The status.
        status: u16,
        /// The beginning of the reply, one line.
        detail: String,
    },
    /// Too many requests, or out of quota (429, or 503 with Retry-After).
    #[error("{host} asks us to slow down (status {status})")]
    RateLimited {
        /// Who was asked.
        host: String,
        /// The status.
        status: u16,
        /// How long to wait, where the host said so.
        retry_after: Option<Duration>,
    },
    /// Any other status that is not a success.
    #[error("{host} answered with status {status}: {detail}")]
    Status {
        /// Who was asked.
        host: String,
        /// The status.
        status: u16,
        /// The beginning of the reply, one line.
        detail: String,
    },
    /// The reply is larger than the limit.
    #[error("the reply of {host} is larger than {limit} bytes")]
    TooLarge {
        /// Who was asked.
        host: String,
        /// The limit.
        limit: u64,
    },
    /// The reply is not what was expected.
    #[error("the reply of {host} cannot be understood: {reason}")]
    Malformed {
        /// Who was asked.
        host: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A redirect leads away from the configured host, where keys must not go.
    #[error("{host} redirects elsewhere ({to}); set the base URL to where it moved")]
    Redirected {
        /// Who was asked.
        host: String,
        /// The host it points to.
        to: String,
    },
    /// A header or body of the request itself is impossible, such as a key with a line break.
    #[error("the request to {host} cannot be made: {reason}")]
    Request {
        /// Who was to be asked.
        host: String,
        /// What is wrong with it.
        reason: String,
    },
}

impl ApiError {
    /// Whether the same request may succeed a little later.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Timeout { .. } | Self::Unreachable { .. } | Self::RateLimited { .. } => true,
            Self::Status { status, .. } => matches!(status, 500 | 502 | 503 | 504),
            _ => false,
        }
    }

    /// How long the host asked us to wait, if it did.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::RateLimited { retry_after, .. } => *retry_after,
            _ => None,
        }
    }
}
