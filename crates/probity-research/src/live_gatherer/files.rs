//! How the user's own documents are read: the same extraction that pages go through.

use std::path::Path;

use bytes::Bytes;
use probity_core::{Document, Outlet, WebUrl};
use probity_store::library::{ReadDocument, Reader};
use probity_text::table_row::CELL_SEPARATOR;
use probity_web::extract::in_time::EXTRACT_TIME;
use probity_web::extract::markdown::front_matter;
use probity_web::extract::{ExtractError, Input, decode, extract, extract_in_time, named};

/// Reads Markdown, HTML, text, PDF and whatever else extraction knows.
pub struct FileReader;

impl Reader for FileReader {
    fn version(&self) -> i64 {
        8
    }

    fn read(&self, path: &Path, bytes: &[u8]) -> Result<ReadDocument, String> {
        let content_type = named(path);
        let said = front(content_type, bytes);
        let input = Input { bytes, content_type, url: said.url.as_ref() };
        let document = extract(input).map_err(|error| error.to_string())?.document;
        Ok(complete(path, said, document))
    }
}

/// What a Markdown file says of itself before its text.
fn front(content_type: Option<&str>, bytes: &[u8]) -> ReadDocument {
    let mut reading = ReadDocument::default();
    if content_type == Some("text/markdown") {
        let (text, _) = decode(bytes, None);
        let (front, _) = front_matter(&text);
        reading.url = front.url.as_deref().and_then(|url| WebUrl::parse(url).ok());
        reading.outlet = front.outlet.as_deref().and_then(|name| Outlet::new(name).ok());
    }
    reading
}

fn complete(path: &Path, mut said: ReadDocument, mut document: Document) -> ReadDocument {
    if document.title.trim().is_empty() && begins_with_row(&document.text) {
        document.title = title_of(path);
    }
    if said.url.is_none() {
        let canonical = document.canonical.as_deref();
        said.url = canonical.and_then(|url| WebUrl::parse(url).ok());
    }
    ReadDocument { document, ..said }
}

/// Whether a text begins with a row of a table, which names no document.
fn begins_with_row(text: &str) -> bool {
    let first = text.lines().find(|line| !line.trim().is_empty());
    first.is_some_and(|line| line.contains(CELL_SEPARATOR))
}

/// `fish_prices-2026.csv.gz` → `fish prices 2026`
fn title_of(path: &Path) -> String {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let name = name.strip_suffix(".gz").unwrap_or(name);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    stem.split(['_', '-', ' ']).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Why nothing could be read of an uploaded document.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct Unread {
    /// The kind of trouble, as a name that does not change.
    pub kind: &'static str,
    /// What is wrong, for a person.
    pub why: String,
}

/// Reads an uploaded document, which may be hostile: on a thread of its own, with a deadline, and
/// no more at once than the machine bears.
///
/// # Errors
/// When there is no text to be had.
pub async fn read_brought(name: &str, bytes: Bytes) -> Result<ReadDocument, Unread> {
    let content_type = named(Path::new(name));
    let said = front(content_type, &bytes);
    let (kind, url) = (content_type.map(str::to_owned), said.url.clone());
    match extract_in_time(bytes, kind, url, EXTRACT_TIME).await {
        Ok(extracted) => Ok(complete(Path::new(name), said, extracted.document)),
        Err(error) => Err(Unread {
            kind: match &error {
                ExtractError::Unsupported(_) => "unsupported",
                ExtractError::TooLarge { .. } => "too-large",
                ExtractError::Empty => "no-text",
                ExtractError::Broken { .. } | ExtractError::Crashed(_) => "broken",
                ExtractError::Locked => "locked",
                ExtractError::TimedOut(_) => "timed-out",
                ExtractError::Stopped | ExtractError::Busy => "busy",
            },
            why: error.to_string(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_goes_by_the_name_of_its_file() {
        let title = |name: &str, text: &str| {
            FileReader.read(Path::new(name), text.as_bytes()).unwrap().document.title
        };
        assert_eq!(title("/a/fish_prices-2026.csv", "Fish,Price\nCod,9\n"), "fish prices 2026");
        assert_eq!(title("/a/notes.md", "# Sauna\n\nIt is hot.\n"), "Sauna");
    }
}
