//! Who is asked: a provider, and a model of its.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A provider of models.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ProviderName {
    /// Anthropic's messages API.
    Anthropic,
    /// OpenAI's responses API, or its chat API at another base URL.
    OpenAi,
    /// Google's Gemini API.
    Gemini,
    /// An Ollama server.
    Ollama,
    /// Any server that speaks OpenAI's chat API: llama.cpp, vLLM, LM Studio, OpenRouter, LiteLLM.
    Compatible,
}

impl ProviderName {
    /// Every provider, in the order in which `auto` looks for keys.
    pub const ALL: [ProviderName; 5] = [
        ProviderName::Anthropic,
        ProviderName::OpenAi,
        ProviderName::Gemini,
        ProviderName::Ollama,
        ProviderName::Compatible,
    ];

    /// The provider's name.
    pub fn as_str(self) -> &'static str {
        match self {
            ProviderName::Anthropic => "anthropic",
            ProviderName::OpenAi => "openai",
            ProviderName::Gemini => "gemini",
            ProviderName::Ollama => "ollama",
            ProviderName::Compatible => "compatible",
        }
    }

    /// Where the provider is, unless the settings say otherwise.
    pub fn default_url(self) -> Option<&'static str> {
        match self {
            ProviderName::Anthropic => Some("https://api.anthropic.com"),
            ProviderName::OpenAi => Some("https://api.openai.com/v1"),
            ProviderName::Gemini => Some("https://generativelanguage.googleapis.com"),
            ProviderName::Ollama => Some("http://127.0.0.1:11434"),
            ProviderName::Compatible => None,
        }
    }

    /// The environment variables that may hold its key, the first that is set counts.
    pub fn key_variables(self) -> &'static [&'static str] {
        match self {
            ProviderName::Anthropic => &["ANTHROPIC_API_KEY"],
            ProviderName::OpenAi => &["OPENAI_API_KEY"],
            ProviderName::Gemini => &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
            ProviderName::Ollama => &[],
            ProviderName::Compatible => &["PROBITY_MODEL_KEY"],
        }
    }

    /// The environment variable that may hold its base URL.
    pub fn url_variable(self) -> Option<&'static str> {
        match self {
            ProviderName::Anthropic => Some("ANTHROPIC_BASE_URL"),
            ProviderName::OpenAi => Some("OPENAI_BASE_URL"),
            ProviderName::Gemini => Some("GEMINI_BASE_URL"),
            ProviderName::Ollama => Some("OLLAMA_HOST"),
            ProviderName::Compatible => Some("PROBITY_MODEL_URL"),
        }
    }

    /// Whether it answers nobody without a key.
    pub fn needs_key(self) -> bool {
        matches!(self, ProviderName::Anthropic | ProviderName::OpenAi | ProviderName::Gemini)
    }
}

impl fmt::Display for ProviderName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for ProviderName {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        let found = Self::ALL.into_iter().find(|name| name.as_str().eq_ignore_ascii_case(text));
        found.ok_or_else(|| NameError::Provider(probity_core::printable::brief(text, 40)))
    }
}

/// A text that names no model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// No such provider.
    #[error("there is no provider `{0}`; name anthropic, openai, gemini, ollama or compatible")]
    Provider(String),
    /// No model after the colon.
    #[error("`{0}` names no model; write it as provider:name")]
    Model(String),
}

/// The longest name of a model, in bytes.
const NAME_BYTES: usize = 200;

/// A model of a provider: `provider:name`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ModelName {
    /// The provider.
    pub provider: ProviderName,
    /// The model, as the provider calls it.
    pub model: String,
}

impl ModelName {
    /// A model of a provider.
    pub fn new(provider: ProviderName, model: impl Into<String>) -> Self {
        Self { provider, model: model.into() }
    }
}

impl fmt::Display for ModelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.provider, self.model)
    }
}

impl FromStr for ModelName {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        let brief = || probity_core::printable::brief(text, 60);
        let (provider, model) =
            text.trim().split_once(':').ok_or_else(|| NameError::Model(brief()))?;
        // A model's name becomes part of a URL at some providers.
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:@+".contains(c);
        let usable = !model.is_empty()
            && model.len() <= NAME_BYTES
            && model.chars().all(is_plain)
            && !model.split('/').any(|part| part.is_empty() || part == "." || part == "..");
        match usable {
            true => Ok(Self::new(provider.parse()?, model)),
            false => Err(NameError::Model(brief())),
        }
    }
}

impl TryFrom<String> for ModelName {
    type Error = NameError;

    fn try_from(text: String) -> Result<Self, NameError> {
        text.parse()
    }
}

impl From<ModelName> for String {
    fn from(name: ModelName) -> String {
        name.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_written_alike() {
        for text in ["anthropic:claude-sonnet-5-5", "ollama:qwen3:8b", "compatible:org/model@v1"] {
            assert_eq!(text.parse::<ModelName>().unwrap().to_string(), text);
        }
        for text in ["claude", "anthropic:", "nobody:x", "gemini:../../admin", "openai:a b", "x:é"]
        {
            assert!(text.parse::<ModelName>().is_err(), "{text}");
        }
    }
}
