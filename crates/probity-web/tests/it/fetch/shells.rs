//! Pages that show nothing without their scripts: their text is read from what else the page has, on its own site.

use probity_testkit::bad_web::cases::{GOOD, PRIVATE};
use probity_testkit::bad_web::{BadWeb, Reply};
use probity_web::fetch::{FetchOutcome, FetchSettings, Fetcher};

use super::{fetcher, get, settings, web};

const SENTENCES: &str = "The ferry leaves the inner basin at seven in the morning. It takes forty minutes to the \
                         island. The last boat back leaves at nine in the evening. Tickets are sold on board, and \
                         dogs travel free of charge on every boat of the line. In winter there are fewer boats, \
                         and in a storm there are none. The harbour office tells by a flag whether the boats leave. \
                         Whoever misses the last boat can sleep at the inn on the island, which is open all year.";

/// A page that scripts were to fill, with this in its head and body.
fn shell(head: &str, body: &str) -> String {
    format!(
        "<!doctype html><html><head><title>The ferry</title>{head}</head><body><div id=\"root\"></div>\
         <noscript>You need to enable JavaScript to run this app.</noscript>{body}<script src=/app.js></script></body></html>"
    )
}

#[tokio::test]
async fn a_shell_is_distinguished_from_an_empty_page() {
    let web = web(|asked| match asked.page() {
        "/shell" => Reply::html(shell("", "")),
        "/silent" => Reply::html("<html><head><title>App</title></head><body><div id=app></div><script src=a.js></script></body></html>"),
        _ => Reply::html("<html><body><img src=x></body></html>"),
    })
    .await;
    let fetcher = fetcher(&[&web]);
    for path in ["/shell", "/silent"] {
        let page = get(&fetcher, &web.url(path)).await;
        assert_eq!(page.outcome, FetchOutcome::Shell, "{path}: {}", page.reason);
        assert_eq!(page.document, None);
    }
    assert_eq!(get(&fetcher, &web.url("/empty")).await.outcome, FetchOutcome::Empty);
}

#[tokio::test]
async fn the_data_that_a_page_brings_for_its_scripts_is_its_text() {
    let data = serde_json::json!({"props": {"pageProps": {"article": {"body": format!("<p>{SENTENCES}</p>")}}}});
    let next = format!("<script id=\"__NEXT_DATA__\" type=\"application/json\">{data}</script>");
    let linked = serde_json::json!({"@type": "NewsArticle", "headline": "The ferry", "datePublished": "2026-03-01", "articleBody": SENTENCES});
    let linked = format!("<script type=\"application/ld+json\">{linked}</script>");
    for body in [next, linked] {
        let page = shell("", &body);
        let web = web(move |_| Reply::html(page.clone())).await;
        let page = get(&fetcher(&[&web]), &web.url("/ferry")).await;
        assert!(page.outcome.is_read(), "{}", page.reason);
        let document = page.document.unwrap();
        assert!(document.text.contains("Tickets are sold on board"), "{}", document.text);
        assert_eq!(document.title, "The ferry");
        assert_eq!(web.requests().len(), 1);
    }
}

#[tokio::test]
async fn what_is_not_free_to_read_is_not_taken_from_the_data() {
    let linked = serde_json::json!({"@type": "NewsArticle", "isAccessibleForFree": false, "articleBody": SENTENCES});
    let page = shell("", &format!("<script type=\"application/ld+json\">{linked}</script>"));
    let web = web(move |_| Reply::html(page.clone())).await;
    assert!(!get(&fetcher(&[&web]), &web.url("/ferry")).await.outcome.is_read());
}

/// A shell that names its other views, and those that there are.
async fn site(amp: bool, print: bool) -> BadWeb {
    web(move |asked| match asked.page() {
        "/amp/ferry" if amp => Reply::html(GOOD),
        "/ferry/print" if print => Reply::html(GOOD),
        "/feed" => {
            let host = asked.header("host").unwrap();
            Reply::with(200, &[("content-type", "application/rss+xml")], format!(
                "<?xml version='1.0'?><rss version='2.0' xmlns:content='http://purl.org/rss/1.0/modules/content/'><channel>\
                 <item><title>Other</title><link>http://{host}/other</link><description>Other text.</description></item>\
                 <item><title>The ferry &amp; its boats</title><link>http://{host}/ferry?utm_source=rss</link>\
                 <description>Short.</description><content:encoded><![CDATA[<p>{SENTENCES}</p>]]></content:encoded></item>\
                 </channel></rss>"
            ))
        }
        "/ferry" => Reply::html(shell(
            "<link rel=amphtml href=/amp/ferry><link rel=alternate media=print href=/ferry/print>\
             <link rel=alternate type='application/rss+xml' href=/feed>",
            "",
        )),
        _ => Reply::status(404),
    })
    .await
}

#[tokio::test]
async fn other_views_of_the_page_stand_in_for_a_shell_one_after_the_other() {
    for (amp, print, reason) in [
        (true, true, "read from its AMP page"),
        (false, true, "read from its print view"),
        (false, false, "read from its site's feed"),
    ] {
        let web = site(amp, print).await;
        let page = get(&fetcher(&[&web]), &web.url("/ferry")).await;
        assert!(page.outcome.is_read(), "{}", page.reason);
        assert_eq!(page.reason, reason);
        assert_eq!(
            (page.url.as_str(), page.final_url.as_str()),
            (web.url("/ferry").as_str(), web.url("/ferry").as_str())
        );
        if !print {
            let document = page.document.unwrap();
            assert_eq!(document.title, "The ferry & its boats");
            assert!(document.text.contains("dogs travel free"), "{}", document.text);
            assert!(!document.text.contains("Other text"));
        }
    }
}

#[tokio::test]
async fn robots_txt_closes_other_views_too() {
    let web = web(|asked| match asked.page() {
        "/robots.txt" => Reply::text("User-agent: *\nDisallow: /amp/\n"),
        "/ferry" => Reply::html(shell("<link rel=amphtml href=/amp/ferry>", "")),
        _ => Reply::html(GOOD),
    })
    .await;
    let fetcher = Fetcher::new(FetchSettings { robots: true, ..settings(&[&web]) }).unwrap();
    assert_eq!(get(&fetcher, &web.url("/ferry")).await.outcome, FetchOutcome::Shell);
    assert_eq!(web.count("/amp/ferry"), 0);
}

#[tokio::test]
async fn no_view_leads_to_another_site_or_a_private_address() {
    let other = web(|_| Reply::html(GOOD)).await;
    let elsewhere = [other.url("/amp"), "http://amp.example.net/ferry".to_owned()];
    for target in PRIVATE.iter().map(|target| (*target).to_owned()).chain(elsewhere) {
        let page = shell(
            &format!(
                "<link rel=amphtml href='{target}'><link rel=alternate media=print href='/to?{target}'>"
            ),
            "",
        );
        let to = target.clone();
        let web = web(move |asked| match asked.page() {
            "/to" => Reply::redirect(302, &to),
            _ => Reply::html(page.clone()),
        })
        .await;
        let page = get(&fetcher(&[&web]), &web.url("/ferry")).await;
        assert_eq!(page.outcome, FetchOutcome::Shell, "{target}: {}", page.reason);
    }
    assert!(other.requests().is_empty());
}
