//! What a user can set about language models: whom to ask for what, where, with which key.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::str::FromStr;

use probity_core::Secret;
use serde::{Deserialize, Serialize};
use url::Url;

use crate::account::{Account, aws_region, vertex_url};
use crate::meter::Limits;
use crate::name::{ModelName, NameError, ProviderName};
use crate::table::Known;
use crate::task::Task;
use crate::wire::Protocol;

/// The most calls at once that make sense.
const CONCURRENCY_MAX: usize = 64;
/// The longest key file that is read, in bytes.
const KEY_FILE_BYTES: u64 = 64 * 1024;

/// Who is to judge and write.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Choice {
    /// The first provider that has a key, else none.
    #[default]
    Auto,
    /// No model: the embedded analyst.
    Embedded,
    /// A provider, with its default models.
    Provider(ProviderName),
    /// This model for everything.
    Model(ModelName),
}

impl FromStr for Choice {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        match text.trim() {
            "auto" => Ok(Choice::Auto),
            "embedded" => Ok(Choice::Embedded),
            name if name.contains(':') => name.parse().map(Choice::Model),
            name => name.parse().map(Choice::Provider),
        }
    }
}

impl TryFrom<String> for Choice {
    type Error = NameError;

    fn try_from(text: String) -> Result<Self, NameError> {
        text.parse()
    }
}

impl std::fmt::Display for Choice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Choice::Auto => f.write_str("auto"),
            Choice::Embedded => f.write_str("embedded"),
            Choice::Provider(name) => name.fmt(f),
            Choice::Model(name) => name.fmt(f),
        }
    }
}

impl From<Choice> for String {
    fn from(choice: Choice) -> String {
        choice.to_string()
    }
}

/// Models for single tasks; what is not named is done by the default.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TaskModels {
    /// Queries, and gathering with tools.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<ModelName>,
    /// What each source says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summarise: Option<ModelName>,
    /// What is missing, and why there is no report.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gaps: Option<ModelName>,
    /// How well each source answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<ModelName>,
    /// The draft.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub synthesise: Option<ModelName>,
    /// Criticism of the draft, and doubtful citations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub check: Option<ModelName>,
}

impl TaskModels {
    /// The model that is named for a task.
    pub fn of(&self, task: Task) -> Option<&ModelName> {
        match task.configured_as() {
            Task::Plan | Task::Gather => self.plan.as_ref(),
            Task::Summarise => self.summarise.as_ref(),
            Task::Gaps | Task::Explain => self.gaps.as_ref(),
            Task::Score => self.score.as_ref(),
            Task::Synthesise | Task::Outline | Task::Section | Task::Lead => {
                self.synthesise.as_ref()
            }
            Task::Check | Task::Criticise => self.check.as_ref(),
        }
    }
}

/// How one provider is reached.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ProviderSettings {
    /// The key. Better kept in the environment or in a file of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<Secret>,
    /// A file that holds the key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key_file: Option<PathBuf>,
    /// The base URL, for a proxy or the user's own server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_url: Option<BaseUrl>,
    /// What is spoken there, if not what the provider speaks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub protocol: Option<Protocol>,
    /// How many calls it gets at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub concurrency: Option<usize>,
    /// A cloud account instead of a key. Only the environment names one.
    #[serde(skip)]
    pub account: Option<Account>,
    /// Why the account that the environment names cannot be used.
    #[serde(skip)]
    pub account_problem: Option<String>,
}

impl ProviderSettings {
    /// Whether the base URL is at a host of the provider's own, so that no request is answered there without a key.
    pub fn is_at_own_host(&self, provider: ProviderName) -> bool {
        let host = self.base_url.as_ref().and_then(|base| base.url().host_str());
        let ending = provider.own_hosts();
        host.is_some_and(|host| ending.is_some_and(|ending| host.ends_with(ending)))
    }

    /// Whether there is anything by which a provider knows who asks.
    pub fn has_key(&self) -> bool {
        self.key.is_some() || self.account.is_some()
    }
}

