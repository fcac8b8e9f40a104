//! A folder on disk → the files in it that may be documents, and what was passed over.
//!
//! The walk is bounded in depth, count and size. Hidden files are left alone, and symbolic links
//! are not followed unless asked for: a link may lead in a circle, or out of the folder to files
//! the user did not mean to add.

use std::collections::{BTreeMap, HashSet};
use std::fs::{self, DirEntry, Metadata};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use probity_core::limits;

/// How many folders deep the walk goes.
pub const DEPTH: usize = 32;
/// How many files one folder may hold, its sub-folders included.
pub const FILES: usize = 100_000;
/// How many entries of any kind the walk looks at before it gives up.
pub(super) const ENTRIES: usize = 1_000_000;

/// The endings of file names that are read, by themselves or before `.gz`.
pub const ENDINGS: [&str; 25] = [
    "md", "markdown", "html", "htm", "xhtml", "txt", "text", "rst", "adoc", "asciidoc", "org",
    "pdf", "docx", "odt", "ods", "odp", "rtf", "epub", "pptx", "xlsx", "csv", "tsv", "tab", "eml",
    "mbox",
];

/// What to walk, and how far.
#[derive(Debug, Clone, Copy)]
pub struct WalkOptions {
    /// Whether symbolic links are followed.
    pub follow_links: bool,
    /// How many folders deep to go.
    pub depth: usize,
    /// How many files to take at most.
    pub files: usize,
}

impl Default for WalkOptions {
    fn default() -> Self {
        Self { follow_links: false, depth: DEPTH, files: FILES }
    }
}

/// A file as the file system describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FoundFile {
    /// Where it is, from the root of the file system.
    pub path: PathBuf,
    /// Where it is from the folder that was walked, with `/` between the names.
    pub relative: String,
    /// Its size.
    pub bytes: u64,
    /// When it was last changed, in milliseconds since 1970.
    pub modified: i64,
}

/// Why a file or folder was passed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum PassedOver {
    /// Its name begins with a dot.
    Hidden,
    /// Its ending is none that is read.
    OtherKind,
    /// It is a symbolic link, and links are not followed or lead where the walk has been.
    Link,
    /// It is the `README.md` that describes the folder.
    Readme,
    /// It lies deeper than the walk goes.
    TooDeep,
}

impl PassedOver {
    /// The reason for a person, fit to follow a number.
    pub(super) fn reason(self) -> &'static str {
        match self {
            Self::Hidden => "hidden",
            Self::OtherKind => "of other kinds",
            Self::Link => "symbolic links",
            Self::Readme => "README",
            Self::TooDeep => "in folders too deep",
        }
    }
}

/// What a walk found.
#[derive(Debug, Default)]
pub(super) struct Walk {
    /// The files to read, ordered by path.
    pub files: Vec<FoundFile>,
    /// How many were passed over, by reason.
    pub passed_over: BTreeMap<PassedOver, usize>,
    /// Files and folders that could not be looked at or are too large, each with the reason.
    pub unreadable: Vec<(PathBuf, String)>,
    /// Whether a limit ended the walk early, so that absence means nothing.
    pub cut_short: bool,
}

impl Walk {
    fn pass_over(&mut self, reason: PassedOver) {
        *self.passed_over.entry(reason).or_default() += 1;
    }

    /// Whether a file that is not in `files` may still be there, unseen.
    pub(super) fn may_have_missed(&self, path: &Path) -> bool {
        self.cut_short || self.unreadable.iter().any(|(unseen, _)| path.starts_with(unseen))
    }
}

/// Walks a folder, or takes a single file. The path must be absolute and resolved.
pub(super) fn walk(root: &Path, options: WalkOptions) -> Walk {
    let mut walk = Walk::default();
    match fs::metadata(root) {
        Ok(data) if data.is_dir() => walk_folder(root, options, &mut walk),
        // A file that was named is read whatever it is called: naming it was the choice.
        Ok(data) => take_file(&mut walk, root, root, &data),
        Err(error) => walk.unreadable.push((root.to_owned(), error.to_string())),
    }
    walk.files.sort_by(|a, b| a.path.cmp(&b.path));
    walk
}

