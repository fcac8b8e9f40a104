//! The library: the user's own documents, brought, searched, read again and taken out.

use askama::Template;
use axum::extract::{Request, State};
use probity_report::restore;
use probity_store::library::{COLLECTION_CHARS, Collection, Library, ListOptions, address};
use serde::Deserialize;

use super::run::{FILES, encode};
use super::{Frame, Tab, go, page};
use crate::access::Caller;
use crate::api::collections;
use crate::api::library::{
    Added, DocumentDetail, DocumentView, Found, add_pages, add_received, document, find,
    read_again, remove_document,
};
use crate::api::{Cursor, Listed, Reply};
use crate::limits;
use crate::problem::Problem;
use crate::read::{Part, Query};
use crate::state::Server;
use crate::upload::{self, FileView};

/// How many documents a search shows.
const HITS: i64 = 30;
/// How many runs that cite a document its page names.
const CITING: i64 = 10;

#[derive(Template)]
#[template(path = "library.html")]
struct LibraryPage {
    frame: Frame,
    q: String,
    only_failed: bool,
    found: Vec<Found>,
    documents: Vec<DocumentView>,
    next: Option<String>,
    total: u64,
    words: u64,
    failed: u64,
    collections: Vec<Collection>,
    /// The collection that is shown.
    within: Option<Collection>,
    collection_chars: usize,
    /// What was brought just now, and what could not be.
    added: Vec<FileView>,
    problem: Option<String>,
    file_bytes: usize,
    total_bytes: u64,
    files_most: i64,
}

impl LibraryPage {
    fn is_within(&self, collection: &Collection) -> bool {
        self.within.as_ref().is_some_and(|within| within.id == collection.id)
    }
}

/// What to look for, and where to begin.
#[derive(Default, Deserialize)]
pub(crate) struct Asked {
    q: Option<String>,
    cursor: Option<String>,
    failed: Option<String>,
    /// A collection, by its number.
    collection: Option<String>,
}

/// The result of bringing something.
#[derive(Default)]
struct Brought {
    added: Vec<FileView>,
    problem: Option<String>,
}

async fn shown(server: &Server, caller: &Caller, asked: Asked, brought: Brought) -> Reply {
    let whole = Library::of(&server.store);
    let within = match asked.collection.as_deref() {
        Some(named) => Some(collections::find(server, named).await?),
        None => None,
    };
    let library = within.as_ref().map_or_else(|| whole.clone(), |one| whole.within(one));
    let found = async {
        match &asked.q {
            Some(words) => find(&library, words, HITS).await,
            None => Ok(Vec::new()),
        }
    };
    let limit = limits::USUAL_ROWS;
    let options = ListOptions {
        failed: asked.failed.is_some(),
        under: None,
        after: Cursor::read(asked.cursor.as_deref())?,
        limit: usize::try_from(limit + 1).unwrap_or(0),
    };
    let status = async { Ok(library.status().await?) };
    let documents = async { Ok::<_, Problem>(library.list(&options).await?) };
    let collections = async { Ok::<_, Problem>(whole.collections().await?) };
    let (status, found, documents, collections) =
        tokio::try_join!(status, found, documents, collections)?;
    let Listed { items, next } = Listed::cut(documents, limit, |last| Cursor::write(&last.origin));
    page(&LibraryPage {
        frame: Frame::new(server, caller, "Library", Tab::Library),
        q: asked.q.unwrap_or_default(),
        only_failed: asked.failed.is_some(),
        found,
        documents: items.into_iter().map(DocumentView::from).collect(),
        next,
        total: status.documents,
        words: status.words,
        failed: status.failed,
        collections,
        within,
        collection_chars: COLLECTION_CHARS,
        added: brought.added,
        problem: brought.problem,
        file_bytes: limits::UPLOAD_FILE_BYTES,
        total_bytes: limits::UPLOAD_BYTES,
        files_most: probity_store::uploads::DOCUMENTS,
    })
}

