//! What a body is, by its header AND its first bytes: content types lie.

use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};

/// What a body turned out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BodyKind {
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
    /// Slides of PowerPoint.
    Pptx,
    /// A workbook of Excel.
    Xlsx,
    /// An OpenDocument text or sheet.
    Odf,
    /// A book.
    Epub,
    /// Rich text.
    Rtf,
    /// Comma- or tab-separated values.
    Csv,
    /// A message, or a mailbox of them.
    Mail,
    /// Something without text that is understood: an image, an archive, a program.
    Other,
}

impl fmt::Display for BodyKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BodyKind::Html => "HTML",
            BodyKind::Pdf => "PDF",
            BodyKind::Text => "text",
            BodyKind::Markdown => "Markdown",
            BodyKind::Docx => "DOCX",
            BodyKind::Pptx => "PPTX",
            BodyKind::Xlsx => "XLSX",
            BodyKind::Odf => "OpenDocument",
            BodyKind::Epub => "EPUB",
            BodyKind::Rtf => "RTF",
            BodyKind::Csv => "CSV",
            BodyKind::Mail => "mail",
            BodyKind::Other => "other",
        })
    }
}

/// How many bytes are looked at.
const SNIFF_BYTES: usize = 4 * 1024;
/// How far into a file its PDF signature may stand.
const PDF_REACH: usize = 1_024;

/// Tells what the bytes are. Where header and bytes disagree, the bytes win.
///
/// ```
/// use probity_web::extract::{BodyKind, sniff};
///
/// assert_eq!(sniff(b"%PDF-1.7 ...", Some("text/html")), BodyKind::Pdf);
/// assert_eq!(sniff(b"<!DOCTYPE html><p>x", Some("text/plain")), BodyKind::Html);
/// ```
pub fn sniff(bytes: &[u8], content_type: Option<&str>) -> BodyKind {
    let head = bytes.get(..SNIFF_BYTES.min(bytes.len())).unwrap_or(bytes);
    let said = Said::read(content_type);
    if head.starts_with(b"PK\x03\x04") {
        return archived(bytes, head, said);
    }
    if let Some(kind) = by_signature(head, said) {
        return kind;
    }
    let text: Vec<u8> = head.iter().copied().filter(|byte| *byte != 0).collect();
    let start = text_start(if is_binary(head) { &text } else { head });
    if said == Said::Csv {
        return BodyKind::Csv;
    }
    if said == Said::Mail || (said != Said::Html && looks_like_mail(head)) {
        return BodyKind::Mail;
    }
    if looks_like_page(&start) {
        return BodyKind::Html;
    }
    match said {
        Said::Html if start.contains('<') || start.trim().is_empty() => BodyKind::Html,
        Said::Markdown => BodyKind::Markdown,
        Said::Foreign => BodyKind::Other,
        Said::Html | Said::Text => BodyKind::Text,
        Said::Nothing | Said::Pdf | Said::Docx | Said::Csv | Said::Mail => {
            if looks_like_markdown(&start) {
                BodyKind::Markdown
            } else if start.contains("</") {
                BodyKind::Html
            } else {
                BodyKind::Text
            }
        }
    }
}

/// What a file's name says about its content; the bytes have the last word. The name of a packed file, `prices.csv.gz`,
/// is that of what is in it.
pub fn named(path: &Path) -> Option<&'static str> {
    let ending_of = |path: &Path| Some(path.extension()?.to_str()?.to_ascii_lowercase());
    let mut ending = ending_of(path)?;
    if ending == "gz" {
        ending = ending_of(&path.with_extension(""))?;
    }
    Some(match ending.as_str() {
        "html" | "htm" | "xhtml" | "mhtml" => "text/html",
        "md" | "markdown" => "text/markdown",
        "txt" | "text" | "rst" | "adoc" | "asciidoc" | "org" => "text/plain",
        "csv" => "text/csv",
        "tsv" | "tab" => "text/tab-separated-values",
        "pdf" => "application/pdf",
        "docx" => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "pptx" => "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "xlsx" => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "odt" => "application/vnd.oasis.opendocument.text",
        "ods" => "application/vnd.oasis.opendocument.spreadsheet",
        "odp" => "application/vnd.oasis.opendocument.presentation",
        "epub" => "application/epub+zip",
        "rtf" => "application/rtf",
        "eml" => "message/rfc822",
        "mbox" => "application/mbox",
        _ => return None,
    })
}

