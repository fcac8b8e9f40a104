//! Ollama's chat. Its own protocol rather than its imitation of OpenAI's, because only here can a
//! request say how large the context is: otherwise a long prompt loses its beginning in silence.

use serde_json::{Value, json};

use super::{Call, Trouble, functions, list, number, set, text, trouble};
use crate::reply::{Partial, PartialCall, Stop};
use crate::request::Turn;

pub(super) fn body(call: &Call<'_>) -> Value {
    let request = call.request;
    let mut messages = vec![json!({"role": "system", "content": request.system})];
    request.turns.iter().for_each(|turn| messages.extend(message(turn)));
    let mut body = json!({
        "model": call.name.model,
        "messages": messages,
        "stream": request.stream,
        "options": {
            "num_ctx": call.window,
            "num_predict": request.max_output_tokens,
            "temperature": 0,
        },
    });
    if !request.tools.is_empty() {
        set(&mut body, "tools", functions(&request.tools));
    } else if let Some(schema) = &request.schema {
        set(&mut body, "format", schema.schema.clone());
    }
    body
}

fn message(turn: &Turn) -> Vec<Value> {
    match turn {
        Turn::User(text) => vec![json!({"role": "user", "content": text})],
        Turn::Model { text, calls } => {
            let mut message = json!({"role": "assistant", "content": text});
            if !calls.is_empty() {
                let calls: Vec<Value> = calls
                    .iter()
                    .map(|c| json!({"function": {"name": c.name, "arguments": c.arguments}}))
                    .collect();
                set(&mut message, "tool_calls", json!(calls));
            }
            vec![message]
        }
        Turn::Results(results) => results
            .iter()
            .map(|r| json!({"role": "tool", "tool_name": r.name, "content": r.text}))
            .collect(),
    }
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
