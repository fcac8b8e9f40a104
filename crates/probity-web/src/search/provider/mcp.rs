//! A search tool of another MCP server: a process of ours, or an address.
//!
//! ```text
//! query → (start, if need be) → tools/call → structure or JSON text → results like any other's
//! ```
//!
//! Which servers there are is said by the configuration file and by nothing else. What a server
//! answers is untrusted: it is bounded in time and size, its addresses are parsed, and its pages are
//! scored and permitted as if a search engine had named them.

mod pipe;
mod read;
mod session;
mod settings;
mod web;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use probity_core::Clock;
use rmcp::model::{CallToolRequestParams, CallToolResponse, JsonObject};
use rmcp::service::ServiceError;
use serde_json::json;
use tokio::sync::Mutex;
use tokio::time::Instant;

use super::{Provider, Searching};
use crate::search::ask::today;
use crate::search::error::SearchError;
use crate::search::query::Query;
use crate::search::reply::Reply;
use session::Session;

pub use settings::McpSettings;
pub(crate) use settings::check_all;

/// How often one query is sent at most, when the server ends before it answers.
const ATTEMPTS: u32 = 3;
/// How long to wait before a server that ended is started again; doubled each time.
const PAUSE: Duration = Duration::from_millis(250);
/// The longest such wait.
const PAUSE_MOST: Duration = Duration::from_secs(60);

/// A search tool of an MCP server. The server is started by the first query and ends with this.
pub struct McpTool {
    settings: McpSettings,
    clock: Clock,
    state: Mutex<State>,
}

/// The server, as far as it is there.
#[derive(Default)]
struct State {
    session: Option<Arc<Session>>,
    /// How often it ended or failed to start since it last answered.
    failures: u32,
    /// Before this it is not started again.
    not_before: Option<Instant>,
}

impl fmt::Debug for McpTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("McpTool").field("name", &self.settings.name).finish_non_exhaustive()
    }
}

impl McpTool {
    /// The tool that the settings describe. Nothing is started yet.
    pub fn new(settings: McpSettings, clock: Clock) -> Self {
        Self { settings, clock, state: Mutex::default() }
    }

    /// Asks, and asks again where the server ended before it answered.
    async fn ask(&self, query: &Query) -> Result<Reply, SearchError> {
        let mut last = SearchError::Local("it was not asked".to_owned());
        for _ in 0..ATTEMPTS {
            let session = match self.session().await {
                Ok(session) => session,
                Err(error) => {
                    last = error;
                    continue;
                }
            };
            match session.call(self.request(query)).await {
                Ok(CallToolResponse::Complete(result)) => {
                    self.state.lock().await.failures = 0;
                    return read::reply(&self.settings, &result, query.limit(), today(self.clock));
                }
                Ok(_) => return Err(SearchError::malformed("the tool asks for more first")),
                Err(ServiceError::McpError(error)) => {
                    return Err(SearchError::reported(&error.message));
                }
                Err(_) if session.is_over() => {
                    self.lost(&session).await;
                    let most = session::MESSAGE_BYTES;
                    return Err(SearchError::malformed(format!("it is larger than {most} bytes")));
                }
                Err(error) => {
                    last = SearchError::Local(format!("its server ended: {}", plain(&error)));
                    self.lost(&session).await;
                }
            }
        }
        Err(last)
    }

    fn request(&self, query: &Query) -> CallToolRequestParams {
        let mut arguments = JsonObject::new();
        arguments.insert(self.settings.query.clone(), json!(query.text()));
        if let Some(limit) = &self.settings.limit {
            arguments.insert(limit.clone(), json!(query.limit()));
        }
        CallToolRequestParams::new(self.settings.tool.clone()).with_arguments(arguments)
    }

    /// The server, started if it is not there. Queries that come together share it.
    async fn session(&self) -> Result<Arc<Session>, SearchError> {
        let mut state = self.state.lock().await;
        if let Some(session) = state.session.as_ref().filter(|session| session.is_open()) {
            return Ok(Arc::clone(session));
        }
        state.session = None;
        if let Some(not_before) = state.not_before {
            tokio::time::sleep_until(not_before).await;
        }
        match Session::open(&self.settings).await {
            Ok(session) => {
                let session = Arc::new(session);
                state.session = Some(Arc::clone(&session));
                Ok(session)
            }
            Err(why) => {
                state.fail();
                Err(SearchError::Local(why))
            }
        }
    }

    /// Notes that a server ended, once for all queries that were waiting for it.
    async fn lost(&self, ended: &Arc<Session>) {
        let mut state = self.state.lock().await;
        if state.session.as_ref().is_some_and(|session| Arc::ptr_eq(session, ended)) {
            state.session = None;
            state.fail();
        }
    }
}

impl State {
    fn fail(&mut self) {
        let doublings = self.failures.min(16);
        self.failures = self.failures.saturating_add(1);
        let pause = PAUSE.saturating_mul(1 << doublings).min(PAUSE_MOST);
        self.not_before = Instant::now().checked_add(pause);
    }
}

/// What a library says about a failure, in one short line.
fn plain(error: &impl fmt::Display) -> String {
    crate::search::clean::plain(&error.to_string(), 160)
}

impl Provider for McpTool {
    fn name(&self) -> &str {
        &self.settings.name
    }

    fn timeout(&self) -> Duration {
        self.settings.time()
    }

    fn search<'a>(&'a self, query: &'a Query) -> Searching<'a> {
        Box::pin(async move {
            let time = self.timeout();
            match tokio::time::timeout(time, self.ask(query)).await {
                Ok(reply) => reply,
                Err(_) => {
                    // A server that did not answer in time may be stuck: the next query
                    // gets a fresh one.
                    if let Ok(mut state) = self.state.try_lock()
                        && state.session.take().is_some()
                    {
                        state.fail();
                    }
                    Err(SearchError::Timeout { time })
                }
            }
        })
    }
}
