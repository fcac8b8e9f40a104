//! Documents that arrive as readings rather than as files of this machine.

use probity_core::WebUrl;

use super::ingest::{Arrival, ingest};
use super::reading::prepare;
use super::terms::Glossary;
use super::{Ingested, Library, LibraryError, ReadDocument};
use crate::Store;

/// What the origin of a document that was provided begins with.
pub const BROUGHT: &str = "upload:";
/// The folder in the addresses of such documents.
const FOLDER: &str = "uploads";

/// The address of a document that was provided: its own, or one that stands for its name.
pub fn address(folder: &str, name: &str, reading: &ReadDocument) -> Option<WebUrl> {
    match &reading.url {
        Some(own) => Some(own.clone()),
        None => WebUrl::local([folder].into_iter().chain(name.split('/'))).ok(),
    }
}

impl Library {
    /// Documents with their names, indexed in memory for one run. The folder's name stands in their
    /// addresses.
    ///
    /// # Errors
    /// When the index cannot be written.
    pub async fn of_readings(
        folder: &str,
        documents: Vec<(String, ReadDocument)>,
    ) -> Result<Self, LibraryError> {
        let library = Self { store: Store::in_memory().await?, collection: None };
        for (name, reading) in documents {
            // One without text is not found; the others are.
            let _ = library.take(folder, &name, 0, reading).await?;
        }
        Ok(library)
    }

    /// Indexes a document that was provided under a name. A second one of this name takes the place
    /// of the first. Gives the reason where there is nothing to index.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn add_reading(
        &self,
        name: &str,
        bytes: u64,
        reading: ReadDocument,
    ) -> Result<Result<Ingested, String>, LibraryError> {
        self.take(FOLDER, name, bytes, reading).await
    }

    async fn take(
        &self,
        folder: &str,
        name: &str,
        bytes: u64,
        reading: ReadDocument,
    ) -> Result<Result<Ingested, String>, LibraryError> {
        let Some(url) = address(folder, name, &reading) else {
            return Ok(Err("its name makes no address".to_owned()));
        };
        let (hash, version) = (super::ingest::fingerprint(&reading), super::ingest::PAGE_READER);
        // Cutting a long text into passages takes its time.
        let prepared =
            tokio::task::spawn_blocking(move || prepare(reading, url, &mut Glossary::default()))
                .await;
        let prepared = prepared.map_err(std::io::Error::other).map_err(LibraryError::Threads)?;
        let indexed = match prepared {
            Ok(indexed) => indexed,
            Err(why) => return Ok(Err(why)),
        };
        let arrival = Arrival { origin: format!("{BROUGHT}{name}"), bytes, hash, version };
        ingest(&self.store, arrival, Ok(indexed)).await.map(Ok)
    }
}
