//! What a provider says of itself, and its keys: asked when needed, kept for a while.

use std::sync::Arc;
use std::time::Duration;

use probity_core::printable;
use reqwest::header::HeaderMap;
use serde::Deserialize;
// The clock of the runtime, which tests can move.
use tokio::time::Instant;

use super::key::{self, KeySet};
use super::request::SAID_CHARS;
use super::{Provider, SignOnError};

/// For how long what a provider says of itself counts.
const FRESH: Duration = Duration::from_secs(3_600);
/// For how long a provider that could not be asked is left alone.
const FAILED: Duration = Duration::from_secs(5);
/// How soon keys may be asked for again, because of one that is not known.
const KEYS_AGAIN: Duration = Duration::from_secs(60);

/// What a provider says of itself.
#[derive(Debug, Deserialize)]
pub(super) struct Discovery {
    pub(super) issuer: String,
    pub(super) authorization_endpoint: String,
    pub(super) token_endpoint: String,
    jwks_uri: String,
    pub(super) userinfo_endpoint: Option<String>,
    pub(super) end_session_endpoint: Option<String>,
    #[serde(default)]
    pub(super) token_endpoint_auth_methods_supported: Vec<String>,
    #[serde(default)]
    code_challenge_methods_supported: Vec<String>,
    #[serde(default)]
    id_token_signing_alg_values_supported: Vec<String>,
    #[serde(default)]
    authorization_response_iss_parameter_supported: bool,
}

impl Discovery {
    /// Whether its answers always say whose they are.
    pub(super) fn names_itself(&self) -> bool {
        self.authorization_response_iss_parameter_supported
    }

    fn check(&self, issuer: &str) -> Result<(), SignOnError> {
        let wrong = |why: String| Err(SignOnError::Discovery(why));
        if self.issuer.trim_end_matches('/') != issuer {
            let said = printable::brief(&self.issuer, SAID_CHARS);
            return wrong(format!("it calls itself {said}, not {issuer}"));
        }
        // What it does not list it may have all the same.
        let lacks = |listed: &[String], any: &[&str]| {
            !listed.is_empty() && !listed.iter().any(|one| any.contains(&one.as_str()))
        };
        if lacks(&self.code_challenge_methods_supported, &["S256"]) {
            return wrong("it has no PKCE with S256".to_owned());
        }
        if lacks(&self.id_token_signing_alg_values_supported, &key::ALGORITHMS) {
            let ours = key::ALGORITHMS.join(", ");
            return wrong(format!("it signs ID tokens with none of {ours}"));
        }
        Ok(())
    }
}

/// What is known of a provider.
#[derive(Default)]
pub(super) struct Known {
    discovery: Option<(Instant, Result<Arc<Discovery>, SignOnError>)>,
    keys: Option<KnownKeys>,
}

struct KnownKeys {
    /// When they came.
    at: Instant,
    /// When they were last asked for.
    tried: Instant,
    set: Arc<KeySet>,
}

impl Provider {
    /// What the provider says of itself. Whoever comes while it is asked waits for that answer.
    pub(super) async fn discovery(&self) -> Result<Arc<Discovery>, SignOnError> {
        let mut known = self.known.lock().await;
        match &known.discovery {
            Some((at, Ok(discovery))) if at.elapsed() < FRESH => return Ok(Arc::clone(discovery)),
            Some((at, Err(error))) if at.elapsed() < FAILED => return Err(error.clone()),
            _ => {}
        }
        let asked = self.ask_discovery().await;
        known.discovery = Some((Instant::now(), asked.clone()));
        asked
    }

    async fn ask_discovery(&self) -> Result<Arc<Discovery>, SignOnError> {
        let issuer = self.settings.issuer.as_str().trim_end_matches('/');
        let place = format!("{issuer}/.well-known/openid-configuration");
        let url = self.requests.endpoint(&place)?;
        let discovery: Discovery = self.requests.document(&url, HeaderMap::new()).await?;
        discovery.check(issuer)?;
        Ok(Arc::new(discovery))
    }

    /// The provider's keys.
    pub(super) async fn keys(&self, discovery: &Discovery) -> Result<Arc<KeySet>, SignOnError> {
        self.keys_asked(discovery, |keys| keys.at.elapsed() < FRESH).await
    }

    /// The provider's keys, asked for again unless that was done a moment ago.
    pub(super) async fn newer_keys(
        &self,
        discovery: &Discovery,
    ) -> Result<Arc<KeySet>, SignOnError> {
        self.keys_asked(discovery, |keys| keys.tried.elapsed() < KEYS_AGAIN).await
    }

    async fn keys_asked(
        &self,
        discovery: &Discovery,
        is_enough: impl Fn(&KnownKeys) -> bool,
    ) -> Result<Arc<KeySet>, SignOnError> {
        let mut known = self.known.lock().await;
        if let Some(keys) = known.keys.as_ref().filter(|keys| is_enough(keys)) {
            return Ok(Arc::clone(&keys.set));
        }
        if let Some(keys) = &mut known.keys {
            keys.tried = Instant::now();
        }
        let url = self.requests.endpoint(&discovery.jwks_uri)?;
        let set: Arc<KeySet> = Arc::new(self.requests.document(&url, HeaderMap::new()).await?);
        let now = Instant::now();
        known.keys = Some(KnownKeys { at: now, tried: now, set: Arc::clone(&set) });
        Ok(set)
    }
}
