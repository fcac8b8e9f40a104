//! A folder's index that stays in a file between runs.

use std::path::Path;
use std::sync::Arc;

use super::folder::{WalkOptions, walk};
use super::{AddOptions, AddReport, Library, LibraryError, Reader};
use crate::{Location, Store};

impl Library {
    /// A folder whose index is kept in `file`: what is as it was in the last run is not read again.
    ///
    /// # Errors
    /// When the folder cannot be read, or the file cannot be opened or written.
    pub async fn kept(
        folder: &Path,
        file: &Path,
        reader: Arc<dyn Reader>,
    ) -> Result<(Self, AddReport), LibraryError> {
        let library = Self::of(&Store::open(&Location::file(file)).await?);
        let report = library.add(folder, reader, AddOptions::default(), &mut |_| {}).await?;
        Ok((library, report))
    }

    /// Whether a folder holds more than a number of documents. Nothing in them is read.
    pub fn holds_more_than(folder: &Path, files: usize) -> bool {
        let found = walk(folder, WalkOptions { files: files + 1, ..WalkOptions::default() });
        found.files.len() > files
    }
}