/// Settings of language models: the section `[model]` of the configuration.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ModelSettings {
    /// Who judges and writes: `auto`, `embedded`, a provider, or `provider:name`.
    pub default: Choice,
    /// Who is asked when a model does not answer, in order.
    pub fallback: Vec<ModelName>,
    /// Models for single tasks.
    pub tasks: TaskModels,
    /// The most that one run may spend.
    pub limits: Limits,
    /// Windows and prices that the table does not know, or knows wrongly.
    pub known: BTreeMap<ModelName, Known>,
    /// Anthropic.
    pub anthropic: ProviderSettings,
    /// OpenAI.
    pub openai: ProviderSettings,
    /// Gemini.
    pub gemini: ProviderSettings,
    /// Ollama.
    pub ollama: ProviderSettings,
    /// OpenRouter.
    pub openrouter: ProviderSettings,
    /// Groq.
    pub groq: ProviderSettings,
    /// DeepSeek.
    pub deepseek: ProviderSettings,
    /// Mistral.
    pub mistral: ProviderSettings,
    /// xAI.
    pub xai: ProviderSettings,
    /// Together.
    pub together: ProviderSettings,
    /// Azure OpenAI.
    pub azure: ProviderSettings,
    /// Amazon Bedrock.
    pub bedrock: ProviderSettings,
    /// Vertex AI.
    pub vertex: ProviderSettings,
    /// LM Studio.
    pub lmstudio: ProviderSettings,
    /// llama.cpp's server.
    pub llamacpp: ProviderSettings,
    /// vLLM.
    pub vllm: ProviderSettings,
    /// Any other server that speaks OpenAI's chat API.
    pub compatible: ProviderSettings,
}

/// What is wrong with a setting.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("model.{name}: {reason}")]
pub struct SettingsError {
    /// The setting, below `model`.
    pub name: String,
    /// What is wrong with it, and what would be right.
    pub reason: String,
}

probity_core::settings_by_provider!(ModelSettings {
    Anthropic => anthropic,
    OpenAi => openai,
    Gemini => gemini,
    Ollama => ollama,
    OpenRouter => openrouter,
    Groq => groq,
    DeepSeek => deepseek,
    Mistral => mistral,
    Xai => xai,
    Together => together,
    Azure => azure,
    Bedrock => bedrock,
    Vertex => vertex,
    LmStudio => lmstudio,
    LlamaCpp => llamacpp,
    Vllm => vllm,
    Compatible => compatible,
});

impl ModelSettings {
    /// Every environment variable that is read, in the order of the providers.
    pub fn variables() -> Vec<String> {
        ProviderName::ALL
            .into_iter()
            .flat_map(|provider| {
                let keys = provider.key_variables().iter();
                let keys = keys.flat_map(|key| [(*key).to_owned(), format!("{key}_FILE")]);
                let account = provider.account_variables().iter();
                let account = account.chain(provider.further_variables());
                let account = account.map(|name| (*name).to_owned());
                keys.chain(provider.url_variable().map(str::to_owned))
                    .chain(account)
                    .collect::<Vec<_>>()
            })
            .collect()
    }

    /// Takes keys and base URLs from the environment, over what is set already, and reads the
    /// files that hold keys. A blank value counts as unset.
    ///
    /// # Errors
    /// When a base URL is none, or a key file cannot be read.
    pub fn take_environment(
        &mut self,
        lookup: impl Fn(&str) -> Option<String>,
    ) -> Result<(), SettingsError> {
        let set = |name: &str| lookup(name).map(|v| v.trim().to_owned()).filter(|v| !v.is_empty());
        for provider in ProviderName::ALL {
            let settings = self.of_mut(provider);
            for variable in provider.key_variables().iter().rev() {
                if let Some(path) = set(&format!("{variable}_FILE")) {
                    settings.key_file = Some(PathBuf::from(path));
                    settings.key = None;
                }
                if let Some(key) = set(variable) {
                    settings.key = Some(Secret::new(key));
                }
            }
            if let (None, Some(path)) = (&settings.key, &settings.key_file) {
                let key = read_key(path).map_err(|reason| SettingsError {
                    name: format!("{provider}.key_file"),
                    reason: format!("cannot read {}: {reason}", path.display()),
                })?;
                settings.key = Some(key);
            }
            if let Some(text) = provider.url_variable().and_then(set) {
                let url = text.parse().map_err(|reason| SettingsError {
                    name: format!("{provider}.base_url"),
                    reason: format!("{} {reason}", provider.url_variable().unwrap_or_default()),
                })?;
                settings.base_url = Some(url);
            }
        }
        take_aws(&mut self.bedrock, set);
        take_google(&mut self.vertex, set);
        Ok(())
    }

