//! The local library: folders of documents, indexed so that a question finds them.
//!
//! ```text
//! folder → walk → plan (what changed) → read on all cores → passages and terms → rows
//! query → terms → the engine's passages → rank by words and meaning → documents with excerpts
//! ```
//!
//! # Architecture
//! Both engines index terms that the program makes (see `terms`): FTS5 on SQLite, `tsvector` on
//! PostgreSQL. They choose candidates; the order of the result is computed here from the texts, so a
//! library answers the same on both. File formats are the business of the [`Reader`] that is passed
//! in. Everything that a document says is untrusted text.

mod bring;
mod collect;
pub(crate) mod dialect;
mod find;
pub(crate) mod finder;
mod folder;
mod follow;
mod ingest;
mod keep;
mod look;
mod passages;
pub(crate) mod prepare;
pub(crate) mod rank;
mod read_ahead;
pub(crate) mod reading;
pub(crate) mod snippet;
pub(crate) mod terms;
mod write;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::civil::Date;
use probity_core::{CollectionId, Document, DocumentId, Outlet, SearchHit, Timestamp, WebUrl};
use serde::{Deserialize, Serialize};

pub use bring::{BROUGHT, address};
pub use collect::{COLLECTION_CHARS, COLLECTIONS_MOST, Collection, CollectionError, Moved, Way};
pub use find::{HITS, PROVIDER};
pub use folder::{DEPTH, ENDINGS, FILES, WalkOptions};
pub use ingest::{AddOptions, AddReport, Failed, Ingested, Progress, ReadInPart};
pub use reading::{ReadDocument, Reader};
pub use snippet::SNIPPET_CHARS;
pub(crate) use write::reindex;

use crate::{Store, StoreError};

/// Why something could not be done with the library.
#[derive(Debug, thiserror::Error)]
pub enum LibraryError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There is no such file or folder, or it may not be looked at.
    #[error("`{path}` cannot be read: {why}")]
    Path {
        /// What was named.
        path: String,
        /// What the system said.
        why: String,
    },
    /// The threads that read files could not be started.
    #[error("the files cannot be read: {0}")]
    Threads(std::io::Error),
}

/// A found document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LibraryHit {
    /// The document's name in the library.
    pub id: DocumentId,
    /// Where it came from: an absolute path or an address.
    pub origin: String,
    /// The higher the better; between two queries it means nothing.
    pub score: f64,
    /// The hit as every search gives it.
    #[serde(flatten)]
    pub hit: SearchHit,
}

/// A document in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listed {
    /// Its name in the library.
    pub id: DocumentId,
    /// Where it came from: an absolute path or an address.
    pub origin: String,
    /// Its address; none when nothing could be read.
    pub url: Option<WebUrl>,
    /// The publisher that the file names.
    pub outlet: Option<Outlet>,
    /// Its title.
    pub title: String,
    /// The day it was published.
    pub published: Option<Date>,
    /// The language whose stems it is indexed by.
    pub language: Option<String>,
    /// How many words it has.
    pub words: u64,
    /// The size of the file.
    pub bytes: u64,
    /// When it was indexed.
    pub indexed_at: Timestamp,
    /// Why nothing could be read of it.
    pub failure: Option<String>,
}

/// A document with its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stored {
    /// What the library knows of it.
    #[serde(flatten)]
    pub about: Listed,
    /// The document.
    pub document: Document,
}

/// Which documents to list.
#[derive(Debug, Clone)]
pub struct ListOptions {
    /// Only those that could not be read.
    pub failed: bool,
    /// Only this file, or those below this folder.
    pub under: Option<String>,
    /// Only those after this origin: the last one of the page before.
    pub after: Option<String>,
    /// How many at most.
    pub limit: usize,
}

impl Default for ListOptions {
    fn default() -> Self {
        Self { failed: false, under: None, after: None, limit: 1_000 }
    }
}

/// The library in figures.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// Documents that a search can find.
    pub documents: u64,
    /// Files that could not be read.
    pub failed: u64,
    /// Passages of all documents.
    pub passages: u64,
    /// Words of all documents.
    pub words: u64,
    /// The size of all files.
    pub bytes: u64,
    /// When the last document was indexed.
    pub indexed_at: Option<Timestamp>,
    /// How many documents there are in each language.
    pub languages: Vec<LanguageCount>,
    /// The folders that were added.
    pub folders: Vec<Folder>,
}

/// How many documents a language has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LanguageCount {
    /// The language.
    pub language: String,
    /// Its documents.
    pub documents: u64,
}

