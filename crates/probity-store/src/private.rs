//! What is kept is its owner's alone: a store holds questions, sources and who said what of whom.
//!
//! On systems without such permissions nothing is done here.

use std::io;
use std::path::Path;

/// Makes a folder that only its owner can look into, and takes others' rights to one that exists.
///
/// # Errors
/// When it cannot be made.
pub fn folder(path: &Path) -> io::Result<()> {
    let existed = path.is_dir();
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, FOLDER);
    builder.create(path)?;
    #[cfg(unix)]
    if existed {
        tighten(path, FOLDER);
    }
    Ok(())
}

/// Makes an empty file that only its owner can read, and takes others' rights to one that exists.
///
/// # Errors
/// When it cannot be made.
pub(crate) fn file(path: &Path) -> io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, FILE);
    match options.open(path) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            // What SQLite keeps beside a file it makes with the rights of that file.
            #[cfg(unix)]
            for suffix in ["", "-wal", "-shm"] {
                let mut name = path.as_os_str().to_owned();
                name.push(suffix);
                tighten(Path::new(&name), FILE);
            }
            Ok(())
        }
        Err(error) => Err(error),
    }
}

/// Rights of the owner alone.
#[cfg(unix)]
const FOLDER: u32 = 0o700;
#[cfg(unix)]
const FILE: u32 = 0o600;
/// Rights of anyone else.
#[cfg(unix)]
const OTHERS: u32 = 0o077;
/// The mark of a folder that everybody shares, such as the one for temporary files.
#[cfg(unix)]
const SHARED: u32 = 0o1000;

/// Takes others' rights away and says so. What belong to other publishers, or to everybody, stays as it is.
#[cfg(unix)]
fn tighten(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt as _;
    let Ok(found) = std::fs::metadata(path) else { return };
    let found = found.permissions().mode();
    if found & OTHERS == 0 {
        return;
    }
    let name = path.display();
    if found & SHARED != 0 {
        tracing::warn!(path = %name, "other users can read this folder; keep the store in a private one");
        return;
    }
    match std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)) {
        Ok(()) => tracing::warn!(
            path = %name,
            "others could read this; only its owner can now (it was {:03o}, it is {mode:03o})",
            found & 0o777
        ),
        Err(error) => {
            tracing::warn!(path = %name, %error, "others can read this, and that cannot be changed");
        }
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn mode(path: &Path) -> u32 {
        std::fs::metadata(path).unwrap().permissions().mode() & 0o7777
    }

    #[test]
    fn what_is_made_and_what_exists_is_its_owners_alone() {
        let place = tempfile::tempdir().unwrap();
        let (made, found) = (place.path().join("a/b"), place.path().join("found"));
        folder(&made).unwrap();
        assert_eq!(mode(&made), 0o700);
        std::fs::create_dir(&found).unwrap();
        std::fs::set_permissions(&found, std::fs::Permissions::from_mode(0o755)).unwrap();
        folder(&found).unwrap();
        assert_eq!(mode(&found), 0o700);
        let kept = found.join("store.db");
        file(&kept).unwrap();
        assert_eq!(mode(&kept), 0o600);
        std::fs::write(&kept, "words").unwrap();
        std::fs::set_permissions(&kept, std::fs::Permissions::from_mode(0o664)).unwrap();
        file(&kept).unwrap();
        assert_eq!((mode(&kept), std::fs::read_to_string(&kept).unwrap()), (0o600, "words".into()));
        std::fs::set_permissions(&found, std::fs::Permissions::from_mode(0o1777)).unwrap();
        folder(&found).unwrap();
        assert_eq!(mode(&found), 0o1777, "what everybody shares stays shared");
    }
}