    /// Checks that every setting is usable.
    ///
    /// # Errors
    /// Names the first that is not.
    pub fn check(&self) -> Result<(), SettingsError> {
        let wrong = |name: String, reason: String| Err(SettingsError { name, reason });
        for provider in ProviderName::ALL {
            let settings = self.of(provider);
            if let Some(Err(reason)) = settings.key.as_ref().map(Secret::check_key) {
                return wrong(format!("{provider}.key"), reason);
            }
            if settings.concurrency.is_some_and(|calls| !(1..=CONCURRENCY_MAX).contains(&calls)) {
                let reason = format!("must be 1 to {CONCURRENCY_MAX}");
                return wrong(format!("{provider}.concurrency"), reason);
            }
        }
        for (name, known) in &self.known {
            if let Err(reason) = known.check() {
                return wrong(format!("known.\"{name}\""), reason);
            }
        }
        match self.limits.max_cost {
            Some(cost) if !(cost.is_finite() && cost >= 0.0) => {
                wrong("limits.max_cost".to_owned(), "must be 0 or more dollars".to_owned())
            }
            _ => Ok(()),
        }
    }
}

/// Takes an account and a region of Amazon's from the environment, for what is not set for Bedrock itself.
fn take_aws(settings: &mut ProviderSettings, set: impl Fn(&str) -> Option<String>) {
    if settings.key.is_none() {
        settings.account = Account::aws(&set);
    }
    if let (None, Some(region)) = (&settings.base_url, aws_region(&set)) {
        let url = format!("https://bedrock-runtime.{region}.amazonaws.com");
        settings.base_url = url.parse().ok();
    }
}

/// Takes a service account, a project and a place of Google's from the environment, for what is not set for Vertex AI
/// itself. The environment may name an account for other programs, so one that cannot be used is no mistake
/// until Vertex AI is asked.
fn take_google(settings: &mut ProviderSettings, set: impl Fn(&str) -> Option<String>) {
    if settings.key.is_none() {
        match Account::google(&set).transpose() {
            Ok(account) => settings.account = account.map(Account::Google),
            Err(reason) => settings.account_problem = Some(reason),
        }
    }
    if settings.base_url.is_none() {
        let url = vertex_url(&set, settings.account.as_ref());
        settings.base_url = url.and_then(|url| url.parse().ok());
    }
}

/// Where a provider is: http or https, without a password.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct BaseUrl(Url);

impl BaseUrl {
    /// The URL.
    pub fn url(&self) -> &Url {
        &self.0
    }
}

impl FromStr for BaseUrl {
    type Err = String;

    /// Reads a base URL as people write it: with a scheme, or a bare host as Ollama takes it.
    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let is_bare = !text.contains("://");
        let full = if is_bare { format!("http://{text}") } else { text.to_owned() };
        let mut url = Url::parse(&full).map_err(|error| format!("is not a base URL: {error}"))?;
        if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
            return Err("must begin with http:// or https://".to_owned());
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err("must not hold a password; set the provider's key instead".to_owned());
        }
        // A server may listen everywhere; a client has to go somewhere.
        if url.host_str() == Some("0.0.0.0") {
            let _ = url.set_host(Some("127.0.0.1"));
        }
        if is_bare && url.port().is_none() {
            let _ = url.set_port(Some(OLLAMA_PORT));
        }
        url.set_query(None);
        url.set_fragment(None);
        Ok(Self(url))
    }
}

