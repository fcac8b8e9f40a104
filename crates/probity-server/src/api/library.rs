//! The library: documents of one's own that questions find.

use axum::extract::State;
use probity_core::limits::QUESTION_MAX_CHARS;
use probity_store::library::{Library, ListOptions, Listed as Document};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::ledger::instant;
use super::{Cursor, Listed, Reply, json, rows};
use crate::problem::Problem;
use crate::read::{Part, Query, texts};
use crate::state::Server;

/// The most documents that a search gives.
const HITS: i64 = 50;

/// A document as lists show it.
#[derive(Serialize, ToSchema)]
pub struct DocumentView {
    /// Its id.
    pub id: String,
    /// The file or address it comes from.
    pub origin: String,
    /// Its address, where it has one.
    pub url: Option<String>,
    /// Whose it is.
    pub outlet: Option<String>,
    /// Its title.
    pub title: String,
    /// The day it was published.
    pub published: Option<String>,
    /// Its language.
    pub language: Option<String>,
    /// How many words it has.
    pub words: u64,
    /// How many bytes its file has.
    pub bytes: u64,
    /// When it was read.
    pub indexed_at: String,
    /// Why it could not be read.
    pub failure: Option<String>,
}

impl From<Document> for DocumentView {
    fn from(about: Document) -> Self {
        Self {
            id: about.id,
            origin: about.origin,
            url: about.url.map(|url| url.as_str().to_owned()),
            outlet: about.outlet.map(|outlet| outlet.as_str().to_owned()),
            title: about.title,
            published: about.published.map(|day| day.to_string()),
            language: about.language,
            words: about.words,
            bytes: about.bytes,
            indexed_at: instant(about.indexed_at),
            failure: about.failure,
        }
    }
}

/// Which documents to list.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct ListParams {
    /// Only those that could not be read.
    #[serde(default, deserialize_with = "texts::optional")]
    failed: Option<bool>,
    /// Only those whose origin begins like this.
    under: Option<String>,
    /// How many to give.
    #[param(minimum = 1, maximum = 200)]
    #[serde(default, deserialize_with = "texts::optional")]
    limit: Option<i64>,
    /// Where to begin: the `next` of the part before.
    cursor: Option<String>,
}

/// Lists documents by where they come from.
#[utoipa::path(get, path = "/api/library", tag = "library", params(ListParams),
    responses((status = 200, body = Listed<DocumentView>)))]
pub(crate) async fn list(State(server): State<Server>, Query(asked): Query<ListParams>) -> Reply {
    let limit = rows(asked.limit)?;
    let options = ListOptions {
        failed: asked.failed.unwrap_or(false),
        under: asked.under,
        after: Cursor::read(asked.cursor.as_deref())?,
        limit: usize::try_from(limit + 1).unwrap_or(0),
    };
    let documents = Library::of(&server.store).list(&options).await?;
    let items: Vec<DocumentView> = documents.into_iter().map(DocumentView::from).collect();
    Ok(json(&Listed::cut(items, limit, |last| Cursor::write(&last.origin))))
}

/// What to search for.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct SearchParams {
    /// Words, or a question.
    #[param(min_length = 1, max_length = 2000)]
    q: String,
    /// How many to give.
    #[param(minimum = 1, maximum = 50)]
    #[serde(default, deserialize_with = "texts::optional")]
    limit: Option<i64>,
}

/// A found document.
#[derive(Serialize, ToSchema)]
pub struct Found {
    /// Its id.
    pub id: String,
    /// The file or address it comes from.
    pub origin: String,
    /// How well it fits, compared with the others.
    pub score: f64,
    /// Its title.
    pub title: String,
    /// Its address.
    pub url: String,
    /// The passage that fits best.
    pub snippet: String,
}

/// Searches the library, the best first.
#[utoipa::path(get, path = "/api/library/search", tag = "library", params(SearchParams),
    responses((status = 200, body = Vec<Found>)))]
pub(crate) async fn search(
    State(server): State<Server>,
    Query(asked): Query<SearchParams>,
) -> Reply {
    let limit = asked.limit.unwrap_or(20);
    if !(1..=HITS).contains(&limit) {
        return Err(Problem::field("limit", format!("a search gives 1 to {HITS} documents")));
    }
    check_words(&asked.q)?;
    Ok(json(&find(&server, &asked.q, limit).await?))
}

/// Words to search for: some, and not too many.
pub(crate) fn check_words(words: &str) -> Result<(), Problem> {
    match words.chars().count() {
        1..=QUESTION_MAX_CHARS => Ok(()),
        _ => Err(Problem::field("q", "1 to 2,000 characters are searched for")),
    }
}

/// Documents that fit.
pub(crate) async fn find(server: &Server, words: &str, limit: i64) -> Result<Vec<Found>, Problem> {
    let limit = usize::try_from(limit).unwrap_or(0);
    let hits = Library::of(&server.store).search(words, limit).await?;
    let found = hits.into_iter().map(|found| Found {
        id: found.id,
        origin: found.origin,
        score: found.score,
        title: found.hit.title,
        url: found.hit.url.as_str().to_owned(),
        snippet: found.hit.snippet,
    });
    Ok(found.collect())
}

/// A document with its text.
#[derive(Serialize, ToSchema)]
pub struct DocumentDetail {
    /// What lists show.
    #[serde(flatten)]
    pub about: DocumentView,
    /// Its text.
    pub text: String,
}

/// Shows a document.
#[utoipa::path(get, path = "/api/library/documents/{id}", tag = "library",
    params(("id" = String, Path, description = "The document's id")),
    responses((status = 200, body = DocumentDetail)))]
pub(crate) async fn show(State(server): State<Server>, Part(id): Part) -> Reply {
    Ok(json(&document(&server, &id).await?))
}

/// The document of an id.
pub(crate) async fn document(server: &Server, id: &str) -> Result<DocumentDetail, Problem> {
    let found = Library::of(&server.store).show(id).await?;
    let found = found.ok_or_else(|| {
        Problem::not_found(
            "the library has no such document; a folder that was named for one run stays readable \
             after `probity library add FOLDER`",
        )
    })?;
    Ok(DocumentDetail { about: found.about.into(), text: found.document.text })
}
