//! An address → the publisher's page and outlet, hop by hop.

use std::borrow::Cow;

use probity_core::{Outlet, UrlError, WebUrl, limits};

use super::resolution::{Method, Resolution};
use super::rules::{Lists, OutletRules, RulesError};
use super::unwrap::{Service, ServiceKind, Step};
use super::{domain, local, target, unwrap};

/// Names the publishers behind addresses by one set of rules.
///
/// ```
/// use probity_core::WebUrl;
/// use probity_credibility::outlet::{Method, OutletRules, Resolver};
///
/// let resolver = Resolver::new(&OutletRules::default())?;
/// let click = WebUrl::parse("https://www.google.com/url?q=https%3A%2F%2Fwww.nature.com%2Fx&sa=U")?;
/// let found = resolver.resolve(&click);
/// assert_eq!(found.publisher_url, Some(WebUrl::parse("https://www.nature.com/x")?));
/// assert_eq!(found.outlet.map(|o| o.to_string()).as_deref(), Some("nature.com"));
/// assert_eq!(found.method, Method::Offline);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Resolver {
    lists: Lists,
}

/// Where unwrapping an address ended.
#[derive(Debug)]
pub(super) struct Ending {
    pub(super) hops: usize,
    pub(super) end: End,
}

#[derive(Debug)]
pub(super) enum End {
    /// At a page.
    Page(WebUrl),
    /// At a publisher's short address.
    OutletOnly(WebUrl),
    /// At a service that only the network can look behind.
    Opaque(WebUrl, Service),
    /// At an aggregator's own page.
    AggregatorPage(WebUrl, &'static str),
    /// Nowhere that may be followed.
    Refused(Cow<'static, str>),
}

impl Resolver {
    /// A resolver by the given rules.
    ///
    /// # Errors
    /// When the rules contradict themselves.
    pub fn new(rules: &OutletRules) -> Result<Self, RulesError> {
        Ok(Self { lists: Lists::new(rules)? })
    }

    /// The outlet of an address itself: its own host where that is listed, else the alias of
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
        if url.is_local() {
            return local::outlet_of_document(url);
        }
        domain::outlet_of_host(url.dns_host(), &self.lists)
    }

    /// The outlet of a document that the user provided, by its address. A name
    /// below a domain that is reserved for examples is an outlet of its own, and a document without
    /// an address is one too.
    ///
    /// ```
    /// use probity_core::WebUrl;
    /// use probity_credibility::outlet::{OutletRules, Resolver};
    ///
    /// let resolver = Resolver::new(&OutletRules::default())?;
    /// let code = WebUrl::parse("https://code.town.example.org/9").unwrap();
    /// let outlet = resolver.outlet_of_document(&code).map(|outlet| outlet.to_string());
    /// assert_eq!(outlet.as_deref(), Some("town.example.org"));
    /// # Ok::<(), probity_credibility::outlet::RulesError>(())
    /// ```
    pub fn outlet_of_document(&self, url: &WebUrl) -> Option<Outlet> {
        domain::below_reserved(url.dns_host()).or_else(|| self.resolve(url).outlet)
    }

    /// The publisher of the page that an address leads to.
    pub fn resolve(&self, url: &WebUrl) -> Resolution {
        if url.is_local() {
            let outlet = self.outlet_of(url);
            let reason = "your own document, which names no publisher";
            return Resolution::page(url.clone(), outlet, Method::None, 0, reason);
        }
        self.describe(self.unwrap(url))
    }

    /// As [`Resolver::resolve`], for an address as it was found: links in pages are often written
    /// without their scheme (`//duckduckgo.com/l/?uddg=…`).
    ///
    /// # Errors
    /// When the text is not a web address.
    pub fn resolve_text(&self, text: &str) -> Result<Resolution, UrlError> {
        Ok(self.resolve(&target::parse(text)?))
    }

    /// Follows an address for as long as it holds another.
    pub(super) fn unwrap(&self, url: &WebUrl) -> Ending {
        if let Some(why) = target::closed(url) {
            return Ending { hops: 0, end: End::Refused(why.into()) };
        }
        let mut url = url.clone();
        for hops in 0..=limits::UNWRAP_HOPS {
            let end = match unwrap::step(&url, &self.lists) {
                Step::Page => End::Page(url),
                Step::OutletOnly => End::OutletOnly(url),
                Step::Opaque(service) => End::Opaque(url, service),
                Step::AggregatorPage(name) => End::AggregatorPage(url, name),
                Step::Empty(name) => End::Refused(format!("{name} names no target here").into()),
                Step::Target(text) => match target::read(&text) {
                    Ok(next) => {
                        url = next;
                        continue;
                    }
                    Err(why) => End::Refused(why),
                },
            };
            return Ending { hops, end };
        }
        let why = format!("the address points on more than {} times", limits::UNWRAP_HOPS);
        Ending { hops: limits::UNWRAP_HOPS, end: End::Refused(why.into()) }
    }

    /// As [`Resolver::unwrap`], for an address that a feed or a page holds.
    pub(super) fn unwrap_text(&self, text: &str) -> Ending {
        match target::read(text) {
            Ok(url) => self.unwrap(&url),
            Err(why) => Ending { hops: 0, end: End::Refused(why) },
        }
    }

    /// An ending in words.
    pub(super) fn describe(&self, Ending { hops, end }: Ending) -> Resolution {
        match end {
            End::Page(url) => {
                let outlet = self.outlet_of(&url);
                let (method, reason) = match hops {
                    0 => (Method::None, "the address is the publisher's own"),
                    _ => (Method::Offline, "the address holds the publisher's"),
                };
                Resolution::page(url, outlet, method, hops, reason)
            }
            End::OutletOnly(url) => {
                let outlet = self.outlet_of(&url);
                let is_own = domain::registrable_domain(url.dns_host())
                    == outlet.as_ref().map(Outlet::as_str);
                let method = if is_own && hops == 0 { Method::None } else { Method::Offline };
                let reason = "a publisher's short address: the outlet is known, the page only by following it";
                Resolution::outlet_only(outlet, method, hops, reason)
            }
            End::Opaque(url, Service { name, kind: ServiceKind::Discussion }) => {
                let reason = format!("a discussion on {name}; what it is about needs the network");
                Resolution::outlet_only(self.outlet_of(&url), Method::Network, hops, reason)
            }
            End::Opaque(_, Service { name, .. }) => {
                let reason =
                    format!("{name} does not show where this leads; it has to be followed");
                Resolution::unknown(Method::Network, hops, reason)
            }
            End::AggregatorPage(_, name) => {
                let reason = format!("a page of {name} itself, which is not a publisher");
                Resolution::unknown(Method::None, hops, reason)
            }
            End::Refused(why) => Resolution::unknown(Method::Reject, hops, why),
        }
    }
}
