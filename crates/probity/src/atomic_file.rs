//! Files that a user named: a regular file is written whole or not at all, anything else in place.
//!
//! Only a regular file can be swapped for a finished one. A pipe, a terminal or a device is a place that
//! someone listens at: it is written to, never replaced. Links lead to what they mean.

use std::fs;
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use crate::failure::WithHint as _;

/// How many links are followed before they must be a circle.
const LINKS: usize = 40;
/// The names of this process's own stdout.
const STDOUT: [&str; 3] = ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];
/// Where names stand for what a process has open, though they may lead to a regular file.
const STREAMS: [&str; 3] = ["/dev/fd/", "/dev/std", "/proc/"];

/// As any program's new files: whatever the user's mask leaves of it.
const ANYBODY: u32 = 0o666;
/// For keys.
const OWNER: u32 = 0o600;

/// How a place is written to.
#[derive(Debug, PartialEq)]
enum Place {
    /// A regular file, there or not yet.
    Regular(PathBuf),
    /// Something that exists already and is not replaced.
    Standing(PathBuf),
    /// What the caller of the program reads.
    Stdout,
}

/// Writes a file.
pub(crate) fn file(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let written = match place(path) {
        Ok(Place::Regular(path)) => swap(&path, bytes, ANYBODY),
        Ok(Place::Standing(path)) => append(&path, bytes),
        Ok(Place::Stdout) => {
            let mut out = crate::output::stdout();
            out.write_all(bytes).and_then(|()| out.flush())
        }
        Err(error) => Err(error),
    };
    written.with_context(|| format!("cannot write {}", path.display()))
}

/// Writes a regular file that only its owner can read, whatever was there.
pub(crate) fn private_file(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    swap(path, bytes, OWNER).with_context(|| format!("cannot write {}", path.display()))
}

/// Refuses a path that cannot be written before anything is spent on what would go there.
pub(crate) fn check(path: &Path) -> anyhow::Result<()> {
    let hint = "name a file in a folder that exists and can be written";
    if path.is_dir() {
        return Err(anyhow::anyhow!("{} is a folder", path.display())).hint(hint);
    }
    let checked = match place(path) {
        Ok(Place::Regular(path)) => old(&path).and_then(|_| draft(&path, ANYBODY).map(drop)),
        // To open a pipe is to wait for its reader; that comes when there is something to write.
        Ok(Place::Standing(path)) => fs::metadata(path).map(drop),
        Ok(Place::Stdout) => Ok(()),
        Err(error) => Err(error),
    };
    checked.with_context(|| format!("cannot write {}", path.display())).hint(hint)
}

/// What a name leads to.
fn place(path: &Path) -> io::Result<Place> {
    let mut name = path.to_owned();
    for _ in 0..LINKS {
        if STDOUT.iter().any(|stdout| name == Path::new(stdout)) {
            return Ok(Place::Stdout);
        }
        if STREAMS
            .iter()
            .any(|folder| name.as_os_str().as_encoded_bytes().starts_with(folder.as_bytes()))
        {
            return Ok(Place::Standing(name));
        }
        match fs::read_link(&name) {
            Ok(target) => name = folder(&name).join(target),
            Err(_) => break,
        }
    }
    match fs::metadata(&name) {
        Ok(found) if !found.is_file() => Ok(Place::Standing(name)),
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(Place::Regular(name)),
    }
}

/// Writes to what is there already.
fn append(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = fs::OpenOptions::new().append(true).open(path)?;
    file.write_all(bytes)?;
    file.flush()
}

/// Puts a finished file in the place of a regular one, which keeps its permissions unless it is to be its owner's alone.
fn swap(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    let old = old(path)?;
    let mut draft = draft(path, mode)?;
    draft.write_all(bytes)?;
    if let Some(old) = old.filter(|_| mode != OWNER) {
        #[cfg(unix)]
        {
            use std::os::unix::fs::{MetadataExt as _, chown};
            // Only root can give a file away; to anyone else it is theirs already.
            let _ = chown(draft.path(), Some(old.uid()), Some(old.gid()));
        }
        draft.as_file().set_permissions(old.permissions())?;
    }
    draft.as_file().sync_all()?;
    draft.persist(path).map(drop).map_err(|error| error.error)
}

/// What is known of the existing file, if there is one. One that may not be written is refused,
/// although its folder would let it be replaced.
fn old(path: &Path) -> io::Result<Option<fs::Metadata>> {
    match fs::OpenOptions::new().write(true).open(path) {
        Ok(file) => file.metadata().map(Some),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// A file beside another that takes its place when it is whole, and else vanishes.
fn draft(path: &Path, mode: u32) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".probity-").suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(mode));
    }
    #[cfg(not(unix))]
    let _ = mode;
    builder.tempfile_in(folder(path))
}

/// The folder that a file is in.
fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_stdout_is_stdout_and_a_device_stays_one() {
        for name in STDOUT {
            assert_eq!(place(Path::new(name)).unwrap(), Place::Stdout, "{name}");
        }
        if cfg!(unix) {
            let device = PathBuf::from("/dev/null");
            assert_eq!(place(&device).unwrap(), Place::Standing(device));
        }
        let new = PathBuf::from("new-name.txt");
        assert_eq!(place(&new).unwrap(), Place::Regular(new));
    }
}
