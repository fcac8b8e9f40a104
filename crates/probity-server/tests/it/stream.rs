//! Runs over HTTP: asked, followed from any point, stopped, resumed, owned.

use std::time::Duration;

use http::{Method, StatusCode};
use probity_core::{Decision, Mode};
use probity_research::Event;
use probity_store::events::NewEvent;
use probity_store::queue::{JobEnd, Leased};
use probity_store::{Ending, RunStatus};
use serde_json::{Value, json};

use crate::place::{Answer, Call, Place, SUNG, form_key, get, post};

const LEASE: Duration = Duration::from_secs(60);
const QUESTION: &str = "How loud may music be at night?";

fn kept(event: &Event) -> NewEvent {
    NewEvent { kind: event.kind().to_owned(), event: serde_json::to_string(event).unwrap() }
}

fn beginning(run: &str) -> Vec<NewEvent> {
    let start = Event::Start {
        run_id: run.to_owned().into(),
        question: QUESTION.to_owned(),
        mode: Mode::Standard,
    };
    let plan = Event::Plan {
        queries: vec!["loud\nmusic".to_owned()],
        brief: String::new(),
        parts: Vec::new(),
    };
    [start, plan].iter().map(kept).collect()
}

/// Takes the next run and carries it out in a few words.
async fn carry_out(place: &Place) -> Leased {
    let job = place.store.claim("w", &["research"], LEASE).await.unwrap().expect("a run");
    let run = job.fence.job.clone();
    let store = place.store.fenced(job.fence.clone());
    store.append_events(&run.as_str().into(), 0, &beginning(&run)).await.unwrap();
    let report = Event::Report { decision: Decision::FullReport, title: "Songs".to_owned() };
    let last = [kept(&report), kept(&Event::End)];
    assert!(store.settle_run(&job.fence, &SUNG, &last, JobEnd::Done).await.unwrap());
    job
}

/// The events of a stream: id, name, data.
fn events(answer: &Answer) -> Vec<(i64, String, Value)> {
    assert_eq!(answer.header("content-type"), "text/event-stream");
    let blocks = answer.text.split("\n\n").filter(|block| block.contains("event:"));
    let read = |block: &str| {
        let field = |name: &str| {
            let line = block.lines().find_map(|line| line.strip_prefix(name));
            line.unwrap_or_else(|| panic!("{name} is not in {block}")).trim().to_owned()
        };
        let data = serde_json::from_str(&field("data:")).unwrap();
        (field("id:").parse().unwrap(), field("event:"), data)
    };
    blocks.map(read).collect()
}

#[tokio::test]
async fn a_stream_tells_everything_in_order_and_ends() {
    let place = Place::open().await;
    let asked = place.call(post("/api/research/stream", &json!({ "question": QUESTION })));
    let (answer, _) = tokio::join!(asked, async {
        while place.store.queue_counts().await.unwrap().queued == 0 {
            tokio::task::yield_now().await;
        }
        carry_out(&place).await
    });
    let sent = events(&answer);
    let names: Vec<&str> = sent.iter().map(|(_, name, _)| name.as_str()).collect();
    assert_eq!(names, ["start", "plan", "report", "end"]);
    let ids: Vec<i64> = sent.iter().map(|(id, _, _)| *id).collect();
    assert_eq!(ids, [1, 2, 3, 4]);
    assert_eq!(sent[1].2["queries"][0], "loud\nmusic");
}

#[tokio::test]
async fn a_client_that_comes_back_gets_what_it_missed_and_a_late_one_everything() {
    let place = Place::open().await;
    let page = place.call(get("/")).await;
    let fields = [("form_key", form_key(&page.text)), ("question", QUESTION.to_owned())];
    let fields = fields.each_ref().map(|(name, value)| (*name, value.as_str()));
    let asked = place.call(Call::new(Method::POST, "/ask").form(&fields)).await;
    assert_eq!(asked.status, StatusCode::SEE_OTHER, "{}", asked.text);
    let run = asked.header("location").rsplit('/').next().unwrap().to_owned();
    carry_out(&place).await;
    let path = format!("/api/runs/{run}/events");
    let late = events(&place.call(get(&path)).await);
    assert_eq!(late.len(), 4);
    let back = events(&place.call(get(&path).with("last-event-id", "2")).await);
    assert_eq!(back, late[2..]);
    let named = events(&place.call(get(&format!("{path}?after=3"))).await);
    assert_eq!(named, late[3..]);
    let list = place.call(get(&path).with("accept", "application/json")).await.json();
    assert_eq!(list["items"][3]["event"]["event"], "end");
    let wrong = place.call(get(&path).with("last-event-id", "x")).await;
    assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY);
    let report = place.call(get(&format!("/runs/{run}"))).await;
    assert!(report.text.contains("Executive Summary"));
}

#[tokio::test]
async fn a_waiting_caller_gets_the_report() {
    let place = Place::open().await;
    let asked = place.call(post("/api/research", &json!({ "question": QUESTION })));
    let (answer, _) = tokio::join!(asked, async {
        while place.store.queue_counts().await.unwrap().queued == 0 {
            tokio::task::yield_now().await;
        }
        carry_out(&place).await
    });
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    assert_eq!(answer.json()["decision"], "full_report");
    assert_eq!(answer.json()["report"]["format"], "probity-report/1");
}