/// What a body that cannot be read seems to be, for the message.
pub(super) fn describe(bytes: &[u8], content_type: Option<&str>) -> String {
    let known = SIGNATURES.iter().find(|(signature, _)| bytes.starts_with(signature));
    match (known, content_type) {
        (Some((_, name)), _) => (*name).to_owned(),
        (None, Some(said)) => {
            format!("a body of type {}", probity_core::printable::brief(said, 60))
        }
        (None, None) => "binary data".to_owned(),
    }
}

/// What old Office documents begin with, and new ones that are locked.
const COMPOUND: &[u8] = b"\xd0\xcf\x11\xe0";

/// Whether bytes are an Office document behind a password: an old one that has only the new one in it, encrypted.
pub(super) fn is_locked_office(bytes: &[u8]) -> bool {
    let name: Vec<u8> = "EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes).collect();
    bytes.starts_with(COMPOUND) && bytes.windows(name.len()).any(|window| window == name)
}

/// What the header says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Said {
    Nothing,
    Html,
    Markdown,
    Text,
    Pdf,
    Docx,
    Csv,
    Mail,
    /// A type that holds no text for readers: style sheets, programs, data, pictures.
    Foreign,
}

impl Said {
    fn read(content_type: Option<&str>) -> Said {
        let essence = content_type.unwrap_or_default().split(';').next().unwrap_or_default();
        match essence.trim().to_ascii_lowercase().as_str() {
            "text/html" | "application/xhtml+xml" | "text/xhtml" => Said::Html,
            "text/markdown" | "text/x-markdown" => Said::Markdown,
            "application/pdf" | "application/x-pdf" => Said::Pdf,
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document" => Said::Docx,
            "text/csv" | "text/tab-separated-values" | "application/csv" => Said::Csv,
            "message/rfc822" | "application/mbox" => Said::Mail,
            "text/css"
            | "text/javascript"
            | "application/javascript"
            | "application/json"
            | "application/ld+json"
            | "application/rss+xml"
            | "application/atom+xml"
            | "application/zip"
            | "application/gzip" => Said::Foreign,
            other if other.starts_with("text/") => Said::Text,
            other
                if ["image/", "audio/", "video/", "font/"]
                    .iter()
                    .any(|family| other.starts_with(family)) =>
            {
                Said::Foreign
            }
            _ => Said::Nothing,
        }
    }
}

/// First bytes that settle the matter.
const SIGNATURES: &[(&[u8], &str)] = &[
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"RIFF", "a RIFF file (WebP, WAV or AVI)"),
    (b"BM", "a bitmap image"),
    (b"II*\0", "a TIFF image"),
    (b"MM\0*", "a TIFF image"),
    (b"\0\0\x01\0", "an icon"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ", "an xz archive"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"Rar!", "a RAR archive"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"ID3", "an MP3 file"),
    (b"OggS", "an Ogg file"),
    (b"\x1aE\xdf\xa3", "a Matroska or WebM video"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a program"),
    (b"\0asm", "a WebAssembly program"),
    (b"wOFF", "a font"),
    (b"wOF2", "a font"),
    (COMPOUND, "an old Office document (save it as DOCX, XLSX or PPTX)"),
    (b"SQLite format 3\0", "a database"),
];

fn by_signature(head: &[u8], said: Said) -> Option<BodyKind> {
    let reach = head.get(..PDF_REACH.min(head.len())).unwrap_or(head);
    if reach.windows(5).any(|window| window == b"%PDF-")
        && !head.trim_ascii_start().starts_with(b"<")
    {
        return Some(BodyKind::Pdf);
    }
    if head.starts_with(b"{\\rtf") {
        return Some(BodyKind::Rtf);
    }
    // Short signatures are letters too: they count only where the bytes are not text.
    let known = SIGNATURES.iter().any(|(signature, _)| head.starts_with(signature));
    let is_media = head.get(4..8) == Some(b"ftyp");
    let is_other = known || is_media || !is_marked_up(head, said);
    (head.starts_with(b"{\\rtf") || is_media || (is_binary(head) && is_other))
        .then_some(BodyKind::Other)
}

/// Whether bytes with some zeros among them are a page anyway: servers pad, and a page may put them
/// there to be taken for something else. Browsers read on.
fn is_marked_up(head: &[u8], said: Said) -> bool {
    let text: Vec<u8> = head.iter().copied().filter(|byte| *byte != 0).collect();
    let mostly_text = text.len().saturating_mul(2) >= head.len() && !is_binary(&text);
    let start = text_start(&text);
    mostly_text && (looks_like_page(&start) || (said == Said::Html && start.contains('<')))
}

/// The most names of an archive that are looked through.
const MAX_NAMES: usize = 20_000;

/// What a ZIP archive is, by the names of its parts; by its first bytes where it is cut off.
fn archived(bytes: &[u8], head: &[u8], said: Said) -> BodyKind {
    let by_name = |name: &str| match name {
        "word/document.xml" => Some(BodyKind::Docx),
        "xl/workbook.xml" => Some(BodyKind::Xlsx),
        "ppt/presentation.xml" => Some(BodyKind::Pptx),
        "META-INF/container.xml" => Some(BodyKind::Epub),
        "content.xml" => Some(BodyKind::Odf),
        _ => None,
    };
    if let Ok(archive) = zip::ZipArchive::new(std::io::Cursor::new(bytes)) {
        return archive
            .file_names()
            .take(MAX_NAMES)
            .flatten()
            .find_map(|name| by_name(&name))
            .unwrap_or(BodyKind::Other);
    }
    if said == Said::Docx || contains(head, b"word/") {
        BodyKind::Docx
    } else if contains(head, b"mimetypeapplication/epub+zip") {
        BodyKind::Epub
    } else if contains(head, b"mimetypeapplication/vnd.oasis.opendocument") {
        BodyKind::Odf
    } else if contains(head, b"[Content_Types].xml") {
        BodyKind::Docx
    } else {
        BodyKind::Other
    }
}

fn contains(haystack: &[u8], needle: &[u8]) -> bool {
    haystack.windows(needle.len()).any(|window| window == needle)
}

/// Whether the bytes are no text in any encoding: zero bytes or many control characters.
fn is_binary(head: &[u8]) -> bool {
    if head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff") {
        return false;
    }
    let zeros = head.iter().filter(|byte| **byte == 0).count();
    let controls =
        head.iter().filter(|byte| **byte < 0x20 && !matches!(byte, 9 | 10 | 12 | 13 | 27)).count();
    let is_wide = zeros * 3 >= head.len() && controls - zeros < 4 && head.contains(&b'<');
    !is_wide && (zeros > 0 || controls * 20 > head.len())
}

