//! Lists of addresses that the user provides with `--urls`.

use std::io::Read as _;
use std::path::Path;

use crate::failure::cannot_read;

/// The longest list of addresses that is read, in bytes.
const LIST_BYTES: u64 = 4 * 1024 * 1024;

/// The text of a list: a file, or `-` for stdin.
pub(crate) fn read(path: &Path) -> anyhow::Result<String> {
    let mut text = String::new();
    let read = if path == Path::new("-") {
        std::io::stdin().lock().take(LIST_BYTES).read_to_string(&mut text)
    } else {
        std::fs::File::open(path).and_then(|file| file.take(LIST_BYTES).read_to_string(&mut text))
    };
    read.map_err(|error| cannot_read(path, error))?;
    Ok(text)
}
