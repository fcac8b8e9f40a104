//! The providers Probity knows: their names, addresses, keys and manners, in one table.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// A search provider that is reached over HTTP.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProviderName {
    /// A SearXNG instance of the user's.
    Searxng,
    /// Tavily's search for agents.
    Tavily,
    /// Brave's independent index.
    Brave,
    /// Exa's neural search.
    Exa,
    /// Google results by way of Serper.
    Serper,
    /// Google results by a search engine of the user's.
    Google,
    /// Google results by way of SerpApi.
    Serpapi,
    /// Kagi's search for subscribers.
    Kagi,
    /// A service that speaks Bing's API.
    Bing,
    /// Jina's search for language models.
    Jina,
    /// Perplexity's index.
    Perplexity,
    /// DuckDuckGo's page without scripts.
    Duckduckgo,
    /// Mojeek's independent index.
    Mojeek,
    /// Wikipedia in the query's language.
    Wikipedia,
    /// arXiv preprints.
    Arxiv,
    /// OpenAlex, an index of scholarly works.
    Openalex,
    /// Crossref, the registry of DOIs.
    Crossref,
    /// Semantic Scholar's paper search.
    SemanticScholar,
    /// PubMed, the biomedical literature.
    Pubmed,
    /// The Guardian's archive.
    Guardian,
    /// Questions of a Stack Exchange site.
    StackExchange,
    /// Repositories on GitHub.
    Github,
    /// Wikidata's items.
    Wikidata,
    /// Captures of the Wayback Machine.
    Wayback,
}

/// A key: where it comes from, and whether the provider works without it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeySpec {
    /// The environment variable that holds it.
    pub variable: &'static str,
    /// Whether there are no results without it.
    pub required: bool,
}

/// What is known of a provider before any setting is read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spec {
    /// The name in `--search`, settings and results.
    pub name: &'static str,
    /// Other names that are understood.
    pub aliases: &'static [&'static str],
    /// What it searches, in a few words.
    pub about: &'static str,
    /// The base URL; none where only the user can know it.
    pub url: Option<&'static str>,
    /// The environment variable for the base URL, where only the user can know it.
    pub url_variable: Option<&'static str>,
    /// Its key.
    pub key: Option<KeySpec>,
    /// Which of its engines or sites is searched, where the user has to say so: the variable.
    pub engine_variable: Option<&'static str>,
    /// The environment variable for the address that it may write to, where it asks for one.
    pub mailto_variable: Option<&'static str>,
    /// Whether it searches the web at large.
    pub general: bool,
    /// Requests a second without a key.
    pub per_second: f64,
    /// Requests a second with a key.
    pub per_second_keyed: f64,
    /// How long one search may take, waiting for its turn included.
    pub timeout: Duration,
}

const TIMEOUT: Duration = Duration::from_secs(10);
/// For providers that are slow, or that are asked so seldom that queries queue up.
const LONG_TIMEOUT: Duration = Duration::from_secs(30);

const fn required(variable: &'static str) -> Option<KeySpec> {
    Some(KeySpec { variable, required: true })
}

const fn optional(variable: &'static str) -> Option<KeySpec> {
    Some(KeySpec { variable, required: false })
}

/// What most providers have in common.
const PLAIN: Spec = Spec {
    name: "",
    aliases: &[],
    about: "",
    url: None,
    url_variable: None,
    key: None,
    engine_variable: None,
    mailto_variable: None,
    general: false,
    per_second: 5.0,
    per_second_keyed: 5.0,
    timeout: TIMEOUT,
};

