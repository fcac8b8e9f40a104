//! How the files of a library are read: the same extraction that pages go through.

use std::path::Path;

use probity_core::{Outlet, WebUrl};
use probity_store::library::{Reader, Reading};
use probity_web::extract::markdown::front_matter;
use probity_web::extract::{Input, decode, extract, named};

/// Reads Markdown, HTML, text, PDF and whatever else extraction knows.
pub struct FileReader;

impl Reader for FileReader {
    fn version(&self) -> i64 {
        4
    }

    fn read(&self, path: &Path, bytes: &[u8]) -> Result<Reading, String> {
        let content_type = named(path);
        let mut reading = Reading::default();
        if content_type == Some("text/markdown") {
            let (text, _) = decode(bytes, None);
            let (front, _) = front_matter(&text);
            reading.url = front.url.as_deref().and_then(|url| WebUrl::parse(url).ok());
            reading.outlet = front.outlet.as_deref().and_then(|name| Outlet::new(name).ok());
        }
        let input = Input { bytes, content_type, url: reading.url.as_ref() };
        reading.document = extract(input).map_err(|error| error.to_string())?.document;
        if reading.url.is_none() {
            let canonical = reading.document.canonical.as_deref();
            reading.url = canonical.and_then(|url| WebUrl::parse(url).ok());
        }
        Ok(reading)
    }
}
