//! What has not changed is not sent again; what is private is not kept.

use std::path::Path;

use probity_core::{Clock, Timestamp};
use probity_testkit::bad_web::cases::GOOD;
use probity_testkit::bad_web::{BadWeb, Reply};
use probity_web::fetch::{CacheSettings, FetchSettings, Fetcher};

use super::{get, settings, web};

/// A fetcher with a cache, some hours after a fixed instant.
fn cached(web: &BadWeb, dir: &Path, hours: i64) -> Fetcher {
    let start = Timestamp::at_start_of("2026-03-01".parse().unwrap());
    Fetcher::new(FetchSettings {
        cache: Some(CacheSettings { allowed_hosts: true, ..CacheSettings::at(dir) }),
        clock: Clock::Fixed(Timestamp(start.0 + hours * 3_600_000)),
        ..settings(&[web])
    })
    .unwrap()
}

async fn tagged() -> BadWeb {
    web(|asked| match asked.header("if-none-match") {
        Some("\"one\"") => Reply::with(304, &[("etag", "\"one\"")], ""),
        _ => {
            let headers = [
                ("content-type", "text/html"),
                ("etag", "\"one\""),
                ("cache-control", "max-age=60"),
            ];
            Reply::with(200, &headers, GOOD)
        }
    })
    .await
}

#[tokio::test]
async fn a_fresh_response_is_used_without_asking() {
    let (web, dir) = (tagged().await, tempfile::tempdir().unwrap());
    let first = get(&cached(&web, dir.path(), 0), &web.url("/page")).await;
    let again = get(&cached(&web, dir.path(), 0), &web.url("/page")).await;
    assert!(!first.cached && again.cached);
    assert_eq!(first.document, again.document);
    assert_eq!((again.status, again.bytes), (Some(200), first.bytes));
    assert_eq!(web.requests().len(), 1);
}

#[tokio::test]
async fn a_stale_response_is_confirmed_and_used() {
    let (web, dir) = (tagged().await, tempfile::tempdir().unwrap());
    let first = get(&cached(&web, dir.path(), 0), &web.url("/page")).await;
    let again = get(&cached(&web, dir.path(), 5), &web.url("/page")).await;
    assert!(again.cached && again.outcome.is_read(), "{}", again.reason);
    assert_eq!(first.document, again.document);
    let sent = web.requests().pop().unwrap();
    assert_eq!(sent.header("if-none-match"), Some("\"one\""));
    assert_eq!(web.requests().len(), 2);
}

#[tokio::test]
async fn a_changed_page_replaces_the_kept_one() {
    let dir = tempfile::tempdir().unwrap();
    let web = web(|asked| {
        let tag = format!("\"{}\"", asked.nth);
        Reply::with(
            200,
            &[("content-type", "text/html"), ("etag", &tag)],
            GOOD.replace("harbour", &format!("harbour {}", asked.nth)),
        )
    })
    .await;
    for nth in 0..3 {
        let page = get(&cached(&web, dir.path(), nth), &web.url("/page")).await;
        assert!(!page.cached);
        assert!(page.document.unwrap().text.contains(&format!("harbour {nth}")));
    }
}

#[tokio::test]
async fn a_server_that_confirms_what_we_do_not_have_is_asked_again() {
    let dir = tempfile::tempdir().unwrap();
    let web = web(|asked| match asked.header("if-none-match") {
        Some(_) => Reply::with(304, &[("etag", "\"another\"")], ""),
        None => Reply::with(200, &[("content-type", "text/html"), ("etag", "\"one\"")], GOOD),
    })
    .await;
    assert!(get(&cached(&web, dir.path(), 0), &web.url("/page")).await.outcome.is_read());
    let again = get(&cached(&web, dir.path(), 5), &web.url("/page")).await;
    assert!(again.outcome.is_read() && !again.cached);
    assert_eq!(web.requests().len(), 3);
}

#[tokio::test]
async fn what_is_private_or_personal_is_not_kept() {
    let fresh = ("cache-control", "max-age=3600");
    for extra in [
        ("cache-control", "no-store"),
        ("cache-control", "private, max-age=3600"),
        ("set-cookie", "id=7"),
        ("vary", "*"),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let web = web(move |_| {
            let mut headers = vec![("content-type", "text/html"), extra];
            if extra.0 != "cache-control" {
                headers.push(fresh);
            }
            Reply::with(200, &headers, GOOD)
        })
        .await;
        let fetcher = cached(&web, dir.path(), 0);
        get(&fetcher, &web.url("/page")).await;
        assert!(!get(&fetcher, &web.url("/page")).await.cached, "{extra:?}");
        assert_eq!(web.requests().len(), 2, "{extra:?}");
    }
}

#[tokio::test]
async fn pages_of_allowed_hosts_are_kept_only_if_that_is_allowed_too() {
    let (web, dir) = (tagged().await, tempfile::tempdir().unwrap());
    let settings =
        FetchSettings { cache: Some(CacheSettings::at(dir.path())), ..settings(&[&web]) };
    let fetcher = Fetcher::new(settings).unwrap();
    get(&fetcher, &web.url("/page")).await;
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
}

#[tokio::test]
async fn a_damaged_cache_only_costs_a_request() {
    let (web, dir) = (tagged().await, tempfile::tempdir().unwrap());
    get(&cached(&web, dir.path(), 0), &web.url("/page")).await;
    for file in std::fs::read_dir(dir.path()).unwrap() {
        std::fs::write(file.unwrap().path(), b"probity page cache 1\nrubbish\n").unwrap();
    }
    let page = get(&cached(&web, dir.path(), 0), &web.url("/page")).await;
    assert!(page.outcome.is_read() && !page.cached);
}

#[tokio::test]
async fn errors_and_walls_are_asked_for_anew() {
    let dir = tempfile::tempdir().unwrap();
    let web = web(|_| Reply::with(404, &[("cache-control", "max-age=3600")], "no")).await;
    let fetcher = cached(&web, dir.path(), 0);
    get(&fetcher, &web.url("/page")).await;
    get(&fetcher, &web.url("/page")).await;
    assert_eq!(web.requests().len(), 2);
}
