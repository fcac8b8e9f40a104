//! Items of feeds: which field names the page, in which order, and which are not believed.

use probity_core::WebUrl;
use probity_credibility::feed::{FeedError, FeedItem};
use probity_credibility::outlet::{Method, Resolution};

const OPAQUE: &str = "https://news.google.com/rss/articles/CBMiBkFVX3lxTA?oc=5";

fn resolve(text: &str) -> Resolution {
    let item = FeedItem::parse(text, None).unwrap();
    crate::resolver().resolve_item(&item)
}

fn expect(text: &str, method: Method, page: Option<&str>, outlet: Option<&str>) {
    let found = resolve(text);
    assert_eq!(found.publisher_url.as_ref().map(WebUrl::as_str), page, "{text}");
    assert_eq!(found.outlet.as_ref().map(|o| o.as_str()), outlet, "{text}");
    assert_eq!(found.method, method, "{text}: {}", found.reason);
}

fn page(text: &str, method: Method, page: &str) {
    let found = resolve(text);
    assert_eq!(found.publisher_url.as_ref().map(WebUrl::as_str), Some(page), "{text}");
    assert_eq!(found.method, method, "{text}: {}", found.reason);
}

#[test]
fn the_link_of_an_item_is_read_however_it_is_written() {
    for link in [
        "https://www.wsj.com/x?a=1&amp;b=2",
        "\n  https://www.wsj.com/x?a=1&#38;b=2 \n",
        "<![CDATA[https://www.wsj.com/x?a=1&b=2]]>",
        "https://www.wsj.com/x<!-- c -->?a=1<![CDATA[&]]>b=2",
        "https://www.wsj.com/x?a=1&b=2",
    ] {
        page(
            &format!("<item><link>{link}</link></item>"),
            Method::None,
            "https://www.wsj.com/x?a=1&b=2",
        );
    }
}

#[test]
fn a_wrapped_link_is_opened() {
    page(
        "<item><link>https://www.google.com/url?rct=j&amp;url=https://apnews.com/x&amp;ct=ga</link></item>",
        Method::Offline,
        "https://apnews.com/x",
    );
    page(
        r#"<entry xmlns="http://www.w3.org/2005/Atom"><link href="https://www.google.com/url?url=https://apnews.com/x&amp;ct=ga"/></entry>"#,
        Method::Offline,
        "https://apnews.com/x",
    );
}

