//! What a search returned about a page that has not been fetched yet.

use serde::{Deserialize, Serialize};

use crate::WebUrl;

/// One search result: all that is known of a page at discovery. The texts are untrusted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchHit {
    /// Where the page is.
    pub url: WebUrl,
    /// The title the provider gave.
    pub title: String,
    /// The excerpt the provider gave.
    pub snippet: String,
    /// The publication day the provider gave.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published: Option<jiff::civil::Date>,
    /// The names of all providers that found the page, best rank first.
    #[serde(default)]
    pub providers: Vec<String>,
}
