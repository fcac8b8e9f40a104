//! Every bound on untrusted input, in one place.
//!
//! A limit that a user may change lives in the configuration, with its default here.

use std::time::Duration;

/// The longest URL that is parsed.
pub const URL_BYTES: usize = 32 * 1024;
/// The shortest question, in characters after trimming.
pub const QUESTION_MIN_CHARS: usize = 3;
/// The longest question, in characters after trimming.
pub const QUESTION_MAX_CHARS: usize = 2_000;
/// How often an address may point on to another before unwrapping gives up.
pub const UNWRAP_HOPS: usize = 5;
/// The longest line of JSON that `--stdin` and pair files accept.
pub const JSON_LINE_BYTES: usize = 1024 * 1024;
/// The longest note on a coding, in characters.
pub const NOTE_CHARS: usize = 2_000;
/// The longest name of a person, code or outlet, in characters.
pub const NAME_CHARS: usize = 200;

/// The largest page, after decompression.
pub const BODY_BYTES: u64 = 20 * 1024 * 1024;
/// How many redirects are followed.
pub const REDIRECTS: usize = 5;
/// How long one page may take in all.
pub const FETCH_TIME: Duration = Duration::from_secs(30);
