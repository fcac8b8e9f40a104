//! Dead links are read from an archive where the user set one, and nothing else leads there or away from it.

use probity_core::WebUrl;
use probity_testkit::bad_web::cases::{GOOD, PRIVATE};
use probity_testkit::bad_web::{BadWeb, Reply};
use probity_web::fetch::{FetchOutcome, FetchSettings, Fetcher};

use super::{get, settings, web};

fn with_archive(archive: &BadWeb, open: &[&BadWeb]) -> Fetcher {
    let archive = Some(WebUrl::parse(&archive.url("/")).unwrap());
    Fetcher::new(FetchSettings { archive, ..settings(open) }).unwrap()
}

/// An archive that has one capture of everything, as the Wayback Machine answers.
async fn wayback() -> BadWeb {
    web(|asked| {
        let rest = asked.path.strip_prefix("/web/").unwrap_or_default();
        match rest.split_once("id_/") {
            Some(("20130919044612", _)) => Reply::html(GOOD),
            Some((_, page)) => Reply::redirect(302, &format!("/web/20130919044612id_/{page}")),
            None => Reply::status(404),
        }
    })
    .await
}

#[tokio::test]
async fn a_dead_link_is_read_from_the_nearest_capture_and_its_day_is_reported() {
    let (archive, dead) = (
        wayback().await,
        web(|asked| match asked.page() {
            "/gone" => Reply::status(410),
            "/wall" => Reply::status(403),
            _ => Reply::status(404),
        })
        .await,
    );
    let fetcher = with_archive(&archive, &[&archive, &dead]);
    for path in ["/ferry?id=7", "/gone"] {
        let page = get(&fetcher, &dead.url(path)).await;
        assert!(page.outcome.is_read(), "{}", page.reason);
        assert_eq!(page.archived.map(|day| day.to_string()).as_deref(), Some("2013-09-19"));
        assert_eq!(
            (page.url.as_str(), page.final_url.as_str()),
            (dead.url(path).as_str(), dead.url(path).as_str())
        );
        assert!(page.reason.contains("a capture of 2013-09-19"), "{}", page.reason);
    }
    let asked = &archive.requests()[0].path;
    assert!(asked.ends_with(&format!("id_/{}", dead.url("/ferry?id=7"))), "{asked}");
    let before = archive.requests().len();
    let refused = get(&fetcher, &dead.url("/wall")).await;
    assert_eq!(
        (refused.outcome, refused.archived),
        (FetchOutcome::Failed, None),
        "refused is not dead"
    );
    assert_eq!(archive.requests().len(), before);
}

#[tokio::test]
async fn nobody_asks_an_archive_unless_it_is_set_or_for_a_page_that_is_there() {
    let archive = wayback().await;
    let web = web(|asked| match asked.page() {
        "/good" => Reply::html(GOOD),
        _ => Reply::status(404),
    })
    .await;
    let without = Fetcher::new(settings(&[&archive, &web])).unwrap();
    assert_eq!(get(&without, &web.url("/dead")).await.outcome, FetchOutcome::NotFound);
    let page = get(&with_archive(&archive, &[&archive, &web]), &web.url("/good")).await;
    assert!(page.outcome.is_read() && page.archived.is_none());
    assert!(archive.requests().is_empty());
}

#[tokio::test]
async fn an_archive_without_a_capture_leaves_the_page_dead_and_says_so() {
    let dead = web(|_| Reply::status(404)).await;
    for reply in [
        || Reply::status(404),
        || Reply::html(GOOD),
        || Reply::status(500),
        || Reply::html("<html><body></body></html>"),
    ] {
        let archive = web(move |_| reply()).await;
        let page = get(&with_archive(&archive, &[&archive, &dead]), &dead.url("/ferry")).await;
        assert_eq!(
            page.outcome,
            FetchOutcome::NotFound,
            "an answer without a capture's number is none"
        );
        assert!(page.reason.contains("has no capture of it"), "{}", page.reason);
        assert_eq!(page.document, None);
    }
}

#[tokio::test]
async fn an_archive_leads_to_no_other_site_and_no_private_address() {
    let closed = web(|_| Reply::html(GOOD)).await;
    let dead = web(|_| Reply::status(404)).await;
    let elsewhere = [
        closed.url("/web/20130919044612id_/x"),
        "http://other.example.net/web/20130919044612id_/x".to_owned(),
    ];
    for target in PRIVATE.iter().map(|target| (*target).to_owned()).chain(elsewhere) {
        let to = target.clone();
        let archive = web(move |_| Reply::redirect(302, &to)).await;
        let page = get(&with_archive(&archive, &[&archive, &dead]), &dead.url("/ferry")).await;
        assert_eq!((page.outcome, page.archived), (FetchOutcome::NotFound, None), "{target}");
        assert_eq!(archive.requests().len(), 1, "{target}: a redirect led back to this server");
    }
    assert!(closed.requests().is_empty());
    // The archive itself has to be at a public address, or be allowed.
    let archive = wayback().await;
    let page = get(&with_archive(&archive, &[&dead]), &dead.url("/ferry")).await;
    assert_eq!(page.outcome, FetchOutcome::NotFound);
    assert!(archive.requests().is_empty());
}

#[tokio::test]
async fn robots_txt_of_an_archive_counts() {
    let archive = web(|asked| match asked.page() {
        "/robots.txt" => Reply::text("User-agent: *\nDisallow: /web/\n"),
        _ => Reply::html(GOOD),
    })
    .await;
    let dead = web(|_| Reply::status(404)).await;
    let url = Some(WebUrl::parse(&archive.url("/")).unwrap());
    let settings = FetchSettings { archive: url, robots: true, ..settings(&[&archive, &dead]) };
    let page = get(&Fetcher::new(settings).unwrap(), &dead.url("/ferry")).await;
    assert_eq!(page.outcome, FetchOutcome::NotFound);
    assert_eq!(archive.requests().iter().filter(|one| one.page() != "/robots.txt").count(), 0);
}
