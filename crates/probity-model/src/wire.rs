//! The six wire protocols: how each says the same request, and how its reply is read.
//!
//! Each file is pure: a request becomes JSON, JSON becomes parts of a reply. The same `take` reads
//! a whole reply and the events of a streamed one.

mod anthropic;
mod chat;
mod converse;
mod gemini;
mod ollama;
mod responses;

use probity_core::Secret;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use url::Url;

use crate::http::{Framing, Post};
use crate::name::{ModelName, ProviderName};
use crate::reply::Partial;
use crate::request::{Request, Tool, ToolCall, ToolResult, Turn};

/// What a provider speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// Anthropic's messages.
    Messages,
    /// OpenAI's responses.
    Responses,
    /// OpenAI's chat completions, which many others speak.
    Chat,
    /// Gemini's content.
    Gemini,
    /// Ollama's chat.
    Ollama,
    /// Bedrock's Converse.
    Converse,
}

/// A reply that reports trouble instead of an answer.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// It may go better a moment later.
    Busy(String),
    /// It is not what the protocol promises, or final.
    Odd(String),
}

/// What a request needs besides itself.
pub(crate) struct Call<'a> {
    pub(crate) name: &'a ModelName,
    pub(crate) request: &'a Request,
    /// The model's window, for servers that have to be given it.
    pub(crate) window: usize,
}

impl Protocol {
    /// What a provider speaks at its own address, or at another.
    pub fn of(name: ProviderName, is_elsewhere: bool) -> Self {
        match name {
            ProviderName::Anthropic => Protocol::Messages,
            ProviderName::OpenAi if !is_elsewhere => Protocol::Responses,
            ProviderName::Gemini => Protocol::Gemini,
            ProviderName::Ollama => Protocol::Ollama,
            ProviderName::Bedrock => Protocol::Converse,
            // Everybody else has learned to speak as OpenAI did.
            _ => Protocol::Chat,
        }
    }

    /// The request as it is posted.
    pub(crate) fn post(self, base: &Url, key: Option<&Secret>, call: &Call<'_>) -> Post {
        let model = &call.name.model;
        let streams = call.request.stream;
        let path = match self {
            Protocol::Messages => "v1/messages".to_owned(),
            Protocol::Responses => "responses".to_owned(),
            Protocol::Chat => "chat/completions".to_owned(),
            Protocol::Gemini if streams => {
                format!("v1beta/models/{model}:streamGenerateContent?alt=sse")
            }
            Protocol::Gemini => format!("v1beta/models/{model}:generateContent"),
            Protocol::Ollama => "api/chat".to_owned(),
            // A model may be named by an address of its own, whose signs are no part of the path's.
            Protocol::Converse => {
                let model = model.replace(':', "%3A").replace('/', "%2F");
                format!("model/{model}/converse")
            }
        };
        let framing = match self {
            _ if !streams => Framing::Whole,
            Protocol::Converse => Framing::Whole,
            Protocol::Ollama => Framing::Lines,
            _ => Framing::Sse,
        };
        let body = match self {
            Protocol::Messages => anthropic::body(call),
            Protocol::Responses => responses::body(call),
            Protocol::Chat => chat::body(call),
            Protocol::Gemini => gemini::body(call),
            Protocol::Ollama => ollama::body(call),
            Protocol::Converse => converse::body(call),
        };
        Post {
            model: call.name.to_string(),
            url: join(base, &path),
            headers: self.headers(key),
            body,
            framing,
        }
    }

    fn headers(self, key: Option<&Secret>) -> Vec<(&'static str, String)> {
        let key = key.map(Secret::expose);
        let mut headers = match self {
            Protocol::Messages => vec![("anthropic-version", "2023-06-01".to_owned())],
            _ => Vec::new(),
        };
        headers.extend(key.map(|key| match self {
            Protocol::Messages => ("x-api-key", key.to_owned()),
            Protocol::Gemini => ("x-goog-api-key", key.to_owned()),
            _ => ("authorization", format!("Bearer {key}")),
        }));
        headers
    }

    /// Takes a whole reply, or one event of it.
    pub(crate) fn take(
        self,
        event: &Value,
        whole: bool,
        into: &mut Partial,
    ) -> Result<(), Trouble> {
        match self {
            Protocol::Messages => anthropic::take(event, into),
            Protocol::Responses => responses::take(event, whole, into),
            Protocol::Chat => chat::take(event, whole, into),
            Protocol::Gemini => gemini::take(event, into),
            Protocol::Ollama => ollama::take(event, into),
            Protocol::Converse => converse::take(event, into),
        }
    }
}

/// A path below the base URL, whose own path is kept.
fn join(base: &Url, path: &str) -> Url {
    let (path, query) = path.split_once('?').map_or((path, None), |(p, q)| (p, Some(q)));
    let mut url = base.clone();
    url.set_path(&format!("{}/{path}", base.path().trim_end_matches('/')));
    url.set_query(query);
    url
}

/// What an error inside a successful reply means.
fn trouble(error: &Value) -> Trouble {
    let said = error.get("message").or(Some(error)).and_then(Value::as_str);
    let said = said.map_or_else(|| error.to_string(), str::to_owned);
    let kind = ["type", "code", "status"].iter().filter_map(|key| error.get(*key));
    let busy = kind.into_iter().any(|kind| match kind {
        Value::Number(code) => code.as_u64().is_some_and(|code| code == 429 || code >= 500),
        Value::String(kind) => {
            let kind = kind.to_ascii_lowercase();
            ["overloaded", "rate_limit", "api_error", "server_error", "unavailable", "exhausted"]
                .iter()
                .any(|sign| kind.contains(sign))
        }
        _ => false,
    });
    if busy { Trouble::Busy(said) } else { Trouble::Odd(said) }
}

/// The text at a pointer, or nothing.
fn text<'a>(value: &'a Value, pointer: &str) -> &'a str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

/// The number at a pointer.
fn number(value: &Value, pointer: &str) -> Option<u64> {
    value.pointer(pointer).and_then(Value::as_u64)
}

/// The list at a pointer, or an empty one.
fn list<'a>(value: &'a Value, pointer: &str) -> &'a [Value] {
    value.pointer(pointer).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Sets a key of an object.
fn set(object: &mut Value, key: &str, value: Value) {
    if let Some(map) = object.as_object_mut() {
        map.insert(key.to_owned(), value);
    }
}

/// What OpenAI's chat and Ollama post alike; they differ in what calls and results of tools look like.
fn conversation(
    call: &Call<'_>,
    tool_call: fn(&ToolCall) -> Value,
    tool_result: fn(&ToolResult) -> Value,
) -> Value {
    let request = call.request;
    let mut messages = vec![json!({"role": "system", "content": request.system})];
    for turn in &request.turns {
        match turn {
            Turn::User(text) => messages.push(json!({"role": "user", "content": text})),
            Turn::Model { text, calls } => {
                let mut message = json!({"role": "assistant", "content": text});
                if !calls.is_empty() {
                    set(&mut message, "tool_calls", calls.iter().map(tool_call).collect());
                }
                messages.push(message);
            }
            Turn::Results(results) => messages.extend(results.iter().map(tool_result)),
        }
    }
    json!({"model": call.name.model, "messages": messages, "stream": request.stream})
}

/// Tools as OpenAI's chat and Ollama describe them.
fn functions(tools: &[Tool]) -> Value {
    let function = |tool: &Tool| {
        let function = json!({
            "name": tool.name, "description": tool.description, "parameters": tool.parameters,
        });
        json!({"type": "function", "function": function})
    };
    tools.iter().map(function).collect()
}
