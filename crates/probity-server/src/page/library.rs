//! The library: documents of one's own, searched and read.

use askama::Template;
use axum::extract::State;
use probity_store::library::{Library, ListOptions};
use serde::Deserialize;

use super::{Frame, Tab, page};
use crate::access::Caller;
use crate::api::library::{DocumentDetail, DocumentView, Found, document, find};
use crate::api::{Cursor, Listed, Reply};
use crate::limits;
use crate::read::{Part, Query};
use crate::state::Server;

/// How many documents a search shows.
const HITS: i64 = 30;

#[derive(Template)]
#[template(path = "library.html")]
struct LibraryPage {
    frame: Frame,
    q: String,
    found: Vec<Found>,
    documents: Vec<DocumentView>,
    next: Option<String>,
    total: u64,
    words: u64,
    failed: u64,
}

/// What to look for, and where to begin.
#[derive(Deserialize)]
pub(crate) struct Asked {
    q: Option<String>,
    cursor: Option<String>,
}

/// `GET /library`.
pub(crate) async fn list(
    State(server): State<Server>,
    caller: Caller,
    Query(asked): Query<Asked>,
) -> Reply {
    let library = Library::of(&server.store);
    let found = async {
        match &asked.q {
            Some(words) => find(&server, words, HITS).await,
            None => Ok(Vec::new()),
        }
    };
    let limit = limits::USUAL_ROWS;
    let options = ListOptions {
        failed: false,
        under: None,
        after: Cursor::read(asked.cursor.as_deref())?,
        limit: usize::try_from(limit + 1).unwrap_or(0),
    };
    let status = async { Ok(library.status().await?) };
    let documents = async { Ok(library.list(&options).await?) };
    let (status, found, documents) = tokio::try_join!(status, found, documents)?;
    let documents: Vec<DocumentView> = documents.into_iter().map(DocumentView::from).collect();
    let Listed { items, next } = Listed::cut(documents, limit, |last| Cursor::write(&last.origin));
    page(&LibraryPage {
        frame: Frame::new(&server, &caller, "Library", Tab::Library),
        q: asked.q.unwrap_or_default(),
        found,
        documents: items,
        next,
        total: status.documents,
        words: status.words,
        failed: status.failed,
    })
}

#[derive(Template)]
#[template(path = "document.html")]
struct DocumentPage {
    frame: Frame,
    document: DocumentDetail,
    paragraphs: Vec<String>,
}

/// `GET /library/{id}`.
pub(crate) async fn show(State(server): State<Server>, caller: Caller, Part(id): Part) -> Reply {
    let document = document(&server, &id).await?;
    let paragraphs = document.text.split("\n\n").map(str::trim).filter(|text| !text.is_empty());
    page(&DocumentPage {
        frame: Frame::new(&server, &caller, &document.about.title, Tab::Library),
        paragraphs: paragraphs.map(str::to_owned).collect(),
        document,
    })
}
