//! How fast the items of local feed files get into a store: read, unwrapped, indexed and committed.
#![allow(clippy::unwrap_used, reason = "a benchmark's inputs are its own")]

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use divan::Bencher;
use divan::counter::ItemsCount;
use probity_core::{Clock, WebUrl};
use probity_credibility::outlet::{OutletRules, Resolver};
use probity_news::NewsSettings;
use probity_news::poll::Poller;
use probity_store::news::{Added, NewFeed, job_id};
use probity_store::{Location, Store};
use probity_web::fetch::{FetchSettings, Fetcher, RawResponse};

fn main() {
    divan::main();
}

/// How many feeds there are, and how many items each holds.
const FEEDS: usize = 100;
const ITEMS: usize = 100;

/// Feed files with headlines and summaries of usual length; half the links go through an aggregator.
fn files(folder: &std::path::Path) -> Vec<PathBuf> {
    let text = include_str!("../tests/data/headlines.txt");
    let words: Vec<&str> = text.split_whitespace().filter(|word| word.len() > 2).collect();
    let phrase = |from: usize, count: usize| -> String {
        let taken =
            (0..count).filter_map(|n| words.get((from * 31 + n * 7) % words.len()).copied());
        taken.collect::<Vec<_>>().join(" ").replace(['<', '&', '>'], "")
    };
    let mut paths = Vec::new();
    for feed in 0..FEEDS {
        let mut xml = format!("<rss version='2.0'><channel><title>Feed {feed}</title>");
        for item in 0..ITEMS {
            let n = feed * ITEMS + item;
            let page = format!("https://www.site{}.com/news/{n}", n % 500);
            let link = match n % 2 {
                0 => page,
                _ => format!("https://www.google.com/url?q={page}&amp;sa=U"),
            };
            let (title, summary) = (phrase(n, 9), phrase(n + 1, 40));
            write!(
                xml,
                "<item><guid isPermaLink='false'>{n}</guid><title>{title} {n}</title><link>{link}</link>\
                 <description>&lt;p&gt;{summary}&lt;/p&gt;</description>\
                 <pubDate>Sat, 14 Nov 2026 08:00:00 GMT</pubDate></item>"
            )
            .unwrap();
        }
        xml.push_str("</channel></rss>");
        let path = folder.join(format!("{feed}.xml"));
        std::fs::write(&path, xml).unwrap();
        paths.push(path);
    }
    paths
}

async fn ingest(store: &Store, poller: &Poller, paths: &[PathBuf]) -> usize {
    let mut new = 0;
    for (number, path) in paths.iter().enumerate() {
        let address = format!("https://feeds.example/{number}.xml");
        let url = WebUrl::parse(&address).unwrap();
        let feed = NewFeed { url: &address, host: "feeds.example", ..NewFeed::default() };
        let Added::New(id) = store.add_feed(&feed).await.unwrap() else { return 0 };
        let lease = Duration::from_secs(60);
        let claimed = store.claim_one("bench", &job_id(id), lease).await.unwrap().unwrap();
        let record = store.feed(id).await.unwrap().unwrap();
        let raw = RawResponse::at_hand(&url, std::fs::read(path).unwrap());
        let raw = RawResponse { status: Some(200), ..raw };
        new += poller.take(&claimed.fence, &record, Ok(raw)).await.unwrap().new;
    }
    new
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn feed_files_into_sqlite(bencher: Bencher<'_, '_>) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let paths = files(folder.path());
    bencher
        .counter(ItemsCount::new(FEEDS * ITEMS))
        .with_inputs(|| {
            let place = tempfile::tempdir().unwrap();
            let location = Location::file(place.path().join("probity.db"));
            let store = runtime.block_on(Store::open(&location)).unwrap();
            let settings = NewsSettings { follow_links: 0, ..NewsSettings::default() };
            let fetcher = Fetcher::new(FetchSettings::default()).unwrap();
            let resolver = Resolver::new(&OutletRules::default()).unwrap();
            let poller = Poller::new(store.clone(), fetcher, resolver, settings, Clock::System);
            (place, store, poller)
        })
        .bench_local_refs(|(_, store, poller)| {
            let new = runtime.block_on(ingest(store, poller, &paths));
            assert_eq!(new, FEEDS * ITEMS);
        });
}
