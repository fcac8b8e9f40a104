//! What was typed → the files that are meant, in a fixed order.

use std::path::{Path, PathBuf};

/// The most files of one call.
const MAX_FILES: usize = 1_000_000;
/// How deep folders are walked.
const MAX_DEPTH: usize = 64;

/// The files as given, with folders replaced by all files in them, sorted by name. Hidden files and
/// links to folders are skipped; what does not exist stays, so that its row can say so.
pub(super) fn files(given: &[PathBuf]) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for path in given {
        if path.is_dir() {
            walk(path, 0, &mut files);
        } else {
            files.push(path.clone());
        }
    }
    files.truncate(MAX_FILES);
    files
}

fn walk(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) {
    if depth > MAX_DEPTH || files.len() >= MAX_FILES {
        return;
    }
    let Ok(entries) = std::fs::read_dir(folder) else {
        // The row of the folder says why it cannot be read.
        files.push(folder.to_owned());
        return;
    };
    let mut entries: Vec<_> = entries
        .flatten()
        .filter(|entry| !entry.file_name().as_encoded_bytes().starts_with(b"."))
        .collect();
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => walk(&entry.path(), depth.saturating_add(1), files),
            Ok(kind) if kind.is_file() || (kind.is_symlink() && entry.path().is_file()) => {
                files.push(entry.path());
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_walked_in_order_and_the_rest_stays_as_given() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b.html", "a.html", ".hidden", "sub/c.html"] {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "x").unwrap();
        }
        let given = [PathBuf::from("missing.html"), folder.path().to_owned(), PathBuf::from("-")];
        let found = files(&given);
        let names: Vec<_> =
            found.iter().map(|p| p.file_name().unwrap().to_str().unwrap()).collect();
        assert_eq!(names, ["missing.html", "a.html", "b.html", "c.html", "-"]);
    }
}
