//! Lists of addresses that the user hands over with `--urls`.

use std::io::Read as _;
use std::path::Path;

use probity_web::search::{Selection, URLS};

use crate::failure::{cannot_read, usage};

/// The longest list of addresses that is read, in bytes.
const LIST_BYTES: u64 = 4 * 1024 * 1024;

/// The list alone, or after the providers that were named.
pub(crate) fn select(selection: Selection, named: bool) -> anyhow::Result<Selection> {
    match selection {
        Selection::Named(mut names) if named => {
            if !names.iter().any(|name| name == URLS) {
                names.push(URLS.to_owned());
            }
            Ok(Selection::Named(names))
        }
        Selection::Auto if named => {
            Err(usage("--urls cannot be combined with --search auto; name the providers"))
        }
        _ => Ok(Selection::Named(vec![URLS.to_owned()])),
    }
}

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
