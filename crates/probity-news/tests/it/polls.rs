//! Feeds polled from a loopback server: what is asked, what is kept, what is done about trouble.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use probity_news::NewsSettings;
use probity_news::discover::{Found, discover};
use probity_news::poll::Ended;
use probity_store::news::{ArticleQuery, FeedState};
use probity_testkit::bad_web::{BadWeb, Reply};
use probity_web::fetch::{FetchSettings, Fetcher};
use serde::Deserialize;

use crate::room::{Place, add, at, feed, fetching, poll, poller, rss};

const XML: (&str, &str) = ("content-type", "application/rss+xml");

fn open(web: &BadWeb, hosts: &[&str]) -> FetchSettings {
    fetching(web.address(), &hosts.iter().map(|host| (*host).to_owned()).collect::<Vec<_>>())
}

#[tokio::test]
async fn an_unchanged_feed_is_asked_conditionally_and_brings_nothing() {
    let web = BadWeb::start(|asked| match (asked.page(), asked.header("if-none-match")) {
        ("/etag", Some("\"7\"")) => Reply::with(304, &[], ""),
        ("/etag", _) => Reply::with(200, &[XML, ("etag", "\"7\"")], rss("a.example", 0..3)),
        _ => Reply::with(200, &[XML], rss("b.example", 0..3)),
    });
    let web = web.await.unwrap();
    let place = Place::file();
    let store = place.open().await;
    let poller = poller(&store, open(&web, &[]), NewsSettings::default());
    for path in ["/etag", "/same"] {
        let id = add(&store, &web.url(path)).await;
        let first = poll(&store, &poller, id).await;
        assert_eq!((first.ended, first.new), (Ended::Read, 3));
        let second = poll(&store, &poller, id).await;
        assert_eq!((second.ended, second.new), (Ended::Unchanged, 0), "{path}");
        let kept = feed(&store, id).await;
        assert_eq!((kept.polls, kept.brought, kept.failures), (2, 3, 0));
    }
}

#[tokio::test]
async fn a_feed_is_where_it_says_thrice_that_it_has_moved() {
    let web = BadWeb::start(|asked| match asked.page() {
        "/old" => Reply::redirect(301, "/new"),
        "/now-and-then" if asked.nth == 1 => Reply::with(200, &[XML], rss("c.example", 0..2)),
        "/now-and-then" => Reply::redirect(301, "/else"),
        "/for-now" => Reply::redirect(302, "/new"),
        _ => Reply::with(200, &[XML], rss("a.example", 0..asked.nth + 1)),
    });
    let web = web.await.unwrap();
    let place = Place::file();
    let store = place.open().await;
    let poller = poller(&store, open(&web, &[]), NewsSettings::default());
    let [old, sometimes, for_now] = ["/old", "/now-and-then", "/for-now"].map(|path| web.url(path));
    let (old, sometimes) = (add(&store, &old).await, add(&store, &sometimes).await);
    let temporary = add(&store, &for_now).await;
    for turn in 1..=4 {
        for id in [old, sometimes, temporary] {
            poll(&store, &poller, id).await;
        }
        let url = feed(&store, old).await.url;
        assert_eq!(url == web.url("/new"), turn >= 3, "after {turn} polls it is at {url}");
    }
    assert_eq!(feed(&store, sometimes).await.url, web.url("/now-and-then"), "not thrice in a row");
    assert_eq!(feed(&store, temporary).await.url, for_now);
}

