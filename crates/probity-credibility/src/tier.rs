//! The authority tier of a host, by label boundary and never by substring.

use std::collections::HashSet;

use foldhash::fast::RandomState;
use probity_core::Outlet;
use serde::{Deserialize, Serialize};

/// What kind of publisher a host belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tier {
    /// Universities, governments, armed forces, international bodies.
    Academic,
    /// Publishers that are listed by name.
    Major,
    /// Any other `.org`.
    Organisation,
    /// Everything else.
    General,
    /// Platforms where anyone posts.
    Social,
}

impl Tier {
    /// The tier's name, as JSON has it.
    pub fn as_str(self) -> &'static str {
        match self {
            Tier::Academic => "academic",
            Tier::Major => "major",
            Tier::Organisation => "organisation",
            Tier::General => "general",
            Tier::Social => "social",
        }
    }

    /// The tier in words.
    pub fn words(self) -> &'static str {
        match self {
            Tier::Academic => "academic or government",
            Tier::Major => "major",
            Tier::Organisation => "organisation",
            Tier::General => "general",
            Tier::Social => "social",
        }
    }

    /// The tier, unless it is better than general.
    pub(crate) fn at_most_general(self) -> Self {
        match self {
            Tier::Academic | Tier::Major | Tier::Organisation => Tier::General,
            Tier::General | Tier::Social => self,
        }
    }
}

/// Who belongs to which tier, and the value of each tier. The default is the embedded table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TierTable {
    /// The authority of the academic tier.
    pub academic: f64,
    /// The authority of the major tier.
    pub major: f64,
    /// The authority of the organisation tier.
    pub organisation: f64,
    /// The authority of the general tier.
    pub general: f64,
    /// The authority of the social tier.
    pub social: f64,
    /// Top-level domains whose hosts are academic.
    pub academic_suffixes: Vec<String>,
    /// Labels that make a host academic when they stand directly under a two-letter domain.
    pub academic_country_labels: Vec<String>,
    /// Domains of the major tier; each covers its subdomains.
    pub major_domains: Vec<String>,
    /// Domains of the social tier; each covers its subdomains.
    pub social_domains: Vec<String>,
    /// Top-level domains whose hosts are organisations.
    pub organisation_suffixes: Vec<String>,
}

impl Default for TierTable {
    fn default() -> Self {
        let list = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        Self {
            academic: 0.9,
            major: 0.8,
            organisation: 0.7,
            general: 0.4,
            social: 0.3,
            academic_suffixes: list(&["edu", "gov", "mil", "int"]),
            academic_country_labels: list(&["edu", "ac", "gov", "gouv", "gob", "govt", "mil"]),
            major_domains: list(&[
                "nature.com",
                "science.org",
                "wikipedia.org",
                "arxiv.org",
                "reuters.com",
                "apnews.com",
                "bloomberg.com",
                "nytimes.com",
                "wsj.com",
                "bbc.com",
                "techcrunch.com",
                "wired.com",
                "github.com",
                "medium.com",
                "scholar.google.com",
            ]),
            social_domains: list(&["twitter.com", "x.com", "facebook.com", "instagram.com"]),
            organisation_suffixes: list(&["org"]),
        }
    }
}

impl TierTable {
    /// The authority that a tier gives.
    pub fn value(&self, tier: Tier) -> f64 {
        match tier {
            Tier::Academic => self.academic,
            Tier::Major => self.major,
            Tier::Organisation => self.organisation,
            Tier::General => self.general,
            Tier::Social => self.social,
        }
    }
}

type Names = HashSet<String, RandomState>;

/// The table compiled for look-ups.
#[derive(Debug, Clone)]
pub(crate) struct TierIndex {
    academic_suffixes: Names,
    academic_country_labels: Names,
    major_domains: Names,
    social_domains: Names,
    organisation_suffixes: Names,
}

impl TierIndex {
    /// Compiles a table that [`crate::Policy::check`] has accepted.
    pub(crate) fn new(table: &TierTable) -> Self {
        let set = |names: &[String]| names.iter().map(|name| name.to_lowercase()).collect();
        Self {
            academic_suffixes: set(&table.academic_suffixes),
            academic_country_labels: set(&table.academic_country_labels),
            major_domains: set(&table.major_domains),
            social_domains: set(&table.social_domains),
            organisation_suffixes: set(&table.organisation_suffixes),
        }
    }

    /// The first tier, in the order academic, major, social, organisation, that a page belongs to
    /// by its host or, where an alias leads elsewhere, by its outlet.
    pub(crate) fn tier(&self, host: &str, outlet: Option<&Outlet>) -> Tier {
        let lies_under = |name: &str| {
            host.strip_suffix(name).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
        };
        let outlet = outlet.map(Outlet::as_str).filter(|outlet| !lies_under(outlet));
        let any = |test: &dyn Fn(&str) -> bool| test(host) || outlet.is_some_and(test);
        if any(&|name| self.is_academic(name)) {
            Tier::Academic
        } else if any(&|name| is_within(name, &self.major_domains)) {
            Tier::Major
        } else if any(&|name| is_within(name, &self.social_domains)) {
            Tier::Social
        } else if any(&|name| has_suffix(name, &self.organisation_suffixes)) {
            Tier::Organisation
        } else {
            Tier::General
        }
    }

    fn is_academic(&self, host: &str) -> bool {
        if has_suffix(host, &self.academic_suffixes) {
            return true;
        }
        let mut labels = host.rsplit('.');
        let country = labels.next().unwrap_or_default();
        let kind = labels.next().unwrap_or_default();
        country.len() == 2
            && country.bytes().all(|b| b.is_ascii_alphabetic())
            && self.academic_country_labels.contains(kind)
            && labels.next().is_some_and(|label| !label.is_empty())
    }
}

/// Whether the host is under one of these top-level domains; the bare suffix itself is not.
fn has_suffix(host: &str, suffixes: &Names) -> bool {
    host.rsplit_once('.')
        .is_some_and(|(rest, suffix)| !rest.is_empty() && suffixes.contains(suffix))
}

/// Whether the host is one of these domains or a subdomain of one.
fn is_within(host: &str, domains: &Names) -> bool {
    let mut rest = host;
    loop {
        if domains.contains(rest) {
            return true;
        }
        match rest.split_once('.') {
            Some((_, parent)) => rest = parent,
            None => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_match_by_label_never_by_substring() {
        let index = TierIndex::new(&TierTable::default());
        for (host, tier) in [
            ("en.wikipedia.org", Tier::Major),
            ("reuters.com", Tier::Major),
            ("scholar.google.com", Tier::Major),
            ("google.com", Tier::General),
            ("scholar.google.co.uk", Tier::General),
            ("notreuters.com", Tier::General),
            ("reuters.com.evil.io", Tier::General),
            ("netflix.com", Tier::General),
            ("mobile.x.com", Tier::Social),
            ("edu.example.com", Tier::General),
            ("mit.edu", Tier::Academic),
            ("anu.edu.au", Tier::Academic),
            ("www.ox.ac.uk", Tier::Academic),
            ("www.gov.uk", Tier::Academic),
            ("www.who.int", Tier::Academic),
            ("www.education.gouv.fr", Tier::Academic),
            ("gov", Tier::General),
            ("gov.uk", Tier::General),
            ("example.org", Tier::Organisation),
            ("example.org.uk", Tier::General),
            ("org", Tier::General),
            ("127.0.0.1", Tier::General),
        ] {
            assert_eq!(index.tier(host, None), tier, "{host}");
        }
    }
}