/// The first characters as lower-case text, without mark, comments and white space before them.
fn text_start(head: &[u8]) -> String {
    let (text, _) = super::decode::decode(head, None);
    let text = text.to_ascii_lowercase();
    let mut start = text.trim_start_matches('\u{feff}').trim_start();
    while let Some(comment) = start.strip_prefix("<!--") {
        start = comment.split_once("-->").map_or("", |(_, rest)| rest).trim_start();
    }
    start.to_owned()
}

/// Beginnings that only pages have.
fn looks_like_page(start: &str) -> bool {
    const BEGINNINGS: &[&str] = &[
        "<!doctype html",
        "<html",
        "<head",
        "<body",
        "<script",
        "<style",
        "<title",
        "<meta",
        "<link",
        "<table",
        "<div",
        "<article",
        "<main",
        "<section",
        "<iframe",
        "<center",
        "<font",
        "<h1",
        "<p>",
        "<p ",
        "<br",
    ];
    let declared =
        start.starts_with("<?xml") && (start.contains("<html") || start.contains("<!doctype html"));
    declared || BEGINNINGS.iter().any(|beginning| start.starts_with(beginning))
}

/// Headers that only messages have, from the first line to the first blank one. A mailbox has a
/// line before them.
fn looks_like_mail(head: &[u8]) -> bool {
    const NEEDED: &[&str] = &["from:", "received:", "message-id:", "return-path:"];
    const BESIDE: &[&str] = &["date:", "subject:", "to:", "message-id:", "mime-version:"];
    let text = String::from_utf8_lossy(head).to_ascii_lowercase();
    let mut lines = text.lines().peekable();
    lines.next_if(|line| line.starts_with("from "));
    let headers: Vec<&str> = lines.take_while(|line| !line.trim().is_empty()).collect();
    let is_header = |line: &&str| {
        let name = line.split_once(':').map(|(name, _)| name);
        let goes_on = line.starts_with([' ', '\t']);
        goes_on
            || name.is_some_and(|name| {
                !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
            })
    };
    let has = |names: &[&str]| {
        headers.iter().filter(|line| names.iter().any(|name| line.starts_with(name))).count()
    };
    // The last line may be cut where the bytes that are looked at end.
    let whole = headers.len().saturating_sub(usize::from(head.len() >= SNIFF_BYTES));
    headers.iter().take(whole).all(is_header) && has(NEEDED) >= 1 && has(BESIDE) >= 2
}

