//! Outlets: publishers, named by their domain.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Why a text does not name an outlet.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not an outlet's domain (expected something like reuters.com)")]
pub struct OutletError(pub String);

/// A publisher's domain: lower-case, punycoded, without `www.`.
///
/// The type says that the text is shaped like a host name. Which domain an address belongs to
/// (registrable domain, aliases, hosts that are outlets of their own) is decided in
/// `probity-credibility`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct Outlet(String);

impl Outlet {
    /// Takes a host name as an outlet's domain.
    ///
    /// # Errors
    /// When the text is not a host name of at least two labels.
    pub fn new(domain: &str) -> Result<Self, OutletError> {
        let refuse = || OutletError(domain.chars().take(80).collect());
        let parsed;
        let host = if is_plain(domain) {
            domain
        } else {
            let host = ::url::Host::parse(domain.trim()).map_err(|_| refuse())?;
            let ::url::Host::Domain(name) = host else { return Err(refuse()) };
            parsed = name;
            parsed.as_str()
        };
        let host = host.trim_end_matches('.');
        let host = match host.strip_prefix("www.") {
            Some(rest) if rest.contains('.') => rest,
            _ => host,
        };
        let is_label = |label: &str| {
            !label.is_empty()
                && label.len() <= 63
                && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
        };
        if host.len() > 253 || !host.contains('.') || !host.split('.').all(is_label) {
            return Err(refuse());
        }
        Ok(Self(host.to_owned()))
    }

    /// The domain as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Whether a host parser would give the name back as it is. Most names are of this kind, and those
/// that come out of an address have been parsed already.
fn is_plain(name: &str) -> bool {
    let is_number = |label: &str| label.starts_with(|c: char| c.is_ascii_digit());
    // Hyphens in pairs may mark punycode, and a number at the end an IP address.
    name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-' || b == b'.')
        && !name.contains("--")
        && name.rsplit('.').next().is_some_and(|top| !top.is_empty() && !is_number(top))
}

impl fmt::Display for Outlet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::borrow::Borrow<str> for Outlet {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for Outlet {
    type Error = OutletError;

    fn try_from(text: String) -> Result<Self, OutletError> {
        Self::new(&text)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn domains_are_normalised() {
        for (given, expected) in [
            ("Reuters.com", "reuters.com"),
            ("www.bbc.com.", "bbc.com"),
            (" münchen.de ", "xn--mnchen-3ya.de"),
            ("www.gov", "www.gov"),
        ] {
            assert_eq!(Outlet::new(given).map(|o| o.to_string()).as_deref(), Ok(expected));
        }
    }

    #[test]
    fn what_is_not_a_domain_is_refused() {
        for text in ["", "localhost", "127.0.0.1", "[::1]", "a b.com", "a..com", "https://a.com/"] {
            assert!(Outlet::new(text).is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_plain_name_is_what_a_parser_makes_of_it(name in "[a-z0-9.-]{0,24}") {
            if is_plain(&name) {
                let parsed = ::url::Host::parse(&name).map(|host| host.to_string());
                prop_assert_eq!(parsed.as_deref(), Ok(name.as_str()));
            }
        }
    }
}
