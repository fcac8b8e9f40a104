//! Feeds of every kind, well and ill.

use std::fmt::Write as _;

use probity_core::{Timestamp, WebUrl};
use probity_credibility::outlet::{OutletRules, Resolver};
use probity_news::feed::{Feed, FeedError, Format, ITEMS, read};
use proptest::prelude::*;

fn now() -> Timestamp {
    "2026-11-15T12:00:00Z".parse().unwrap()
}

fn feed(text: &str) -> Feed {
    read(text.as_bytes(), None, now()).unwrap()
}

#[test]
fn rss_1_is_read_although_its_items_lie_beside_the_channel() {
    let text = r#"<?xml version="1.0"?>
        <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
            xmlns:dc="http://purl.org/dc/elements/1.1/">
        <channel><title>Old news</title></channel>
        <item><title>One</title><link>https://a.example/1</link><dc:date>2026-03-01T12:00:00Z</dc:date></item>
        </rdf:RDF>"#;
    let feed = feed(text);
    assert_eq!((feed.format, feed.title.as_str()), (Format::Rdf, "Old news"));
    assert_eq!(feed.items[0].addresses.link.as_deref(), Some("https://a.example/1"));
    assert_eq!(feed.items[0].published, "2026-03-01T12:00:00Z".parse().ok());
}

#[test]
fn atom_is_read_with_its_base_and_its_markup() {
    let text = r#"<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://a.example/news/">
        <title type="html">A &amp;amp; B</title>
        <entry><id>tag:a,1</id><title type="html">&lt;b&gt;Bold&lt;/b&gt; claim</title>
        <link rel="alternate" href="one.html"/><updated>2026-03-01T12:00:00Z</updated>
        <summary type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">So <i>it</i> is</div></summary></entry>
        </feed>"#;
    let feed = feed(text);
    assert_eq!((feed.format, feed.title.as_str()), (Format::Atom, "A & B"));
    let item = &feed.items[0];
    assert_eq!((item.title.as_str(), item.summary.as_str()), ("Bold claim", "So it is"));
    assert_eq!(item.guid.as_deref(), Some("tag:a,1"));
    assert_eq!(item.addresses.alternates, ["https://a.example/news/one.html"]);
}

#[test]
fn names_are_known_by_their_namespace_and_not_by_their_prefix() {
    let text = r#"<a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:title>Prefixed</a:title>
        <a:link rel="self" href="https://a.example/feed"/><a:link href="https://a.example/"/>
        <a:entry><a:id>1</a:id><a:title>One</a:title><a:updated>2026-03-01T12:00:00Z</a:updated>
        <a:author><a:name>Jo Doe</a:name><a:email>jo@a.example</a:email></a:author></a:entry></a:feed>"#;
    let feed = feed(text);
    assert_eq!(
        (feed.title.as_str(), feed.site.as_deref()),
        ("Prefixed", Some("https://a.example/"))
    );
    let item = &feed.items[0];
    assert_eq!((item.title.as_str(), item.author.as_deref()), ("One", Some("Jo Doe")));
    assert_eq!(item.published, "2026-03-01T12:00:00Z".parse().ok());
    // No one claims this namespace, so its names are RSS's.
    let text = r#"<rss xmlns="https://own.example/ns"><channel><item><title>Two</title></item></channel></rss>"#;
    assert_eq!(self::feed(text).items[0].title, "Two");
}

#[test]
fn the_title_of_a_picture_beside_the_channel_is_not_the_feeds() {
    let text = r#"<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">
        <image><title>Logo</title><link>https://a.example/logo</link></image>
        <channel><title>News</title><image><title>Logo</title></image></channel></rdf:RDF>"#;
    let feed = feed(text);
    assert_eq!((feed.title.as_str(), feed.site), ("News", None));
}

#[test]
fn a_single_item_is_no_feed() {
    for text in ["<item><title>x</title></item>", "<entry/>", r#"{"id": "1", "title": "x"}"#] {
        assert!(matches!(read(text.as_bytes(), None, now()), Err(FeedError::NoFeed(_))), "{text}");
    }
}

