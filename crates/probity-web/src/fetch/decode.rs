//! Compressed bytes → plain bytes, a piece at a time, and never past the limit.
//!
//! ```text
//! push(bytes from the wire) → step() until there is nothing to do → … → finish()
//! ```
//!
//! Each step makes at most one small piece, so the caller decides after every piece whether to go
//! on: no input, whatever its ratio, does more work or takes more memory than was meant. Each layer
//! of compression counts what goes into it, so a bomb of empty blocks inside another stops as well.

mod brotli;
mod gzip;
mod inflate;

use std::io;

use super::limits::ENCODING_LAYERS;
use brotli::Brotli;
use gzip::Gzip;
use inflate::Inflate;

/// How many bytes one step makes at most.
const PIECE_BYTES: usize = 32 * 1024;
/// What requests say we understand.
pub(crate) const ACCEPT_ENCODING: &str = "gzip, br, deflate";

/// Why a body could not be decoded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum DecodeError {
    /// It is larger than the limit, compressed or not.
    #[error("the body is larger than {0} bytes")]
    TooLarge(u64),
    /// It is compressed in a way that was not asked for.
    #[error("the body is encoded as `{0}`, which was not requested")]
    Unknown(String),
    /// It is compressed over and over.
    #[error("the body is compressed more than {ENCODING_LAYERS} times over")]
    Nested,
    /// The compressed data is broken or ends early.
    #[error("the compressed body is broken: {0}")]
    Corrupt(String),
}

/// Decodes one body.
pub(crate) struct Decoder {
    /// The layers of compression, outermost first.
    layers: Vec<Layer>,
    plain: Vec<u8>,
    limit: u64,
}

/// One layer of compression and what waits to go through it.
struct Layer {
    engine: Engine,
    waiting: Vec<u8>,
    /// How much of `waiting` has gone through.
    done: usize,
    /// How many bytes ever came in.
    came: u64,
    /// Whether more may come out without anything going in.
    more: bool,
}

enum Engine {
    Gzip(Box<Gzip>),
    Inflate(Box<Inflate>),
    Brotli(Box<Brotli>),
}

/// What one run of an engine did.
struct Run {
    read: usize,
    made: usize,
    /// Whether more may come out without anything going in.
    more: bool,
}

