//! The address that a person names → the feed itself, or the feeds that the page there offers.

use html5gum::{DefaultEmitter, Token, Tokenizer};
use probity_core::{Timestamp, WebUrl};
use probity_credibility::Permit;
use probity_web::extract::paced::Paced;
use probity_web::fetch::{Fetcher, RawOutcome, RawResponse};
use serde::Serialize;

use crate::feed::{self, Feed, FeedError};

/// How many feeds of a page are offered.
pub const OFFERED: usize = 20;
/// How much of a page is searched for feeds, in bytes.
const PAGE_BYTES: usize = 1024 * 1024;
/// Where sites keep their feeds that do not say so.
const USUAL_PATHS: &[&str] =
    &["/feed", "/rss", "/feed.xml", "/rss.xml", "/atom.xml", "/index.xml", "/feed.json", "/feeds"];
/// Elements whose content is no markup.
const RAW: &[&[u8]] = &[b"script", b"style", b"template"];
/// The types of documents that are feeds.
const TYPES: &[&str] = &[
    "application/rss+xml",
    "application/atom+xml",
    "application/rdf+xml",
    "application/feed+json",
];

/// A feed that a page offers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Offered {
    /// Its address.
    pub url: WebUrl,
    /// What the page calls it.
    pub title: String,
}

/// What was found at an address.
#[derive(Debug)]
pub enum Found {
    /// A feed.
    Feed(Box<FoundFeed>),
    /// A page that offers these feeds, at least one.
    Page(Vec<Offered>),
}

/// A feed that was found.
#[derive(Debug)]
pub struct FoundFeed {
    /// The address where it lies.
    pub url: WebUrl,
    /// What it holds.
    pub feed: Feed,
    /// The answer that it came in.
    pub raw: RawResponse,
}

/// Why no feed was found.
#[derive(Debug, thiserror::Error)]
pub enum DiscoverError {
    /// The address did not answer.
    #[error("{url} cannot be read: {reason}")]
    Unreachable {
        /// The address.
        url: String,
        /// Why not.
        reason: String,
    },
    /// It is neither a feed nor a page that offers one.
    #[error("{url} is not a feed and links none ({reason})")]
    Nothing {
        /// The address.
        url: String,
        /// Why it is no feed.
        reason: FeedError,
    },
}

/// Looks for a feed at an address: the document there, the feeds that it links as a page, or those
/// that lie where feeds usually lie.
///
/// # Errors
/// When the address cannot be read, or there is no feed.
pub async fn discover(
    fetcher: &Fetcher,
    url: &WebUrl,
    now: Timestamp,
) -> Result<Found, DiscoverError> {
    let raw = fetcher.fetch_raw(&Permit::by_user(url.clone()), None).await;
    if raw.outcome != RawOutcome::Body {
        return Err(DiscoverError::Unreachable { url: url.to_string(), reason: raw.reason });
    }
    let reason = match feed::read(&raw.body, Some(&raw.final_url), now) {
        Ok(feed) => return Ok(found(feed, raw)),
        Err(reason) => reason,
    };
    let offered = offered(&raw.body, &raw.final_url);
    if !offered.is_empty() {
        return Ok(Found::Page(offered));
    }
    // A user who names a site wants its feed, so looking in the usual places is what they asked
    // for.
    for path in USUAL_PATHS {
        let Ok(usual) = raw.final_url.join(path) else { continue };
        let raw = fetcher.fetch_raw(&Permit::by_user(usual), None).await;
        if raw.outcome == RawOutcome::Body
            && let Ok(feed) = feed::read(&raw.body, Some(&raw.final_url), now)
        {
            return Ok(found(feed, raw));
        }
    }
    Err(DiscoverError::Nothing { url: url.to_string(), reason })
}

/// A feed lies where it was asked for, unless it has moved permanently.
fn found(feed: Feed, raw: RawResponse) -> Found {
    let url = raw.moved_to.clone().unwrap_or_else(|| raw.url.clone());
    Found::Feed(Box::new(FoundFeed { url, feed, raw }))
}