#[test]
fn the_original_link_goes_first_and_is_known_by_its_namespace() {
    let item = |declared: &str, prefix: &str| {
        format!(
            r#"<item {declared}><link>http://feedproxy.google.com/~r/X/~3/1/</link><{prefix}:origLink>https://www.wired.com/x</{prefix}:origLink></item>"#
        )
    };
    let uri = "http://rssnamespace.org/feedburner/ext/1.0";
    let wired = "https://www.wired.com/x";
    page(&item(&format!(r#"xmlns:fb="{uri}""#), "fb"), Method::FeedField, wired);
    page(&item(&format!(r#"xmlns:feedburner="{uri}""#), "feedburner"), Method::FeedField, wired);
    // Cut out of its feed, the item has lost the declaration.
    page(&item("", "feedburner"), Method::FeedField, wired);
    // Another vocabulary may use the same prefix, and an unknown prefix means nothing.
    let other = item(r#"xmlns:feedburner="http://other.example/""#, "feedburner");
    expect(&other, Method::Network, None, None);
    expect(&item("", "fb"), Method::Network, None, None);
}

#[test]
fn the_original_link_beats_a_direct_one() {
    page(
        r#"<item xmlns:f="http://rssnamespace.org/feedburner/ext/1.0"><f:origLink>https://www.wired.com/x</f:origLink><link>https://count.example/1</link></item>"#,
        Method::FeedField,
        "https://www.wired.com/x",
    );
}

#[test]
fn the_source_of_an_aggregators_item_names_the_outlet_only() {
    let item = |link: &str, source: &str| {
        format!(r#"<item><link>{link}</link><source url="{source}">S</source></item>"#)
    };
    let reuters = "https://www.reuters.com";
    for link in [
        OPAQUE,
        "https://news.google.com/articles/CAIiEJCRkpOUlZaXmJmam5ydnp8",
        "https://news.yahoo.com/title-123456789.html",
        "https://finance.yahoo.com/news/title-123456789.html",
        "https://www.msn.com/en-us/news/world/title/ar-AA1bCdEf",
        "https://apple.news/AO2hZXoB8QpCgyvUs7uIaKw",
    ] {
        expect(&item(link, reuters), Method::FeedField, None, Some("reuters.com"));
        assert!(resolve(&item(link, reuters)).resolved);
    }
    // A bare pointer's item may claim anything.
    expect(&item("https://t.co/AbC", reuters), Method::Network, None, None);
    // Nor is an aggregator, the inside, or nonsense the publisher.
    expect(&item(OPAQUE, "https://news.google.com"), Method::Network, None, None);
    expect(&item(OPAQUE, "http://localhost/"), Method::Network, None, None);
    expect(&item(OPAQUE, "Reuters"), Method::Network, None, None);
    expect(&item(OPAQUE, "https://feeds.feedburner.com/x"), Method::Network, None, None);
    // Beside a publisher's own link the source is the feed it was copied from.
    expect(
        &item("https://blog.example/post", reuters),
        Method::None,
        Some("https://blog.example/post"),
        Some("blog.example"),
    );
}

#[test]
fn an_older_google_news_id_needs_no_source() {
    expect(
        r#"<item><link>https://news.google.com/rss/articles/CBMiImh0dHBzOi8vd3d3LmF4aW9zLmNvbS8yMDI2LzAxLzAyL3g</link><source url="https://www.wrong.example">W</source></item>"#,
        Method::Offline,
        Some("https://www.axios.com/2026/01/02/x"),
        Some("axios.com"),
    );
}

#[test]
fn a_guid_counts_only_as_a_permalink_and_only_without_a_usable_link() {
    let apnews = "https://apnews.com/x";
    for mark in ["", r#" isPermaLink="true""#] {
        page(&format!("<item><guid{mark}>{apnews}</guid></item>"), Method::FeedField, apnews);
    }
    for mark in [r#" isPermaLink="false""#, r#" isPermaLink=" False ""#] {
        expect(&format!("<item><guid{mark}>{apnews}</guid></item>"), Method::None, None, None);
    }
    expect("<item><guid>tag:apnews.com,2026:x</guid></item>", Method::None, None, None);
    page(
        &format!("<item><guid>{apnews}</guid><link>https://www.wsj.com/x</link></item>"),
        Method::None,
        "https://www.wsj.com/x",
    );
    page(
        &format!("<item><link>https://t.co/AbC</link><guid>{apnews}</guid></item>"),
        Method::FeedField,
        apnews,
    );
    // The aggregator's own page does not come back through the guid.
    expect(
        "<item><link>https://www.msn.com/en-us/x/ar-AA1</link><guid>https://www.msn.com/id/1</guid></item>",
        Method::Network,
        None,
        None,
    );
}

#[test]
fn atom_links_are_distinguished_by_their_relation() {
    let entry =
        |links: &str| format!(r#"<entry xmlns="http://www.w3.org/2005/Atom">{links}</entry>"#);
    let economist = "https://www.economist.com/x";
    for links in [
        format!(r#"<link href="{economist}"/>"#),
        format!(
            r#"<link rel="self" href="https://feed.example/1"/><link rel="alternate" href="{economist}"/>"#
        ),
        format!(
            r#"<link rel="enclosure" href="https://cdn.example/1.mp3"/><link rel="replies" href="https://a.example/c"/><link href="{economist}" rel="ALTERNATE"/>"#
        ),
        format!(
            r#"<link rel="http://www.iana.org/assignments/relation/alternate" href="{economist}"></link>"#
        ),
        format!(
            r#"<link rel="alternate" type="application/json" href="https://api.example/1"/><link rel="alternate" type="text/html" href="{economist}"/>"#
        ),
        format!(r#"<link rel="via" href="https://other.example/"/><link href="{economist}"/>"#),
    ] {
        page(&entry(&links), Method::FeedField, economist);
    }
    page(
        &entry(&format!(r#"<link href="{OPAQUE}"/><link rel="via" href="{economist}"/>"#)),
        Method::FeedField,
        economist,
    );
    for useless in [
        r#"<link rel="self" href="https://feed.example/1"/>"#,
        r#"<link rel="via" href="https://a.example/1"/>"#,
        r#"<link rel="alternate" href=""/>"#,
        "",
    ] {
        expect(&entry(useless), Method::None, None, None);
    }
}

#[test]
fn atom_is_known_by_its_namespace_too() {
    page(
        r#"<a:entry xmlns:a="http://www.w3.org/2005/Atom"><a:link href="https://www.economist.com/x"/></a:entry>"#,
        Method::FeedField,
        "https://www.economist.com/x",
    );
    page(
        r#"<entry><link href="https://www.economist.com/x"/></entry>"#,
        Method::FeedField,
        "https://www.economist.com/x",
    );
    expect(
        r#"<entry xmlns="http://www.w3.org/2005/Atom" xmlns:o="http://other.example/"><o:link href="https://a.example/"/></entry>"#,
        Method::None,
        None,
        None,
    );
    page(
        r#"<item xmlns:atom="http://www.w3.org/2005/Atom"><atom:link rel="self" href="https://feed.example/"/><link>https://www.wsj.com/x</link></item>"#,
        Method::None,
        "https://www.wsj.com/x",
    );
}

#[test]
fn an_entry_copied_from_elsewhere_keeps_its_source() {
    expect(
        &format!(
            r#"<entry xmlns="http://www.w3.org/2005/Atom"><link href="{OPAQUE}"/><source><link rel="self" href="https://feeds.example/x"/><link rel="alternate" href="https://www.reuters.com/"/></source></entry>"#
        ),
        Method::FeedField,
        None,
        Some("reuters.com"),
    );
}

#[test]
fn links_of_inner_elements_are_not_the_items() {
    expect(
        "<item><image><link>https://a.example/</link></image><media><guid>https://b.example/</guid></media></item>",
        Method::None,
        None,
        None,
    );
}

#[test]
fn relative_links_are_completed_by_their_base() {
    page(
        r#"<entry xmlns="http://www.w3.org/2005/Atom" xml:base="https://www.economist.com/a/"><link xml:base="b/" href="c"/></entry>"#,
        Method::FeedField,
        "https://www.economist.com/a/b/c",
    );
    let base = WebUrl::parse("https://www.wsj.com/feed.xml").unwrap();
    let item = FeedItem::parse("<item><link>/x</link></item>", Some(&base)).unwrap();
    assert_eq!(item.link.as_deref(), Some("https://www.wsj.com/x"));
    expect("<item><link>/x</link></item>", Method::Reject, None, None);
}

#[test]
fn hacker_news_links_the_article_and_discusses_it_elsewhere() {
    page(
        "<item><link>https://www.nature.com/x</link><comments>https://news.ycombinator.com/item?id=1</comments></item>",
        Method::None,
        "https://www.nature.com/x",
    );
    expect(
        "<item><link>https://news.ycombinator.com/item?id=1</link><comments>https://news.ycombinator.com/item?id=1</comments></item>",
        Method::Network,
        None,
        None,
    );
}

#[test]
fn a_digest_links_the_article_in_its_text() {
    let item = |text: &str| {
        format!(
            "<item><link>http://www.techmeme.com/260102/p1#a260102p1</link><description>{text}</description></item>"
        )
    };
    let verge = "https://www.theverge.com/2026/1/2/x";
    for text in [
        format!(r#"&lt;A HREF="{verge}"&gt;Headline&lt;/A&gt;"#),
        format!(
            r#"<![CDATA[<A HREF="http://www.techmeme.com/260102/p1#a"><IMG SRC="http://www.techmeme.com/img/pml.png"></A> <a href='{verge}'>Headline</a> <a href="https://other.example/">more</a>]]>"#
        ),
        format!(
            r#"<![CDATA[<a href="https://www.theverge.com/">The Verge</a>: <b><a href="{verge}">Headline</a></b>]]>"#
        ),
        format!(
            r#"<![CDATA[<a href="https://t.co/x">x</a> <a href="https://www.google.com/url?q={verge}">Headline</a>]]>"#
        ),
    ] {
        page(&item(&text), Method::FeedField, verge);
    }
    expect(&item("&lt;a href='http://www.techmeme.com/x'&gt;"), Method::Network, None, None);
    expect(&item("&lt;a href='http://127.0.0.1/'&gt;"), Method::Network, None, None);
    // Only digests are read so; any other page may link whatever it likes.
    expect(
        &format!(
            "<item><link>{OPAQUE}</link><description>&lt;a href='{verge}'&gt;</description></item>"
        ),
        Method::Network,
        None,
        None,
    );
}

#[test]
fn a_link_post_is_what_its_site_marked_as_the_link() {
    let entry = |content: &str| {
        format!(
            r#"<entry xmlns="http://www.w3.org/2005/Atom"><link href="https://www.reddit.com/r/news/comments/1/t/"/><content type="html">{content}</content></entry>"#
        )
    };
    page(
        &entry(
            r#"&lt;a href="https://evil.example/"&gt;[link]&lt;/a&gt; &lt;a href="https://apnews.com/x"&gt;[link]&lt;/a&gt; &lt;a href="https://www.reddit.com/r/news/comments/1/t/"&gt;[comments]&lt;/a&gt;"#,
        ),
        Method::FeedField,
        "https://apnews.com/x",
    );
    let flood = r#"&lt;a href="https://evil.example/"&gt;[link]&lt;/a&gt;"#.repeat(500);
    page(
        &entry(&format!(r#"{flood}&lt;a href="https://apnews.com/x"&gt;[link]&lt;/a&gt;"#)),
        Method::FeedField,
        "https://apnews.com/x",
    );
    expect(
        &entry(r#"&lt;a href="https://www.reddit.com/r/news/comments/1/t/"&gt;[link]&lt;/a&gt;"#),
        Method::Network,
        None,
        Some("reddit.com"),
    );
}

#[test]
fn a_publishers_short_link_is_completed_only_by_its_own_pages() {
    expect(
        "<item><link>https://nyti.ms/3x</link><guid>https://www.nytimes.com/2026/x</guid></item>",
        Method::FeedField,
        Some("https://www.nytimes.com/2026/x"),
        Some("nytimes.com"),
    );
    expect(
        "<item><link>https://nyti.ms/3x</link><guid>https://blog.example/1</guid></item>",
        Method::Offline,
        None,
        Some("nytimes.com"),
    );
}

#[test]
fn json_feed_items_are_read_in_the_same_order() {
    let reuters = "https://www.reuters.com/x";
    page(&format!(r#"{{"id":"1","url":"{reuters}"}}"#), Method::None, reuters);
    page(&format!(r#"{{"id":"1","external_url":"{reuters}"}}"#), Method::FeedField, reuters);
    page(
        &format!(r#"{{"url":"{OPAQUE}","external_url":"{reuters}"}}"#),
        Method::FeedField,
        reuters,
    );
    page(
        &format!(r#"{{"url":"https://links.example/1","external_url":"{reuters}"}}"#),
        Method::None,
        "https://links.example/1",
    );
    page(&format!(r#"{{"id":"{reuters}"}}"#), Method::FeedField, reuters);
    page(&format!(r#"{{"version":"1","items":[{{"url":"{reuters}"}}]}}"#), Method::None, reuters);
    expect(r#"{"id":"1","url":7}"#, Method::None, None, None);
    assert!(matches!(FeedItem::parse("{", None), Err(FeedError::NoFeed(_))));
    assert_eq!(FeedItem::parse(r#"{"items":[]}"#, None), Err(FeedError::NoItem(String::new())));
}

#[test]
fn of_a_whole_feed_the_first_item_is_taken() {
    page(
        r#"<?xml version="1.0"?><!DOCTYPE rss><rss version="2.0"><channel><link>https://home.example/</link><item><link>https://www.wsj.com/1</link></item><item><link>https://www.wsj.com/2</link></item></channel></rss>"#,
        Method::None,
        "https://www.wsj.com/1",
    );
    page(
        r#"<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><item rdf:about="x"><link>https://www.wsj.com/1</link></item></rdf:RDF>"#,
        Method::None,
        "https://www.wsj.com/1",
    );
}

#[test]
fn what_could_harm_the_reader_is_refused() {
    let bomb =
        r#"<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><item><link>&b;</link></item>"#;
    assert_eq!(FeedItem::parse(bomb, None), Err(FeedError::Entities));
    let file =
        r#"<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]><item><link>&f;</link></item>"#;
    assert_eq!(FeedItem::parse(file, None), Err(FeedError::Entities));
    let deep = format!("<item>{}", "<a>".repeat(10_000));
    assert!(matches!(FeedItem::parse(&deep, None), Err(FeedError::TooDeep(_))));
    let large = format!("<item><link>{}</link></item>", "x".repeat(2 << 20));
    assert!(matches!(FeedItem::parse(&large, None), Err(FeedError::TooLarge(..))));
    let names: String = (0..1_000).map(|n| format!(r#" xmlns:a{n}="b""#)).collect();
    assert!(matches!(
        FeedItem::parse(&format!("<item{names}></item>"), None),
        Err(FeedError::NoFeed(_))
    ));
    for broken in ["<item><link>https://a.example/</item>", "<item>", "plain", "", "<a></a>"] {
        assert!(FeedItem::parse(broken, None).is_err(), "{broken}");
    }
}

#[test]
fn hostile_links_give_nothing() {
    for link in ["javascript:alert(1)", "http://localhost/x", "//10.0.0.1/", "ftp://a.example/"] {
        expect(&format!("<item><link>{link}</link></item>"), Method::Reject, None, None);
    }
}
