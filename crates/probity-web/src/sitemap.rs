//! A site's own list of its pages (sitemaps.org) → their addresses, newest first.
//!
//! ```text
//! address → fetch → list of pages | list of lists → … → pages of the same host
//! ```

use std::collections::{BTreeSet, VecDeque};

use jiff::civil::Date;
use probity_core::WebUrl;
use probity_credibility::Permit;

use crate::extract::unpacked;
use crate::fetch::{Fetcher, RawOutcome};
use crate::search::{clean, xml};

/// The most lists that are read of one site.
pub const LISTS: usize = 50;
/// The most pages that are taken from one site.
pub const PAGES: usize = 10_000;
/// The longest address that is taken.
const URL_BYTES: usize = 2_048;

/// A page that a site lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedPage {
    /// Its address.
    pub url: WebUrl,
    /// The day on which it last changed, if the list says so.
    pub changed: Option<Date>,
}

/// What a site lists.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listing {
    /// Its pages: those that changed last come first, those that do not say so last.
    pub pages: Vec<ListedPage>,
    /// Whether there are more than were taken.
    pub more: bool,
    /// How many addresses of other hosts were left out.
    pub elsewhere: usize,
    /// Lists that could not be read, each with the reason.
    pub problems: Vec<String>,
}

/// Why there is no list.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SitemapError {
    /// The address did not answer.
    #[error("{url} cannot be read: {reason}")]
    Unreachable {
        /// The address.
        url: String,
        /// Why not.
        reason: String,
    },
    /// What is there lists no page of the site.
    #[error(
        "{0} lists no page of its host; give the address of a sitemap, such as https://a.example/sitemap.xml"
    )]
    Nothing(String),
}

/// Whether an address is that of a sitemap, by its name.
pub fn is_sitemap(url: &WebUrl) -> bool {
    let name = url.as_url().path().rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    name.contains("sitemap") && (name.ends_with(".xml") || name.ends_with(".txt"))
}

/// Reads the list at an address and the lists that it names, and takes the `most` pages that changed
/// last. Pages and lists of other hosts are left out: a site can speak for itself alone. Whoever
/// named the address gives the leave to fetch its lists.
///
/// # Errors
/// When the address cannot be read, or lists no page.
pub async fn pages(
    fetcher: &Fetcher,
    url: &WebUrl,
    leave: impl Fn(WebUrl) -> Permit,
    most: usize,
) -> Result<Listing, SitemapError> {
    let mut listing = Listing::default();
    let mut seen = BTreeSet::from([url.canonical()]);
    let mut known = BTreeSet::new();
    let mut waiting = VecDeque::from([url.clone()]);
    let mut lists = 0;
    while let Some(list) = waiting.pop_front() {
        if lists == LISTS || listing.more {
            listing.more = true;
            break;
        }
        lists += 1;
        let raw = fetcher.fetch_raw(&leave(list.clone()), None).await;
        if raw.outcome != RawOutcome::Body {
            if lists == 1 {
                return Err(SitemapError::Unreachable { url: url.to_string(), reason: raw.reason });
            }
            listing.problems.push(format!("{list}: {}", raw.reason));
            continue;
        }
        let read = read(&raw.body);
        let own = |found: &WebUrl| found.dns_host() == raw.final_url.dns_host();
        for list in read.lists {
            if !own(&list) {
                listing.elsewhere += 1;
            } else if seen.insert(list.canonical()) {
                waiting.push_back(list);
            }
        }
        for page in read.pages {
            // Lists have no order, so the newest are known only when all are read.
            if listing.pages.len() == PAGES {
                listing.more = true;
                break;
            }
            if !own(&page.url) {
                listing.elsewhere += 1;
            } else if known.insert(page.url.canonical()) {
                listing.pages.push(page);
            }
        }
    }
    if listing.pages.is_empty() {
        return Err(SitemapError::Nothing(url.to_string()));
    }
    listing.pages.sort_by_key(|page| std::cmp::Reverse(page.changed));
    listing.more |= listing.pages.len() > most;
    listing.pages.truncate(most);
    Ok(listing)
}

