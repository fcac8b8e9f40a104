//! Why the world of a run cannot be opened, and what to do about it.

use std::path::PathBuf;

use probity_report::restore::RestoreError;
use probity_store::StoreError;
use probity_store::library::{CollectionError, LibraryError};
use probity_web::fetch::{ClientError, FetcherError};
use probity_web::search::SelectError;

/// Why the world of a run cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum GathererError {
    /// The folder cannot be read.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// The folder has nothing to read.
    #[error("{} holds no document that can be read", .0.display())]
    NoDocuments(PathBuf),
    /// The search providers that are named cannot be asked.
    #[error("--search: {0}")]
    Selection(#[source] SelectError),
    /// The providers cannot be opened as they are set.
    #[error(transparent)]
    Search(SelectError),
    /// A list of addresses beside whatever is there.
    #[error("--urls cannot be combined with --search auto; name the providers")]
    UrlsBesideAuto,
    /// No client could be made.
    #[error("cannot prepare the HTTP client")]
    Client(#[from] ClientError),
    /// No fetcher could be made.
    #[error("cannot prepare the fetcher")]
    Fetcher(#[from] FetcherError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The earlier run is not there.
    #[error("there is no run {0}")]
    NoRun(String),
    /// The earlier run has no report.
    #[error("run {0} has no report yet")]
    NoReport(String),
    /// The earlier run read nothing that was kept.
    #[error("run {0} read no source that could be asked")]
    NoSources(String),
    /// The documents that were brought along are gone.
    #[error("the documents that were uploaded for this run are no longer stored")]
    NoFiles,
    /// The collection is not there, or cannot be read.
    #[error(transparent)]
    Collection(#[from] CollectionError),
    /// The report of the earlier run is damaged.
    #[error("the report of the run cannot be read")]
    Report(#[from] RestoreError),
}

impl GathererError {
    /// Whether the caller can fix it by asking differently.
    pub fn is_usage(&self) -> bool {
        !matches!(
            self,
            Self::Client(_)
                | Self::Fetcher(_)
                | Self::Store(_)
                | Self::Report(_)
                | Self::Collection(CollectionError::Store(_))
        )
    }

    /// What to do next, where that is not said already.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Library(_) => Some("name a folder with Markdown, HTML, text or PDF files"),
            Self::NoDocuments(_) => {
                Some("put Markdown, HTML, text or PDF files into it, or name another folder")
            }
            Self::NoRun(_) => Some("list them with: probity runs list"),
            Self::NoReport(_) => Some("finish it with: probity runs resume"),
            Self::NoSources(_) => Some("ask the web instead: probity research"),
            Self::NoFiles => Some("bring them along again"),
            Self::Collection(_) => Some("see: probity library collections list"),
            _ => None,
        }
    }
}
