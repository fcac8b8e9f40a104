//! Nothing is sent to an address that is neither public nor allowed.

use std::sync::Arc;

use probity_testkit::bad_web::cases::{self, PRIVATE};
use probity_testkit::bad_web::{BadWeb, Reply};
use probity_web::fetch::{FetchOutcome, FetchSettings, Fetcher, Page};

use super::{Names, fetcher, get, settings, web};

fn local_names() -> Names {
    let loopback: &[&[&str]] = &[&["127.0.0.1:0", "[::1]:0"]];
    Names::default().with("localhost", loopback).with("sub.localhost", loopback)
}

fn fetcher_with(open: &[&BadWeb], names: &Names, allowed: &[String]) -> Fetcher {
    let mut settings = settings(open);
    settings.resolver = Arc::new(names.clone());
    settings.allow_hosts.extend(allowed.iter().map(|text| text.parse().unwrap()));
    Fetcher::new(settings).unwrap()
}

fn assert_blocked(page: &Page, what: &str) {
    assert_eq!(page.outcome, FetchOutcome::BlockedByAddress, "{what}: {}", page.reason);
}

#[tokio::test]
async fn no_redirect_leads_to_a_private_address_however_it_is_spelt() {
    let web = web(cases::answer).await;
    let fetcher = fetcher_with(&[&web], &local_names(), &[]);
    for (nth, target) in PRIVATE.iter().enumerate() {
        let path = format!("/private/{nth}");
        let page = get(&fetcher, &web.url(&path)).await;
        assert_blocked(&page, target);
        assert_eq!(page.document, None);
    }
    assert_eq!(web.requests().len(), PRIVATE.len(), "a redirect was followed to this server");
}

#[tokio::test]
async fn no_private_address_is_fetched_even_when_the_user_names_it() {
    let fetcher = fetcher_with(&[], &local_names(), &[]);
    // A spelling that is no address at all gets no further than being read; as the target of a
    // redirect it is tried above.
    let spelled = |target: &&&str| probity_core::WebUrl::parse(target).is_ok();
    assert!(PRIVATE.iter().filter(spelled).count() > 30);
    for target in PRIVATE.iter().filter(spelled) {
        assert_blocked(&get(&fetcher, target).await, target);
    }
}

#[tokio::test]
async fn an_allowed_host_opens_no_other_port() {
    let open = web(|asked| match asked.query() {
        "" => Reply::html(cases::GOOD),
        to => Reply::redirect(302, &format!("http://{to}/secret")),
    })
    .await;
    let closed = web(|_| Reply::html("<p>internal</p>")).await;
    let fetcher = fetcher(&[&open]);
    assert!(get(&fetcher, &open.url("/page")).await.outcome.is_read());
    assert_blocked(&get(&fetcher, &closed.url("/secret")).await, "directly");
    let by_redirect = get(&fetcher, &open.url(&format!("/?{}", closed.address()))).await;
    assert_blocked(&by_redirect, "by redirect");
    assert_eq!(by_redirect.final_url.as_str(), closed.url("/secret"));
    assert!(closed.requests().is_empty());
}

#[tokio::test]
async fn a_name_that_resolves_to_a_private_address_is_refused_before_anything_is_sent() {
    let web = web(cases::answer).await;
    let port = web.address().port();
    let names = Names::default()
        .with("inside.example", &[&["127.0.0.1:0"]])
        .with("mapped.example", &[&["[::ffff:127.0.0.1]:0"]])
        .with("metadata.example", &[&["169.254.169.254:0"]])
        .with("ported.example", &[&[&format!("127.0.0.1:{port}")]])
        .with("many.example", &[&["10.0.0.1:0", "192.168.0.1:0", "[fd00::1]:0"]]);
    let fetcher = fetcher_with(&[], &names, &[]);
    for url in [
        format!("http://inside.example:{port}/good"),
        format!("http://mapped.example:{port}/good"),
        format!("http://inside.example.:{port}/good"),
        "http://metadata.example/".to_owned(),
        "http://ported.example/good".to_owned(),
        "https://many.example/".to_owned(),
    ] {
        assert_blocked(&get(&fetcher, &url).await, &url);
    }
    assert!(web.requests().is_empty());
}

