//! What is kept of an article.

use probity_core::{ArticleId, Document, FeedId, Outlet, Timestamp};
use serde::{Deserialize, Serialize};

use super::at;
use super::marks::Shelf;
use crate::sql::{ColumnError, Row};

/// An item of a feed, ready to be kept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewArticle {
    /// What makes it this one within its feed: its guid, or its substitute.
    pub item_key: String,
    /// What the feed calls it.
    pub guid: Option<String>,
    /// Its link as given.
    pub url: Option<String>,
    /// The canonical address of the publisher's page where it is known, else of the link.
    pub canonical_url: Option<String>,
    /// The publisher's page.
    pub publisher_url: Option<String>,
    /// The publisher; none where it is not known, never the aggregator.
    pub outlet: Option<Outlet>,
    /// Whether the publisher is final.
    pub resolved: bool,
    /// How it was found.
    pub method: String,
    /// When its link may be followed, if that could tell more.
    pub try_at: Option<Timestamp>,
    /// Its headline as plain text.
    pub title: String,
    /// What it says of itself as plain text.
    pub summary: String,
    /// Who wrote it.
    pub author: Option<String>,
    /// When it was published, if that is known and can be.
    pub published_at: Option<Timestamp>,
}

/// An article as it is kept. Its credibility is in the ledger, under its outlet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Article {
    /// Its id: the later an article was seen, the higher.
    pub id: ArticleId,
    /// The feed that brought it, as long as that is there.
    pub feed_id: Option<FeedId>,
    /// What the feed calls it.
    pub guid: Option<String>,
    /// Its link as given.
    pub url: Option<String>,
    /// The canonical address of the publisher's page where it is known, else of the link.
    pub canonical_url: Option<String>,
    /// The publisher's page.
    pub publisher_url: Option<String>,
    /// The publisher.
    pub outlet: Option<Outlet>,
    /// Whether the publisher is final.
    pub resolved: bool,
    /// How it was found.
    pub method: String,
    /// Its headline as plain text.
    pub title: String,
    /// What it says of itself as plain text.
    pub summary: String,
    /// Who wrote it.
    pub author: Option<String>,
    /// The language it is indexed in.
    pub language: String,
    /// When it was published, if that is known and can be.
    pub published_at: Option<Timestamp>,
    /// When it was first seen.
    pub seen_at: Timestamp,
    /// When its feed last changed its words.
    pub changed_at: Option<Timestamp>,
    /// The article that turned out to be the same page.
    pub duplicate_of: Option<ArticleId>,
    /// Whether something refers to it, so that it is never pruned.
    pub kept: bool,
    /// Whether its full text is kept.
    pub has_text: bool,
}

impl Article {
    /// The address to open: the publisher's page, or the link as given.
    pub fn address(&self) -> Option<&str> {
        self.publisher_url.as_deref().or(self.url.as_deref())
    }

    /// When it was published, or at least seen.
    pub fn time(&self) -> Timestamp {
        self.published_at.unwrap_or(self.seen_at)
    }
}

/// The full text of an article, or why there is none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ArticleText {
    /// The page as it was read.
    pub document: Option<Document>,
    /// When it was last asked for.
    pub fetched_at: Timestamp,
    /// Why it could not be read.
    pub problem: Option<String>,
}

/// The position of a reader of articles: after this one.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Place {
    /// When the last article was seen.
    pub seen_at: Timestamp,
    /// Its id.
    pub id: ArticleId,
}

impl Place {
    /// The place after an article.
    pub fn after(article: &Article) -> Self {
        Self { seen_at: article.seen_at, id: article.id }
    }
}

/// The position in a list of the latest articles: after this one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Latest {
    /// When the last article was published, or at least seen.
    pub at: Timestamp,
    /// Its id.
    pub id: ArticleId,
}

impl Latest {
    /// The place after an article.
    pub fn after(article: &Article) -> Self {
        Self { at: article.time(), id: article.id }
    }
}

/// Which articles to list: the latest first, by when they were published, or seen where that is not known.
/// Duplicates are left out.
#[derive(Debug, Clone, Default)]
pub struct ArticleQuery {
    /// Only those of this feed.
    pub feed: Option<FeedId>,
    /// Only those of this outlet.
    pub outlet: Option<Outlet>,
    /// Only those seen since then.
    pub since: Option<Timestamp>,
    /// Only those whose publisher is not final.
    pub unresolved: bool,
    /// Only those on this shelf of a reader's.
    pub shelf: Option<(String, Shelf)>,
    /// Only those after this place of the list.
    pub before: Option<Latest>,
    /// At most this many.
    pub limit: Option<i64>,
}

/// The columns of an [`Article`], for statements that select `FROM articles a`.
macro_rules! select_articles {
    ($rest:literal) => {
        concat!(
            "SELECT a.id, a.feed_id, a.guid, a.url, a.canonical_url, a.publisher_url, a.outlet,
                    a.resolved, a.method, a.title, a.summary, a.author, a.language,
                    a.published_at, a.seen_at, a.changed_at, a.duplicate_of, a.kept,
                    CAST(CASE WHEN a.document IS NULL THEN 0 ELSE 1 END AS BIGINT) AS has_text ",
            $rest
        )
    };
}
pub(super) use select_articles;

pub(super) fn read(row: &Row) -> Result<Article, ColumnError> {
    let outlet: Option<String> = row.get("outlet")?;
    let outlet = outlet.map(|text| Outlet::new(&text)).transpose();
    Ok(Article {
        id: row.get("id")?,
        feed_id: row.get("feed_id")?,
        guid: row.get("guid")?,
        url: row.get("url")?,
        canonical_url: row.get("canonical_url")?,
        publisher_url: row.get("publisher_url")?,
        outlet: outlet.map_err(|error| ColumnError::new("outlet", error.to_string()))?,
        resolved: row.get::<i64>("resolved")? != 0,
        method: row.get("method")?,
        title: row.get("title")?,
        summary: row.get("summary")?,
        author: row.get("author")?,
        language: row.get("language")?,
        published_at: at(row.get("published_at")?),
        seen_at: Timestamp(row.get("seen_at")?),
        changed_at: at(row.get("changed_at")?),
        duplicate_of: row.get("duplicate_of")?,
        kept: row.get::<i64>("kept")? != 0,
        has_text: row.get::<i64>("has_text")? != 0,
    })
}
