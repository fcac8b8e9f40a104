//! What a user can set about searching: which providers, where they are, their keys and limits.

use std::path::{Path, PathBuf};
use std::time::Duration;

use probity_core::{Secret, WebUrl};
use serde::{Deserialize, Serialize};

use super::name::ProviderName;
use super::provider::mcp::{McpSettings, check_all};
use super::query::{Lang, RESULTS, RESULTS_MAX};
use super::select::Selection;

/// The slowest rate that makes sense: one request a minute.
const PER_SECOND_MIN: f64 = 1.0 / 60.0;
/// The fastest rate: more would be an attack.
const PER_SECOND_MAX: f64 = 1_000.0;
/// The longest time one search may be given.
pub(super) const TIMEOUT_MAX: Duration = Duration::from_secs(300);

/// Settings of one provider. Everything is optional; what is left out has the provider's default.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ProviderSettings {
    /// The base URL, for a mirror, a proxy or your own instance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<WebUrl>,
    /// The key. Better kept in the environment or in a file of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<Secret>,
    /// A file that holds the key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key_file: Option<PathBuf>,
    /// Which of the provider's engines or sites is searched: the id of Google's engine, the site of
    /// Stack Exchange.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// The address that the provider may write to when something is wrong with our requests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mailto: Option<String>,
    /// How many requests a second it gets at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub per_second: Option<f64>,
    /// How many seconds one search may take, waiting for its turn included.
    #[serde(skip_serializing_if = "Option::is_none", with = "seconds")]
    pub timeout: Option<Duration>,
}

/// Settings of searching: the section `[search]` of the configuration.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SearchSettings {
    /// Which providers are asked: `auto`, or names separated by commas.
    pub providers: Selection,
    /// How many results are asked of each provider.
    pub results: usize,
    /// The language that results should be in, where a provider can choose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lang: Option<Lang>,
    /// Addresses that the provider `urls` returns for every query.
    pub urls: Vec<WebUrl>,
    /// A SearXNG instance.
    pub searxng: ProviderSettings,
    /// Tavily.
    pub tavily: ProviderSettings,
    /// Brave.
    pub brave: ProviderSettings,
    /// Exa.
    pub exa: ProviderSettings,
    /// Serper.
    pub serper: ProviderSettings,
    /// DuckDuckGo.
    pub duckduckgo: ProviderSettings,
    /// Wikipedia.
    pub wikipedia: ProviderSettings,
    /// arXiv.
    pub arxiv: ProviderSettings,
    /// OpenAlex.
    pub openalex: ProviderSettings,
    /// Crossref.
    pub crossref: ProviderSettings,
    /// Semantic Scholar.
    #[serde(rename = "semantic-scholar", alias = "semantic_scholar")]
    pub semantic_scholar: ProviderSettings,
    /// PubMed.
    pub pubmed: ProviderSettings,
    /// Google's Programmable Search Engine.
    pub google: ProviderSettings,
    /// SerpApi.
    pub serpapi: ProviderSettings,
    /// Kagi.
    pub kagi: ProviderSettings,
    /// A service that speaks Bing's API.
    pub bing: ProviderSettings,
    /// Jina.
    pub jina: ProviderSettings,
    /// Perplexity.
    pub perplexity: ProviderSettings,
    /// Mojeek.
    pub mojeek: ProviderSettings,
    /// The Guardian.
    pub guardian: ProviderSettings,
    /// Stack Exchange.
    #[serde(rename = "stack-exchange", alias = "stack_exchange")]
    pub stack_exchange: ProviderSettings,
    /// GitHub.
    pub github: ProviderSettings,
    /// Wikidata.
    pub wikidata: ProviderSettings,
    /// The Wayback Machine.
    pub wayback: ProviderSettings,
    /// Search tools of MCP servers, each a provider of its own name.
    pub mcp: Vec<McpSettings>,
}

