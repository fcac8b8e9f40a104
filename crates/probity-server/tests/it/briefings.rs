//! Briefings that were kept: read again on another day, and followed in a feed reader.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use http::{Method, StatusCode};
use probity_store::access::Role;
use serde_json::json;

use crate::backend::NOW;
use crate::newsroom::FERRY;
use crate::place::{Call, Place, form_key, get, post};

#[tokio::test]
async fn a_briefing_is_kept_and_read_again() {
    let place = Place::open().await;
    let nothing = place.call(post("/api/briefings", &json!({}))).await;
    assert_eq!(nothing.status, StatusCode::NOT_FOUND, "{}", nothing.text);
    place.ingest("Local", &FERRY).await;
    place.call(Call::new(Method::POST, "/api/topics/consolidate")).await;
    let now = place.call(get("/brief")).await.text;
    assert!(now.contains("there is none yet") && now.contains("application/atom+xml"), "{now}");
    let fields = [("form_key", form_key(&now))];
    let fields = fields.iter().map(|(name, value)| (*name, value.as_str())).collect::<Vec<_>>();
    let kept = place.call(Call::new(Method::POST, "/brief").form(&fields)).await;
    assert_eq!(kept.header("location"), "/brief/1", "{}", kept.text);
    let page = place.call(get("/brief/1")).await.text;
    assert!(page.contains("News briefing of") && page.contains("45 people"), "{page}");
    let listed = place.call(get("/api/briefings")).await.json();
    assert_eq!(listed["items"][0]["id"], 1, "{listed}");
    let report = place.call(get("/api/briefings/1")).await.json();
    assert_eq!(report["title"], listed["items"][0]["title"]);
    assert!(place.call(get("/brief")).await.text.contains("href=\"/brief/1\""));
    assert_eq!(place.call(get("/brief/7")).await.status, StatusCode::NOT_FOUND);
    assert_eq!(place.call(get("/api/briefings/x")).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn briefings_are_a_feed_that_our_own_newsroom_can_read() {
    let place = Place::locked().await;
    let mut ferry = FERRY;
    // What a headline says never becomes markup.
    ferry[0].1 = "Ferry <b>sinks</b> & \"30\" missing off Lorne Islands";
    place.ingest("Local", &ferry).await;
    let (cookie, key) = place.log_in("ada", Role::Admin).await;
    for path in ["/api/topics/consolidate", "/api/briefings"] {
        let call = post(path, &json!({})).with("cookie", &cookie).with("x-form-key", &key);
        let done = place.call(call).await;
        assert!(done.status.is_success(), "{path}: {}", done.text);
    }
    let token = place.token("reader", "read").await;
    // Feed readers know names and passwords only.
    let pair = BASE64.encode(format!("anybody:{token}"));
    let call = get("/brief/feed.xml").with("authorization", &format!("Basic {pair}"));
    let answer = place.call(call).await;
    assert_eq!(answer.header("content-type"), "application/atom+xml; charset=utf-8");
    let feed = probity_news::feed::read(answer.text.as_bytes(), None, NOW).unwrap();
    assert_eq!((feed.problem.as_deref(), feed.items.len()), (None, 1), "{}", answer.text);
    let links = &feed.items[0].addresses.alternates;
    assert_eq!(links[0], "http://127.0.0.1:8642/brief/1", "{}", answer.text);
    assert!(!answer.text.contains("<b>"), "{}", answer.text);
    let wrong = BASE64.encode("anybody:probity_wrong");
    let call = get("/brief/feed.xml").with("authorization", &format!("Basic {wrong}"));
    assert_ne!(place.call(call).await.status, StatusCode::OK);
}
