//! A run that waits for its plan to be approved, over HTTP and for agents.

use std::time::Duration;

use http::{Method, StatusCode};
use probity_core::Decision;
use probity_research::Event;
use probity_research::analyst::{Plan, PlanPart};
use probity_research::approve::Offer;
use probity_store::JournalEntry;
use probity_store::events::NewEvent;
use probity_store::queue::{JobEnd, JobState, Leased};
use serde_json::json;

use crate::backend::NOW;
use crate::mcp::{open, tool};
use crate::place::{Call, Place, SUNG, form_key, get, post};

const LEASE: Duration = Duration::from_secs(60);
const QUESTION: &str = "How loud may music be at night?";

fn kept(event: &Event) -> NewEvent {
    NewEvent { kind: event.kind().to_owned(), event: serde_json::to_string(event).unwrap() }
}

async fn claimed(place: &Place) -> Leased {
    loop {
        match place.store.claim("w", &["research"], LEASE).await.unwrap() {
            Some(job) => return job,
            None => tokio::task::yield_now().await,
        }
    }
}

/// Takes the next run, offers a plan and puts the run aside, as a worker does.
async fn offer(place: &Place, number: usize, clarify: &str) -> String {
    let job = claimed(place).await;
    let run = job.fence.job.clone();
    let part = PlanPart { question: "How high?".to_owned(), queries: vec!["fines".to_owned()] };
    let plan = Plan { parts: vec![part], ..Plan::default() };
    let until = probity_core::Timestamp(NOW.0 + 86_400_000);
    let offer = Offer { number, plan, clarify: clarify.to_owned(), until };
    let inputs = serde_json::to_string(&(QUESTION, number)).unwrap();
    let entry = JournalEntry {
        key: JournalEntry::key_of("offer", &inputs),
        kind: "offer".to_owned(),
        inputs,
        output: serde_json::to_string(&offer).unwrap(),
        digest: String::new(),
        at: NOW,
        millis: 0,
    };
    let store = place.store.fenced(job.fence.clone());
    store.append_step(&run.as_str().into(), &entry).await.unwrap();
    let shown = i64::try_from(number).unwrap() - 1;
    store.append_events(&run.as_str().into(), shown, &[kept(&Event::Offer(offer))]).await.unwrap();
    assert!(place.store.reschedule(&job.fence, Duration::from_secs(60)).await.unwrap());
    run
}

/// Takes the next run and ends it with a report.
async fn finish(place: &Place) {
    let job = claimed(place).await;
    let report = Event::Report { decision: Decision::FullReport, title: "Songs".to_owned() };
    let store = place.store.fenced(job.fence.clone());
    let last = [kept(&report), kept(&Event::End)];
    assert!(store.settle_run(&job.fence, &SUNG, &last, JobEnd::Done).await.unwrap());
}

#[tokio::test]
async fn a_run_that_waits_answers_with_its_plan_and_goes_on_when_it_is_approved() {
    let place = Place::open().await;
    let asked = json!({ "question": QUESTION, "approve": true });
    let (answer, run) =
        tokio::join!(place.call(post("/api/research", &asked)), offer(&place, 1, "Which town?"));
    assert_eq!(answer.status, StatusCode::ACCEPTED, "{}", answer.text);
    assert_eq!(answer.json()["status"], "running");
    let at = format!("/api/runs/{run}/plan");
    let shown = place.call(get(&at)).await.json();
    assert_eq!(shown["state"], "waiting", "{shown}");
    assert_eq!(shown["plan"]["parts"][0]["question"], "How high?");
    assert_eq!(shown["clarify"], "Which town?");
    let list = place.call(get("/runs")).await.text;
    assert!(
        list.contains("plan waits for approval") && !list.contains("data-key=\"running\""),
        "{list}"
    );
    assert!(shown["until"].as_str().is_some_and(|until| until.starts_with("2026-")), "{shown}");
    for (said, field) in [
        (json!({ "plan": {} }), "plan"),
        (json!({ "plan": { "parts": vec![json!({ "question": "Why?" }); 9] } }), "plan"),
        (json!({ "answer": "  " }), "answer"),
    ] {
        let refused = place.call(post(&at, &said)).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", refused.text);
        assert_eq!(refused.json()["field"], field);
    }
    let other = json!({ "plan": { "parts": [{ "question": "Who is fined?" }] } });
    let approved = place.call(post(&at, &other)).await;
    assert_eq!(approved.status, StatusCode::ACCEPTED, "{}", approved.text);
    assert_eq!(place.call(get(&at)).await.json()["state"], "settled");
    let list = place.call(get("/runs")).await.text;
    assert!(list.contains("data-key=\"running\""), "{list}");
    let twice = place.call(post(&at, &json!({}))).await;
    assert_eq!(twice.status, StatusCode::CONFLICT, "{}", twice.text);
    let entries = place.store.journal(&run.as_str().into()).await.unwrap();
    let said = entries.iter().find(|entry| entry.kind == "approve").unwrap();
    assert!(said.output.contains("Who is fined?"), "{}", said.output);
    // It is due at once and not in a minute.
    finish(&place).await;
    assert_eq!(place.store.job(&run).await.unwrap().unwrap().state, JobState::Done);
}

