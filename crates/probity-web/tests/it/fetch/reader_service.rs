//! A reader service reads pages that are shells, where the user set one, and leads nowhere else.

use std::sync::Arc;

use probity_testkit::bad_web::cases::{GOOD, PRIVATE};
use probity_testkit::bad_web::{BadWeb, Reply};
use probity_web::fetch::{FetchOutcome, FetchSettings, Fetcher, Page, Renderer};

use super::{Names, get, settings, web};

fn asking(service: &str, settings: FetchSettings) -> Fetcher {
    let render = Some(Renderer::Service(service.parse().unwrap()));
    Fetcher::new(FetchSettings { render, ..settings }).unwrap()
}

/// A page that shows nothing without its scripts.
async fn shell() -> BadWeb {
    web(|asked| match asked.page() {
        "/good" => Reply::html(GOOD),
        "/gone" => Reply::status(404),
        _ => Reply::html(
            "<!doctype html><html><head><title>The ferry</title></head><body><div id=root></div>\
             <noscript>You need to enable JavaScript to run this app.</noscript><script src=/a.js></script></body></html>",
        ),
    })
    .await
}

fn assert_still_a_shell(page: &Page, what: &str) {
    assert_eq!(page.outcome, FetchOutcome::Shell, "{what}: {}", page.reason);
    assert_eq!(page.document, None, "{what}");
}

#[tokio::test]
async fn a_shell_is_read_by_the_service_and_keeps_its_own_address() {
    let site = shell().await;
    let html = web(|_| Reply::html(GOOD)).await;
    let text = "The ferry leaves at seven. ".repeat(20);
    let markdown = web(move |_| {
        let page = format!("# The ferry\n\n{text}\n\n[more](/boats)");
        Reply::with(200, &[("content-type", "text/markdown; charset=utf-8")], page)
    })
    .await;
    for (service, asked) in [
        (html.url("/"), "/{page}"),
        (html.url("/read?of={url}&wait=1"), "/read?of={encoded}&wait=1"),
        (markdown.url("/"), "/{page}"),
    ] {
        let fetcher = asking(&service, settings(&[&site, &html, &markdown]));
        let url = site.url("/ferry?id=7");
        let page = get(&fetcher, &url).await;
        assert!(page.outcome.is_read(), "{service}: {}", page.reason);
        assert_eq!((page.url.as_str(), page.final_url.as_str()), (url.as_str(), url.as_str()));
        assert!(page.reason.contains("the reader service at 127.0.0.1"), "{}", page.reason);
        let encoded =
            url.replace(':', "%3A").replace('/', "%2F").replace('?', "%3F").replace('=', "%3D");
        let asked = asked.replace("{page}", &url).replace("{encoded}", &encoded);
        let requests = [html.requests(), markdown.requests()].concat();
        let request = requests.iter().find(|request| request.path == asked);
        assert_eq!(request.unwrap().header("x-return-format"), Some("html"), "{asked}");
    }
}

#[tokio::test]
async fn the_service_is_not_sent_pages_that_can_be_read_or_are_not_there() {
    let (site, service) = (shell().await, web(|_| Reply::html(GOOD)).await);
    let fetcher = asking(&service.url("/"), settings(&[&site, &service]));
    assert!(get(&fetcher, &site.url("/good")).await.outcome.is_read());
    assert_eq!(get(&fetcher, &site.url("/gone")).await.outcome, FetchOutcome::NotFound);
    assert!(service.requests().is_empty());
}

#[tokio::test]
async fn a_service_that_fails_leaves_the_page_a_shell_and_says_so() {
    let site = shell().await;
    for answer in [
        || Reply::status(429),
        || Reply::status(500),
        || Reply::html("<html><body></body></html>"),
        || Reply::with(200, &[("content-type", "image/png")], "\u{89}PNG\0\0\0\0"),
    ] {
        let service = web(move |_| answer()).await;
        let fetcher = asking(&service.url("/"), settings(&[&site, &service]));
        let page = get(&fetcher, &site.url("/ferry")).await;
        assert_still_a_shell(&page, "a service that fails");
        assert!(page.reason.contains("127.0.0.1 did not read it either"), "{}", page.reason);
    }
}

#[tokio::test]
async fn a_service_leads_to_no_other_site_and_no_private_address() {
    let (site, closed) = (shell().await, web(|_| Reply::html(GOOD)).await);
    let elsewhere = [closed.url("/secret"), "http://other.example.net/page".to_owned()];
    for target in PRIVATE.iter().map(|target| (*target).to_owned()).chain(elsewhere) {
        let to = target.clone();
        let service = web(move |_| Reply::redirect(302, &to)).await;
        let fetcher = asking(&service.url("/"), settings(&[&site, &service]));
        assert_still_a_shell(&get(&fetcher, &site.url("/ferry")).await, &target);
        assert_eq!(service.requests().len(), 1, "{target}: a redirect led back to this server");
    }
    assert!(closed.requests().is_empty());
}

#[tokio::test]
async fn a_page_of_a_host_that_was_opened_is_sent_to_no_service_outside() {
    let (site, service) = (shell().await, web(|_| Reply::html(GOOD)).await);
    let fetcher = asking(&service.url("/"), settings(&[&site]));
    let page = get(&fetcher, &site.url("/ferry")).await;
    assert_still_a_shell(&page, "an intranet");
    assert!(page.reason.contains("is not sent pages on hosts that you opened"), "{}", page.reason);
    assert!(service.requests().is_empty());
}

#[tokio::test]
async fn a_service_and_an_archive_whose_names_turn_private_are_refused() {
    let (site, inside) = (shell().await, web(|_| Reply::html(GOOD)).await);
    let (site_port, port) = (site.address().port(), inside.address().port());
    // The names lie outside when they are first asked, and inside when they are asked again.
    let (page, other) = (site.address().to_string(), inside.address().to_string());
    let names = Names::default()
        .with("site.example.org", &[&[&page]])
        .with("turning.example.org", &[&[&other], &["127.0.0.1:0"]]);
    let settings = FetchSettings {
        resolver: Arc::new(names.clone()),
        archive: Some(format!("http://turning.example.org:{port}/").parse().unwrap()),
        ..settings(&[])
    };
    let opened = [format!("site.example.org:{site_port}"), "turning.example.org:1".to_owned()];
    let allow_hosts = opened.iter().map(|host| host.parse().unwrap()).collect();
    let service = format!("http://turning.example.org:{port}/");
    let fetcher = asking(&service, FetchSettings { allow_hosts, ..settings });
    for _ in 0..2 {
        let url = format!("http://site.example.org:{site_port}/ferry");
        assert_still_a_shell(&get(&fetcher, &url).await, "a reader inside");
        let dead = get(&fetcher, &url.replace("/ferry", "/gone")).await;
        assert_eq!(dead.outcome, FetchOutcome::NotFound, "{}", dead.reason);
    }
    assert!(names.looked_up("turning.example.org") >= 2);
    assert!(inside.requests().is_empty());
}
