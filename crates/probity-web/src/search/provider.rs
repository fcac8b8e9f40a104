//! The one trait behind which every provider stands, and the providers, a file each.

pub mod arxiv;
pub mod brave;
pub mod crossref;
pub mod duckduckgo;
pub mod exa;
pub mod local;
pub mod mcp;
pub mod openalex;
pub mod pubmed;
pub mod searxng;
pub mod semantic_scholar;
pub mod serper;
pub mod tavily;
pub mod urls;
pub mod wikipedia;

use std::pin::Pin;
use std::time::Duration;

use super::ask::Endpoint;
use super::error::SearchError;
use super::name::ProviderName;
use super::query::Query;
use super::reply::Reply;

/// A search under way.
pub type Searching<'a> = Pin<Box<dyn Future<Output = Result<Reply, SearchError>> + Send + 'a>>;

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
