//! Web addresses: parsed once, at the edge, and never passed on as strings.
//!
//! A [`WebUrl`] is http or https, has a host, and is at most [`limits::URL_BYTES`] long. Its
//! [`CanonicalUrl`] is the identity of the page it names: two addresses with the same canonical
//! form are fetched once and cited once.

mod canonical;
mod local;

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::limits;

pub use local::LOCAL_HOST;

/// Why a text is not a web address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UrlError {
    /// The text is longer than any page address has reason to be.
    #[error("the URL is {0} bytes long; at most {max} are accepted", max = limits::URL_BYTES)]
    TooLong(usize),
    /// The text has no scheme, so it names no host.
    #[error("not an absolute URL (did you mean https://…?)")]
    NotAbsolute,
    /// The scheme is something other than http or https.
    #[error("the scheme `{0}` is not http or https")]
    Scheme(String),
    /// The address names no host.
    #[error("the URL has no host")]
    NoHost,
    /// The URL parser refused the text.
    #[error("not a valid URL: {0}")]
    Invalid(String),
}

/// An absolute http or https address with a host.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct WebUrl(::url::Url);

impl WebUrl {
    /// Parses an address. Surrounding white space and control characters are ignored, as browsers do.
    ///
    /// ```
    /// use probity_core::WebUrl;
    ///
    /// let url = WebUrl::parse(" HTTPS://WWW.Reuters.COM/LiveGatherer ")?;
    /// assert_eq!(url.host(), "www.reuters.com");
    /// assert!(WebUrl::parse("reuters.com/x").is_err());
    /// # Ok::<(), probity_core::UrlError>(())
    /// ```
    ///
    /// # Errors
    /// When the text is too long, relative, of another scheme, without a host, or not a URL at all.
    pub fn parse(text: &str) -> Result<Self, UrlError> {
        if text.len() > limits::URL_BYTES {
            return Err(UrlError::TooLong(text.len()));
        }
        let url = ::url::Url::parse(text).map_err(|e| match e {
            ::url::ParseError::RelativeUrlWithoutBase => UrlError::NotAbsolute,
            ::url::ParseError::EmptyHost => UrlError::NoHost,
            other => UrlError::Invalid(other.to_string()),
        })?;
        let url = Self::from_url(url)?;
        // Browsers take `http:///a` for the host `a`; here a host left out is a mistake to tell.
        let after_scheme = text.split_once("://").map_or("", |(_, rest)| rest);
        if after_scheme.starts_with(['/', '\\', '?', '#']) {
            return Err(UrlError::NoHost);
        }
        Ok(url)
    }

    /// Resolves a reference found on the page at this address.
    ///
    /// # Errors
    /// As [`WebUrl::parse`].
    pub fn join(&self, reference: &str) -> Result<Self, UrlError> {
        if reference.len() > limits::URL_BYTES {
            return Err(UrlError::TooLong(reference.len()));
        }
        let url = self.0.join(reference).map_err(|e| UrlError::Invalid(e.to_string()))?;
        Self::from_url(url)
    }

    fn from_url(url: ::url::Url) -> Result<Self, UrlError> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(UrlError::Scheme(url.scheme().chars().take(32).collect()));
        }
        if url.host_str().is_none_or(|host| host.trim_end_matches('.').is_empty()) {
            return Err(UrlError::NoHost);
        }
        Ok(Self(url))
    }

    /// The host as parsed: lower-case, punycoded, with a trailing dot if there was one.
    pub fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default()
    }

    /// The host for matching: as [`WebUrl::host`], without trailing dots.
    pub fn dns_host(&self) -> &str {
        self.host().trim_end_matches('.')
    }

    /// Whether the host is an IP address rather than a name.
    pub fn has_ip_host(&self) -> bool {
        matches!(self.0.host(), Some(::url::Host::Ipv4(_) | ::url::Host::Ipv6(_)))
    }

    /// The parsed address, for crates that need a part that has no accessor here.
    pub fn as_url(&self) -> &::url::Url {
        &self.0
    }

    /// The address as text.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// The page's identity: see [`CanonicalUrl`].
    pub fn canonical(&self) -> CanonicalUrl {
        canonical::canonical(self)
    }
}

impl fmt::Display for WebUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl std::str::FromStr for WebUrl {
    type Err = UrlError;

    fn from_str(text: &str) -> Result<Self, UrlError> {
        Self::parse(text)
    }
}

impl Serialize for WebUrl {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for WebUrl {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).map_err(serde::de::Error::custom)
    }
}

/// The identity of a page: what is left of its address when everything that does not choose the
/// page is taken away.
///
/// Taken away are the fragment, user name and password, default port, trailing dot of the host,
/// tracking parameters, AMP markers, and trailing slashes. The order of the remaining parameters
/// and the scheme stay, because servers may distinguish pages by them.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CanonicalUrl(String);

impl CanonicalUrl {
    /// The canonical address as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for CanonicalUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_a_web_address_says_why() {
        assert_eq!(WebUrl::parse("reuters.com/x"), Err(UrlError::NotAbsolute));
        assert_eq!(
            WebUrl::parse("javascript:alert(1)"),
            Err(UrlError::Scheme("javascript".to_owned()))
        );
        assert_eq!(WebUrl::parse("ftp://x.example/"), Err(UrlError::Scheme("ftp".to_owned())));
        assert_eq!(WebUrl::parse("https://"), Err(UrlError::NoHost));
        assert!(matches!(WebUrl::parse("https://a.example:99999/"), Err(UrlError::Invalid(_))));
        let long = format!("https://a.example/{}", "x".repeat(1 << 20));
        assert!(matches!(WebUrl::parse(&long), Err(UrlError::TooLong(_))));
        for text in ["https://", "http:///path", "https:///example.org/a", "http://?q=1"] {
            assert!(matches!(WebUrl::parse(text), Err(UrlError::NoHost)), "{text}");
        }
    }

    #[test]
    fn hosts_are_lower_case_punycode_without_tricks() {
        let host = |text: &str| WebUrl::parse(text).map(|u| u.dns_host().to_owned());
        assert_eq!(host("https://www.münchen.de/").as_deref(), Ok("www.xn--mnchen-3ya.de"));
        assert_eq!(host("https://reuters。com/").as_deref(), Ok("reuters.com"));
        assert_eq!(host("https://reuters%2Ecom/").as_deref(), Ok("reuters.com"));
        assert_eq!(host("https://reuters.com:443@evil.example/").as_deref(), Ok("evil.example"));
        assert_eq!(host("https://www.instagram.com./p/1").as_deref(), Ok("www.instagram.com"));
    }
}
