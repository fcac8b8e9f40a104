//! Which field of a feed an element is, by its name and namespace.

use quick_xml::name::ResolveResult;

/// Whose names an element uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Vocabulary {
    /// RSS in any of its versions, or names without a prefix that no other format uses.
    Rss,
    Atom,
    FeedBurner,
    Content,
    DublinCore,
    Syndication,
    Other,
}

impl Vocabulary {
    /// The vocabulary of an element, which may have a prefix.
    pub(super) fn of(name: &ResolveResult<'_>, prefix: Option<&str>) -> Self {
        let declared = match name {
            ResolveResult::Bound(namespace) => Some(Self::by_uri(namespace.0)),
            ResolveResult::Unbound | ResolveResult::Unknown(_) => None,
        };
        match (declared.filter(|known| *known != Self::Other), prefix) {
            (Some(known), _) => known,
            (None, None) => Self::Rss,
            // Feeds misspell these; a name and a date are worth reading all the same.
            (None, Some("dc" | "dcterms")) => Self::DublinCore,
            (None, Some("sy")) => Self::Syndication,
            // Where links come from has to be what it says it is.
            (None, Some(_)) if declared.is_some() => Self::Other,
            // An item cut out of its feed has lost the declarations; custom names its prefixes.
            (None, Some("atom")) => Self::Atom,
            (None, Some("feedburner")) => Self::FeedBurner,
            (None, Some("content")) => Self::Content,
            (None, Some(_)) => Self::Other,
        }
    }

    /// Whether `link`, `source`, `item` and `entry` are the feed's own under these names.
    pub(super) fn has_links(self) -> bool {
        matches!(self, Self::Rss | Self::Atom)
    }

    fn by_uri(uri: &str) -> Self {
        match uri {
            "http://www.w3.org/2005/Atom" | "http://purl.org/atom/ns#" => Self::Atom,
            "http://rssnamespace.org/feedburner/ext/1.0" => Self::FeedBurner,
            "http://purl.org/rss/1.0/modules/content/" => Self::Content,
            "http://purl.org/dc/elements/1.1/" | "http://purl.org/dc/terms/" => Self::DublinCore,
            "http://purl.org/rss/1.0/modules/syndication/" => Self::Syndication,
            "http://purl.org/rss/1.0/"
            | "http://my.netscape.com/rdf/simple/0.9/"
            | "http://channel.netscape.com/rdf/simple/0.9/"
            | "http://backend.userland.com/rss2"
            | "http://backend.userland.com/RSS2"
            | "http://blogs.law.harvard.edu/tech/rss" => Self::Rss,
            _ => Self::Other,
        }
    }
}

/// A field whose text is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    Title,
    Guid,
    /// A guid that is the item's address too.
    Permalink,
    Link,
    Original,
    Summary,
    Content,
    Published,
    Updated,
    Author,
    Creator,
    Ttl,
    UpdatePeriod,
    UpdateFrequency,
}

impl Field {
    /// The field of an item that an element holds. Links with `href` and sources are read elsewhere.
    pub(super) fn of_item(name: &str, names: Vocabulary) -> Option<Self> {
        use Vocabulary::{Atom, Content, DublinCore, FeedBurner, Rss};
        Some(match (name, names) {
            ("title", Rss | Atom) => Self::Title,
            ("link", Rss) => Self::Link,
            ("guid", Rss) => Self::Permalink,
            ("id", Rss | Atom) => Self::Guid,
            ("origLink", FeedBurner) => Self::Original,
            ("description", Rss) | ("summary", Rss | Atom) => Self::Summary,
            ("content", Rss | Atom) | ("encoded", Content) => Self::Content,
            ("pubDate", Rss) | ("published" | "issued", Rss | Atom) => Self::Published,
            ("updated" | "modified", Rss | Atom) | ("date", Rss | DublinCore) => Self::Updated,
            ("author", Rss | Atom) => Self::Author,
            ("creator", DublinCore) => Self::Creator,
            _ => return None,
        })
    }

    /// The field of the feed itself that an element holds.
    pub(super) fn of_feed(name: &str, names: Vocabulary) -> Option<Self> {
        use Vocabulary::{Atom, Rss, Syndication};
        Some(match (name, names) {
            ("title", Rss | Atom) => Self::Title,
            ("link", Rss) => Self::Link,
            ("ttl", Rss) => Self::Ttl,
            ("updatePeriod", Syndication) => Self::UpdatePeriod,
            ("updateFrequency", Syndication) => Self::UpdateFrequency,
            _ => return None,
        })
    }

    /// Whether markup inside is part of the text.
    pub(super) fn is_markup(self) -> bool {
        matches!(self, Self::Summary | Self::Content)
    }
}
