//! Anthropic's messages. A shape is asked for as the one tool that must be called.

use serde_json::{Value, json};

use super::{Call, Trouble, list, number, set, text, trouble};
use crate::reply::{Partial, PartialCall, Stop};
use crate::request::Turn;

pub(super) fn body(call: &Call<'_>) -> Value {
    let request = call.request;
    let messages: Vec<Value> = request.turns.iter().map(message).collect();
    let mut body = json!({
        "model": call.name.model,
        "max_tokens": request.max_output_tokens,
        // Everything up to here is the same in every request of a task, so it is worth keeping. What is too
        // short to be kept costs nothing extra.
        "system": [{
            "type": "text", "text": request.system, "cache_control": {"type": "ephemeral"},
        }],
        "messages": messages,
        "stream": request.stream,
    });
    let tools: Vec<Value> = request
        .tools
        .iter()
        .map(
            |t| json!({"name": t.name, "description": t.description, "input_schema": t.parameters}),
        )
        .collect();
    if !tools.is_empty() {
        set(&mut body, "tools", json!(tools));
    } else if let Some(schema) = &request.schema {
        let description = "Give the answer in this shape.";
        set(
            &mut body,
            "tools",
            json!([
                {"name": schema.name, "description": description, "input_schema": schema.schema}
            ]),
        );
        set(&mut body, "tool_choice", json!({"type": "tool", "name": schema.name}));
    }
    body
}

fn message(turn: &Turn) -> Value {
    match turn {
        Turn::User(text) => json!({"role": "user", "content": text}),
        Turn::Model { text, calls } => {
            let said = (!text.is_empty()).then(|| json!({"type": "text", "text": text}));
            let calls = calls.iter().map(
                |c| json!({"type": "tool_use", "id": c.id, "name": c.name, "input": c.arguments}),
            );
            let content: Vec<Value> = said.into_iter().chain(calls).collect();
            json!({"role": "assistant", "content": content})
        }
        Turn::Results(results) => {
            let content: Vec<Value> = results
                .iter()
                .map(|r| {
                    json!({
                        "type": "tool_result", "tool_use_id": r.id,
                        "content": r.text, "is_error": r.is_error,
                    })
                })
                .collect();
            json!({"role": "user", "content": content})
        }
    }
}

pub(super) fn take(event: &Value, into: &mut Partial) -> Result<(), Trouble> {
    match text(event, "/type") {
        "message" => {
            for block in list(event, "/content") {
                begin(block, None, into);
            }
            end(event, "/stop_reason", into);
            count(event, "/usage", into);
            into.done = true;
        }
        "message_start" => count(event, "/message/usage", into),
        "content_block_start" => {
            let block = event.get("content_block").unwrap_or(&Value::Null);
            begin(block, number(event, "/index"), into);
        }
        "content_block_delta" => match text(event, "/delta/type") {
            "text_delta" => into.say(text(event, "/delta/text")),
            "input_json_delta" => {
                let piece = text(event, "/delta/partial_json");
                into.fresh.push_str(piece);
                if let Some(call) = into.call(number(event, "/index").unwrap_or(0)) {
                    call.arguments.push_str(piece);
                }
            }
            _ => {}
        },
        "message_delta" => {
            end(event, "/delta/stop_reason", into);
            count(event, "/usage", into);
        }
        "message_stop" => into.done = true,
        "error" => return Err(trouble(event.get("error").unwrap_or(event))),
        "ping" | "content_block_stop" => {}
        other => {
            let other = probity_core::printable::brief(other, 40);
            return Err(Trouble::Odd(format!("an unexpected message of type `{other}`")));
        }
    }
    Ok(())
}

/// A block of content: whole, or the beginning of a streamed one, which has its place.
fn begin(block: &Value, index: Option<u64>, into: &mut Partial) {
    match text(block, "/type") {
        "text" => into.say(text(block, "/text")),
        "tool_use" => {
            // A streamed call begins with empty input and is filled in by its deltas.
            let arguments = match block.get("input") {
                Some(Value::Object(input)) if !input.is_empty() => {
                    Value::Object(input.clone()).to_string()
                }
                _ => String::new(),
            };
            let call = PartialCall {
                id: text(block, "/id").to_owned(),
                name: text(block, "/name").to_owned(),
                arguments,
                signature: None,
            };
            match index {
                None => into.push(call),
                Some(index) => {
                    if let Some(slot) = into.call(index) {
                        *slot = call;
                    }
                }
            }
        }
        _ => {}
    }
}

fn end(event: &Value, pointer: &str, into: &mut Partial) {
    into.stop = match text(event, pointer) {
        "" => into.stop,
        "max_tokens" | "model_context_window_exceeded" => Some(Stop::Length),
        "tool_use" => Some(Stop::Tools),
        "refusal" => Some(Stop::Refused),
        _ => Some(Stop::End),
    };
}

/// Anthropic counts cached tokens beside the others; we count them among them.
fn count(event: &Value, pointer: &str, into: &mut Partial) {
    let Some(usage) = event.pointer(pointer) else { return };
    let read = number(usage, "/cache_read_input_tokens");
    if let Some(fresh) = number(usage, "/input_tokens") {
        let written = number(usage, "/cache_creation_input_tokens").unwrap_or(0);
        into.input = Some(fresh + written + read.unwrap_or(0));
        into.cached = read.or(into.cached);
        into.written = Some(written);
    }
    into.output = number(usage, "/output_tokens").or(into.output);
}