#[tokio::test]
async fn trouble_makes_a_feed_wait_and_gone_switches_it_off() {
    let web = BadWeb::start(|asked| match asked.page() {
        "/gone" => Reply::status(410),
        "/busy" => Reply::with(503, &[("retry-after", "7200")], ""),
        "/page" => Reply::html("<html><body>Hello</body></html>"),
        "/bomb" => Reply::with(200, &[XML], "<!DOCTYPE r [<!ENTITY a 'b'>]><rss>&a;</rss>"),
        "/half" => Reply::with(
            200,
            &[XML],
            rss("a.example", 0..3).split_off(0).replace("</channel></rss>", "<item <<"),
        ),
        _ => Reply::status(404),
    });
    let web = web.await.unwrap();
    let place = Place::file();
    let store = place.open().await;
    let poller = poller(&store, open(&web, &["busy.example"]), NewsSettings::default());
    let gone = add(&store, &web.url("/gone")).await;
    assert_eq!(poll(&store, &poller, gone).await.ended, Ended::Gone);
    assert_eq!(feed(&store, gone).await.state, FeedState::Gone);

    // On a host of its own: a host that asks to be left alone is, for all its pages.
    let busy = add(&store, &at(&web, "busy.example", "/busy")).await;
    let polled = poll(&store, &poller, busy).await;
    assert!(polled.next_seconds.unwrap() >= 7_200, "{polled:?}");

    for (path, says) in
        [("/page", "not a feed"), ("/bomb", "entities"), ("/missing", "no such page")]
    {
        let id = add(&store, &web.url(path)).await;
        let first = poll(&store, &poller, id).await;
        assert_eq!(first.ended, Ended::Failed);
        assert!(first.reason.unwrap().contains(says), "{path}");
        for _ in 0..6 {
            poll(&store, &poller, id).await;
        }
        let later = poll(&store, &poller, id).await.next_seconds;
        assert!(later > first.next_seconds, "it waits longer and longer");
        assert_eq!(store.feed_errors(id).await.unwrap().len(), 8);
    }
    // What came before a break is kept, and the rest is asked for again.
    let half = add(&store, &web.url("/half")).await;
    assert_eq!(poll(&store, &poller, half).await.new, 3);
    assert_eq!(poll(&store, &poller, half).await.ended, Ended::Read);
    assert_eq!(store.feed_errors(half).await.unwrap()[0].kind, "incomplete");
}

#[tokio::test]
async fn a_link_that_does_not_tell_is_followed_to_the_publisher() {
    let web = BadWeb::start(|asked| {
        let host = asked.header("host").unwrap_or_default().split(':').next().unwrap_or_default();
        match (host, asked.page()) {
            ("feeds.example", _) => {
                let port = asked.server.port();
                let item = |link: &str| {
                    format!("<item><title>{link}</title><link>http://{link}</link></item>")
                };
                let items = [
                    item(&format!("bit.ly:{port}/one")),
                    item(&format!("bit.ly:{port}/refused")),
                    item(&format!("bit.ly:{port}/dead")),
                ];
                Reply::with(
                    200,
                    &[XML],
                    format!("<rss><channel>{}</channel></rss>", items.concat()),
                )
            }
            ("bit.ly", "/one") => Reply::redirect(
                301,
                &format!("http://www.reuters.com:{}/story", asked.server.port()),
            ),
            ("bit.ly", "/refused") => {
                Reply::redirect(301, &format!("http://www.wsj.com:{}/x", asked.server.port()))
            }
            ("www.wsj.com", _) => Reply::status(403),
            ("bit.ly", _) => Reply::status(404),
            _ => Reply::html("<html><body><p>A story of some length.</p></body></html>"),
        }
    });
    let web = web.await.unwrap();
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        let hosts = ["feeds.example", "bit.ly", "www.reuters.com", "www.wsj.com"];
        let poller = poller(&store, open(&web, &hosts), NewsSettings::default());
        let id = add(&store, &at(&web, "feeds.example", "/feed")).await;
        let polled = poll(&store, &poller, id).await;
        assert_eq!((polled.new, polled.followed), (3, 2));
        let articles = store.articles(&ArticleQuery::default()).await.unwrap();
        let outlet = |path: &str| {
            let found = articles.iter().find(|a| a.title.ends_with(path)).unwrap();
            found.outlet.as_ref().map(|outlet| outlet.as_str().to_owned())
        };
        assert_eq!(outlet("/one").as_deref(), Some("reuters.com"));
        assert_eq!(outlet("/refused").as_deref(), Some("wsj.com"), "refused, but known");
        assert_eq!(outlet("/dead"), None);
        let open = ArticleQuery { unresolved: true, ..ArticleQuery::default() };
        assert_eq!(store.articles(&open).await.unwrap().len(), 1);
        assert_eq!(poller.follow_links(None).await.unwrap(), 0, "it is not tried again at once");
        // The full text is fetched when it is wanted.
        let story = articles.iter().find(|a| a.title.ends_with("/one")).unwrap();
        let text = poller.fetch_text(story).await.unwrap().unwrap();
        assert!(text.document.unwrap().text.contains("some length"));
    }
}

