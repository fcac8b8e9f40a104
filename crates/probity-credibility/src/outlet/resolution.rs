//! What is known of the publisher behind an address, and how it came to be known.

use std::borrow::Cow;

use probity_core::{Outlet, WebUrl};
use serde::Serialize;

/// How the publisher was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Nothing had to be unwrapped.
    None,
    /// The address itself, or the list of publishers' short domains, has it.
    Offline,
    /// Only following the address on the network can tell.
    Network,
    /// It was found in a field of the feed item.
    FeedField,
    /// It was found in the text of the page.
    PageField,
    /// The address leads somewhere that is never followed.
    Reject,
}

impl Method {
    /// The method as it is written in JSON and on the terminal.
    pub fn as_str(self) -> &'static str {
        match self {
            Method::None => "none",
            Method::Offline => "offline",
            Method::Network => "network",
            Method::FeedField => "feed-field",
            Method::PageField => "page-field",
            Method::Reject => "reject",
        }
    }
}

/// Whose page an address is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Resolution {
    /// The publisher's page, always public http(s); none where only the outlet is known, or nothing.
    pub publisher_url: Option<WebUrl>,
    /// The publisher; never an aggregator that could not be unwrapped.
    pub outlet: Option<Outlet>,
    /// How it was found, or what it would take.
    pub method: Method,
    /// Whether the outlet is final. A discussion page has its site's outlet for the time
    /// being, so it is not.
    pub resolved: bool,
    /// How often an address pointed on to another.
    pub hops: usize,
    /// The finding in words.
    pub reason: Cow<'static, str>,
}

impl Resolution {
    pub(super) fn page(
        url: WebUrl,
        outlet: Option<Outlet>,
        method: Method,
        hops: usize,
        reason: impl Into<Cow<'static, str>>,
    ) -> Self {
        let reason = match outlet {
            Some(_) => reason.into(),
            None => Cow::Borrowed("the page is known, but its host is not a registrable domain"),
        };
        let resolved = outlet.is_some();
        Self { publisher_url: Some(url), outlet, method, resolved, hops, reason }
    }

    pub(super) fn outlet_only(
        outlet: Option<Outlet>,
        method: Method,
        hops: usize,
        reason: impl Into<Cow<'static, str>>,
    ) -> Self {
        let resolved = outlet.is_some() && method != Method::Network;
        Self { publisher_url: None, outlet, method, resolved, hops, reason: reason.into() }
    }

    /// A page whose address had to be picked out of the item's fields.
    pub(super) fn chosen_among_fields(mut self) -> Self {
        if self.method == Method::None {
            self.method = Method::FeedField;
        }
        self
    }

    pub(super) fn unknown(
        method: Method,
        hops: usize,
        reason: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self::outlet_only(None, method, hops, reason)
    }
}
