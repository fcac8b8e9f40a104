//! Extraction off the async threads: a thread of its own, a deep stack, a deadline.
//!
//! A document that is given up, by its deadline or by its caller, is stopped; until its reader
//! has, it keeps its place, so that hostile documents cannot pile up threads.

use std::sync::LazyLock;
use std::thread;
use std::time::Duration;

use bytes::Bytes;
use probity_core::WebUrl;
use tokio::sync::{Semaphore, oneshot};

use super::{BodyKind, ExtractError, Extracted, Input, Stop, extract_until, sniff};

/// How long one document may take.
pub const EXTRACT_TIME: Duration = Duration::from_secs(10);
/// The stack of a thread that reads a document: the readers of PDF recurse.
pub const STACK_BYTES: usize = 16 * 1024 * 1024;
/// The most documents that are read at once.
const MAX_PARALLEL: usize = 16;

/// The most documents that are read at once of those that may take much memory.
const MAX_LARGE: usize = 2;
/// From this size on a document takes memory worth counting, whatever it is.
const LARGE_BYTES: usize = 2 * 1024 * 1024;

static LARGE: Semaphore = Semaphore::const_new(MAX_LARGE);
static PLACES: LazyLock<Semaphore> = LazyLock::new(|| Semaphore::new(places()));

/// How many documents are read at once on this machine. A caller that asks for more at a time lets
/// its deadlines run while they wait.
#[must_use]
pub fn places() -> usize {
    let cores = thread::available_parallelism().map_or(2, std::num::NonZero::get);
    cores.saturating_mul(2).clamp(2, MAX_PARALLEL)
}

/// As `extract`, on a thread of its own and within `time`, waiting for a place included.
///
/// # Errors
/// As `extract`, and when the reader crashed, the deadline passed, or too many are being read.
pub async fn extract_in_time(
    bytes: Bytes,
    content_type: Option<String>,
    url: Option<WebUrl>,
    time: Duration,
) -> Result<Extracted, ExtractError> {
    let late = || ExtractError::TimedOut(time.as_secs());
    let caller = Caller(Stop::default());
    let stop = caller.0.clone();
    let reading = async {
        let large = match is_large(&bytes) {
            true => Some(LARGE.acquire().await.map_err(|_| ExtractError::Busy)?),
            false => None,
        };
        let place = PLACES.acquire().await.map_err(|_| ExtractError::Busy)?;
        let (sender, receiver) = oneshot::channel();
        let work = move || {
            let input =
                Input { bytes: &bytes, content_type: content_type.as_deref(), url: url.as_ref() };
            let result = extract_until(input, &stop);
            drop((place, large));
            // After the deadline no caller waits any more.
            let _ = sender.send(result);
        };
        thread::Builder::new()
            .name("extract".to_owned())
            .stack_size(STACK_BYTES)
            .spawn(work)
            .map_err(|_| ExtractError::Busy)?;
        receiver.await.map_err(|_| late())?
    };
    tokio::time::timeout(time, reading).await.map_err(|_| late())?
}

/// Whether a document may take much memory: it is long, or packed.
fn is_large(bytes: &[u8]) -> bool {
    bytes.len() > LARGE_BYTES
        || !matches!(sniff(bytes, None), BodyKind::Html | BodyKind::Markdown | BodyKind::Text)
}

/// The caller that waits for a document. When it leaves, the reader stops.
struct Caller(Stop);

impl Drop for Caller {
    fn drop(&mut self) {
        self.0.set();
    }
}
