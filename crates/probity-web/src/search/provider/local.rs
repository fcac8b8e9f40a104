//! A provider inside this program: the user's library, stored news, another server's search tool.

use std::fmt;
use std::time::Duration;

use probity_core::{Answering, SearchHit};

use super::{Provider, Searching};
use crate::search::clean;
use crate::search::error::SearchError;
use crate::search::query::Query;
use crate::search::reply::Reply;

/// How long a local search may take, unless set otherwise.
const TIMEOUT: Duration = Duration::from_secs(10);

/// A local search in progress.
pub type Looking = Answering<'static, Result<Vec<SearchHit>, String>>;

/// Makes a provider of an async function.
///
/// ```
/// use probity_web::search::{LIBRARY, LocalProvider, Provider};
///
/// let library = LocalProvider::new(LIBRARY, |query| async move {
///     let _words = query.text();
///     Ok(Vec::new())
/// });
/// assert_eq!(library.name(), "library");
/// ```
pub struct LocalProvider {
    name: String,
    timeout: Duration,
    look: Box<dyn Fn(Query) -> Looking + Send + Sync>,
}

impl LocalProvider {
    /// A provider of the given name. The function gets its own copy of the query and says in words
    /// what went wrong.
    pub fn new<F, S>(name: impl Into<String>, look: F) -> Self
    where
        F: Fn(Query) -> S + Send + Sync + 'static,
        S: Future<Output = Result<Vec<SearchHit>, String>> + Send + 'static,
    {
        Self {
            name: name.into(),
            timeout: TIMEOUT,
            look: Box::new(move |query| Box::pin(look(query))),
        }
    }

    /// Gives it another time limit.
    #[must_use]
    pub fn within(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }
}

impl fmt::Debug for LocalProvider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LocalProvider").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Provider for LocalProvider {
    fn name(&self) -> &str {
        &self.name
    }

    fn timeout(&self) -> Duration {
        self.timeout
    }

    fn search<'a>(&'a self, query: &'a Query) -> Searching<'a> {
        Box::pin(async move {
            let looking = (self.look)(query.clone());
            let mut hits = tokio::time::timeout(self.timeout, looking)
                .await
                .map_err(|_| SearchError::Timeout { time: self.timeout })?
                .map_err(SearchError::Local)?;
            hits.truncate(query.limit());
            for hit in &mut hits {
                hit.title = clean::line(&hit.title, clean::TITLE_CHARS);
                hit.snippet = clean::line(&hit.snippet, clean::SNIPPET_CHARS);
                hit.providers = vec![self.name.clone()];
            }
            Ok(Reply::from(hits))
        })
    }
}
