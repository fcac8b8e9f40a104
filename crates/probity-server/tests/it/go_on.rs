//! Going on from a report: follow-ups, asking again, going further; and showing it to others.

use http::{Method, StatusCode};
use probity_research::RunSpec;
use probity_store::access::Role;
use serde_json::json;

use crate::place::{Call, Place, RUN, SUNG, form_key, get, post};

async fn spec(place: &Place, id: &str) -> RunSpec {
    serde_json::from_str(&place.store.run(&id.into()).await.unwrap().unwrap().spec).unwrap()
}

/// A run that this server asked, with the report of another.
async fn finished(place: &Place) -> String {
    let ask = json!({ "question": "What are the most popular first dance songs?", "mode": "quick",
                      "search": "library" });
    let asked = post("/api/research/stream", &ask);
    let _ = tower::ServiceExt::oneshot(place.router.clone(), asked.request()).await.unwrap();
    let runs = place.store.runs(&Default::default()).await.unwrap();
    let id = runs.iter().find(|run| run.id != RUN).unwrap().id.clone();
    place.store.end_run(&id, &SUNG, &[]).await.unwrap();
    place.store.cancel(&id).await.unwrap();
    id.into()
}

#[tokio::test]
async fn a_follow_up_asks_the_sources_of_the_run_and_is_listed_there() {
    let place = Place::open().await;
    let page = place.call(get(&format!("/runs/{RUN}"))).await.text;
    let fields = [
        ("form_key", form_key(&page)),
        ("kind", "follow".to_owned()),
        ("question", "Which of them is the oldest song?".to_owned()),
    ];
    let fields: Vec<(&str, &str)> = fields.iter().map(|(a, b)| (*a, b.as_str())).collect();
    let answer =
        place.call(Call::new(Method::POST, &format!("/runs/{RUN}/next")).form(&fields)).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.text);
    let next = answer.header("location").trim_start_matches("/runs/").to_owned();
    assert_eq!(spec(&place, &next).await.mode.as_str(), "quick");
    let kin = place.store.children(&RUN.into()).await.unwrap();
    assert_eq!(kin.len(), 1);
    let page = place.call(get(&format!("/runs/{RUN}"))).await.text;
    assert!(
        page.contains("Which of them is the oldest song?") && page.contains("follow-up"),
        "{page}"
    );
    let nothing = post(&format!("/api/runs/{RUN}/next"), &json!({ "kind": "follow" }));
    assert_eq!(place.call(nothing).await.status, StatusCode::BAD_REQUEST, "it asks nothing");
}

#[tokio::test]
async fn asking_again_asks_the_same_of_the_same_places_and_shows_what_changed() {
    let place = Place::open().await;
    let id = finished(&place).await;
    let answer =
        place.call(post(&format!("/api/runs/{id}/next"), &json!({ "kind": "again" }))).await;
    assert_eq!(answer.status, StatusCode::ACCEPTED, "{}", answer.text);
    let again = answer.json()["run_id"].as_str().unwrap().to_owned();
    let (then, now) = (spec(&place, &id).await, spec(&place, &again).await);
    assert_eq!((now.question.as_str(), now.mode), (then.question.as_str(), then.mode));
    assert_eq!(now.place, then.place);
    assert_ne!(now.run_id, then.run_id);
    place.store.end_run(&again.as_str().into(), &SUNG, &[]).await.unwrap();
    let page = place.call(get(&format!("/runs/{again}"))).await.text;
    assert!(page.contains(&format!("/compare?a={id}&amp;b={again}")), "{page}");
}

#[tokio::test]
async fn a_run_about_a_folder_of_the_machine_is_not_asked_again_from_elsewhere() {
    let place = Place::open().await;
    let id = finished(&place).await;
    let mut spec = spec(&place, &id).await;
    spec.run_id = "20261115-folder".into();
    spec.place.library = Some("/home/ann/papers".to_owned());
    let written = serde_json::to_string(&spec).unwrap();
    let run = spec.entry(&written);
    assert!(place.store.create_run(&run).await.unwrap());
    let again = post("/api/runs/20261115-folder/next", &json!({ "kind": "again" }));
    let answer = place.call(again).await;
    assert_eq!(answer.status, StatusCode::CONFLICT);
    assert!(!answer.text.contains("/home/ann"), "{}", answer.text);
}

#[tokio::test]
async fn going_further_is_a_deep_run_beside_the_sources() {
    let place = Place::open().await;
    let answer =
        place.call(post(&format!("/api/runs/{RUN}/next"), &json!({ "kind": "deepen" }))).await;
    let next = answer.json()["run_id"].as_str().unwrap().to_owned();
    assert_eq!(spec(&place, &next).await.mode.as_str(), "deep");
}

