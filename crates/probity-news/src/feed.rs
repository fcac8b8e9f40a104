//! Bytes of a feed → its items as plain values.
//!
//! bytes → text → items (`probity_credibility::feed`, the one feed reader) → plain titles, times, names (`fields`)

mod fields;

use std::time::Duration;

use probity_core::{Timestamp, WebUrl};
use probity_credibility::feed::{self, FeedItem};
pub use probity_credibility::feed::{FeedError, Format, ITEMS};
use probity_web::extract::decode;
use probity_web::search::clean;

/// The largest feed that is read, in bytes.
pub const FEED_BYTES: usize = 20 * 1024 * 1024;
/// A date earlier than this is wrong: feeds are younger (1990, in milliseconds since 1970).
const EARLIEST: i64 = 631_152_000_000;
/// How far ahead of the clock a date may be, in milliseconds: a day, for wrong time zones.
const AHEAD: i64 = 24 * 3_600_000;

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
    /// Its texts as the feed has them, with its addresses.
    pub addresses: FeedItem,
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
        return Err(FeedError::TooLarge(bytes.len(), FEED_BYTES));
    }
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => decode(bytes, fields::declared_encoding(bytes).as_deref()).0,
    };
    let found = feed::read(&text, base)?;
    let Some(format) = found.format else {
        return Err(FeedError::NoFeed("it is a single item".to_owned()));
    };
    Ok(Feed {
        format,
        title: clean::title(&found.title),
        refresh: fields::refresh(&found.ttl, &found.update_period, &found.update_frequency),
        site: found.site,
        items: found.items.into_iter().map(|item| plain(item, now)).collect(),
        problem: found.problem,
    })
}

fn plain(item: FeedItem, now: Timestamp) -> Item {
    let is_sound = |at: &Timestamp| at.0 >= EARLIEST && at.0 <= now.0.saturating_add(AHEAD);
    let published = fields::time(&item.published).or_else(|| fields::time(&item.updated));
    let summary = if item.summary.is_empty() { &item.content } else { &item.summary };
    Item {
        guid: Some(item.guid.clone()).filter(|guid| !guid.is_empty()),
        title: clean::title(&item.title),
        summary: clean::snippet(summary),
        published: published.filter(is_sound),
        author: fields::author(&item.creator).or_else(|| fields::author(&item.author)),
        addresses: item,
    }
}
