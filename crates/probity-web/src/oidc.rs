//! Log-in at an OpenID Connect provider: authorization code with PKCE.
//!
//! ```text
//! discovery → address to send the browser to → (the provider) → code → token endpoint → ID token → checked against the provider's keys → Claims
//! ```
//!
//! Every request goes through the guard of pages: a provider on a private host is asked only where
//! that host was opened, and without TLS only there. No redirect is followed.

mod discover;
mod exchange;
mod key;
mod request;
mod token;

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use probity_core::{Secret, SignOnAnswer, SignOnSecrets, Timestamp, WebUrl};
use sha2::{Digest as _, Sha256};
use tokio::sync::Mutex;

use self::discover::Known;
use self::request::Requests;
use self::token::Expected;
use crate::fetch::client::ClientError;
use crate::fetch::settings::FetchSettings;

pub use self::token::{Claims, TokenError};

/// How long one request may take.
const REQUEST_TIME: Duration = Duration::from_secs(10);
/// How long the end of a log-in may take, with all its requests.
const FINISH_TIME: Duration = Duration::from_secs(25);
/// How long a log-out waits for the provider's address.
const LEAVE_TIME: Duration = Duration::from_secs(2);

/// A provider, and this program's name there.
#[derive(Debug, Clone)]
pub struct ProviderSettings {
    /// Where it is, as it calls itself.
    pub issuer: WebUrl,
    /// This program's name there.
    pub client_id: String,
    /// What proves that it is this program, where the provider wants that.
    pub client_secret: Option<Secret>,
    /// What is asked for, with spaces between.
    pub scopes: String,
    /// Claims that are looked up at the provider's userinfo endpoint if the ID token lacks them.
    pub wanted: Vec<String>,
}

/// Why a log-in failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SignOnError {
    /// The provider cannot be asked.
    #[error("the provider cannot be asked: {0}")]
    Unreachable(String),
    /// What it says of itself cannot be used.
    #[error("what the provider says of itself cannot be used: {0}")]
    Discovery(String),
    /// It does not take the code.
    #[error("the provider refused the log-in: {0}")]
    Refused(String),
    /// The browser came back from another provider.
    #[error("the answer is not the provider's")]
    MixedUp,
    /// Its ID token does not hold.
    #[error("the provider's ID token does not hold: {0}")]
    Token(#[from] TokenError),
}

/// A provider that people log in at.
pub struct Provider {
    requests: Requests,
    settings: ProviderSettings,
    known: Mutex<Known>,
}

impl Provider {
    /// A provider that is asked at each log-in.
    ///
    /// # Errors
    /// When TLS cannot be set up.
    pub fn new(settings: ProviderSettings, fetch: &FetchSettings) -> Result<Self, ClientError> {
        let requests = Requests::new(fetch)?;
        Ok(Self { requests, settings, known: Mutex::default() })
    }

    /// The address to send a browser to.
    ///
    /// # Errors
    /// When the provider cannot be asked, or says nothing that can be used.
    pub async fn begin(&self, begin: SignOnSecrets<'_>) -> Result<String, SignOnError> {
        let discovery = self.discovery().await?;
        let mut url = self.requests.endpoint(&discovery.authorization_endpoint)?.as_url().clone();
        let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(begin.verifier.as_bytes()));
        url.query_pairs_mut().extend_pairs([
            ("response_type", "code"),
            ("client_id", &self.settings.client_id),
            ("redirect_uri", begin.redirect),
            ("scope", &self.settings.scopes),
            ("state", begin.state),
            ("nonce", begin.nonce),
            ("code_challenge", &challenge),
            ("code_challenge_method", "S256"),
        ]);
        Ok(url.to_string())
    }

    /// Who logged in: the provider's own name for itself, and what it says of the person.
    ///
    /// # Errors
    /// When the provider does not take the code, or its token does not hold.
    pub async fn finish(
        &self,
        answer: SignOnAnswer<'_>,
        begin: SignOnSecrets<'_>,
        now: Timestamp,
    ) -> Result<(String, Claims), SignOnError> {
        let finishing = self.checked(answer, begin, now);
        match tokio::time::timeout(FINISH_TIME, finishing).await {
            Ok(finished) => finished,
            Err(_) => Err(request::too_slow()),
        }
    }

    async fn checked(
        &self,
        answer: SignOnAnswer<'_>,
        begin: SignOnSecrets<'_>,
        now: Timestamp,
    ) -> Result<(String, Claims), SignOnError> {
        let discovery = self.discovery().await?;
        match answer.issuer {
            Some(issuer) if issuer != discovery.issuer => return Err(SignOnError::MixedUp),
            None if discovery.names_itself() => return Err(SignOnError::MixedUp),
            _ => {}
        }
        let tokens = self.exchange(&discovery, answer.code, begin).await?;
        let expected = Expected {
            issuer: &discovery.issuer,
            client: &self.settings.client_id,
            nonce: begin.nonce,
            now,
        };
        let keys = self.keys(&discovery).await?;
        let read = match token::read(&tokens.id_token, &keys, &expected) {
            // Providers change their keys now and then.
            Err(TokenError::UnknownKey) => {
                let keys = self.newer_keys(&discovery).await?;
                token::read(&tokens.id_token, &keys, &expected)
            }
            read => read,
        };
        let claims = self.complete(&discovery, &tokens, read?).await?;
        Ok((discovery.issuer.clone(), claims))
    }

    /// Where a browser logs out of the provider too, if there is such a place.
    pub async fn leave(&self, back: &str) -> Option<String> {
        let discovery = tokio::time::timeout(LEAVE_TIME, self.discovery()).await.ok()?.ok()?;
        let place = discovery.end_session_endpoint.as_deref()?;
        let mut url = self.requests.endpoint(place).ok()?.as_url().clone();
        let id = self.settings.client_id.as_str();
        url.query_pairs_mut().extend_pairs([("client_id", id), ("post_logout_redirect_uri", back)]);
        Some(url.to_string())
    }

    /// How many keys the provider signs with that can be used, asked now.
    ///
    /// # Errors
    /// When the provider cannot be asked, or says nothing that can be used.
    pub async fn probe(&self) -> Result<usize, SignOnError> {
        let discovery = self.discovery().await?;
        self.requests.endpoint(&discovery.authorization_endpoint)?;
        self.requests.endpoint(&discovery.token_endpoint)?;
        let keys = self.keys(&discovery).await?;
        match keys.usable() {
            0 => Err(SignOnError::Discovery("none of its keys can be used".to_owned())),
            usable => Ok(usable),
        }
    }
}
