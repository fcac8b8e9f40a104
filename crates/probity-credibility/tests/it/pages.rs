//! Texts of pages that point on.

use probity_core::WebUrl;
use probity_credibility::outlet::{Method, Resolution};

fn resolve(address: Option<&str>, html: &str) -> Resolution {
    let address = address.map(|text| WebUrl::parse(text).unwrap());
    crate::resolver().resolve_page(address.as_ref(), html)
}

fn page(address: Option<&str>, html: &str, expected: &str) {
    let found = resolve(address, html);
    assert_eq!(found.publisher_url.as_ref().map(WebUrl::as_str), Some(expected), "{html}");
    assert_eq!(found.method, Method::PageField, "{html}");
}

const APPLE: Option<&str> = Some("https://apple.news/AO2hZXoB8QpCgyvUs7uIaKw");

#[test]
fn the_shell_of_apple_news_calls_its_redirect_with_the_page() {
    for call in [
        r#"redirectToUrlAfterTimeout("https://www.theatlantic.com/x", 0)"#,
        r#"redirectToUrlAfterTimeout ( 'https://www.theatlantic.com/x' )"#,
        r#"redirectToUrlAfterTimeout("https:\/\/www.theatlantic.com\/x")"#,
        r#"window.location = "applenewss:///AO2"; redirectToUrl("https://www.theatlantic.com/x")"#,
        r#"redirectToUrlAfterTimeout(url, t); redirectToUrlAfterTimeout("https://www.theatlantic.com/x")"#,
    ] {
        let html =
            format!("<script>function redirectToUrlAfterTimeout(url, t){{}} {call}</script>");
        page(APPLE, &html, "https://www.theatlantic.com/x");
        page(None, &html, "https://www.theatlantic.com/x");
    }
    let definition = "<script>function redirectToUrlAfterTimeout(url, t){}</script>";
    assert_eq!(resolve(APPLE, definition).method, Method::Network);
    assert_eq!(resolve(None, definition).publisher_url, None);
}

#[test]
fn a_refresh_is_followed() {
    let t_co = Some("https://t.co/AbC");
    for html in [
        r#"<head><noscript><META http-equiv="refresh" content="0;URL=https://www.reuters.com/x?a=1&amp;b=2"></noscript>"#,
        r#"<meta content='0; url="https://www.reuters.com/x?a=1&amp;b=2"' http-equiv=Refresh />"#,
        r#"<script>if (window.location == "x") {} window.location.href = 'https://www.reuters.com/x?a=1&b=2'</script>"#,
        r#"<script>window.location.replace("https:\/\/www.reuters.com\/x?a=1\u0026b=2")</script>"#,
        r#"<meta http-equiv="refresh" content="0;url=https://www.google.com/url?q=https%3A%2F%2Fwww.reuters.com%2Fx%3Fa%3D1%26b%3D2">"#,
    ] {
        page(t_co, html, "https://www.reuters.com/x?a=1&b=2");
    }
    let hidden = r#"<!-- <meta http-equiv="refresh" content="0;url=https://a.example/"> -->"#;
    assert_eq!(resolve(t_co, hidden).method, Method::Network);
}

#[test]
fn a_copy_names_its_original() {
    let copy = Some("https://finance.yahoo.com/news/title-1.html");
    page(
        copy,
        r#"<link rel="canonical" href="https://www.reuters.com/x">"#,
        "https://www.reuters.com/x",
    );
    let own = r#"<link rel="canonical" href="https://finance.yahoo.com/m/title-1.html">"#;
    assert_eq!(resolve(copy, own).method, Method::Network);
    page(
        Some("https://news.google.com/articles/CBMiBkFVX3lxTA"),
        r#"<c-wiz data-n-au="https://www.reuters.com/x"></c-wiz>"#,
        "https://www.reuters.com/x",
    );
}

#[test]
fn a_publishers_page_is_not_asked_whose_it_is() {
    let html = r#"<link rel="canonical" href="https://www.reuters.com/x"><meta http-equiv="refresh" content="0;url=https://www.reuters.com/x">"#;
    let found = resolve(Some("https://evil.example/copy"), html);
    assert_eq!(found.outlet.unwrap().as_str(), "evil.example");
    assert_eq!(found.method, Method::None);
}

#[test]
fn a_page_cannot_lead_inside() {
    for target in ["http://127.0.0.1/", "javascript:alert(1)", "http://localhost/"] {
        let html = format!(r#"<meta http-equiv="refresh" content="0;url={target}">"#);
        assert_eq!(resolve(None, &html).method, Method::Reject);
        let found = resolve(Some("https://t.co/AbC"), &html);
        assert_eq!((found.publisher_url, found.outlet), (None, None));
    }
}

#[test]
fn what_to_fetch_is_the_services_own_interface_or_the_address_itself() {
    let lookup = |text: &str| {
        crate::resolver().lookup(&WebUrl::parse(text).unwrap()).map(|url| url.to_string())
    };
    for (given, expected) in [
        ("https://t.co/AbC", Some("https://t.co/AbC")),
        ("https://nyti.ms/AbC", Some("https://nyti.ms/AbC")),
        ("https://www.google.com/url?q=https://t.co/AbC", Some("https://t.co/AbC")),
        (
            "https://www.msn.com/en-us/news/world/t/ar-AA1b?ocid=1",
            Some("https://assets.msn.com/content/view/v2/Detail/en-us/AA1b"),
        ),
        (
            "https://old.reddit.com/r/news/comments/1/t/?x=1",
            Some("https://www.reddit.com/r/news/comments/1/t.json"),
        ),
        ("https://www.reuters.com/x", None),
        ("https://news.google.com/home", None),
        ("http://127.0.0.1/", None),
    ] {
        assert_eq!(lookup(given).as_deref(), expected, "{given}");
    }
}

#[test]
fn answers_of_interfaces_name_the_page() {
    page(
        Some("https://www.msn.com/en-us/news/world/t/ar-AA1b"),
        r#"{"provider":{"name":"Reuters"},"sourceHref":"https://www.reuters.com/x"}"#,
        "https://www.reuters.com/x",
    );
    page(
        Some("https://news.ycombinator.com/item?id=1"),
        r#"{"id":1,"type":"story","url":"https://www.reuters.com/x"}"#,
        "https://www.reuters.com/x",
    );
    page(
        Some("https://www.reddit.com/r/news/comments/1/t/"),
        r#"[{"data":{"children":[{"data":{"url":"https://www.reuters.com/x"}}]}},{}]"#,
        "https://www.reuters.com/x",
    );
    let own = r#"[{"data":{"children":[{"data":{"url":"https://www.reddit.com/r/news/comments/1/t/"}}]}}]"#;
    let found = resolve(Some("https://www.reddit.com/r/news/comments/1/t/"), own);
    assert_eq!(found.outlet.unwrap().as_str(), "reddit.com");
}