#[tokio::test]
async fn a_page_leads_to_its_feed() {
    let web = BadWeb::start(|asked| match asked.page() {
        "/" => Reply::html(
            "<html><head><link rel=alternate type='application/rss+xml' href='/a.xml' title=A></head></html>",
        ),
        "/a.xml" | "/feed.xml" => Reply::with(200, &[XML], rss("a.example", 0..2)),
        "/plain/" => Reply::html("<html><body>Nothing here</body></html>"),
        _ => Reply::status(404),
    });
    let web = web.await.unwrap();
    let fetcher = Fetcher::new(open(&web, &[])).unwrap();
    let look = async |path: &str| {
        let url = web.url(path).parse().unwrap();
        discover(&fetcher, &url, probity_core::Clock::System.now()).await
    };
    let Found::Page(offered) = look("/").await.unwrap() else { panic!() };
    assert_eq!(offered[0].url.as_str(), web.url("/a.xml"));
    let Found::Feed(found) = look("/a.xml").await.unwrap() else { panic!() };
    assert_eq!(found.feed.items.len(), 2);
    let Found::Feed(found) = look("/plain/").await.unwrap() else { panic!() };
    assert_eq!(found.url.as_str(), web.url("/feed.xml"));
    assert!(look("/missing").await.is_err());
}

#[derive(Deserialize)]
struct Vector {
    id: String,
    kind: String,
    input: String,
    method: String,
    publisher_url: Option<String>,
    outlet_domain: Option<String>,
}

/// Every published vector that an item of a feed can hold, as items of real feeds.
fn feeds_of_vectors() -> (Vec<Vector>, String, String) {
    let text =
        include_str!("../../../probity-credibility/tests/vectors/aggregator_vectors_public.json");
    let vectors: Vec<Vector> = serde_json::from_str(text).unwrap();
    let vectors: Vec<Vector> = vectors.into_iter().filter(|v| v.kind != "html").collect();
    let (mut rss, mut atom) = (String::new(), String::new());
    for vector in &vectors {
        let title = format!("<title>{}</title>", vector.id);
        match vector.kind.as_str() {
            "url" => {
                let link = vector.input.replace('&', "&amp;");
                rss.push_str(&format!(
                    "<item>{title}<guid isPermaLink='false'>{}</guid><link>{link}</link></item>",
                    vector.id
                ));
            }
            "rss_item" => {
                let (tag, rest) = vector.input.split_once('>').unwrap();
                let rest = rest
                    .replace("<title>x</title>", "")
                    .replace("<title>Rates held - Reuters</title>", "");
                rss.push_str(&format!("{tag}>{title}{rest}"));
            }
            _ => {
                let (tag, rest) = vector.input.split_once('>').unwrap();
                atom.push_str(&format!("{tag}>{title}<id>{}</id>{rest}", vector.id));
            }
        }
    }
    let rss = format!(
        "<rss version='2.0'><channel><title>Google News</title><link>https://news.google.com/</link>{rss}</channel></rss>"
    );
    let atom =
        format!("<feed xmlns='http://www.w3.org/2005/Atom'><title>Atom</title>{atom}</feed>");
    (vectors, rss, atom)
}

