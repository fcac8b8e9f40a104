//! Several providers asked at once, their answers merged into one list.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use futures::future::join_all;
use probity_core::{Clock, Problem, ProblemKind, SearchHit, Shared, WebUrl, counted};
use serde::{Deserialize, Serialize};

use super::ask::Endpoint;
use super::error::SearchError;
use super::fall_back::FallBack;
use super::filter::Filters;
use super::fuse::fuse;
use super::name::ProviderName;
use super::provider::mcp::McpTool;
use super::provider::urls::UrlList;
use super::provider::{self, Provider};
use super::query::Query;
use super::reply::Reply;
use super::select::{Chosen, FILES, LIBRARY, SelectError, Selection, URLS};
use super::settings::SearchSettings;
use crate::fetch::api::ApiClient;

/// How much longer than its own timeout a provider is waited for: it should end by itself, with
/// what it has.
const GRACE: Duration = Duration::from_secs(1);

/// What a search found, and what went wrong while it did.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// The results of all providers, merged, best first.
    pub hits: Vec<SearchHit>,
    /// Providers that failed or answered in part.
    pub problems: Vec<Problem>,
    /// How many providers answered, with results or without.
    pub answered: usize,
}

/// What providers are made with, besides the settings.
pub struct SearchContext {
    /// The client that reaches configured APIs.
    pub client: ApiClient,
    /// What the time is, for dates such as "3 days ago".
    pub clock: Clock,
    /// Providers that live in this program: the library, stored news, tools of other servers.
    pub locals: Vec<Box<dyn Provider>>,
    /// Who else asks the same providers, if anyone is known to.
    pub shared: Option<Arc<dyn Shared>>,
}

impl SearchContext {
    /// The system's clock and nothing local.
    pub fn new(client: ApiClient) -> Self {
        Self { client, clock: Clock::System, locals: Vec::new(), shared: None }
    }

    /// Takes another clock.
    #[must_use]
    pub fn with_clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    /// Asks in step with other processes.
    #[must_use]
    pub fn with_shared(mut self, shared: Option<Arc<dyn Shared>>) -> Self {
        self.shared = shared;
        self
    }

    /// Adds a provider that lives in this program.
    #[must_use]
    pub fn with_local(mut self, provider: impl Provider + 'static) -> Self {
        self.locals.push(Box::new(provider));
        self
    }
}

/// The providers of a selection, ready to be asked. One is made for a run and shared by all its
/// queries, so that each provider's rate limit holds across them.
pub struct SearchSet {
    providers: Vec<Box<dyn Provider>>,
}

impl fmt::Debug for SearchSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SearchSet").field(&self.names()).finish()
    }
}

impl SearchSet {
    /// The providers that a selection names.
    ///
    /// # Errors
    /// When a name is unknown, or a provider lacks its key, its URL or anything to search.
    pub fn new(
        selection: &Selection,
        settings: &SearchSettings,
        environment: SearchContext,
    ) -> Result<Self, SelectError> {
        let SearchContext { client, clock, mut locals, shared } = environment;
        if !settings.urls.is_empty() && !locals.iter().any(|local| local.name() == URLS) {
            locals.push(Box::new(UrlList::new(settings.urls.clone())));
        }
        for tool in &settings.mcp {
            locals.push(Box::new(McpTool::new(tool.clone(), clock)));
        }
        let names: Vec<String> = locals.iter().map(|local| local.name().to_owned()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut providers: Vec<Box<dyn Provider>> = Vec::new();
        for chosen in selection.resolve(settings, &names)? {
            match chosen {
                Chosen::Http(name) => {
                    providers.push(remote(name, settings, &client, clock, shared.clone())?)
                }
                Chosen::Chain(names) => {
                    let each = |name| remote(name, settings, &client, clock, shared.clone());
                    let chain: Result<Vec<_>, _> = names.into_iter().map(each).collect();
                    providers.push(Box::new(FallBack::new(chain?)));
                }
                Chosen::Local(name) => {
                    if let Some(index) = locals.iter().position(|local| local.name() == name) {
                        providers.push(locals.swap_remove(index));
                    }
                }
            }
        }
        Ok(Self { providers })
    }

    /// A set of given providers, in the order that breaks ties.
    pub fn of(providers: Vec<Box<dyn Provider>>) -> Self {
        Self { providers }
    }

    /// The names of the providers, in order.
    pub fn names(&self) -> Vec<&str> {
        self.providers.iter().map(|provider| provider.name()).collect()
    }

    /// Asks all providers at once and merges what they find. What the query's filters refuse is
    /// dropped, and counted in a problem.
    ///
    /// Never fails: a provider that does is a problem in the result, and the others' results stand.
    pub async fn search(&self, query: &Query) -> Found {
        let replies =
            join_all(self.providers.iter().map(|provider| ask(provider.as_ref(), query))).await;
        let mut found = Found::default();
        let mut lists = Vec::with_capacity(replies.len());
        for (provider, reply) in self.providers.iter().zip(replies) {
            match reply {
                Ok(reply) => {
                    found.answered += 1;
                    found.problems.extend(reply.problems);
                    lists.push(reply.hits);
                }
                Err(error) => {
                    tracing::warn!(provider = provider.name(), %error, "search failed");
                    found.problems.push(Problem::new(
                        ProblemKind::Search,
                        provider.name(),
                        error.to_string(),
                    ));
                    lists.push(Vec::new());
                }
            }
        }
        found.hits = fuse(lists);
        enforce(query.filters(), &mut found);
        found
    }
}

/// Drops what filters refuse: not every provider understands them, and none has to obey.
fn enforce(filters: &Filters, found: &mut Found) {
    let mut refused: BTreeMap<&'static str, usize> = BTreeMap::new();
    // What the user handed over was the user's choice.
    let is_own = |name: &String| [LIBRARY, URLS, FILES].contains(&name.as_str());
    let own = |hit: &SearchHit| hit.providers.iter().any(is_own);
    found.hits.retain(|hit| match filters.refuses(hit).filter(|_| !own(hit)) {
        Some(why) => {
            *refused.entry(why).or_default() += 1;
            false
        }
        None => true,
    });
    for (why, count) in refused {
        let detail = format!("{} {why} left out", counted(count, "result", "results"));
        found.problems.push(Problem::new(ProblemKind::Search, "filters", detail));
    }
}

fn remote(
    name: ProviderName,
    settings: &SearchSettings,
    client: &ApiClient,
    clock: Clock,
    shared: Option<Arc<dyn Shared>>,
) -> Result<Box<dyn Provider>, SelectError> {
    let (set, spec) = (settings.of(name), name.spec());
    let missing = || SelectError::UrlMissing {
        provider: name,
        variable: spec.url_variable.unwrap_or_default(),
    };
    let known = || spec.url.and_then(|url| WebUrl::parse(url).ok());
    let base = set.url.clone().or_else(known).ok_or_else(missing)?;
    let endpoint = Endpoint::new(name, base, set, client.clone()).with_clock(clock).sharing(shared);
    Ok(provider::provider(name, endpoint))
}

async fn ask(provider: &dyn Provider, query: &Query) -> Result<Reply, SearchError> {
    let time = provider.timeout();
    match tokio::time::timeout(time.saturating_add(GRACE), provider.search(query)).await {
        Ok(reply) => reply,
        Err(_) => Err(SearchError::Timeout { time }),
    }
}