impl Default for SearchSettings {
    fn default() -> Self {
        Self {
            providers: Selection::default(),
            results: RESULTS,
            lang: None,
            urls: Vec::new(),
            searxng: ProviderSettings::default(),
            tavily: ProviderSettings::default(),
            brave: ProviderSettings::default(),
            exa: ProviderSettings::default(),
            serper: ProviderSettings::default(),
            duckduckgo: ProviderSettings::default(),
            wikipedia: ProviderSettings::default(),
            arxiv: ProviderSettings::default(),
            openalex: ProviderSettings::default(),
            crossref: ProviderSettings::default(),
            semantic_scholar: ProviderSettings::default(),
            pubmed: ProviderSettings::default(),
            google: ProviderSettings::default(),
            serpapi: ProviderSettings::default(),
            kagi: ProviderSettings::default(),
            bing: ProviderSettings::default(),
            jina: ProviderSettings::default(),
            perplexity: ProviderSettings::default(),
            mojeek: ProviderSettings::default(),
            guardian: ProviderSettings::default(),
            stack_exchange: ProviderSettings::default(),
            github: ProviderSettings::default(),
            wikidata: ProviderSettings::default(),
            wayback: ProviderSettings::default(),
            mcp: Vec::new(),
        }
    }
}

/// What is wrong with a setting.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("search.{name}: {reason}")]
pub struct SettingsError {
    /// The setting, below `search`.
    pub name: String,
    /// What is wrong with it, and what would be right.
    pub reason: String,
}

probity_core::settings_by_provider!(SearchSettings {
    Searxng => searxng,
    Tavily => tavily,
    Brave => brave,
    Exa => exa,
    Serper => serper,
    Duckduckgo => duckduckgo,
    Wikipedia => wikipedia,
    Arxiv => arxiv,
    Openalex => openalex,
    Crossref => crossref,
    SemanticScholar => semantic_scholar,
    Pubmed => pubmed,
    Google => google,
    Serpapi => serpapi,
    Kagi => kagi,
    Bing => bing,
    Jina => jina,
    Perplexity => perplexity,
    Mojeek => mojeek,
    Guardian => guardian,
    StackExchange => stack_exchange,
    Github => github,
    Wikidata => wikidata,
    Wayback => wayback,
});

impl SearchSettings {
    /// Every environment variable that searching reads, with what it is for.
    pub fn variables() -> Vec<(&'static str, String)> {
        ProviderName::ALL
            .into_iter()
            .flat_map(|provider| {
                let spec = provider.spec();
                let key = spec.key.map(|key| (key.variable, format!("the key of {provider}")));
                let mailto = spec
                    .mailto_variable
                    .map(|name| (name, format!("an e-mail address that {provider} may write to")));
                let url =
                    spec.url_variable.map(|name| (name, format!("the base URL of {provider}")));
                let engine = spec
                    .engine_variable
                    .map(|name| (name, format!("the id of the engine that {provider} searches")));
                [url, key, engine, mailto]
            })
            .flatten()
            .collect()
    }

    /// Reads the files that hold keys, for providers that have no key yet.
    ///
    /// # Errors
    /// Names the first file that cannot be read.
    pub fn take_key_files(
        &mut self,
        read: impl Fn(&Path) -> Result<Secret, String>,
    ) -> Result<(), SettingsError> {
        for provider in ProviderName::ALL {
            let settings = self.of_mut(provider);
            if let (None, Some(path)) = (&settings.key, &settings.key_file) {
                let key = read(path).map_err(|reason| SettingsError {
                    name: format!("{provider}.key_file"),
                    reason: format!("cannot read {}: {reason}", path.display()),
                })?;
                settings.key = Some(key);
            }
        }
        Ok(())
    }

    /// Takes keys, addresses and base URLs from the environment, over what is set already.
    ///
    /// `lookup` is asked for each of [`SearchSettings::variables`]; blank values count as unset.
    ///
    /// # Errors
    /// When a base URL is none.
    pub fn take_environment(
        &mut self,
        lookup: impl Fn(&str) -> Option<String>,
    ) -> Result<(), SettingsError> {
        let set = |name: &str| lookup(name).map(|v| v.trim().to_owned()).filter(|v| !v.is_empty());
        for provider in ProviderName::ALL {
            let spec = provider.spec();
            let settings = self.of_mut(provider);
            if let Some(key) = spec.key.and_then(|key| set(key.variable)) {
                settings.key = Some(Secret::new(key));
            }
            if let Some(engine) = spec.engine_variable.and_then(set) {
                settings.engine = Some(engine);
            }
            if let Some(mailto) = spec.mailto_variable.and_then(set) {
                settings.mailto = Some(mailto);
            }
            if let Some((name, text)) = spec.url_variable.and_then(|name| Some((name, set(name)?)))
            {
                let url = WebUrl::parse(&text).map_err(|error| SettingsError {
                    name: format!("{provider}.url"),
                    reason: format!("{name} is not a base URL: {error}"),
                })?;
                settings.url = Some(url);
            }
        }
        Ok(())
    }