// The rates are what the providers publish, or a modest guess below what they tolerate.
const SEARXNG: Spec = Spec {
    name: "searxng",
    aliases: &["searx"],
    about: "your own SearXNG instance",
    url_variable: Some("SEARXNG_URL"),
    general: true,
    ..PLAIN
};
const TAVILY: Spec = Spec {
    name: "tavily",
    about: "the web, for agents",
    url: Some("https://api.tavily.com"),
    key: required("TAVILY_API_KEY"),
    general: true,
    ..PLAIN
};
const BRAVE: Spec = Spec {
    name: "brave",
    about: "the web, by Brave's own index",
    url: Some("https://api.search.brave.com"),
    key: required("BRAVE_API_KEY"),
    general: true,
    per_second_keyed: 1.0,
    ..PLAIN
};
const EXA: Spec = Spec {
    name: "exa",
    about: "the web, by meaning",
    url: Some("https://api.exa.ai"),
    key: required("EXA_API_KEY"),
    general: true,
    ..PLAIN
};
const SERPER: Spec = Spec {
    name: "serper",
    about: "the web, by Google",
    url: Some("https://google.serper.dev"),
    key: required("SERPER_API_KEY"),
    general: true,
    ..PLAIN
};
const GOOGLE: Spec = Spec {
    name: "google",
    aliases: &["google-cse", "cse"],
    about: "the web, by a Programmable Search Engine of yours",
    url: Some("https://customsearch.googleapis.com"),
    key: required("GOOGLE_CSE_KEY"),
    engine_variable: Some("GOOGLE_CSE_ID"),
    general: true,
    // A hundred queries a minute.
    per_second_keyed: 1.5,
    ..PLAIN
};
const SERPAPI: Spec = Spec {
    name: "serpapi",
    about: "the web, by Google",
    url: Some("https://serpapi.com"),
    key: required("SERPAPI_API_KEY"),
    general: true,
    timeout: Duration::from_secs(20),
    ..PLAIN
};
const KAGI: Spec = Spec {
    name: "kagi",
    about: "the web, for subscribers",
    url: Some("https://kagi.com"),
    key: required("KAGI_API_KEY"),
    general: true,
    per_second_keyed: 1.0,
    ..PLAIN
};
const BING: Spec = Spec {
    name: "bing",
    about: "the web, by a service with Bing's API",
    url_variable: Some("BING_SEARCH_URL"),
    key: optional("BING_API_KEY"),
    general: true,
    per_second: 3.0,
    per_second_keyed: 3.0,
    ..PLAIN
};
const JINA: Spec = Spec {
    name: "jina",
    about: "the web, for language models",
    url: Some("https://s.jina.ai"),
    key: required("JINA_API_KEY"),
    general: true,
    // A hundred requests a minute.
    per_second_keyed: 1.5,
    timeout: LONG_TIMEOUT,
    ..PLAIN
};
const PERPLEXITY: Spec = Spec {
    name: "perplexity",
    aliases: &["pplx"],
    about: "the web, by Perplexity's index",
    url: Some("https://api.perplexity.ai"),
    key: required("PERPLEXITY_API_KEY"),
    general: true,
    per_second_keyed: 3.0,
    timeout: Duration::from_secs(20),
    ..PLAIN
};
const DUCKDUCKGO: Spec = Spec {
    name: "duckduckgo",
    aliases: &["ddg"],
    about: "the web, without a key",
    url: Some("https://html.duckduckgo.com"),
    general: true,
    per_second: 1.0,
    timeout: Duration::from_secs(15),
    ..PLAIN
};
const MOJEEK: Spec = Spec {
    name: "mojeek",
    about: "the web, by its own index, also without a key",
    url: Some("https://www.mojeek.com"),
    key: optional("MOJEEK_API_KEY"),
    general: true,
    per_second: 0.5,
    per_second_keyed: 1.0,
    timeout: Duration::from_secs(15),
    ..PLAIN
};
const WIKIPEDIA: Spec = Spec {
    name: "wikipedia",
    aliases: &["wiki"],
    about: "Wikipedia, in the query's language",
    url: Some("https://en.wikipedia.org"),
    ..PLAIN
};
const ARXIV: Spec = Spec {
    name: "arxiv",
    about: "preprints in physics, mathematics, computing",
    url: Some("https://export.arxiv.org"),
    // One request in three seconds, by its terms of use.
    per_second: 1.0 / 3.0,
    timeout: LONG_TIMEOUT,
    ..PLAIN
};
const OPENALEX: Spec = Spec {
    name: "openalex",
    about: "scholarly works of every field",
    url: Some("https://api.openalex.org"),
    key: optional("OPENALEX_API_KEY"),
    mailto_variable: Some("OPENALEX_MAILTO"),
    ..PLAIN
};
const CROSSREF: Spec = Spec {
    name: "crossref",
    about: "everything with a DOI",
    url: Some("https://api.crossref.org"),
    mailto_variable: Some("CROSSREF_MAILTO"),
    timeout: LONG_TIMEOUT,
    ..PLAIN
};
const SEMANTIC_SCHOLAR: Spec = Spec {
    name: "semantic-scholar",
    aliases: &["semanticscholar", "semantic_scholar", "s2"],
    about: "papers, with open copies",
    url: Some("https://api.semanticscholar.org"),
    key: optional("SEMANTIC_SCHOLAR_API_KEY"),
    per_second: 0.5,
    per_second_keyed: 1.0,
    timeout: LONG_TIMEOUT,
    ..PLAIN
};
const PUBMED: Spec = Spec {
    name: "pubmed",
    about: "biomedical literature",
    url: Some("https://eutils.ncbi.nlm.nih.gov"),
    key: optional("NCBI_API_KEY"),
    mailto_variable: Some("NCBI_MAILTO"),
    per_second: 3.0,
    per_second_keyed: 10.0,
    timeout: Duration::from_secs(20),
    ..PLAIN
};