/// A folder that was added.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Folder {
    /// Where it is.
    pub path: String,
    /// When something in it was last found new or changed.
    pub indexed_at: Timestamp,
}

/// The library of a store. Cloning it is cheap.
#[derive(Debug, Clone)]
pub struct Library {
    store: Store,
    /// The collection that lists and searches keep to.
    collection: Option<CollectionId>,
}

impl Library {
    /// The library that a store holds.
    pub fn of(store: &Store) -> Self {
        Self { store: store.clone(), collection: None }
    }

    /// A folder indexed for one run: nothing stays. A large index is not all in memory; the rest is in a file
    /// of the system's folder for such, which has no name and goes with it.
    ///
    /// # Errors
    /// When the folder cannot be read. Single files that cannot are in the report.
    pub async fn ephemeral(
        folder: &Path,
        reader: Arc<dyn Reader>,
    ) -> Result<(Self, AddReport), LibraryError> {
        let library = Self { store: Store::in_memory().await?, collection: None };
        let report = library.add(folder, reader, AddOptions::default(), &mut |_| {}).await?;
        Ok((library, report))
    }

    /// Indexes a folder or a file, or brings the index up to date with it: what changed is read
    /// again, what is gone is dropped, the rest is not touched.
    ///
    /// # Errors
    /// When the path cannot be read or the store fails. Single files that cannot be read are in the
    /// report; what was written before a failure stays.
    pub async fn add(
        &self,
        path: &Path,
        reader: Arc<dyn Reader>,
        options: AddOptions,
        watch: &mut (dyn FnMut(&Progress) + Send),
    ) -> Result<AddReport, LibraryError> {
        ingest::ingest_path(&self.store, path, reader, options, watch).await
    }

    /// Indexes a page that was fetched.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn add_page(
        &self,
        url: &WebUrl,
        reading: ReadDocument,
    ) -> Result<Ingested, LibraryError> {
        ingest::ingest_page(&self.store, url, reading).await
    }

    /// The documents that answer a query best, at most [`HITS`] of them. A query is data: nothing in
    /// it is syntax.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn search(&self, query: &str, limit: usize) -> Result<Vec<LibraryHit>, LibraryError> {
        let mut tx = self.store.read().await?;
        Ok(find::find(&mut tx, self.store.engine(), query, limit, self.collection).await?)
    }

    /// A document by its id, its origin or its address.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn show(&self, name: &str) -> Result<Option<Stored>, LibraryError> {
        let mut tx = self.store.read().await?;
        Ok(look::show(&mut tx, &resolved(name)).await?)
    }

    /// The document at an address that a search gave.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn document(&self, url: &WebUrl) -> Result<Option<Document>, LibraryError> {
        let mut tx = self.store.read().await?;
        let stored = look::show(&mut tx, url.as_str()).await?;
        Ok(stored.filter(|stored| stored.about.failure.is_none()).map(|stored| stored.document))
    }

    /// The publisher that the document at an address names, where it names one.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn outlet(&self, url: &WebUrl) -> Result<Option<Outlet>, LibraryError> {
        Ok(look::outlet(&mut self.store.read().await?, url).await?)
    }

    /// Documents in the order of their origins.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn list(&self, options: &ListOptions) -> Result<Vec<Listed>, LibraryError> {
        let mut tx = self.store.read().await?;
        let under = options.under.as_deref().map(resolved);
        let options = ListOptions { under, ..options.clone() };
        Ok(look::list(&mut tx, &options, self.collection).await?)
    }

    /// The library in figures.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn status(&self) -> Result<Status, LibraryError> {
        let mut tx = self.store.read().await?;
        Ok(look::status(&mut tx).await?)
    }

    /// Takes out a document by its id, origin or address, or everything below a folder; gives how
    /// many documents went. Files themselves are never touched.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn remove(&self, name: &str) -> Result<u64, LibraryError> {
        let mut tx = self.store.write().await?;
        let removed = look::remove(&mut tx, &resolved(name)).await?;
        tx.commit().await?;
        Ok(removed)
    }
}

/// A path as it is kept: absolute, without links. What is no path on this machine stays as it is.
fn resolved(name: &str) -> String {
    let absolute = || -> Option<PathBuf> {
        let looks_like_path = !name.is_empty() && WebUrl::parse(name).is_err();
        let path = Path::new(name);
        std::fs::canonicalize(path).ok().filter(|_| looks_like_path)
    };
    absolute()
        .and_then(|path| path.into_os_string().into_string().ok())
        .unwrap_or_else(|| name.to_owned())
}
