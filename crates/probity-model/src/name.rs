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
    /// OpenRouter, which passes on to many.
    OpenRouter,
    /// Groq.
    Groq,
    /// DeepSeek.
    DeepSeek,
    /// Mistral.
    Mistral,
    /// xAI.
    Xai,
    /// Together.
    Together,
    /// Azure OpenAI, by the address of a resource: `https://NAME.openai.azure.com/openai/v1`.
    Azure,
    /// Amazon Bedrock, by region, or by its address for chat: `https://bedrock-runtime.REGION.amazonaws.com/openai/v1`.
    Bedrock,
    /// Vertex AI, by region, or by its address for chat: `https://REGION-aiplatform.googleapis.com/v1/projects/PROJECT/locations/REGION/endpoints/openapi`.
    Vertex,
    /// LM Studio on this machine.
    LmStudio,
    /// llama.cpp's server on this machine.
    LlamaCpp,
    /// vLLM on this machine.
    Vllm,
    /// Any other server that speaks OpenAI's chat API.
    Compatible,
}

impl ProviderName {
    /// Every provider, in the order in which `auto` looks for keys.
    pub const ALL: [ProviderName; 17] = [
        ProviderName::Anthropic,
        ProviderName::OpenAi,
        ProviderName::Gemini,
        ProviderName::OpenRouter,
        ProviderName::Groq,
        ProviderName::DeepSeek,
        ProviderName::Mistral,
        ProviderName::Xai,
        ProviderName::Together,
        ProviderName::Azure,
        ProviderName::Bedrock,
        ProviderName::Vertex,
        ProviderName::Ollama,
        ProviderName::LmStudio,
        ProviderName::LlamaCpp,
        ProviderName::Vllm,
        ProviderName::Compatible,
    ];

    /// The provider's name.
    pub fn as_str(self) -> &'static str {
        match self {
            ProviderName::Anthropic => "anthropic",
            ProviderName::OpenAi => "openai",
            ProviderName::Gemini => "gemini",
            ProviderName::Ollama => "ollama",
            ProviderName::OpenRouter => "openrouter",
            ProviderName::Groq => "groq",
            ProviderName::DeepSeek => "deepseek",
            ProviderName::Mistral => "mistral",
            ProviderName::Xai => "xai",
            ProviderName::Together => "together",
            ProviderName::Azure => "azure",
            ProviderName::Bedrock => "bedrock",
            ProviderName::Vertex => "vertex",
            ProviderName::LmStudio => "lmstudio",
            ProviderName::LlamaCpp => "llamacpp",
            ProviderName::Vllm => "vllm",
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
            ProviderName::OpenRouter => Some("https://openrouter.ai/api/v1"),
            ProviderName::Groq => Some("https://api.groq.com/openai/v1"),
            ProviderName::DeepSeek => Some("https://api.deepseek.com/v1"),
            ProviderName::Mistral => Some("https://api.mistral.ai/v1"),
            ProviderName::Xai => Some("https://api.x.ai/v1"),
            ProviderName::Together => Some("https://api.together.xyz/v1"),
            ProviderName::LmStudio => Some("http://127.0.0.1:1234/v1"),
            ProviderName::LlamaCpp => Some("http://127.0.0.1:8080/v1"),
            ProviderName::Vllm => Some("http://127.0.0.1:8000/v1"),
            ProviderName::Azure
            | ProviderName::Bedrock
            | ProviderName::Vertex
            | ProviderName::Compatible => None,
        }
    }

    /// The environment variables that may hold its key, the first that is set counts.
    pub fn key_variables(self) -> &'static [&'static str] {
        match self {
            ProviderName::Anthropic => &["ANTHROPIC_API_KEY"],
            ProviderName::OpenAi => &["OPENAI_API_KEY"],
            ProviderName::Gemini => &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
            ProviderName::OpenRouter => &["OPENROUTER_API_KEY"],
            ProviderName::Groq => &["GROQ_API_KEY"],
            ProviderName::DeepSeek => &["DEEPSEEK_API_KEY"],
            ProviderName::Mistral => &["MISTRAL_API_KEY"],
            ProviderName::Xai => &["XAI_API_KEY"],
            ProviderName::Together => &["TOGETHER_API_KEY"],
            ProviderName::Azure => &["AZURE_OPENAI_API_KEY"],
            ProviderName::Bedrock => &["AWS_BEARER_TOKEN_BEDROCK"],
            ProviderName::Vertex => &["VERTEX_ACCESS_TOKEN"],
            ProviderName::LlamaCpp => &["LLAMA_API_KEY"],
            ProviderName::Vllm => &["VLLM_API_KEY"],
            ProviderName::Ollama | ProviderName::LmStudio => &[],
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
            ProviderName::OpenRouter => Some("OPENROUTER_BASE_URL"),
            ProviderName::Groq => Some("GROQ_BASE_URL"),
            ProviderName::DeepSeek => Some("DEEPSEEK_BASE_URL"),
            ProviderName::Mistral => Some("MISTRAL_BASE_URL"),
            ProviderName::Xai => Some("XAI_BASE_URL"),
            ProviderName::Together => Some("TOGETHER_BASE_URL"),
            ProviderName::Azure => Some("AZURE_OPENAI_BASE_URL"),
            ProviderName::Bedrock => Some("BEDROCK_BASE_URL"),
            ProviderName::Vertex => Some("VERTEX_BASE_URL"),
            ProviderName::LmStudio => Some("LMSTUDIO_BASE_URL"),
            ProviderName::LlamaCpp => Some("LLAMA_BASE_URL"),
            ProviderName::Vllm => Some("VLLM_BASE_URL"),
            ProviderName::Compatible => Some("PROBITY_MODEL_URL"),
        }
    }

    /// The environment variables of an account that may stand in for its key.
    pub fn account_variables(self) -> &'static [&'static str] {
        match self {
            ProviderName::Bedrock => &["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"],
            ProviderName::Vertex => &["GOOGLE_APPLICATION_CREDENTIALS"],
            _ => &[],
        }
    }

    /// The environment variables that may be needed beside a key or an account.
    pub fn further_variables(self) -> &'static [&'static str] {
        match self {
            ProviderName::Bedrock => &["AWS_SESSION_TOKEN", "AWS_REGION", "AWS_DEFAULT_REGION"],
            ProviderName::Vertex => &["GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION"],
            _ => &[],
        }
    }

    /// The environment variable that says where it is, for one that has a place in each region.
    pub fn region_variable(self) -> Option<&'static str> {
        match self {
            ProviderName::Bedrock => Some("AWS_REGION"),
            ProviderName::Vertex => Some("GOOGLE_CLOUD_LOCATION"),
            _ => None,
        }
    }

    /// What the hosts of a provider end in that has one for each of its customers or regions.
    pub fn own_hosts(self) -> Option<&'static str> {
        match self {
            ProviderName::Azure => Some(".azure.com"),
            ProviderName::Bedrock => Some(".amazonaws.com"),
            ProviderName::Vertex => Some(".googleapis.com"),
            _ => None,
        }
    }

    /// Whether it answers no request without a key.
    pub fn needs_key(self) -> bool {
        !matches!(
            self,
            ProviderName::Ollama
                | ProviderName::LmStudio
                | ProviderName::LlamaCpp
                | ProviderName::Vllm
                | ProviderName::Compatible
        )
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
    #[error("there is no provider `{0}`; `probity models list` names them")]
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
