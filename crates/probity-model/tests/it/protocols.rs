//! Each protocol says the same request in its own words, and its own replies say the same.

use std::sync::Mutex;
use std::time::Duration;

use probity_model::wire::Protocol;
use probity_model::{Request, Stop, ToolCall, ToolResult, Turn};
use probity_testkit::fake_api::{Answer, FakeApi};
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::reached::{ALL, KEY, ask, model, request, shaped, tool};

/// A whole reply that says a text.
pub(crate) fn says(protocol: Protocol, text: &str) -> Value {
    match protocol {
        Protocol::Messages => json!({
            "type": "message", "role": "assistant", "stop_reason": "end_turn",
            "content": [{"type": "text", "text": text}],
            "usage": {"input_tokens": 10, "cache_read_input_tokens": 5, "output_tokens": 7},
        }),
        Protocol::Responses => json!({
            "status": "completed", "error": null, "incomplete_details": null,
            "output": [
                {"type": "reasoning", "summary": []},
                {"type": "message", "content": [{"type": "output_text", "text": text}]},
            ],
            "usage": {"input_tokens": 15, "input_tokens_details": {"cached_tokens": 5}, "output_tokens": 7},
        }),
        Protocol::Chat => json!({
            "choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 15, "prompt_tokens_details": {"cached_tokens": 5}, "completion_tokens": 7},
        }),
        Protocol::Gemini => json!({
            "candidates": [{"content": {"parts": [{"text": "hm", "thought": true}, {"text": text}]}, "finishReason": "STOP"}],
            "usageMetadata": {"promptTokenCount": 15, "cachedContentTokenCount": 5, "candidatesTokenCount": 4, "thoughtsTokenCount": 3},
        }),
        Protocol::Ollama => json!({
            "message": {"role": "assistant", "content": text}, "done": true, "done_reason": "stop",
            "prompt_eval_count": 15, "eval_count": 7,
        }),
        Protocol::Converse => json!({
            "output": {"message": {"role": "assistant", "content": [
                {"reasoningContent": {"reasoningText": {"text": "hm"}}}, {"text": text},
            ]}},
            "stopReason": "end_turn", "metrics": {"latencyMs": 5},
            "usage": {"inputTokens": 10, "cacheReadInputTokens": 5, "outputTokens": 7, "totalTokens": 22},
        }),
    }
}

/// A whole reply that calls two tools at once.
pub(crate) fn calls(protocol: Protocol) -> Value {
    let (one, two) = (json!({"query": "a"}), json!({"query": "b"}));
    match protocol {
        Protocol::Messages => json!({
            "type": "message", "stop_reason": "tool_use",
            "content": [
                {"type": "text", "text": "Let me look."},
                {"type": "tool_use", "id": "t1", "name": "search_web", "input": one},
                {"type": "tool_use", "id": "t2", "name": "search_web", "input": two},
            ],
            "usage": {"input_tokens": 1, "output_tokens": 1},
        }),
        Protocol::Responses => json!({
            "status": "completed",
            "output": [
                {"type": "function_call", "call_id": "t1", "name": "search_web", "arguments": one.to_string()},
                {"type": "function_call", "call_id": "t2", "name": "search_web", "arguments": two.to_string()},
            ],
        }),
        Protocol::Chat => {
            json!({"choices": [{"finish_reason": "stop", "message": {"content": null, "tool_calls": [
                {"id": "t1", "type": "function", "function": {"name": "search_web", "arguments": one.to_string()}},
                {"id": "t2", "type": "function", "function": {"name": "search_web", "arguments": two}},
            ]}}]})
        }
        Protocol::Gemini => json!({"candidates": [{"finishReason": "STOP", "content": {"parts": [
            {"functionCall": {"name": "search_web", "args": one}, "thoughtSignature": "sig"},
            {"functionCall": {"name": "search_web", "args": two}},
        ]}}]}),
        Protocol::Ollama => json!({"done": true, "message": {"content": "", "tool_calls": [
            {"function": {"name": "search_web", "arguments": one}},
            {"function": {"name": "search_web", "arguments": two}},
        ]}}),
        Protocol::Converse => json!({
            "output": {"message": {"role": "assistant", "content": [
                {"text": "Let me look."},
                {"toolUse": {"toolUseId": "t1", "name": "search_web", "input": one}},
                {"toolUse": {"toolUseId": "t2", "name": "search_web", "input": two}},
            ]}},
            "stopReason": "tool_use", "usage": {"inputTokens": 1, "outputTokens": 1},
        }),
    }
}

