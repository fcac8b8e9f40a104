//! What to fetch to learn where an opaque address leads.

use probity_core::WebUrl;

use super::resolve::{End, Resolver};
use super::unwrap;

impl Resolver {
    /// The address whose answer shows where `url` leads, for [`Resolver::resolve_page`]: a
    /// service's own interface where it has one, else the address itself. None where nothing has to
    /// be fetched, or fetching would not help.
    ///
    /// ```
    /// use probity_core::WebUrl;
    /// use probity_credibility::outlet::{OutletRules, Resolver};
    ///
    /// let resolver = Resolver::new(&OutletRules::default())?;
    /// let item = WebUrl::parse("https://news.ycombinator.com/item?id=8863")?;
    /// assert_eq!(
    ///     resolver.lookup(&item),
    ///     Some(WebUrl::parse("https://hacker-news.firebaseio.com/v0/item/8863.json")?)
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn lookup(&self, url: &WebUrl) -> Option<WebUrl> {
        match self.unwrap(url).end {
            End::OutletOnly(url) => Some(url),
            End::Opaque(url, _) => {
                let interface = unwrap::interface(&url).and_then(|text| WebUrl::parse(&text).ok());
                Some(interface.unwrap_or(url))
            }
            End::Page(_) | End::AggregatorPage(..) | End::Refused(_) => None,
        }
    }
}
