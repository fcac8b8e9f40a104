//! The library: the user's own documents that questions find.

use axum::extract::{Request, State};
use axum::response::IntoResponse as _;
use http::StatusCode;
use probity_core::WebUrl;
use probity_core::limits::QUESTION_MAX_CHARS;
use probity_store::library::{BROUGHT, Ingested, Library, ListOptions, Listed as Document};
use serde::{Deserialize, Serialize};
use url::Url;
use utoipa::{IntoParams, ToSchema};

use super::collections;
use super::ledger::instant;
use super::uploads::{Beside, Bringing};
use super::{Cursor, Listed, Reply, json, rows};
use crate::access::Caller;
use crate::problem::Problem;
use crate::read::{Json, Part, Query, texts};
use crate::state::Server;
use crate::upload::{FileProblem, FileView, Received, owned, receive};

/// The most documents that a search gives.
const HITS: i64 = 50;

/// A document as lists show it.
#[derive(Serialize, ToSchema)]
pub struct DocumentView {
    /// Its id.
    pub id: String,
    /// The address it comes from, or the file's name below the folder that was provided.
    pub origin: String,
    /// Its address, where it has one.
    pub url: Option<String>,
    /// Whether it can be read again from where it came.
    pub rereadable: bool,
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

/// Where a document comes from, as anyone may know it: where it is on this machine is not shown.
fn named(origin: &str, url: Option<&WebUrl>) -> String {
    if let Some(name) = origin.strip_prefix(BROUGHT) {
        return name.to_owned();
    }
    if WebUrl::parse(origin).is_ok() {
        return origin.to_owned();
    }
    // A file whose address stands for it: the folder's name and the way from there.
    let path = url.filter(|url| url.is_local()).and_then(|url| Url::parse(url.as_str()).ok());
    let parts: Option<Vec<String>> = path.and_then(|path| {
        let decode = |part: &str| percent_decoded(part);
        path.path_segments().map(|parts| parts.map(decode).collect())
    });
    match parts {
        Some(parts) => parts.join("/"),
        None => origin.rsplit(['/', '\\']).next().unwrap_or_default().to_owned(),
    }
}

fn percent_decoded(part: &str) -> String {
    let whole = part.replace('+', "%2B");
    let mut pairs = url::form_urlencoded::parse(whole.as_bytes());
    pairs.next().map(|(name, _)| name.into_owned()).unwrap_or_default()
}

impl From<Document> for DocumentView {
    fn from(about: Document) -> Self {
        Self {
            rereadable: !about.origin.starts_with(BROUGHT),
            origin: named(&about.origin, about.url.as_ref()),
            id: about.id.into(),
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
    /// Only those of this collection, by name or number.
    #[param(max_length = 80)]
    collection: Option<String>,
    /// Only those of this file or below this folder, by its path on the server.
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
    let library = library(&server, asked.collection.as_deref()).await?;
    let documents = library.list(&options).await?;
    let Listed { items, next } = Listed::cut(documents, limit, |last| Cursor::write(&last.origin));
    let items: Vec<DocumentView> = items.into_iter().map(DocumentView::from).collect();
    Ok(json(&Listed { items, next }))
}

/// The library, or a collection of it.
pub(crate) async fn library(server: &Server, collection: Option<&str>) -> Result<Library, Problem> {
    let library = Library::of(&server.store);
    match collection {
        Some(named) => {
            let within = collections::find(server, named).await?;
            Ok(library.within(&within))
        }
        None => Ok(library),
    }
}

/// What to search for.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct SearchParams {
    /// Words, or a question.
    #[param(min_length = 1, max_length = 2000)]
    q: String,
    /// Only in this collection, by name or number.
    #[param(max_length = 80)]
    collection: Option<String>,
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
    /// The address it comes from, or the file's name below the folder that was provided.
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
    let library = library(&server, asked.collection.as_deref()).await?;
    Ok(json(&find(&library, &asked.q, limit).await?))
}

/// Words to search for: some, and not too many.
pub(crate) fn check_words(words: &str) -> Result<(), Problem> {
    match words.chars().count() {
        1..=QUESTION_MAX_CHARS => Ok(()),
        _ => Err(Problem::field("q", "1 to 2,000 characters are searched for")),
    }
}

/// Documents that fit.
pub(crate) async fn find(
    library: &Library,
    words: &str,
    limit: i64,
) -> Result<Vec<Found>, Problem> {
    let limit = usize::try_from(limit).unwrap_or(0);
    let hits = library.search(words, limit).await?;
    let found = hits.into_iter().map(|found| Found {
        id: found.id.into(),
        origin: named(&found.origin, Some(&found.hit.url)),
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

/// The most pages that one request adds.
const PAGES: usize = 20;

/// Adds documents to the library: files, or a text.
#[utoipa::path(post, path = "/api/library/documents", tag = "library",
    request_body(content = Bringing, content_type = "multipart/form-data"),
    responses((status = 201, description = "The files that were sent, each with its result", body = Vec<FileView>),
        (status = 422, description = "No file could be read; each says why",
            content((Vec<FileView> = "application/json"), (Problem = "application/problem+json")))))]
pub(crate) async fn add(State(server): State<Server>, caller: Caller, request: Request) -> Reply {
    let mut received = receive(&server, &caller, request, None).await?;
    received.form::<Beside>()?.bring(&mut received).await?;
    let files = add_received(&server, &caller, received).await?;
    if files.is_empty() {
        return Err(Problem::field("file", "send at least one file, or a text"));
    }
    let status = match FileView::all_refused(&files) {
        true => StatusCode::UNPROCESSABLE_ENTITY,
        false => StatusCode::CREATED,
    };
    Ok((status, json(&files)).into_response())
}

/// Puts what a request brought into the library, with what was brought before it; the upload itself goes.
pub(crate) async fn add_received(
    server: &Server,
    caller: &Caller,
    received: Received,
) -> Result<Vec<FileView>, Problem> {
    let Received { mut files, bundle, .. } = received;
    let library = Library::of(&server.store);
    let Some(id) = bundle.keep() else { return Ok(files) };
    let upload = owned(server, caller, &id).await?;
    let readings = server.store.upload_readings(&id).await?;
    for (document, (name, reading)) in upload.documents.iter().zip(readings) {
        let bytes = u64::try_from(document.bytes).unwrap_or(0);
        let taken = library.add_reading(&name, bytes, reading).await?;
        let known = files.iter().position(|file| file.place == Some(document.place));
        let file = FileView {
            name: name.clone(),
            place: None,
            title: Some(document.title.clone()).filter(|title| !title.is_empty()),
            words: Some(document.words),
            problem: taken.err().map(|detail| FileProblem { kind: "no-text", detail }),
        };
        if file.problem.is_none() {
            server.store.note(&caller.name, "document added", &name).await?;
        }
        match known.and_then(|known| files.get_mut(known)) {
            Some(known) => *known = file,
            None => files.push(file),
        }
    }
    server.store.delete_upload(&id).await?;
    Ok(files)
}

/// Pages to be added.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Pages {
    /// Their addresses, at most 20.
    #[schema(max_items = 20)]
    urls: Vec<String>,
}

/// A page that was to be added.
#[derive(Serialize, ToSchema)]
pub struct Added {
    /// Its address.
    pub url: String,
    /// `added`, `changed` or `unchanged`; none if it could not be read.
    pub result: Option<&'static str>,
    /// Why it could not be read.
    pub why: Option<String>,
}

impl Added {
    /// The same for files.
    pub(crate) fn into_file(self) -> FileView {
        let problem = self.why.map(|detail| FileProblem { kind: "unreadable", detail });
        FileView { name: self.url, place: None, title: None, words: None, problem }
    }
}

/// Fetches pages into the library.
#[utoipa::path(post, path = "/api/library/pages", tag = "library", request_body = Pages,
    responses((status = 200, body = Vec<Added>)))]
