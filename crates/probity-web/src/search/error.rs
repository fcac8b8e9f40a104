//! Why a provider found nothing to return: one enum for all of them.

use std::time::Duration;

use crate::fetch::api::ApiError;

/// Why one provider gave no results. Shown as `provider: message`.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// The provider does not accept the key, or wants one.
    #[error("{} ({detail}); {} {variable}", if *given { "the key was refused" } else { "we were refused without a key" }, if *given { "check" } else { "set" })]
    KeyRefused {
        /// The environment variable that holds the key.
        variable: &'static str,
        /// Whether a key was sent.
        given: bool,
        /// What the provider said.
        detail: String,
    },
    /// The provider asks for a longer wait than the search may take.
    #[error("asks us to wait {} s, longer than this search may take; try again later", wait.as_secs())]
    RateLimited {
        /// How long it asks us to wait.
        wait: Duration,
    },
    /// It asked one of the processes that share a store for rest, or failed them again and again.
    #[error(
        "is left alone for {} s, because it asked for that or failed repeatedly; try again later, \
         or use another provider",
        wait.as_secs().max(1)
    )]
    Resting {
        /// For how long.
        wait: Duration,
    },
    /// Our own limit on requests to the provider leaves no room before the deadline.
    #[error(
        "too many queries are waiting for it (it takes {per_second} a second); ask fewer at once, \
         or raise its timeout"
    )]
    Queue {
        /// How many requests a second are allowed.
        per_second: f64,
    },
    /// The provider did not answer in time.
    #[error("no answer within {} s", time.as_secs_f32())]
    Timeout {
        /// The limit.
        time: Duration,
    },
    /// The provider wants to see a person first.
    #[error(
        "answered with a challenge for robots instead of results; wait a while, or use another \
         provider"
    )]
    Challenge,
    /// The reply itself says that something went wrong.
    #[error("reports an error: {0}")]
    Reported(String),
    /// The reply is not what the provider documents.
    #[error("the reply cannot be understood: {0}")]
    Malformed(String),
    /// No usable reply came.
    #[error("{0}")]
    Api(ApiError),
    /// A provider inside this program failed.
    #[error("{0}")]
    Local(String),
}

impl SearchError {
    pub(crate) fn malformed(what: impl Into<String>) -> Self {
        Self::Malformed(what.into())
    }

    /// An error message out of a reply: untrusted, so one short line.
    pub(crate) fn reported(text: &str) -> Self {
        Self::Reported(super::clean::plain(text, SAID_CHARS))
    }
}

/// How much of a provider's own message is quoted, in characters.
const SAID_CHARS: usize = 200;
