//! Ollama's chat. Its own protocol rather than its imitation of OpenAI's, because only here can a
//! request say how large the context is: otherwise a long prompt loses its beginning in silence.

use serde_json::{Value, json};

use super::{Call, Trouble, conversation, functions, list, number, set, text, trouble};
use crate::reply::{Partial, PartialCall, Stop};
use crate::request::{ToolCall, ToolResult};

pub(super) fn body(call: &Call<'_>) -> Value {
    let request = call.request;
    let mut body = conversation(call, tool_call, tool_result);
    let options = json!({
        "num_ctx": call.window,
        "num_predict": request.max_output_tokens,
        "temperature": 0,
    });
    set(&mut body, "options", options);
    if !request.tools.is_empty() {
        set(&mut body, "tools", functions(&request.tools));
    } else if let Some(schema) = &request.schema {
        set(&mut body, "format", schema.schema.clone());
    }
    body
}

fn tool_call(call: &ToolCall) -> Value {
    json!({"function": {"name": call.name, "arguments": call.arguments}})
}

fn tool_result(result: &ToolResult) -> Value {
    json!({"role": "tool", "tool_name": result.name, "content": result.text})
}

pub(super) fn take(event: &Value, into: &mut Partial) -> Result<(), Trouble> {
    if let Some(error) = event.get("error") {
        return Err(trouble(error));
    }
    into.say(text(event, "/message/content"));
    for call in list(event, "/message/tool_calls") {
        let arguments = match call.pointer("/function/arguments") {
            Some(Value::String(text)) => text.clone(),
            Some(arguments) => arguments.to_string(),
            None => String::new(),
        };
        into.push(PartialCall {
            id: text(call, "/id").to_owned(),
            name: text(call, "/function/name").to_owned(),
            arguments,
            signature: None,
        });
    }
    if event.get("done").and_then(Value::as_bool) == Some(true) {
        into.done = true;
        into.input = number(event, "/prompt_eval_count");
        into.output = number(event, "/eval_count");
        into.stop = Some(match text(event, "/done_reason") {
            "length" => Stop::Length,
            _ => Stop::End,
        });
    }
    Ok(())
}
