//! What a page says of itself: title, author, dates, site, language, address.
//!
//! ```text
//! meta tags + structured data + what readers see → About
//! ```

mod byline;
mod language;
mod linked_data;
mod meta;
mod microdata;
mod published;
mod seen_date;
mod title;
mod url_date;

use jiff::civil::Date;
use probity_core::{ClaimReview, WebUrl};

use super::headline::Headline;
use super::hidden::Visible;
use super::tree::Tree;

pub(crate) use linked_data::LinkedData;
pub(crate) use meta::Meta;
pub(crate) use title::{page_title, title};

/// What a page says of itself.
#[derive(Debug, Default)]
pub(crate) struct About {
    pub(crate) title: String,
    pub(crate) byline: Option<String>,
    pub(crate) site_name: Option<String>,
    pub(crate) published: Option<Date>,
    pub(crate) published_is_guessed: bool,
    pub(crate) updated: Option<Date>,
    pub(crate) lang: Option<String>,
    pub(crate) canonical: Option<String>,
    pub(crate) claim_reviews: Vec<ClaimReview>,
}

/// Where the answers are looked for.
pub(crate) struct Sources<'a> {
    pub(crate) tree: &'a Tree,
    pub(crate) visible: &'a Visible,
    pub(crate) headline: Option<&'a Headline>,
    pub(crate) meta: &'a Meta,
    pub(crate) data: &'a LinkedData,
    pub(crate) url: Option<&'a WebUrl>,
    pub(crate) text: &'a str,
}

impl Sources<'_> {
    /// Reads all that the page says of itself.
    pub(crate) fn about(&self) -> About {
        let site_name = self.site_name();
        let dates = published::dates(self);
        About {
            title: title(self, site_name.as_deref()),
            byline: byline::byline(self, site_name.as_deref()),
            site_name,
            published: dates.published,
            published_is_guessed: dates.is_guessed,
            updated: dates.updated,
            lang: language::language(self),
            canonical: self.canonical(),
            claim_reviews: self.claim_reviews(),
        }
    }

    /// The claims that the page marks as reviewed.
    fn claim_reviews(&self) -> Vec<ClaimReview> {
        match self.data.claim_reviews.is_empty() {
            true => microdata::claim_reviews(self.tree),
            false => self.data.claim_reviews.clone(),
        }
    }

    fn site_name(&self) -> Option<String> {
        self.meta
            .first(&["og:site_name"])
            .map(str::to_owned)
            .or_else(|| self.data.publisher.clone())
            .or_else(|| {
                self.meta
                    .first(&["application-name", "apple-mobile-web-app-title"])
                    .map(str::to_owned)
            })
            .or_else(|| {
                let site = self.meta.first(&["twitter:site"])?.trim_start_matches('@');
                (!site.contains(char::is_whitespace)).then(|| site.to_owned())
            })
            .map(|name| one_line(&name, MAX_NAME_CHARS))
            .filter(|name| !name.is_empty() && !name.starts_with("http"))
    }

    /// The address that the page names as its own, made absolute.
    pub(crate) fn canonical(&self) -> Option<String> {
        let named = self.meta.canonical.as_deref().or_else(|| self.meta.first(&["og:url"]))?;
        let url = match self.url {
            Some(base) => base.join(named).ok()?,
            None => WebUrl::parse(named).ok()?,
        };
        Some(url.as_str().to_owned())
    }
}

/// The longest name of a site or person.
const MAX_NAME_CHARS: usize = 150;

/// Text on one line: white space collapsed, invisible characters left out, cut to a length.
pub(crate) fn one_line(text: &str, max_chars: usize) -> String {
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.extend(word.chars().filter(|c| !crate::extract::inline::is_invisible(*c)));
    }
    match line.char_indices().nth(max_chars) {
        Some((cut, _)) => line.get(..cut).unwrap_or_default().trim_end().to_owned(),
        None => line,
    }
}
