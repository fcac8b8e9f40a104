//! The text of a feed → its items: RSS 0.9x, 1.0 and 2.0, Atom, JSON Feed. The only feed reader.
//!
//! One pass; names are matched by namespace, no entity is expanded but XML's own, nothing is loaded, and
//! every size has a limit. A feed that breaks off half-way gives what came before, and says so. All
//! texts are as the feed has them: untrusted, and mostly HTML.

mod json;
mod names;
mod xml;

use probity_core::WebUrl;
use serde::Serialize;

/// How many items of a feed are read: the first.
pub const ITEMS: usize = 2_000;
/// The largest text that is read as a single item, in bytes, and the most that is kept of one field.
pub(crate) const ITEM_BYTES: usize = 1024 * 1024;
/// How many addresses of one kind are kept.
pub(crate) const ADDRESSES: usize = 16;

/// What kind of document a feed is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// RSS 0.9x or 2.0.
    Rss,
    /// RSS 1.0 and 0.90, which are RDF.
    Rdf,
    /// Atom.
    Atom,
    /// JSON Feed.
    Json,
}

impl Format {
    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Rss => "rss",
            Self::Rdf => "rdf",
            Self::Atom => "atom",
            Self::Json => "json",
        }
    }
}

/// Why a text is not read as a feed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FeedError {
    /// It is larger than any feed, or any item, has reason to be.
    #[error("the feed is {0} bytes long; at most {1} are read")]
    TooLarge(usize, usize),
    /// Its elements lie deeper in each other than any feed's do.
    #[error("the feed's elements are nested more than {0} deep")]
    TooDeep(usize),
    /// It declares entities of its own, which may be bombs or reach for files.
    #[error("the feed declares its own entities, which are never read")]
    Entities,
    /// It is neither RSS nor Atom nor JSON Feed.
    #[error("this is not a feed: {0} (expected RSS, Atom or JSON Feed)")]
    NoFeed(String),
    /// There is no whole item in it.
    #[error("no <item>, <entry> or JSON Feed item was found{0}")]
    NoItem(String),
}

/// A feed as its text has it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Feed {
    /// What kind of document it is; none where the text is a single item.
    pub format: Option<Format>,
    /// Its title.
    pub title: String,
    /// The page it belongs to, as written.
    pub site: Option<String>,
    /// For how many minutes it may be kept: `ttl` of RSS.
    pub ttl: String,
    /// `updatePeriod` of the syndication module.
    pub update_period: String,
    /// `updateFrequency` of the syndication module.
    pub update_frequency: String,
    /// Its items in their order, at most [`ITEMS`].
    pub items: Vec<FeedItem>,
    /// Why not everything was read, where something was not.
    pub problem: Option<String>,
}

/// An item of a feed. All fields are untrusted texts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FeedItem {
    /// What the feed calls it: `guid` or `id`.
    pub guid: String,
    /// Its headline.
    pub title: String,
    /// Its short text, HTML: `description` or `summary`.
    pub summary: String,
    /// Its long text, HTML: `content` in any form.
    pub content: String,
    /// When it was published, as written.
    pub published: String,
    /// When it was changed, or of what date it is, as written.
    pub updated: String,
    /// Who wrote it; of Atom's author, the name.
    pub author: String,
    /// Who wrote it by the Dublin Core.
    pub creator: String,
    /// The item's link: `<link>` of RSS, `url` of JSON Feed.
    pub link: Option<String>,
    /// Atom's links with `rel="alternate"` or no `rel`, web pages first.
    pub alternates: Vec<String>,
    /// Atom's links with `rel="via"`.
    pub via: Vec<String>,
    /// `feedburner:origLink`: the link before it was counted.
    pub original: Option<String>,
    /// `external_url` of JSON Feed.
    pub external: Option<String>,
    /// The guid, where it is a permalink.
    pub permalink: Option<String>,
    /// `<source url>` of RSS, or the link of Atom's `<source>`: the feed or site the item is from.
    pub source: Option<String>,
}

/// Reads a feed, or a single item of one. Relative links are read from `base`, the address of the feed,
/// and from `xml:base`.
///
/// ```
/// let text = "<rss><channel><title>News</title><item><title>Ferry &amp; storm</title>\
///     <link>/1</link></item></channel></rss>";
/// let base = probity_core::WebUrl::parse("https://a.example/feed")?;
/// let feed = probity_credibility::feed::read(text, Some(&base))?;
/// assert_eq!((feed.title.as_str(), feed.items[0].title.as_str()), ("News", "Ferry & storm"));
/// assert_eq!(feed.items[0].link.as_deref(), Some("https://a.example/1"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When it is hostile, or no feed at all.
pub fn read(text: &str, base: Option<&WebUrl>) -> Result<Feed, FeedError> {
    read_first(text, base, ITEMS)
}

fn read_first(text: &str, base: Option<&WebUrl>, most: usize) -> Result<Feed, FeedError> {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if text.starts_with('{') { json::read(text, base, most) } else { xml::read(text, base, most) }
}

impl FeedItem {
    /// Reads an RSS `<item>`, an Atom `<entry>` or a JSON Feed item; of a whole feed, the first.
    ///
    /// Relative links are read from `base`, the address of the feed, and from `xml:base`.
    ///
    /// # Errors
    /// When the text is too large, hostile, or holds no whole item.
    pub fn parse(text: &str, base: Option<&WebUrl>) -> Result<Self, FeedError> {
        if text.len() > ITEM_BYTES {
            return Err(FeedError::TooLarge(text.len(), ITEM_BYTES));
        }
        let Feed { items, problem, .. } = read_first(text, base, 1)?;
        let why = || problem.map(|problem| format!(": {problem}")).unwrap_or_default();
        items.into_iter().next().ok_or_else(|| FeedError::NoItem(why()))
    }

    /// Whether a text looks like an item or a feed rather than a page.
    pub fn is_likely(text: &str) -> bool {
        const ROOTS: &[&str] =
            &["{", "<?xml", "<item", "<entry", "<rss", "<feed", "<rdf", "<atom:"];
        let text = text.trim_start_matches('\u{feff}').trim_start();
        ROOTS.iter().any(|root| {
            text.get(..root.len()).is_some_and(|start| start.eq_ignore_ascii_case(root))
        })
    }
}

/// A link as the feed's own address completes it.
fn absolute(text: &str, base: Option<&WebUrl>) -> String {
    base.and_then(|base| base.join(text).ok())
        .map_or_else(|| text.to_owned(), |url| url.to_string())
}
