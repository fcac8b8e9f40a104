//! Google News ids, built here byte by byte.

use base64::Engine;
use base64::engine::general_purpose::{URL_SAFE, URL_SAFE_NO_PAD};
use probity_core::WebUrl;
use probity_credibility::outlet::{Method, Resolution};

fn resolve(text: &str) -> Resolution {
    crate::resolver().resolve_text(text).unwrap()
}

fn varint(mut number: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 0x80 {
        bytes.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

/// A length-delimited field.
fn field(number: usize, value: &[u8]) -> Vec<u8> {
    [varint(number << 3 | 2), varint(value.len()), value.to_vec()].concat()
}

fn message(article: &[u8]) -> Vec<u8> {
    [vec![0x08, 0x13], field(4, article), field(26, b"")].concat()
}

fn id(message: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(message)
}

fn page(length: usize) -> String {
    let start = "https://www.theguardian.com/world/2026/";
    format!("{start}{}", "a".repeat(length - start.len()))
}

#[test]
fn the_length_of_an_address_is_a_varint() {
    for length in [60, 126, 127, 128, 129, 255, 256, 1_000, 16_383, 16_384, 20_000] {
        let page = page(length);
        let found = resolve(&format!(
            "https://news.google.com/rss/articles/{}?oc=5",
            id(&message(page.as_bytes()))
        ));
        assert_eq!(found.publisher_url.as_ref().map(WebUrl::as_str), Some(page.as_str()));
        assert_eq!(found.method, Method::Offline);
    }
}

#[test]
fn every_path_and_edition_of_google_news_is_read() {
    let id = id(&message(b"https://www.axios.com/x"));
    let padded = URL_SAFE.encode(message(b"https://www.axios.com/x"));
    for path in [
        format!("news.google.com/rss/articles/{id}"),
        format!("news.google.com/articles/{id}?hl=en-US&gl=US&ceid=US:en"),
        format!("news.google.com/read/{id}"),
        format!("news.google.com/rss/read/{id}"),
        format!("news.google.com/__i/rss/rd/articles/{id}?oc=5"),
        format!("NEWS.GOOGLE.COM/articles/{id}/"),
        format!("news.google.co.uk/articles/{id}"),
        format!("news.google.com./articles/{id}"),
        format!("news.google.com/articles/{padded}"),
        format!("news.google.com/articles/{}", padded.replace('=', "%3D")),
        "news.google.de/news/url?sa=t&url=https%3A%2F%2Fwww.axios.com%2Fx".to_owned(),
        "news.google.com/news/url?q=https%3A%2F%2Fwww.axios.com%2Fx".to_owned(),
    ] {
        let found = resolve(&format!("https://{path}"));
        let page = found.publisher_url.as_ref().map(WebUrl::as_str);
        assert_eq!(page, Some("https://www.axios.com/x"), "{path}: {}", found.reason);
    }
}

#[test]
fn what_only_google_can_read_needs_the_network() {
    let whole = message(b"https://www.axios.com/2026/01/02/a-story");
    for id in [
        id(&message(b"AU_yqLPkX0token")),
        id(&[&[0x08, 0x02][..], &field(4, &[0x90; 16])].concat()),
        id(&[0x08, 0x13]),
        id(&[&[0x08, 0x13, 0x22, 0x7f][..], b"https://www.axios.com/x"].concat()),
        id(&[&[0x08, 0x13, 0x22, 0xff, 0xff, 0xff, 0xff, 0x7f][..], b"https://a.example/"]
            .concat()),
        id(&whole[..whole.len() / 2]),
        "CBMi".to_owned(),
        "not%20base64".to_owned(),
        "é".to_owned(),
    ] {
        let found = resolve(&format!("https://news.google.com/rss/articles/{id}"));
        assert_eq!(found.method, Method::Network, "{id}");
        assert_eq!((found.publisher_url, found.outlet, found.resolved), (None, None, false));
    }
}

#[test]
fn unknown_fields_before_and_damage_after_the_address_do_not_hide_it() {
    let article = b"https://www.axios.com/x";
    for message in [
        [field(2, b"https://evil.example/"), vec![0x08, 0x13], field(4, article)].concat(),
        [vec![0x08, 0x13, 0x1d, 1, 2, 3, 4], field(4, article), field(26, b"")].concat(),
        [vec![0x08, 0x13], field(4, article), vec![0xd2, 0x01, 0x40, b'h']].concat(),
    ] {
        let found = resolve(&format!("https://news.google.com/articles/{}", id(&message)));
        assert_eq!(found.outlet.unwrap().as_str(), "axios.com");
    }
}

#[test]
fn an_address_in_an_id_must_be_public_http_like_any_other() {
    for article in [
        "javascript:alert(1)",
        "ftp://a.example/",
        "http://127.0.0.1/",
        "http://localhost/",
        "data:,x",
    ] {
        let found = resolve(&format!(
            "https://news.google.com/articles/{}",
            id(&message(article.as_bytes()))
        ));
        assert_eq!(found.method, Method::Reject, "{article}");
        assert_eq!((found.publisher_url, found.outlet), (None, None));
    }
}

#[test]
fn an_id_may_hold_another_wrapper() {
    let inner = "https://www.google.com/url?q=https%3A%2F%2Fapnews.com%2Fx";
    let found =
        resolve(&format!("https://news.google.com/articles/{}", id(&message(inner.as_bytes()))));
    assert_eq!((found.hops, found.outlet.unwrap().as_str()), (2, "apnews.com"));
}

#[test]
fn google_news_itself_is_nobodys_page() {
    for path in ["", "home", "topics/CAAqBwgK", "search?q=x", "rss/search?q=x", "stories/CAAq"] {
        let found = resolve(&format!("https://news.google.com/{path}"));
        assert_eq!((found.publisher_url, found.outlet, found.resolved), (None, None, false));
    }
}
