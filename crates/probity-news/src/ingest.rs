//! A feed as it was read → the articles to keep, each with the publisher behind it.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use probity_core::{Outlet, Timestamp, WebUrl};
use probity_credibility::outlet::{Method, Resolution, Resolver};
use probity_store::news::NewArticle;
use sha2::{Digest as _, Sha256};

use crate::feed::{Feed, Item};

/// A guid longer than this, in bytes, is kept as its hash.
const GUID_BYTES: usize = 500;
/// How much of its text replaces the headline of an item that has none, in characters.
const HEADLINE_CHARS: usize = 120;

/// The articles of a feed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Ingested {
    /// In the order of the document. Items that say nothing and lead nowhere are left out.
    pub articles: Vec<NewArticle>,
    /// Whether most of them belong to other publishers than the feed; none where there are none.
    pub aggregator: Option<bool>,
    /// Over how long the dated ones were published, and how many they are.
    pub spread: Option<(Duration, usize)>,
}

/// Takes a feed in that was found at `address`.
pub fn ingest(feed: &Feed, address: &WebUrl, resolver: &Resolver, now: Timestamp) -> Ingested {
    let found: Vec<Resolution> =
        feed.items.iter().map(|item| resolver.resolve_item(&item.addresses)).collect();
    let shared = shared_guids(&feed.items);
    let mut articles = Vec::with_capacity(feed.items.len());
    for (item, found) in feed.items.iter().zip(&found) {
        articles.extend(article(item, found, &shared, now));
    }
    let homes = homes(feed, Some(address), resolver);
    Ingested {
        aggregator: aggregates(&feed.items, &found, &homes, resolver),
        spread: spread(&articles, now),
        articles,
    }
}

/// The outlets that a feed's own items are of: that of its address, and that of the page that it
/// names as its own.
pub fn homes(feed: &Feed, address: Option<&WebUrl>, resolver: &Resolver) -> HashSet<Outlet> {
    let site = feed.site.as_deref().and_then(|site| match address {
        Some(address) => address.join(site).ok(),
        None => WebUrl::parse(site).ok(),
    });
    let homes = [address, site.as_ref()].into_iter().flatten();
    homes.filter_map(|url| resolver.outlet_of(url)).collect()
}

/// Whether most items belong to other publishers than the feed, or, where nothing is known of the
/// feed itself, than the host that their own link names.
pub fn aggregates(
    items: &[Item],
    found: &[Resolution],
    homes: &HashSet<Outlet>,
    resolver: &Resolver,
) -> Option<bool> {
    let leads_away = |(item, found): &(&Item, &Resolution)| {
        let Some(outlet) = found.outlet.as_ref().filter(|_| found.resolved) else {
            return found.method == Method::Network;
        };
        if !homes.is_empty() {
            return !homes.contains(outlet);
        }
        let linked = link(item).and_then(|link| WebUrl::parse(link).ok());
        linked.and_then(|link| resolver.outlet_of(&link)).is_some_and(|linked| linked != *outlet)
    };
    let away = items.iter().zip(found).filter(leads_away).count();
    (!items.is_empty()).then_some(away * 2 > items.len())
}

/// The link of an item, as given.
pub fn link(item: &Item) -> Option<&str> {
    let addresses = &item.addresses;
    let link = addresses.link.as_ref().or_else(|| addresses.alternates.first());
    let link = link.or(addresses.external.as_ref()).or(addresses.permalink.as_ref());
    link.map(String::as_str)
}

fn article(
    item: &Item,
    found: &Resolution,
    shared: &HashSet<&str>,
    now: Timestamp,
) -> Option<NewArticle> {
    let link = link(item);
    let title = headline(item);
    if title.is_empty() && link.is_none() {
        return None;
    }
    let page = found.publisher_url.clone();
    let page = page.or_else(|| link.and_then(|link| WebUrl::parse(link).ok()));
    let canonical = page.as_ref().and_then(canonical);
    let is_open = !found.resolved && found.method == Method::Network;
    Some(NewArticle {
        item_key: key(item, link, canonical.as_deref(), shared),
        guid: item.guid.clone(),
        url: link.map(str::to_owned),
        canonical_url: canonical,
        publisher_url: found.publisher_url.as_ref().map(ToString::to_string),
        // What cannot be unwrapped has no outlet, never the aggregator's.
        outlet: found.outlet.clone().filter(|_| found.resolved),
        resolved: found.resolved,
        method: found.method.as_str().to_owned(),
        try_at: (is_open && link.is_some()).then_some(now),
        title,
        summary: item.summary.clone(),
        author: item.author.clone(),
        published_at: item.published,
    })
}

/// The canonical address of an article's page. Front pages have none here: feeds whose items all
/// link there would be taken for one article.
pub(crate) fn canonical(page: &WebUrl) -> Option<String> {
    let url = page.as_url();
    let is_front = matches!(url.path(), "" | "/") && url.query().is_none();
    (!is_front && !page.is_local()).then(|| page.canonical().as_str().to_owned())
}

