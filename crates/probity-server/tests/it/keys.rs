//! Keys on the page and in the API: for admins, in the log of actions, never shown again.

use http::{Method, StatusCode};
use probity_store::access::Role;
use serde_json::json;

use crate::adjust::REFUSED;
use crate::place::{Call, Place, get};

const KEY: &str = "planted-key-0123456789";

fn put(name: &str, body: &serde_json::Value) -> Call {
    Call::new(Method::PUT, &format!("/api/settings/keys/{name}")).json(body)
}

#[tokio::test]
async fn a_key_is_set_by_admins_noted_and_never_shown_again() {
    let place = Place::locked().await;
    let (cookie, form_key) = place.log_in("ada", Role::Admin).await;
    let admin = |call: Call| call.with("cookie", &cookie).with("x-form-key", &form_key);
    let fields = [("form_key", form_key.as_str()), ("name", "search.brave"), ("key", KEY)];
    let form = Call::new(Method::POST, "/settings/keys").form(&fields).with("cookie", &cookie);
    let kept = place.call(form).await;
    assert!(kept.text.contains("search.brave answers"), "{}", kept.text);
    assert!(kept.text.contains("<td>The key of search brave</td>"), "{}", kept.text);
    assert!(kept.text.contains("by <bdi>ada</bdi>"), "{}", kept.text);
    let listed = place.call(admin(get("/api/settings/keys"))).await;
    assert_eq!(listed.json()[1]["origin"], "page", "{}", listed.text);
    let again = place.call(admin(get("/settings/keys"))).await;
    let settings = place.call(admin(get("/settings"))).await;
    assert!(settings.text.contains("href=\"/settings/keys\""), "{}", settings.text);
    let log = place.call(admin(get("/api/actions"))).await;
    for answer in [&kept, &listed, &again, &settings, &log] {
        assert!(!answer.text.contains(KEY), "{}", answer.text);
    }
    let gone = Call::new(Method::POST, "/settings/keys/search.brave/remove")
        .form(&[("form_key", form_key.as_str())])
        .with("cookie", &cookie);
    assert_eq!(place.call(gone).await.header("location"), "/settings/keys");
    let actions = place.store.actions(None, 5).await.unwrap();
    let actions: Vec<(&str, &str, &str)> = actions
        .iter()
        .map(|one| (one.who.as_str(), one.action.as_str(), one.subject.as_str()))
        .collect();
    assert_eq!(actions[0], ("ada", "key removed", "search.brave"));
    assert_eq!(actions[1], ("ada", "key set", "search.brave"));
}

#[tokio::test]
async fn a_key_that_its_provider_refuses_is_kept_only_on_demand() {
    let place = Place::open().await;
    let refused = place.call(put("search.brave", &json!({ "key": REFUSED }))).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", refused.text);
    assert_eq!(refused.json()["field"], "key");
    assert!(!refused.text.contains(REFUSED), "{}", refused.text);
    assert!(place.store.actions(None, 5).await.unwrap().is_empty(), "nothing was done");
    let body = json!({ "key": REFUSED, "untested": true });
    let kept = place.call(put("search.brave", &body)).await;
    assert_eq!(kept.status, StatusCode::OK, "{}", kept.text);
    let nobody = place.call(put("search.nobody", &json!({ "key": KEY }))).await;
    assert_eq!(nobody.status, StatusCode::NOT_FOUND, "{}", nobody.text);
    let gone = place.call(Call::new(Method::DELETE, "/api/settings/keys/model.anthropic")).await;
    assert_eq!(gone.status, StatusCode::NOT_FOUND, "{}", gone.text);
}
