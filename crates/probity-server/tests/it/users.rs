//! Users, passwords, sessions and tokens on the page and in the API.

use http::{Method, StatusCode};
use probity_store::access::Role;
use serde_json::json;

use crate::place::{Call, PASSWORD, Place, get, post};

const LONG: &str = "a password that is long";

fn patch(path: &str, body: &serde_json::Value) -> Call {
    Call::new(Method::PATCH, path).json(body)
}

#[tokio::test]
async fn an_admin_keeps_users_and_every_change_is_in_the_log() {
    let place = Place::locked().await;
    let (cookie, key) = place.log_in("ada", Role::Admin).await;
    let admin = |call: Call| call.with("cookie", &cookie).with("x-form-key", &key);
    let new = json!({ "name": "bob", "password": LONG, "role": "reader" });
    let added = place.call(admin(post("/api/users", &new))).await;
    assert_eq!(added.status, StatusCode::CREATED, "{}", added.text);
    assert!(!added.text.contains("password"), "{}", added.text);
    let twice = place.call(admin(post("/api/users", &new))).await;
    assert_eq!(twice.status, StatusCode::CONFLICT);
    let short = json!({ "name": "eve", "password": "short", "role": "reader" });
    let short = place.call(admin(post("/api/users", &short))).await;
    assert_eq!(short.json()["field"], "password", "{}", short.text);
    let changed = place.call(admin(patch("/api/users/bob", &json!({ "role": "editor" })))).await;
    assert_eq!(changed.json()["role"], "editor", "{}", changed.text);

    let fields = [("form_key", key.as_str()), ("disabled", "yes")];
    let off = Call::new(Method::POST, "/settings/users/bob").form(&fields).with("cookie", &cookie);
    assert_eq!(place.call(off).await.header("location"), "/settings#h-users");
    let login = [("name", "bob"), ("password", LONG)];
    let refused = place.call(Call::new(Method::POST, "/login").form(&login)).await;
    assert!(refused.text.contains("is not right"), "{}", refused.text);
    let page = place.call(admin(get("/settings"))).await.text;
    assert!(page.contains("<span class=\"badge\">off</span>"), "{page}");
    let gone = place.call(admin(Call::new(Method::DELETE, "/api/users/bob"))).await;
    assert_eq!(gone.status, StatusCode::NO_CONTENT);
    let actions: Vec<String> =
        place.store.actions(None, 20).await.unwrap().into_iter().map(|one| one.action).collect();
    for action in
        ["user added as reader", "role changed to editor", "user switched off", "user removed"]
    {
        assert!(actions.iter().any(|known| known == action), "{action}: {actions:?}");
    }
}

#[tokio::test]
async fn the_last_admin_stays_one() {
    let place = Place::locked().await;
    let (cookie, key) = place.log_in("ada", Role::Admin).await;
    let admin = |call: Call| call.with("cookie", &cookie).with("x-form-key", &key);
    for call in [
        patch("/api/users/ada", &json!({ "role": "editor" })),
        patch("/api/users/ada", &json!({ "disabled": true })),
        Call::new(Method::DELETE, "/api/users/ada"),
    ] {
        let refused = place.call(admin(call)).await;
        assert_eq!(refused.status, StatusCode::CONFLICT, "{}", refused.text);
    }
    place.log_in("eve", Role::Admin).await;
    let now = place.call(admin(patch("/api/users/eve", &json!({ "role": "reader" })))).await;
    assert_eq!(now.status, StatusCode::OK, "{}", now.text);
}

