//! The API's answers: reading, changing, problems, lists in parts, keys.

use http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::place::{Call, Place, RUN, SONGS, get, post};

async fn problem(place: &Place, call: Call, status: u16) -> Value {
    let answer = place.call(call).await;
    assert_eq!(answer.status.as_u16(), status, "{}", answer.text);
    assert_eq!(answer.header("content-type"), "application/problem+json");
    let read = answer.json();
    assert_eq!(read["status"], status);
    assert!(read["type"].as_str().unwrap().starts_with("urn:probity:"));
    read
}

#[tokio::test]
async fn a_score_comes_part_by_part() {
    let place = Place::open().await;
    let body = json!({ "url": "https://www.reuters.com/a", "question": "noise at night",
                       "title": "Noise at night in 2026" });
    let scored = place.call(post("/api/score", &body)).await.json();
    assert_eq!(scored["outlet"], "reuters.com");
    assert_eq!(scored["authority"], 0.92);
    assert_eq!(scored["score"], 0.968);
    assert_eq!(scored["blocked"], false);
}

#[tokio::test]
async fn what_is_wrong_with_a_request_is_said_by_field() {
    let place = Place::open().await;
    let score = |body: Value| post("/api/score", &body);
    let at = |problem: Value| problem["field"].as_str().unwrap_or("").to_owned();
    assert_eq!(at(problem(&place, score(json!({ "url": "x" })), 422).await), "question");
    let no_url = json!({ "url": "x", "question": "noise at night" });
    assert_eq!(at(problem(&place, score(no_url), 422).await), "url");
    let unknown = json!({ "url": "https://a.example", "question": "noise", "x": 1 });
    problem(&place, score(unknown), 422).await;
    let broken = Call::new(Method::POST, "/api/score").with("content-type", "application/json");
    problem(&place, broken, 400).await;
    problem(&place, Call::new(Method::POST, "/api/score"), 415).await;
    problem(&place, post("/api/score", &json!("x".repeat(300_000))), 413).await;
    problem(&place, get("/api/outlets?limit=0"), 422).await;
    problem(&place, get("/api/outlets?limit=x"), 422).await;
    problem(&place, get("/api/outlets?cursor=nonsense"), 422).await;
    problem(&place, get("/api/outlets?reversed="), 422).await;
    problem(&place, get("/api/runs?status="), 422).await;
    problem(&place, get(&format!("/api/outlets?text={}", "x".repeat(201))), 422).await;
    problem(&place, get("/api/nothing"), 404).await;
    problem(&place, get("/api/runs/none"), 404).await;
    problem(&place, get("/api/outlets/not%20a%20domain"), 404).await;
    problem(&place, Call::new(Method::DELETE, "/api/score"), 405).await;
    let empty = problem(&place, post("/api/research", &json!({ "question": "" })), 400).await;
    assert_eq!(empty["field"], "question");
    let nowhere = json!({ "question": "noise at night", "search": "nowhere" });
    assert_eq!(at(problem(&place, post("/api/research", &nowhere), 422).await), "search");
    let gone = json!({ "question": "How loud may it be?", "run": "19990101-nobody" });
    assert_eq!(at(problem(&place, post("/api/research", &gone), 422).await), "run");
}

#[tokio::test]
async fn a_coding_is_shown_first_and_then_kept_and_signed() {
    let place = Place::open().await;
    let path = "/api/outlets/www.reuters.com/codings";
    let coding = |dry_run: bool| {
        json!({ "codes": ["source-unreliable"], "by": "Ada", "note": "wrong twice",
                "dry_run": dry_run })
    };
    let shown = place.call(post(path, &coding(true))).await.json();
    assert_eq!((shown["seq"].clone(), shown["dry_run"].clone()), (Value::Null, json!(true)));
    assert!((shown["after"].as_f64().unwrap() - 0.828).abs() < 1e-12);
    assert_eq!(place.call(get("/api/outlets/reuters.com")).await.json()["score"], 0.92);
    let kept = place.call(post(path, &coding(false))).await.json();
    assert_eq!((kept["seq"].clone(), kept["by"].clone()), (json!(1), json!("Ada")));
    let events = place.call(get("/api/outlets/reuters.com/events")).await.json();
    assert_eq!(events["items"][0]["note"], "wrong twice");
    let undone = post("/api/ledger/events/1/revert", &json!({ "by": "Bob" }));
    assert_eq!(place.call(undone).await.json()["after"], 0.92);
    let proof = place.call(get("/api/ledger/verify")).await.json();
    assert_eq!((proof["sound"].clone(), proof["events"].clone()), (json!(true), json!(2)));
    // No one has coded this outlet before: it gets a row of its own.
    let unknown = post("/api/outlets/nobody.example/codings", &coding(false));
    assert_eq!(place.call(unknown).await.status, StatusCode::OK);
    let bad = json!({ "codes": ["no-such-code"] });
    assert_eq!(problem(&place, post(path, &bad), 422).await["field"], "codes");
    let elsewhere = json!({ "codes": ["source-unreliable"], "url": "https://apnews.com/x" });
    assert_eq!(problem(&place, post(path, &elsewhere), 422).await["field"], "url");
}

#[tokio::test]
async fn a_caller_who_logged_in_signs_with_no_other_name() {
    let place = Place::locked().await;
    let token = place.token("robot", "read,ledger").await;
    let path = "/api/outlets/reuters.com/score";
    let set = |by: Value| {
        Call::new(Method::PUT, path).json(&json!({ "score": 0.5, "by": by })).token(&token)
    };
    problem(&place, set(json!("Ada")), 422).await;
    assert_eq!(place.call(set(Value::Null)).await.json()["by"], "robot");
}

