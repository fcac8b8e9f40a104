//! `--search a,b,c` → which providers are asked.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::name::ProviderName;
use super::settings::SearchSettings;

/// The longest list of providers, to keep a search bounded.
pub const PROVIDERS_MAX: usize = 32;
/// The provider of the user's own library.
pub const LIBRARY: &str = "library";
/// The provider of stored news articles.
pub const NEWS: &str = "news";
/// The provider of a fixed list of addresses.
pub const URLS: &str = "urls";
/// The provider of documents that were uploaded for one run.
pub const FILES: &str = "files";
/// What `auto` asks of the web, to be named beside other providers.
pub const WEB: &str = "web";
/// The names of providers that are no site's.
pub(super) const OWN: [&str; 4] = [LIBRARY, NEWS, URLS, FILES];
/// The providers that `auto` asks without any key, each only where the one before cannot answer.
const KEYLESS: [ProviderName; 3] =
    [ProviderName::Duckduckgo, ProviderName::Mojeek, ProviderName::Wikidata];
/// The provider that `auto` asks beside them.
const BESIDE: ProviderName = ProviderName::Wikipedia;

/// Which providers a user wants.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "String")]
pub enum Selection {
    /// Every provider that has its key or URL, else the ones that need none.
    #[default]
    Auto,
    /// These, in this order, by lower-case name.
    Named(Vec<String>),
}

/// A selection in a settings file: text with commas, or a list.
#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Text(String),
    List(Vec<String>),
}

/// Why no providers could be chosen.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SelectError {
    /// Nothing is named.
    #[error("no search provider is named; use auto, or names such as duckduckgo,wikipedia")]
    Empty,
    /// Too much is named.
    #[error("{0} search providers are named; at most {PROVIDERS_MAX} can be asked")]
    TooMany(usize),
    /// `auto` is among names.
    #[error("auto cannot be combined with other providers; name them all, or use auto alone")]
    AutoAmongOthers,
    /// There is no such provider.
    #[error("there is no search provider `{name}`; known are {known}")]
    Unknown {
        /// What was asked for.
        name: String,
        /// All names, with commas.
        known: String,
    },
    /// The provider needs a key that is not set.
    #[error(
        "{provider} needs a key: set {variable}, or search.{provider}.key in the configuration"
    )]
    KeyMissing {
        /// The provider.
        provider: ProviderName,
        /// The environment variable to set.
        variable: &'static str,
    },
    /// The provider needs a base URL that is not set.
    #[error(
        "{provider} needs the URL of an instance: set {variable}, or search.{provider}.url in the configuration"
    )]
    UrlMissing {
        /// The provider.
        provider: ProviderName,
        /// The environment variable to set.
        variable: &'static str,
    },
    /// The provider needs to know which of its engines is searched.
    #[error(
        "{provider} needs the id of an engine: set {variable}, or search.{provider}.engine in the configuration"
    )]
    EngineMissing {
        /// The provider.
        provider: ProviderName,
        /// The environment variable to set.
        variable: &'static str,
    },
    /// The provider is part of Probity but has nothing to search here.
    #[error("{0} has nothing to search here{hint}", hint = local_hint(.0))]
    NotHere(String),
}

fn local_hint(name: &str) -> &'static str {
    match name {
        LIBRARY => "; add documents with `probity library add`",
        NEWS => "; add feeds with `probity feeds add`",
        URLS => "; give a list with --urls FILE, or set search.urls in the configuration",
        FILES => "; bring documents along with the question",
        _ => "",
    }
}

/// One provider of a resolved selection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Chosen {
    /// One that is reached over HTTP.
    Http(ProviderName),
    /// Several that are, each asked only where the one before cannot answer.
    Chain(Vec<ProviderName>),
    /// One that this program brought along, by name.
    Local(String),
}

impl Selection {
    /// Reads `auto` or names with commas between them. Repeats are taken once; whether the names
    /// exist is decided by [`Selection::resolve`].
    ///
    /// # Errors
    /// When nothing is named, too much is, or `auto` is among names.
    pub fn parse(text: &str) -> Result<Self, SelectError> {
        Self::from_names(text.split(','))
    }

    fn from_names<'a>(names: impl Iterator<Item = &'a str>) -> Result<Self, SelectError> {
        let mut wanted: Vec<String> = Vec::new();
        for name in names.map(|name| name.trim().to_lowercase()).filter(|name| !name.is_empty()) {
            let name = ProviderName::find(&name).map_or(name, |known| known.as_str().to_owned());
            if !wanted.contains(&name) {
                wanted.push(name);
            }
            if wanted.len() > PROVIDERS_MAX {
                return Err(SelectError::TooMany(wanted.len()));
            }
        }
        match wanted.as_slice() {
            [] => Err(SelectError::Empty),
            [only] if only == "auto" => Ok(Self::Auto),
            names if names.iter().any(|name| name == "auto") => Err(SelectError::AutoAmongOthers),
            _ => Ok(Self::Named(wanted)),
        }
    }

    /// The providers to ask, given the settings and the names of the local ones that are here.
    ///
    /// # Errors
    /// When a name is unknown, or a provider lacks its key, its URL or anything to search.
    pub fn resolve(
        &self,
        settings: &SearchSettings,
        locals: &[&str],
    ) -> Result<Vec<Chosen>, SelectError> {
        match self {
            Self::Auto => Ok(automatic(settings, locals)),
            Self::Named(names) => {
                let mut chosen = Vec::new();
                for name in names {
                    let more = match name == WEB {
                        true => web(settings),
                        false => vec![choose(name, settings, locals)?],
                    };
                    for one in more {
                        if !chosen.contains(&one) {
                            chosen.push(one);
                        }
                    }
                }
                Ok(chosen)
            }
        }
    }
}

