//! One request to a configured API, built step by step.

use std::fmt;
use std::time::Duration;

use probity_core::{Secret, WebUrl, printable};
use reqwest::Method;
use reqwest::header::{ACCEPT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use serde::Serialize;

use super::ApiError;
use crate::fetch::decode;

/// One request to a configured API. Built, then sent; printing it shows no key.
#[derive(Clone)]
pub struct ApiRequest {
    pub(super) method: Method,
    url: WebUrl,
    query: Vec<(String, Secret)>,
    headers: Vec<(String, Secret)>,
    /// What must not show in an error, even if the server repeats it.
    keys: Vec<Secret>,
    pub(super) body: Option<(&'static str, Vec<u8>)>,
    pub(super) time: Option<Duration>,
}

impl ApiRequest {
    /// A GET of the address.
    pub fn get(url: &WebUrl) -> Self {
        Self {
            method: Method::GET,
            url: url.clone(),
            query: Vec::new(),
            headers: Vec::new(),
            keys: Vec::new(),
            body: None,
            time: None,
        }
    }

    /// A POST of a JSON body to the address.
    ///
    /// # Errors
    /// When the body cannot be written as JSON.
    pub fn post_json(url: &WebUrl, body: &impl Serialize) -> Result<Self, ApiError> {
        let body = serde_json::to_vec(body).map_err(|error| ApiError::Request {
            host: url.host().to_owned(),
            reason: error.to_string(),
        })?;
        Ok(Self { method: Method::POST, body: Some(("application/json", body)), ..Self::get(url) })
    }

    /// A POST of form fields to the address.
    pub fn post_form(url: &WebUrl, fields: &[(&str, &str)]) -> Self {
        let body =
            url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        Self {
            method: Method::POST,
            body: Some(("application/x-www-form-urlencoded", body.into_bytes())),
            ..Self::get(url)
        }
    }

    /// Adds a query parameter; the value is escaped.
    #[must_use]
    pub fn query(mut self, name: &str, value: impl Into<String>) -> Self {
        self.query.push((name.to_owned(), Secret::new(value)));
        self
    }

    /// Adds a query parameter that is a key, if there is one.
    #[must_use]
    pub fn secret_query<'k>(mut self, name: &str, key: impl Into<Option<&'k Secret>>) -> Self {
        let key = key.into().cloned();
        self.query.extend(key.clone().map(|key| (name.to_owned(), key)));
        self.keys.extend(key);
        self
    }

    /// Adds a header.
    #[must_use]
    pub fn header(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.push((name.to_owned(), Secret::new(value)));
        self
    }

    /// Adds a header that is a key, if there is one.
    #[must_use]
    pub fn secret_header<'k>(mut self, name: &str, key: impl Into<Option<&'k Secret>>) -> Self {
        let key = key.into().cloned();
        self.headers.extend(key.clone().map(|key| (name.to_owned(), key)));
        self.keys.extend(key);
        self
    }

    /// Adds `Authorization: Bearer …`, if there is a key.
    #[must_use]
    pub fn bearer<'k>(mut self, key: impl Into<Option<&'k Secret>>) -> Self {
        let Some(key) = key.into() else { return self };
        self.keys.push(key.clone());
        self.header("authorization", format!("Bearer {}", key.expose()))
    }

    /// Gives this request another time limit than the client's.
    #[must_use]
    pub fn within(mut self, time: Duration) -> Self {
        self.time = Some(time);
        self
    }

    /// The host that is asked.
    pub fn host(&self) -> &str {
        self.url.host()
    }

    /// A text of the server's without our keys, which some servers repeat in their errors.
    pub(super) fn without_keys(&self, text: &str) -> String {
        self.keys.iter().fold(text.to_owned(), |text, key| key.redact(&text))
    }

    pub(super) fn address(&self) -> url::Url {
        let mut url = self.url.as_url().clone();
        if !self.query.is_empty() {
            let pairs = self.query.iter().map(|(name, value)| (name, value.expose()));
            url.query_pairs_mut().extend_pairs(pairs);
        }
        url
    }

    pub(super) fn header_map(&self) -> Result<HeaderMap, ApiError> {
        // The reason names the header, never its value.
        let impossible = |name: &str| ApiError::Request {
            host: self.host().to_owned(),
            reason: format!("the header `{}` cannot be sent", printable::brief(name, 40)),
        };
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static(decode::ACCEPT_ENCODING));
        for (name, value) in &self.headers {
            let header = HeaderName::from_bytes(name.as_bytes()).map_err(|_| impossible(name))?;
            let mut value = HeaderValue::from_str(value.expose()).map_err(|_| impossible(name))?;
            value.set_sensitive(true);
            headers.insert(header, value);
        }
        if let Some((kind, _)) = &self.body {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
        }
        Ok(headers)
    }
}

impl fmt::Debug for ApiRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ApiRequest")
            .field("method", &self.method)
            .field("host", &self.host())
            .finish_non_exhaustive()
    }
}
