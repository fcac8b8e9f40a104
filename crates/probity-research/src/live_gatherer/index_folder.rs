//! A folder named for a run → its index: in memory, or in a file that the next run reuses.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use probity_core::{Problem, ProblemKind, counted, printable};
use probity_store::library::{AddReport, Library, LibraryError, ReadInPart};
use probity_store::private;
use sha2::{Digest as _, Sha256};

use super::{FileReader, GathererError};

/// A folder with more documents than this has its index kept: fewer are read in no time.
const KEPT_FROM: usize = 200;
/// The most indexes that are kept. The one that was not used for longest goes first.
const MAX_KEPT: usize = 8;
/// How much of a file's name a problem takes, in characters.
const NAME_CHARS: usize = 80;
/// What SQLite writes beside an index.
const BESIDE: [&str; 3] = ["", "-wal", "-shm"];

/// Indexes a folder; on the shelf, if there is one. Files that cannot be read become problems.
///
/// # Errors
/// When the folder cannot be read, or holds no document that can.
pub(super) async fn index_folder(
    shelf: Option<&Path>,
    folder: &Path,
    problems: &mut Vec<Problem>,
) -> Result<Library, GathererError> {
    let kept = match shelf {
        Some(shelf) => kept(shelf, folder).await,
        None => None,
    };
    let (library, report) = match kept {
        Some(kept) => kept,
        None => Library::ephemeral(folder, Arc::new(FileReader)).await?,
    };
    for failed in &report.failed {
        problems.push(Problem::new(ProblemKind::File, failed.origin.clone(), failed.why.clone()));
    }
    problems.extend(in_part(folder, &report.read_in_part));
    if library.status().await?.documents == 0 {
        return Err(GathererError::NoDocuments(folder.to_owned()));
    }
    Ok(library)
}

/// What a search of the folder cannot find, because limits left it out.
fn in_part(folder: &Path, files: &[ReadInPart]) -> Option<Problem> {
    let first = files.first()?;
    let name = Path::new(&first.origin).file_name().unwrap_or_default().to_string_lossy();
    let (name, why) = (printable::brief(&name, NAME_CHARS), &first.why);
    let others = match files.len() - 1 {
        0 => String::new(),
        more => format!(" and {}", counted(more, "other file", "other files")),
    };
    let detail = format!("not everything in {name}{others} can be found: {why}");
    Some(Problem::new(ProblemKind::File, folder.to_string_lossy(), detail))
}

/// The index that is kept of a folder; none where it is small, or nothing can be kept.
async fn kept(shelf: &Path, folder: &Path) -> Option<(Library, AddReport)> {
    let folder = std::fs::canonicalize(folder)
        .ok()
        .filter(|folder| folder.is_dir() && Library::holds_more_than(folder, KEPT_FROM))?;
    shelf.parent().map_or(Ok(()), private::folder).and_then(|()| private::folder(shelf)).ok()?;
    let file = shelf.join(format!("{}.db", name(&folder)));
    match bring_up_to_date(&folder, &file).await {
        Ok(kept) => {
            clear(shelf, &file);
            Some(kept)
        }
        Err(error) => {
            // Whatever is wrong with it, it can be rebuilt.
            tracing::warn!(index = %file.display(), %error, "the cached index is rebuilt");
            remove(&file);
            bring_up_to_date(&folder, &file).await.ok()
        }
    }
}

async fn bring_up_to_date(
    folder: &Path,
    file: &Path,
) -> Result<(Library, AddReport), LibraryError> {
    let kept = Library::kept(folder, file, Arc::new(FileReader)).await?;
    // A run that changes nothing writes nothing, but it did use the index.
    if let Ok(file) = std::fs::File::options().append(true).open(file) {
        let _ = file.set_modified(SystemTime::now());
    }
    Ok(kept)
}

/// The name of a folder's index: the folder's own may be longer than a name can be.
fn name(folder: &Path) -> String {
    let hash = Sha256::digest(folder.as_os_str().as_encoded_bytes());
    probity_core::hex(hash.iter().take(16))
}

/// Removes the indexes that were not used for longest, where there are too many.
fn clear(shelf: &Path, used: &Path) {
    let Ok(entries) = std::fs::read_dir(shelf) else { return };
    let mut indexes: Vec<(SystemTime, PathBuf)> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "db") && path != used)
        .filter_map(|path| Some((path.metadata().ok()?.modified().ok()?, path)))
        .collect();
    indexes.sort();
    let too_many = (indexes.len() + 1).saturating_sub(MAX_KEPT);
    for (_, path) in indexes.iter().take(too_many) {
        remove(path);
    }
}

fn remove(index: &Path) {
    for ending in BESIDE {
        let mut path = index.as_os_str().to_owned();
        path.push(ending);
        let _ = std::fs::remove_file(path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_indexes_used_last_are_kept() {
        let shelf = tempfile::tempdir().unwrap();
        let path = |number: usize| shelf.path().join(format!("{number}.db"));
        for number in 0..12 {
            for ending in BESIDE {
                std::fs::write(format!("{}{ending}", path(number).display()), "x").unwrap();
            }
            let at = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(number as u64);
            std::fs::File::options()
                .append(true)
                .open(path(number))
                .unwrap()
                .set_modified(at)
                .unwrap();
        }
        std::fs::write(shelf.path().join("notes.txt"), "mine").unwrap();
        clear(shelf.path(), &path(0));
        let left: Vec<usize> = (0..12).filter(|number| path(*number).exists()).collect();
        assert_eq!(left, [0, 5, 6, 7, 8, 9, 10, 11]);
        assert!(!shelf.path().join("1.db-wal").exists());
        assert!(shelf.path().join("notes.txt").exists());
    }

    #[test]
    fn every_folder_has_an_index_of_its_own() {
        assert_ne!(name(Path::new("/a/b")), name(Path::new("/a/c")));
        assert_eq!(name(Path::new("/a")).len(), 32);
    }
}