    /// Checks that every number is usable.
    ///
    /// # Errors
    /// Names the first setting that is not.
    pub fn check(&self) -> Result<(), SettingsError> {
        let wrong = |name: String, reason: String| Err(SettingsError { name, reason });
        if !(1..=RESULTS_MAX).contains(&self.results) {
            return wrong(
                "results".to_owned(),
                format!("must be 1 to {RESULTS_MAX}, not {}", self.results),
            );
        }
        for provider in ProviderName::ALL {
            let settings = self.of(provider);
            if let Some(Err(reason)) = settings.key.as_ref().map(Secret::check_key) {
                return wrong(format!("{provider}.key"), reason);
            }
            if let Some(rate) = settings.per_second
                && !(PER_SECOND_MIN..=PER_SECOND_MAX).contains(&rate)
            {
                let reason = format!("must be between 1/60 and {PER_SECOND_MAX}, not {rate}");
                return wrong(format!("{provider}.per_second"), reason);
            }
            if let Some(time) = settings.timeout
                && (time.is_zero() || time > TIMEOUT_MAX)
            {
                let reason =
                    format!("must be more than 0 and at most {} seconds", TIMEOUT_MAX.as_secs());
                return wrong(format!("{provider}.timeout"), reason);
            }
            if let Some(engine) = &settings.engine
                && !is_engine(engine)
            {
                let reason = "has to be letters, digits and `.:-_`, at most 128".to_owned();
                return wrong(format!("{provider}.engine"), reason);
            }
            if let Some(mailto) = &settings.mailto
                && !looks_like_address(mailto)
            {
                return wrong(format!("{provider}.mailto"), "is not an e-mail address".to_owned());
            }
        }
        check_all(&self.mcp)
    }
}

fn is_engine(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || ".:-_".contains(c);
    !text.is_empty() && text.len() <= 128 && text.chars().all(plain)
}

fn looks_like_address(text: &str) -> bool {
    let printable = text.chars().all(|c| c.is_ascii_graphic());
    printable
        && text.len() <= 254
        && text.split_once('@').is_some_and(|(name, host)| !name.is_empty() && host.contains('.'))
}