/// `GET /library`.
pub(crate) async fn list(
    State(server): State<Server>,
    caller: Caller,
    Query(asked): Query<Asked>,
) -> Reply {
    shown(&server, &caller, asked, Brought::default()).await
}

/// What the form held beside its files.
#[derive(Deserialize)]
struct Bringing {
    #[serde(default)]
    paste: String,
}

/// `POST /library`: files, a text, or addresses.
pub(crate) async fn add(State(server): State<Server>, caller: Caller, request: Request) -> Reply {
    let mut received = upload::receive(&server, &caller, request, None).await?;
    let form: Bringing = received.form()?;
    let mut added = Vec::new();
    if let Some(urls) = super::ask::addresses(&form.paste) {
        let results = add_pages(&server, &caller, urls.lines()).await?;
        added.extend(results.into_iter().map(Added::into_file));
    } else if !form.paste.trim().is_empty() {
        received.paste(&name_of(&form.paste), form.paste.clone()).await?;
    }
    added.extend(add_received(&server, &caller, received).await?);
    let problem =
        added.is_empty().then(|| "Choose files, or paste a text or addresses.".to_owned());
    let brought = Brought { added, problem };
    shown(&server, &caller, Asked::default(), brought).await
}

/// What a pasted text is called: by its first words, so that another one does not take its place.
fn name_of(text: &str) -> String {
    let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let plain = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-');
    let words: String = line.chars().filter(plain).take(60).collect();
    format!("{}.txt", words.trim())
}

/// `POST /library/{id}/remove`.
pub(crate) async fn remove(State(server): State<Server>, caller: Caller, Part(id): Part) -> Reply {
    remove_document(&server, &caller, &id).await?;
    go("/library")
}

/// `POST /library/{id}/again`.
pub(crate) async fn again(State(server): State<Server>, caller: Caller, Part(id): Part) -> Reply {
    read_again(&server, &caller, &id).await?;
    go(&format!("/library/{}", encode(&id)))
}

/// A piece of a document's text; some of them were cited.
struct Piece {
    text: String,
    cited: bool,
}

/// A run that cites the document.
struct Citing {
    id: String,
    title: String,
    statements: Vec<String>,
}

#[derive(Template)]
#[template(path = "document.html")]
struct DocumentPage {
    frame: Frame,
    document: DocumentDetail,
    paragraphs: Vec<Vec<Piece>>,
    citing: Vec<Citing>,
    /// The collections that hold it, and the others.
    collections: Vec<Collection>,
    others: Vec<Collection>,
    collection_chars: usize,
}

/// `GET /library/{id}`.
pub(crate) async fn show(State(server): State<Server>, caller: Caller, Part(id): Part) -> Reply {
    let document = document(&server, &id).await?;
    let url = document.about.url.clone().unwrap_or_default();
    let (citing, passages) = cited(&server, &url).await?;
    let library = Library::of(&server.store);
    let collections = library.collections_of(&document.about.id.as_str().into()).await?;
    let mut others = library.collections().await?;
    others.retain(|one| collections.iter().all(|holds| holds.id != one.id));
    let paragraphs = document.text.split("\n\n").map(str::trim).filter(|text| !text.is_empty());
    page(&DocumentPage {
        collections,
        others,
        collection_chars: COLLECTION_CHARS,
        frame: Frame::new(&server, &caller, &document.about.title, Tab::Library),
        paragraphs: paragraphs.map(|text| pieces(text, &passages)).collect(),
        citing,
        document,
    })
}

/// A document that was brought along for a run.
#[derive(Deserialize)]
pub(crate) struct OfRun {
    url: String,
}

#[derive(Template)]
#[template(path = "brought.html")]
struct BroughtPage {
    frame: Frame,
    run: String,
    name: String,
    title: String,
    paragraphs: Vec<Vec<Piece>>,
}

