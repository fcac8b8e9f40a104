//! What a tool returns: a short text for the reader, the same as structure, or what to do.

use rmcp::model::{CallToolResult, ContentBlock, ErrorData, JsonObject};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::problem::Problem;

/// What a tool found.
pub(super) struct ToolAnswer {
    text: String,
    value: Option<Value>,
}

impl ToolAnswer {
    /// A text, and the structure that the tool's output schema describes.
    pub(super) fn new(text: impl Into<String>, value: &impl Serialize) -> Result<Self, Problem> {
        let value = serde_json::to_value(value).map_err(|error| Problem::internal(&error))?;
        Ok(Self { text: text.into(), value: Some(value) })
    }

    /// A long text alone. Some clients show an agent only the text of an answer and others only its
    /// structure, so that what is long and has to arrive goes out once and by itself.
    pub(super) fn alone(text: impl Into<String>) -> Self {
        Self { text: text.into(), value: None }
    }
}

/// Reads a tool's arguments.
pub(super) fn read<T: DeserializeOwned>(arguments: JsonObject) -> Result<T, Problem> {
    serde_path_to_error::deserialize(Value::Object(arguments)).map_err(|error| {
        let place = error.path().to_string();
        Problem::field(place, error.inner().to_string())
    })
}

/// An answer as the protocol carries it. An error is for the caller to read, so it is a result like
/// any other, marked as an error.
pub(super) fn result(answered: Result<ToolAnswer, Problem>) -> CallToolResult {
    match answered {
        Ok(ToolAnswer { text, value: Some(value) }) => {
            let mut result = CallToolResult::structured(value);
            result.content = vec![ContentBlock::text(text)];
            result
        }
        Ok(ToolAnswer { text, value: None }) => {
            CallToolResult::success(vec![ContentBlock::text(text)])
        }
        Err(problem) => CallToolResult::error(vec![ContentBlock::text(in_words(&problem))]),
    }
}

fn in_words(problem: &Problem) -> String {
    match problem.field_name() {
        Some(field) => format!("{} ({field}): {}", problem.title(), problem.detail()),
        None => format!("{}: {}", problem.title(), problem.detail()),
    }
}

/// A problem with what is not a tool.
pub(super) fn error(problem: Problem) -> ErrorData {
    let said = in_words(&problem);
    match problem.status().as_u16() {
        404 => ErrorData::resource_not_found(said, None),
        500.. => ErrorData::internal_error(said, None),
        _ => ErrorData::invalid_params(said, None),
    }
}
