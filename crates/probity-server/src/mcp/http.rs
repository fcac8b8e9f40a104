//! MCP over HTTP: one address, behind the same doors as every other.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::{IntoResponse as _, Response};
use http::Method;
use http_body_util::Full;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio_util::sync::CancellationToken;

use super::Agent;
use crate::problem::Problem;
use crate::state::Server;
use crate::{limits, read};

/// The header that names a session.
const SESSION: &str = "mcp-session-id";
/// The header that every request but the first of a session carries.
const VERSION: &str = "mcp-protocol-version";

/// MCP over HTTP, as long as the server runs.
pub(crate) struct Http {
    service: StreamableHttpService<Agent, LocalSessionManager>,
    sessions: Arc<LocalSessionManager>,
    stop: CancellationToken,
}

impl Http {
    fn new(server: &Server) -> Self {
        let mut sessions = LocalSessionManager::default();
        sessions.session_config.keep_alive = Some(limits::MCP_IDLE);
        let sessions = Arc::new(sessions);
        let stop = CancellationToken::new();
        // Names and origins were checked at the door, for every route alike.
        let config = StreamableHttpServerConfig::default()
            .disable_allowed_hosts()
            .with_sse_keep_alive(Some(limits::HEARTBEAT))
            .with_max_request_body_bytes(limits::BODY_BYTES)
            .with_cancellation_token(stop.clone());
        let held = server.downgrade();
        let agent = move || {
            let server = Server::upgrade(&held).map(Agent::over_http);
            server.ok_or_else(|| std::io::Error::other("the server has stopped"))
        };
        let service = StreamableHttpService::new(agent, Arc::clone(&sessions), config);
        Self { service, sessions, stop }
    }

    /// Ends every stream.
    pub(crate) fn stop(&self) {
        self.stop.cancel();
    }
}

/// Answers an MCP message, opens a session's stream, or ends a session.
pub(crate) async fn handle(State(server): State<Server>, request: Request) -> Response {
    match pass_on(&server, request).await {
        Ok(response) => response,
        Err(problem) => problem.into_response(),
    }
}

async fn pass_on(server: &Server, request: Request) -> Result<Response, Problem> {
    let http = server.mcp.get_or_init(|| Http::new(server));
    let headers = request.headers();
    let opens = *request.method() == Method::POST
        && !headers.contains_key(SESSION)
        && !headers.contains_key(VERSION);
    if opens && http.sessions.sessions.read().await.len() >= limits::MCP_SESSIONS {
        let why = "too many MCP sessions are open; end one, or try again later";
        return Err(Problem::unavailable(why, 60));
    }
    let (parts, body) = request.into_parts();
    // Read here, so that a body that comes too slowly is given up on as everywhere.
    let bytes = read::body(Request::new(body)).await?;
    let request = Request::from_parts(parts, Full::new(bytes));
    Ok(http.service.handle(request).await.map(Body::new))
}
