//! Bedrock's Converse, one protocol for the models of all makers. A shape is asked for as the one tool that must be
//! called.
//!
//! Replies come whole: what Bedrock streams is framed in a way of its own, and nothing depends on hearing the words
//! of a report as they come.

use serde_json::{Value, json};

use super::{Call, Trouble, list, number, set, text};
use crate::reply::{Partial, PartialCall, Stop};
use crate::request::Turn;

pub(super) fn body(call: &Call<'_>) -> Value {
    let request = call.request;
    let messages: Vec<Value> = request.turns.iter().map(message).collect();
    let mut body = json!({
        "messages": messages,
        "inferenceConfig": {"maxTokens": request.max_output_tokens},
    });
    if !request.system.is_empty() {
        set(&mut body, "system", json!([{"text": request.system}]));
    }
    let tool = |name: &str, description: &str, schema: &Value| json!({"toolSpec": {"name": name, "description": description, "inputSchema": {"json": schema}}});
    let tools: Vec<Value> =
        request.tools.iter().map(|t| tool(&t.name, &t.description, &t.parameters)).collect();
    if !tools.is_empty() {
        set(&mut body, "toolConfig", json!({"tools": tools}));
    } else if let Some(schema) = &request.schema {
        let one = tool(&schema.name, "Give the answer in this shape.", &schema.schema);
        let choice = json!({"tool": {"name": schema.name}});
        set(&mut body, "toolConfig", json!({"tools": [one], "toolChoice": choice}));
    }
    body
}

fn message(turn: &Turn) -> Value {
    match turn {
        Turn::User(text) => json!({"role": "user", "content": [{"text": text}]}),
        Turn::Model { text, calls } => {
            let said = (!text.is_empty()).then(|| json!({"text": text}));
            let calls = calls.iter().map(
                |c| json!({"toolUse": {"toolUseId": c.id, "name": c.name, "input": c.arguments}}),
            );
            let content: Vec<Value> = said.into_iter().chain(calls).collect();
            json!({"role": "assistant", "content": content})
        }
        Turn::Results(results) => {
            let result = |r: &crate::request::ToolResult| {
                let status = if r.is_error { "error" } else { "success" };
                json!({"toolResult": {
                    "toolUseId": r.id, "content": [{"text": r.text}], "status": status,
                }})
            };
            let content: Vec<Value> = results.iter().map(result).collect();
            json!({"role": "user", "content": content})
        }
    }
}

pub(super) fn take(reply: &Value, into: &mut Partial) -> Result<(), Trouble> {
    if reply.pointer("/output/message").is_none() {
        let said = probity_core::printable::brief(text(reply, "/message"), 200);
        return Err(Trouble::Odd(format!("a reply without a message: {said}")));
    }
    for block in list(reply, "/output/message/content") {
        into.say(text(block, "/text"));
        if let Some(call) = block.get("toolUse") {
            let input = call.get("input").cloned().unwrap_or_else(|| json!({}));
            into.push(PartialCall {
                id: text(call, "/toolUseId").to_owned(),
                name: text(call, "/name").to_owned(),
                arguments: input.to_string(),
                signature: None,
            });
        }
    }
    into.stop = Some(match text(reply, "/stopReason") {
        "max_tokens" | "model_context_window_exceeded" => Stop::Length,
        "tool_use" => Stop::Tools,
        "guardrail_intervened" | "content_filtered" => Stop::Refused,
        _ => Stop::End,
    });
    count(reply, into);
    into.done = true;
    Ok(())
}

/// Cached tokens are counted beside the others there; we count them among them.
fn count(reply: &Value, into: &mut Partial) {
    let read = number(reply, "/usage/cacheReadInputTokens");
    let written = number(reply, "/usage/cacheWriteInputTokens").unwrap_or(0);
    let fresh = number(reply, "/usage/inputTokens");
    into.input = fresh.map(|fresh| fresh + written + read.unwrap_or(0));
    into.cached = read;
    into.written = Some(written);
    into.output = number(reply, "/usage/outputTokens");
}
