//! One file's row of output.

use std::io::Write;

use jiff::civil::Date;
use probity_core::{ClaimReview, printable};
use probity_web::extract::{BodyKind, Extracted};
use serde::Serialize;

use super::FileError;

/// What is said of one file. The order of the fields is part of the format.
#[derive(Serialize)]
pub(super) struct Row<'a> {
    path: &'a str,
    title: Option<&'a str>,
    byline: Option<&'a str>,
    published: Option<Date>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    published_is_guessed: bool,
    updated: Option<Date>,
    site_name: Option<&'a str>,
    lang: Option<&'a str>,
    canonical: Option<&'a str>,
    kind: Option<BodyKind>,
    charset: Option<&'a str>,
    text: &'a str,
    markdown: &'a str,
    #[serde(skip_serializing_if = "<[usize]>::is_empty")]
    page_starts: &'a [usize],
    #[serde(skip_serializing_if = "<[ClaimReview]>::is_empty")]
    claim_reviews: &'a [ClaimReview],
    #[serde(skip_serializing_if = "Option::is_none")]
    cut_short: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

impl<'a> Row<'a> {
    /// The row of a file that was read or was not.
    pub(super) fn new(path: &'a str, result: &'a Result<Extracted, FileError>) -> Self {
        let extracted = result.as_ref().ok();
        let document = extracted.map(|extracted| &extracted.document);
        Self {
            path,
            title: document.map(|d| d.title.as_str()).filter(|title| !title.is_empty()),
            byline: document.and_then(|d| d.byline.as_deref()),
            published: document.and_then(|d| d.published),
            published_is_guessed: document.is_some_and(|d| d.published_is_guessed),
            updated: document.and_then(|d| d.updated),
            site_name: document.and_then(|d| d.site_name.as_deref()),
            lang: document.and_then(|d| d.lang.as_deref()),
            canonical: document.and_then(|d| d.canonical.as_deref()),
            kind: extracted.map(|extracted| extracted.kind),
            charset: extracted.and_then(|extracted| extracted.charset.as_deref()),
            text: document.map(|d| d.text.as_str()).unwrap_or_default(),
            markdown: document.map(|d| d.markdown.as_str()).unwrap_or_default(),
            page_starts: document.map(|d| d.page_starts.as_slice()).unwrap_or_default(),
            claim_reviews: document.map(|d| d.claim_reviews.as_slice()).unwrap_or_default(),
            cut_short: document.and_then(|d| d.cut_short.as_deref()),
            error: result.as_ref().err().map(ToString::to_string),
        }
    }

    /// What is known as a few lines, then the text as Markdown.
    pub(super) fn write_text(&self, out: &mut impl Write) -> std::io::Result<()> {
        if self.error.is_some() {
            return Ok(());
        }
        let published = self.published.map(|day| match self.published_is_guessed {
            true => format!("{} (the year of the copyright notice)", day.year()),
            false => day.to_string(),
        });
        let facts = [
            ("title", self.title),
            ("byline", self.byline),
            ("published", published.as_deref()),
            ("site", self.site_name),
            ("language", self.lang),
            ("url", self.canonical),
            ("ends early", self.cut_short),
        ];
        for (name, value) in facts {
            if let Some(value) = value {
                writeln!(out, "{name}: {}", printable::line(value))?;
            }
        }
        writeln!(out, "\n{}", printable::block(self.markdown))
    }
}