/// Front matter, headings, fences and links as Markdown writes them.
fn looks_like_markdown(start: &str) -> bool {
    start.starts_with("---\n")
        || start.starts_with("---\r\n")
        || start.starts_with("# ")
        || start.lines().any(|line| {
            line.starts_with("## ") || line.starts_with("```") || line.starts_with("# ")
        })
        || start.contains("](http")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_distinguished_from_notes_that_begin_like_one() {
        let mail = b"Received: from a\n\tby b; Tue\nFrom: a@a.example\nTo: b@b.example\nSubject: x\n\nText";
        assert_eq!(sniff(mail, None), BodyKind::Mail);
        assert_eq!(
            sniff(&[b"From a@a.example Tue Mar 3\n", mail.as_slice()].concat(), None),
            BodyKind::Mail
        );
        assert_eq!(sniff(b"x", Some("message/rfc822")), BodyKind::Mail);
        for note in [
            "From: the harbour, with love\n\nSubject: none",
            "From here on:\nTo: do\nDate: later\n",
            "Subject: biology\nDate: today\nTo: the point\n\ntext",
        ] {
            assert_eq!(sniff(note.as_bytes(), Some("text/plain")), BodyKind::Text, "{note}");
        }
    }

    #[test]
    fn bytes_win_over_the_header() {
        assert_eq!(sniff(b"%PDF-1.4\n", Some("text/html")), BodyKind::Pdf);
        assert_eq!(sniff(b"\n\n%PDF-1.4\n", None), BodyKind::Pdf);
        assert_eq!(sniff(b"<!DOCTYPE HTML><title>x", Some("application/pdf")), BodyKind::Html);
        assert_eq!(sniff(b"  <!-- c --><html>", Some("text/plain")), BodyKind::Html);
        assert_eq!(sniff(b"\x89PNG\r\n\x1a\n\0\0\0", Some("text/html")), BodyKind::Other);
        assert_eq!(sniff(b"MZ\x90\0\x03\0\0\0", Some("text/html")), BodyKind::Other);
        assert_eq!(sniff(b"\x1f\x8b\x08\0\0\0\0\0", Some("text/html")), BodyKind::Other);
        assert_eq!(sniff(b"PK\x03\x04....word/document.xml", Some("text/html")), BodyKind::Docx);
        assert_eq!(sniff(b"PK\x03\x04....a.txt", None), BodyKind::Other);
    }

    #[test]
    fn zero_bytes_do_not_make_a_page_something_else() {
        assert_eq!(sniff(b"<!DOCTYPE html>\0<p>Text\0 here", Some("text/html")), BodyKind::Html);
        assert_eq!(sniff(b"\0\0\0\0<html><body>Text", None), BodyKind::Html);
        assert_eq!(sniff(b"Text <b>he\0re</b>", Some("text/html")), BodyKind::Html);
        assert_eq!(sniff(b"MZ\x90\0\x03<html>\0\0\0", Some("text/html")), BodyKind::Other);
        assert_eq!(sniff(b"\0\x01\x02\x03\x04\x05<p>\x06\x07", Some("text/html")), BodyKind::Other);
    }

    #[test]
    fn the_header_decides_where_bytes_do_not() {
        assert_eq!(sniff(b"Hello, world.", Some("text/html")), BodyKind::Text);
        assert_eq!(
            sniff(b"Hello, <b>world</b>.", Some("text/html; charset=utf-8")),
            BodyKind::Html
        );
        assert_eq!(sniff(b"Hello", Some("text/markdown")), BodyKind::Markdown);
        assert_eq!(sniff(b"# Hello", Some("text/plain")), BodyKind::Text);
        assert_eq!(sniff(b"{\"a\": 1}", Some("application/json")), BodyKind::Other);
        assert_eq!(sniff(b"body { margin: 0 }", Some("text/css")), BodyKind::Other);
    }

    #[test]
    fn without_a_header_the_text_tells() {
        assert_eq!(sniff(b"---\nurl: x\n---\nText", None), BodyKind::Markdown);
        assert_eq!(sniff(b"A title\n\nSome words.", None), BodyKind::Text);
        assert_eq!(sniff(b"MZ is a code of two letters.", None), BodyKind::Text);
        assert_eq!(sniff(b"Text with <em>some</em> tags", None), BodyKind::Html);
        assert_eq!(sniff("\u{feff}<html>".as_bytes(), None), BodyKind::Html);
        let wide: Vec<u8> = "<html><body>Hallo".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(sniff(&wide, None), BodyKind::Html);
        assert_eq!(sniff(b"", None), BodyKind::Text);
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_have_a_kind(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..600)) {
            let _ = sniff(&bytes, Some("text/html"));
            let _ = describe(&bytes, None);
        }
    }
}
