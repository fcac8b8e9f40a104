//! A language model of the caller's own: a Python function that answers requests.

use std::sync::Arc;

use probity_model::model::Asker;
use probity_model::reply::TEXT_BYTES;
use probity_model::table::Facts;
use probity_model::{
    Asking, Model, ModelError, ModelName, ProviderName, Reply, Request, TokenCount, Turn, tokens,
    untrusted,
};
use pyo3::prelude::*;
use serde::Serialize;
use serde_json::Value;
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout_at};

use crate::failure::Failure;

/// What a function is called that has no name of its own.
const NAMELESS: &str = "function";
/// Calls of the function at once: it may well wait for a server.
const AT_ONCE: usize = 4;
/// How many tokens the function is taken to accept in all.
const WINDOW: usize = 32_768;

/// A function that stands for a model.
struct Function {
    function: Arc<Py<PyAny>>,
    name: ModelName,
    calls: Semaphore,
}

/// The name that a report is signed with.
pub(super) fn name(named: Option<&str>) -> Result<ModelName, Failure> {
    let model = named.unwrap_or(NAMELESS);
    format!("{}:{model}", ProviderName::Compatible)
        .parse()
        .map_err(|error| Failure::usage(format!("`model_name`: {error}")))
}

/// A function as a model.
pub(super) fn model(
    py: Python<'_>,
    function: &Py<PyAny>,
    named: Option<&str>,
) -> Result<Arc<dyn Model>, Failure> {
    let function = Arc::new(function.clone_ref(py));
    Ok(Arc::new(Function { function, name: name(named)?, calls: Semaphore::new(AT_ONCE) }))
}

/// A request as the function gets it.
#[derive(Serialize)]
struct Asked<'a> {
    task: String,
    system: &'a str,
    messages: Vec<Message<'a>>,
    /// The JSON schema of the answer, where it has to be JSON.
    schema: Option<&'a Value>,
    tools: Vec<&'a probity_model::Tool>,
    max_output_tokens: u32,
}

/// A turn of the conversation.
#[derive(Serialize)]
struct Message<'a> {
    role: &'static str,
    content: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<&'a probity_model::ToolCall>,
}

fn message(turn: &Turn) -> Message<'_> {
    match turn {
        Turn::User(text) => Message { role: "user", content: text.clone(), tool_calls: Vec::new() },
        Turn::Model { text, calls } => {
            Message { role: "assistant", content: text.clone(), tool_calls: calls.iter().collect() }
        }
        Turn::Results(results) => Message {
            role: "tool",
            content: serde_json::to_string(results).unwrap_or_default(),
            tool_calls: Vec::new(),
        },
    }
}

impl Function {
    async fn once(&self, request: &Request, deadline: Instant) -> Result<Reply, ModelError> {
        let model = self.name.to_string();
        let request = request.with_nonce(&untrusted::nonce());
        let asked = Asked {
            task: crate::record::word(&request.task),
            system: &request.system,
            messages: request.turns.iter().map(message).collect(),
            schema: request.schema.as_ref().map(|schema| &schema.schema),
            tools: request.tools.iter().collect(),
            max_output_tokens: request.max_output_tokens,
        };
        let asked = serde_json::to_string(&asked).unwrap_or_default();
        let function = Arc::clone(&self.function);
        let call = tokio::task::spawn_blocking(move || {
            Python::attach(|py| function.call1(py, (asked,))?.extract::<String>(py))
                .map_err(|error| error.to_string())
        });
        let late = || ModelError::Timeout { model: model.clone() };
        let unreachable = |reason| ModelError::Unreachable { model: model.clone(), reason };
        let called = timeout_at(deadline, call).await.map_err(|_| late())?;
        let called = called.map_err(|error| unreachable(error.to_string()))?;
        let text = called.map_err(unreachable)?;
        if text.len() > TEXT_BYTES {
            return Err(ModelError::TooLarge { model, limit: TEXT_BYTES });
        }
        let tokens = TokenCount {
            input: tokens::of_request(&request) as u64,
            cached: 0,
            written: 0,
            output: tokens::estimate(&text) as u64,
            estimated: true,
        };
        Ok(Reply { text, tokens, model, ..Reply::default() })
    }
}

impl Model for Function {
    fn name(&self) -> &ModelName {
        &self.name
    }

    fn facts(&self) -> Facts {
        Facts { window: WINDOW, price: None }
    }

    fn ask<'a>(&'a self, request: &'a Request, until: Instant, asker: &'a dyn Asker) -> Asking<'a> {
        Box::pin(async move {
            let model = self.name.to_string();
            let turn = timeout_at(until, self.calls.acquire()).await;
            let _turn = turn.map_err(|_| ModelError::Timeout { model: model.clone() })?;
            asker.begin().await.map_err(|limit| ModelError::OverLimit { model, limit })?;
            let reply = self.once(request, until).await;
            if let Err(error) = &reply {
                asker.failed(error).await;
            }
            reply
        })
    }
}
