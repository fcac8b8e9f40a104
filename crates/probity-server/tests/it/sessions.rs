//! Logging in and out, and guessing.

use http::{Method, StatusCode};
use probity_store::access::Role;

use crate::place::{Call, PASSWORD, Place, form_key, get};

fn log_in(name: &str, password: &str) -> Call {
    Call::new(Method::POST, "/login").form(&[("name", name), ("password", password)])
}

#[tokio::test]
async fn a_session_begins_with_the_password_and_ends_when_told() {
    let place = Place::locked().await;
    let (cookie, key) = place.log_in("ada", Role::Editor).await;
    let page = place.call(get("/").with("cookie", &cookie)).await;
    assert_eq!(page.status, StatusCode::OK);
    assert!(page.text.contains("ada"));
    let out =
        Call::new(Method::POST, "/logout").form(&[("form_key", &key)]).with("cookie", &cookie);
    assert_eq!(place.call(out).await.status, StatusCode::SEE_OTHER);
    let after = place.call(get("/").with("cookie", &cookie)).await;
    assert_eq!(after.status, StatusCode::SEE_OTHER);
    assert!(after.header("location").starts_with("/login"));
}

#[tokio::test]
async fn the_store_holds_nothing_that_opens_anything() {
    let place = Place::locked().await;
    let (cookie, _) = place.log_in("ada", Role::Editor).await;
    let user = place.store.user(&"ada".into()).await.unwrap().unwrap();
    assert!(user.password.starts_with("$argon2id$") && !user.password.contains(PASSWORD));
    let id = cookie.split('=').nth(1).unwrap();
    let hours = std::time::Duration::from_secs(3600);
    assert!(place.store.session(id, hours, hours).await.unwrap().is_none());
}

#[tokio::test]
async fn a_new_password_ends_the_sessions_of_the_old_one() {
    let place = Place::locked().await;
    let (cookie, _) = place.log_in("ada", Role::Editor).await;
    let hash = probity_server::access::password::hash("another password").unwrap();
    assert!(place.store.change_password(&"ada".into(), &hash).await.unwrap());
    let answer = place.call(get("/runs").with("cookie", &cookie)).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn guessing_is_slowed_down_for_names_that_exist_and_those_that_do_not() {
    for name in ["ada", "nobody"] {
        let place = Place::locked().await;
        place.log_in("ada", Role::Editor).await;
        let mut last = StatusCode::OK;
        for _ in 0..6 {
            last = place.call(log_in(name, "wrong password")).await.status;
        }
        assert_eq!(last, StatusCode::TOO_MANY_REQUESTS, "{name}");
        let right = place.call(log_in(name, PASSWORD)).await;
        assert_eq!(right.status, StatusCode::TOO_MANY_REQUESTS, "{name}");
        assert!(!right.header("retry-after").is_empty());
    }
}

#[tokio::test]
async fn a_hundred_guesses_at_once_are_no_cheaper_than_a_hundred_in_turn() {
    let place = Place::locked().await;
    let (cookie, _) = place.log_in("ada", Role::Editor).await;
    let guesses = (0..120).map(|n| place.call(log_in(&format!("name{n}"), "wrong password")));
    let (answers, page) = tokio::join!(
        futures::future::join_all(guesses),
        place.call(get("/runs").with("cookie", &cookie))
    );
    let tried = answers.iter().filter(|answer| answer.status == StatusCode::OK).count();
    assert_eq!(tried, 5, "as many as one address may try");
    let refused = answers.iter().filter(|a| a.status == StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(refused.count(), 115);
    assert_eq!(page.status, StatusCode::OK, "who is logged in notices nothing");
}

#[tokio::test]
async fn the_key_of_one_session_is_no_key_of_another() {
    let place = Place::locked().await;
    let (ada, _) = place.log_in("ada", Role::Editor).await;
    let (_, bobs_key) = place.log_in("bob", Role::Editor).await;
    let page = place.call(get("/").with("cookie", &ada)).await;
    assert_ne!(form_key(&page.text), bobs_key);
    let forged = Call::new(Method::POST, "/ask")
        .form(&[("form_key", &bobs_key), ("question", "How loud may music be?")])
        .with("cookie", &ada);
    assert_eq!(place.call(forged).await.status, StatusCode::FORBIDDEN);
}
