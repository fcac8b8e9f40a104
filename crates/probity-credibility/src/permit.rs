//! The right to fetch a page, which only the scorer or the user can give.

use probity_core::{Score, WebUrl};
use serde::Serialize;

/// Why a page may be fetched.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Grounds {
    /// It was found by a search and its score is above the threshold.
    Scored(Score),
    /// The user named this very address: a feed, a document, a command's argument.
    UserChoice,
    /// It is the link of an item in a feed that the user subscribed to.
    Subscription,
}

/// The right to fetch one address. Fetching takes nothing else, so a page that was not scored or
/// did not earn it cannot be downloaded.
#[derive(Debug, Clone, PartialEq)]
pub struct Permit {
    url: WebUrl,
    grounds: Grounds,
}

impl Permit {
    /// Permits an address that the user named. Never call this for an address that came out of a
    /// search, a page or a model.
    pub fn by_user(url: WebUrl) -> Self {
        Self { url, grounds: Grounds::UserChoice }
    }

    /// Permits the link of an item in a feed that the user subscribed to. Never call this for an
    /// address that came from elsewhere.
    pub fn by_subscription(url: WebUrl) -> Self {
        Self { url, grounds: Grounds::Subscription }
    }

    /// Permits a page that earned its score; only the scorer calls this.
    pub(crate) fn by_score(url: WebUrl, score: Score) -> Self {
        Self { url, grounds: Grounds::Scored(score) }
    }

    /// The address that may be fetched.
    pub fn url(&self) -> &WebUrl {
        &self.url
    }

    /// Why it may be fetched.
    pub fn grounds(&self) -> Grounds {
        self.grounds
    }
}
