//! The settings every outgoing connection shares: TLS, no proxy, no redirects, bounded headers.

use std::sync::Once;

use super::limits::{CONNECT_TIME, HEADER_BYTES, HEADER_LINES, IDLE_CONNECTIONS, IDLE_TIME};

/// The name we give ourselves to servers, and the agent name that robots.txt files address.
pub const AGENT_NAME: &str = "probity";

/// Why no client could be made.
#[derive(Debug, thiserror::Error)]
#[error("the HTTP client cannot start: {0}")]
pub struct ClientError(#[source] pub(crate) reqwest::Error);

/// What we call ourselves by default: a name and a version.
pub fn default_user_agent() -> String {
    format!("{AGENT_NAME}/{}", env!("CARGO_PKG_VERSION"))
}

/// Builds a client. `finish` adds what is particular to it and is called once or twice.
pub(crate) fn build(
    user_agent: &str,
    finish: impl Fn(reqwest::ClientBuilder) -> reqwest::ClientBuilder,
) -> Result<reqwest::Client, ClientError> {
    install_crypto();
    let builder = || {
        finish(
            reqwest::Client::builder()
                .user_agent(user_agent)
                // A proxy would connect on our behalf, to addresses that were not checked.
                .no_proxy()
                .redirect(reqwest::redirect::Policy::none())
                .referer(false)
                .retry(reqwest::retry::never())
                .connect_timeout(CONNECT_TIME)
                .pool_idle_timeout(IDLE_TIME)
                .pool_max_idle_per_host(IDLE_CONNECTIONS)
                .http1_max_headers(HEADER_LINES)
                .http2_max_header_list_size(HEADER_BYTES as u32),
        )
    };
    builder().build().or_else(|error| {
        // A machine without certificates can still read plain http; https then fails by itself.
        tracing::warn!(%error, "no trusted certificates were found; https pages cannot be read");
        builder().tls_certs_only([]).build().map_err(ClientError)
    })
}

/// TLS needs a cryptography provider for the whole process; the first to come installs ours.
pub(crate) fn install_crypto() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // An error means that the program installed a provider of its own, which is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
}
