//! A document that the user provides as a file or on stdin.

use std::io::Read as _;
use std::path::Path;

use anyhow::Context as _;
use bytes::Bytes;
use probity_core::Document;
use probity_core::limits::BODY_BYTES;
use probity_report::check::SOURCE_BYTES;
use probity_web::extract::in_time::EXTRACT_TIME;
use probity_web::extract::{extract_in_time, named};

use crate::json_lines::open;

/// Reads a draft: Markdown is taken as it is, because its marks and citations belong to it.
pub(crate) async fn read_draft(path: &Path) -> anyhow::Result<Document> {
    read(path, &["txt", "text", "md", "markdown"]).await
}

/// Reads a source as the library does, so that the rows of a Markdown table have their headers.
pub(crate) async fn read_source(path: &Path) -> anyhow::Result<Document> {
    read(path, &["txt", "text"]).await
}

/// Reads a document. What has one of the `plain` endings is taken as it is, so that places in it are
/// places in the file; of anything else the main text is extracted.
async fn read(path: &Path, plain: &[&str]) -> anyhow::Result<Document> {
    let mut bytes = Vec::new();
    let read = open(path)?.take(BODY_BYTES).read_to_end(&mut bytes);
    read.with_context(|| format!("cannot read {}", path.display()))?;
    if is_plain(path, plain, &bytes) {
        bytes.truncate(SOURCE_BYTES);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        return Ok(Document { text, ..Document::default() });
    }
    let extracted =
        extract_in_time(Bytes::from(bytes), named(path).map(str::to_owned), None, EXTRACT_TIME)
            .await;
    let extracted = extracted.with_context(|| format!("cannot read {}", path.display()))?;
    Ok(extracted.document)
}

/// Whether a file is text by its name, or by its first bytes where its name does not say.
fn is_plain(path: &Path, plain: &[&str], bytes: &[u8]) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    match extension.map(str::to_ascii_lowercase).as_deref() {
        Some(ending) if plain.contains(&ending) => true,
        Some(_) if named(path).is_some() => false,
        _ => {
            let opening = bytes.trim_ascii_start();
            let opening = opening.get(..opening.len().min(16)).unwrap_or_default();
            let opening = opening.to_ascii_lowercase();
            ![&b"%pdf-"[..], b"<!doctype", b"<html", b"pk\x03\x04", b"{\\rtf", b"\x1f\x8b"]
                .iter()
                .any(|sign| opening.starts_with(sign))
        }
    }
}
