//! What results may be: of which sites, days, languages and kinds.
//!
//! Each provider is sent the filters that it supports; what it returns anyway is dropped afterwards, so that
//! a filter holds for every provider.

use std::fmt;

use jiff::civil::Date;
use probity_core::SearchHit;
use probity_text::Language;
use serde::{Deserialize, Serialize};

use super::query::Lang;

/// The most sites of one filter: engines take a query of some dozen words.
pub const SITES_MAX: usize = 10;
/// The fewest words from which the language of a result is detected.
const LANG_WORDS: usize = 8;

/// The kind of results wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PageType {
    /// Scholarly works.
    Paper,
    /// Articles of news outlets.
    News,
    /// PDF files.
    Pdf,
}

impl PageType {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Paper, Self::News, Self::Pdf];

    /// The name in `--type`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Paper => "paper",
            Self::News => "news",
            Self::Pdf => "pdf",
        }
    }
}

impl fmt::Display for PageType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A site: a host and everything below it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Site(String);

/// Why a filter cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FilterError {
    /// The text names no site.
    #[error("`{0}` is not a site (expected a host such as example.org)")]
    Site(String),
    /// Too many sites are named.
    #[error("{0} sites are named; at most {SITES_MAX} can be")]
    TooMany(usize),
    /// The days end before they begin.
    #[error("the days end ({until}) before they begin ({since})")]
    Days {
        /// The first day.
        since: Date,
        /// The last day.
        until: Date,
    },
}

impl Site {
    /// Takes a host, or the host of an address.
    ///
    /// # Errors
    /// When it names none.
    pub fn new(text: &str) -> Result<Self, FilterError> {
        let wrong = || FilterError::Site(probity_core::printable::brief(text, 60));
        let host = text.trim().trim_start_matches("*.").trim_end_matches('/');
        let address =
            if host.contains("://") { host.to_owned() } else { format!("https://{host}/") };
        let url = probity_core::WebUrl::parse(&address).map_err(|_| wrong())?;
        let host = url.dns_host().trim_start_matches("www.").to_owned();
        let is_plain = url.as_url().path() == "/" && url.as_url().query().is_none();
        (is_plain && !host.is_empty()).then_some(Self(host)).ok_or_else(wrong)
    }

    /// The host.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether a host is the site's or below it.
    fn holds(&self, host: &str) -> bool {
        host == self.0 || host.strip_suffix(&self.0).is_some_and(|rest| rest.ends_with('.'))
    }
}

impl TryFrom<String> for Site {
    type Error = FilterError;

    fn try_from(text: String) -> Result<Self, FilterError> {
        Self::new(&text)
    }
}

impl From<Site> for String {
    fn from(site: Site) -> Self {
        site.0
    }
}

/// Which results are wanted. The default is all.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Filters {
    /// Only these sites, where any is named.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sites: Vec<Site>,
    /// None of these sites.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub exclude_sites: Vec<Site>,
    /// Published on this day or later.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<Date>,
    /// Published on this day or earlier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<Date>,
    /// In this language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lang: Option<Lang>,
    /// Of this kind.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<PageType>,
}

impl Filters {
    /// Whether everything passes.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Checks that something can pass.
    ///
    /// # Errors
    /// When too many sites are named, or the days end before they begin.
    pub fn check(&self) -> Result<(), FilterError> {
        let sites = self.sites.len().max(self.exclude_sites.len());
        if sites > SITES_MAX {
            return Err(FilterError::TooMany(sites));
        }
        match (self.since, self.until) {
            (Some(since), Some(until)) if since > until => Err(FilterError::Days { since, until }),
            _ => Ok(()),
        }
    }

    /// Why a result does not pass; none if it does. What a result does not say, its day or language,
    /// does not count against it.
    pub fn refuses(&self, hit: &SearchHit) -> Option<&'static str> {
        let host = hit.url.dns_host();
        let host = host.strip_prefix("www.").unwrap_or(host);
        if !self.sites.is_empty() && !self.sites.iter().any(|site| site.holds(host)) {
            return Some("of other sites");
        }
        if self.exclude_sites.iter().any(|site| site.holds(host)) {
            return Some("of excluded sites");
        }
        if let Some(day) = hit.published
            && (self.since.is_some_and(|since| day < since)
                || self.until.is_some_and(|until| day > until))
        {
            return Some("of other days");
        }
        if self.kind.is_some_and(|kind| !is_of(kind, hit)) {
            return Some("of other kinds");
        }
        let other = self.lang.as_ref().is_some_and(|wanted| is_in_another(wanted, hit));
        other.then_some("in other languages")
    }

    /// The days as a range with both ends, for providers that take no open one.
    pub(crate) fn days(&self, today: Date) -> Option<(Date, Date)> {
        if self.since.is_none() && self.until.is_none() {
            return None;
        }
        // Nothing on the web is older.
        let first = Date::new(1990, 1, 1).unwrap_or(today);
        Some((self.since.unwrap_or(first), self.until.unwrap_or(today)))
    }
}

