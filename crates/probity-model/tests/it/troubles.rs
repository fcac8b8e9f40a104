//! What goes wrong on the way to a model, for each protocol: it is named, retried where that
//! helps, and never takes longer than it may.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use probity_model::wire::Protocol;
use probity_model::{Chain, ModelError, Request};
use probity_testkit::fake_api::{Answer, FakeApi};
use tokio::time::Instant;

use crate::protocols::says;
use crate::reached::{ALL, KEY, ask, ask_within, model, request, shaped};

/// An API that answers like this at first, and well after so many times.
async fn troubled(protocol: Protocol, times: usize, trouble: Answer) -> FakeApi {
    let count = AtomicUsize::new(0);
    let good = says(protocol, "ok").to_string();
    FakeApi::start(move |_| match count.fetch_add(1, Ordering::SeqCst) {
        n if n < times => trouble.clone(),
        _ => Answer::json(good.clone()),
    })
    .await
}

#[tokio::test]
async fn a_provider_that_is_busy_is_asked_again_when_it_says() {
    for protocol in ALL {
        for status in [408, 429, 500, 502, 503, 529] {
            let busy = Answer::status(status).with_header("retry-after", "0");
            let api = troubled(protocol, 2, busy).await;
            let reply = ask(&*model(protocol, &api.url(), "m"), &request()).await.unwrap();
            assert_eq!(reply.text, "ok", "{protocol:?} {status}");
            assert_eq!(api.requests().len(), 3);
        }
    }
}

#[tokio::test]
async fn connections_that_break_are_tried_again() {
    for protocol in ALL {
        for trouble in [Answer::HangUp, Answer::Cut { body: b"{\"half".to_vec() }] {
            let api = troubled(protocol, 1, trouble.clone()).await;
            let reply = ask(&*model(protocol, &api.url(), "m"), &request()).await;
            assert_eq!(reply.unwrap().text, "ok", "{protocol:?} {trouble:?}");
        }
    }
}

#[tokio::test]
async fn a_stream_that_stops_before_its_end_is_no_answer() {
    for (protocol, body) in [
        (
            Protocol::Messages,
            "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"half\"}}\n\n",
        ),
        (
            Protocol::Responses,
            "data: {\"type\":\"response.output_text.delta\",\"delta\":\"half\"}\n\n",
        ),
        (Protocol::Chat, "data: {\"choices\":[{\"delta\":{\"content\":\"half\"}}]}\n\n"),
        (
            Protocol::Gemini,
            "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"half\"}]}}]}\n\n",
        ),
        (Protocol::Ollama, "{\"message\":{\"content\":\"half\"},\"done\":false}\n"),
    ] {
        let api = FakeApi::start(move |_| Answer::ok("text/event-stream", body)).await;
        let asked = Request { stream: true, ..request() };
        let model = model(protocol, &api.url(), "m");
        let error = ask_within(&*model, &asked, Duration::from_millis(300)).await.unwrap_err();
        assert!(error.to_string().contains("broke off"), "{protocol:?}: {error}");
    }
}

#[tokio::test]
async fn an_overload_in_the_middle_of_a_stream_is_tried_again() {
    let count = AtomicUsize::new(0);
    let api = FakeApi::start(move |_| match count.fetch_add(1, Ordering::SeqCst) {
        0 => Answer::ok(
            "text/event-stream",
            "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n",
        ),
        _ => Answer::ok(
            "text/event-stream",
            "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"ok\"}}\n\ndata: {\"type\":\"message_stop\"}\n\n",
        ),
    })
    .await;
    let asked = Request { stream: true, ..request() };
    let reply = ask(&*model(Protocol::Messages, &api.url(), "m"), &asked).await.unwrap();
    assert_eq!(reply.text, "ok");
}

#[tokio::test]
async fn silence_ends_at_the_deadline() {
    for protocol in ALL {
        let api = FakeApi::start(|_| Answer::Silence).await;
        let model = model(protocol, &api.url(), "m");
        let error = ask_within(&*model, &request(), Duration::from_millis(80)).await.unwrap_err();
        assert!(matches!(error, ModelError::Timeout { .. }), "{protocol:?}: {error}");
    }
}

#[tokio::test]
async fn a_wait_beyond_the_deadline_is_not_begun() {
    let api = FakeApi::start(|_| Answer::status(429).with_header("retry-after", "3600")).await;
    let model = model(Protocol::Chat, &api.url(), "m");
    let error = ask(&*model, &request()).await.unwrap_err();
    assert_eq!(error.retry_after(), Some(Duration::from_secs(600)), "{error}");
    assert_eq!(api.requests().len(), 1);
}

#[tokio::test]
async fn what_cannot_succeed_is_not_tried_again_and_shows_no_key() {
    for protocol in ALL {
        for status in [400, 401, 403, 404, 422] {
            let said = format!("{{\"error\":{{\"message\":\"bad key {KEY}\\u001b[31m\"}}}}");
            let api = FakeApi::start(move |_| Answer::status(status).with_body(said.clone())).await;
            let error = ask(&*model(protocol, &api.url(), "m"), &request()).await.unwrap_err();
            let shown = format!("{error} {error:?} {}", serde_json::to_string(&error).unwrap());
            assert!(shown.contains("bad key [redacted]"), "{shown}");
            assert!(!shown.contains(KEY) && !shown.contains('\u{1b}'), "{shown}");
            assert_eq!(api.requests().len(), 1, "{protocol:?} {status}");
        }
    }
}

#[tokio::test]
async fn what_a_model_says_is_left_as_it_is() {
    for protocol in ALL {
        let body = says(protocol, &format!("the {KEY} of the town")).to_string();
        let api = FakeApi::start(move |_| Answer::json(body.clone())).await;
        let reply = ask(&*model(protocol, &api.url(), "m"), &request()).await.unwrap();
        assert_eq!(reply.text, format!("the {KEY} of the town"));
    }
}