const GUARDIAN: Spec = Spec {
    name: "guardian",
    about: "what the Guardian published since 1999",
    url: Some("https://content.guardianapis.com"),
    key: required("GUARDIAN_API_KEY"),
    per_second_keyed: 1.0,
    ..PLAIN
};
const STACK_EXCHANGE: Spec = Spec {
    name: "stack-exchange",
    aliases: &["stackexchange", "stack_exchange", "stackoverflow"],
    about: "questions with answers, of one Stack Exchange site",
    url: Some("https://api.stackexchange.com"),
    key: optional("STACK_EXCHANGE_KEY"),
    per_second: 2.0,
    per_second_keyed: 5.0,
    ..PLAIN
};
const GITHUB: Spec = Spec {
    name: "github",
    about: "repositories on GitHub",
    url: Some("https://api.github.com"),
    key: optional("GITHUB_SEARCH_TOKEN"),
    // Ten searches a minute, thirty with a token.
    per_second: 1.0 / 6.0,
    per_second_keyed: 0.5,
    timeout: LONG_TIMEOUT,
    ..PLAIN
};
const WIKIDATA: Spec = Spec {
    name: "wikidata",
    about: "things, and in a line what they are",
    url: Some("https://www.wikidata.org"),
    ..PLAIN
};
const WAYBACK: Spec = Spec {
    name: "wayback",
    aliases: &["archive"],
    about: "what the Wayback Machine kept of an address in the query",
    url: Some("https://web.archive.org"),
    per_second: 0.5,
    timeout: LONG_TIMEOUT,
    ..PLAIN
};

impl ProviderName {
    /// All of them, in the order that `auto` takes them and ties are broken by.
    pub const ALL: [Self; 24] = [
        Self::Searxng,
        Self::Tavily,
        Self::Brave,
        Self::Exa,
        Self::Serper,
        Self::Google,
        Self::Serpapi,
        Self::Kagi,
        Self::Bing,
        Self::Jina,
        Self::Perplexity,
        Self::Duckduckgo,
        Self::Mojeek,
        Self::Wikipedia,
        Self::Arxiv,
        Self::Openalex,
        Self::Crossref,
        Self::SemanticScholar,
        Self::Pubmed,
        Self::Guardian,
        Self::StackExchange,
        Self::Github,
        Self::Wikidata,
        Self::Wayback,
    ];

    /// What is known of the provider.
    pub const fn spec(self) -> &'static Spec {
        match self {
            Self::Searxng => &SEARXNG,
            Self::Tavily => &TAVILY,
            Self::Brave => &BRAVE,
            Self::Exa => &EXA,
            Self::Serper => &SERPER,
            Self::Google => &GOOGLE,
            Self::Serpapi => &SERPAPI,
            Self::Kagi => &KAGI,
            Self::Bing => &BING,
            Self::Jina => &JINA,
            Self::Perplexity => &PERPLEXITY,
            Self::Duckduckgo => &DUCKDUCKGO,
            Self::Mojeek => &MOJEEK,
            Self::Wikipedia => &WIKIPEDIA,
            Self::Arxiv => &ARXIV,
            Self::Openalex => &OPENALEX,
            Self::Crossref => &CROSSREF,
            Self::SemanticScholar => &SEMANTIC_SCHOLAR,
            Self::Pubmed => &PUBMED,
            Self::Guardian => &GUARDIAN,
            Self::StackExchange => &STACK_EXCHANGE,
            Self::Github => &GITHUB,
            Self::Wikidata => &WIKIDATA,
            Self::Wayback => &WAYBACK,
        }
    }

    /// The name in `--search`, settings and results.
    pub const fn as_str(self) -> &'static str {
        self.spec().name
    }

    /// The provider of a name or one of its aliases.
    pub fn find(name: &str) -> Option<Self> {
        let is = |known: &str| known.eq_ignore_ascii_case(name);
        Self::ALL.into_iter().find(|provider| {
            is(provider.as_str()) || provider.spec().aliases.iter().any(|alias| is(alias))
        })
    }
}

impl fmt::Display for ProviderName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_name_and_alias_is_found_and_means_one_provider() {
        let mut seen = HashSet::new();
        for provider in ProviderName::ALL {
            let spec = provider.spec();
            for name in spec.aliases.iter().chain([&spec.name]) {
                assert_eq!(ProviderName::find(&name.to_uppercase()), Some(provider));
                assert!(seen.insert(*name), "{name}");
            }
            let written = serde_json::to_value(provider).unwrap();
            assert_eq!(written, serde_json::json!(spec.name), "settings and --search agree");
        }
        assert_eq!(ProviderName::find("altavista"), None);
    }

    #[test]
    fn every_provider_has_sound_limits_and_an_address_that_parses() {
        for provider in ProviderName::ALL {
            let spec = provider.spec();
            assert!(spec.per_second > 0.0 && spec.per_second_keyed >= spec.per_second.min(1.0));
            assert!(spec.timeout >= Duration::from_secs(1));
            assert!(spec.url.is_none_or(|url| probity_core::WebUrl::parse(url).is_ok()));
            assert!(spec.url.is_some() != spec.url_variable.is_some());
        }
    }
}
