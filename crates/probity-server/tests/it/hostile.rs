//! What people and pages write is text on every page, never markup.

use http::Method;
use serde_json::json;

use crate::place::{Call, Place, RUN, SONGS, get, post};

/// Texts that would run somewhere if they were not texts.
const ATTACKS: [&str; 7] = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "' onmouseover='alert(1)",
    "</textarea><svg onload=alert(1)>",
    "{{7*7}}<b>bold</b>",
    "javascript:alert(1)//",
    "</title><script>alert(1)</script>",
];

/// Markup of an attack that came through.
fn came_through(page: &str) -> Option<&'static str> {
    let marks = [
        "<script>alert",
        "<img src=x",
        "<svg onload",
        "<b>bold",
        "onmouseover='alert",
        "href=\"javascript:",
        "</textarea><svg",
    ];
    marks.into_iter().find(|mark| page.contains(mark))
}

#[tokio::test]
async fn stored_attacks_are_text_on_every_page() {
    let place = Place::open().await;
    let songs = SONGS;
    for (n, attack) in ATTACKS.iter().enumerate() {
        let mut report: serde_json::Value = serde_json::from_str(songs).unwrap();
        for field in ["title", "question"] {
            report[field] = json!(attack);
        }
        for candidate in report["candidates"].as_array_mut().unwrap() {
            for field in ["title", "snippet", "reason", "explanation"] {
                candidate[field] = json!(attack);
            }
        }
        place.keep_report(&format!("20261115-bad{n:02}"), &report.to_string()).await;
        let coding = json!({ "codes": ["source-unreliable"], "by": attack, "note": attack });
        let answer = place.call(post("/api/outlets/wired.com/codings", &coding)).await;
        assert!(answer.status.is_success(), "{}", answer.text);
        place.store.note(attack, attack, attack).await.unwrap();
        let articles = [("reuters.com", *attack, *attack), ("gazette.example", attack, attack)];
        place.ingest(attack, &articles).await;
        let body = json!({ "name": format!("Bad {n}"), "description": attack,
                           "keywords": [attack], "examples": [attack] });
        let answer = place.call(post("/api/categories", &body)).await;
        assert!(answer.status.is_success(), "{}", answer.text);
        let ask = post("/api/research/stream", &json!({ "question": format!("noise {attack}") }));
        let _ = tower::ServiceExt::oneshot(place.router.clone(), ask.request()).await.unwrap();
    }
    let mut pages = vec![
        "/".to_owned(),
        "/runs".to_owned(),
        "/outlets".to_owned(),
        "/outlets/wired.com".to_owned(),
        "/audit".to_owned(),
        "/library".to_owned(),
        "/settings".to_owned(),
        "/compare".to_owned(),
        format!("/compare?a={RUN}&b=20261115-bad00"),
    ];
    let turn = place.call(Call::new(Method::POST, "/api/topics/consolidate")).await.json();
    assert!(turn["stories"].as_u64().unwrap() > 0, "{turn}");
    pages.extend(["/news", "/feeds", "/topics", "/categories"].map(str::to_owned));
    let topics = place.store.topics(probity_core::Timestamp(0)).await.unwrap();
    for topic in topics.keys() {
        pages.extend([format!("/topics/{topic}"), format!("/topics/{topic}?category=Bad%201")]);
    }
    let categories = place.store.categories().await.unwrap();
    pages.extend(categories.iter().map(|category| format!("/categories/{}", category.id)));
    let runs = place.store.runs(&Default::default()).await.unwrap();
    pages.extend(runs.iter().map(|run| format!("/runs/{}", run.id)));
    assert!(pages.len() > 15);
    for page in &pages {
        let answer = place.call(get(page).with("accept", "text/html")).await;
        assert!(answer.status.is_success(), "{page}: {}", answer.text);
        assert_eq!(came_through(&answer.text), None, "{page}");
    }
}

#[tokio::test]
async fn what_comes_with_an_address_is_text_too() {
    let place = Place::open().await;
    for attack in ATTACKS {
        let encoded: String = url::form_urlencoded::byte_serialize(attack.as_bytes()).collect();
        for path in [
            format!("/?question={encoded}&search={encoded}"),
            format!("/outlets?text={encoded}"),
            format!(
                "/outlets/wired.com/code?codes={encoded}&note={encoded}&by={encoded}&run={encoded}"
            ),
            format!("/search?q={encoded}"),
            format!("/library?q={encoded}"),
            format!("/login?to={encoded}"),
            format!("/runs/{encoded}"),
            format!("/library/{encoded}"),
            format!("/runs?cursor={encoded}"),
            format!("/topics?category={encoded}"),
            format!("/topics?since={encoded}"),
            format!("/topics?cursor={encoded}"),
            format!("/topics/{encoded}"),
            format!("/topics/1?category={encoded}"),
            format!("/categories/{encoded}"),
        ] {
            let answer = place.call(get(&path).with("accept", "text/html")).await;
            assert!(!answer.status.is_server_error(), "{path}");
            assert_eq!(came_through(&answer.text), None, "{path}\n{}", answer.text);
        }
        let json = place.call(get(&format!("/api/runs/{encoded}"))).await;
        assert_eq!(json.header("content-type"), "application/problem+json");
    }
}

#[tokio::test]
async fn names_from_outside_make_no_header() {
    let place = Place::open().await;
    let odd = "20261115-x\"; evil=1";
    let songs = SONGS;
    place.keep_report(odd, songs).await;
    let id: String = url::form_urlencoded::byte_serialize(odd.as_bytes()).collect();
    let path = format!("/api/runs/{}/report?format=md", id.replace('+', "%20"));
    let answer = place.call(Call::new(Method::GET, &path)).await;
    assert_eq!(
        answer.header("content-disposition"),
        "attachment; filename=\"probity-20261115-xevil1.md\""
    );
}
