//! What is sent to a model, for every provider.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::task::Task;
use crate::untrusted::NONCE_MARK;

/// A tool that the model may call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// What it does and when to use it.
    pub description: String,
    /// The JSON schema of its arguments.
    pub parameters: Value,
}

/// A model's wish to use a tool. The name and the arguments are untrusted.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// What the answer refers to it by.
    pub id: String,
    /// The tool.
    pub name: String,
    /// The arguments; null where they could not be read.
    pub arguments: Value,
    /// What the provider wants back with the call, unread.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
}

/// What a tool answered.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolResult {
    /// The call it answers.
    pub id: String,
    /// The tool.
    pub name: String,
    /// The answer.
    pub text: String,
    /// Whether the tool could not do what was asked.
    pub is_error: bool,
}

/// One turn of a conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Turn {
    /// What we say.
    User(String),
    /// What the model said.
    Model {
        /// Its text.
        text: String,
        /// The tools it called.
        calls: Vec<ToolCall>,
    },
    /// What its tools answered.
    Results(Vec<ToolResult>),
}

/// The shape that the answer has to have.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Schema {
    /// A name for it.
    pub name: String,
    /// The JSON schema: objects with every key required and no others allowed.
    pub schema: Value,
}

/// What is sent to a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// What it is for.
    pub task: Task,
    /// The instructions.
    pub system: String,
    /// The conversation.
    pub turns: Vec<Turn>,
    /// The tools it may call.
    #[serde(default)]
    pub tools: Vec<Tool>,
    /// The shape of the answer, where one is wanted.
    #[serde(default)]
    pub schema: Option<Schema>,
    /// The most tokens of the answer.
    pub max_output_tokens: u32,
    /// Whether words are wanted as they come.
    #[serde(default)]
    pub stream: bool,
}

impl Request {
    /// A question with instructions.
    pub fn new(task: Task, system: impl Into<String>, user: impl Into<String>) -> Self {
        Self {
            task,
            system: system.into(),
            turns: vec![Turn::User(user.into())],
            tools: Vec::new(),
            schema: None,
            max_output_tokens: task.output_tokens(),
            stream: false,
        }
    }

    /// The same request, whose answer has to have a shape.
    #[must_use]
    pub fn shaped(mut self, schema: Option<Schema>) -> Self {
        self.schema = schema;
        self
    }

    /// A name for what is asked: the same question has the same name in every run of a journal.
    pub fn digest(&self) -> String {
        let text = serde_json::to_string(self).unwrap_or_default();
        probity_core::hex(Sha256::digest(text.as_bytes()).iter().take(16))
    }

    /// The request as it goes out: the marks of its fences become a nonce that no page can know.
    #[must_use]
    pub fn with_nonce(&self, nonce: &str) -> Self {
        let fill = |text: &str| text.replace(NONCE_MARK, nonce);
        let mut request = self.clone();
        request.system = fill(&self.system);
        for turn in &mut request.turns {
            match turn {
                Turn::User(text) => *text = fill(text),
                Turn::Model { .. } => {}
                Turn::Results(results) => {
                    results.iter_mut().for_each(|result| result.text = fill(&result.text));
                }
            }
        }
        request
    }

    /// Every text of the request, in order.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let turns = self.turns.iter().flat_map(|turn| match turn {
            Turn::User(text) => vec![text.as_str()],
            Turn::Model { text, .. } => vec![text.as_str()],
            Turn::Results(results) => results.iter().map(|r| r.text.as_str()).collect(),
        });
        std::iter::once(self.system.as_str()).chain(turns)
    }
}