#[tokio::test]
async fn a_redirect_to_a_name_with_a_private_address_is_refused() {
    let web = web(|_| Reply::redirect(302, "http://inside.example/")).await;
    let names = Names::default().with("inside.example", &[&["127.0.0.1:0"]]);
    let page = get(&fetcher_with(&[&web], &names, &[]), &web.url("/")).await;
    assert_blocked(&page, "redirect");
    assert_eq!(page.final_url.as_str(), "http://inside.example/");
}

#[tokio::test]
async fn an_allowed_name_is_open_at_its_port_and_at_no_other() {
    let open = web(cases::answer).await;
    let closed = web(cases::answer).await;
    let (port, other) = (open.address().port(), closed.address().port());
    let names = Names::default()
        .with("intranet.example", &[&["127.0.0.1:0"]])
        .with("other.example", &[&["127.0.0.1:0"]]);
    let fetcher = fetcher_with(&[], &names, &[format!("intranet.example:{port}")]);
    let page = get(&fetcher, &format!("http://intranet.example:{port}/good")).await;
    assert!(page.outcome.is_read(), "{}", page.reason);
    // The same name at another port, another name at the same port, the address itself.
    for url in [
        format!("http://intranet.example:{other}/good"),
        format!("http://other.example:{port}/good"),
        format!("http://127.0.0.1:{port}/good"),
    ] {
        assert_blocked(&get(&fetcher, &url).await, &url);
    }
    assert!(closed.requests().is_empty());
    assert_eq!(open.requests().len(), 1);
}

#[tokio::test]
async fn the_address_that_was_checked_is_the_one_that_is_connected_to() {
    let web = web(|_| Reply::html(cases::GOOD).close()).await;
    let port = web.address().port();
    // The second answer would go nowhere: a look-up between check and connection would find it.
    let names =
        Names::default().with("once.example", &[&["127.0.0.1:0"], &["[::1]:0"], &["[::1]:0"]]);
    let fetcher = fetcher_with(&[], &names, &[format!("once.example:{port}")]);
    let page = get(&fetcher, &format!("http://once.example:{port}/good")).await;
    assert!(page.outcome.is_read(), "{}", page.reason);
    assert_eq!(names.looked_up("once.example"), 1);
}

#[tokio::test]
async fn a_name_that_turns_private_is_refused_at_the_next_connection() {
    let web = web(|asked| match asked.page() {
        "/first" => Reply::redirect(302, "http://turning.example/second").close(),
        _ => Reply::html(cases::GOOD),
    })
    .await;
    let first = web.address().to_string();
    let names = Names::default().with("turning.example", &[&[&first], &["127.0.0.1:0"]]);
    let port = web.address().port();
    // Open at its own port only; the redirect leads to port 80, where it has turned private.
    let fetcher = fetcher_with(&[], &names, &[format!("turning.example:{port}")]);
    let page = get(&fetcher, &format!("http://turning.example:{port}/first")).await;
    assert_blocked(&page, "turned");
    assert_eq!(names.looked_up("turning.example"), 2);
}

#[tokio::test]
async fn robots_files_are_fetched_through_the_same_guard() {
    let web = web(cases::answer).await;
    let fetcher = Fetcher::new(FetchSettings { robots: true, ..FetchSettings::default() }).unwrap();
    assert_blocked(&get(&fetcher, &web.url("/good")).await, "robots");
    assert!(web.requests().is_empty());
}

#[tokio::test]
async fn unknown_names_and_closed_ports_are_plain_failures() {
    let gone = web(cases::answer).await;
    let url = gone.url("/");
    let fetcher = fetcher_with(&[&gone], &Names::default(), &[]);
    drop(gone);
    let unknown = get(&fetcher, "http://nobody.example/").await;
    assert_eq!(unknown.outcome, FetchOutcome::Failed);
    assert!(unknown.reason.contains("nobody.example"), "{}", unknown.reason);
    assert_eq!(get(&fetcher, &url).await.outcome, FetchOutcome::Failed);
    let mail = get(&fetcher, "http://nobody.example:25/").await;
    assert_blocked(&mail, "port 25");
}
