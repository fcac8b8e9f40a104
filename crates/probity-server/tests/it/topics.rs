//! Topics, categories and routing over the API: listed, ranked, kept by editors, grouped by one at a time.

use std::time::Duration;

use http::{Method, StatusCode};
use probity_store::topics::TOPICS;
use serde_json::{Value, json};

use crate::newsroom::FERRY;
use crate::place::{Answer, Call, Place, get, post};

fn patch(path: &str, body: &Value) -> Call {
    Call::new(Method::PATCH, path).json(body)
}

fn harbour() -> Value {
    json!({ "name": "Harbour", "description": "Ships, ferries and islands", "keywords": ["ferry"] })
}

async fn consolidate(place: &Place) -> Answer {
    place.call(Call::new(Method::POST, "/api/topics/consolidate")).await
}

/// A place with a category and two topics, and the category's number.
async fn filled() -> (Place, i64) {
    let place = Place::open().await;
    place.ingest("Local", &FERRY).await;
    let added = place.call(post("/api/categories", &harbour())).await;
    assert_eq!(added.status, StatusCode::CREATED, "{}", added.text);
    let turn = consolidate(&place).await.json();
    assert_eq!((&turn["articles"], &turn["stories"]), (&json!(3), &json!(2)), "{turn}");
    assert_eq!(turn["routed"][0]["action"], "scored", "{turn}");
    (place, added.json()["id"].as_i64().unwrap())
}

async fn code(place: &Place, outlet: &str, code: &str) {
    let body = json!({ "codes": [code], "by": "Ada", "alpha": 1.0 });
    let answer = place.call(post(&format!("/api/outlets/{outlet}/codings"), &body)).await;
    assert!(answer.status.is_success(), "{}", answer.text);
}

