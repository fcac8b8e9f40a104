//! Saved questions: asked by turns, reported when something changed, kept by whoever saved them.

use std::sync::Arc;
use std::time::Duration;

use http::{Method, StatusCode};
use probity_core::WatchId;
use probity_research::work::{Handled, Handler, WorkSettings, work_on};
use probity_server::watch::WatchHandler;
use probity_store::access::Role;
use probity_store::queue::QueueLimits;
use probity_store::watches::job_id;
use probity_store::{Ending, RunStatus};
use serde_json::{Value, json};

use crate::backend::TestBackend;
use crate::place::{Call, Place, SONGS, form_key, get, post};

const REPORT: &str = SONGS;

fn body(question: &str, every: &str) -> Value {
    json!({ "ask": { "question": question }, "every": every })
}

/// Takes a turn of the first saved question, as a worker does.
async fn turn(place: &Place, backend: &Arc<TestBackend>) -> Option<Handled> {
    let handler: Arc<dyn Handler> = Arc::new(WatchHandler {
        backend: Arc::<TestBackend>::clone(backend),
        queue: QueueLimits { open: 10, open_per_owner: 10 },
        failures_most: 3,
    });
    let settings = WorkSettings::new("w");
    work_on(&place.store, &job_id(WatchId(1)), &[handler], &settings).await.unwrap()
}

/// Ends the run that is in progress, with this report or with none.
async fn end(place: &Place, report: Option<&str>) -> String {
    let run = place.store.watch(WatchId(1)).await.unwrap().unwrap().pending_run.expect("a run");
    let ending = Ending {
        status: if report.is_some() { RunStatus::Finished } else { RunStatus::Failed },
        decision: None,
        title: None,
        report,
        error: report.is_none().then_some("no provider answered"),
    };
    place.store.end_run(&run, &ending, &[]).await.unwrap();
    place.store.cancel(&run).await.unwrap();
    run.into()
}

async fn outcome(place: &Place) -> Value {
    place.call(get("/api/watches/1")).await.json()["turns"][0].clone()
}

/// The report with another number in its headline.
fn with_another_figure() -> String {
    let mut report: Value = serde_json::from_str(REPORT).unwrap();
    report["title"] = json!("A first dance takes 5 minutes");
    report.to_string()
}

fn with_a_figure() -> String {
    let mut report: Value = serde_json::from_str(REPORT).unwrap();
    report["title"] = json!("A first dance takes 4 minutes");
    report.to_string()
}

#[tokio::test]
async fn a_saved_question_is_asked_by_turns_and_told_when_a_figure_changed() {
    let place = Place::open().await;
    let backend = Arc::new(TestBackend::new(place.store.clone()));
    let added = place.call(post("/api/watches", &body("Which songs are first?", "1d"))).await;
    assert_eq!(added.status, StatusCode::CREATED, "{}", added.text);
    assert_eq!(added.json()["every_seconds"], 86_400);
    // A run is asked, looked at while it lasts, and then there is nothing to compare it with.
    assert!(matches!(turn(&place, &backend).await, Some(Handled::Again(_))));
    assert!(matches!(turn(&place, &backend).await, Some(Handled::Again(_))), "it is under way");
    assert_eq!(outcome(&place).await, Value::Null);
    let first = end(&place, Some(&with_a_figure())).await;
    let day = Duration::from_secs(86_400);
    assert_eq!(turn(&place, &backend).await, Some(Handled::Again(day)));
    assert_eq!(outcome(&place).await["outcome"], "first");

    // The same again: nothing is told.
    turn(&place, &backend).await;
    end(&place, Some(&with_a_figure())).await;
    turn(&place, &backend).await;
    assert_eq!(outcome(&place).await["outcome"], "same");

    // A run that fails changes nothing that the next is compared with.
    turn(&place, &backend).await;
    end(&place, None).await;
    assert_eq!(turn(&place, &backend).await, Some(Handled::Again(day)));
    let failed = outcome(&place).await;
    assert_eq!(failed["outcome"], "failed");
    assert_eq!(failed["problem"], "no provider answered");

    turn(&place, &backend).await;
    let last = end(&place, Some(&with_another_figure())).await;
    turn(&place, &backend).await;
    let changed = outcome(&place).await;
    assert_eq!(changed["outcome"], "changed", "{changed}");
    assert_eq!(changed["novelty"]["figures"][0]["after"], "A first dance takes 5 minutes");
    assert_eq!(changed["run"], last.as_str());
    assert_ne!(changed["before"], first.as_str(), "the last run with a report");
    let page = place.call(get("/watches/1")).await.text;
    for part in ["something changed", "4 minutes → A first dance takes 5 minutes", "/compare?a="]
    {
        assert!(page.contains(part), "{part}: {page}");
    }
    let list = place.call(get("/watches")).await.text;
    assert!(list.contains("Which songs are first?") && list.contains("every day"), "{list}");
}

