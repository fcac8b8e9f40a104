//! What the library needs of a reader of files, and what comes of one file.
//!
//! This crate speaks SQL and knows no file formats: whoever opens a library brings the reader.

use std::ops::Range;
use std::path::Path;

use probity_core::{Document, Outlet, WebUrl};
use probity_text::Language;
use probity_text::words::Stemmer;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::folder::FoundFile;
use super::passages::passages;
use super::terms::{Glossary, terms};

/// The longest text of one document that is kept, in bytes. The rest is cut off.
pub(super) const TEXT_BYTES: usize = 20 * 1024 * 1024;
/// The longest title that is kept, in characters.
pub(super) const TITLE_CHARS: usize = 500;

/// Turns the bytes of a file into a document.
pub trait Reader: Send + Sync + 'static {
    /// A number that goes up when the same bytes would be read differently than before, so that
    /// files which did not change are read again.
    fn version(&self) -> i64;

    /// Reads a file.
    ///
    /// # Errors
    /// With the reason for a person, when there is no text to be had.
    fn read(&self, path: &Path, bytes: &[u8]) -> Result<ReadDocument, String>;
}

/// A document as its reader understood it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadDocument {
    /// The text with its metadata.
    pub document: Document,
    /// The address that the file names as its own.
    pub url: Option<WebUrl>,
    /// The publisher that the file names.
    pub outlet: Option<Outlet>,
}

/// A document that is ready to be written to the index.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    /// Where the document came from: an absolute path or an address.
    pub origin: String,
    /// The size of the file.
    pub bytes: u64,
    /// When the file was last changed, in milliseconds since 1970.
    pub modified: i64,
    /// The SHA-256 of the file.
    pub hash: String,
    /// What was read, or why nothing was.
    pub reading: Result<Indexed, String>,
}

/// The part of an entry that a search can find.
#[derive(Debug, Clone)]
pub(super) struct Indexed {
    /// The document and what it says of itself.
    pub reading: ReadDocument,
    /// Its address: its own, or one that stands for the file.
    pub url: WebUrl,
    /// The language whose stems it is indexed by.
    pub language: Language,
    /// How many words its text has.
    pub words: usize,
    /// The terms of its title.
    pub title_terms: Vec<String>,
    /// Its text in passages, each with its terms.
    pub passages: Vec<Passage>,
}

/// A piece of a document's text with the terms the index gets. A document may have millions of terms, so they
/// stand in one text.
#[derive(Debug, Clone)]
pub(super) struct Passage {
    /// Where it is in the document's text, in bytes.
    pub range: Range<usize>,
    /// Its terms in order, with spaces between them; none holds one.
    pub terms: String,
}

impl Indexed {
    /// The text of a passage.
    pub(super) fn body(&self, passage: &Passage) -> &str {
        self.reading.document.text.get(passage.range.clone()).unwrap_or_default()
    }
}

/// A language as it is stored.
pub(crate) fn language_name(language: Language) -> String {
    match serde_json::to_value(language) {
        Ok(serde_json::Value::String(name)) => name,
        _ => String::new(),
    }
}

/// A stored language; one that this version does not know is indexed by words as they are.
pub(crate) fn named_language(name: &str) -> Language {
    serde_json::from_value(name.into()).unwrap_or(Language::Other)
}

/// The SHA-256 of some bytes in hexadecimal.
pub(crate) fn hash(bytes: &[u8]) -> String {
    probity_core::hex(Sha256::digest(bytes).iter())
}

/// Reads a found file and prepares it for the index.
///
/// # Errors
/// With the reason for a person, when there is no text to be had.
pub(super) fn read_file(
    file: &FoundFile,
    root: &Path,
    bytes: &[u8],
    reader: &dyn Reader,
    glossary: &mut Glossary,
) -> Result<Indexed, String> {
    let reading = reader.read(&file.path, bytes)?;
    let url = match &reading.url {
        Some(url) => url.clone(),
        None => local_url(root, &file.relative)?,
    };
    prepare(reading, url, glossary)
}

/// The address that stands for a file: the name of the folder that was provided, then the way
/// from there. A file that was provided by itself is named by its file name alone.
fn local_url(root: &Path, relative: &str) -> Result<WebUrl, String> {
    let folder = root.file_name().and_then(|name| name.to_str()).filter(|name| *name != relative);
    WebUrl::local(folder.into_iter().chain(relative.split('/'))).map_err(|error| error.to_string())
}

