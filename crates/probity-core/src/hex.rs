//! Bytes as hexadecimal digits.

/// The digits of bytes, in lower case: how digests are written.
///
/// ```
/// assert_eq!(probity_core::hex(&[0, 171, 9]), "00ab09");
/// ```
pub fn hex<'a>(bytes: impl IntoIterator<Item = &'a u8>) -> String {
    let nibbles = bytes.into_iter().flat_map(|byte| [byte >> 4, byte & 15]);
    nibbles.filter_map(|nibble| char::from_digit(nibble.into(), 16)).collect()
}
