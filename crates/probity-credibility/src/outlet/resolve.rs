//! An address → the publisher's page and outlet, hop by hop.

use probity_core::{Outlet, WebUrl};
use serde::Serialize;

use super::domain;
use super::rules::{Lists, OutletRules, RulesError};

/// How the publisher was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Nothing had to be unwrapped.
    None,
    /// The address itself held it.
    Offline,
    /// Only following the address on the network can tell.
    Network,
    /// A field of the feed item named it.
    FeedField,
    /// The text of the page named it.
    PageField,
    /// The address leads somewhere that is never followed.
    Reject,
}

/// Whose page an address is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Resolution {
    /// The publisher's page; none where only the outlet is known, or nothing.
    pub publisher_url: Option<WebUrl>,
    /// The publisher.
    pub outlet: Option<Outlet>,
    /// How it was found, or what it would take.
    pub method: Method,
    /// Whether the outlet is known for good.
    pub resolved: bool,
    /// How often an address pointed on to another.
    pub hops: usize,
    /// The finding in words.
    pub reason: String,
}

/// Names the outlets of addresses by one set of rules.
#[derive(Debug, Clone)]
pub struct Resolver {
    lists: Lists,
}

impl Resolver {
    /// A resolver by the given rules.
    ///
    /// # Errors
    /// When the rules contradict themselves.
    pub fn new(rules: &OutletRules) -> Result<Self, RulesError> {
        Ok(Self { lists: Lists::new(rules)? })
    }

    /// The outlet of an address as it stands: its own host where that is listed, else the alias of
    /// its domain, else its registrable domain, without `www.`. Nothing is unwrapped.
    ///
    /// ```
    /// use probity_core::WebUrl;
    /// use probity_credibility::outlet::{OutletRules, Resolver};
    ///
    /// let resolver = Resolver::new(&OutletRules::default())?;
    /// let outlet = |text| resolver.outlet_of(&WebUrl::parse(text).unwrap()).map(|o| o.to_string());
    /// assert_eq!(outlet("https://www.reuters.com/world/").as_deref(), Some("reuters.com"));
    /// assert_eq!(outlet("https://news.bbc.co.uk/1").as_deref(), Some("bbc.com"));
    /// assert_eq!(outlet("https://scholar.google.com/").as_deref(), Some("scholar.google.com"));
    /// assert_eq!(outlet("http://93.184.216.34/"), None);
    /// # Ok::<(), probity_credibility::outlet::RulesError>(())
    /// ```
    pub fn outlet_of(&self, url: &WebUrl) -> Option<Outlet> {
        domain::outlet_of_host(url.dns_host(), &self.lists)
    }

    /// The publisher of the page that an address leads to.
    pub fn resolve(&self, url: &WebUrl) -> Resolution {
        let outlet = self.outlet_of(url);
        Resolution {
            publisher_url: Some(url.clone()),
            resolved: outlet.is_some(),
            outlet,
            method: Method::None,
            hops: 0,
            reason: String::new(),
        }
    }
}