#[test]
fn json_feed_is_read() {
    let text = r#"{"version":"https://jsonfeed.org/version/1.1","title":"J","items":[
        {"id":"1","url":"/a","title":"T","content_html":"<p>x</p>","date_published":"2026-03-01T12:00:00Z"}]}"#;
    let base = WebUrl::parse("https://a.example/feed.json").unwrap();
    let feed = read(text.as_bytes(), Some(&base), now()).unwrap();
    assert_eq!(feed.format, Format::Json);
    assert_eq!(feed.items[0].addresses.link.as_deref(), Some("https://a.example/a"));
    assert_eq!(feed.items[0].summary, "x");
}

#[test]
fn titles_of_pictures_and_media_are_not_the_items() {
    let text = r#"<rss xmlns:media="http://search.yahoo.com/mrss/"><channel>
        <item><media:title>Picture</media:title><title>Story</title></item></channel></rss>"#;
    assert_eq!(feed(text).items[0].title, "Story");
}

#[test]
fn dates_that_cannot_be_are_no_dates() {
    let item = |date: &str| format!("<item><title>x</title><pubDate>{date}</pubDate></item>");
    let dates = ["Mon, 01 Jan 2035 00:00:00 GMT", "Thu, 01 Jan 1970 00:00:00 GMT", "soon", ""];
    let items: String = dates.iter().map(|date| item(date)).collect();
    let feed = feed(&format!("<rss><channel>{items}</channel></rss>"));
    assert_eq!(feed.items.len(), 4);
    assert!(feed.items.iter().all(|item| item.published.is_none()));
}

#[test]
fn what_came_before_a_break_is_kept() {
    let feed = feed("<rss><channel><item><title>One</title></item><item><title>Tw");
    assert_eq!(feed.items.len(), 1);
    let feed = self::feed("<rss><channel><item><title>One</title></item><item <<");
    assert_eq!(feed.items.len(), 1);
    assert!(feed.problem.is_some());
}

#[test]
fn other_encodings_are_read() {
    let bytes = b"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><rss><channel><title>Caf\xe9</title></channel></rss>";
    assert_eq!(read(bytes, None, now()).unwrap().title, "Café");
}

#[test]
fn bombs_towers_and_floods_are_bounded() {
    let bomb = "<!DOCTYPE r [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><rss>&x;</rss>";
    assert_eq!(read(bomb.as_bytes(), None, now()), Err(FeedError::Entities));
    let tower = format!("<rss>{}", "<a>".repeat(100_000));
    assert!(matches!(read(tower.as_bytes(), None, now()), Err(FeedError::TooDeep(_))));
    let mut flood = "<rss><channel>".to_owned();
    for at in 0..ITEMS + 10 {
        write!(flood, "<item><title>{at}</title></item>").unwrap();
    }
    let feed = feed(&flood);
    assert_eq!(feed.items.len(), ITEMS);
    assert!(feed.problem.is_some());
}

#[test]
fn the_publisher_behind_feedburner_is_found_through_the_namespace_of_the_feed() {
    let text = r#"<rss xmlns:fb="http://rssnamespace.org/feedburner/ext/1.0"><channel><item>
        <link>http://feedproxy.google.com/~r/x/y</link><fb:origLink>https://www.wired.com/story/a/</fb:origLink>
        </item></channel></rss>"#;
    let resolver = Resolver::new(&OutletRules::default()).unwrap();
    let found = resolver.resolve_item(&feed(text).items[0].addresses);
    assert_eq!(found.outlet.unwrap().as_str(), "wired.com");
}

proptest! {
    #[test]
    fn no_bytes_break_the_reader(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = read(&bytes, None, now());
        let mut text = b"<rss><channel><item><title>".to_vec();
        text.extend(&bytes);
        text.extend(b"</title></item></channel></rss>");
        let _ = read(&text, None, now());
    }
}