#[tokio::test]
async fn everybody_changes_their_own_password_and_is_asked_for_the_old_one() {
    let place = Place::locked().await;
    let (cookie, key) = place.log_in("rita", Role::Reader).await;
    let change = |old: &str, new: &str, again: &str| {
        let fields = [("form_key", key.as_str()), ("old", old), ("new", new), ("again", again)];
        Call::new(Method::POST, "/settings/password").form(&fields).with("cookie", &cookie)
    };
    let wrong = place.call(change("not it at all", LONG, LONG)).await;
    assert!(wrong.text.contains("this is not your password"), "{}", wrong.text);
    let apart = place.call(change(PASSWORD, LONG, "something else")).await;
    assert!(apart.text.contains("are not the same"), "{}", apart.text);
    let done = place.call(change(PASSWORD, LONG, LONG)).await;
    assert_eq!(done.header("location"), "/login", "{}", done.text);
    let ended = place.call(get("/runs").with("cookie", &cookie)).await;
    assert_eq!(ended.status, StatusCode::SEE_OTHER, "all sessions ended");
    let login = [("name", "rita"), ("password", LONG), ("to", "/runs")];
    let back = place.call(Call::new(Method::POST, "/login").form(&login)).await;
    assert_eq!(back.status, StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn sessions_are_seen_and_ended_by_their_user() {
    let place = Place::locked().await;
    let (here, key) = place.log_in("rita", Role::Reader).await;
    let login = [("name", "rita"), ("password", PASSWORD), ("to", "/runs")];
    let other = place.call(Call::new(Method::POST, "/login").form(&login)).await;
    let other = other.header("set-cookie").split(';').next().unwrap().to_owned();
    let listed = place.call(get("/api/me/sessions").with("cookie", &here)).await.json();
    let listed = listed.as_array().unwrap().clone();
    assert_eq!(listed.len(), 2, "{listed:?}");
    let theirs = listed.iter().find(|one| one["current"] == false).unwrap();
    let path = format!("/settings/sessions/{}/end", theirs["id"].as_str().unwrap());
    let fields = [("form_key", key.as_str())];
    let ended = Call::new(Method::POST, &path).form(&fields).with("cookie", &here);
    assert_eq!(place.call(ended).await.status, StatusCode::SEE_OTHER);
    let out = place.call(get("/runs").with("cookie", &other)).await;
    assert_eq!(out.status, StatusCode::SEE_OTHER);
    assert_eq!(place.call(get("/runs").with("cookie", &here)).await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_token_does_no_more_than_its_maker_may_and_is_shown_once() {
    let place = Place::locked().await;
    let (cookie, key) = place.log_in("eddy", Role::Editor).await;
    let as_editor = |call: Call| call.with("cookie", &cookie).with("x-form-key", &key);
    let beyond = place.call(as_editor(post("/api/me/tokens", &json!({ "scopes": "admin" })))).await;
    assert_eq!(beyond.json()["field"], "scopes", "{}", beyond.text);
    let fields = [("form_key", key.as_str()), ("read", "yes"), ("ledger", "yes")];
    let made = Call::new(Method::POST, "/settings/tokens").form(&fields).with("cookie", &cookie);
    let made = place.call(made).await.text;
    let token = made.split("<code id=\"token\">").nth(1).unwrap().split('<').next().unwrap();
    let again = place.call(as_editor(get("/settings"))).await.text;
    assert!(!again.contains(token), "it is shown once");
    let code = json!({ "codes": ["high-quality-source"] });
    let path = "/api/outlets/reuters.com/codings";
    let coded = place.call(post(path, &code).token(token)).await;
    assert!(coded.status.is_success(), "{}", coded.text);
    // Whoever may do less may do less with old tokens too; whoever is off, nothing.
    let (admin, admin_key) = place.log_in("ada", Role::Admin).await;
    let change = |body: serde_json::Value| {
        let call = patch("/api/users/eddy", &body);
        call.with("cookie", &admin).with("x-form-key", &admin_key)
    };
    place.call(change(json!({ "role": "reader" }))).await;
    assert_eq!(place.call(post(path, &code).token(token)).await.status, StatusCode::FORBIDDEN);
    assert_eq!(place.call(get("/api/runs").token(token)).await.status, StatusCode::OK);
    place.call(change(json!({ "disabled": true }))).await;
    assert_eq!(place.call(get("/api/runs").token(token)).await.status, StatusCode::UNAUTHORIZED);
    // An admin sees and revokes everybody's.
    let listed = get("/api/me/tokens").with("cookie", &admin);
    let id = place.call(listed).await.json()[0]["id"].as_str().unwrap().to_owned();
    let revoke = Call::new(Method::DELETE, &format!("/api/me/tokens/{id}"));
    let revoke = revoke.with("cookie", &admin).with("x-form-key", &admin_key);
    assert_eq!(place.call(revoke).await.status, StatusCode::NO_CONTENT);
}
