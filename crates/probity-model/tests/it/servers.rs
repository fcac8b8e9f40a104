//! The five protocols against servers of other makers, which `scripts/with-models` starts.

use std::sync::Mutex;
use std::time::Duration;

use probity_model::wire::Protocol;
use probity_model::{ModelError, Request, ToolResult, Turn};
use serde_json::Value;
use tokio::time::Instant;

use crate::reached::{ALL, ask, ask_within, model, request, shaped, tool};

/// The address of a server, or a line that says why a test does nothing.
fn server(variable: &str) -> Option<String> {
    let address = std::env::var(variable).ok().filter(|text| !text.is_empty());
    if address.is_none() {
        println!("{variable} is not set: run scripts/with-models cargo test -p probity-model");
    }
    address
}

fn base(protocol: Protocol, address: &str) -> String {
    match protocol {
        Protocol::Responses | Protocol::Chat => format!("{address}/v1"),
        _ => address.to_owned(),
    }
}

fn asking(text: &str) -> Request {
    Request { turns: vec![Turn::User(text.to_owned())], ..request() }
}

fn name(protocol: Protocol) -> &'static str {
    match protocol {
        Protocol::Messages => "messages",
        Protocol::Responses => "responses",
        Protocol::Chat => "chat",
        Protocol::Gemini => "gemini",
        Protocol::Ollama => "ollama",
        Protocol::Converse => "converse",
    }
}

#[tokio::test]
async fn aimock_answers_in_every_protocol_with_usage() {
    let Some(address) = server("PROBITY_TEST_AIMOCK") else { return };
    for protocol in ALL {
        let model = model(protocol, &base(protocol, &address), "gpt-4o");
        let reply = ask(&*model, &asking("plain question")).await;
        let reply = reply.unwrap_or_else(|error| panic!("{protocol:?}: {error}"));
        assert_eq!(reply.text, "A luthier makes instruments.", "{protocol:?}");
        assert!(reply.tokens.input > 0 && reply.tokens.output > 0, "{protocol:?}");
    }
}

#[tokio::test]
async fn aimock_answers_in_a_shape() {
    let Some(address) = server("PROBITY_TEST_AIMOCK") else { return };
    for protocol in ALL {
        let model = model(protocol, &base(protocol, &address), "gpt-4o");
        let text =
            if protocol == Protocol::Messages { "shaped as a tool" } else { "shape question" };
        let asked = Request { schema: shaped().schema, ..asking(text) };
        let reply = ask(&*model, &asked).await.unwrap();
        let value: Value = serde_json::from_str(&reply.text).unwrap();
        assert_eq!(value["queries"], serde_json::json!(["one", "two"]), "{protocol:?}");
        assert!(reply.calls.is_empty());
    }
}

#[tokio::test]
async fn aimock_calls_tools_and_takes_their_answers() {
    let Some(address) = server("PROBITY_TEST_AIMOCK") else { return };
    for stream in [false, true] {
        for protocol in ALL {
            let model = model(protocol, &base(protocol, &address), "gpt-4o");
            let mut asked = Request { tools: vec![tool()], stream, ..asking("tool question") };
            let reply = ask(&*model, &asked).await.unwrap();
            let queries: Vec<&Value> = reply.calls.iter().map(|c| &c.arguments["query"]).collect();
            assert_eq!(queries, ["a", "b"], "{protocol:?} {stream}");
            let results = reply.calls.iter().map(|call| ToolResult {
                id: call.id.clone(),
                name: call.name.clone(),
                text: "nothing".to_owned(),
                is_error: false,
            });
            let results = Turn::Results(results.collect());
            asked.turns.push(Turn::Model { text: reply.text, calls: reply.calls });
            asked.turns.push(results);
            let reply = ask(&*model, &asked).await.unwrap();
            assert_eq!(reply.text, "Done with tools.", "{protocol:?} {stream}");
        }
    }
}