#[tokio::test]
async fn a_plan_is_approved_by_whoever_may_research_and_owns_the_run() {
    let place = Place::locked().await;
    let (ada, bob) =
        (place.token("ada", "read,research").await, place.token("bob", "read,research").await);
    let asked = post("/api/research", &json!({ "question": QUESTION, "approve": true }));
    let (_, run) = tokio::join!(place.call(asked.token(&ada)), offer(&place, 1, ""));
    let at = format!("/api/runs/{run}/plan");
    let reader = place.token("rita", "read").await;
    for token in [&bob, &reader] {
        let refused = place.call(post(&at, &json!({})).token(token)).await;
        assert_eq!(refused.status, StatusCode::FORBIDDEN, "{}", refused.text);
    }
    let approved = place.call(post(&at, &json!({})).token(&ada)).await;
    assert_eq!(approved.status, StatusCode::ACCEPTED, "{}", approved.text);
}

#[tokio::test]
async fn an_agent_plans_answers_and_approves() {
    let place = Place::locked().await;
    let token = place.token("ada", "read,research").await;
    let session = open(&place, &token).await;
    let planning = tool(&place, &token, &session, "plan_research", json!({ "question": QUESTION }));
    let (planned, run) = tokio::join!(planning, offer(&place, 1, "Which town?"));
    let shown = &planned["structuredContent"];
    assert_eq!(shown["run_id"].as_str(), Some(run.as_str()), "{planned}");
    assert_eq!((&shown["state"], &shown["clarify"]), (&json!("waiting"), &json!("Which town?")));
    let text = planned["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("- How high?\n  - fines"), "{text}");

    let answer = json!({ "run_id": run, "answer": "The old one." });
    let answering = tool(&place, &token, &session, "approve_plan", answer);
    let (again, _) = tokio::join!(answering, offer(&place, 2, ""));
    let next = &again["structuredContent"]["offer"];
    assert_eq!((&next["state"], &next["clarify"]), (&json!("waiting"), &json!(null)), "{again}");

    let approving = tool(&place, &token, &session, "approve_plan", json!({ "run_id": run }));
    let (done, ()) = tokio::join!(approving, finish(&place));
    let report = &done["structuredContent"]["report"];
    assert_eq!(report["decision"], "full_report", "{done}");
    let late = tool(&place, &token, &session, "approve_plan", json!({ "run_id": run })).await;
    assert_eq!(late["isError"], true, "{late}");
}

/// Asks on the page to be shown the plan first, and gives the run that waits with it and the key of its form.
async fn asked_on_the_page(place: &Place, clarify: &str) -> (String, String) {
    let key = form_key(&place.call(get("/")).await.text);
    let model = if clarify.is_empty() { "embedded" } else { "anthropic" };
    let fields = [
        ("form_key", key.as_str()),
        ("question", QUESTION),
        ("library", "on"),
        ("plan_first", "on"),
        ("model", model),
    ];
    let asked = place.call(Call::new(Method::POST, "/ask").form(&fields)).await;
    assert_eq!(asked.status, StatusCode::SEE_OTHER, "{}", asked.text);
    let run = offer(place, 1, clarify).await;
    assert_eq!(asked.header("location"), format!("/runs/{run}"));
    (run, key)
}

async fn press(
    place: &Place,
    run: &str,
    key: &str,
    fields: &[(&str, &str)],
) -> crate::place::Answer {
    let mut all = vec![("form_key", key)];
    all.extend_from_slice(fields);
    place.call(Call::new(Method::POST, &format!("/runs/{run}/plan")).form(&all)).await
}

async fn said(place: &Place, run: &str) -> serde_json::Value {
    let entries = place.store.journal(&run.into()).await.unwrap();
    let said = entries.iter().find(|entry| entry.kind == "approve").unwrap();
    serde_json::from_str(&said.output).unwrap()
}

#[tokio::test]
async fn a_plan_is_changed_on_the_page_until_it_is_right() {
    let place = Place::open().await;
    let (run, key) = asked_on_the_page(&place, "").await;
    let shown = place.call(get(&format!("/runs/{run}"))).await.text;
    assert!(
        shown.contains(">How high?</textarea>") && shown.contains(">fines</textarea>"),
        "{shown}"
    );
    assert!(!shown.contains("name=\"answer\""), "nothing was asked back");
    let typed =
        [("brief", "The fines."), ("part", "How high?"), ("part_queries", "fines\r\npenalties")];
    let with = |more: &[(&'static str, &'static str)]| [&typed[..], more].concat();
    let added = press(&place, &run, &key, &with(&[("do", "add")])).await.text;
    assert!(added.contains("Sub-question 2") && added.contains("fines\r\npenalties"), "{added}");
    let more =
        with(&[("part", "Who is <b>exempt</b>?"), ("part_queries", ""), ("queries", "noise")]);
    let removed =
        press(&place, &run, &key, &[&more[..], &[("do", "remove-0")]].concat()).await.text;
    assert!(!removed.contains("Sub-question 2") && !removed.contains("How high?"), "{removed}");
    assert!(removed.contains("Who is &#60;b&#62;exempt"), "{removed}");
    // What cannot be followed is said beside what was typed, and nothing is decided.
    let long = "how ".repeat(101);
    let refused =
        press(&place, &run, &key, &[("part", long.as_str()), ("do", "approve")]).await.text;
    assert!(
        refused.contains("more than 400 characters") && refused.contains("how how"),
        "{refused}"
    );
    let empty = press(&place, &run, &key, &[("do", "approve")]).await.text;
    assert!(empty.contains("names nothing to search for"), "{empty}");
    let nine = [&[("part", "Why?")].repeat(8)[..], &[("do", "add")]].concat();
    let nine = press(&place, &run, &key, &nine).await.text;
    assert!(nine.contains("at most 8 sub-questions"), "{nine}");
    let unknown = press(&place, &run, &key, &[("do", "dance")]).await;
    assert_eq!(unknown.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", unknown.text);
    let approved = press(&place, &run, &key, &[&more[..], &[("do", "approve")]].concat()).await;
    assert_eq!(approved.status, StatusCode::SEE_OTHER, "{}", approved.text);
    let plan = &said(&place, &run).await["plan"];
    assert_eq!(plan["brief"], "The fines.");
    assert_eq!(plan["parts"][0]["queries"], json!(["fines", "penalties"]));
    assert_eq!(
        plan["parts"][1]["queries"],
        json!(["Who is <b>exempt</b>?"]),
        "searched for as it stands"
    );
    assert_eq!(plan["queries"], json!(["noise"]));
    let late = press(&place, &run, &key, &[("do", "approve")]).await;
    assert_eq!(late.status, StatusCode::CONFLICT, "{}", late.text);
    let live = place.call(get(&format!("/runs/{run}"))).await.text;
    assert!(live.contains("data-live"), "{live}");
}

#[tokio::test]
async fn a_plan_is_approved_as_it_is_answered_or_dropped_on_the_page() {
    let place = Place::open().await;
    let (run, key) = asked_on_the_page(&place, "Which <i>town</i>?").await;
    let shown = place.call(get(&format!("/runs/{run}"))).await.text;
    assert!(shown.contains("Which &#60;i&#62;town"), "{shown}");
    let silent = press(&place, &run, &key, &[("answer", " "), ("do", "answer")]).await.text;
    assert!(silent.contains("the answer is empty"), "{silent}");
    let answered = press(&place, &run, &key, &[("answer", "The old one."), ("do", "answer")]).await;
    assert_eq!(answered.status, StatusCode::SEE_OTHER, "{}", answered.text);
    assert_eq!(said(&place, &run).await, json!({ "answer": "The old one." }));
    offer(&place, 2, "").await;
    let as_it_is = [("part", "How high?"), ("part_queries", "fines"), ("do", "approve")];
    let approved = press(&place, &run, &key, &as_it_is).await;
    assert_eq!(approved.status, StatusCode::SEE_OTHER, "{}", approved.text);
    let entries = place.store.journal(&run.as_str().into()).await.unwrap();
    let last = entries.iter().rfind(|entry| entry.kind == "approve").unwrap();
    assert_eq!(last.output, "{}", "nothing was changed");
    finish(&place).await;

    let (run, key) = asked_on_the_page(&place, "").await;
    let dropped = press(&place, &run, &key, &[("do", "drop")]).await;
    assert_eq!(dropped.status, StatusCode::SEE_OTHER, "{}", dropped.text);
    let stopped = place.call(get(&format!("/runs/{run}"))).await.text;
    assert!(stopped.contains("Resume it"), "{stopped}");
}

#[tokio::test]
async fn whoever_may_not_decide_reads_the_plan_only() {
    let place = Place::locked().await;
    let ada = place.token("ada", "read,research").await;
    let asked = post("/api/research", &json!({ "question": QUESTION, "approve": true }));
    let (_, run) = tokio::join!(place.call(asked.token(&ada)), offer(&place, 1, ""));
    for scopes in ["read", "read,research"] {
        let other = place.token(&format!("rita-{}", scopes.len()), scopes).await;
        let shown = place.call(get(&format!("/runs/{run}")).token(&other)).await.text;
        assert!(shown.contains("How high?") && shown.contains("or an admin, approves"), "{shown}");
        assert!(!shown.contains("<textarea"), "{shown}");
    }
}