fn walk_folder(root: &Path, options: WalkOptions, walk: &mut Walk) {
    let mut waiting = vec![(root.to_owned(), 0)];
    let mut visited = HashSet::from([root.to_owned()]);
    let mut entries = 0;
    while let Some((folder, depth)) = waiting.pop() {
        let listing = match fs::read_dir(&folder) {
            Ok(listing) => listing,
            Err(error) => {
                walk.unreadable.push((folder, error.to_string()));
                continue;
            }
        };
        for entry in listing {
            entries += 1;
            if entries > ENTRIES || walk.files.len() >= options.files {
                walk.cut_short = true;
                return;
            }
            match entry {
                Ok(entry) => {
                    let Some(inner) = look_at(&entry, root, options, &mut visited, walk) else {
                        continue;
                    };
                    if depth < options.depth {
                        waiting.push((inner, depth + 1));
                    } else {
                        walk.pass_over(PassedOver::TooDeep);
                    }
                }
                Err(error) => walk.unreadable.push((folder.clone(), error.to_string())),
            }
        }
    }
}

/// Takes an entry if it is a file to read; returns it if it is a folder to walk.
fn look_at(
    entry: &DirEntry,
    root: &Path,
    options: WalkOptions,
    visited: &mut HashSet<PathBuf>,
    walk: &mut Walk,
) -> Option<PathBuf> {
    let path = entry.path();
    if entry.file_name().as_encoded_bytes().starts_with(b".") {
        walk.pass_over(PassedOver::Hidden);
        return None;
    }
    let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
    if is_link && !(options.follow_links && leads_somewhere_new(&path, visited)) {
        walk.pass_over(PassedOver::Link);
        return None;
    }
    match fs::metadata(&path) {
        Ok(data) if data.is_dir() => {
            // A folder that a followed link has led to already is not walked again.
            let resolved = fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
            (is_link || !options.follow_links || visited.insert(resolved)).then_some(path)
        }
        Ok(data) if data.is_file() && has_known_ending(&path) => {
            take_file(walk, root, &path, &data);
            None
        }
        Ok(_) => {
            walk.pass_over(PassedOver::OtherKind);
            None
        }
        Err(error) => {
            walk.unreadable.push((path, error.to_string()));
            None
        }
    }
}

fn leads_somewhere_new(link: &Path, visited: &mut HashSet<PathBuf>) -> bool {
    fs::canonicalize(link).is_ok_and(|target| !target.is_dir() || visited.insert(target))
}

/// Whether a file is named as one that is read, packed (`.gz`) or not.
fn has_known_ending(path: &Path) -> bool {
    let ending =
        |path: &Path| path.extension().and_then(|ending| ending.to_str()).map(str::to_owned);
    let Some(mut last) = ending(path) else { return false };
    if last.eq_ignore_ascii_case("gz") {
        last = ending(&path.with_extension("")).unwrap_or_default();
    }
    ENDINGS.iter().any(|known| known.eq_ignore_ascii_case(&last))
}

fn take_file(walk: &mut Walk, root: &Path, path: &Path, data: &Metadata) {
    if data.len() > limits::BODY_BYTES {
        let reason =
            format!("the file has {} bytes; at most {} are read", data.len(), limits::BODY_BYTES);
        walk.unreadable.push((path.to_owned(), reason));
        return;
    }
    let inner = path.strip_prefix(root).ok().filter(|inner| !inner.as_os_str().is_empty());
    let named = inner.unwrap_or_else(|| path.file_name().map_or(path, Path::new));
    let names: Option<Vec<&str>> =
        named.components().map(|part| part.as_os_str().to_str()).collect();
    let Some(names) = names.filter(|_| path.to_str().is_some()) else {
        walk.unreadable.push((path.to_owned(), "its name is not UTF-8; rename it".to_owned()));
        return;
    };
    let is_readme = inner.is_some_and(|inner| inner == Path::new("README.md"));
    // That of a repository is its first page.
    if is_readme && !root.join(".git").exists() && !opens_with_front_matter(path) {
        walk.pass_over(PassedOver::Readme);
        return;
    }
    walk.files.push(FoundFile {
        path: path.to_owned(),
        relative: names.join("/"),
        bytes: data.len(),
        modified: modified(data),
    });
}

/// A `README.md` at the root describes the folder to people; with front matter it is a document.
fn opens_with_front_matter(path: &Path) -> bool {
    let mut head = [0; 4];
    let read = fs::File::open(path).and_then(|mut file| std::io::Read::read(&mut file, &mut head));
    read.is_ok_and(|count| head.get(..count).is_some_and(|head| head.starts_with(b"---")))
}