#[tokio::test]
async fn aimock_streams_words() {
    let Some(address) = server("PROBITY_TEST_AIMOCK") else { return };
    for protocol in ALL {
        let model = model(protocol, &base(protocol, &address), "gpt-4o");
        let asked = Request { stream: true, ..asking("plain question") };
        let heard = Mutex::new(Vec::new());
        let listen = |words: &str| heard.lock().unwrap().push(words.to_owned());
        let deadline = Instant::now() + Duration::from_secs(20);
        let reply = model.ask(&asked, deadline, &listen).await.unwrap();
        let heard = heard.into_inner().unwrap();
        assert_eq!(reply.text, "A luthier makes instruments.", "{protocol:?}");
        assert_eq!(heard.concat(), reply.text);
        assert!(heard.len() > 1, "{protocol:?}: {heard:?}");
        assert!(reply.tokens.input > 0 && reply.tokens.output > 0);
    }
}

#[tokio::test]
async fn aimock_that_is_busy_broken_or_cut_off_is_asked_again() {
    let Some(address) = server("PROBITY_TEST_AIMOCK") else { return };
    for protocol in ALL {
        for trouble in ["busy", "broken", "cut"] {
            let model = model(protocol, &base(protocol, &address), "gpt-4o");
            let stream = trouble == "cut";
            let asked = Request { stream, ..asking(&format!("{trouble} {}", name(protocol))) };
            let reply = ask(&*model, &asked).await;
            let reply = reply.unwrap_or_else(|error| panic!("{protocol:?} {trouble}: {error}"));
            assert_eq!(reply.text, "Better now.", "{protocol:?} {trouble}");
        }
    }
}

#[tokio::test]
async fn aimock_that_is_slow_hangs_up_or_garbles_is_given_up() {
    let Some(address) = server("PROBITY_TEST_AIMOCK") else { return };
    for protocol in ALL {
        for trouble in ["slow question", "hung up on", "garbled"] {
            let model = model(protocol, &base(protocol, &address), "gpt-4o");
            let asked = Request { stream: true, ..asking(trouble) };
            let error = ask_within(&*model, &asked, Duration::from_millis(900)).await;
            let error = error.expect_err(&format!("{protocol:?} {trouble}"));
            let fits = match trouble {
                "slow question" => matches!(error, ModelError::Timeout { .. }),
                "hung up on" => matches!(error, ModelError::Unreachable { .. }),
                _ => matches!(
                    error,
                    ModelError::Malformed { .. }
                        | ModelError::Unreachable { .. }
                        | ModelError::BrokenOff { .. }
                ),
            };
            assert!(fits, "{protocol:?} {trouble}: {error}");
        }
    }
}

#[tokio::test]
async fn litellm_answers_streams_and_refuses() {
    let Some(address) = server("PROBITY_TEST_LITELLM") else { return };
    let model = |name: &str| model(Protocol::Chat, &format!("{address}/v1"), name);
    let plain = asking("What is a luthier?");
    for stream in [false, true] {
        let reply = ask(&*model("plain"), &Request { stream, ..plain.clone() }).await.unwrap();
        assert_eq!(reply.text, "A luthier makes instruments.");
        assert!(reply.tokens.input > 0 && reply.tokens.output > 0);
    }
    let asked = Request { schema: shaped().schema, ..plain.clone() };
    assert!(ask(&*model("shape"), &asked).await.unwrap().text.contains("\"one\""));
    for (name, status) in [("busy", 429), ("broken", 500)] {
        let error = ask_within(&*model(name), &plain, Duration::from_secs(3)).await.unwrap_err();
        assert!(matches!(&error, ModelError::Busy { status: s, .. } if *s == status), "{error}");
    }
    let error = ask(&*model("nobody"), &plain).await.unwrap_err();
    assert!(matches!(error, ModelError::Rejected { .. }), "{error}");
}
