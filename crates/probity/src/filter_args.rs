//! The flags that say which search results are wanted.

use jiff::civil::Date;
use probity_credibility::{Policy, RelevanceMode};
use probity_web::search::{Filters, Lang, PageType, Site};

use crate::failure::usage;

/// Which results are wanted.
#[derive(clap::Args, Default)]
#[command(next_help_heading = "Filters")]
pub(crate) struct FilterArgs {
    /// Only results of this site and its subdomains, such as `example.org`. May be repeated.
    #[arg(long, value_name = "HOST")]
    site: Vec<String>,
    /// No results of this site. May be repeated.
    #[arg(long, value_name = "HOST")]
    exclude_site: Vec<String>,
    /// Only results published on this day or later (`2025-01-31`), or that do not say when.
    #[arg(long, value_name = "DAY")]
    since: Option<Date>,
    /// Only results published on this day or earlier, or that do not say when.
    #[arg(long, value_name = "DAY")]
    until: Option<Date>,
    /// Only results in this language, such as `de`.
    #[arg(long, value_name = "CODE")]
    lang: Option<String>,
    /// Only results of this kind.
    #[arg(long = "type", value_name = "KIND")]
    kind: Option<Kind>,
    /// How to count words of the question that title and snippet lack, before a page is fetched.
    #[arg(long, value_name = "HOW")]
    relevance: Option<Relevance>,
}

/// How a word of the question counts that title and snippet lack.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Relevance {
    /// Not at all.
    Overlap,
    /// By the word of them that is nearest in meaning.
    Soft,
}

impl From<Relevance> for RelevanceMode {
    fn from(choice: Relevance) -> Self {
        match choice {
            Relevance::Overlap => Self::Overlap,
            Relevance::Soft => Self::Soft,
        }
    }
}

/// A kind of results.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Kind {
    /// Scholarly works.
    Paper,
    /// Articles of news outlets.
    News,
    /// PDF files.
    Pdf,
}

impl FilterArgs {
    /// The policy, with the relevance that was typed.
    pub(crate) fn policy(&self, policy: &Policy) -> Policy {
        let relevance = self.relevance.map_or(policy.relevance, RelevanceMode::from);
        Policy { relevance, ..policy.clone() }
    }

    /// What was typed, checked.
    pub(crate) fn filters(&self) -> anyhow::Result<Filters> {
        let sites = |flag: &str, hosts: &[String]| {
            let site = |host: &String| {
                Site::new(host).map_err(|error| usage(format!("--{flag}: {error}")))
            };
            hosts.iter().map(site).collect::<anyhow::Result<Vec<Site>>>()
        };
        let lang = self.lang.as_deref().map(Lang::new).transpose();
        let filters = Filters {
            sites: sites("site", &self.site)?,
            exclude_sites: sites("exclude-site", &self.exclude_site)?,
            since: self.since,
            until: self.until,
            lang: lang.map_err(|error| usage(format!("--lang: {error}")))?,
            kind: self.kind.map(|kind| match kind {
                Kind::Paper => PageType::Paper,
                Kind::News => PageType::News,
                Kind::Pdf => PageType::Pdf,
            }),
        };
        filters.check().map_err(|error| usage(error.to_string()))?;
        Ok(filters)
    }
}