/// The events of a streamed reply that says `Hello wo` and `rld`, as the protocol frames them.
fn streams(protocol: Protocol) -> (&'static str, String) {
    let events = match protocol {
        Protocol::Messages => vec![
            json!({"type": "message_start", "message": {"usage": {"input_tokens": 15, "output_tokens": 1}}}),
            json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
            json!({"type": "ping"}),
            json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Hello wo"}}),
            json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "rld"}}),
            json!({"type": "content_block_stop", "index": 0}),
            json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 7}}),
            json!({"type": "message_stop"}),
        ],
        Protocol::Responses => vec![
            json!({"type": "response.created"}),
            json!({"type": "response.output_text.delta", "delta": "Hello wo"}),
            json!({"type": "response.output_text.delta", "delta": "rld"}),
            json!({"type": "response.completed", "response": says(protocol, "Hello world")}),
        ],
        Protocol::Chat => vec![
            json!({"choices": [{"delta": {"role": "assistant", "content": "Hello wo"}, "finish_reason": null}]}),
            json!({"choices": [{"delta": {"content": "rld"}, "finish_reason": null}]}),
            json!({"choices": [{"delta": {}, "finish_reason": "stop"}]}),
            json!({"choices": [], "usage": {"prompt_tokens": 15, "completion_tokens": 7}}),
        ],
        Protocol::Gemini => vec![
            json!({"candidates": [{"content": {"parts": [{"text": "Hello wo"}]}}]}),
            json!({"candidates": [{"content": {"parts": [{"text": "rld"}]}, "finishReason": "STOP"}],
                "usageMetadata": {"promptTokenCount": 15, "candidatesTokenCount": 7}}),
        ],
        Protocol::Ollama => vec![
            json!({"message": {"content": "Hello wo"}, "done": false}),
            json!({"message": {"content": "rld"}, "done": false}),
            json!({"message": {"content": ""}, "done": true, "prompt_eval_count": 15, "eval_count": 7}),
        ],
        // It is asked for whole replies only.
        Protocol::Converse => vec![says(protocol, "Hello world")],
    };
    if protocol == Protocol::Ollama {
        let lines: Vec<String> = events.iter().map(ToString::to_string).collect();
        return ("application/x-ndjson", lines.join("\n"));
    }
    let mut text: String =
        events.iter().map(|event| format!("event: x\ndata: {event}\n\n")).collect();
    if protocol == Protocol::Chat {
        text.push_str("data: [DONE]\n\n");
    }
    ("text/event-stream", text)
}

#[tokio::test]
async fn a_question_is_asked_and_answered_with_its_cost() {
    for protocol in ALL {
        let body = says(protocol, "An instrument maker.").to_string();
        let api = FakeApi::start(move |_| Answer::json(body.clone())).await;
        let reply = ask(&*model(protocol, &api.url(), "m-1"), &request()).await.unwrap();
        assert_eq!(reply.text, "An instrument maker.", "{protocol:?}");
        assert_eq!((reply.tokens.input, reply.tokens.output), (15, 7), "{protocol:?}");
        let cached = if protocol == Protocol::Ollama { 0 } else { 5 };
        assert_eq!((reply.tokens.cached, reply.tokens.estimated), (cached, false));
        assert_eq!(reply.stop, Stop::End);
        let sent = &api.requests()[0];
        let text = String::from_utf8(sent.body.clone()).unwrap();
        assert!(text.contains("Be brief.") && text.contains("What is a luthier?"));
        assert!(!text.contains(KEY), "the key belongs into a header");
        let (header, value) = match protocol {
            Protocol::Messages => ("x-api-key", KEY.to_owned()),
            Protocol::Gemini => ("x-goog-api-key", KEY.to_owned()),
            _ => ("authorization", format!("Bearer {KEY}")),
        };
        assert_eq!(sent.header(header), Some(value.as_str()), "{protocol:?}");
        assert!(!sent.path.contains(KEY) && sent.query.is_empty());
    }
}

