//! Gemini's content.

use serde_json::{Value, json};

use super::{Call, Trouble, list, number, set, text, trouble};
use crate::reply::{Partial, PartialCall, Stop};
use crate::request::{Tool, Turn};

pub(super) fn body(call: &Call<'_>) -> Value {
    let request = call.request;
    let contents: Vec<Value> = request.turns.iter().map(content).collect();
    let mut settings = json!({"maxOutputTokens": request.max_output_tokens});
    let mut body = json!({
        "systemInstruction": {"parts": [{"text": request.system}]},
        "contents": contents,
    });
    if !request.tools.is_empty() {
        let tools: Vec<Value> = request.tools.iter().map(declaration).collect();
        set(&mut body, "tools", json!([{"functionDeclarations": tools}]));
    } else if let Some(schema) = &request.schema {
        set(&mut settings, "responseMimeType", json!("application/json"));
        set(&mut settings, "responseJsonSchema", schema.schema.clone());
    }
    set(&mut body, "generationConfig", settings);
    body
}

fn declaration(tool: &Tool) -> Value {
    json!({
        "name": tool.name, "description": tool.description, "parametersJsonSchema": tool.parameters,
    })
}

fn content(turn: &Turn) -> Value {
    match turn {
        Turn::User(text) => json!({"role": "user", "parts": [{"text": text}]}),
        Turn::Model { text, calls } => {
            let said = (!text.is_empty()).then(|| json!({"text": text}));
            let calls = calls.iter().map(|c| {
                let mut part = json!({"functionCall": {"name": c.name, "args": c.arguments}});
                if let Some(signature) = &c.signature {
                    set(&mut part, "thoughtSignature", json!(signature));
                }
                part
            });
            let parts: Vec<Value> = said.into_iter().chain(calls).collect();
            json!({"role": "model", "parts": parts})
        }
        Turn::Results(results) => {
            let parts: Vec<Value> = results
                .iter()
                .map(|r| {
                    let key = if r.is_error { "error" } else { "result" };
                    json!({"functionResponse": {"name": r.name, "response": {key: r.text}}})
                })
                .collect();
            json!({"role": "user", "parts": parts})
        }
    }
}

pub(super) fn take(event: &Value, into: &mut Partial) -> Result<(), Trouble> {
    if let Some(error) = event.get("error").filter(|error| !error.is_null()) {
        return Err(trouble(error));
    }
    if let Some(usage) = event.get("usageMetadata") {
        into.input = number(usage, "/promptTokenCount").or(into.input);
        into.cached = number(usage, "/cachedContentTokenCount").or(into.cached);
        let thoughts = number(usage, "/thoughtsTokenCount").unwrap_or(0);
        into.output =
            number(usage, "/candidatesTokenCount").map(|said| said + thoughts).or(into.output);
    }
    if !text(event, "/promptFeedback/blockReason").is_empty() {
        into.stop = Some(Stop::Refused);
        into.done = true;
    }
    for part in list(event, "/candidates/0/content/parts") {
        if part.get("thought").and_then(Value::as_bool) != Some(true) {
            into.say(text(part, "/text"));
        }
        if let Some(call) = part.get("functionCall") {
            let arguments = call.get("args").map(Value::to_string).unwrap_or_default();
            let signature = part.get("thoughtSignature").and_then(Value::as_str);
            into.push(PartialCall {
                id: text(call, "/id").to_owned(),
                name: text(call, "/name").to_owned(),
                arguments,
                signature: signature.map(str::to_owned),
            });
        }
    }
    match text(event, "/candidates/0/finishReason") {
        "" => {}
        reason => {
            into.done = true;
            into.stop = Some(match reason {
                "STOP" => Stop::End,
                "MAX_TOKENS" => Stop::Length,
                _ => Stop::Refused,
            });
        }
    }
    Ok(())
}