/// The headline; of an item without one, the beginning of its text.
fn headline(item: &Item) -> String {
    if !item.title.is_empty() {
        return item.title.clone();
    }
    let mut headline: String = item.summary.chars().take(HEADLINE_CHARS).collect();
    if headline.len() < item.summary.len() {
        let end = headline.rfind(char::is_whitespace).unwrap_or(headline.len());
        headline.truncate(end);
        headline.push('…');
    }
    headline
}

/// Guids that several different items of a document have: they name nothing.
fn shared_guids(items: &[Item]) -> HashSet<&str> {
    let mut first: HashMap<&str, &Item> = HashMap::new();
    let mut shared = HashSet::new();
    for item in items {
        let Some(guid) = item.guid.as_deref() else { continue };
        let before = first.entry(guid).or_insert(item);
        if link(before) != link(item) || before.title != item.title {
            shared.insert(guid);
        }
    }
    shared
}

/// What makes an item this one within its feed.
fn key(item: &Item, link: Option<&str>, page: Option<&str>, shared: &HashSet<&str>) -> String {
    let hashed = |parts: &[&str]| {
        let mut hash = Sha256::new();
        for part in parts {
            hash.update(part.as_bytes());
            hash.update([0]);
        }
        probity_core::hex(hash.finalize().iter())
    };
    match item.guid.as_deref() {
        Some(guid) if shared.contains(guid) => {
            format!("item:{}", hashed(&[guid, link.unwrap_or_default(), &item.title]))
        }
        Some(guid) if guid.len() > GUID_BYTES => format!("guid-hash:{}", hashed(&[guid])),
        Some(guid) => format!("guid:{guid}"),
        None => match page {
            Some(page) if page.len() <= GUID_BYTES => format!("page:{page}"),
            Some(page) => format!("page-hash:{}", hashed(&[page])),
            None => format!("text:{}", hashed(&[&item.title, &item.summary])),
        },
    }
}

fn spread(articles: &[NewArticle], now: Timestamp) -> Option<(Duration, usize)> {
    let dates: Vec<i64> = articles.iter().filter_map(|a| a.published_at).map(|at| at.0).collect();
    let earliest = dates.iter().min()?;
    // Up to now, because a feed that has been silent for a month is slow, however fast it once was.
    let millis = u64::try_from(now.0.saturating_sub(*earliest)).unwrap_or(0);
    Some((Duration::from_millis(millis), dates.len()))
}

#[cfg(test)]
mod tests {
    use probity_credibility::outlet::OutletRules;

    use super::*;

    fn taken(body: &str) -> Ingested {
        let text = format!("<rss><channel><title>T</title>{body}</channel></rss>");
        let now = "2026-11-15T12:00:00Z".parse().unwrap();
        let address = WebUrl::parse("https://news.google.com/rss/search?q=x").unwrap();
        let feed = crate::feed::read(text.as_bytes(), Some(&address), now).unwrap();
        let resolver = Resolver::new(&OutletRules::default()).unwrap();
        ingest(&feed, &address, &resolver, now)
    }

    #[test]
    fn the_publisher_counts_and_an_aggregator_is_marked() {
        let taken = taken(
            "<item><title>A</title><link>https://news.google.com/rss/articles/CBMiBkFVX3lxTA</link>
               <source url='https://www.reuters.com'>Reuters</source></item>
             <item><title>B</title><link>https://news.google.com/rss/articles/CBMiBkFVX3lxTB</link></item>",
        );
        assert_eq!(taken.aggregator, Some(true));
        let [a, b] = &taken.articles[..] else { panic!() };
        assert_eq!(a.outlet.as_ref().map(Outlet::as_str), Some("reuters.com"));
        assert!(a.resolved && a.try_at.is_none());
        assert!(b.outlet.is_none() && !b.resolved && b.try_at.is_some());
    }

    #[test]
    fn a_feed_of_its_own_site_is_no_aggregator_wherever_it_lies() {
        let taken = taken(
            "<link>https://techcrunch.com/</link>
             <item><title>A</title><link>https://techcrunch.com/a</link></item>",
        );
        assert_eq!(taken.aggregator, Some(false));
    }

    #[test]
    fn items_that_share_a_guid_are_distinguished_and_empty_ones_left_out() {
        let taken = taken(
            "<item><guid>x</guid><title>A</title><link>https://a.example/1</link></item>
             <item><guid>x</guid><title>B</title><link>https://a.example/2</link></item>
             <item><guid>y</guid><title>C</title><link>https://a.example/</link></item>
             <item/>
             <item><description>Only a few words, no headline.</description></item>",
        );
        let keys: HashSet<&str> = taken.articles.iter().map(|a| a.item_key.as_str()).collect();
        assert_eq!((taken.articles.len(), keys.len()), (4, 4));
        assert_eq!(taken.articles[2].canonical_url, None, "a front page is no article's own");
        assert_eq!(taken.articles[3].title, "Only a few words, no headline.");
    }
}
