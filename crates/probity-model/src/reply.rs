//! What came back from a model, for every provider.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::request::ToolCall;

/// The longest text of a reply, in bytes; a longer one is not an answer to anything we ask.
pub const TEXT_BYTES: usize = 512 * 1024;
/// The most tool calls that one reply may hold; more are cut off.
pub const CALLS: usize = 16;

/// Why a model stopped.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stop {
    /// It had said everything.
    #[default]
    End,
    /// It came to the most tokens it may write.
    Length,
    /// It wants tools used.
    Tools,
    /// It refused, or was kept from answering.
    Refused,
}

/// Tokens of one call.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenCount {
    /// Tokens sent, cached ones included.
    pub input: u64,
    /// Of those, tokens that the provider had in its cache.
    pub cached: u64,
    /// Of those, tokens that the provider took into its cache and charges extra for.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub written: u64,
    /// Tokens received, thoughts included.
    pub output: u64,
    /// Whether we counted, because the provider did not say.
    #[serde(default)]
    pub estimated: bool,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// What came back. All of it is untrusted.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    /// What it said.
    pub text: String,
    /// The tools it wants used.
    #[serde(default)]
    pub calls: Vec<ToolCall>,
    /// Why it stopped.
    #[serde(default)]
    pub stop: Stop,
    /// What it took.
    #[serde(default)]
    pub tokens: TokenCount,
    /// Who answered: `provider:name`.
    #[serde(default)]
    pub model: String,
}

/// A tool call whose parts are still coming in.
#[derive(Debug, Default)]
pub(crate) struct PartialCall {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) arguments: String,
    pub(crate) signature: Option<String>,
}

/// A reply whose parts are still coming in: streamed, or all at once.
#[derive(Debug, Default)]
pub(crate) struct Partial {
    pub(crate) text: String,
    pub(crate) calls: BTreeMap<u64, PartialCall>,
    pub(crate) stop: Option<Stop>,
    pub(crate) input: Option<u64>,
    pub(crate) cached: Option<u64>,
    pub(crate) written: Option<u64>,
    pub(crate) output: Option<u64>,
    /// Whether the provider said that nothing more follows.
    pub(crate) done: bool,
    /// What came in since someone last looked.
    pub(crate) fresh: String,
}

impl Partial {
    /// Adds to the text.
    pub(crate) fn say(&mut self, text: &str) {
        self.text.push_str(text);
        self.fresh.push_str(text);
    }

    /// How much there is so far, in bytes.
    pub(crate) fn len(&self) -> usize {
        self.text.len() + self.calls.values().map(|call| call.arguments.len()).sum::<usize>()
    }

    /// An answer that came as a call of the tool that stands for its shape is a text after all.
    pub(crate) fn unwrap_shape(&mut self, name: &str) {
        let index = self.calls.iter().find(|(_, call)| call.name == name).map(|(index, _)| *index);
        if let Some(call) = index.and_then(|index| self.calls.remove(&index)) {
            self.text = call.arguments;
            if self.stop == Some(Stop::Tools) {
                self.stop = Some(Stop::End);
            }
        }
    }

    /// A call by its place, made if it is new; none beyond the limit.
    pub(crate) fn call(&mut self, index: u64) -> Option<&mut PartialCall> {
        if self.calls.len() >= CALLS && !self.calls.contains_key(&index) {
            return None;
        }
        Some(self.calls.entry(index).or_default())
    }

    /// Adds a whole call after those there are.
    pub(crate) fn push(&mut self, call: PartialCall) {
        let index = self.calls.keys().next_back().map_or(0, |last| last + 1);
        if let Some(slot) = self.call(index) {
            *slot = call;
        }
    }

    /// The reply, now that everything is here.
    pub(crate) fn finish(self) -> Reply {
        let calls: Vec<ToolCall> = self
            .calls
            .into_values()
            .enumerate()
            .filter(|(_, call)| !call.name.is_empty())
            .map(|(index, call)| ToolCall {
                id: if call.id.is_empty() { format!("call_{index}") } else { call.id },
                name: call.name,
                arguments: arguments(&call.arguments),
                signature: call.signature,
            })
            .collect();
        // Whether tools are wanted is judged by the calls: providers differ about the reason.
        let stop = match self.stop.unwrap_or_default() {
            _ if !calls.is_empty() => Stop::Tools,
            Stop::Tools => Stop::End,
            stop => stop,
        };
        let tokens = TokenCount {
            input: self.input.unwrap_or(0),
            cached: self.cached.unwrap_or(0),
            written: self.written.unwrap_or(0),
            output: self.output.unwrap_or(0),
            estimated: false,
        };
        Reply { text: self.text, calls, stop, tokens, model: String::new() }
    }
}

/// Arguments as JSON: an empty text is no arguments, an unreadable one is null.
fn arguments(text: &str) -> Value {
    if text.trim().is_empty() {
        return Value::Object(serde_json::Map::new());
    }
    serde_json::from_str(text).unwrap_or(Value::Null)
}
