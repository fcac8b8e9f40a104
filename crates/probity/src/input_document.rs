//! A document that the user hands over as a file or on stdin.

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

/// Reads a document. Text is taken as it is, so that places in it are places in the file; of anything
/// else the main text is extracted.
pub(crate) async fn read(path: &Path) -> anyhow::Result<Document> {
    let mut bytes = Vec::new();
    let read = open(path)?.take(BODY_BYTES).read_to_end(&mut bytes);
    read.with_context(|| format!("cannot read {}", path.display()))?;
    if is_plain(path, &bytes) {
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

/// Whether a file is text by its name, or by its first bytes where it has no telling name.
fn is_plain(path: &Path, bytes: &[u8]) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    match extension.map(str::to_ascii_lowercase).as_deref() {
        Some("txt" | "text" | "md" | "markdown") => true,
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
