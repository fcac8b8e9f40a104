//! Feeds: their bytes, only when they changed.

use probity_testkit::bad_web::Reply;
use probity_testkit::bad_web::cases;
use probity_web::fetch::{
    FetchOutcome, FetchSettings, Fetcher, RawOutcome, RawResponse, Validators,
};

use super::{fetcher, permit, settings, web};

const FEED: &str = "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel></channel></rss>";

async fn raw(fetcher: &Fetcher, url: &str, last: Option<&Validators>) -> RawResponse {
    fetcher.fetch_raw(&permit(url), last).await
}

#[tokio::test]
async fn an_unchanged_feed_is_not_sent_again() {
    let web = web(|asked| {
        let same = asked.header("if-none-match") == Some("W/\"7\"")
            && asked.header("if-modified-since") == Some("Sun, 01 Mar 2026 08:00:00 GMT");
        let headers = [
            ("content-type", "application/rss+xml"),
            ("etag", "W/\"7\""),
            ("last-modified", "Sun, 01 Mar 2026 08:00:00 GMT"),
        ];
        if same { Reply::with(304, &headers, "") } else { Reply::with(200, &headers, FEED) }
    })
    .await;
    let fetcher = fetcher(&[&web]);
    let first = raw(&fetcher, &web.url("/feed"), None).await;
    assert_eq!((first.outcome, first.status), (RawOutcome::Body, Some(200)));
    assert_eq!(first.body, FEED.as_bytes());
    assert_eq!(first.content_type.as_deref(), Some("application/rss+xml"));
    let second = raw(&fetcher, &web.url("/feed"), Some(&first.validators)).await;
    assert_eq!((second.outcome, second.status), (RawOutcome::NotModified, Some(304)));
    assert_eq!(second.validators, first.validators);
    assert!(second.body.is_empty());
}

#[tokio::test]
async fn a_feed_that_moved_for_good_says_where() {
    let web = web(|asked| match asked.page() {
        "/old" => Reply::redirect(301, "/newer"),
        "/newer" => Reply::redirect(308, "/feed"),
        "/for-now" => Reply::redirect(302, "/old"),
        _ => Reply::with(200, &[("content-type", "text/xml")], FEED),
    })
    .await;
    let fetcher = fetcher(&[&web]);
    let moved = raw(&fetcher, &web.url("/old"), None).await;
    assert_eq!(moved.moved_to.unwrap().as_str(), web.url("/feed"));
    let elsewhere = raw(&fetcher, &web.url("/for-now"), None).await;
    assert_eq!(elsewhere.moved_to, None);
    assert_eq!(elsewhere.final_url.as_str(), web.url("/feed"));
    assert_eq!(raw(&fetcher, &web.url("/feed"), None).await.moved_to, None);
}

#[tokio::test]
async fn a_feed_that_fails_says_how() {
    let web = web(cases::answer).await;
    let fetcher = fetcher(&[&web]);
    for (path, outcome) in [
        ("/status/410", FetchOutcome::Gone),
        ("/status/404", FetchOutcome::NotFound),
        ("/status/500", FetchOutcome::Failed),
        ("/bomb/br", FetchOutcome::TooLarge),
        ("/private/0", FetchOutcome::BlockedByAddress),
        ("/circle/a", FetchOutcome::Failed),
    ] {
        let response = raw(&fetcher, &web.url(path), None).await;
        assert_eq!(response.outcome, RawOutcome::Missing(outcome), "{path}: {}", response.reason);
        assert!(response.body.is_empty() && response.moved_to.is_none());
    }
}

#[tokio::test]
async fn how_long_to_stay_away_is_passed_on() {
    let web = web(|_| Reply::with(429, &[("retry-after", "900")], "")).await;
    let response = raw(&fetcher(&[&web]), &web.url("/feed"), None).await;
    assert_eq!(response.retry_after.unwrap().as_secs(), 900);
}

#[tokio::test]
async fn a_subscription_does_not_ask_robots_txt() {
    let web = web(|asked| match asked.page() {
        "/robots.txt" => Reply::text("User-agent: *\nDisallow: /\n"),
        _ => Reply::with(200, &[], FEED),
    })
    .await;
    let fetcher = Fetcher::new(FetchSettings { robots: true, ..settings(&[&web]) }).unwrap();
    assert_eq!(raw(&fetcher, &web.url("/feed"), None).await.outcome, RawOutcome::Body);
}

#[tokio::test]
async fn validators_that_cannot_be_sent_are_left_out() {
    let web = web(|_| Reply::with(200, &[], FEED)).await;
    let odd = Validators { etag: Some("\"a\"\r\nx: y".to_owned()), last_modified: None };
    let response = raw(&fetcher(&[&web]), &web.url("/feed"), Some(&odd)).await;
    assert_eq!(response.outcome, RawOutcome::Body);
    assert_eq!(web.requests()[0].header("x"), None);
    assert_eq!(web.requests()[0].header("if-none-match"), None);
}

#[tokio::test]
async fn how_long_an_answer_holds_is_reported() {
    let web = web(|asked| {
        let value = match asked.page() {
            "/public" => "public, Max-Age=600, must-revalidate",
            "/none" => "no-store",
            _ => "max-age=soon",
        };
        Reply::with(200, &[("content-type", "text/xml"), ("cache-control", value)], FEED)
    })
    .await;
    let fetcher = fetcher(&[&web]);
    for (path, seconds) in [("/public", Some(600)), ("/none", None), ("/odd", None)] {
        let answer = raw(&fetcher, &web.url(path), None).await;
        assert_eq!(answer.max_age.map(|age| age.as_secs()), seconds, "{path}");
    }
}

#[tokio::test]
async fn a_link_is_followed_by_the_rules_for_pages() {
    let web = web(|asked| match asked.page() {
        "/robots.txt" => Reply::text("User-agent: *\nDisallow: /closed\n"),
        "/short" => Reply::redirect(302, "/shell"),
        "/shell" => Reply::html("<meta http-equiv=refresh content='0; url=/story'>"),
        "/to-closed" => Reply::redirect(302, "/closed"),
        _ => Reply::html("<p>A story.</p>"),
    })
    .await;
    let fetcher = Fetcher::new(FetchSettings { robots: true, ..settings(&[&web]) }).unwrap();
    let story = fetcher.follow(&permit(&web.url("/short"))).await;
    assert_eq!(story.outcome, RawOutcome::Body);
    assert_eq!(story.final_url.as_str(), web.url("/story"));
    let closed = fetcher.follow(&permit(&web.url("/to-closed"))).await;
    assert_eq!(closed.outcome, RawOutcome::Missing(FetchOutcome::Robots));
    assert_eq!(web.count("/closed"), 0);
}
