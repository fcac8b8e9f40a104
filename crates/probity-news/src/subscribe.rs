//! Whole lists of feeds: taken over from other readers, and handed on to them.

use std::time::Duration;

use probity_core::WebUrl;
use probity_store::news::{Added, FEEDS_MOST, FeedQuery, FeedRecord, NewFeed};
use probity_store::{Store, StoreError};
use serde::Serialize;

use crate::opml::{Entry, List};

/// The first polls of a long list are spread over this long, so that they do not all come at once.
const SPREAD: Duration = Duration::from_secs(10 * 60);
/// How many feeds are added in one transaction.
const BATCH: usize = 500;
/// Lists up to this length are due at once.
const AT_ONCE: usize = 100;

/// The result of a list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Imported {
    /// Feeds that are new.
    pub added: usize,
    /// Feeds that were there already.
    pub known: usize,
    /// Feeds that there was no room for.
    pub refused: usize,
    /// What is wrong with entries that were left out.
    pub problems: Vec<String>,
}

/// Adds the feeds of a list; its folders become categories, besides those given for all of them.
///
/// # Errors
/// When the store fails. What was added before stays.
pub async fn import(
    store: &Store,
    list: List,
    categories: &[String],
) -> Result<Imported, StoreError> {
    let mut imported = Imported { problems: list.problems, ..Imported::default() };
    let many = list.entries.len().saturating_sub(AT_ONCE).max(1);
    for (batch, entries) in list.entries.chunks(BATCH).enumerate() {
        let names: Vec<Vec<String>> = entries
            .iter()
            .map(|entry| categories.iter().chain(&entry.categories).cloned().collect())
            .collect();
        let feeds: Vec<NewFeed<'_>> = entries
            .iter()
            .zip(&names)
            .enumerate()
            .map(|(place, (entry, names))| {
                let late = (batch * BATCH + place).saturating_sub(AT_ONCE);
                new_feed(entry, names, SPREAD.mul_f64(late as f64 / many as f64))
            })
            .collect();
        for added in store.add_feeds(&feeds).await? {
            match added {
                Added::New(_) => imported.added += 1,
                Added::Exists(_) => imported.known += 1,
                Added::Full => imported.refused += 1,
            }
        }
    }
    Ok(imported)
}

fn new_feed<'a>(entry: &'a Entry, categories: &'a [String], after: Duration) -> NewFeed<'a> {
    NewFeed {
        url: entry.url.as_str(),
        host: entry.url.dns_host(),
        site_url: entry.site.as_deref(),
        title: &entry.title,
        label: Some(entry.title.as_str()).filter(|title| !title.is_empty()),
        categories,
        interval: None,
        after,
    }
}

/// Every feed as an entry of a list.
///
/// # Errors
/// When the store fails.
pub async fn entries(store: &Store) -> Result<Vec<Entry>, StoreError> {
    let query = FeedQuery { limit: Some(FEEDS_MOST), ..FeedQuery::default() };
    Ok(store.feeds(&query).await?.iter().filter_map(entry).collect())
}

fn entry(feed: &FeedRecord) -> Option<Entry> {
    Some(Entry {
        url: WebUrl::parse(&feed.url).ok()?,
        title: feed.label.clone().unwrap_or_else(|| feed.title.clone()),
        site: feed.site_url.clone(),
        categories: feed.categories.clone(),
    })
}