impl TryFrom<String> for BaseUrl {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<BaseUrl> for String {
    fn from(url: BaseUrl) -> String {
        url.0.into()
    }
}

impl std::fmt::Display for BaseUrl {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// The port of a host that is named without one.
const OLLAMA_PORT: u16 = 11434;

/// Reads the key that a file holds, without the space around it.
///
/// # Errors
/// When the file cannot be read or holds nothing.
pub fn read_key(path: &std::path::Path) -> Result<Secret, String> {
    use std::io::Read as _;
    let file = std::fs::File::open(path).map_err(|error| error.to_string())?;
    let mut text = String::new();
    file.take(KEY_FILE_BYTES).read_to_string(&mut text).map_err(|error| error.to_string())?;
    match text.trim() {
        "" => Err("it is empty".to_owned()),
        key => Ok(Secret::new(key)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_fills_in_keys_files_and_urls() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("key");
        std::fs::write(&file, "  sk-from-file\n").unwrap();
        let mut settings = ModelSettings::default();
        settings
            .take_environment(|name| match name {
                "GOOGLE_API_KEY" => Some("g-old".to_owned()),
                "GEMINI_API_KEY" => Some(" g-new ".to_owned()),
                "ANTHROPIC_API_KEY_FILE" => Some(file.display().to_string()),
                "OLLAMA_HOST" => Some("0.0.0.0".to_owned()),
                "OPENAI_BASE_URL" => Some("http://localhost:8000/v1".to_owned()),
                _ => None,
            })
            .unwrap();
        let key = |p: ProviderName| settings.of(p).key.as_ref().map(|k| k.expose().to_owned());
        assert_eq!(key(ProviderName::Gemini).as_deref(), Some("g-new"));
        assert_eq!(key(ProviderName::Anthropic).as_deref(), Some("sk-from-file"));
        let url = |p: ProviderName| settings.of(p).base_url.as_ref().map(ToString::to_string);
        assert_eq!(url(ProviderName::Ollama).as_deref(), Some("http://127.0.0.1:11434/"));
        assert_eq!(url(ProviderName::OpenAi).as_deref(), Some("http://localhost:8000/v1"));
        assert!(!format!("{settings:?}").contains("sk-from"));
        let missing = |name: &str| (name == "OPENAI_API_KEY_FILE").then(|| "/nowhere".to_owned());
        let error = ModelSettings::default().take_environment(missing).unwrap_err();
        assert!(error.to_string().starts_with("model.openai.key_file: cannot read /nowhere"));
    }

    #[test]
    fn settings_are_read_and_checked() {
        let text = "default = \"anthropic\"\nfallback = [\"openai:gpt-5\"]\n[tasks]\nscore = \"ollama:qwen3:8b\"\n\
                    [known.\"compatible:x\"]\ninput = 1.0\noutput = 2.0\n[limits]\nmax_cost = 0.5\n";
        let settings: ModelSettings = toml::from_str(text).unwrap();
        settings.check().unwrap();
        assert_eq!(settings.default, Choice::Provider(ProviderName::Anthropic));
        assert_eq!(settings.tasks.of(Task::Score).unwrap().to_string(), "ollama:qwen3:8b");
        assert!(toml::from_str::<ModelSettings>("default = \"nobody\"").is_err());
        assert!("http://u:p@h/".parse::<BaseUrl>().unwrap_err().contains("password"));
        assert!("ftp://h/".parse::<BaseUrl>().is_err());
        let wrong = |change: fn(&mut ModelSettings)| {
            let mut settings = ModelSettings::default();
            change(&mut settings);
            settings.check().unwrap_err().name
        };
        assert_eq!(wrong(|s| s.openai.concurrency = Some(0)), "openai.concurrency");
        assert_eq!(wrong(|s| s.openai.key = Some(Secret::new("growth"))), "openai.key");
        assert_eq!(wrong(|s| s.limits.max_cost = Some(f64::NAN)), "limits.max_cost");
    }
}
