//! A response's body → plain bytes, within a size limit and a share of memory.

use std::sync::Arc;

use reqwest::header::CONTENT_ENCODING;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::decode::{DecodeError, Decoder};
use super::limits::{LARGE_BODIES, SMALL_BODY_BYTES};

/// Why a body could not be had.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BodyError {
    /// It is larger than the limit.
    #[error("the body is larger than {0} bytes")]
    TooLarge(u64),
    /// It is compressed in a way that is broken or not understood.
    #[error(transparent)]
    Encoding(DecodeError),
    /// The connection broke while it came.
    #[error("the connection broke off in the body: {0}")]
    Broken(String),
    /// The first bytes were enough to see that it is not needed.
    #[error("the body is not of a kind that is read")]
    Unwanted,
}

impl From<DecodeError> for BodyError {
    fn from(error: DecodeError) -> Self {
        match error {
            DecodeError::TooLarge(limit) => Self::TooLarge(limit),
            other => Self::Encoding(other),
        }
    }
}

/// The memory that bodies share: many small ones, few large ones.
#[derive(Debug, Clone)]
pub(crate) struct BodyMemory(Arc<Semaphore>);

impl Default for BodyMemory {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(LARGE_BODIES)))
    }
}

/// A body that came whole. Its share of memory is returned when this is dropped.
#[derive(Debug, Default)]
pub(crate) struct Body {
    /// The plain bytes.
    pub(crate) bytes: Vec<u8>,
    /// The place of a large body.
    place: Option<OwnedSemaphorePermit>,
}

impl Body {
    /// The bytes, and what must be held for as long as they are.
    pub(crate) fn into_parts(self) -> (Vec<u8>, Option<OwnedSemaphorePermit>) {
        (self.bytes, self.place)
    }
}

impl From<Vec<u8>> for Body {
    fn from(bytes: Vec<u8>) -> Self {
        Self { bytes, place: None }
    }
}

/// Says by the first bytes of a body whether the rest is wanted.
pub(crate) type Wanted<'a> = dyn Fn(&[u8]) -> bool + Sync + 'a;

/// How a body is to be read.
pub(crate) struct ReadOptions<'a> {
    /// The most plain bytes, and the most bytes on the wire.
    pub(crate) limit: u64,
    /// The shared memory, for bodies that may be large.
    pub(crate) memory: Option<&'a BodyMemory>,
    /// Looks at the first bytes and says whether the rest is wanted.
    pub(crate) wanted: Option<&'a Wanted<'a>>,
    /// Whether a body over the limit is cut there instead of refused.
    pub(crate) cut: bool,
}

/// How many plain bytes are there before the body's kind is judged.
const SNIFF_BYTES: usize = 1024;

/// Reads a body to its end. The caller sets the deadline around this.
pub(crate) async fn read(
    mut response: reqwest::Response,
    how: &ReadOptions<'_>,
) -> Result<Body, BodyError> {
    if !how.cut && response.content_length().is_some_and(|length| length > how.limit) {
        return Err(BodyError::TooLarge(how.limit));
    }
    let encodings: Vec<String> = response
        .headers()
        .get_all(CONTENT_ENCODING)
        .iter()
        .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
        .collect();
    let decoder = Decoder::new(encodings.iter().map(String::as_str), how.limit)?;
    let mut reader = Reader { decoder, place: None, judged: how.wanted.is_none() };
    while let Some(chunk) = response.chunk().await.map_err(broken)? {
        match reader.take(&chunk, how).await {
            Err(BodyError::TooLarge(_)) if how.cut => {
                return Ok(Body { bytes: reader.decoder.cut(), place: reader.place });
            }
            taken => taken?,
        }
    }
    let Reader { decoder, place, judged } = reader;
    let bytes = decoder.finish()?;
    if !judged && !bytes.is_empty() {
        judge(&bytes, how)?;
    }
    Ok(Body { bytes, place })
}

/// A body on its way in.
struct Reader {
    decoder: Decoder,
    place: Option<OwnedSemaphorePermit>,
    judged: bool,
}

impl Reader {
    async fn take(&mut self, chunk: &[u8], how: &ReadOptions<'_>) -> Result<(), BodyError> {
        self.decoder.push(chunk)?;
        self.look(how).await?;
        while self.decoder.step()? {
            self.look(how).await?;
        }
        Ok(())
    }

    /// Looks at what there is after each piece: is it wanted, and is there room for more?
    async fn look(&mut self, how: &ReadOptions<'_>) -> Result<(), BodyError> {
        let plain = self.decoder.plain();
        if !self.judged && plain.len() >= SNIFF_BYTES {
            judge(plain, how)?;
            self.judged = true;
        }
        if self.place.is_none()
            && plain.len() as u64 > SMALL_BODY_BYTES
            && let Some(memory) = how.memory
        {
            // The semaphore is never closed, so this waits and does not fail.
            self.place = Arc::clone(&memory.0).acquire_owned().await.ok();
            self.decoder.make_room();
        }
        // Decoding is work: let others have their turn between the pieces.
        tokio::task::coop::consume_budget().await;
        Ok(())
    }
}

fn judge(first: &[u8], how: &ReadOptions<'_>) -> Result<(), BodyError> {
    match how.wanted {
        Some(wanted) if !wanted(first) => Err(BodyError::Unwanted),
        _ => Ok(()),
    }
}

fn broken(error: reqwest::Error) -> BodyError {
    BodyError::Broken(super::failure::in_words(&error.without_url()))
}