/// What has its key or URL; and the keyless ones too unless that searches the web at large, so
/// that a key for papers does not take the rest of the web away. The library and stored news are
/// asked beside them: they are here only if they hold something.
fn automatic(settings: &SearchSettings, locals: &[&str]) -> Vec<Chosen> {
    let configured: Vec<ProviderName> = ProviderName::ALL
        .into_iter()
        .filter(|provider| {
            let (set, spec) = (settings.of(*provider), provider.spec());
            let named = set.key.is_some() || (spec.url.is_none() && set.url.is_some());
            let whole = (spec.url.is_some() || set.url.is_some())
                && (spec.engine_variable.is_none() || set.engine.is_some())
                && !(spec.key.is_some_and(|key| key.required) && set.key.is_none());
            named && whole
        })
        .collect();
    let mut chosen = Vec::new();
    if !configured.iter().any(|provider| provider.spec().general) {
        chosen.extend([Chosen::Chain(KEYLESS.to_vec()), Chosen::Http(BESIDE)]);
    }
    chosen.extend(configured.into_iter().map(Chosen::Http));
    let beside = [LIBRARY, NEWS].into_iter().filter(|name| locals.contains(name));
    chosen.extend(beside.map(|name| Chosen::Local(name.to_owned())));
    chosen
}

/// What a search asks of the web when nothing is said: the sites among the usual providers, or what needs
/// no naming.
fn web(settings: &SearchSettings) -> Vec<Chosen> {
    let usual = match &settings.providers {
        Selection::Auto => Vec::new(),
        Selection::Named(names) => {
            let sites = names.iter().filter_map(|name| choose(name, settings, &[]).ok());
            sites.collect()
        }
    };
    if usual.is_empty() { automatic(settings, &[]) } else { usual }
}

fn choose(name: &str, settings: &SearchSettings, locals: &[&str]) -> Result<Chosen, SelectError> {
    if locals.contains(&name) {
        return Ok(Chosen::Local(name.to_owned()));
    }
    let Some(provider) = ProviderName::find(name) else {
        if OWN.contains(&name) {
            return Err(SelectError::NotHere(name.to_owned()));
        }
        let name = probity_core::printable::brief(name, 40);
        return Err(SelectError::Unknown { name, known: known(locals) });
    };
    let (set, spec) = (settings.of(provider), provider.spec());
    match spec.key {
        Some(key) if key.required && set.key.is_none() => {
            return Err(SelectError::KeyMissing { provider, variable: key.variable });
        }
        _ => {}
    }
    if spec.url.is_none() && set.url.is_none() {
        let variable = spec.url_variable.unwrap_or_default();
        return Err(SelectError::UrlMissing { provider, variable });
    }
    if let Some(variable) = spec.engine_variable
        && set.engine.is_none()
    {
        return Err(SelectError::EngineMissing { provider, variable });
    }
    Ok(Chosen::Http(provider))
}

/// Every name that can be asked for, with commas.
fn known(locals: &[&str]) -> String {
    let mut names: Vec<&str> = vec!["auto", WEB];
    names.extend(ProviderName::ALL.iter().map(|provider| provider.as_str()));
    names.extend(OWN);
    for local in locals {
        if !names.contains(local) {
            names.push(local);
        }
    }
    names.join(", ")
}

impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Named(names) => f.write_str(&names.join(",")),
        }
    }
}

impl std::str::FromStr for Selection {
    type Err = SelectError;

    fn from_str(text: &str) -> Result<Self, SelectError> {
        Self::parse(text)
    }
}

impl TryFrom<Written> for Selection {
    type Error = SelectError;

    fn try_from(written: Written) -> Result<Self, SelectError> {
        match written {
            Written::Text(text) => Self::parse(&text),
            Written::List(names) => Self::from_names(names.iter().map(String::as_str)),
        }
    }
}

impl From<Selection> for String {
    fn from(selection: Selection) -> Self {
        selection.to_string()
    }
}

#[cfg(test)]
mod tests {
    use probity_core::{Secret, WebUrl};

    use super::*;

    fn named(names: &[&str]) -> Selection {
        Selection::Named(names.iter().map(|name| (*name).to_owned()).collect())
    }

