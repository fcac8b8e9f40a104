//! Backups: a store as one SQLite file, whatever its engine.
//!
//! ```text
//! store → relocate → file in a private folder → integrity check → one file, named as asked
//! file → copy in a private folder → brought up to date → relocate → store
//! ```
//!
//! A backup is a store that was moved, so everything that [`crate::relocate`] promises holds for it: it is the
//! state of one moment while others go on writing, every value was read back, and the ledger
//! verifies. The file takes its name only when it is whole.

mod workspace;

use std::path::{Path, PathBuf};

use self::workspace::Workspace;
use crate::relocate::{RelocateError, Relocated, relocate};
use crate::{Location, Store, StoreError, StoreOptions, sqlite};
use probity_core::printable;

/// What every SQLite file begins with.
const MAGIC: &[u8] = b"SQLite format 3\0";
/// The name of the database within its private folder.
const NAME: &str = "probity.db";
/// What the private folder of a backup begins with, beside the file it will be.
const BACKUP_PREFIX: &str = ".probity-backup-";
/// What the private folder of a restore begins with, among the system's temporary files.
const RESTORE_PREFIX: &str = "probity-restore-";

/// Why there is no backup, or why one was not restored.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The store could not be moved.
    #[error(transparent)]
    Relocate(#[from] RelocateError),
    /// There is such a file.
    #[error("{} exists; name another file, or have it replaced", .0.display())]
    Exists(PathBuf),
    /// What is there is no file that a backup could take the place of.
    #[error("{} is not a regular file; a backup is one, so name another", .0.display())]
    NotAFile(PathBuf),
    /// The file is none that Probity wrote.
    #[error("{} is not a backup of Probity", .0.display())]
    NotABackup(PathBuf),
    /// The file system refused something.
    #[error("{}: {source}", path.display())]
    File {
        /// Which file or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

impl From<StoreError> for BackupError {
    fn from(error: StoreError) -> Self {
        Self::Relocate(error.into())
    }
}

/// Writes everything in a store to a new file, or in the place of one. `on_table` is called for each
/// table.
///
/// # Errors
/// When the store does not verify, or the file cannot be written. What was there before is then
/// still there.
pub async fn back_up(
    store: &Store,
    path: &Path,
    replace: bool,
    on_table: impl FnMut(&str, u64),
) -> Result<Relocated, BackupError> {
    if !replace && path.exists() {
        return Err(BackupError::Exists(path.to_owned()));
    }
    let path = &real_name(path)?;
    // Beside the file, so that taking its name is one step; readable by its owner only, like the file.
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let folder = Workspace::new(folder, BACKUP_PREFIX).map_err(|source| failed(path, source))?;
    let part = folder.path().join(NAME);
    let copy = Store::open(&Location::file(&part)).await?;
    let moved = relocate(store, &copy, on_table).await?;
    copy.check_integrity().await?;
    copy.close().await;
    sqlite::seal(&part, copy.location()).await?;
    keep_private(&part).map_err(|source| failed(&part, source))?;
    take_name(&part, path, replace)?;
    Ok(moved)
}

/// Puts everything in a backup into a new store. `on_table` is called for each table as it arrives.
///
/// # Errors
/// When the file is no backup, is damaged, comes from a newer version, or the store is not new. The
/// store is then as it was.
pub async fn restore(
    path: &Path,
    store: &Store,
    on_table: impl FnMut(&str, u64),
) -> Result<Relocated, BackupError> {
    let (copy, _folder) = open(path).await?;
    let moved = relocate(&copy, store, on_table).await;
    copy.close().await;
    Ok(moved?)
}

/// Restores a backup into a store that is thrown away, to know that it can be done.
///
/// # Errors
/// As [`restore`].
pub async fn rehearse(
    path: &Path,
    on_table: impl FnMut(&str, u64),
) -> Result<Relocated, BackupError> {
    let folder = private_folder()?;
    let store = Store::open(&Location::file(folder.path().join(NAME))).await?;
    let moved = restore(path, &store, on_table).await;
    store.close().await;
    moved
}

/// Opens a copy of a backup: opening brings it up to date, and a backup stays as it was written.
async fn open(path: &Path) -> Result<(Store, Workspace), BackupError> {
    let folder = private_folder()?;
    let copy = folder.path().join(NAME);
    let copied = {
        let (from, to) = (path.to_owned(), copy.clone());
        tokio::task::spawn_blocking(move || copy_database(&from, &to)).await
    };
    match copied {
        Ok(Ok(true)) => {}
        Ok(Ok(false)) => return Err(BackupError::NotABackup(path.to_owned())),
        Ok(Err(source)) => return Err(failed(path, source)),
        Err(stopped) => return Err(failed(path, std::io::Error::other(stopped))),
    }
    let named = |error| match error {
        StoreError::Foreign { .. } => BackupError::NotABackup(path.to_owned()),
        other => other.into(),
    };
    let label = printable::line(&path.to_string_lossy()).into_owned();
    let options = StoreOptions::default();
    let store = Store::open_as(&Location::file(&copy), &options, label).await.map_err(named)?;
    store.check_integrity().await?;
    Ok((store, folder))
}

/// Copies a file if it looks like a database.
fn copy_database(from: &Path, to: &Path) -> std::io::Result<bool> {
    use std::io::Read as _;
    let mut start = Vec::with_capacity(MAGIC.len());
    let file = std::fs::File::open(from)?;
    file.take(u64::try_from(MAGIC.len()).unwrap_or(u64::MAX)).read_to_end(&mut start)?;
    if start != MAGIC {
        return Ok(false);
    }
    std::fs::copy(from, to)?;
    Ok(true)
}

fn private_folder() -> Result<Workspace, BackupError> {
    let place = std::env::temp_dir();
    Workspace::new(&place, RESTORE_PREFIX).map_err(|source| failed(&place, source))
}

/// A backup holds what its users asked and the hashes of their passwords.
fn keep_private(path: &Path) -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))?;
    }
    std::fs::File::open(path)?.sync_all()
}

/// The file that a name leads to. A pipe or a device is not replaced, however firmly it is asked.
fn real_name(path: &Path) -> Result<PathBuf, BackupError> {
    if path.symlink_metadata().is_err() {
        return Ok(path.to_owned());
    }
    match path.metadata() {
        Ok(found) if found.is_file() => path.canonicalize().map_err(|source| failed(path, source)),
        _ => Err(BackupError::NotAFile(path.to_owned())),
    }
}

/// Gives the finished file its name. Where nothing may be replaced, a link that fails if the name
/// was taken meanwhile; file systems without links leave it at the look before.
fn take_name(part: &Path, path: &Path, replace: bool) -> Result<(), BackupError> {
    use std::io::ErrorKind;
    if !replace {
        match std::fs::hard_link(part, path) {
            Ok(()) => return Ok(()),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                return Err(BackupError::Exists(path.to_owned()));
            }
            Err(_) => {}
        }
    }
    std::fs::rename(part, path).map_err(|source| failed(path, source))
}

fn failed(path: &Path, source: std::io::Error) -> BackupError {
    BackupError::File { path: path.to_owned(), source }
}