#[tokio::test]
async fn a_shared_link_opens_one_report_for_anybody_until_it_is_revoked() {
    let place = Place::locked().await;
    let (cookie, key) = place.log_in("eve", Role::Editor).await;
    let share = Call::new(Method::POST, &format!("/runs/{RUN}/share"));
    let share = share.form(&[("form_key", key.as_str()), ("days", "7")]).with("cookie", &cookie);
    let page = place.call(share).await;
    assert_eq!(page.status, StatusCode::OK, "{}", page.text);
    let path = page.text.split("value=\"/shared/").nth(1).unwrap().split('"').next().unwrap();
    let path = format!("/shared/{path}");
    let seen = place.call(get(&path)).await;
    assert_eq!(seen.status, StatusCode::OK, "nobody is logged in");
    assert!(seen.text.contains("Executive Summary") && seen.text.contains("evidence-1"));
    assert!(seen.text.contains("noindex") && seen.header("x-robots-tag").contains("noindex"));
    for offered in ["<form", "href=\"/outlets", "href=\"/library", "/api/", "href=\"/runs"] {
        assert!(!seen.text.contains(offered), "{offered} is offered to a stranger");
    }
    let secret = path.trim_start_matches("/shared/").to_owned();
    let shares = place.store.shares(&RUN.into()).await.unwrap();
    assert_eq!(shares.len(), 1);
    assert!(
        place.store.shared_run(&secret).await.unwrap().is_none(),
        "the store has its hash only"
    );
    let again = place.call(get(&format!("/runs/{RUN}")).with("cookie", &cookie)).await.text;
    assert!(again.contains(&shares[0].id) && !again.contains(&secret), "it is shown once");
    let revoke = format!("/runs/{RUN}/share/{}/revoke", shares[0].id);
    let revoke = Call::new(Method::POST, &revoke).form(&[("form_key", key.as_str())]);
    assert_eq!(place.call(revoke.with("cookie", &cookie)).await.status, StatusCode::SEE_OTHER);
    let gone = place.call(get(&path).with("accept", "text/html")).await;
    assert_eq!(gone.status, StatusCode::NOT_FOUND);
    assert!(gone.text.contains("revoked or ran out"), "{}", gone.text);
}

#[tokio::test]
async fn links_are_bounded_and_for_those_who_may_ask() {
    let place = Place::locked().await;
    let token = place.token("robot", "read,research").await;
    let path = format!("/api/runs/{RUN}/shares");
    let made = place.call(post(&path, &json!({ "days": 1 })).token(&token)).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.text);
    let listed = place.call(get(&path).token(&token)).await.json();
    assert_eq!(listed[0]["id"], made.json()["id"]);
    let long = place.call(post(&path, &json!({ "days": 4000 })).token(&token)).await;
    assert_eq!(long.status, StatusCode::UNPROCESSABLE_ENTITY);
    let none = place.call(post("/api/runs/none/shares", &json!({})).token(&token)).await;
    assert_eq!(none.status, StatusCode::NOT_FOUND);
    for _ in 0..49 {
        let more = place.call(post(&path, &json!({})).token(&token)).await;
        assert_eq!(more.status, StatusCode::CREATED, "{}", more.text);
    }
    let full = place.call(post(&path, &json!({})).token(&token)).await;
    assert_eq!(full.status, StatusCode::CONFLICT);
}

#[tokio::test]
async fn a_card_of_a_shared_source_may_stand_on_any_site_and_nothing_else_may() {
    let place = Place::open().await;
    let made = place.call(post(&format!("/api/runs/{RUN}/shares"), &json!({}))).await.json();
    let path = made["path"].as_str().unwrap();
    let framed = |path: &str| {
        get(path)
            .with("sec-fetch-site", "cross-site")
            .with("sec-fetch-mode", "navigate")
            .with("sec-fetch-dest", "iframe")
    };
    let card = place.call(framed(&format!("{path}/source/1"))).await;
    assert_eq!(card.status, StatusCode::OK, "{}", card.text);
    assert_eq!(card.header("x-frame-options"), "");
    assert!(card.header("content-security-policy").contains("frame-ancestors *"));
    assert!(card.text.contains("Source 1 of") && !card.text.contains("<script"), "{}", card.text);
    assert_eq!(place.call(framed(path)).await.status, StatusCode::FORBIDDEN);
    assert_eq!(place.call(framed(&format!("/runs/{RUN}"))).await.status, StatusCode::FORBIDDEN);
    let none = place.call(get(&format!("{path}/source/99"))).await;
    assert_eq!(none.status, StatusCode::NOT_FOUND);
}
