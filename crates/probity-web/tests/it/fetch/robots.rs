//! robots.txt is asked once, obeyed, and never gets in the way for long.

use std::time::Duration;

use probity_testkit::bad_web::cases::GOOD;
use probity_testkit::bad_web::{BadWeb, Reply};
use probity_web::fetch::{FetchOutcome, FetchSettings, Fetcher};

use super::{get, settings, web};

/// A site with a robots.txt and good pages.
async fn site(robots: impl Fn() -> Reply + Send + Sync + 'static) -> BadWeb {
    web(move |asked| match asked.page() {
        "/robots.txt" => robots(),
        _ => Reply::html(GOOD),
    })
    .await
}

fn obedient(open: &[&BadWeb]) -> Fetcher {
    Fetcher::new(FetchSettings { robots: true, ..settings(open) }).unwrap()
}

#[tokio::test]
async fn what_robots_txt_closes_is_never_asked_for() {
    let web = site(|| {
        Reply::text("User-agent: *\nDisallow: /\nUser-agent: Probity\nDisallow: /closed\n")
    })
    .await;
    let fetcher = obedient(&[&web]);
    assert!(get(&fetcher, &web.url("/open")).await.outcome.is_read());
    let closed = get(&fetcher, &web.url("/closed/page?x=1")).await;
    assert_eq!(closed.outcome, FetchOutcome::Robots);
    assert_eq!(closed.status, None);
    assert_eq!(web.count("/closed/page?x=1"), 0);
    assert_eq!(web.count("/robots.txt"), 1);
}

#[tokio::test]
async fn many_pages_at_once_ask_for_it_once() {
    let web = site(|| Reply::text("")).await;
    let fetcher = obedient(&[&web]);
    let urls: Vec<String> = (0..20).map(|nth| web.url(&format!("/page{nth}"))).collect();
    let pages = futures::future::join_all(urls.iter().map(|url| get(&fetcher, url))).await;
    assert!(pages.iter().all(|page| page.outcome.is_read()));
    assert_eq!(web.count("/robots.txt"), 1);
}

#[tokio::test]
async fn a_missing_or_senseless_robots_txt_closes_nothing() {
    for reply in [
        Reply::status(404),
        Reply::status(403),
        Reply::status(401),
        Reply::html("<!doctype html><title>Welcome</title>"),
        Reply::text(vec![0xff, 0xfe, 0x00, 0x7f]),
        Reply::redirect(302, "/robots.txt"),
        Reply::redirect(302, "http://10.0.0.1/robots.txt"),
        Reply::redirect(302, "file:///etc/passwd"),
        Reply::with(200, &[("content-encoding", "gzip")], "not packed"),
    ] {
        let web = site(move || reply.clone()).await;
        let page = get(&obedient(&[&web]), &web.url("/page")).await;
        assert!(page.outcome.is_read(), "{}", page.reason);
    }
}

#[tokio::test]
async fn one_that_the_server_fails_to_give_closes_the_site_for_now() {
    for (status, tries) in [(500, 1), (503, 3), (429, 3)] {
        let web = site(move || Reply::status(status)).await;
        let fetcher = obedient(&[&web]);
        for _ in 0..2 {
            let page = get(&fetcher, &web.url("/page")).await;
            assert_eq!(page.outcome, FetchOutcome::Robots, "{}", page.reason);
        }
        assert_eq!(web.count("/page"), 0);
        assert_eq!(web.count("/robots.txt"), tries, "status {status}");
    }
}

#[tokio::test]
async fn a_server_that_was_only_busy_is_asked_again() {
    let web = web(|asked| match (asked.page(), asked.nth) {
        ("/robots.txt", 0) => Reply::with(503, &[("retry-after", "0")], ""),
        ("/robots.txt", 1) => Reply::default().reset(),
        ("/robots.txt", _) => Reply::text("User-agent: *\nDisallow: /closed\n"),
        _ => Reply::html(GOOD),
    })
    .await;
    let fetcher = obedient(&[&web]);
    assert!(get(&fetcher, &web.url("/page")).await.outcome.is_read());
    assert_eq!(get(&fetcher, &web.url("/closed")).await.outcome, FetchOutcome::Robots);
    assert_eq!(web.count("/robots.txt"), 3);
}

#[tokio::test]
async fn a_site_that_breaks_off_fails_for_that_reason() {
    let web = site(|| Reply::default().reset()).await;
    let page = get(&obedient(&[&web]), &web.url("/page")).await;
    assert_eq!(page.outcome, FetchOutcome::Failed);
    assert_eq!(web.count("/page"), 0);
}

#[tokio::test]
async fn a_robots_txt_that_never_comes_costs_no_more_than_the_page_may() {
    let web = site(|| Reply::default().hold()).await;
    let hasty = FetchSettings { time: Duration::from_millis(200), ..settings(&[&web]) };
    let hasty = Fetcher::new(FetchSettings { robots: true, ..hasty }).unwrap();
    assert_eq!(get(&hasty, &web.url("/page")).await.outcome, FetchOutcome::Timeout);
    assert_eq!(web.count("/page"), 0);
}

#[tokio::test]
async fn only_the_beginning_of_a_huge_one_counts() {
    let huge = format!(
        "User-agent: *\nDisallow: /early\n{}\nDisallow: /late\n",
        "# padding\n".repeat(60_000)
    );
    let web = site(move || Reply::text(huge.clone())).await;
    let fetcher = obedient(&[&web]);
    assert_eq!(get(&fetcher, &web.url("/early")).await.outcome, FetchOutcome::Robots);
    assert!(get(&fetcher, &web.url("/late")).await.outcome.is_read());
}

#[tokio::test]
async fn an_endless_one_is_cut_and_obeyed() {
    let web = site(|| {
        Reply::head(200, &[("content-type", "text/plain")])
            .send("User-agent: *\nDisallow: /early\n")
            .forever("# and so on\n".repeat(100), Duration::ZERO)
    })
    .await;
    let fetcher = obedient(&[&web]);
    assert_eq!(get(&fetcher, &web.url("/early")).await.outcome, FetchOutcome::Robots);
    assert!(get(&fetcher, &web.url("/open")).await.outcome.is_read());
}

#[tokio::test]
async fn redirects_obey_the_robots_txt_of_where_they_lead() {
    let closed = site(|| Reply::text("User-agent: *\nDisallow: /closed\n")).await;
    let to = closed.url("/closed/page");
    let open = web(move |asked| match asked.page() {
        "/robots.txt" => Reply::status(404),
        _ => Reply::redirect(302, &to),
    })
    .await;
    let page = get(&obedient(&[&open, &closed]), &open.url("/page")).await;
    assert_eq!(page.outcome, FetchOutcome::Robots);
    assert_eq!(closed.count("/closed/page"), 0);
}

#[tokio::test]
async fn a_moved_robots_txt_is_followed() {
    let moved = site(|| Reply::text("User-agent: *\nDisallow: /closed\n")).await;
    let to = moved.url("/robots.txt");
    let web = site(move || Reply::redirect(301, &to)).await;
    let page = get(&obedient(&[&web, &moved]), &web.url("/closed")).await;
    assert_eq!(page.outcome, FetchOutcome::Robots);
}

#[tokio::test]
async fn switched_off_it_is_not_even_asked_for() {
    let web = site(|| Reply::text("User-agent: *\nDisallow: /\n")).await;
    let fetcher = Fetcher::new(settings(&[&web])).unwrap();
    assert!(get(&fetcher, &web.url("/page")).await.outcome.is_read());
    assert_eq!(web.count("/robots.txt"), 0);
}
