//! What is tried with made-up inputs, one function for each kind of text that strangers write.
//!
//! The tests beside this file try each with inputs made by rule, and the targets in `fuzz` of the tree with inputs that
//! a fuzzer finds. Nothing may panic, hang or take much memory.

use std::sync::LazyLock;

use probity_core::{Timestamp, WebUrl};
use probity_credibility::feed::FeedItem;
use probity_credibility::outlet::{OutletRules, Resolver};
use probity_research::Journal;
use probity_research::journal::Entry;
use probity_web::extract::{Input, extract};

/// As many pieces of a text as the reader takes at once.
const PIECES: usize = 256;
/// When feeds are read, in milliseconds.
const READ_AT: Timestamp = Timestamp(1_780_000_000_000);

static RESOLVER: LazyLock<Resolver> =
    LazyLock::new(|| Resolver::new(&OutletRules::default()).unwrap());
static FEED: LazyLock<WebUrl> =
    LazyLock::new(|| WebUrl::parse("https://gazette.example/feed").unwrap());
static PAGE: LazyLock<WebUrl> =
    LazyLock::new(|| WebUrl::parse("https://town.example.org/2026/05/page").unwrap());
static SCHEMA: LazyLock<serde_json::Value> = LazyLock::new(|| {
    serde_json::json!({"type": "object", "properties": {
        "queries": {"type": "array", "items": {"type": "string"}}, "score": {"type": "integer"}}})
});

fn as_text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Canonical forms, and what is wrapped in addresses of others.
pub(crate) fn addresses(bytes: &[u8]) {
    let text = as_text(bytes);
    if let Ok(url) = WebUrl::parse(&text) {
        let canonical = url.canonical();
        let again =
            WebUrl::parse(canonical.as_str()).map(|url| url.canonical().as_str().to_owned());
        assert_eq!(again.as_deref(), Ok(canonical.as_str()), "{text:?} has two canonical forms");
        let _ = (RESOLVER.resolve(&url), RESOLVER.outlet_of(&url));
        let _ = url.join("../x?y");
    }
    let _ = RESOLVER.resolve_text(&text);
}

fn read_as(bytes: &[u8], content_type: &str) {
    let found = extract(Input { bytes, content_type: Some(content_type), url: Some(&PAGE) });
    if let Ok(found) = found {
        let text = &found.document.text;
        let headings = &found.document.headings;
        assert!(headings.iter().all(|heading| text.is_char_boundary(heading.start)));
        assert!(found.document.page_starts.iter().all(|start| text.is_char_boundary(*start)));
    }
}

/// Pages.
pub(crate) fn html(bytes: &[u8]) {
    read_as(bytes, "text/html");
}

/// Markdown of others.
pub(crate) fn markdown(bytes: &[u8]) {
    read_as(bytes, "text/markdown");
}

/// Text without any form.
pub(crate) fn plain_text(bytes: &[u8]) {
    read_as(bytes, "text/plain");
}

/// PDF files.
pub(crate) fn pdf(bytes: &[u8]) {
    read_as(bytes, "application/pdf");
}

/// What comes in a ZIP file: DOCX, XLSX, EPUB, ODT.
pub(crate) fn office(bytes: &[u8]) {
    read_as(bytes, "application/octet-stream");
}

/// Rich text.
pub(crate) fn rtf(bytes: &[u8]) {
    read_as(bytes, "application/rtf");
}

/// Tables as text.
pub(crate) fn csv(bytes: &[u8]) {
    read_as(bytes, "text/csv");
}

/// Mails, one and many.
pub(crate) fn mail(bytes: &[u8]) {
    read_as(bytes, "message/rfc822");
}

/// Feeds and their items.
pub(crate) fn feeds(bytes: &[u8]) {
    let _ = probity_news::feed::read(bytes, Some(&FEED), READ_AT);
    if let Ok(item) = FeedItem::parse(&as_text(bytes), Some(&FEED)) {
        let _ = RESOLVER.resolve_item(&item);
    }
}

/// Lists of feeds.
pub(crate) fn opml(bytes: &[u8]) {
    let _ = probity_news::opml::read(bytes);
}

/// Answers of models.
pub(crate) fn answers(bytes: &[u8]) {
    let text = as_text(bytes);
    let _ = probity_model::json::candidates(&text);
    let _ = probity_model::json::without_thoughts(&text);
    let _ = probity_model::lines::read(&text, &SCHEMA);
    let _ = probity_model::untrusted::quarantine(&text);
    assert!(!probity_model::untrusted::escape(&text).contains(['<', '>']));
}

/// Reports as they are saved and exported.
pub(crate) fn saved_reports(bytes: &[u8]) {
    let _ = probity_report::restore(&as_text(bytes));
}

/// Reports in our Markdown.
pub(crate) fn our_markdown(bytes: &[u8]) {
    let _ = probity_report::parse::parse(&as_text(bytes));
}

/// Journals as they are exported.
pub(crate) fn journals(bytes: &[u8]) {
    if let Ok(entries) = serde_json::from_slice::<Vec<Entry>>(bytes) {
        let _ = Journal::replaying("r", entries);
    }
}

/// Files of weights for the reader.
pub(crate) fn weights(bytes: &[u8]) {
    let _ = probity_reader::Reader::from_bytes(bytes.to_vec().into());
}

/// Sentences, passages, words and pieces of any text.
pub(crate) fn texts(bytes: &[u8]) {
    let text = as_text(bytes);
    for range in probity_text::sentences::sentences(&text) {
        assert!(text.get(range.clone()).is_some(), "{range:?}");
    }
    let headings = probity_text::passages::marked_headings(&text);
    for passage in probity_text::passages::passages("title", &text, &headings) {
        assert!(text.get(passage.range.clone()).is_some());
    }
    let _ = probity_text::words::words(&text).count();
    for piece in probity_text::embed::WordPiece::embedded().pieces(&text, PIECES) {
        assert!(text.get(piece.place.clone()).is_some(), "{:?}", piece.place);
    }
}
