//! How fast an address becomes an outlet.
#![allow(clippy::unwrap_used, reason = "a benchmark's inputs are its own")]

use std::hint::black_box;

use probity_core::WebUrl;
use probity_credibility::feed::FeedItem;
use probity_credibility::outlet::{OutletRules, Resolver};

fn main() {
    divan::main();
}

fn resolver() -> Resolver {
    Resolver::new(&OutletRules::default()).unwrap()
}

/// Parsing is not measured here; the scorer's benchmark does that.
#[divan::bench(args = [
    "https://www.reuters.com/world/europe/some-story-2026-01-02/",
    "https://a.very.deep.sub.domain.of.example.co.uk/path?query=1",
    "https://www.google.com/url?q=https%3A%2F%2Fwww.nature.com%2Farticles%2Fs41586-1&sa=U",
    "https://news.google.com/rss/articles/CBMiLmh0dHBzOi8vd3d3LmJiYy5jb20vbmV3cy9hcnRpY2xlcy9jampqbnhkdjE4OG_SATJodHRwczovL3d3dy5iYmMuY29tL25ld3MvYXJ0aWNsZXMvY2pqam54ZHYxODhvLmFtcA?oc=5",
    "https://t.co/AbCdEf1234",
])]
fn address(bencher: divan::Bencher<'_, '_>, text: &str) {
    let resolver = resolver();
    let url = WebUrl::parse(text).unwrap();
    bencher
        .counter(divan::counter::ItemsCount::new(1usize))
        .bench(|| resolver.resolve(black_box(&url)));
}

#[divan::bench]
fn outlet_as_it_stands(bencher: divan::Bencher<'_, '_>) {
    let resolver = resolver();
    let url = WebUrl::parse("https://www.reuters.com/world/").unwrap();
    bencher
        .counter(divan::counter::ItemsCount::new(1usize))
        .bench(|| resolver.outlet_of(black_box(&url)));
}

#[divan::bench]
fn feed_item(bencher: divan::Bencher<'_, '_>) {
    let resolver = resolver();
    let text = r#"<item><title>Rates held</title><link>https://news.google.com/rss/articles/CBMiBkFVX3lxTA?oc=5</link><guid isPermaLink="false">CBMi</guid><source url="https://www.reuters.com">Reuters</source></item>"#;
    bencher.counter(divan::counter::ItemsCount::new(1usize)).bench(|| {
        let item = FeedItem::parse(black_box(text), None).unwrap();
        resolver.resolve_item(&item)
    });
}

/// What starting up costs.
#[divan::bench]
fn reading_the_rules() -> Resolver {
    resolver()
}
