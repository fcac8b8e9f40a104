//! The places that Probity reads and writes: configuration file, data folder, disk.

use std::io;
use std::path::Path;

use super::check::Check;
use crate::app::App;

pub(super) const DATA_FOLDER: &str = "data folder";
const DATA_FOLDER_FIX: &str =
    "make the folder writable, or name another with --data-dir or PROBITY_HOME";
/// With less room than this, a few runs with their pages may fill the disk.
#[cfg(unix)]
const LITTLE_ROOM: u64 = 200 * 1024 * 1024;

/// The configuration file. Settings that do not hold fail before any command runs, so what is left
/// to tell is whether there is a file at all.
pub(super) fn configuration(app: &App) -> Check {
    let path = app.paths.config.display();
    match app.paths.config.exists() {
        true => Check::ok("configuration", format!("{path} is in order")),
        false => Check::ok("configuration", format!("no {path}; the defaults apply")),
    }
}

/// Whether the data folder can be written, or made.
pub(super) fn data_folder(app: &App) -> Check {
    let folder = app.paths.data.as_path();
    let shown = folder.display();
    if folder.exists() {
        return match probe(folder) {
            Ok(()) => Check::ok(DATA_FOLDER, format!("{shown} can be written")),
            Err(error) => Check::failure(DATA_FOLDER, format!("{shown}: {error}"), DATA_FOLDER_FIX),
        };
    }
    // The folder is made when it is first needed; whether it can be, its surroundings tell.
    match existing(folder).map(|above| (above, probe(above))) {
        Some((_, Ok(()))) => {
            Check::ok(DATA_FOLDER, format!("{shown} does not exist yet, and can be created"))
        }
        Some((above, Err(error))) => {
            let found = format!("{shown} cannot be created: {}: {error}", above.display());
            Check::failure(DATA_FOLDER, found, DATA_FOLDER_FIX)
        }
        None => Check::failure(DATA_FOLDER, format!("{shown} is nowhere"), DATA_FOLDER_FIX),
    }
}

/// How much room is left where the data folder is or will be; nothing where that is not known.
#[cfg(unix)]
pub(super) fn free_space(app: &App) -> Option<Check> {
    const NAME: &str = "disk";
    let disk = rustix::fs::statvfs(existing(&app.paths.data)?).ok()?;
    let free = disk.f_bavail.saturating_mul(disk.f_frsize);
    let shown = size(free);
    Some(if free < LITTLE_ROOM {
        Check::warning(
            NAME,
            format!("only {shown} free where the data folder is"),
            "make room, or name a folder on another disk with --data-dir or PROBITY_HOME",
        )
    } else {
        Check::ok(NAME, format!("{shown} free where the data folder is"))
    })
}

#[cfg(not(unix))]
pub(super) fn free_space(_app: &App) -> Option<Check> {
    None
}

/// The folder itself, or the nearest one above it that exists.
fn existing(folder: &Path) -> Option<&Path> {
    folder.ancestors().find(|path| path.exists()).or(Some(Path::new("."))).map(|path| {
        // A relative path ends in an empty one, which means here.
        if path.as_os_str().is_empty() { Path::new(".") } else { path }
    })
}

/// Writes and removes a small file, which is the only proof that a folder can be written.
fn probe(folder: &Path) -> io::Result<()> {
    let file = folder.join(format!(".probity-doctor-{}", std::process::id()));
    std::fs::write(&file, b"probe")?;
    std::fs::remove_file(&file)
}

#[cfg(unix)]
fn size(bytes: u64) -> String {
    const MEGABYTE: u64 = 1_000_000;
    match bytes / MEGABYTE {
        megabytes if megabytes < 10_000 => format!("{megabytes} MB"),
        megabytes => format!("{} GB", megabytes / 1_000),
    }
}
