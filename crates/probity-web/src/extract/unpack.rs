//! A document that was packed by itself: `report.html.gz`.

use std::io::Read as _;

use flate2::read::MultiGzDecoder;
use probity_core::limits::BODY_BYTES;

use super::ExtractError;

/// The document inside, if the bytes are a gzip file. One that is packed twice is not looked into.
///
/// # Errors
/// When it unpacks to more than is read.
pub(crate) fn unpacked(bytes: &[u8]) -> Result<Option<Vec<u8>>, ExtractError> {
    if !bytes.starts_with(b"\x1f\x8b\x08") {
        return Ok(None);
    }
    let mut inside = Vec::new();
    // What is broken further on was read up to there.
    let _ = MultiGzDecoder::new(bytes).take(BODY_BYTES.saturating_add(1)).read_to_end(&mut inside);
    if inside.len() as u64 > BODY_BYTES {
        return Err(ExtractError::TooLarge { bytes: inside.len(), max: BODY_BYTES });
    }
    Ok(Some(inside).filter(|inside| !inside.is_empty()))
}