#[tokio::test]
async fn a_base_url_keeps_its_path() {
    for (protocol, path) in [
        (Protocol::Messages, "/x/v1/messages"),
        (Protocol::Responses, "/x/responses"),
        (Protocol::Chat, "/x/chat/completions"),
        (Protocol::Gemini, "/x/v1beta/models/m:generateContent"),
        (Protocol::Ollama, "/x/api/chat"),
    ] {
        let body = says(protocol, "ok").to_string();
        let api = FakeApi::start(move |_| Answer::json(body.clone())).await;
        for base in [format!("{}/x", api.url()), format!("{}/x/", api.url())] {
            ask(&*model(protocol, &base, "m"), &request()).await.unwrap();
        }
        assert!(api.requests().iter().all(|sent| sent.path == path), "{protocol:?}");
    }
}

#[tokio::test]
async fn a_shape_is_asked_for_in_the_protocols_own_way() {
    for (protocol, pointer) in [
        (Protocol::Messages, "/tools/0/input_schema"),
        (Protocol::Responses, "/text/format/schema"),
        (Protocol::Chat, "/response_format/json_schema/schema"),
        (Protocol::Gemini, "/generationConfig/responseJsonSchema"),
        (Protocol::Ollama, "/format"),
    ] {
        let answer = json!({"queries": ["one", "two"]});
        let body = match protocol {
            Protocol::Messages => json!({"type": "message", "stop_reason": "tool_use", "content":
                [{"type": "tool_use", "id": "t", "name": "plan", "input": answer}]}),
            _ => says(protocol, &answer.to_string()),
        };
        let body = body.to_string();
        let api = FakeApi::start(move |_| Answer::json(body.clone())).await;
        let reply = ask(&*model(protocol, &api.url(), "m"), &shaped()).await.unwrap();
        assert_eq!(serde_json::from_str::<Value>(&reply.text).unwrap(), answer, "{protocol:?}");
        assert_eq!((reply.stop, reply.calls.len()), (Stop::End, 0));
        let sent = api.requests()[0].json();
        let required = sent.pointer(pointer).unwrap_or_else(|| panic!("{protocol:?}: {sent}"));
        assert_eq!(required["required"], json!(["queries"]));
    }
}

#[tokio::test]
async fn tools_are_offered_called_and_answered() {
    for protocol in ALL {
        let (first, then) = (calls(protocol).to_string(), says(protocol, "Done.").to_string());
        let api = FakeApi::start(move |sent| {
            let answered = String::from_utf8_lossy(&sent.body).contains("nothing found");
            Answer::json(if answered { then.clone() } else { first.clone() })
        })
        .await;
        let model = model(protocol, &api.url(), "m");
        let mut asked = Request { tools: vec![tool()], ..request() };
        let reply = ask(&*model, &asked).await.unwrap();
        assert_eq!(reply.stop, Stop::Tools, "{protocol:?}");
        let queries: Vec<&Value> = reply.calls.iter().map(|c| &c.arguments["query"]).collect();
        assert_eq!(queries, ["a", "b"], "{protocol:?}");
        let results = reply.calls.iter().map(|call: &ToolCall| ToolResult {
            id: call.id.clone(),
            name: call.name.clone(),
            text: "nothing found".to_owned(),
            is_error: true,
        });
        let results = Turn::Results(results.collect());
        asked.turns.push(Turn::Model { text: reply.text.clone(), calls: reply.calls.clone() });
        asked.turns.push(results);
        assert_eq!(ask(&*model, &asked).await.unwrap().text, "Done.", "{protocol:?}");
        let sent = String::from_utf8(api.requests()[1].body.clone()).unwrap();
        assert_eq!(sent.matches("nothing found").count(), 2);
        assert!(sent.contains("search_web"));
        if protocol == Protocol::Gemini {
            assert!(sent.contains("\"thoughtSignature\":\"sig\""), "{sent}");
        }
    }
}

#[tokio::test]
async fn words_are_heard_as_they_come() {
    for protocol in ALL {
        let (kind, body) = streams(protocol);
        let api = FakeApi::start(move |_| Answer::ok(kind, body.clone())).await;
        let asked = Request { stream: true, ..request() };
        let heard = Mutex::new(Vec::new());
        let listen = |words: &str| heard.lock().unwrap().push(words.to_owned());
        let deadline = Instant::now() + Duration::from_secs(20);
        let model = model(protocol, &api.url(), "m");
        let reply = model.ask(&asked, deadline, &listen).await.unwrap();
        assert_eq!(reply.text, "Hello world", "{protocol:?}");
        assert_eq!((reply.tokens.input, reply.tokens.output), (15, 7), "{protocol:?}");
        assert_eq!(heard.into_inner().unwrap(), ["Hello wo", "rld"], "{protocol:?}");
    }
}

