//! A model of each protocol at a loopback address.

use std::sync::Arc;
use std::time::Duration;

use probity_core::Secret;
use probity_model::provider::{Provider, Reach, Remote};
use probity_model::table::{Facts, Price};
use probity_model::wire::Protocol;
use probity_model::{
    Model, ModelError, ModelName, ProviderName, Reply, Request, Schema, Task, Tool,
};
use serde_json::json;
use tokio::time::Instant;

pub(crate) const KEY: &str = "sk-planted-7f3a9c";

pub(crate) const ALL: [Protocol; 5] =
    [Protocol::Messages, Protocol::Responses, Protocol::Chat, Protocol::Gemini, Protocol::Ollama];

pub(crate) fn provider_of(protocol: Protocol) -> ProviderName {
    match protocol {
        Protocol::Messages => ProviderName::Anthropic,
        Protocol::Responses => ProviderName::OpenAi,
        Protocol::Chat => ProviderName::Compatible,
        Protocol::Gemini => ProviderName::Gemini,
        Protocol::Ollama => ProviderName::Ollama,
        Protocol::Converse => ProviderName::Bedrock,
    }
}

pub(crate) fn model(protocol: Protocol, base: &str, name: &str) -> Arc<dyn Model> {
    let reach = Reach {
        base: base.parse().unwrap(),
        key: Some(Secret::new(KEY)),
        protocol,
        concurrency: Some(4),
        account: None,
    };
    opened(reach, name)
}

/// A model that is reached like this.
pub(crate) fn opened(reach: Reach, name: &str) -> Arc<dyn Model> {
    let protocol = reach.protocol;
    let price = Some(Price { input: 1.0, cached: 0.1, output: 2.0 });
    let facts = Facts { window: 16_384, price };
    let name = ModelName::new(provider_of(protocol), name);
    Arc::new(Remote::new(Provider::open(reach).unwrap(), name, facts))
}

pub(crate) fn request() -> Request {
    Request::new(Task::Plan, "Be brief.", "What is a luthier?")
}

pub(crate) fn shaped() -> Request {
    let schema = probity_model::schema::object(&[(
        "queries",
        probity_model::schema::list(probity_model::schema::string("a query"), "queries"),
    )]);
    request().shaped(Some(Schema { name: "plan".to_owned(), schema }))
}

pub(crate) fn tool() -> Tool {
    Tool {
        name: "search_web".to_owned(),
        description: "Searches.".to_owned(),
        parameters: json!({"type": "object", "properties": {"query": {"type": "string"}},
            "required": ["query"], "additionalProperties": false}),
    }
}

pub(crate) async fn ask(model: &dyn Model, request: &Request) -> Result<Reply, ModelError> {
    ask_within(model, request, Duration::from_secs(20)).await
}

pub(crate) async fn ask_within(
    model: &dyn Model,
    request: &Request,
    time: Duration,
) -> Result<Reply, ModelError> {
    model.ask(request, Instant::now() + time, &|_: &str| {}).await
}
