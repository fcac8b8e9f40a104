//! Bytes of a page or file → clean text with its metadata.
//!
//! ```text
//! bytes → sniff → decode → read (a file a format) → blocks → render → Document
//! ```
//!
//! [`extract`] is synchronous and bounded; [`extract_in_time`] runs it off the async threads with
//! a deadline. Nothing here reaches the network, and everything that comes out is untrusted text.

mod block;
pub(crate) mod budget;
mod cites;
mod claim_labels;
mod cut_words;
mod dates;
pub mod decode;
mod delimited;
mod docx;
mod epub;
mod html;
pub mod in_time;
mod inline;
mod language;
mod lists;
mod mail;
pub mod markdown;
mod odf;
pub mod paced;
mod package;
mod pdf;
mod pptx;
mod render;
mod rtf;
pub mod sniff;
mod table;
mod text;
mod unpack;
mod xlsx;

use std::panic::{AssertUnwindSafe, catch_unwind};

use probity_core::limits::BODY_BYTES;
use probity_core::{Document, WebUrl};
use serde::{Deserialize, Serialize};

pub use budget::Stop;
use budget::{Budget, Spent};
pub(crate) use cites::is_same_site;
pub(crate) use dates::month;
pub use decode::decode;
pub(crate) use html::{View, views};
pub use in_time::extract_in_time;
pub(crate) use language::detect_language;
pub use markdown::{FrontMatter, front_matter};
pub use sniff::{BodyKind, named, sniff};
pub(crate) use unpack::unpacked;

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
    pub kind: BodyKind,
    /// The character encoding that was used, where there was a choice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub charset: Option<String>,
}

/// Why nothing could be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ExtractError {
    /// The bytes are an image, an archive, a program: nothing with text that is understood.
    #[error(
        "{0} holds no text that can be read (HTML, PDF, Markdown, plain text, Office and \
         OpenDocument files, EPUB, RTF, mail and separated values can)"
    )]
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
        kind: BodyKind,
        /// What the reader said.
        reason: String,
    },
    /// Its author allowed only those to read it who know a password.
    #[error("the document is locked with a password; a copy saved without one can be read")]
    Locked,
    /// The reader crashed on it. The crash was contained.
    #[error("the {0} reader failed on this document; it was given up")]
    Crashed(BodyKind),
    /// The deadline passed.
    #[error("reading the document took longer than {0} s; it was given up")]
    TimedOut(u64),
    /// The caller has gone.
    #[error("the caller no longer waits for the document; reading it was stopped")]
    Stopped,
    /// Too many documents are being read, or have been given up and still run.
    #[error("too many documents are being read; try again later")]
    Busy,
}

/// Reads the bytes of a page or file.
///
/// Time and memory are bounded by the size of the input. The readers of HTML, Markdown and text
/// never recurse; that of PDF does, so foreign PDF files belong on a thread with
/// [`in_time::STACK_BYTES`].
///
/// ```
/// use probity_web::extract::{Input, extract};
///
/// let html = b"<title>Tides - A.example</title><h1>Tides</h1><p>The sea rises, and the sea falls.</p>";
/// let page = extract(Input { bytes: html, content_type: None, url: None })?.document;
/// assert_eq!(page.title, "Tides");
/// assert_eq!(page.text, "The sea rises, and the sea falls.");
/// # Ok::<(), probity_web::extract::ExtractError>(())
/// ```
///
/// # Errors
/// When the bytes are of no kind with text, too large, broken beyond repair, or without main text.
pub fn extract(input: Input<'_>) -> Result<Extracted, ExtractError> {
    extract_until(input, &Stop::default())
}

/// As [`extract`], until the caller gives up.
///
/// # Errors
/// As [`extract`], and when it was stopped.
pub fn extract_until(input: Input<'_>, stop: &Stop) -> Result<Extracted, ExtractError> {
    if input.bytes.len() as u64 > BODY_BYTES {
        return Err(ExtractError::TooLarge { bytes: input.bytes.len(), max: BODY_BYTES });
    }
    let inside = unpacked(input.bytes)?;
    let input = match &inside {
        Some(bytes) => Input { bytes, content_type: input.content_type.filter(is_inside), ..input },
        None => input,
    };
    let kind = sniff(input.bytes, input.content_type);
    let budget = Budget::new(stop.clone());
    let read = catch_unwind(AssertUnwindSafe(|| read(kind, input, &budget)));
    if stop.is_set() {
        return Err(ExtractError::Stopped);
    }
    let extracted = read.map_err(|_| ExtractError::Crashed(kind))??;
    if extracted.document.text.trim().is_empty() {
        return Err(match extracted.document.cut_short {
            Some(reason) => ExtractError::Broken { kind, reason },
            None => ExtractError::Empty,
        });
    }
    Ok(extracted)
}

/// Whether a type can be that of what is packed, and not of the packing.
fn is_inside(content_type: &&str) -> bool {
    let essence = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    essence.starts_with("text/")
        || matches!(essence.as_str(), "message/rfc822" | "application/mbox")
}

fn read(kind: BodyKind, input: Input<'_>, budget: &Budget) -> Result<Extracted, ExtractError> {
    let text = || decode(input.bytes, charset(input.content_type));
    let broken = |reason| ExtractError::Broken { kind, reason };
    let (mut document, charset) = match kind {
        BodyKind::Pdf => (pdf::read(input.bytes, budget)?, None),
        BodyKind::Docx => (docx::read(input.bytes, budget).map_err(broken)?, None),
        BodyKind::Pptx => (pptx::read(input.bytes, budget).map_err(broken)?, None),
        BodyKind::Xlsx => (xlsx::read(input.bytes, budget).map_err(broken)?, None),
        BodyKind::Odf => {
            let unread = |reason| match package::is_locked(input.bytes, budget) {
                true => ExtractError::Locked,
                false => broken(reason),
            };
            (odf::read(input.bytes, budget).map_err(unread)?, None)
        }
        BodyKind::Epub => (epub::read(input.bytes, budget).map_err(broken)?, None),
        BodyKind::Rtf => (rtf::read(input.bytes, budget), None),
        BodyKind::Mail => (mail::read(input.bytes, budget).map_err(broken)?, None),
        BodyKind::Csv => {
            let (text, charset) = text();
            (delimited::read(&text, budget), Some(charset))
        }
        BodyKind::Html => {
            let (text, charset) = text();
            (html::read(&text, input.url, budget), Some(charset))
        }
        BodyKind::Markdown => {
            let (text, charset) = text();
            (markdown::read(&text, input.url, budget), Some(charset))
        }
        BodyKind::Text => {
            let (decoded, charset) = text();
            (text::read(&decoded, budget), Some(charset))
        }
        BodyKind::Other if sniff::is_locked_office(input.bytes) => {
            return Err(ExtractError::Locked);
        }
        BodyKind::Other => {
            return Err(ExtractError::Unsupported(sniff::describe(
                input.bytes,
                input.content_type,
            )));
        }
    };
    if document.claim_reviews.is_empty() {
        document.claim_reviews = claim_labels::labelled(&document.text);
    }
    document.signals.cites = cites::cites(&document.markdown, input.url);
    document.cut_short = budget.cut_short().map(Spent::why);
    Ok(Extracted { document, kind, charset })
}

/// The charset that a content type names.
fn charset(content_type: Option<&str>) -> Option<&str> {
    content_type?.split(';').skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        name.trim().eq_ignore_ascii_case("charset").then(|| value.trim().trim_matches(['"', '\'']))
    })
}