/// Durations as a number of seconds, fractions allowed.
pub(super) mod seconds {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serializer};

    pub(in crate::search) fn serialize<S: Serializer>(
        time: &Option<Duration>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        match time {
            Some(time) => to.serialize_f64(time.as_secs_f64()),
            None => to.serialize_none(),
        }
    }

    pub(in crate::search) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Duration>, D::Error> {
        let seconds = Option::<f64>::deserialize(from)?;
        seconds
            .map(|seconds| Duration::try_from_secs_f64(seconds).map_err(serde::de::Error::custom))
            .transpose()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn the_environment_fills_in_keys_addresses_and_urls() {
        let mut settings = SearchSettings::default();
        settings
            .take_environment(|name| match name {
                "BRAVE_API_KEY" => Some(" bsk-1 ".to_owned()),
                "TAVILY_API_KEY" => Some("  ".to_owned()),
                "SEARXNG_URL" => Some("http://localhost:8888".to_owned()),
                "CROSSREF_MAILTO" => Some("me@example.org".to_owned()),
                _ => None,
            })
            .unwrap();
        assert_eq!(settings.brave.key.as_ref().map(Secret::expose), Some("bsk-1"));
        assert_eq!(settings.tavily.key, None, "blank is unset");
        assert_eq!(
            settings.searxng.url.as_ref().map(WebUrl::as_str),
            Some("http://localhost:8888/")
        );
        assert_eq!(settings.crossref.mailto.as_deref(), Some("me@example.org"));
        assert!(!format!("{settings:?}").contains("bsk-1"));

        let error = settings
            .take_environment(|name| (name == "SEARXNG_URL").then(|| "exa".to_owned()))
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "search.searxng.url: SEARXNG_URL is not a base URL: not an absolute URL (did you mean https://…?)"
        );
    }

    #[test]
    fn a_key_may_be_in_a_file_of_its_own() {
        let from_file = |path: &Path| match path.to_str() {
            Some("brave.key") => Ok(Secret::new("bsk-from-file")),
            _ => Err("there is none".to_owned()),
        };
        let mut settings = SearchSettings::default();
        settings.brave.key_file = Some(PathBuf::from("brave.key"));
        settings.exa.key = Some(Secret::new("exa-itself"));
        settings.exa.key_file = Some(PathBuf::from("not-read"));
        settings.take_key_files(from_file).unwrap();
        assert_eq!(settings.brave.key, Some(Secret::new("bsk-from-file")));
        assert_eq!(settings.exa.key, Some(Secret::new("exa-itself")));
        settings.kagi.key_file = Some(PathBuf::from("nowhere"));
        let error = settings.take_key_files(from_file).unwrap_err();
        assert_eq!(error.to_string(), "search.kagi.key_file: cannot read nowhere: there is none");
    }

    #[test]
    fn each_variable_means_one_thing() {
        let names: Vec<_> = SearchSettings::variables().into_iter().map(|(name, _)| name).collect();
        assert_eq!(names.iter().collect::<HashSet<_>>().len(), names.len());
        for name in [
            "SEARXNG_URL",
            "TAVILY_API_KEY",
            "BRAVE_API_KEY",
            "EXA_API_KEY",
            "SERPER_API_KEY",
            "SEMANTIC_SCHOLAR_API_KEY",
            "OPENALEX_MAILTO",
            "CROSSREF_MAILTO",
            "NCBI_API_KEY",
        ] {
            assert!(names.contains(&name), "{name}");
        }
    }

    #[test]
    fn settings_are_written_and_read_and_checked() {
        let text = serde_json::json!({
            "providers": "brave,wikipedia", "results": 5, "lang": "de",
            "brave": {"key": "brave-key", "per_second": 20.0, "timeout": 2.5},
            "semantic-scholar": {"key": "scholar-key"},
        });
        let settings: SearchSettings = serde_json::from_value(text).unwrap();
        settings.check().unwrap();
        assert_eq!(settings.brave.timeout, Some(Duration::from_millis(2500)));
        assert_eq!(settings.semantic_scholar.key, Some(Secret::new("scholar-key")));
        let written = serde_json::to_value(&settings).unwrap();
        assert_eq!(written["brave"]["key"], "[redacted]");
        let short = serde_json::json!({"brave": {"key": "growth"}});
        let short: SearchSettings = serde_json::from_value(short).unwrap();
        assert_eq!(short.check().unwrap_err().name, "brave.key");
        assert!(
            serde_json::from_value::<SearchSettings>(serde_json::json!({"altavista": {}})).is_err()
        );
        assert!(
            serde_json::from_value::<SearchSettings>(serde_json::json!({"exa": {"timeout": -1}}))
                .is_err()
        );
    }

    #[test]
    fn unusable_numbers_are_named() {
        let with = |change: fn(&mut SearchSettings)| {
            let mut settings = SearchSettings::default();
            change(&mut settings);
            settings.check().unwrap_err().name
        };
        assert_eq!(with(|s| s.results = 0), "results");
        assert_eq!(with(|s| s.exa.per_second = Some(f64::NAN)), "exa.per_second");
        assert_eq!(with(|s| s.arxiv.per_second = Some(0.0)), "arxiv.per_second");
        assert_eq!(with(|s| s.brave.timeout = Some(Duration::ZERO)), "brave.timeout");
        assert_eq!(
            with(|s| s.openalex.mailto = Some("nobody\r\nX: y".to_owned())),
            "openalex.mailto"
        );
    }
}
