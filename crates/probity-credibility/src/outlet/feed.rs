//! An item of a feed → the publisher's page, by the fields that name it.
//!
//! In this order: `feedburner:origLink`, the link, Atom's alternate links, then, for items of
//! aggregators only, Atom's `via` and the article that a digest's text links first; then JSON
//! Feed's `external_url`, and the guid where it is a permalink. Where no field names a page,
//! `<source url>` of an aggregator's item names the outlet, and nothing more.

use probity_core::Outlet;

use super::html;
use super::resolution::{Method, Resolution};
use super::resolve::{End, Ending, Resolver};
use super::unwrap::{Service, ServiceKind};
use crate::feed::FeedItem;

/// How many links in a digest's text are looked at.
const ANCHORS: usize = 64;

/// What an item's own link led to, when it did not lead to a page.
struct Wrapped<'a> {
    resolver: &'a Resolver,
    /// The aggregator's outlet, which no other field may bring back.
    own: Option<Outlet>,
    service: Option<Service>,
    is_aggregator: bool,
    /// The outlet of a publisher's short link: a page of another outlet is not the linked one.
    publisher: Option<Resolution>,
    first: Option<Resolution>,
}

impl Resolver {
    /// The publisher of an item of a feed.
    ///
    /// ```
    /// use probity_credibility::feed::FeedItem;
    /// use probity_credibility::outlet::{OutletRules, Resolver};
    ///
    /// let resolver = Resolver::new(&OutletRules::default())?;
    /// let item = FeedItem::parse(r#"<item>
    ///     <link>https://news.google.com/rss/articles/CBMiBkFVX3lxTA</link>
    ///     <source url="https://www.reuters.com">Reuters</source>
    /// </item>"#, None)?;
    /// let found = resolver.resolve_item(&item);
    /// assert_eq!(found.outlet.map(|o| o.to_string()).as_deref(), Some("reuters.com"));
    /// assert_eq!(found.publisher_url, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn resolve_item(&self, item: &FeedItem) -> Resolution {
        if let Some(found) = item.original.as_deref().and_then(|text| self.field(text)) {
            return found;
        }
        let mut wrapped = Wrapped::new(self);
        if let Some(found) = item.link.as_deref().and_then(|text| wrapped.link(text)) {
            return found;
        }
        for text in &item.alternates {
            if let Some(found) = wrapped.link(text) {
                return found.chosen_among_fields();
            }
        }
        wrapped.page_elsewhere(item).unwrap_or_else(|| wrapped.outlet_elsewhere(item))
    }

    fn field(&self, text: &str) -> Option<Resolution> {
        let ending = self.unwrap_text(text);
        let hops = ending.hops;
        let End::Page(url) = ending.end else { return None };
        let outlet = self.outlet_of(&url);
        let reason = "a field of the feed item names the publisher's page";
        Some(Resolution::page(url, outlet, Method::FeedField, hops, reason))
    }
}

impl<'a> Wrapped<'a> {
    fn new(resolver: &'a Resolver) -> Self {
        Self {
            resolver,
            own: None,
            service: None,
            is_aggregator: false,
            publisher: None,
            first: None,
        }
    }

    /// The page that a link of the item leads to; remembers what it leads to otherwise.
    fn link(&mut self, text: &str) -> Option<Resolution> {
        let ending = self.resolver.unwrap_text(text);
        let is_page = matches!(ending.end, End::Page(_));
        let is_publisher = matches!(ending.end, End::OutletOnly(_));
        self.remember(&ending);
        let found = self.resolver.describe(ending);
        if is_page {
            return Some(found);
        }
        if is_publisher && self.publisher.is_none() {
            self.publisher = Some(found);
        } else if self.first.is_none() {
            self.first = Some(found);
        }
        None
    }

    fn remember(&mut self, ending: &Ending) {
        let (url, service) = match &ending.end {
            End::Opaque(_, Service { kind: ServiceKind::Pointer, .. }) => return,
            End::Opaque(url, service) => (url, Some(*service)),
            End::AggregatorPage(url, _) => (url, None),
            _ => return,
        };
        self.is_aggregator = true;
        self.own = self.own.take().or_else(|| self.resolver.outlet_of(url));
        self.service = self.service.or(service);
    }

    /// A page that another field names.
    fn page_elsewhere(&self, item: &FeedItem) -> Option<Resolution> {
        let via = item.via.iter().filter(|_| self.is_aggregator);
        let via = via.map(String::as_str).find_map(|text| self.other(text));
        via.or_else(|| self.in_body(item))
            .or_else(|| item.external.as_deref().and_then(|text| self.other(text)))
            .or_else(|| item.permalink.as_deref().and_then(|text| self.other(text)))
    }

    /// A field's page, unless it is the aggregator's again or not the short link's publisher's.
    fn other(&self, text: &str) -> Option<Resolution> {
        let found = self.resolver.field(text)?;
        let is_own = self.own.is_some() && found.outlet == self.own;
        let is_linked = self.publisher.as_ref().is_none_or(|short| short.outlet == found.outlet);
        (!is_own && is_linked).then_some(found)
    }

    /// The article in the text of a digest or of a link post.
    fn in_body(&self, item: &FeedItem) -> Option<Resolution> {
        let tags = html::tags(&item.summary).chain(html::tags(&item.content));
        let anchors = tags.filter(|tag| tag.is("a"));
        match self.service?.kind {
            ServiceKind::Digest => {
                self.first_article(anchors.take(ANCHORS).filter_map(|tag| tag.attribute("href")))
            }
            // The author's words come first and may hold anything; the site's own link is last.
            ServiceKind::Discussion => {
                let marked = anchors.filter(|tag| tag.text() == "[link]").last()?;
                self.other(&marked.attribute("href")?)
            }
            ServiceKind::Aggregator | ServiceKind::Pointer => None,
        }
    }

    /// The first link that leads out; where that is a front page, the first article of the same
    /// outlet, because digests name the publisher before the headline.
    fn first_article(&self, mut links: impl Iterator<Item = String>) -> Option<Resolution> {
        let is_front = |found: &Resolution| {
            found.publisher_url.as_ref().is_some_and(|url| url.as_url().path() == "/")
        };
        let first = links.by_ref().find_map(|link| self.other(&link))?;
        if !is_front(&first) {
            return Some(first);
        }
        let mut others = links.filter_map(|link| self.other(&link));
        let article = others.find(|found| found.outlet == first.outlet && !is_front(found));
        Some(article.unwrap_or(first))
    }

    /// The outlet at least, or why there is none.
    fn outlet_elsewhere(self, item: &FeedItem) -> Resolution {
        if let Some(short) = self.publisher {
            return short;
        }
        let source = item.source.as_deref().filter(|_| self.is_aggregator);
        let named = source.map(|text| self.resolver.describe(self.resolver.unwrap_text(text)));
        let named = named.filter(|found| found.resolved && found.outlet != self.own);
        if let Some(Resolution { outlet, hops, .. }) = named {
            let reason = "the feed names the publisher beside an aggregator's link, not the page";
            return Resolution::outlet_only(outlet, Method::FeedField, hops, reason);
        }
        self.first
            .unwrap_or_else(|| Resolution::unknown(Method::None, 0, "the feed item names no page"))
    }
}
