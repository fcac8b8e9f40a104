//! What a person means by an outlet: its domain, or the address of one of its pages.

use probity_core::outlet::OutletError;
use probity_core::{Outlet, UrlError, WebUrl, printable};

use super::subject::Subject;
use crate::outlet::Resolver;

/// How much of an address a message quotes, in characters.
const QUOTED_CHARS: usize = 80;

/// A named outlet, and what was looked at.
#[derive(Debug, Clone, PartialEq)]
pub struct Named {
    /// The outlet, as the ledger keeps it.
    pub outlet: Outlet,
    /// The outlet as such, or the article whose address was given.
    pub subject: Subject,
    /// The article, where an address was given.
    pub url: Option<WebUrl>,
}

/// Why a text names no outlet.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NamedError {
    /// It is no domain.
    #[error(transparent)]
    Domain(#[from] OutletError),
    /// It is no address.
    #[error("{quoted}: {error}")]
    Address {
        /// The beginning of what was given.
        quoted: String,
        /// What is wrong with it.
        error: UrlError,
    },
    /// Its domain is not registered to anyone.
    #[error("the publisher of {quoted} is unknown: {reason}")]
    Nobodys {
        /// The beginning of what was given.
        quoted: String,
        /// Why.
        reason: String,
    },
}

impl NamedError {
    /// What to do next.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Domain(_) => {
                "name an outlet by its domain, such as reuters.com, or give the whole address of a \
                 page"
            }
            Self::Address { .. } => {
                "give the whole address, for example https://www.reuters.com/world/"
            }
            Self::Nobodys { .. } => {
                "name the outlet by its domain, or give the publisher's own address"
            }
        }
    }
}

impl Named {
    /// Reads a domain or an address. Aliases count: `bbc.co.uk` is kept as `bbc.com`.
    ///
    /// # Errors
    /// When it is neither, or its domain cannot be registered.
    pub fn read(text: &str, resolver: &Resolver) -> Result<Self, NamedError> {
        if !(text.contains("://") || text.trim_start().starts_with("//")) {
            let outlet = Self::domain(text, resolver)?;
            return Ok(Self { outlet, subject: Subject::outlet(), url: None });
        }
        let quoted = || printable::brief(text, QUOTED_CHARS);
        let address = |error| NamedError::Address { quoted: quoted(), error };
        let found = resolver.resolve_text(text).map_err(address)?;
        let Some(outlet) = found.outlet else {
            let reason = found.reason.into_owned();
            return Err(NamedError::Nobodys { quoted: quoted(), reason });
        };
        let url = match found.publisher_url {
            Some(url) => url,
            None => WebUrl::parse(text).map_err(address)?,
        };
        Ok(Self { outlet, subject: Subject::article(&url), url: Some(url) })
    }

    /// Reads a domain as the ledger keeps it.
    ///
    /// # Errors
    /// When its domain is not a registered one.
    pub fn domain(text: &str, resolver: &Resolver) -> Result<Outlet, OutletError> {
        let named = Outlet::new(text)?;
        let home = WebUrl::parse(&format!("https://{named}/")).ok();
        let kept = home.and_then(|url| resolver.outlet_of(&url));
        kept.ok_or_else(|| OutletError(named.to_string()))
    }
}
