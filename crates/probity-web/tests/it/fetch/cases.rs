//! The whole site of trouble, page by page.

use std::time::Duration;

use probity_testkit::bad_web::cases::{self, CASES};
use probity_web::fetch::{FetchSettings, Fetcher, Page};

use super::{fetcher, get, settings, web};

#[tokio::test]
async fn every_page_gets_its_honest_outcome_and_the_next_one_is_served() {
    let web = web(cases::answer).await;
    let patient = fetcher(&[&web]);
    let hasty = FetchSettings { time: Duration::from_millis(300), ..settings(&[&web]) };
    let hasty = Fetcher::new(hasty).unwrap();
    let mut wrong = Vec::new();
    for case in CASES {
        let fetcher = if case.outcome == "timeout" { &hasty } else { &patient };
        let page = get(fetcher, &web.url(case.path)).await;
        if page.outcome.as_str() != case.outcome {
            wrong.push(format!(
                "{}: {} instead of {} ({})",
                case.path, page.outcome, case.outcome, page.reason
            ));
        }
        assert_eq!(page.document.is_some(), page.outcome.is_read(), "{}", case.path);
        assert!(!page.reason.is_empty(), "{}", case.path);
        let next = get(&patient, &web.url("/good")).await;
        assert!(next.outcome.is_read(), "after {}: {}", case.path, next.reason);
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[tokio::test]
async fn all_of_them_at_once_end_as_they_do_alone() {
    let web = web(cases::answer).await;
    let patient = fetcher(&[&web]);
    let hasty = FetchSettings { time: Duration::from_millis(300), ..settings(&[&web]) };
    let hasty = Fetcher::new(hasty).unwrap();
    let fetches = CASES.iter().map(|case| {
        let url = web.url(case.path);
        let fetcher = if case.outcome == "timeout" { &hasty } else { &patient };
        async move { (case, get(fetcher, &url).await) }
    });
    for (case, page) in futures::future::join_all(fetches).await {
        assert_eq!(page.outcome.as_str(), case.outcome, "{}: {}", case.path, page.reason);
    }
}

#[tokio::test]
async fn a_page_that_was_read_carries_its_text_and_the_way_to_it() {
    let web = web(cases::answer).await;
    let page = get(&fetcher(&[&web]), &web.url("/chain/2")).await;
    assert_eq!(page.status, Some(200));
    assert_eq!(page.final_url.as_str(), web.url("/chain/0"));
    let passed: Vec<String> = page.redirects.iter().map(ToString::to_string).collect();
    assert_eq!(passed, [web.url("/chain/2"), web.url("/chain/1")]);
    assert_eq!(page.bytes, cases::GOOD.len() as u64);
    assert!(page.content_type.as_deref().unwrap().starts_with("text/html"));
    let document = page.document.as_ref().unwrap();
    assert!(document.text.contains("highest since the gauge was set"), "{}", document.text);
}

#[tokio::test]
async fn a_page_survives_the_journal() {
    let web = web(cases::answer).await;
    let fetcher = fetcher(&[&web]);
    for path in ["/good", "/status/404", "/to/good", "/to/file"] {
        let page = get(&fetcher, &web.url(path)).await;
        let text = serde_json::to_string(&page).unwrap();
        assert_eq!(serde_json::from_str::<Page>(&text).unwrap(), page, "{text}");
    }
}

#[tokio::test]
async fn a_page_reads_the_same_in_every_charset() {
    let web = web(cases::answer).await;
    let fetcher = fetcher(&[&web]);
    for name in ["header", "meta", "mark", "lie", "unknown"] {
        let page = get(&fetcher, &web.url(&format!("/charset/{name}"))).await;
        let text = page.document.unwrap().text;
        assert!(text.contains(cases::ACCENTED), "{name}: {text}");
    }
}

#[tokio::test]
async fn compressed_pages_read_like_plain_ones() {
    let web = web(cases::answer).await;
    let fetcher = fetcher(&[&web]);
    let plain = get(&fetcher, &web.url("/good")).await.document.unwrap();
    for name in ["gzip", "deflate", "raw-deflate", "br", "twice", "members", "padded"] {
        let page = get(&fetcher, &web.url(&format!("/packed/{name}"))).await;
        assert_eq!(page.document.as_ref(), Some(&plain), "{name}");
        assert_eq!(page.bytes, cases::GOOD.len() as u64, "{name}");
    }
}

#[tokio::test]
async fn no_cookie_and_no_password_is_ever_sent() {
    use probity_testkit::bad_web::Reply;
    let web = web(|asked| match asked.page() {
        "/in" => Reply::with(302, &[("location", "/page"), ("set-cookie", "a=b; Path=/")], ""),
        _ => Reply::html(cases::GOOD),
    })
    .await;
    let fetcher = fetcher(&[&web]);
    let address = web.address();
    assert!(get(&fetcher, &format!("http://me:secret@{address}/in")).await.outcome.is_read());
    assert!(get(&fetcher, &web.url("/page")).await.outcome.is_read());
    for asked in web.requests() {
        assert_eq!(asked.header("cookie"), None);
        assert_eq!(asked.header("authorization"), None);
        assert_eq!(asked.header("referer"), None);
        assert!(asked.header("user-agent").unwrap().starts_with("probity/"));
    }
    assert_eq!(web.requests().len(), 3);
}

#[tokio::test]
async fn settings_that_make_no_sense_are_refused() {
    for settings in [
        FetchSettings { concurrency: 0, ..FetchSettings::default() },
        FetchSettings { per_host: 0, ..FetchSettings::default() },
        FetchSettings { time: Duration::ZERO, ..FetchSettings::default() },
        FetchSettings { body_bytes: u64::MAX, ..FetchSettings::default() },
        FetchSettings { user_agent: "two\nlines".to_owned(), ..FetchSettings::default() },
    ] {
        assert!(Fetcher::new(settings).is_err());
    }
}

#[tokio::test]
async fn a_broken_handshake_is_a_plain_failure() {
    let web = web(cases::answer).await;
    let page = get(&fetcher(&[&web]), &format!("https://{}/good", web.address())).await;
    assert_eq!(page.outcome.as_str(), "failed", "{}", page.reason);
    assert!(web.requests().is_empty());
}
