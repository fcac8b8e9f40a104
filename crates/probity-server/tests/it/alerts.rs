//! Ways to reach people on the page and in the API: kept by admins, noted, their secrets never shown.

use http::{Method, StatusCode};
use probity_store::access::Role;
use serde_json::json;

use crate::place::{Call, Place, get, post};

const SECRET: &str = "planted-secret-0123456789";

#[tokio::test]
async fn an_admin_adds_tries_pauses_and_removes_a_way_and_nobody_sees_its_secret() {
    let place = Place::locked().await;
    let (cookie, key) = place.log_in("ada", Role::Admin).await;
    let act = |path: &str, fields: &[(&str, &str)]| {
        let mut all = vec![("form_key", key.as_str())];
        all.extend_from_slice(fields);
        Call::new(Method::POST, path).form(&all).with("cookie", &cookie)
    };
    let wrong = place.call(act("/settings/alerts", &[("kind", "ntfy"), ("secret", SECRET)])).await;
    assert!(wrong.text.contains("an address is needed"), "{}", wrong.text);
    let fields = [("kind", "webhook"), ("url", "https://hooks.example/x"), ("secret", SECRET)];
    let added = place.call(act("/settings/alerts", &fields)).await;
    assert_eq!(added.header("location"), "/settings/alerts", "{}", added.text);
    let tried = place.call(act("/settings/alerts/way-0/test", &[])).await;
    assert!(tried.text.contains("was not taken: nobody answers"), "{}", tried.text);
    place.call(act("/settings/alerts/way-0/pause", &[])).await;
    let page = place.call(get("/settings/alerts").with("cookie", &cookie)).await;
    assert!(page.text.contains("<span class=\"badge\">paused</span>"), "{}", page.text);
    assert!(page.text.contains("with a secret"), "{}", page.text);
    let listed = place.call(get("/api/alerts").with("cookie", &cookie)).await;
    assert_eq!(listed.json()[0]["paused"], true, "{}", listed.text);
    for answer in [&wrong, &tried, &page, &listed] {
        assert!(!answer.text.contains(SECRET), "{}", answer.text);
    }
    place.call(act("/settings/alerts/way-0/resume", &[])).await;
    place.call(act("/settings/alerts/way-0/remove", &[])).await;
    let gone = place.call(act("/settings/alerts/way-0/remove", &[])).await;
    assert!(gone.text.contains("there is no such way"), "{}", gone.text);
    let actions = place.store.actions(None, 10).await.unwrap();
    let actions: Vec<&str> = actions.iter().rev().map(|one| one.action.as_str()).collect();
    let expected =
        ["alerts by webhook set up", "alerts paused", "alerts resumed", "alerts removed"];
    assert_eq!(actions, expected);
}

#[tokio::test]
async fn the_api_says_which_field_is_wrong_and_what_is_not_there() {
    let place = Place::open().await;
    let wrong = place.call(post("/api/alerts", &json!({ "kind": "ntfy" }))).await;
    assert_eq!(wrong.json()["field"], "url", "{}", wrong.text);
    let odd = place.call(post("/api/alerts", &json!({ "kind": "pigeon" }))).await;
    assert_eq!(odd.json()["field"], "kind", "{}", odd.text);
    let made = json!({ "kind": "webhook", "url": "https://hooks.example/x" });
    let made = place.call(post("/api/alerts", &made)).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.text);
    for call in [
        Call::new(Method::PATCH, "/api/alerts/none").json(&json!({ "paused": true })),
        Call::new(Method::DELETE, "/api/alerts/none"),
        post("/api/alerts/none/test", &json!({})),
    ] {
        assert_eq!(place.call(call).await.status, StatusCode::NOT_FOUND);
    }
}