fn modified(data: &Metadata) -> i64 {
    let since = data.modified().ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
    since.and_then(|since| i64::try_from(since.as_millis()).ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[(&str, &str)]) -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(dir.path()).unwrap();
        for (name, text) in files {
            let path = root.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        (dir, root)
    }

    fn relative(walk: &Walk) -> Vec<&str> {
        walk.files.iter().map(|file| file.relative.as_str()).collect()
    }

    #[test]
    fn documents_are_found_and_everything_else_is_counted() {
        let (_dir, root) = folder(&[
            ("README.md", "# About"),
            ("b/two.HTML", "<p>2"),
            ("a.md", "1"),
            ("b/README.md", "deeper"),
            ("b/photo.jpg", "no"),
            ("b/prices.csv.gz", "3"),
            ("b/photo.jpg.gz", "no"),
            (".cache/config.txt", "no"),
            (".hidden.md", "no"),
        ]);
        let walk = walk(&root, WalkOptions::default());
        assert_eq!(relative(&walk), ["a.md", "b/README.md", "b/prices.csv.gz", "b/two.HTML"]);
        let counts = [(PassedOver::Hidden, 2), (PassedOver::OtherKind, 2), (PassedOver::Readme, 1)];
        assert_eq!(walk.passed_over, BTreeMap::from(counts));
        assert!(!walk.cut_short && walk.unreadable.is_empty());
    }

    #[test]
    fn a_repository_is_read_with_its_readme_and_its_manual_but_not_its_history() {
        let (_dir, root) = folder(&[
            ("README.md", "# Tern"),
            (".git/description", "text"),
            ("docs/index.rst", "Tern"),
            ("docs/guide.adoc", "= Guide"),
            ("src/main.rs", "fn main() {}"),
        ]);
        let walk = walk(&root, WalkOptions::default());
        assert_eq!(relative(&walk), ["README.md", "docs/guide.adoc", "docs/index.rst"]);
    }

    #[test]
    fn a_readme_with_front_matter_is_a_document() {
        let (_dir, root) = folder(&[("README.md", "---\ntitle: Read me\n---\nText.")]);
        assert_eq!(relative(&walk(&root, WalkOptions::default())), ["README.md"]);
    }

    #[test]
    fn a_single_file_is_taken_whatever_its_name() {
        let (_dir, root) = folder(&[("README.md", "# About"), ("notes", "text")]);
        for name in ["README.md", "notes"] {
            assert_eq!(relative(&walk(&root.join(name), WalkOptions::default())), [name]);
        }
    }

    #[test]
    fn a_limit_cuts_the_walk_short_and_says_so() {
        let (_dir, root) = folder(&[("a.md", "1"), ("b.md", "2"), ("c/d/e.md", "3")]);
        let few = walk(&root, WalkOptions { files: 1, ..WalkOptions::default() });
        assert!(few.cut_short && few.files.len() == 1);
        assert!(few.may_have_missed(&root.join("b.md")));
        let shallow = walk(&root, WalkOptions { depth: 1, ..WalkOptions::default() });
        assert_eq!(relative(&shallow), ["a.md", "b.md"]);
        assert_eq!(shallow.passed_over.get(&PassedOver::TooDeep), Some(&1));
    }

    #[cfg(unix)]
    #[test]
    fn links_are_passed_over_and_a_circle_ends_even_when_they_are_followed() {
        let (_dir, root) = folder(&[("a/one.md", "1")]);
        let (_other, outside) = folder(&[("two.md", "2")]);
        std::os::unix::fs::symlink(&root, root.join("a/circle")).unwrap();
        std::os::unix::fs::symlink(&outside, root.join("out")).unwrap();
        std::os::unix::fs::symlink(root.join("nowhere"), root.join("dangling.md")).unwrap();
        let plain = walk(&root, WalkOptions::default());
        assert_eq!(relative(&plain), ["a/one.md"]);
        assert_eq!(plain.passed_over.get(&PassedOver::Link), Some(&3));
        let followed = walk(&root, WalkOptions { follow_links: true, ..WalkOptions::default() });
        assert_eq!(relative(&followed), ["a/one.md", "out/two.md"]);
    }

    #[test]
    fn a_missing_folder_is_unreadable_and_proves_nothing_gone() {
        let gone = Path::new("/nonexistent/folder");
        let walk = walk(gone, WalkOptions::default());
        assert_eq!(walk.unreadable.len(), 1);
        assert!(walk.may_have_missed(&gone.join("a.md")));
    }
}