/// What one list holds.
#[derive(Debug, Default, PartialEq, Eq)]
struct List {
    pages: Vec<ListedPage>,
    lists: Vec<WebUrl>,
}

fn read(body: &[u8]) -> List {
    let inside = unpacked(body).ok().flatten();
    let body = inside.as_deref().unwrap_or(body);
    let address = |text: &str| {
        // The entities of XML stay in the text until here.
        let text = clean::plain(text, URL_BYTES);
        WebUrl::parse(&text).ok().filter(|_| text.len() <= URL_BYTES)
    };
    if let Ok(list) = xml::parse(body, "sitemapindex") {
        let lists = list.children("sitemap").filter_map(|one| address(&one.text_of(&["loc"])));
        return List { lists: lists.collect(), ..List::default() };
    }
    if let Ok(list) = xml::parse(body, "urlset") {
        let pages = list.children("url").filter_map(|one| {
            let changed = one.text_of(&["lastmod"]);
            // A time may follow the day.
            let changed = changed.trim().get(..10).and_then(|day| day.parse().ok());
            Some(ListedPage { url: address(&one.text_of(&["loc"]))?, changed })
        });
        return List { pages: pages.collect(), ..List::default() };
    }
    // The protocol's third form: an address a line.
    let text = String::from_utf8_lossy(body);
    let lines = text.lines().filter(|line| !line.trim().is_empty()).take(PAGES + 1);
    let pages: Option<Vec<ListedPage>> =
        lines.map(|line| Some(ListedPage { url: address(line)?, changed: None })).collect();
    List { pages: pages.unwrap_or_default(), ..List::default() }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    const PAGES_XML: &str = "<?xml version=\"1.0\"?><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\
        <url><loc>https://a.example/old?x=1&amp;y=2</loc><lastmod>2024-01-02</lastmod></url>\
        <url><loc> https://a.example/new </loc><lastmod>2026-03-04T05:06:07+00:00</lastmod></url>\
        <url><loc>javascript:alert(1)</loc></url><url><loc>https://a.example/plain</loc></url></urlset>";

    fn listed(list: &List) -> Vec<String> {
        let day = |page: &ListedPage| page.changed.map_or("-".to_owned(), |day| day.to_string());
        list.pages.iter().map(|page| format!("{} {}", page.url, day(page))).collect()
    }

    #[test]
    fn pages_are_read_with_the_day_they_changed() {
        let expected = [
            "https://a.example/old?x=1&y=2 2024-01-02",
            "https://a.example/new 2026-03-04",
            "https://a.example/plain -",
        ];
        assert_eq!(listed(&read(PAGES_XML.as_bytes())), expected);
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packed.write_all(PAGES_XML.as_bytes()).unwrap();
        assert_eq!(listed(&read(&packed.finish().unwrap())), expected);
    }

    #[test]
    fn lists_of_lists_and_plain_lists_are_read() {
        let index =
            "<sitemapindex><sitemap><loc>https://a.example/1.xml</loc></sitemap></sitemapindex>";
        assert_eq!(
            read(index.as_bytes()).lists,
            [WebUrl::parse("https://a.example/1.xml").unwrap()]
        );
        assert_eq!(read(b"https://a.example/1\n\nhttps://a.example/2\n").pages.len(), 2);
        assert_eq!(read(b"<html><p>Not found</p></html>"), List::default());
    }

    #[test]
    fn sitemaps_are_known_by_their_names() {
        let is = |url| is_sitemap(&WebUrl::parse(url).unwrap());
        assert!(is("https://a.example/sitemap.xml") && is("https://a.example/x/Sitemap-2.xml.gz"));
        assert!(!is("https://a.example/sitemap") && !is("https://a.example/feed.xml"));
    }
}