pub(crate) async fn pages(
    State(server): State<Server>,
    caller: Caller,
    Json(pages): Json<Pages>,
) -> Reply {
    let urls = pages.urls.iter().map(String::as_str);
    Ok(json(&add_pages(&server, &caller, urls).await?))
}

/// Fetches pages into the library, one after another.
pub(crate) async fn add_pages(
    server: &Server,
    caller: &Caller,
    urls: impl Iterator<Item = &str>,
) -> Result<Vec<Added>, Problem> {
    let urls: Vec<&str> = urls.take(PAGES + 1).collect();
    if urls.len() > PAGES {
        return Err(Problem::field("urls", format!("at most {PAGES} pages are added at once")));
    }
    let mut added = Vec::new();
    for url in urls {
        let taken = match WebUrl::parse(url) {
            Ok(url) => server.backend.add_page(&url).await,
            Err(error) => Err(error.to_string()),
        };
        if taken.is_ok() {
            server.store.note(&caller.name, "document added", url).await?;
        }
        let result = taken.as_ref().ok().map(|taken| match taken {
            Ingested::Added => "added",
            Ingested::Changed => "changed",
            Ingested::Unchanged => "unchanged",
        });
        added.push(Added { url: url.to_owned(), result, why: taken.err() });
    }
    Ok(added)
}

/// Takes a document out of the library; files are not touched.
#[utoipa::path(delete, path = "/api/library/documents/{id}", tag = "library",
    params(("id" = String, Path, description = "The document's id")),
    responses((status = 204, description = "The document is removed from the index")))]
pub(crate) async fn delete(State(server): State<Server>, caller: Caller, Part(id): Part) -> Reply {
    remove_document(&server, &caller, &id).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Takes one document out, by its id alone: a path could name a whole folder.
pub(crate) async fn remove_document(
    server: &Server,
    caller: &Caller,
    id: &str,
) -> Result<(), Problem> {
    let about = stored(server, id).await?;
    Library::of(&server.store).remove(&about.id).await?;
    server.store.note(&caller.name, "document removed", &about.title).await?;
    Ok(())
}

/// A document by its id.
pub(crate) async fn stored(server: &Server, id: &str) -> Result<Document, Problem> {
    let found = Library::of(&server.store).show(id).await?.map(|found| found.about);
    let found = found.filter(|about| about.id == id);
    found.ok_or_else(|| Problem::not_found("the library has no such document"))
}

/// Reads a document again from where it came.
#[utoipa::path(post, path = "/api/library/documents/{id}/again", tag = "library",
    params(("id" = String, Path, description = "The document's id")),
    responses((status = 200, body = DocumentView)))]
pub(crate) async fn again(State(server): State<Server>, caller: Caller, Part(id): Part) -> Reply {
    Ok(json(&read_again(&server, &caller, &id).await?))
}

/// Reads a page or a file of this machine again.
pub(crate) async fn read_again(
    server: &Server,
    caller: &Caller,
    id: &str,
) -> Result<DocumentView, Problem> {
    let about = stored(server, id).await?;
    if about.origin.starts_with(BROUGHT) {
        let why = "it was uploaded as a file, of which only the text is stored; add the file again";
        return Err(Problem::conflict(why));
    }
    let read = match WebUrl::parse(&about.origin) {
        Ok(url) => server.backend.add_page(&url).await.map(drop),
        Err(_) => server.backend.read_again(&about.origin).await,
    };
    read.map_err(|why| Problem::conflict(format!("it could not be read again: {why}")))?;
    server.store.note(&caller.name, "document read again", &about.title).await?;
    Ok(stored(server, id).await?.into())
}