#[tokio::test]
async fn no_form_of_a_key_that_a_server_echoes_in_an_error_is_shown() {
    use base64::Engine as _;
    let base64 = |text: &str| base64::engine::general_purpose::STANDARD.encode(text);
    let percent: String = KEY.bytes().map(|byte| format!("%{byte:02X}")).collect();
    let long = format!("{}{KEY}", "x".repeat(235));
    let forms = [KEY.to_owned(), percent, base64(KEY), base64(&format!("user:{KEY}")), long];
    for protocol in ALL {
        for form in &forms {
            let said =
                serde_json::json!({"type": "error", "error": {"message": form, "type": "invalid"}})
                    .to_string();
            // As a refusal, and inside of an answer that says it is one.
            for status in [400, 200] {
                let body = said.clone();
                let answer = move |_: &_| Answer::status(status).with_body(body.clone());
                let api = FakeApi::start(answer).await;
                let error = ask(&*model(protocol, &api.url(), "m"), &request()).await.unwrap_err();
                let shown = format!("{error} {error:?}");
                // A long text is cut, maybe inside the mark.
                assert!(shown.contains("[red"), "{protocol:?} {status}: {shown}");
                let part = form.get(form.len() - 12..form.len() - 6).unwrap();
                assert!(!shown.contains(part), "{protocol:?} {status}: {shown}");
            }
        }
    }
}

#[tokio::test]
async fn replies_that_are_no_replies_are_named() {
    for protocol in ALL {
        for body in ["", "no json", "[]", "{}", "{\"type\":\"surprise\"}", "null"] {
            let api = FakeApi::start(move |_| Answer::json(body)).await;
            let model = model(protocol, &api.url(), "m");
            let result = ask_within(&*model, &request(), Duration::from_millis(250)).await;
            if let Ok(reply) = &result {
                assert!(reply.text.is_empty() && reply.calls.is_empty(), "{protocol:?} {body}");
            }
        }
    }
}

#[tokio::test]
async fn a_flood_is_cut_off() {
    for protocol in ALL {
        let flood = says(protocol, &"x".repeat(1024 * 1024)).to_string();
        let api = FakeApi::start(move |_| Answer::json(flood.clone())).await;
        let error = ask(&*model(protocol, &api.url(), "m"), &request()).await.unwrap_err();
        assert!(error.to_string().contains("longer than"), "{protocol:?}: {error}");
    }
    let api = FakeApi::start(|_| Answer::json(vec![b' '; 9 * 1024 * 1024])).await;
    let error = ask(&*model(Protocol::Chat, &api.url(), "m"), &request()).await.unwrap_err();
    assert!(matches!(error, ModelError::TooLarge { .. }), "{error}");
}

#[tokio::test]
async fn a_redirect_does_not_take_the_key_along() {
    let other = FakeApi::start(|_| Answer::status(200)).await;
    let to = other.url();
    let api = FakeApi::start(move |_| Answer::status(307).with_header("location", &to)).await;
    let error = ask(&*model(Protocol::Chat, &api.url(), "m"), &request()).await.unwrap_err();
    assert!(matches!(error, ModelError::Rejected { status: 307, .. }), "{error}");
    assert!(other.requests().is_empty());
}

#[tokio::test]
async fn a_server_that_knows_no_schemas_is_asked_without() {
    let good = says(Protocol::Chat, "{\"queries\": [\"a\"]}").to_string();
    let api = FakeApi::start(move |sent| match sent.json().get("response_format") {
        Some(_) => Answer::status(400).with_body("{\"error\":\"unknown field response_format\"}"),
        None => Answer::json(good.clone()),
    })
    .await;
    let model = model(Protocol::Chat, &api.url(), "m");
    for _ in 0..2 {
        assert!(ask(&*model, &shaped()).await.unwrap().text.contains("queries"));
    }
    assert_eq!(api.requests().len(), 3, "it is remembered");
}

#[tokio::test]
async fn a_provider_that_keeps_failing_is_left_alone_and_another_stands_in() {
    let dead = FakeApi::start(|_| Answer::status(503).with_header("retry-after", "0")).await;
    let good = says(Protocol::Messages, "ok").to_string();
    let alive = FakeApi::start(move |_| Answer::json(good.clone())).await;
    let first = model(Protocol::Chat, &dead.url(), "m");
    let chain = Chain::new(Arc::clone(&first), [model(Protocol::Messages, &alive.url(), "n")]);
    for _ in 0..5 {
        let deadline = Instant::now() + Duration::from_secs(20);
        let reply = chain.ask(&request(), deadline, &|_: &str| {}).await.unwrap();
        assert_eq!(reply.model, "anthropic:n");
    }
    assert!(dead.requests().len() <= 8, "{}", dead.requests().len());
    let error = ask(&*first, &request()).await.unwrap_err();
    assert!(matches!(error, ModelError::Resting { .. }), "{error}");
}

#[tokio::test]
async fn no_more_calls_than_permitted_are_under_way() {
    let api = FakeApi::start(|_| Answer::Silence).await;
    let model = model(Protocol::Chat, &api.url(), "m");
    let asked = request();
    // Those that go first hold out longer than the others can wait, so that no turn comes free.
    let asking = (0..12).map(|n| {
        let time = Duration::from_millis(if n < 4 { 3_000 } else { 300 });
        ask_within(&*model, &asked, time)
    });
    let replies = futures::future::join_all(asking).await;
    assert!(replies.iter().all(|reply| matches!(reply, Err(ModelError::Timeout { .. }))));
    assert_eq!(api.requests().len(), 4, "the others waited for their turn");
}
