//! What pages of results made for people have in common.

use html5gum::StartTag;

/// The most results read of one page; they show about ten.
pub(super) const BLOCKS: usize = 200;
/// The longest title or snippet gathered, in bytes; cleaning cuts further.
const FIELD_BYTES: usize = 16 * 1024;

/// The value of an attribute, or the empty text.
pub(super) fn attribute(tag: &StartTag<()>, name: &[u8]) -> String {
    tag.attributes
        .get(name)
        .map(|value| String::from_utf8_lossy(value.as_ref()).trim().to_owned())
        .unwrap_or_default()
}

/// Adds to a text of a result, as markup: it is cleaned as such later, and what is decoded already must survive that.
pub(super) fn append(field: &mut String, bytes: &[u8]) {
    if field.len() + bytes.len() <= FIELD_BYTES {
        let text = String::from_utf8_lossy(bytes).replace('&', "&amp;").replace('<', "&lt;");
        field.push_str(&text);
    }
}
