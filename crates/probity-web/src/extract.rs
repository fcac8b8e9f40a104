//! Bytes of a page or file → clean text with its metadata.
//!
//! ```text
//! bytes → sniff → decode → read (HTML, PDF, DOCX, Markdown, text) → Document
//! ```
//!
//! [`extract`] is synchronous and bounded; [`extract_in_time`] runs it off the async threads with
//! a deadline. Nothing here reaches the network, and everything that comes out is untrusted text.

mod dates;
pub mod decode;
mod html;
pub mod in_time;
mod language;
pub mod markdown;
pub mod sniff;

use probity_core::{Document, WebUrl};
use serde::{Deserialize, Serialize};

pub use decode::decode;
pub use in_time::extract_in_time;
pub(crate) use language::detect_language;
pub use markdown::{FrontMatter, front_matter};
pub use sniff::{Kind, sniff};

/// What is to be read: the bytes, and what the sender said of them.
#[derive(Debug, Clone, Copy)]
pub struct Input<'a> {
    /// The body, decompressed.
    pub bytes: &'a [u8],
    /// The `Content-Type` header or a guess by file name. It may lie: the bytes are looked at too.
    pub content_type: Option<&'a str>,
    /// Where the bytes came from: dates and relative links are read from it.
    pub url: Option<&'a WebUrl>,
}

/// A page or file that was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extracted {
    /// The text with its metadata.
    pub document: Document,
    /// What the bytes turned out to be.
    pub kind: Kind,
    /// The character encoding that was used, where there was a choice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub charset: Option<String>,
}

/// Why nothing could be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ExtractError {
    /// The bytes are an image, an archive, a program: nothing with text that is understood.
    #[error("{0} holds no text that can be read (HTML, PDF, DOCX, Markdown and plain text can)")]
    Unsupported(String),
    /// The input is larger than is read.
    #[error("the document has {bytes} bytes; at most {max} are read")]
    TooLarge {
        /// The size of the input.
        bytes: usize,
        /// The most that is read.
        max: u64,
    },
    /// There is no main text in it.
    #[error("no text was found in the document")]
    Empty,
    /// The format's reader refused it.
    #[error("the {kind} document is broken: {reason}")]
    Broken {
        /// What it was taken for.
        kind: Kind,
        /// What the reader said.
        reason: String,
    },
    /// The reader crashed on it. The crash was contained.
    #[error("the {0} reader failed on this document; it was given up")]
    Crashed(Kind),
    /// The deadline passed.
    #[error("reading the document took longer than {0} s; it was given up")]
    TimedOut(u64),
    /// Too many documents are being read, or have been given up and still run.
    #[error("too many documents are being read at once; try again later")]
    Busy,
}

/// Reads the bytes of a page or file.
///
/// # Errors
/// When the bytes are of no kind with text, too large, broken beyond repair, or without main text.
pub fn extract(input: Input<'_>) -> Result<Extracted, ExtractError> {
    let max = probity_core::limits::BODY_BYTES;
    if input.bytes.len() as u64 > max {
        return Err(ExtractError::TooLarge { bytes: input.bytes.len(), max });
    }
    let kind = sniff(input.bytes, input.content_type);
    let (text, charset) = decode(input.bytes, None);
    let document = html::read(&text, input.url);
    Ok(Extracted { document, kind, charset: Some(charset) })
}