#[tokio::test]
async fn a_run_goes_on_without_its_asker_unless_the_asker_said_otherwise() {
    let place = Place::open().await;
    for (cancel, queued) in [(false, 1), (true, 1)] {
        let body = json!({ "question": QUESTION, "cancel_if_gone": cancel });
        let asked = place.call(post("/api/research", &body));
        // The asker goes away as soon as the run is queued.
        tokio::select! {
            _ = asked => panic!("nobody carried it out"),
            () = async {
                let before = i64::from(cancel);
                while place.store.queue_counts().await.unwrap().queued <= before {
                    tokio::task::yield_now().await;
                }
            } => {}
        }
        let calm = async {
            while place.store.queue_counts().await.unwrap().queued != queued {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(Duration::from_secs(30), calm).await.expect("the run is called off");
    }
}

#[tokio::test]
async fn too_much_waiting_is_said_with_a_time_to_come_back() {
    let place = Place::locked().await;
    let (ada, bob) = (place.token("ada", "research").await, place.token("bob", "research").await);
    let ask = |token: &str| {
        let body = json!({ "question": QUESTION });
        let call = post("/api/research/stream", &body).token(token);
        place.router.clone().call_head(call)
    };
    let mut statuses = Vec::new();
    for token in [&ada, &ada, &ada, &bob, &bob] {
        statuses.push(ask(token).await);
    }
    assert_eq!(statuses, [200, 200, 503, 200, 503]);
}

trait CallHead {
    async fn call_head(self, call: Call) -> u16;
}

impl CallHead for axum::Router {
    /// The status of an answer whose body may never end.
    async fn call_head(self, call: Call) -> u16 {
        tower::ServiceExt::oneshot(self, call.request()).await.unwrap().status().as_u16()
    }
}

#[tokio::test]
async fn a_run_is_stopped_and_resumed_by_its_owner_or_an_admin() {
    let place = Place::locked().await;
    let (ada, bob) =
        (place.token("ada", "read,research").await, place.token("bob", "read,research").await);
    let root = place.token("root", "read,research,admin").await;
    let body = json!({ "question": QUESTION });
    let call = post("/api/research/stream", &body).token(&ada);
    assert_eq!(place.router.clone().call_head(call).await, 200);
    let runs = place.call(get("/api/runs?status=running").token(&ada)).await.json();
    let run = runs["items"][0]["id"].as_str().unwrap().to_owned();
    let to = |what: &str, token: &str| {
        Call::new(Method::POST, &format!("/api/runs/{run}/{what}")).token(token)
    };
    assert_eq!(place.call(to("cancel", &bob)).await.status, StatusCode::FORBIDDEN);
    let delete = Call::new(Method::DELETE, &format!("/api/runs/{run}")).token(&root);
    assert_eq!(place.call(delete).await.status, StatusCode::CONFLICT);
    assert_eq!(place.call(to("cancel", &ada)).await.status, StatusCode::ACCEPTED);
    assert_eq!(place.call(to("cancel", &ada)).await.status, StatusCode::CONFLICT);
    let sent = events(&place.call(get(&format!("/api/runs/{run}/events")).token(&ada)).await);
    assert_eq!(sent.last().unwrap().1, "end");
    assert_eq!(place.call(to("resume", &bob)).await.status, StatusCode::FORBIDDEN);
    assert_eq!(place.call(to("resume", &root)).await.status, StatusCode::ACCEPTED);
    carry_out(&place).await;
    let shown = place.call(get(&format!("/api/runs/{run}")).token(&bob)).await.json();
    assert_eq!(shown["status"], "finished");
    assert_eq!(place.call(to("resume", &root)).await.status, StatusCode::CONFLICT);
}

#[tokio::test]
async fn the_page_of_a_run_tells_its_story_and_goes_on_telling_it() {
    let place = Place::open().await;
    let call = post("/api/research/stream", &json!({ "question": QUESTION }));
    assert_eq!(place.router.clone().call_head(call).await, 200);
    let runs = place.call(get("/api/runs?status=running")).await.json();
    let run = runs["items"][0]["id"].as_str().unwrap().to_owned();
    let waiting = place.call(get(&format!("/runs/{run}"))).await.text;
    assert!(waiting.contains("It is next in the queue."));
    assert!(waiting.contains("data-seconds=\"\">not begun</span> · <span id=\"spent\">nothing"));
    let job = place.store.claim("w", &["research"], LEASE).await.unwrap().unwrap();
    let store = place.store.fenced(job.fence.clone());
    store.append_events(&run.as_str().into(), 0, &beginning(&run)).await.unwrap();
    let page = place.call(get(&format!("/runs/{run}"))).await.text;
    assert!(page.contains("id=\"row-plan-0\"") && page.contains("data-after=\"2\""), "{page}");
    assert!(page.contains(" s</span> · <span id=\"spent\">nothing spent"), "{page}");
    let ending = Ending {
        status: RunStatus::Failed,
        decision: None,
        title: None,
        report: None,
        error: Some("no luck"),
    };
    let last = probity_store::events::closing("no luck");
    let end = JobEnd::Hopeless { error: "no luck" };
    assert!(store.settle_run(&job.fence, &ending, &last, end).await.unwrap());
    let live = events(&place.call(get(&format!("/runs/{run}/live?after=2"))).await);
    assert_eq!(live[0].1, "rows");
    assert_eq!(live[0].2["rows"][0]["id"], "row-error");
    assert_eq!(live.last().unwrap().1, "end");
    let stopped = place.call(get(&format!("/runs/{run}"))).await.text;
    assert!(stopped.contains("no luck") && stopped.contains("Resume it"));
}
