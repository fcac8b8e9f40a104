//! Bytes of a feed → its items: RSS 0.9x, 1.0 and 2.0, Atom, JSON Feed.
//!
//! bytes → text → items cut out (`xml`, `json`) → fields (`fields`) and addresses
//!
//! Everything in a feed is untrusted. No entity is expanded but XML's own, nothing is loaded, and
//! every size has a limit. A feed that breaks off half-way gives what came before, and says so.

mod fields;
mod json;
mod xml;

use std::time::Duration;

use probity_core::{Timestamp, WebUrl};
use probity_credibility::outlet::FeedItem;
use probity_web::extract::decode;
use serde::Serialize;

/// The largest feed that is read, in bytes.
pub const FEED_BYTES: usize = 20 * 1024 * 1024;
/// How many items of a feed are read: the first.
pub const ITEMS: usize = 2_000;
/// A date earlier than this is nobody's: feeds are younger (1990, in milliseconds since 1970).
const EARLIEST: i64 = 631_152_000_000;
/// How far ahead of the clock a date may be, in milliseconds: a day, for wrong time zones.
const AHEAD: i64 = 24 * 3_600_000;

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

/// A feed as it was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Feed {
    /// What kind of document it is.
    pub format: Format,
    /// Its title as plain text.
    pub title: String,
    /// The page it belongs to, unread.
    pub site: Option<String>,
    /// How seldom it asks to be polled: `ttl`, or the period of the syndication module.
    pub refresh: Option<Duration>,
    /// Its items in their order, at most [`ITEMS`].
    pub items: Vec<Item>,
    /// Why not everything was read, where something was not.
    pub problem: Option<String>,
}

impl Feed {
    /// Why nothing at all was read, where that is so. An empty feed is whole; one that breaks off before
    /// its first item is not.
    pub fn broken(&self) -> Option<&str> {
        self.problem.as_deref().filter(|_| self.items.is_empty())
    }
}

/// An item of a feed.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// What the feed calls it, where it does.
    pub guid: Option<String>,
    /// Its headline as plain text.
    pub title: String,
    /// What it says of itself as plain text.
    pub summary: String,
    /// When it was published; none where the date is missing, in the future or absurd.
    pub published: Option<Timestamp>,
    /// Who wrote it, as plain text.
    pub author: Option<String>,
    /// The addresses in it, unread.
    pub addresses: FeedItem,
}

/// Why a document is not read as a feed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FeedError {
    /// It is larger than any feed has reason to be.
    #[error("the feed is {0} bytes long; at most {FEED_BYTES} are read")]
    TooLarge(usize),
    /// Its elements lie deeper in each other than any feed's do.
    #[error("the feed's elements are nested more than {0} deep")]
    TooDeep(usize),
    /// It declares entities of its own, which may be bombs or reach for files.
    #[error("the feed declares its own entities, which are never read")]
    Entities,
    /// It is neither RSS nor Atom nor JSON Feed.
    #[error("this is not a feed: {0} (expected RSS, Atom or JSON Feed)")]
    NoFeed(String),
}

/// Reads a feed. Relative links are read from `base`, the address of the feed; dates are judged
/// against `now`.
///
/// ```
/// use probity_core::Timestamp;
///
/// let text = "<rss><channel><title>News</title><item><title>Ferry &amp; storm</title>\
///     <link>https://a.example/1</link></item></channel></rss>";
/// let feed = probity_news::feed::read(text.as_bytes(), None, Timestamp(0))?;
/// assert_eq!((feed.title.as_str(), feed.items[0].title.as_str()), ("News", "Ferry & storm"));
/// # Ok::<(), probity_news::feed::FeedError>(())
/// ```
///
/// # Errors
/// When it is too large, hostile, or no feed at all.
pub fn read(bytes: &[u8], base: Option<&WebUrl>, now: Timestamp) -> Result<Feed, FeedError> {
    if bytes.len() > FEED_BYTES {
        return Err(FeedError::TooLarge(bytes.len()));
    }
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => decode(bytes, fields::declared_encoding(bytes).as_deref()).0,
    };
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let mut feed =
        if text.starts_with('{') { json::read(text, base) } else { xml::read(text, base) }?;
    for item in &mut feed.items {
        let is_sound = |at: &Timestamp| at.0 >= EARLIEST && at.0 <= now.0.saturating_add(AHEAD);
        item.published = item.published.filter(is_sound);
    }
    Ok(feed)
}
