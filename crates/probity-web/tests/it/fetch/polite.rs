//! Busy servers are left alone, and only what is transient is tried again.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use probity_testkit::bad_web::Reply;
use probity_testkit::bad_web::cases::{self, GOOD};
use probity_web::fetch::{FetchOutcome, FetchSettings, Fetcher};

use super::{fetcher, get, settings, web};

#[tokio::test]
async fn a_host_that_asks_for_patience_beyond_the_deadline_is_left_alone() {
    for status in [429, 503] {
        let web = web(move |_| Reply::with(status, &[("retry-after", "3600")], "later")).await;
        let fetcher = fetcher(&[&web]);
        let page = get(&fetcher, &web.url("/one")).await;
        assert_eq!(page.outcome, FetchOutcome::Failed);
        assert_eq!(page.status, Some(status));
        assert!(page.reason.contains("3600"), "{}", page.reason);
        let next = get(&fetcher, &web.url("/two")).await;
        assert_eq!(next.outcome, FetchOutcome::Failed);
        assert_eq!(web.requests().len(), 1, "the host was asked again");
    }
}

#[tokio::test]
async fn patience_within_the_deadline_is_had() {
    let web = web(|asked| match asked.nth {
        0 => Reply::with(429, &[("retry-after", "1")], "later"),
        _ => Reply::html(GOOD),
    })
    .await;
    let fetcher = fetcher(&[&web]);
    assert!(get(&fetcher, &web.url("/page")).await.outcome.is_read());
    assert_eq!(web.count("/page"), 2);
}

#[tokio::test]
async fn only_what_is_transient_is_tried_again_and_not_for_ever() {
    let web = web(cases::answer).await;
    let fetcher = fetcher(&[&web]);
    for (path, tries) in [
        ("/status/503", 3),
        ("/broken/reset", 3),
        ("/broken/cut", 3),
        ("/flap/502", 3),
        ("/broken/reset-once", 2),
        ("/status/500", 1),
        ("/status/404", 1),
        ("/status/403", 1),
        ("/broken/status-line", 1),
        ("/packed/lie", 1),
        ("/bomb/gzip", 1),
        ("/wall/cloudflare-403", 1),
    ] {
        get(&fetcher, &web.url(path)).await;
        assert_eq!(web.count(path), tries, "{path}");
    }
}

#[tokio::test]
async fn a_challenge_with_a_busy_status_is_a_wall_and_not_tried_again() {
    use probity_testkit::bad_web::walls;
    let html = [("content-type", "text/html")];
    let web = web(move |_| Reply::with(503, &html, walls::page("cloudflare").unwrap())).await;
    let page = get(&fetcher(&[&web]), &web.url("/page")).await;
    assert_eq!(page.outcome, FetchOutcome::BotWall);
    assert_eq!(web.count("/page"), 1);
}

#[tokio::test]
async fn one_host_gets_few_requests_at_a_time() {
    let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let seen = Arc::clone(&most);
    let web = web(move |_| {
        let running = now.fetch_add(1, Ordering::SeqCst) + 1;
        seen.fetch_max(running, Ordering::SeqCst);
        let now = Arc::clone(&now);
        // A request counts until its answer begins, so that the count never runs behind.
        Reply::default()
            .after(Duration::from_millis(5))
            .then(move || {
                now.fetch_sub(1, Ordering::SeqCst);
            })
            .followed_by(Reply::html(GOOD))
    })
    .await;
    let fetcher = Fetcher::new(FetchSettings { per_host: 2, ..settings(&[&web]) }).unwrap();
    let urls: Vec<String> = (0..20).map(|nth| web.url(&format!("/{nth}"))).collect();
    let pages = futures::future::join_all(urls.iter().map(|url| get(&fetcher, url))).await;
    assert!(pages.iter().all(|page| page.outcome.is_read()));
    let most = most.load(Ordering::SeqCst);
    assert!((1..=2).contains(&most), "{most} at once");
}

#[tokio::test]
async fn a_queue_longer_than_the_deadline_is_reported_at_once() {
    let web = web(|_| Reply::html(GOOD)).await;
    let slow = FetchSettings { delay: Duration::from_secs(3600), ..settings(&[&web]) };
    let fetcher = Fetcher::new(slow).unwrap();
    assert!(get(&fetcher, &web.url("/one")).await.outcome.is_read());
    let second = get(&fetcher, &web.url("/two")).await;
    assert_eq!(second.outcome, FetchOutcome::Timeout);
    assert_eq!(web.count("/two"), 0);
}