/// The feeds that a page links as its alternates.
pub fn offered(page: &[u8], address: &WebUrl) -> Vec<Offered> {
    let page = page.get(..page.len().min(PAGE_BYTES)).unwrap_or(page);
    let text = String::from_utf8_lossy(page);
    let mut base = address.clone();
    let mut offered: Vec<Offered> = Vec::new();
    // What is in a script is no link, whatever it looks like.
    let mut inside: Option<&[u8]> = None;
    for token in Tokenizer::new_with_emitter(Paced::new(&text), DefaultEmitter::default()).flatten()
    {
        let tag = match token {
            Token::StartTag(tag) if inside.is_none() => tag,
            Token::EndTag(end) if inside == Some(&**end.name) => {
                inside = None;
                continue;
            }
            _ => continue,
        };
        let value = |name: &str| {
            let value = tag.attributes.get(name.as_bytes())?;
            Some(String::from_utf8_lossy(&value.value).trim().to_owned())
        };
        inside = RAW.iter().copied().find(|raw| *raw == &**tag.name).filter(|_| !tag.self_closing);
        match &**tag.name {
            b"base" => base = value("href").and_then(|to| address.join(&to).ok()).unwrap_or(base),
            b"link" => {
                let is_feed = value("type").is_some_and(|kind| is_feed_type(&kind));
                let is_alternate = value("rel").is_some_and(|rel| is_alternate(&rel));
                let url = value("href").and_then(|to| base.join(&to).ok());
                if let Some(url) = url.filter(|_| is_feed && is_alternate)
                    && !offered.iter().any(|known| known.url == url)
                {
                    let title =
                        probity_web::search::clean::title(&value("title").unwrap_or_default());
                    offered.push(Offered { url, title });
                }
            }
            _ => {}
        }
        if offered.len() == OFFERED {
            break;
        }
    }
    offered
}

fn is_feed_type(kind: &str) -> bool {
    let kind = kind.split(';').next().unwrap_or_default().trim();
    TYPES.iter().any(|known| known.eq_ignore_ascii_case(kind))
}

fn is_alternate(rel: &str) -> bool {
    let mut words = rel.split_ascii_whitespace();
    words.any(|word| word.eq_ignore_ascii_case("alternate") || word.eq_ignore_ascii_case("feed"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_offers_the_feeds_it_links() {
        let page = br#"<!doctype html><html><head><title>x</title>
            <link rel="stylesheet" href="x.css" type="text/css">
            <LINK REL="alternate" TYPE="application/rss+xml; charset=utf-8" TITLE="All &amp; more" HREF="feed.xml">
            <link rel='alternate' type='application/atom+xml' href='//b.example/atom'>
            <link rel="alternate" type="application/rss+xml" href="/news/feed.xml">
            <link rel="alternate" hreflang="de" href="/de">
            <script>'<link rel="alternate" type="application/rss+xml" href="/script">'</script>
            <!-- <link rel="alternate" type="application/rss+xml" href="/comment"> -->
            </head><body></body></html>"#;
        let address = WebUrl::parse("https://a.example/news/").unwrap();
        let found = offered(page, &address);
        let urls: Vec<&str> = found.iter().map(|offer| offer.url.as_str()).collect();
        assert_eq!(urls, ["https://a.example/news/feed.xml", "https://b.example/atom"]);
        assert_eq!(found[0].title, "All & more");
    }

    #[test]
    fn a_page_of_nothing_but_feeds_is_cut_short() {
        let link = |n| format!("<link rel=alternate type=application/rss+xml href=/{n}>");
        let page: String = (0..1_000).map(link).collect();
        let address = WebUrl::parse("https://a.example/").unwrap();
        assert_eq!(offered(page.as_bytes(), &address).len(), OFFERED);
    }
}