    fn resolved(text: &str, settings: &SearchSettings) -> Result<Vec<String>, SelectError> {
        let chosen = Selection::parse(text)?.resolve(settings, &["library"])?;
        Ok(chosen
            .into_iter()
            .map(|chosen| match chosen {
                Chosen::Http(name) => name.to_string(),
                Chosen::Chain(names) => {
                    names.iter().map(ToString::to_string).collect::<Vec<_>>().join(" → ")
                }
                Chosen::Local(name) => format!("local {name}"),
            })
            .collect())
    }

    #[test]
    fn names_are_read_with_aliases_and_without_repeats() {
        assert_eq!(Selection::parse(" Auto "), Ok(Selection::Auto));
        assert_eq!(
            Selection::parse("DDG, wiki,duckduckgo,,s2"),
            Ok(named(&["duckduckgo", "wikipedia", "semantic-scholar"]))
        );
        assert_eq!(Selection::parse(" , "), Err(SelectError::Empty));
        assert_eq!(Selection::parse("auto,brave"), Err(SelectError::AutoAmongOthers));
        let many: String = (0..40).map(|n| format!("p{n},")).collect();
        assert!(matches!(Selection::parse(&many), Err(SelectError::TooMany(_))));
    }

    #[test]
    fn auto_takes_what_is_configured_else_what_needs_no_key() {
        let mut settings = SearchSettings::default();
        let keyless = ["duckduckgo → mojeek → wikidata", "wikipedia", "local library"];
        assert_eq!(resolved("auto", &settings).unwrap(), keyless);
        settings.semantic_scholar.key = Some(Secret::new("k"));
        assert_eq!(
            resolved("auto", &settings).unwrap(),
            [keyless[0], "wikipedia", "semantic-scholar", "local library"]
        );
        settings.searxng.url = WebUrl::parse("http://localhost:8888").ok();
        settings.brave.key = Some(Secret::new("k"));
        settings.wikipedia.url = WebUrl::parse("http://localhost:8889").ok();
        let configured = ["searxng", "brave", "semantic-scholar", "local library"];
        assert_eq!(resolved("auto", &settings).unwrap(), configured);
        settings.google.key = Some(Secret::new("k"));
        assert_eq!(resolved("auto", &settings).unwrap(), configured, "it lacks its engine");
        settings.bing.url = WebUrl::parse("http://localhost:8890").ok();
        assert!(resolved("auto", &settings).unwrap().contains(&"bing".to_owned()));
    }

    #[test]
    fn the_web_is_what_auto_asks_of_it_and_can_stand_beside_others() {
        let mut settings = SearchSettings::default();
        let keyless = ["duckduckgo → mojeek → wikidata", "wikipedia"];
        assert_eq!(resolved("web", &settings).unwrap(), keyless);
        assert_eq!(
            resolved("library,web,wikipedia", &settings).unwrap(),
            ["local library", keyless[0], "wikipedia"]
        );
        settings.brave.key = Some(Secret::new("k"));
        assert_eq!(resolved("web,library", &settings).unwrap(), ["brave", "local library"]);
        settings.providers = named(&["library", "arxiv", "exa"]);
        assert_eq!(
            resolved("web", &settings).unwrap(),
            ["arxiv"],
            "what has its key, of the usual"
        );
    }

    #[test]
    fn what_is_missing_is_named() {
        let settings = SearchSettings::default();
        let message = |text| resolved(text, &settings).unwrap_err().to_string();
        assert_eq!(
            message("wikipedia,brave"),
            "brave needs a key: set BRAVE_API_KEY, or search.brave.key in the configuration"
        );
        assert_eq!(
            message("searxng"),
            "searxng needs the URL of an instance: set SEARXNG_URL, or search.searxng.url in the configuration"
        );
        assert_eq!(
            message("altavista"),
            "there is no search provider `altavista`; known are auto, web, searxng, tavily, brave, exa, serper, \
             google, serpapi, kagi, bing, jina, perplexity, duckduckgo, mojeek, wikipedia, arxiv, openalex, \
             crossref, semantic-scholar, pubmed, guardian, stack-exchange, github, wikidata, wayback, library, \
             news, urls, files"
        );
        let mut keyed = SearchSettings::default();
        keyed.google.key = Some(Secret::new("k"));
        assert_eq!(
            resolved("google", &keyed).unwrap_err().to_string(),
            "google needs the id of an engine: set GOOGLE_CSE_ID, or search.google.engine in the configuration"
        );
        assert_eq!(
            message("news"),
            "news has nothing to search here; add feeds with `probity feeds add`"
        );
        assert_eq!(resolved("library,arxiv", &settings).unwrap(), ["local library", "arxiv"]);
    }

    #[test]
    fn settings_files_may_use_text_or_a_list() {
        let read = |value| serde_json::from_value::<Selection>(value);
        assert_eq!(read(serde_json::json!("brave,exa")).unwrap(), named(&["brave", "exa"]));
        assert_eq!(read(serde_json::json!(["brave", "exa"])).unwrap(), named(&["brave", "exa"]));
        assert_eq!(read(serde_json::json!("auto")).unwrap(), Selection::Auto);
        assert!(read(serde_json::json!([])).is_err());
        assert_eq!(serde_json::to_value(named(&["brave", "exa"])).unwrap(), "brave,exa");
    }
}
