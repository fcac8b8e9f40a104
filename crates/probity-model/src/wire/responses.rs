//! OpenAI's responses.

use serde_json::{Value, json};

use super::{Call, Trouble, list, number, set, text, trouble};
use crate::reply::{Partial, PartialCall, Stop};
use crate::request::{Tool, Turn};

pub(super) fn body(call: &Call<'_>) -> Value {
    let request = call.request;
    let input: Vec<Value> = request.turns.iter().flat_map(items).collect();
    let mut body = json!({
        "model": call.name.model,
        "instructions": request.system,
        "input": input,
        "max_output_tokens": request.max_output_tokens,
        // Questions and pages are the user's; they need not be stored.
        "store": false,
        "stream": request.stream,
    });
    if !request.tools.is_empty() {
        set(&mut body, "tools", request.tools.iter().map(declaration).collect());
    } else if let Some(schema) = &request.schema {
        set(
            &mut body,
            "text",
            json!({"format": {
                "type": "json_schema", "name": schema.name, "schema": schema.schema, "strict": true,
            }}),
        );
    }
    body
}

fn declaration(tool: &Tool) -> Value {
    json!({
        "type": "function", "name": tool.name, "description": tool.description,
        "parameters": tool.parameters, "strict": false,
    })
}

fn items(turn: &Turn) -> Vec<Value> {
    match turn {
        Turn::User(text) => {
            vec![json!({"role": "user", "content": [{"type": "input_text", "text": text}]})]
        }
        Turn::Model { text, calls } => {
            let said = (!text.is_empty()).then(
                || json!({"role": "assistant", "content": [{"type": "output_text", "text": text}]}),
            );
            let calls = calls.iter().map(|c| {
                let arguments = c.arguments.to_string();
                json!({
                    "type": "function_call", "call_id": c.id, "name": c.name,
                    "arguments": arguments,
                })
            });
            said.into_iter().chain(calls).collect()
        }
        Turn::Results(results) => results
            .iter()
            .map(|r| json!({"type": "function_call_output", "call_id": r.id, "output": r.text}))
            .collect(),
    }
}

pub(super) fn take(event: &Value, whole: bool, into: &mut Partial) -> Result<(), Trouble> {
    if whole {
        return finish(event, into);
    }
    match text(event, "/type") {
        "response.output_text.delta" => into.say(text(event, "/delta")),
        "response.output_item.done" => {
            let item = event.get("item").unwrap_or(&Value::Null);
            if text(item, "/type") == "function_call" {
                into.push(function_call(item));
            }
        }
        "response.completed" | "response.incomplete" | "response.failed" => {
            finish(event.get("response").unwrap_or(&Value::Null), into)?;
        }
        "error" => return Err(trouble(event.get("error").unwrap_or(event))),
        _ => {}
    }
    Ok(())
}

/// A whole response, or what the last event says of it; parts that were streamed are not repeated.
fn finish(response: &Value, into: &mut Partial) -> Result<(), Trouble> {
    if let Some(error) = response.get("error").filter(|error| !error.is_null()) {
        return Err(trouble(error));
    }
    if text(response, "/status") == "failed" {
        return Err(Trouble::Busy("the response failed without a reason".to_owned()));
    }
    let (had_text, had_calls) = (!into.text.is_empty(), !into.calls.is_empty());
    for item in list(response, "/output") {
        match text(item, "/type") {
            "message" => {
                for part in list(item, "/content") {
                    match text(part, "/type") {
                        "output_text" if !had_text => into.say(text(part, "/text")),
                        "refusal" => into.stop = Some(Stop::Refused),
                        _ => {}
                    }
                }
            }
            "function_call" if !had_calls => into.push(function_call(item)),
            _ => {}
        }
    }
    match text(response, "/incomplete_details/reason") {
        "max_output_tokens" => into.stop = Some(Stop::Length),
        "content_filter" => into.stop = Some(Stop::Refused),
        _ => {}
    }
    into.input = number(response, "/usage/input_tokens").or(into.input);
    into.cached = number(response, "/usage/input_tokens_details/cached_tokens").or(into.cached);
    into.output = number(response, "/usage/output_tokens").or(into.output);
    into.done = true;
    Ok(())
}

fn function_call(item: &Value) -> PartialCall {
    PartialCall {
        id: text(item, "/call_id").to_owned(),
        name: text(item, "/name").to_owned(),
        arguments: text(item, "/arguments").to_owned(),
        signature: None,
    }
}