/// Cuts a document into passages and finds its terms.
///
/// # Errors
/// When there is no text in it.
pub(super) fn prepare(
    mut reading: ReadDocument,
    url: WebUrl,
    glossary: &mut Glossary,
) -> Result<Indexed, String> {
    let document = &mut reading.document;
    if document.text.len() > TEXT_BYTES {
        document
            .cut(format!("only the first {} MB of its text are kept", TEXT_BYTES / (1024 * 1024)));
    }
    for text in [&mut document.title, &mut document.text, &mut document.markdown] {
        make_storable(text);
    }
    document.page_starts.retain(|start| *start <= document.text.len());
    if document.text.trim().is_empty() {
        return Err("no text was found in the document".to_owned());
    }
    if document.title.trim().is_empty() {
        document.title = first_line(&document.text);
    }
    document.title = document.title.chars().take(TITLE_CHARS).collect();
    let language = Language::detect(&document.text);
    let stemmer = Stemmer::new(language);
    let title_terms = terms(&document.title, &stemmer);
    let mut end = 0;
    let passages = passages(&document.text)
        .into_iter()
        .map(|body| {
            let start = end;
            end += body.len();
            Passage { range: start..end, terms: glossary.terms(body, &stemmer) }
        })
        .collect();
    let words = reading.document.text.split_whitespace().count();
    Ok(Indexed { reading, url, language, words, title_terms, passages })
}

/// PostgreSQL holds no NUL character in a text, so it is removed.
fn make_storable(text: &mut String) {
    text.truncate(text.floor_char_boundary(TEXT_BYTES));
    if text.contains('\0') {
        *text = text.replace('\0', " ");
    }
}

fn first_line(text: &str) -> String {
    let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    probity_core::printable::brief(line.trim().trim_start_matches('#').trim(), 80)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(title: &str, text: &str) -> ReadDocument {
        let document = Document { title: title.into(), text: text.into(), ..Document::default() };
        ReadDocument { document, ..ReadDocument::default() }
    }

    fn prepared(reading: ReadDocument) -> Result<Indexed, String> {
        prepare(reading, WebUrl::local(["a.txt"]).unwrap(), &mut Glossary::default())
    }

    #[test]
    fn a_document_without_title_goes_by_its_first_line() {
        let indexed = prepared(reading(" ", "\n# The bridge\nIt is narrow.")).unwrap();
        assert_eq!(indexed.reading.document.title, "The bridge");
    }

    #[test]
    fn a_document_without_text_is_refused() {
        assert!(prepared(reading("Title", " \n ")).is_err());
    }

    #[test]
    fn no_text_holds_what_an_engine_cannot_store() {
        let indexed = prepared(reading("T\0", "a\0b")).unwrap();
        assert_eq!(indexed.body(&indexed.passages[0]), "a b");
        assert_eq!(indexed.reading.document.title, "T ");
    }

    #[test]
    fn a_text_that_is_not_kept_to_its_end_says_so() {
        let line = format!("Fees{}\n", ".".repeat(1_019));
        let cut = |lines: usize| {
            prepared(reading("Log", &line.repeat(lines))).unwrap().reading.document.cut_short
        };
        let kept = TEXT_BYTES / line.len();
        assert_eq!(cut(kept), None);
        assert_eq!(cut(kept + 1).unwrap(), "only the first 20 MB of its text are kept");
    }

    #[test]
    fn a_file_is_addressed_from_its_folder_and_alone_by_its_name() {
        let url = local_url(Path::new("/home/ann/letters"), "2024/may.txt").unwrap();
        assert_eq!(url.as_str(), "https://local.invalid/letters/2024/may.txt");
        let url = local_url(Path::new("/home/ann/may.txt"), "may.txt").unwrap();
        assert_eq!(url.as_str(), "https://local.invalid/may.txt");
    }

    #[test]
    fn languages_survive_storing() {
        for language in Language::ALL {
            assert_eq!(named_language(&language_name(language)), language);
        }
        assert_eq!(named_language("klingon"), Language::Other);
    }

    #[test]
    fn a_hash_is_sixty_four_digits() {
        assert_eq!(hash(b"").len(), 64);
        assert!(hash(b"").starts_with("e3b0c442"));
    }
}
