//! Texts within texts: percent escapes and base64, each undone exactly once.

use base64::Engine;
use base64::alphabet::URL_SAFE;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

/// Web-safe base64 as services write it: padded or not, with any bits at the end.
const WEB_SAFE: GeneralPurpose = GeneralPurpose::new(
    &URL_SAFE,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// Decodes base64 in either alphabet.
pub(super) fn base64(text: &str) -> Option<Vec<u8>> {
    let web_safe: String = text
        .chars()
        .map(|c| match c {
            '+' => '-',
            '/' => '_',
            c => c,
        })
        .collect();
    WEB_SAFE.decode(web_safe).ok()
}

/// Undoes percent escapes once. What is no escape stays; bytes that are no UTF-8 stay escaped,
/// because they belong to an address in an older encoding.
pub(super) fn percent_decode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let escape = after.split_at_checked(2).filter(|_| first == b'%');
        let decoded = escape.and_then(|(hex, after)| Some((hex_byte(hex)?, after)));
        let (byte, after) = decoded.unwrap_or((first, after));
        bytes.push(byte);
        rest = after;
    }
    let mut decoded = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        decoded.push_str(chunk.valid());
        for byte in chunk.invalid() {
            decoded.push_str(&format!("%{byte:02X}"));
        }
    }
    decoded
}

fn hex_byte(hex: &[u8]) -> Option<u8> {
    // `from_str_radix` would take a sign.
    if !hex.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_undone_once() {
        for (given, expected) in [
            ("https%3A%2F%2fx", "https://x"),
            ("%252F", "%2F"),
            ("100%", "100%"),
            ("%zz%4", "%zz%4"),
            ("%+1", "%+1"),
            ("caf%C3%A9 caf%E9", "café caf%E9"),
            ("é%", "é%"),
        ] {
            assert_eq!(percent_decode(given), expected);
        }
    }

    #[test]
    fn base64_is_read_padded_or_not_in_either_alphabet() {
        for text in ["_-8", "_-8=", "/+8=", "/+8"] {
            assert_eq!(base64(text).as_deref(), Some(&[0xff, 0xef][..]), "{text}");
        }
        assert_eq!(base64("a"), None);
        assert_eq!(base64("é"), None);
    }
}
