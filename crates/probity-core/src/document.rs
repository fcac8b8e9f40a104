//! The text of a page that was read, with what the page says of itself.

mod claim_review;
mod list;
mod signals;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

pub use self::claim_review::ClaimReview;
pub use self::list::List;
pub use self::signals::{Account, PageSignals, SiteFiles};

/// A page or file as text. Everything in it is untrusted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    /// The title, or empty.
    pub title: String,
    /// Who wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub byline: Option<String>,
    /// The name the site gives itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site_name: Option<String>,
    /// The day it was published.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published: Option<Date>,
    /// Whether that day is only the first of a year that stands beside a copyright sign.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub published_is_guessed: bool,
    /// The day it was last changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated: Option<Date>,
    /// The language as a two-letter code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lang: Option<String>,
    /// The address the page names as its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub canonical: Option<String>,
    /// The main text, plain: one paragraph, heading, list item or table row a line.
    pub text: String,
    /// The main text as Markdown.
    pub markdown: String,
    /// For paged formats, the byte offset in `text` at which each page begins.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub page_starts: Vec<usize>,
    /// The headings among the lines of `text`, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub headings: Vec<Heading>,
    /// The lists among the lines of `text`, in order of their first items.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lists: Vec<List>,
    /// Claims of others that the page checks: it repeats them, and does not make them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub claim_reviews: Vec<ClaimReview>,
    /// What the page shows of how its outlet works.
    #[serde(default, skip_serializing_if = "PageSignals::is_empty")]
    pub signals: PageSignals,
    /// Why a part of it is missing here, if a limit left it out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut_short: Option<String>,
}

/// A line of a text that heads what follows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heading {
    /// The byte at which its line begins; it ends with the line.
    pub start: usize,
    /// How deep it is: 1 for the highest.
    pub level: u8,
}

impl Heading {
    /// The same heading in a text that has this many bytes before it.
    pub fn moved(self, bytes: usize) -> Self {
        Self { start: self.start + bytes, ..self }
    }
}

impl Document {
    /// The day it was published, if it says so.
    pub fn stated_day(&self) -> Option<Date> {
        self.published.filter(|_| !self.published_is_guessed)
    }

    /// Notes a limit that left out a part of it, after those before.
    pub fn cut(&mut self, why: impl Into<String>) {
        let why = why.into();
        self.cut_short = Some(match self.cut_short.take() {
            Some(before) => format!("{before}; {why}"),
            None => why,
        });
    }

    /// The page, counted from 1, that a byte offset of `text` lies on; none where pages mean nothing.
    pub fn page_of(&self, offset: usize) -> Option<usize> {
        match self.page_starts.partition_point(|start| *start <= offset) {
            0 => None,
            page => Some(page),
        }
    }
}
