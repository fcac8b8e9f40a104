//! OpenAI's chat completions, as OpenAI and many other servers speak them.

use serde_json::{Value, json};

use super::{Call, Trouble, conversation, functions, list, number, set, text, trouble};
use crate::name::ProviderName;
use crate::reply::{Partial, Stop};
use crate::request::{ToolCall, ToolResult};

pub(super) fn body(call: &Call<'_>) -> Value {
    let request = call.request;
    let mut body = conversation(call, tool_call, tool_result);
    // OpenAI's own models refuse the old name of the limit and any choice of temperature.
    if call.name.provider == ProviderName::OpenAi {
        set(&mut body, "max_completion_tokens", json!(request.max_output_tokens));
    } else {
        set(&mut body, "max_tokens", json!(request.max_output_tokens));
        set(&mut body, "temperature", json!(0));
    }
    if request.stream {
        set(&mut body, "stream_options", json!({"include_usage": true}));
    }
    if !request.tools.is_empty() {
        set(&mut body, "tools", functions(&request.tools));
    } else if let Some(schema) = &request.schema {
        set(
            &mut body,
            "response_format",
            json!({
                "type": "json_schema",
                "json_schema": {"name": schema.name, "schema": schema.schema, "strict": true},
            }),
        );
    }
    body
}

fn tool_call(call: &ToolCall) -> Value {
    let function = json!({"name": call.name, "arguments": call.arguments.to_string()});
    json!({"id": call.id, "type": "function", "function": function})
}

fn tool_result(result: &ToolResult) -> Value {
    json!({"role": "tool", "tool_call_id": result.id, "content": result.text})
}

pub(super) fn take(event: &Value, whole: bool, into: &mut Partial) -> Result<(), Trouble> {
    if let Some(error) = event.get("error").filter(|error| !error.is_null()) {
        return Err(trouble(error));
    }
    if let Some(usage) = event.get("usage").filter(|usage| usage.is_object()) {
        into.input = number(usage, "/prompt_tokens").or(into.input);
        into.cached = number(usage, "/prompt_tokens_details/cached_tokens").or(into.cached);
        into.output = number(usage, "/completion_tokens").or(into.output);
    }
    let Some(choice) = list(event, "/choices").first() else {
        return match whole {
            true => Err(Trouble::Odd("the reply holds no choice".to_owned())),
            false => Ok(()),
        };
    };
    let part = if whole { "/message" } else { "/delta" };
    if let Some(message) = choice.pointer(part) {
        content(message, into);
        for (place, call) in list(message, "/tool_calls").iter().enumerate() {
            let index = number(call, "/index").unwrap_or(place as u64);
            let Some(slot) = into.call(index) else { continue };
            let (id, name) = (text(call, "/id"), text(call, "/function/name"));
            if !id.is_empty() {
                id.clone_into(&mut slot.id);
            }
            if !name.is_empty() && slot.name != name {
                slot.name.push_str(name);
            }
            match call.pointer("/function/arguments") {
                Some(Value::String(piece)) => slot.arguments.push_str(piece),
                Some(Value::Object(given)) => {
                    slot.arguments = Value::Object(given.clone()).to_string();
                }
                _ => {}
            }
        }
    }
    let reason = text(choice, "/finish_reason");
    if whole || !reason.is_empty() {
        into.done = true;
        into.stop = Some(match reason {
            "length" => Stop::Length,
            "tool_calls" | "function_call" => Stop::Tools,
            "content_filter" => Stop::Refused,
            _ => into.stop.unwrap_or(Stop::End),
        });
    }
    Ok(())
}

/// Content is a text; some servers send a list of parts.
fn content(message: &Value, into: &mut Partial) {
    match message.get("content") {
        Some(Value::String(text)) => into.say(text),
        Some(Value::Array(parts)) => parts.iter().for_each(|part| into.say(text(part, "/text"))),
        _ => {}
    }
    if !text(message, "/refusal").is_empty() {
        into.stop = Some(Stop::Refused);
    }
}
