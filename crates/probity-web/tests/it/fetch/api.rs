//! The client for configured APIs: bounded, and silent about keys.

use std::time::Duration;

use probity_core::{Secret, WebUrl};
use probity_testkit::bad_web::cases;
use probity_testkit::bad_web::{BadWeb, Reply, bombs};
use probity_web::fetch::{ApiClient, ApiError, ApiRequest, ApiSettings};
use serde_json::{Value, json};

use super::web;

const KEY: &str = "sk-very-secret";

fn client() -> ApiClient {
    let settings = ApiSettings { time: Duration::from_secs(20), ..ApiSettings::default() };
    ApiClient::new(settings).unwrap()
}

fn request(web: &BadWeb, path: &str) -> ApiRequest {
    ApiRequest::get(&WebUrl::parse(&web.url(path)).unwrap())
}

fn secretive(web: &BadWeb, path: &str) -> ApiRequest {
    let key = Secret::new(KEY);
    request(web, path).secret_header("x-api-key", &key).bearer(&key).secret_query("key", &key)
}

#[tokio::test]
async fn parameters_keys_and_bodies_arrive() {
    let web =
        web(|_| Reply::with(200, &[("content-type", "application/json")], r#"{"n": 1}"#)).await;
    let reply: Value =
        client().get_json(secretive(&web, "/s?a=1").query("q", "two words & more")).await.unwrap();
    assert_eq!(reply, json!({"n": 1}));
    let url = WebUrl::parse(&web.url("/post")).unwrap();
    client().send(ApiRequest::post_json(&url, &json!({"q": "x"})).unwrap()).await.unwrap();
    let [get, post] = &web.requests()[..] else { panic!("two requests") };
    assert_eq!(get.query(), format!("a=1&key={KEY}&q=two+words+%26+more"));
    assert_eq!(get.header("x-api-key"), Some(KEY));
    assert_eq!(get.header("authorization"), Some(&*format!("Bearer {KEY}")));
    assert_eq!(post.header("content-type"), Some("application/json"));
    assert_eq!(post.header("content-length"), Some("9"));
}

#[tokio::test]
async fn no_error_and_no_debug_output_shows_a_key() {
    let web = web(move |asked| match asked.page() {
        "/401" => Reply::with(401, &[], format!("the key {KEY} is unknown")),
        "/500" => Reply::status(500),
        "/reset" => Reply::default().reset(),
        "/elsewhere" => Reply::redirect(302, "http://elsewhere.example/"),
        "/odd" => Reply::text("not json"),
        _ => Reply::default().hold(),
    })
    .await;
    for path in ["/401", "/500", "/reset", "/elsewhere", "/hold"] {
        let request = secretive(&web, path).within(Duration::from_millis(300));
        assert!(!format!("{request:?}").contains(KEY));
        let error = client().send(request).await.unwrap_err();
        assert!(!format!("{error} {error:?}").contains(KEY), "{path}: {error:?}");
    }
    let error = client().get_json::<Value>(secretive(&web, "/odd")).await.unwrap_err();
    assert!(matches!(error, ApiError::Malformed { .. }));
    let broken = request(&web, "/x").secret_header("x-api-key", &Secret::new("sk\r\nx: y"));
    let error = client().send(broken).await.unwrap_err();
    assert!(matches!(&error, ApiError::Request { .. }) && !error.to_string().contains("sk"));
}

#[tokio::test]
async fn keys_do_not_follow_redirects_to_other_hosts_or_ports() {
    let other = web(|_| Reply::text("{}")).await;
    let to = other.url("/steal");
    let web = web(move |asked| match asked.page() {
        "/same" => Reply::redirect(301, "/there"),
        "/loop" => Reply::redirect(302, "/loop"),
        "/there" => Reply::text("{}"),
        _ => Reply::redirect(302, &to),
    })
    .await;
    assert!(client().send(secretive(&web, "/same")).await.is_ok());
    for path in ["/away", "/loop"] {
        let error = client().send(secretive(&web, path)).await.unwrap_err();
        assert!(matches!(error, ApiError::Redirected { .. }), "{error}");
    }
    assert!(other.requests().is_empty());
}

#[tokio::test]
async fn statuses_become_errors_that_say_what_to_do() {
    let web = web(|asked| match asked.page() {
        "/slow" => Reply::with(429, &[("retry-after", "7")], "{}"),
        "/busy" => Reply::with(503, &[("retry-after", "9")], "{}"),
        page => Reply::with(page[1..].parse().unwrap(), &[], "why\u{1b}[31m\nnot"),
    })
    .await;
    for (path, transient, wait) in [
        ("/slow", true, Some(7)),
        ("/busy", true, Some(9)),
        ("/502", true, None),
        ("/400", false, None),
        ("/401", false, None),
        ("/404", false, None),
    ] {
        let error = client().send(request(&web, path)).await.unwrap_err();
        assert_eq!(error.is_transient(), transient, "{path}");
        assert_eq!(error.retry_after().map(|wait| wait.as_secs()), wait, "{path}");
        assert!(!error.to_string().contains('\u{1b}'), "{path}");
    }
}

#[tokio::test]
async fn replies_are_bounded_in_time_and_size_and_may_be_packed() {
    let web = web(|asked| match asked.page() {
        "/packed" => {
            Reply::with(200, &[("content-encoding", "gzip")], bombs::pack(b"[1]").unwrap())
        }
        _ => cases::answer(asked),
    })
    .await;
    assert_eq!(client().get_json::<Value>(request(&web, "/packed")).await.unwrap(), json!([1]));
    for path in ["/bomb/gzip", "/bomb/br", "/endless/chunks", "/endless/claimed"] {
        let error = client().send(request(&web, path)).await.unwrap_err();
        assert!(matches!(error, ApiError::TooLarge { .. }), "{path}: {error}");
    }
    for path in ["/slow/head", "/slow/body", "/slow/drip"] {
        let hasty = request(&web, path).within(Duration::from_millis(200));
        let error = client().send(hasty).await.unwrap_err();
        assert!(matches!(error, ApiError::Timeout { .. }), "{path}: {error}");
    }
}
