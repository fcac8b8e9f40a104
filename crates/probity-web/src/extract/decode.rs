//! Bytes → text, by byte order mark, header, declaration in the document, or detection.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// How far into a document its own declaration is looked for. The standard says 1,024 bytes;
/// pages with long heads say it later.
const DECLARATION_BYTES: usize = 8 * 1024;
/// How many bytes the detector looks at.
const DETECTION_BYTES: usize = 256 * 1024;

/// Decodes text whatever its encoding; bytes that fit none become replacement characters.
///
/// A byte order mark wins, then valid UTF-8 that is not plain ASCII (no other encoding looks like
/// it by chance), then the header, then what the document declares, then detection. Returns the
/// text and the name of the encoding that was used.
///
/// ```
/// use probity_web::extract::decode;
///
/// assert_eq!(decode(b"caf\xe9", Some("iso-8859-1")).0, "café");
/// assert_eq!(decode("café".as_bytes(), Some("iso-8859-1")).0, "café");
/// ```
pub fn decode(bytes: &[u8], header_charset: Option<&str>) -> (String, String) {
    let encoding = choose(bytes, header_charset);
    let (text, used, _) = encoding.decode(bytes);
    (text.into_owned(), used.name().to_ascii_lowercase())
}

fn choose(bytes: &[u8], header_charset: Option<&str>) -> &'static Encoding {
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        return encoding;
    }
    if let Some(encoding) = wide_without_mark(bytes) {
        return encoding;
    }
    if std::str::from_utf8(bytes).is_ok() {
        return UTF_8;
    }
    let said = header_charset
        .and_then(|label| Encoding::for_label(label.trim().as_bytes()))
        .or_else(|| declared(bytes));
    match said {
        // What is said to be UTF-8 and mostly is has a few broken bytes.
        Some(encoding) if encoding == UTF_8 => {
            if is_mostly_utf8(bytes) {
                UTF_8
            } else {
                detect(bytes)
            }
        }
        // A declaration that could be read was not in a wide encoding, whatever it says.
        Some(encoding) if encoding == UTF_16LE || encoding == UTF_16BE => detect(bytes),
        Some(encoding) => {
            if encoding == WINDOWS_1252 && is_mostly_utf8(bytes) {
                UTF_8
            } else {
                encoding
            }
        }
        None => {
            if is_mostly_utf8(bytes) {
                UTF_8
            } else {
                detect(bytes)
            }
        }
    }
}

/// UTF-16 without a mark shows in the zero bytes of its markup.
fn wide_without_mark(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = bytes.get(..256.min(bytes.len()))?;
    let zeros = |offset: usize| head.iter().skip(offset).step_by(2).filter(|b| **b == 0).count();
    let half = head.len() / 2;
    if half < 16 {
        return None;
    }
    let (even, odd) = (zeros(0), zeros(1));
    if odd * 10 >= half * 7 && even * 10 < half {
        Some(UTF_16LE)
    } else if even * 10 >= half * 7 && odd * 10 < half {
        Some(UTF_16BE)
    } else {
        None
    }
}

/// Whether nearly all bytes beyond ASCII form valid UTF-8: a cut or a foreign snippet spoils a few.
fn is_mostly_utf8(bytes: &[u8]) -> bool {
    let (mut valid, mut broken) = (0_usize, 0_usize);
    for chunk in bytes.utf8_chunks() {
        valid = valid.saturating_add(chunk.valid().bytes().filter(|b| !b.is_ascii()).count());
        broken = broken.saturating_add(chunk.invalid().len());
    }
    valid > 0 && broken.saturating_mul(20) < valid
}

fn detect(bytes: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    let sample = bytes.get(..DETECTION_BYTES.min(bytes.len())).unwrap_or(bytes);
    detector.feed(sample, true);
    detector.guess(None, Utf8Detection::Allow)
}

/// The encoding that a `<meta>` tag or an XML declaration names.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = bytes.get(..DECLARATION_BYTES.min(bytes.len()))?.to_ascii_lowercase();
    let mut rest: &[u8] = &head;
    for needle in [b"charset".as_slice(), b"encoding".as_slice()] {
        rest = &head;
        while let Some(at) = find(rest, needle) {
            rest = rest.get(at.saturating_add(needle.len())..)?;
            if let Some(encoding) = label(rest) {
                return Some(encoding);
            }
        }
    }
    let _ = rest;
    None
}

/// The label after `charset`: an equals sign, perhaps quotes, a name.
fn label(rest: &[u8]) -> Option<&'static Encoding> {
    let rest = rest.trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let rest = rest.strip_prefix(b"\"").or_else(|| rest.strip_prefix(b"'")).unwrap_or(rest);
    let end = rest
        .iter()
        .position(|b| !(b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b':' | b'.')))
        .unwrap_or(rest.len());
    Encoding::for_label(rest.get(..end)?)
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|window| window == needle)
}