#[tokio::test]
async fn what_cannot_be_asked_is_not_saved() {
    let place = Place::open().await;
    for (body, field) in [
        (body("", "1d"), "question"),
        (body("How loud may it be?", "5m"), "every"),
        (body("How loud may it be?", "often"), "every"),
        (
            json!({ "ask": { "question": "How loud?", "search": "nowhere" }, "every": "1d" }),
            "search",
        ),
        (json!({ "ask": { "question": "How loud?", "run": "x" }, "every": "1d" }), "run"),
    ] {
        let refused = place.call(post("/api/watches", &body)).await;
        assert!(refused.status.is_client_error(), "{body}: {}", refused.text);
        assert_eq!(refused.json()["field"], field, "{body}");
    }
    let key = form_key(&place.call(get("/watches")).await.text);
    let fields = [("form_key", key.as_str()), ("question", "How loud may it be?"), ("every", "1x")];
    let answer = place.call(Call::new(Method::POST, "/watches").form(&fields)).await;
    assert!(answer.text.contains("role=\"alert\""), "{}", answer.text);
    assert!(answer.text.contains(">How loud may it be?</textarea>"), "what was typed stays");
    assert!(place.store.watches(WatchId(0), 10).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_saved_question_is_its_owners_to_pause_and_to_remove() {
    let place = Place::locked().await;
    let backend = Arc::new(TestBackend::new(place.store.clone()));
    let (ada, ada_key) = place.log_in("ada", Role::Editor).await;
    let (bob, bob_key) = place.log_in("bob", Role::Editor).await;
    let as_ada = |call: Call| call.with("cookie", &ada).with("x-form-key", &ada_key);
    let as_bob = |call: Call| call.with("cookie", &bob).with("x-form-key", &bob_key);
    let saved = place.call(as_ada(post("/api/watches", &body("How loud may it be?", "6h")))).await;
    assert_eq!(saved.json()["owner"], "ada", "{}", saved.text);
    let pause = || Call::new(Method::PATCH, "/api/watches/1").json(&json!({ "paused": true }));
    assert_eq!(place.call(as_bob(pause())).await.status, StatusCode::FORBIDDEN);
    let paused = place.call(as_ada(pause())).await.json();
    assert_eq!((&paused["paused"], &paused["next_at"]), (&json!(true), &Value::Null), "{paused}");
    // Asked by hand it is asked once, and stays paused.
    let run = Call::new(Method::POST, "/api/watches/1/run");
    assert_eq!(place.call(as_ada(run)).await.status, StatusCode::ACCEPTED);
    turn(&place, &backend).await;
    end(&place, Some(REPORT)).await;
    assert_eq!(turn(&place, &backend).await, Some(Handled::Done));
    assert_eq!(turn(&place, &backend).await, None, "nothing waits");
    let theirs = place.call(get("/watches/1").with("cookie", &bob)).await.text;
    assert!(!theirs.contains("action=\"/watches/1/remove\""), "{theirs}");
    let gone = place.call(as_ada(Call::new(Method::DELETE, "/api/watches/1"))).await;
    assert_eq!(gone.status, StatusCode::NO_CONTENT);
    assert_eq!(place.call(as_ada(get("/api/watches/1"))).await.status, StatusCode::NOT_FOUND);
    let actions: Vec<String> =
        place.store.actions(None, 10).await.unwrap().into_iter().map(|one| one.action).collect();
    for action in ["question saved", "saved question changed", "saved question removed"] {
        assert!(actions.iter().any(|known| known == action), "{action}: {actions:?}");
    }
}
