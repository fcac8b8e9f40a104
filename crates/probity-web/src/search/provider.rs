//! The one trait that every provider implements, and the providers, a file each.

pub mod arxiv;
pub mod bing;
pub mod brave;
pub mod crossref;
pub mod duckduckgo;
pub mod exa;
pub mod github;
pub mod google;
pub mod guardian;
pub mod jina;
pub mod kagi;
pub mod local;
pub mod mcp;
pub mod mojeek;
pub mod openalex;
pub mod perplexity;
pub mod pubmed;
mod result_page;
pub mod searxng;
pub mod semantic_scholar;
pub mod serpapi;
pub mod serper;
pub mod stack_exchange;
pub mod tavily;
pub mod urls;
pub mod wayback;
pub mod wikidata;
pub mod wikipedia;

use std::time::Duration;

use probity_core::Answering;

use super::ask::Endpoint;
use super::error::SearchError;
use super::name::ProviderName;
use super::query::Query;
use super::reply::Reply;

/// A search in progress.
pub type Searching<'a> = Answering<'a, Result<Reply, SearchError>>;

/// Something that answers a query with results, best first.
pub trait Provider: Send + Sync {
    /// The name in `--search` and in results.
    fn name(&self) -> &str;

    /// How long one search may take.
    fn timeout(&self) -> Duration;

    /// Searches. Results are cleaned, distinct, and carry this provider's name.
    fn search<'a>(&'a self, query: &'a Query) -> Searching<'a>;
}

/// The provider of a name at an endpoint.
pub(crate) fn provider(name: ProviderName, endpoint: Endpoint) -> Box<dyn Provider> {
    match name {
        ProviderName::Searxng => Box::new(searxng::Searxng::new(endpoint)),
        ProviderName::Tavily => Box::new(tavily::Tavily::new(endpoint)),
        ProviderName::Brave => Box::new(brave::Brave::new(endpoint)),
        ProviderName::Exa => Box::new(exa::Exa::new(endpoint)),
        ProviderName::Serper => Box::new(serper::Serper::new(endpoint)),
        ProviderName::Duckduckgo => Box::new(duckduckgo::Duckduckgo::new(endpoint)),
        ProviderName::Wikipedia => Box::new(wikipedia::Wikipedia::new(endpoint)),
        ProviderName::Arxiv => Box::new(arxiv::Arxiv::new(endpoint)),
        ProviderName::Openalex => Box::new(openalex::Openalex::new(endpoint)),
        ProviderName::Crossref => Box::new(crossref::Crossref::new(endpoint)),
        ProviderName::SemanticScholar => Box::new(semantic_scholar::SemanticScholar::new(endpoint)),
        ProviderName::Pubmed => Box::new(pubmed::Pubmed::new(endpoint)),
        ProviderName::Google => Box::new(google::Google::new(endpoint)),
        ProviderName::Serpapi => Box::new(serpapi::Serpapi::new(endpoint)),
        ProviderName::Kagi => Box::new(kagi::Kagi::new(endpoint)),
        ProviderName::Bing => Box::new(bing::Bing::new(endpoint)),
        ProviderName::Jina => Box::new(jina::Jina::new(endpoint)),
        ProviderName::Perplexity => Box::new(perplexity::Perplexity::new(endpoint)),
        ProviderName::Mojeek => Box::new(mojeek::Mojeek::new(endpoint)),
        ProviderName::Guardian => Box::new(guardian::Guardian::new(endpoint)),
        ProviderName::StackExchange => Box::new(stack_exchange::StackExchange::new(endpoint)),
        ProviderName::Github => Box::new(github::Github::new(endpoint)),
        ProviderName::Wikidata => Box::new(wikidata::Wikidata::new(endpoint)),
        ProviderName::Wayback => Box::new(wayback::Wayback::new(endpoint)),
    }
}

/// Writes the parts of [`Provider`] that are the same for everything reached over HTTP.
macro_rules! http_provider {
    ($kind:ident, $name:expr) => {
        impl $kind {
            /// The provider at an endpoint.
            pub fn new(endpoint: $crate::search::ask::Endpoint) -> Self {
                Self { endpoint }
            }
        }

        impl $crate::search::provider::Provider for $kind {
            fn name(&self) -> &str {
                $name.as_str()
            }

            fn timeout(&self) -> std::time::Duration {
                self.endpoint.timeout()
            }

            fn search<'a>(
                &'a self,
                query: &'a $crate::search::query::Query,
            ) -> $crate::search::provider::Searching<'a> {
                Box::pin(self.ask(query))
            }
        }
    };
}
use http_provider;