/// `GET /runs/{id}/file`: whoever may read a run may read what was brought along for it.
pub(crate) async fn of_run(
    State(server): State<Server>,
    caller: Caller,
    Part(run): Part,
    Query(asked): Query<OfRun>,
) -> Reply {
    let readings = match server.store.upload_of_run(&run.as_str().into()).await? {
        Some(upload) => server.store.upload_readings(&upload).await?,
        None => Vec::new(),
    };
    let found = readings.into_iter().find(|(name, reading)| {
        address(FILES, name, reading).is_some_and(|url| url.as_str() == asked.url)
    });
    // What was not brought along is the library's, as far as anyone can tell.
    let Some((name, reading)) = found else {
        return go(&format!("/library/{}", encode(&asked.url)));
    };
    let (_, passages) = cited(&server, &asked.url).await?;
    let text = reading.document.text;
    let paragraphs = text.split("\n\n").map(str::trim).filter(|text| !text.is_empty());
    let title = match reading.document.title.trim() {
        "" => name.clone(),
        title => title.to_owned(),
    };
    page(&BroughtPage {
        frame: Frame::new(&server, &caller, &title, Tab::Runs),
        paragraphs: paragraphs.map(|text| pieces(text, &passages)).collect(),
        run,
        name,
        title,
    })
}

/// The runs that cite a document, and the passages that they cite.
async fn cited(server: &Server, url: &str) -> Result<(Vec<Citing>, Vec<String>), Problem> {
    let (mut citing, mut passages) = (Vec::new(), Vec::new());
    if url.is_empty() {
        return Ok((citing, passages));
    }
    for (id, report) in server.store.reports_with(url, CITING).await? {
        let Ok(report) = restore(&report) else { continue };
        let source = report.sources().find(|(_, source)| source.url.as_str() == url);
        let Some(source) = source.map(|(_, source)| source.id) else { continue };
        let mut statements = Vec::new();
        for statement in report.statements() {
            let of_it = statement.evidence.iter().filter(|evidence| evidence.source == source);
            let before = passages.len();
            passages.extend(of_it.filter_map(|evidence| evidence.passage.clone()));
            if passages.len() > before {
                statements.push(statement.text.clone());
            }
        }
        citing.push(Citing { id, title: report.title().to_owned(), statements });
    }
    passages.retain(|passage| !passage.trim().is_empty());
    passages.sort();
    passages.dedup();
    Ok((citing, passages))
}

/// A paragraph in pieces: what was cited, and what is around it.
fn pieces(text: &str, passages: &[String]) -> Vec<Piece> {
    let mut spans: Vec<(usize, usize)> = passages
        .iter()
        .filter_map(|passage| text.find(passage.trim()).map(|at| (at, at + passage.trim().len())))
        .collect();
    spans.sort_unstable();
    let mut pieces = Vec::new();
    let mut from = 0;
    for (start, end) in spans {
        let (start, end) = (start.max(from), end.max(from));
        pieces.extend(piece(text, from, start, false));
        pieces.extend(piece(text, start, end, true));
        from = end;
    }
    pieces.extend(piece(text, from, text.len(), false));
    pieces
}

fn piece(text: &str, from: usize, to: usize, cited: bool) -> Option<Piece> {
    let text = text.get(from..to).filter(|text| !text.is_empty())?;
    Some(Piece { text: text.to_owned(), cited })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_cited_is_marked_where_it_stands() {
        let passages = ["It is green.", "bridge opened", "opened in 1931", "elsewhere"];
        let passages = passages.map(str::to_owned);
        let parts: Vec<(String, bool)> =
            pieces("The bridge opened in 1931. It is green.", &passages)
                .into_iter()
                .map(|piece| (piece.text, piece.cited))
                .collect();
        let parts: Vec<(&str, bool)> =
            parts.iter().map(|(text, cited)| (text.as_str(), *cited)).collect();
        assert_eq!(
            parts,
            [
                ("The ", false),
                ("bridge opened", true),
                (" in 1931", true),
                (". ", false),
                ("It is green.", true)
            ]
        );
        assert_eq!(pieces("Nothing.", &passages).len(), 1);
    }

    #[test]
    fn a_pasted_text_goes_by_its_first_words() {
        assert_eq!(name_of("\n # The bridge: a/history\nIt is"), "The bridge ahistory.txt");
    }
}
