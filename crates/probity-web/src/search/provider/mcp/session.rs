//! One connection to an MCP server: a child process over pipes, or an address over HTTP.

use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rmcp::ServiceExt as _;
use rmcp::handler::client::ClientHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ClientCapabilities, ClientConfig, Implementation,
};
use rmcp::service::{RoleClient, RunningService, ServiceError};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use tokio::process::{Child, Command};

use super::pipe::Lines;
use super::plain;
use super::settings::McpSettings;
use super::web::Bounded;
use crate::fetch::AGENT_NAME;

/// The largest message of a server, in bytes.
pub(super) const MESSAGE_BYTES: usize = 4 * 1024 * 1024;
/// Variables that every command sees: without them few can start.
const ALWAYS: [&str; 5] = ["PATH", "HOME", "LANG", "TMPDIR", "SYSTEMROOT"];

/// Who we are to a server.
#[derive(Debug, Clone)]
struct Us;

impl ClientHandler for Us {
    fn get_info(&self) -> ClientConfig {
        let itself = Implementation::new(AGENT_NAME, env!("CARGO_PKG_VERSION"));
        ClientConfig::new(ClientCapabilities::default(), itself)
    }
}

/// A connection. The child process, where there is one, is killed when this is dropped.
pub(super) struct Session {
    service: RunningService<RoleClient, Us>,
    _child: Option<Child>,
    /// Whether it was broken off because a message was too large.
    over: Arc<AtomicBool>,
}

impl Session {
    /// Starts or reaches the server and introduces us. The caller sets the deadline around this;
    /// what was started ends with it.
    pub(super) async fn open(settings: &McpSettings) -> Result<Self, String> {
        match (&settings.command, &settings.url) {
            (Some(command), _) => Self::start(command, settings).await,
            (None, Some(url)) => {
                let mut config = StreamableHttpClientTransportConfig::with_uri(url.as_str());
                config.auth_header = token(settings)?;
                config.max_sse_event_size = MESSAGE_BYTES;
                let client = Bounded::new().map_err(|error| error.to_string())?;
                let transport = StreamableHttpClientTransport::with_client(client, config);
                let begun = Us.serve(transport).await;
                let service =
                    begun.map_err(|error| format!("cannot reach it: {}", plain(&error)))?;
                Ok(Self { service, _child: None, over: Arc::default() })
            }
            (None, None) => Err("it has neither a command nor a url".to_owned()),
        }
    }

    async fn start(command: &str, settings: &McpSettings) -> Result<Self, String> {
        let mut child = Command::new(command);
        child
            .args(&settings.args)
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // It is not read, and a full pipe would stop the server.
            .stderr(Stdio::null())
            .kill_on_drop(true);
        let passed = ALWAYS.iter().copied().chain(settings.env.iter().map(String::as_str));
        for name in passed {
            if let Some(value) = std::env::var_os(name) {
                child.env(name, value);
            }
        }
        let started = child.spawn();
        let mut child = started.map_err(|error| format!("cannot start `{command}`: {error}"))?;
        let (Some(output), Some(input)) = (child.stdout.take(), child.stdin.take()) else {
            return Err(format!("`{command}` has no pipes for stdin and stdout"));
        };
        let (output, over) = Lines::new(output, MESSAGE_BYTES);
        let transport = AsyncRwTransport::new(output, input);
        let begun = Us.serve(transport).await;
        let service = begun.map_err(|error| {
            format!("`{command}` does not begin as an MCP server does: {}", plain(&error))
        })?;
        Ok(Self { service, _child: Some(child), over })
    }

    /// Whether it can still be asked.
    pub(super) fn is_open(&self) -> bool {
        !self.service.is_closed() && !self.service.is_transport_closed()
    }

    /// Whether it was broken off because a message was too large.
    pub(super) fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// Calls a tool, once.
    pub(super) async fn call(
        &self,
        request: CallToolRequestParams,
    ) -> Result<CallToolResponse, ServiceError> {
        self.service.peer().call_tool_once(request).await
    }
}

fn token(settings: &McpSettings) -> Result<Option<String>, String> {
    let Some(name) = &settings.token_env else { return Ok(None) };
    match std::env::var(name) {
        Ok(token) if !token.trim().is_empty() => Ok(Some(token.trim().to_owned())),
        _ => Err(format!("its token is not in the environment: set {name}")),
    }
}
