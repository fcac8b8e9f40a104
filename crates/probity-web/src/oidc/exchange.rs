//! The code of a browser → tokens → everything the provider says of the person.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use probity_core::{SignOnSecrets, printable};
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue};
use serde::Deserialize;
use serde_json::{Map, Value};
use url::form_urlencoded::{Serializer, byte_serialize};

use super::discover::Discovery;
use super::request::SAID_CHARS;
use super::{Claims, Provider, SignOnError};

/// What the token endpoint gives for a code.
#[derive(Deserialize)]
pub(super) struct Tokens {
    pub(super) id_token: String,
    access_token: Option<String>,
}

impl Provider {
    /// Hands the code in.
    pub(super) async fn exchange(
        &self,
        discovery: &Discovery,
        code: &str,
        begin: SignOnSecrets<'_>,
    ) -> Result<Tokens, SignOnError> {
        let (headers, form) = self.form(discovery, code, begin)?;
        let url = self.requests.endpoint(&discovery.token_endpoint)?;
        let answered = self.requests.post(&url, headers, form).await?;
        if !(200..300).contains(&answered.status) {
            return Err(SignOnError::Refused(self.refusal(answered.status, &answered.bytes)));
        }
        serde_json::from_slice(&answered.bytes)
            .map_err(|_| SignOnError::Refused("it sent no ID token".to_owned()))
    }

    /// What is sent for the tokens, with the secret where the provider looks for it.
    fn form(
        &self,
        discovery: &Discovery,
        code: &str,
        begin: SignOnSecrets<'_>,
    ) -> Result<(HeaderMap, String), SignOnError> {
        let mut form = Serializer::new(String::new());
        form.extend_pairs([
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", begin.redirect),
            ("client_id", &self.settings.client_id),
            ("code_verifier", begin.verifier),
        ]);
        let mut headers = HeaderMap::new();
        let media = HeaderValue::from_static("application/x-www-form-urlencoded");
        headers.insert(CONTENT_TYPE, media);
        if let Some(secret) = &self.settings.client_secret {
            let methods = &discovery.token_endpoint_auth_methods_supported;
            let has = |name: &str| methods.iter().any(|method| method == name);
            // A provider that lists nothing takes the header, by the standard.
            if has("client_secret_post") && !has("client_secret_basic") {
                form.append_pair("client_secret", secret.expose());
            } else {
                let part = |text: &str| byte_serialize(text.as_bytes()).collect::<String>();
                let pair = format!("{}:{}", part(&self.settings.client_id), part(secret.expose()));
                authorize(&mut headers, &format!("Basic {}", STANDARD.encode(pair)))?;
            }
        }
        Ok((headers, form.finish()))
    }

    /// What a provider says to a code that it does not take.
    fn refusal(&self, status: u16, bytes: &[u8]) -> String {
        #[derive(Deserialize)]
        struct Said {
            error: String,
        }
        let said = serde_json::from_slice::<Said>(bytes).map(|said| said.error);
        let said = said.unwrap_or_else(|_| format!("status {status}"));
        let said = match &self.settings.client_secret {
            Some(secret) => secret.redact(&said),
            None => said,
        };
        printable::brief(&said, SAID_CHARS)
    }

    /// Adds what the ID token lacks from the userinfo endpoint, where there is one.
    pub(super) async fn complete(
        &self,
        discovery: &Discovery,
        tokens: &Tokens,
        claims: Claims,
    ) -> Result<Claims, SignOnError> {
        let lacks = self.settings.wanted.iter().any(|name| claims.get(name).is_none());
        let place = discovery.userinfo_endpoint.as_deref().filter(|_| lacks);
        let (Some(place), Some(token)) = (place, &tokens.access_token) else { return Ok(claims) };
        let mut headers = HeaderMap::new();
        authorize(&mut headers, &format!("Bearer {token}"))?;
        let url = self.requests.endpoint(place)?;
        let said: Map<String, Value> = self.requests.document(&url, headers).await?;
        // An answer about someone else would lend them these claims.
        if said.get("sub").and_then(Value::as_str) != Some(claims.subject()) {
            return Err(SignOnError::Refused("userinfo is about another person".to_owned()));
        }
        Ok(claims.with(said))
    }
}

fn authorize(headers: &mut HeaderMap, text: &str) -> Result<(), SignOnError> {
    let mut value = HeaderValue::from_str(text)
        .map_err(|_| SignOnError::Refused("a header cannot be sent".to_owned()))?;
    value.set_sensitive(true);
    headers.insert(AUTHORIZATION, value);
    Ok(())
}
