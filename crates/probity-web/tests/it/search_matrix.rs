//! Every provider against every way of refusing: each waits when it is told to, says what is wrong, and shows no key.

use std::sync::atomic::{AtomicUsize, Ordering};

use jiff::civil::date;
use probity_testkit::fake_api::{Answer, Request};
use probity_web::search::{Filters, ProviderName, Query, Site};

use crate::search_fixtures::fixture;
use crate::search_requests::{KEY, query, search};

/// Something that every provider looks for: the archive knows addresses alone.
fn asked() -> Query {
    query("noise at example.org/fees")
}

/// A good answer of a provider, as its documentation writes it.
fn good(provider: ProviderName, request: &Request) -> Answer {
    let name = provider.as_str();
    match provider {
        ProviderName::Duckduckgo => Answer::ok("text/html", fixture(name, "ok.html")),
        ProviderName::Arxiv => Answer::ok("application/atom+xml", fixture(name, "ok.xml")),
        ProviderName::Pubmed if request.path.contains("esearch") => {
            Answer::json(fixture(name, "numbers.json"))
        }
        ProviderName::Pubmed => Answer::ok("text/xml", fixture(name, "ok.xml")),
        _ => Answer::json(fixture(name, "ok.json")),
    }
}

#[tokio::test]
async fn every_provider_is_asked_again_after_the_wait_that_it_wants() {
    for provider in ProviderName::ALL {
        for status in [429, 503] {
            let asks = AtomicUsize::new(0);
            let (found, requests) = search(provider, &asked(), move |request| {
                match asks.fetch_add(1, Ordering::SeqCst) {
                    0 => Answer::status(status).with_header("retry-after", "0"),
                    _ => good(provider, request),
                }
            })
            .await;
            assert!(!found.hits.is_empty(), "{provider} {status}: {:?}", found.problems);
            assert!(requests.len() >= 2, "{provider} {status}");
        }
    }
}

#[tokio::test]
async fn no_provider_is_waited_for_longer_than_a_search_may_take() {
    for provider in ProviderName::ALL {
        let busy = |_: &Request| Answer::status(429).with_header("retry-after", "3600");
        let (found, requests) = search(provider, &asked(), busy).await;
        assert_eq!((found.hits.len(), requests.len()), (0, 1), "{provider}");
        let reported = &found.problems[0].detail;
        assert!(reported.starts_with("asks us to wait 3600 s"), "{provider}: {reported}");
    }
}

#[tokio::test]
async fn every_provider_that_fails_says_how_and_shows_no_key() {
    for provider in ProviderName::ALL {
        for status in [400, 401, 403, 404, 500] {
            let echo = move |_: &Request| {
                Answer::status(status).with_body(format!("{{\"message\": \"not with {KEY}\"}}"))
            };
            let (found, requests) = search(provider, &asked(), echo).await;
            let reported = found.problems[0].to_string();
            assert_eq!(
                (found.hits.len(), found.answered),
                (0, 0),
                "{provider} {status}: {reported}"
            );
            assert!(reported.starts_with(provider.as_str()), "{status}: {reported}");
            assert!(reported.contains(&status.to_string()), "{provider} {status}: {reported}");
            // Whoever has no key is sent none.
            let is_secret = provider.spec().key.is_some();
            assert!(!(is_secret && reported.contains(KEY)), "{provider} {status}: {reported}");
            let tries = if status == 500 { 3 } else { 1 };
            assert_eq!(requests.len(), tries, "{provider} {status}");
        }
    }
}

#[tokio::test]
async fn an_answer_of_another_kind_is_reported_and_not_read() {
    for provider in ProviderName::ALL {
        let other = |_: &Request| Answer::json("[1, 2");
        let (found, _) = search(provider, &asked(), other).await;
        assert_eq!((found.hits.len(), found.problems.len()), (0, 1), "{provider}: {found:?}");
    }
}

#[tokio::test]
async fn filters_hold_for_every_provider_whatever_it_answers() {
    for provider in ProviderName::ALL {
        let filtered = async |filters: Filters| {
            let asked = asked().with_filters(filters);
            search(provider, &asked, move |request| good(provider, request)).await.0
        };
        let all = filtered(Filters::default()).await;
        let host = all.hits[0].url.dns_host().to_owned();
        let site = Site::new(&host).unwrap();
        let without =
            filtered(Filters { exclude_sites: vec![site.clone()], ..Filters::default() }).await;
        assert!(
            without.hits.iter().all(|hit| hit.url.dns_host() != host),
            "{provider}: {without:?}"
        );
        let only = filtered(Filters { sites: vec![site], ..Filters::default() }).await;
        assert!(!only.hits.is_empty(), "{provider}");
        assert!(only.hits.iter().all(|hit| hit.url.dns_host().ends_with(&host)), "{provider}");
        let day = date(1960, 1, 1);
        let old = filtered(Filters { until: Some(day), ..Filters::default() }).await;
        let is_old = |published: Option<jiff::civil::Date>| published.is_none_or(|at| at <= day);
        assert!(old.hits.iter().all(|hit| is_old(hit.published)), "{provider}: {old:?}");
        let told = |found: &probity_web::search::Found| {
            found.problems.iter().any(|one| one.to_string().starts_with("filters: "))
        };
        assert_eq!(told(&without), without.hits.len() < all.hits.len(), "{provider}");
    }
}

#[tokio::test]
async fn no_provider_is_asked_for_a_page_twice_or_without_end() {
    for provider in ProviderName::ALL {
        let many = asked().with_limit(100);
        let (found, requests) =
            search(provider, &many, move |request| good(provider, request)).await;
        let sent = |one: &Request| format!("{} {:?} {:?}", one.path, one.query, one.body);
        let mut all: Vec<String> = requests.iter().map(sent).collect();
        let count = all.len();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), count, "{provider} was asked for a page twice: {all:?}");
        // Each page says the same here, and one that brings nothing new is the last.
        assert!(count <= 4, "{provider}: {count} requests");
        let mut urls: Vec<&str> = found.hits.iter().map(|hit| hit.url.as_str()).collect();
        let shown = urls.len();
        urls.sort_unstable();
        urls.dedup();
        assert_eq!(urls.len(), shown, "{provider}");
    }
}
