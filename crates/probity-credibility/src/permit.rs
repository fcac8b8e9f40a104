//! The right to fetch a page, which only the scorer or the user can give.

use probity_core::{Score, WebUrl};
use serde::Serialize;

/// Why a page may be fetched.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Grounds {
    /// It was found by a search and its score is above the threshold.
    Scored(Score),
    /// The user named this very address: a feed, a document, a command's argument.
    UserChoice,
    /// It is the link of an item in a feed that the user subscribed to.
    Subscription,
}

/// A file in which a site describes itself, at an address that is the same on every site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SiteFile {
    /// `trust.txt`: which associations the site belongs to, and who controls it.
    Trust,
    /// `trust.txt` at its other place.
    TrustWellKnown,
    /// `ads.txt`: who owns the site, and who sells its space.
    Ads,
}

impl SiteFile {
    /// Where the file lies.
    pub fn path(self) -> &'static str {
        match self {
            Self::Trust => "/trust.txt",
            Self::TrustWellKnown => "/.well-known/trust.txt",
            Self::Ads => "/ads.txt",
        }
    }
}

/// The right to fetch one address. Fetching takes nothing else, so a page that was not scored or
/// did not earn it cannot be downloaded.
#[derive(Debug, Clone, PartialEq)]
pub struct Permit {
    url: WebUrl,
    grounds: Grounds,
}

impl Permit {
    /// Permits an address that the user named. Never call this for an address that came out of a
    /// search, a page or a model.
    pub fn by_user(url: WebUrl) -> Self {
        Self { url, grounds: Grounds::UserChoice }
    }

    /// Permits the link of an item in a feed that the user subscribed to. Never call this for an
    /// address that came from elsewhere.
    pub fn by_subscription(url: WebUrl) -> Self {
        Self { url, grounds: Grounds::Subscription }
    }

    /// Permits a page that earned its score; only the scorer calls this.
    pub(crate) fn by_score(url: WebUrl, score: Score) -> Self {
        Self { url, grounds: Grounds::Scored(score) }
    }

    /// Permits a file in which the site of a permitted page describes itself: on the same host, at
    /// a place that no page chooses.
    pub fn for_site_file(&self, file: SiteFile) -> Option<Self> {
        let url = self.url.join(file.path()).ok()?;
        Some(Self { url, grounds: self.grounds })
    }

    /// Permits an open copy of a permitted paper, where an index of works that the user set says that it lies.
    /// Where that is another host, the copy's own score is asked before it counts. Never call this for
    /// an address that a page or a model named.
    pub fn for_open_copy(&self, copy: WebUrl) -> Self {
        Self { url: copy, grounds: self.grounds }
    }

    /// The address that may be fetched.
    pub fn url(&self) -> &WebUrl {
        &self.url
    }

    /// Why it may be fetched.
    pub fn grounds(&self) -> Grounds {
        self.grounds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_permit_extends_to_the_files_of_its_own_host_and_no_further() {
        let page = WebUrl::parse("https://www.gazette.example:8443/a/b?c=//evil.example/").unwrap();
        let permit = Permit::by_user(page);
        for (file, url) in [
            (SiteFile::Trust, "https://www.gazette.example:8443/trust.txt"),
            (SiteFile::TrustWellKnown, "https://www.gazette.example:8443/.well-known/trust.txt"),
            (SiteFile::Ads, "https://www.gazette.example:8443/ads.txt"),
        ] {
            let derived = permit.for_site_file(file).unwrap();
            assert_eq!(derived.url().as_str(), url);
            assert_eq!(derived.grounds(), Grounds::UserChoice);
        }
    }
}