impl Decoder {
    /// A decoder for the given `Content-Encoding` values, outermost encoding last as sent.
    pub(crate) fn new<'a>(
        encodings: impl Iterator<Item = &'a str>,
        limit: u64,
    ) -> Result<Self, DecodeError> {
        let names: Vec<String> = encodings
            .flat_map(|value| value.split(','))
            .map(|name| name.trim().to_ascii_lowercase())
            .filter(|name| !name.is_empty() && name != "identity")
            .take(ENCODING_LAYERS + 1)
            .collect();
        if names.len() > ENCODING_LAYERS {
            return Err(DecodeError::Nested);
        }
        let layers: Result<Vec<Layer>, DecodeError> =
            names.iter().rev().map(|name| Engine::named(name).map(Layer::new)).collect();
        Ok(Self { layers: layers?, plain: Vec::new(), limit })
    }

    /// Takes the next bytes as they came over the wire; [`Decoder::step`] then does the work.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Result<(), DecodeError> {
        self.deliver(0, bytes)
    }

    /// Does one piece of work; false when there is none left until more bytes come.
    pub(crate) fn step(&mut self) -> Result<bool, DecodeError> {
        // The innermost layer first, so that nothing piles up between the layers.
        let busy = |layer: &Layer| layer.more || layer.done < layer.waiting.len();
        let Some(at) = self.layers.iter().rposition(busy) else { return Ok(false) };
        let mut piece = vec![0; PIECE_BYTES];
        let made = match self.layers.get_mut(at) {
            Some(layer) => {
                layer.run(&mut piece).map_err(|e| DecodeError::Corrupt(e.to_string()))?
            }
            None => 0,
        };
        self.deliver(at + 1, piece.get(..made).unwrap_or_default())?;
        Ok(true)
    }

    /// Hands bytes to a layer, or keeps them as plain ones where there is no such layer.
    fn deliver(&mut self, to: usize, bytes: &[u8]) -> Result<(), DecodeError> {
        let came = match self.layers.get(to) {
            Some(layer) => layer.came,
            None => self.plain.len() as u64,
        };
        let room = usize::try_from(self.limit.saturating_sub(came)).unwrap_or(usize::MAX);
        let (fits, over) = bytes.split_at_checked(room).unwrap_or((bytes, &[]));
        match self.layers.get_mut(to) {
            Some(layer) => layer.wait(fits),
            None => self.plain.extend_from_slice(fits),
        }
        if over.is_empty() { Ok(()) } else { Err(DecodeError::TooLarge(self.limit)) }
    }

    /// The plain bytes so far: enough to tell what the body is before all of it has come.
    pub(crate) fn plain(&self) -> &[u8] {
        &self.plain
    }

    /// Makes room for a body as large as the limit at once. Growing step by step would for a while
    /// take twice the memory; room that is never written to takes none.
    pub(crate) fn make_room(&mut self) {
        let limit = usize::try_from(self.limit).unwrap_or(usize::MAX);
        self.plain.reserve_exact(limit.saturating_sub(self.plain.len()));
    }

    /// The plain bytes so far, as they are.
    pub(crate) fn cut(self) -> Vec<u8> {
        self.plain
    }

    /// The plain bytes, once all have come and all work is done.
    pub(crate) fn finish(self) -> Result<Vec<u8>, DecodeError> {
        // An empty body is empty in every encoding.
        let whole = |layer: &Layer| layer.came == 0 || layer.engine.ended();
        if self.layers.iter().all(whole) {
            Ok(self.plain)
        } else {
            Err(DecodeError::Corrupt("it ends early".to_owned()))
        }
    }
}

impl Layer {
    fn new(engine: Engine) -> Self {
        Self { engine, waiting: Vec::new(), done: 0, came: 0, more: false }
    }

    fn wait(&mut self, bytes: &[u8]) {
        if self.done == self.waiting.len() {
            self.waiting.clear();
            self.done = 0;
        }
        self.waiting.extend_from_slice(bytes);
        self.came += bytes.len() as u64;
    }

    /// Runs the engine once; how many bytes it made.
    fn run(&mut self, piece: &mut [u8]) -> io::Result<usize> {
        let input = self.waiting.get(self.done..).unwrap_or_default();
        let run = match &mut self.engine {
            Engine::Gzip(gzip) => gzip.run(input, piece)?,
            Engine::Inflate(inflate) => inflate.run(input, piece)?,
            Engine::Brotli(brotli) => brotli.run(input, piece)?,
        };
        // An engine that does nothing would do so for ever.
        if run.read == 0 && run.made == 0 && !input.is_empty() {
            return Err(io::Error::other("it cannot be read on"));
        }
        self.done += run.read;
        self.more = run.more && (run.read > 0 || run.made > 0);
        Ok(run.made)
    }
}

impl Engine {
    fn named(name: &str) -> Result<Self, DecodeError> {
        match name {
            "gzip" | "x-gzip" => Ok(Self::Gzip(Box::default())),
            "deflate" => Ok(Self::Inflate(Box::default())),
            "br" => Ok(Self::Brotli(Box::default())),
            _ => Err(DecodeError::Unknown(name.chars().take(32).collect())),
        }
    }

    /// Whether the stream has come to its proper end.
    fn ended(&self) -> bool {
        match self {
            Self::Gzip(gzip) => gzip.ended(),
            Self::Inflate(inflate) => inflate.ended(),
            Self::Brotli(brotli) => brotli.ended(),
        }
    }
}

#[cfg(test)]
mod tests;