#[tokio::test]
async fn tokens_are_counted_where_the_provider_does_not() {
    for protocol in ALL {
        let mut body =
            says(protocol, "Twelve words, or so, which make about a dozen tokens in all.");
        for key in ["usage", "usageMetadata", "prompt_eval_count", "eval_count"] {
            body.as_object_mut().unwrap().remove(key);
        }
        let body = body.to_string();
        let api = FakeApi::start(move |_| Answer::json(body.clone())).await;
        let reply = ask(&*model(protocol, &api.url(), "m"), &request()).await.unwrap();
        assert!(reply.tokens.estimated, "{protocol:?}");
        assert!((5..60).contains(&reply.tokens.input) && (8..30).contains(&reply.tokens.output));
    }
}

#[tokio::test]
async fn an_answer_that_was_cut_short_says_so() {
    for (protocol, body) in [
        (
            Protocol::Messages,
            json!({"type": "message", "stop_reason": "max_tokens", "content": []}),
        ),
        (
            Protocol::Responses,
            json!({"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}, "output": []}),
        ),
        (
            Protocol::Chat,
            json!({"choices": [{"message": {"content": ""}, "finish_reason": "length"}]}),
        ),
        (Protocol::Gemini, json!({"candidates": [{"finishReason": "MAX_TOKENS"}]})),
        (
            Protocol::Ollama,
            json!({"message": {"content": ""}, "done": true, "done_reason": "length"}),
        ),
    ] {
        let body = body.to_string();
        let api = FakeApi::start(move |_| Answer::json(body.clone())).await;
        let reply = ask(&*model(protocol, &api.url(), "m"), &request()).await.unwrap();
        assert_eq!(reply.stop, Stop::Length, "{protocol:?}");
    }
}

#[tokio::test]
async fn the_nonce_of_a_fence_is_one_for_a_run_and_another_for_the_next() {
    let body = says(Protocol::Chat, "ok").to_string();
    let api = FakeApi::start(move |_| Answer::json(body.clone())).await;
    let mark = probity_model::untrusted::NONCE_MARK;
    let asked = Request { system: format!("Fences end in {mark}."), ..request() };
    for _ in 0..2 {
        let model = model(Protocol::Chat, &api.url(), "m");
        ask(&*model, &asked).await.unwrap();
        ask(&*model, &asked).await.unwrap();
    }
    let systems: Vec<Value> =
        api.requests().iter().map(|r| r.json()["messages"][0]["content"].clone()).collect();
    assert_eq!(systems[0], systems[1], "what requests begin with stays the same to the byte");
    assert_ne!(systems[0], systems[2], "another run cannot know it");
    assert!(!systems[0].as_str().unwrap().contains(mark));
}

#[tokio::test]
async fn cached_tokens_are_counted_and_priced_as_such() {
    let usage = json!({
        "input_tokens": 100, "cache_read_input_tokens": 800, "cache_creation_input_tokens": 100,
        "output_tokens": 10,
    });
    let said = json!({"type": "text", "text": "ok"});
    let body = json!({
        "type": "message", "content": [said], "stop_reason": "end_turn", "usage": usage,
    });
    let api = FakeApi::start(move |_| Answer::json(body.to_string())).await;
    let model = model(Protocol::Messages, &api.url(), "m");
    let reply = ask(&*model, &request()).await.unwrap();
    let tokens = reply.tokens;
    assert_eq!((tokens.input, tokens.cached, tokens.written), (1_000, 800, 100));
    // 100 as sent, 100 a quarter dearer, 800 at a tenth, and what was received.
    let price = probity_model::Price { input: 1.0, cached: 0.1, output: 2.0 };
    assert!((price.of(tokens) * 1e6 - (100.0 + 125.0 + 80.0 + 20.0)).abs() < 1e-9);
    let system = api.requests()[0].json()["system"][0].clone();
    assert_eq!(system["cache_control"]["type"], "ephemeral");
}
