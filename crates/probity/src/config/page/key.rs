//! The keys that can be set on the page, by name.

use std::fmt;
use std::str::FromStr;

use probity_core::Secret;
use probity_model::ProviderName as ModelProvider;
use probity_web::search::ProviderName as SearchProvider;
use serde::{Deserialize, Serialize};

use crate::config::{Settings, env};

/// Whose key it is: `model.anthropic`, `search.brave`, `login.oidc`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) enum KeyName {
    /// A provider of language models.
    Model(ModelProvider),
    /// A search provider.
    Search(SearchProvider),
    /// The provider that people log in at.
    LogIn,
}

impl KeyName {
    /// Every provider that takes a key, models first.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        let models = ModelProvider::ALL.into_iter().map(Self::Model);
        let searches = SearchProvider::ALL.into_iter().map(Self::Search);
        let all = models.chain(searches).chain([Self::LogIn]);
        all.filter(|name| name.variable().is_some())
    }

    /// The environment variables that set it too, the strongest first; none for a provider without a key.
    fn variables(self) -> Vec<&'static str> {
        match self {
            Self::Model(provider) => provider.key_variables().to_vec(),
            Self::Search(provider) => {
                provider.spec().key.map(|key| key.variable).into_iter().collect()
            }
            Self::LogIn => vec![env::PROBITY_OIDC_SECRET.name],
        }
    }

    /// Whose key it is, for people.
    pub(crate) fn label(self) -> String {
        match self {
            Self::Model(provider) => format!("{} (language models)", model_title(provider)),
            Self::Search(provider) => format!("{} (search)", search_title(provider)),
            Self::LogIn => "The provider of [oidc] (log-in)".to_owned(),
        }
    }

    /// The environment variable that sets it too.
    pub(crate) fn variable(self) -> Option<&'static str> {
        self.variables().first().copied()
    }

    /// The environment variable that does set it, if one does.
    pub(crate) fn set_by(self, is_set: impl Fn(&str) -> bool) -> Option<String> {
        let files = matches!(self, Self::Model(_));
        let names = self.variables().into_iter().flat_map(|name| {
            let file = files.then(|| format!("{name}_FILE"));
            [Some(name.to_owned()), file].into_iter().flatten()
        });
        names.into_iter().find(|name| is_set(name))
    }

    /// Whether nothing can be asked without it.
    pub(crate) fn is_needed(self) -> bool {
        match self {
            Self::Model(provider) => provider.needs_key(),
            Self::Search(provider) => provider.spec().key.is_some_and(|key| key.required),
            // Some providers take PKCE as proof enough.
            Self::LogIn => false,
        }
    }

    /// The key in some settings, or the file that holds it.
    pub(crate) fn is_in(self, settings: &Settings) -> bool {
        match self {
            Self::Model(provider) => {
                let provider = settings.model.of(provider);
                provider.key.is_some() || provider.key_file.is_some()
            }
            Self::Search(provider) => {
                let provider = settings.search.of(provider);
                provider.key.is_some() || provider.key_file.is_some()
            }
            Self::LogIn => {
                settings.oidc.client_secret.is_some() || settings.oidc.client_secret_file.is_some()
            }
        }
    }

    /// Puts a key into some settings.
    pub(crate) fn put(self, settings: &mut Settings, key: Option<Secret>) {
        match self {
            Self::Model(provider) => settings.model.of_mut(provider).key = key,
            Self::Search(provider) => settings.search.of_mut(provider).key = key,
            Self::LogIn => settings.oidc.client_secret = key,
        }
    }
}

/// What a provider of language models calls itself.
fn model_title(provider: ModelProvider) -> &'static str {
    match provider {
        ModelProvider::Anthropic => "Anthropic",
        ModelProvider::OpenAi => "OpenAI",
        ModelProvider::Gemini => "Google Gemini",
        ModelProvider::Ollama => "Ollama",
        ModelProvider::OpenRouter => "OpenRouter",
        ModelProvider::Groq => "Groq",
        ModelProvider::DeepSeek => "DeepSeek",
        ModelProvider::Mistral => "Mistral",
        ModelProvider::Xai => "xAI",
        ModelProvider::Together => "Together",
        ModelProvider::Azure => "Azure OpenAI",
        ModelProvider::Bedrock => "Amazon Bedrock",
        ModelProvider::Vertex => "Google Vertex AI",
        ModelProvider::LmStudio => "LM Studio",
        ModelProvider::LlamaCpp => "llama.cpp",
        ModelProvider::Vllm => "vLLM",
        ModelProvider::Compatible => "Another server with OpenAI's chat API",
    }
}

/// What a search provider calls itself.
fn search_title(provider: SearchProvider) -> &'static str {
    match provider {
        SearchProvider::Searxng => "SearXNG",
        SearchProvider::Tavily => "Tavily",
        SearchProvider::Brave => "Brave",
        SearchProvider::Exa => "Exa",
        SearchProvider::Serper => "Serper",
        SearchProvider::Google => "Google Programmable Search",
        SearchProvider::Serpapi => "SerpApi",
        SearchProvider::Kagi => "Kagi",
        SearchProvider::Bing => "Bing",
        SearchProvider::Jina => "Jina",
        SearchProvider::Perplexity => "Perplexity",
        SearchProvider::Duckduckgo => "DuckDuckGo",
        SearchProvider::Mojeek => "Mojeek",
        SearchProvider::Wikipedia => "Wikipedia",
        SearchProvider::Arxiv => "arXiv",
        SearchProvider::Openalex => "OpenAlex",
        SearchProvider::Crossref => "Crossref",
        SearchProvider::SemanticScholar => "Semantic Scholar",
        SearchProvider::Pubmed => "PubMed",
        SearchProvider::Guardian => "The Guardian",
        SearchProvider::StackExchange => "Stack Exchange",
        SearchProvider::Github => "GitHub",
        SearchProvider::Wikidata => "Wikidata",
        SearchProvider::Wayback => "Wayback Machine",
    }
}

impl fmt::Display for KeyName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Model(provider) => write!(f, "model.{provider}"),
            Self::Search(provider) => write!(f, "search.{provider}"),
            Self::LogIn => f.write_str("login.oidc"),
        }
    }
}

impl FromStr for KeyName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let all = Self::all().find(|name| name.to_string() == text.trim());
        all.ok_or_else(|| "there is no provider of that name that takes a key".to_owned())
    }
}

impl TryFrom<String> for KeyName {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<KeyName> for String {
    fn from(name: KeyName) -> String {
        name.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_has_a_name_of_its_own_that_is_read_back() {
        let names: Vec<KeyName> = KeyName::all().collect();
        assert!(names.len() > 20, "{names:?}");
        let labels: std::collections::BTreeSet<String> =
            names.iter().map(|name| name.label()).collect();
        assert_eq!(labels.len(), names.len(), "no two look the same: {labels:?}");
        for name in names {
            assert_eq!(name.to_string().parse(), Ok(name));
            assert!(!name.label().contains(&name.to_string()), "{name} is for programs");
            let mut settings = Settings::default();
            name.put(&mut settings, Some(Secret::new("a key of some length")));
            let others = KeyName::all().filter(|other| other.is_in(&settings));
            assert_eq!(others.collect::<Vec<_>>(), [name]);
        }
        for wrong in ["", "model", "model.nobody", "search.wikipedia", "brave", "Model.anthropic"] {
            assert!(wrong.parse::<KeyName>().is_err(), "{wrong}");
        }
    }
}