#[tokio::test]
async fn lists_come_in_parts_without_loss() {
    let place = Place::open().await;
    let all = place.call(get("/api/outlets?limit=200&order=domain")).await.json();
    let mut seen = Vec::new();
    let mut path = "/api/outlets?limit=7&order=domain".to_owned();
    loop {
        let part = place.call(get(&path)).await.json();
        seen.extend(part["items"].as_array().unwrap().clone());
        let Some(next) = part["next"].as_str() else { break };
        path = format!("/api/outlets?limit=7&order=domain&cursor={next}");
    }
    assert_eq!(&seen, all["items"].as_array().unwrap());
    for n in 0..3 {
        let songs = SONGS;
        place.keep_report(&format!("20261115-more{n}"), songs).await;
    }
    let first = place.call(get("/api/runs?limit=2")).await.json();
    let next = first["next"].as_str().unwrap();
    let second = place.call(get(&format!("/api/runs?limit=2&cursor={next}"))).await.json();
    let ids = |page: &Value| -> Vec<String> {
        let items = page["items"].as_array().unwrap();
        items.iter().map(|run| run["id"].as_str().unwrap().to_owned()).collect()
    };
    let together = [ids(&first), ids(&second)].concat();
    assert_eq!(together, ["20261115-songs1", "20261115-more2", "20261115-more1", "20261115-more0"]);
    assert_eq!(second["next"], Value::Null);
}

#[tokio::test]
async fn a_report_comes_in_every_format_and_as_a_file() {
    let place = Place::open().await;
    for (format, media, part) in [
        ("md", "text/markdown", "## Methodology"),
        ("html", "text/html", "<!doctype html>"),
        (
            "docx",
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            "word/document.xml",
        ),
        ("json", "application/json", "probity-report/1"),
        ("bibtex", "application/x-bibtex", "@"),
        ("ris", "application/x-research-info-systems", "TY  -"),
    ] {
        let answer = place.call(get(&format!("/api/runs/{RUN}/report?format={format}"))).await;
        assert!(answer.header("content-type").starts_with(media), "{format}");
        assert!(answer.header("content-disposition").starts_with("attachment"), "{format}");
        assert!(answer.text.contains(part), "{format}");
    }
    problem(&place, get(&format!("/api/runs/{RUN}/report?format=doc")), 422).await;
    let detail = place.call(get(&format!("/api/runs/{RUN}"))).await.json();
    assert_eq!(detail["report"]["format"], "probity-report/1");
    let same = place.call(get(&format!("/api/runs/{RUN}/compare?with={RUN}"))).await.json();
    assert_eq!(same["same_question"], true);
}

#[tokio::test]
async fn an_answer_that_did_not_change_is_not_sent_again() {
    let place = Place::open().await;
    let first = place.call(get("/api/outlets")).await;
    let tag = first.header("etag").to_owned();
    assert!(tag.starts_with("W/\""));
    let again = place.call(get("/api/outlets").with("if-none-match", &tag)).await;
    assert_eq!((again.status, again.text.as_str()), (StatusCode::NOT_MODIFIED, ""));
    let set = json!({ "score": 0.1 });
    place.call(Call::new(Method::PUT, "/api/outlets/wired.com/score").json(&set)).await;
    let changed = place.call(get("/api/outlets").with("if-none-match", &tag)).await;
    assert_eq!(changed.status, StatusCode::OK);
}

#[tokio::test]
async fn a_request_with_a_key_is_done_once() {
    let place = Place::open().await;
    let coding = json!({ "codes": ["high-quality-source"] });
    let call = |body: &Value, key: &str| {
        post("/api/outlets/wired.com/codings", body).with("idempotency-key", key)
    };
    let first = place.call(call(&coding, "k1")).await;
    let again = place.call(call(&coding, "k1")).await;
    assert_eq!(first.text, again.text);
    assert_eq!(again.header("idempotency-replayed"), "true");
    assert_eq!(place.store.events(&Default::default()).await.unwrap().len(), 1);
    let other = json!({ "codes": ["source-unreliable"] });
    problem(&place, call(&other, "k1"), 422).await;
    place.call(call(&coding, "k2")).await;
    assert_eq!(place.store.events(&Default::default()).await.unwrap().len(), 2);
    problem(&place, call(&coding, "has space"), 422).await;
}

#[tokio::test]
async fn a_run_is_deleted_for_good_and_that_is_written_down() {
    let place = Place::open().await;
    let gone = place.call(Call::new(Method::DELETE, &format!("/api/runs/{RUN}"))).await;
    assert_eq!(gone.status, StatusCode::NO_CONTENT);
    problem(&place, get(&format!("/api/runs/{RUN}")), 404).await;
    let actions = place.call(get("/api/actions")).await.json();
    assert_eq!(actions["items"][0]["action"], "run deleted");
    assert_eq!(actions["items"][0]["subject"], RUN);
}

#[tokio::test]
async fn who_asks_too_often_is_reported_when_to_come_back() {
    let place = Place::with(probity_server::Door::Open, 1).await;
    let mut last = place.call(get("/api/health")).await;
    for _ in 0..10 {
        last = place.call(get("/api/health")).await;
    }
    assert_eq!(last.status, StatusCode::TOO_MANY_REQUESTS);
    assert!(last.header("retry-after").parse::<u64>().unwrap() >= 1);
}

#[tokio::test]
async fn counts_are_there_for_prometheus() {
    let place = Place::open().await;
    place.call(get("/api/health")).await;
    let counts = place.call(get("/metrics")).await.text;
    for name in [
        "probity_http_requests_total{status=\"2xx\"} 1",
        "probity_jobs_queued 0",
        "\nprobity_tasks ",
    ] {
        assert!(counts.contains(name), "{name} is not in\n{counts}");
    }
}
