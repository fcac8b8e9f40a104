//! How documents of one's own are read: the same extraction that pages go through.

use std::path::Path;

use bytes::Bytes;
use probity_core::{Document, Outlet, WebUrl};
use probity_store::library::{ReadDocument, Reader};
use probity_web::extract::in_time::EXTRACT_TIME;
use probity_web::extract::markdown::front_matter;
use probity_web::extract::{ExtractError, Input, decode, extract, extract_in_time, named};

/// Reads Markdown, HTML, text, PDF and whatever else extraction knows.
pub struct FileReader;

impl Reader for FileReader {
    fn version(&self) -> i64 {
        5
    }

    fn read(&self, path: &Path, bytes: &[u8]) -> Result<ReadDocument, String> {
        let content_type = named(path);
        let said = front(content_type, bytes);
        let input = Input { bytes, content_type, url: said.url.as_ref() };
        let document = extract(input).map_err(|error| error.to_string())?.document;
        Ok(complete(said, document))
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

fn complete(mut said: ReadDocument, document: Document) -> ReadDocument {
    if said.url.is_none() {
        let canonical = document.canonical.as_deref();
        said.url = canonical.and_then(|url| WebUrl::parse(url).ok());
    }
    ReadDocument { document, ..said }
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
        Ok(extracted) => Ok(complete(said, extracted.document)),
        Err(error) => Err(Unread {
            kind: match &error {
                ExtractError::Unsupported(_) => "unsupported",
                ExtractError::TooLarge { .. } => "too-large",
                ExtractError::Empty => "no-text",
                ExtractError::Broken { .. } | ExtractError::Crashed(_) => "broken",
                ExtractError::TimedOut(_) => "timed-out",
                ExtractError::Stopped | ExtractError::Busy => "busy",
            },
            why: error.to_string(),
        }),
    }
}