/// Where scholarly works are found, besides the providers that know nothing else.
const PAPER_SITES: &[&str] = &[
    "arxiv.org",
    "doi.org",
    "ncbi.nlm.nih.gov",
    "semanticscholar.org",
    "openalex.org",
    "jstor.org",
    "biorxiv.org",
    "medrxiv.org",
    "ssrn.com",
    "acm.org",
    "ieee.org",
    "sciencedirect.com",
    "springer.com",
    "wiley.com",
    "tandfonline.com",
    "nature.com",
    "science.org",
    "plos.org",
];
/// Providers that know scholarly works alone.
const PAPER_PROVIDERS: &[&str] = &["arxiv", "openalex", "crossref", "semantic-scholar", "pubmed"];
/// Providers that know news alone.
const NEWS_PROVIDERS: &[&str] = &["guardian", "news"];

fn is_of(kind: PageType, hit: &SearchHit) -> bool {
    let by = |names: &[&str]| hit.providers.iter().any(|name| names.contains(&name.as_str()));
    let path = hit.url.as_url().path().to_ascii_lowercase();
    let host = hit.url.dns_host();
    let is_pdf =
        path.ends_with(".pdf") || (host.ends_with("arxiv.org") && path.starts_with("/pdf/"));
    match kind {
        PageType::Pdf => is_pdf,
        PageType::Paper => {
            let at = |site: &&str| host == *site || host.ends_with(&format!(".{site}"));
            by(PAPER_PROVIDERS) || is_pdf || PAPER_SITES.iter().any(at)
        }
        // Engines that were asked for news answer with news; the day is what tells it from a page.
        PageType::News => by(NEWS_PROVIDERS) || hit.published.is_some(),
    }
}

fn is_in_another(wanted: &Lang, hit: &SearchHit) -> bool {
    let text = format!("{} {}", hit.title, hit.snippet);
    if text.split_whitespace().count() < LANG_WORDS {
        return false;
    }
    let known = |language: Language| super::query::code_of(language);
    known(Language::detect(&text)).is_some_and(|found| found != wanted.as_str())
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use probity_core::WebUrl;

    use super::*;

    fn hit(url: &str, published: Option<Date>) -> SearchHit {
        SearchHit {
            url: WebUrl::parse(url).unwrap(),
            title: "The harbour".to_owned(),
            snippet: "A page about the harbour and its ferries in the winter months.".to_owned(),
            published,
            providers: vec!["brave".to_owned()],
        }
    }

    fn site(text: &str) -> Site {
        Site::new(text).unwrap()
    }

    #[test]
    fn sites_are_hosts_and_what_is_below_them() {
        let only = Filters { sites: vec![site("Example.org")], ..Filters::default() };
        assert_eq!(only.refuses(&hit("https://www.example.org/a", None)), None);
        assert_eq!(only.refuses(&hit("https://news.example.org/a", None)), None);
        assert!(only.refuses(&hit("https://notexample.org/a", None)).is_some());
        assert!(only.refuses(&hit("https://example.org.evil.example/a", None)).is_some());
        let but =
            Filters { exclude_sites: vec![site("https://example.org/")], ..Filters::default() };
        assert_eq!(but.refuses(&hit("https://a.example.org/", None)), Some("of excluded sites"));
        for wrong in ["", "not a host", "https://a.example/path", "a.example?x"] {
            assert!(Site::new(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn days_count_where_they_are_known() {
        let days = Filters {
            since: Some(date(2025, 1, 1)),
            until: Some(date(2025, 12, 31)),
            ..Filters::default()
        };
        assert_eq!(days.refuses(&hit("https://a.example/", Some(date(2025, 12, 31)))), None);
        assert!(days.refuses(&hit("https://a.example/", Some(date(2026, 1, 1)))).is_some());
        assert!(days.refuses(&hit("https://a.example/", Some(date(2024, 12, 31)))).is_some());
        assert_eq!(days.refuses(&hit("https://a.example/", None)), None);
        assert!(Filters { until: Some(date(2024, 1, 1)), ..days }.check().is_err());
    }

    #[test]
    fn kinds_and_languages_are_distinguished_from_the_result() {
        let of = |kind| Filters { kind: Some(kind), ..Filters::default() };
        assert_eq!(of(PageType::Pdf).refuses(&hit("https://a.example/x.PDF", None)), None);
        assert!(of(PageType::Pdf).refuses(&hit("https://a.example/x.html", None)).is_some());
        assert_eq!(of(PageType::Paper).refuses(&hit("https://arxiv.org/abs/1", None)), None);
        assert!(of(PageType::Paper).refuses(&hit("https://a.example/blog", None)).is_some());
        let lang = |tag| Filters { lang: Lang::new(tag).ok(), ..Filters::default() };
        assert_eq!(lang("en").refuses(&hit("https://a.example/", None)), None);
        assert!(lang("de").refuses(&hit("https://a.example/", None)).is_some());
    }
}