#[tokio::test]
async fn a_coding_changes_who_speaks_without_anything_being_grouped_again() {
    let (place, _) = filled().await;
    let topics = place.call(get("/api/topics?category=harbour")).await.json();
    let ferry = &topics["items"][0];
    assert_eq!(topics["items"].as_array().unwrap().len(), 1, "{topics}");
    assert_eq!(ferry["representative"]["outlet"], "reuters.com");
    assert_eq!(ferry["representative"]["band"], "primary or top-tier");
    assert_eq!((&ferry["outlets"], &ferry["also"]), (&json!(2), &json!(["gazette.example"])));

    code(&place, "reuters.com", "source-unreliable").await;
    let path = format!("/api/topics/{}", ferry["topic"]);
    let topic = place.call(get(&path)).await.json();
    assert_eq!(topic["articles"][0]["outlet"], "gazette.example", "{topic}");
    assert_eq!(topic["articles"][1]["worth"], 0.0);
    assert_eq!(topic["why"], "gazette.example represents it: 0.500 against 0.000 of reuters.com.");
    assert_eq!((&topic["state"], &topic["events"][0]["kind"]), (&json!("open"), &json!("created")));
    let judged = place.call(get(&format!("{path}?category=HARBOUR"))).await.json();
    let relevance = judged["articles"][0]["relevance"].as_f64().unwrap();
    assert!((0.5..=1.0).contains(&relevance), "{judged}");
    assert_eq!(place.call(get("/api/topics/999")).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn topics_come_in_parts_that_leave_out_none_and_repeat_none() {
    let (place, _) = filled().await;
    let all = place.call(get("/api/topics")).await.json();
    let numbers = |part: &Value| -> Vec<i64> {
        let items = part["items"].as_array().unwrap().iter();
        items.map(|line| line["topic"].as_i64().unwrap()).collect()
    };
    assert_eq!((numbers(&all).len(), &all["next"]), (2, &Value::Null));
    let values = |at: usize| all["items"][at]["value"].as_f64().unwrap();
    assert!(values(0) >= values(1), "{all}");
    let (mut seen, mut path) = (Vec::new(), "/api/topics?limit=1".to_owned());
    loop {
        let part = place.call(get(&path)).await.json();
        seen.extend(numbers(&part));
        let Some(next) = part["next"].as_str() else { break };
        path = format!("/api/topics?limit=1&cursor={next}");
    }
    assert_eq!(seen, numbers(&all));
    let none = place.call(get("/api/topics?since=30m")).await.json();
    assert_eq!(none["items"], json!([]), "nothing is as new as that");
    for (query, status) in [
        ("since=yesterday", 422),
        ("since=1970-01-01", 422),
        ("category=nowhere", 404),
        ("limit=0", 422),
        ("cursor=nonsense", 422),
        ("x=y", 422),
    ] {
        let answer = place.call(get(&format!("/api/topics?{query}"))).await;
        assert_eq!(answer.status.as_u16(), status, "{query}: {}", answer.text);
    }
    let tag = place.call(get("/api/topics")).await.header("etag").to_owned();
    let again = place.call(get("/api/topics").with("if-none-match", &tag)).await;
    assert_eq!(again.status, StatusCode::NOT_MODIFIED);
}

#[tokio::test]
async fn editors_keep_categories_and_every_change_is_attributed() {
    let (place, id) = filled().await;
    let path = format!("/api/categories/{id}");
    let shown = place.call(get(&path)).await.json();
    assert_eq!((&shown["name"], &shown["revision"]), (&json!("Harbour"), &json!(1)), "{shown}");
    let changed = place.call(patch(&path, &json!({ "keywords": ["ferry", "quay"] }))).await.json();
    assert_eq!((&changed["description"], &changed["revision"]), (&shown["description"], &json!(2)));
    let list = place.call(patch(&path, &json!(["Renamed by a list"]))).await;
    assert_eq!(list.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", list.text);
    let twice = place.call(post("/api/categories", &harbour())).await;
    assert_eq!(twice.status, StatusCode::CONFLICT, "{}", twice.text);
    for (body, field) in [
        (json!({ "name": "a\u{7}b", "description": "x" }), "name"),
        (json!({ "name": "x".repeat(61), "description": "x" }), "name"),
        (json!({ "name": "Sky", "description": "  " }), "description"),
        (json!({ "name": "Sky", "description": "a\u{0}b" }), "description"),
        (json!({ "name": "Sky", "description": "x".repeat(4_001) }), "description"),
        (json!({ "name": "Sky", "description": "x", "keywords": vec!["x"; 101] }), "keywords"),
        (json!({ "name": "Sky", "description": "x", "examples": ["\u{1}"] }), "examples"),
        (json!({ "name": "Sky" }), "description"),
    ] {
        let answer = place.call(post("/api/categories", &body)).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", answer.text);
        assert_eq!(answer.json()["field"], field, "{}", answer.text);
    }
    let sky = json!({ "name": "Sky", "description": "Aeroplanes" });
    let once = || post("/api/categories", &sky).with("idempotency-key", "sky-1");
    assert_eq!(place.call(once()).await.status, StatusCode::CREATED);
    let replayed = place.call(once()).await;
    assert_eq!(
        (replayed.status, replayed.header("idempotency-replayed")),
        (StatusCode::CREATED, "true")
    );
    let list = place.call(get("/api/categories?limit=1")).await.json();
    assert_eq!(list["items"][0]["name"], "Harbour");
    let rest = format!("/api/categories?cursor={}", list["next"].as_str().unwrap());
    assert_eq!(place.call(get(&rest)).await.json()["items"][0]["name"], "Sky");
    let gone = place.call(Call::new(Method::DELETE, &path)).await;
    assert_eq!(gone.status, StatusCode::NO_CONTENT);
    assert_eq!(place.call(get(&path)).await.status, StatusCode::NOT_FOUND);
    let actions = place.call(get("/api/actions")).await.text;
    for what in ["topics grouped", "category added", "category changed", "category removed"] {
        assert!(actions.contains(what), "{what} in {actions}");
    }
}

#[tokio::test]
async fn routing_gives_every_decision_with_its_numbers_and_its_reason() {
    let (place, id) = filled().await;
    code(&place, "reuters.com", "source-unreliable").await;
    let turn = consolidate(&place).await.json();
    // No one has rated the outlet that speaks now, so the category is kept.
    assert_eq!(turn["routed"][0]["action"], "scored", "{turn}");
    let undecided = json!({ "name": "Sky", "description": "Aeroplanes" });
    place.call(post("/api/categories", &undecided)).await;
    let routing = place.call(get("/api/routing")).await.json();
    let (harbour, sky) = (&routing["items"][0], &routing["items"][1]);
    assert_eq!((&harbour["mean"], &harbour["factor"]), (&Value::Null, &json!(1.0)), "{harbour}");
    assert!(harbour["why"].as_str().unwrap().contains("is not rated, so it is kept"), "{harbour}");
    assert_eq!((&sky["action"], &sky["factor"]), (&Value::Null, &json!(1.0)), "{sky}");
    let path = format!("/api/categories/{id}/routing");
    let first = place.call(get(&format!("{path}?limit=1"))).await.json();
    assert_eq!(first["items"][0]["action"], "scored");
    let next = first["next"].as_str().unwrap();
    let second = place.call(get(&format!("{path}?cursor={next}"))).await.json();
    assert_eq!((&second["items"][0]["action"], &second["next"]), (&json!("scored"), &Value::Null));
}

#[tokio::test]
async fn one_desk_groups_at_a_time() {
    let (place, _) = filled().await;
    let held = place.store.claim_one("w", TOPICS, Duration::from_secs(60)).await.unwrap();
    assert!(held.is_some(), "nobody is at it");
    let refused = consolidate(&place).await;
    assert_eq!(refused.status, StatusCode::CONFLICT, "{}", refused.text);
    assert_eq!(refused.header("content-type"), "application/problem+json");
}
