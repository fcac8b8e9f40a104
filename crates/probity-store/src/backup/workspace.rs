//! A private folder for work that may be killed: the next one removes what it left.

use std::fs::{File, read_dir};
use std::path::Path;

use tempfile::TempDir;

/// The file in the folder that its process holds locked for as long as it lives.
const LOCK: &str = "in-use";
/// The most folders of others that are looked at.
const MAX_LEFT: usize = 1_000;

/// A folder that vanishes with this value, or, if its process is killed, with the next one made in
/// the same place.
pub(super) struct Workspace {
    // Before the folder, so that the lock is gone when the folder is removed.
    _lock: File,
    folder: TempDir,
}

impl Workspace {
    /// Removes what killed processes left here and makes a folder of our own.
    pub(super) fn new(place: &Path, prefix: &str) -> std::io::Result<Self> {
        remove_left(place, prefix);
        let folder = tempfile::Builder::new().prefix(prefix).tempdir_in(place)?;
        let lock = File::create(folder.path().join(LOCK))?;
        // A file system without locks stops no process; nothing is removed there either.
        let _ = lock.try_lock();
        Ok(Self { _lock: lock, folder })
    }

    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Removes folders of this kind whose process has gone. One that cannot be looked at is left alone.
fn remove_left(place: &Path, prefix: &str) {
    let Ok(entries) = read_dir(place) else { return };
    for entry in entries.flatten().take(MAX_LEFT) {
        let ours = entry.file_name().to_str().is_some_and(|name| name.starts_with(prefix));
        if !ours || !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            continue;
        }
        // The system lets go of a dead process's locks.
        if let Ok(lock) = File::open(entry.path().join(LOCK))
            && lock.try_lock().is_ok()
            && let Err(error) = std::fs::remove_dir_all(entry.path())
        {
            tracing::warn!(folder = %entry.path().display(), %error, "an old backup's folder stays");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_process_left_is_removed_and_what_is_in_use_stays() {
        let place = tempfile::tempdir().unwrap();
        let alive = Workspace::new(place.path(), ".probity-backup-").unwrap();
        let left = place.path().join(".probity-backup-dead");
        std::fs::create_dir(&left).unwrap();
        std::fs::write(left.join(LOCK), "").unwrap();
        std::fs::write(left.join("probity.db"), "half of a backup").unwrap();
        std::fs::create_dir(place.path().join(".probity-backup-somebody-else")).unwrap();
        let next = Workspace::new(place.path(), ".probity-backup-").unwrap();
        assert!(!left.exists());
        assert!(alive.path().exists() && next.path().exists());
        assert!(place.path().join(".probity-backup-somebody-else").exists());
        let path = next.path().to_owned();
        drop(next);
        assert!(!path.exists());
    }
}
