//! Why a model did not answer, and whether it is worth trying again.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Why a model did not answer. No variant holds a key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ModelError {
    /// The provider does not take the key.
    #[error(
        "{model} does not accept the key (status {status}): {detail}; check the key of its provider"
    )]
    Unauthorised {
        /// The model.
        model: String,
        /// The status.
        status: u16,
        /// What the provider said.
        detail: String,
    },
    /// The provider has had enough for now, or is overloaded.
    #[error("{model} is busy (status {status}): {detail}")]
    Busy {
        /// The model.
        model: String,
        /// The status.
        status: u16,
        /// What the provider said.
        detail: String,
        /// How long it asks us to wait.
        retry_after: Option<Duration>,
    },
    /// The provider refused the request as such.
    #[error("{model} refused the request (status {status}): {detail}")]
    Rejected {
        /// The model.
        model: String,
        /// The status.
        status: u16,
        /// What the provider said.
        detail: String,
    },
    /// No connection, or one that broke.
    #[error("{model} cannot be reached: {reason}")]
    Unreachable {
        /// The model.
        model: String,
        /// Why.
        reason: String,
    },
    /// A reply that began and did not end.
    #[error("{model} broke off its reply: {reason}")]
    BrokenOff {
        /// The model.
        model: String,
        /// How.
        reason: String,
    },
    /// One attempt more could have gone over a spending limit.
    #[error("{model} was not asked: that could have gone over {limit}")]
    OverLimit {
        /// The model.
        model: String,
        /// The limit.
        limit: String,
    },
    /// No answer in time.
    #[error("{model} did not answer in time")]
    Timeout {
        /// The model.
        model: String,
    },
    /// A reply that is not what the provider's API promises.
    #[error("{model} sent a reply that cannot be read: {reason}")]
    Malformed {
        /// The model.
        model: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A reply over the limit.
    #[error("{model} sent more than {limit} bytes")]
    TooLarge {
        /// The model.
        model: String,
        /// The limit.
        limit: usize,
    },
    /// The provider failed repeatedly and is skipped for a while.
    #[error("{model} is skipped for a while after repeated failures")]
    Resting {
        /// The model.
        model: String,
    },
}

impl ModelError {
    /// Whether the same request may succeed a moment later.
    pub fn is_transient(&self) -> bool {
        matches!(self, Self::Busy { .. } | Self::Unreachable { .. } | Self::BrokenOff { .. })
    }

    /// How long the provider asks us to wait.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Busy { retry_after, .. } => *retry_after,
            _ => None,
        }
    }

    /// Whether an answer had begun, which may have to be paid for although it is of no use.
    pub(crate) fn threw_away_an_answer(&self) -> bool {
        match self {
            Self::Malformed { .. } | Self::TooLarge { .. } | Self::BrokenOff { .. } => true,
            Self::Busy { status, .. } => (200..300).contains(status),
            _ => false,
        }
    }

    /// Whether the provider, rather than the request, is at fault.
    pub(crate) fn blames_provider(&self) -> bool {
        self.is_transient() || matches!(self, Self::Timeout { .. })
    }
}