#[tokio::test]
async fn the_published_vectors_come_out_of_the_store_with_their_outlets() {
    let (vectors, rss, atom) = feeds_of_vectors();
    let web = BadWeb::start(move |asked| match asked.page() {
        "/rss" => Reply::with(200, &[XML], rss.clone()),
        _ => Reply::with(200, &[("content-type", "application/atom+xml")], atom.clone()),
    });
    let web = web.await.unwrap();
    for place in Place::on_each_engine().await {
        let store = place.open().await;
        let settings = NewsSettings { follow_links: 0, ..NewsSettings::default() };
        let poller = poller(&store, open(&web, &["news.google.com"]), settings);
        let id = add(&store, &at(&web, "news.google.com", "/rss")).await;
        poll(&store, &poller, id).await;
        let other = add(&store, &at(&web, "news.google.com", "/atom")).await;
        poll(&store, &poller, other).await;
        let articles = store.articles(&ArticleQuery::default()).await.unwrap();
        let ledger = store.scores().await.unwrap();
        let mut missing = 0;
        for vector in &vectors {
            let Some(article) = articles.iter().find(|a| a.title == vector.id) else {
                missing += 1;
                continue;
            };
            let outlet = article.outlet.as_ref().map(|outlet| outlet.as_str());
            let expected = vector.outlet_domain.as_deref().filter(|_| vector.method != "network");
            assert_eq!(outlet, expected, "{}", vector.id);
            assert_eq!(article.publisher_url, vector.publisher_url, "{}", vector.id);
            assert_eq!(article.method, vector.method, "{}", vector.id);
            assert_eq!(article.resolved, expected.is_some(), "{}", vector.id);
        }
        // Two vectors may lead to one page, which is kept once.
        assert!(missing <= 3, "{missing} vectors were not kept");
        let reuters = articles.iter().find(|a| a.title == "A072").unwrap();
        let worth = ledger.get(reuters.outlet.as_ref().unwrap()).unwrap();
        assert!((worth - 0.92).abs() < 1e-9);
        let row = feed(&store, id).await;
        assert!(row.aggregator);
        assert!((row.credibility_score - 0.5).abs() < 1e-9);
    }
}

#[tokio::test]
async fn what_the_feed_asks_and_says_of_itself_is_kept() {
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    let web = BadWeb::start(move |_| {
        counted.fetch_add(1, Ordering::SeqCst);
        let body = "<rss xmlns:sy='http://purl.org/rss/1.0/modules/syndication/' xmlns:dc='x'><channel>
            <title>T &amp;amp; <![CDATA[<b>U</b>]]></title><link>https://a.example/home</link><ttl>120</ttl>
            <item><title>&lt;i&gt;One&lt;/i&gt;</title><link>https://a.example/1</link><dc:creator>Jo Doe</dc:creator>
            <pubDate>Mon, 01 Jan 2091 00:00:00 GMT</pubDate><enclosure url='https://a.example/x.mp3' type='audio/mpeg'/></item>
            </channel></rss>";
        Reply::with(200, &[XML, ("cache-control", "public, max-age=10800")], body)
    });
    let web = web.await.unwrap();
    let place = Place::file();
    let store = place.open().await;
    let poller = poller(&store, open(&web, &[]), NewsSettings::default());
    let id = add(&store, &web.url("/")).await;
    let polled = poll(&store, &poller, id).await;
    assert!(polled.next_seconds.unwrap() >= 9_000, "the server asked for three hours");
    let kept = feed(&store, id).await;
    assert_eq!((kept.title.as_str(), kept.floor_ms), ("T & U", Some(7_200_000)));
    assert_eq!(kept.site_url.as_deref(), Some("https://a.example/home"));
    let article = store.articles(&ArticleQuery::default()).await.unwrap().remove(0);
    assert_eq!((article.title.as_str(), article.author.as_deref()), ("One", Some("Jo Doe")));
    assert_eq!(article.published_at, None, "a date in the future is none");
    assert_eq!(count.load(Ordering::SeqCst), 1, "enclosures are not asked for");
}
