//! Compressed bytes → plain bytes, piece by piece, and never past the limit.
//!
//! Each layer of compression counts what goes into it, so neither a bomb nor a bomb of empty
//! blocks inside another can make more work than the limit allows, whatever its ratio.

use std::fmt;
use std::io::{self, Write};

use brotli_decompressor::DecompressorWriter;
use flate2::write::GzDecoder;
use flate2::{Decompress, FlushDecompress, Status};

use super::limits::ENCODING_LAYERS;

/// How many bytes a layer hands on at a time.
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
    #[error("the body is encoded as `{0}`, which was not asked for")]
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
    outermost: Box<Layer>,
    limit: u64,
    started: bool,
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
        let mut layer = Box::new(Layer { left: limit, step: Step::Keep(Vec::new()) });
        for name in names {
            let step = match name.as_str() {
                "gzip" | "x-gzip" => Step::Gzip(Box::new(GzDecoder::new(layer))),
                "deflate" => Step::Undecided(layer, Vec::new()),
                "br" => Step::Brotli(Box::new(DecompressorWriter::new(layer, PIECE_BYTES))),
                _ => return Err(DecodeError::Unknown(name.chars().take(32).collect())),
            };
            layer = Box::new(Layer { left: limit, step });
        }
        Ok(Self { outermost: layer, limit, started: false })
    }

    /// Takes the next bytes as they came over the wire.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Result<(), DecodeError> {
        self.started |= !bytes.is_empty();
        self.outermost.push(bytes).map_err(|error| named(&error, self.limit))
    }

    /// How many plain bytes there are so far.
    pub(crate) fn decoded(&self) -> u64 {
        self.limit.saturating_sub(self.outermost.innermost_left())
    }

    /// The plain bytes so far: enough to tell what the body is before all of it has come.
    pub(crate) fn peek(&self) -> &[u8] {
        self.outermost.kept()
    }

    /// The plain bytes, once all have come.
    pub(crate) fn finish(self) -> Result<Vec<u8>, DecodeError> {
        if !self.started {
            return Ok(Vec::new());
        }
        self.outermost.finish().map_err(|error| named(&error, self.limit))
    }
}

fn named(error: &io::Error, limit: u64) -> DecodeError {
    match error.get_ref() {
        Some(inner) if inner.is::<OverLimit>() => DecodeError::TooLarge(limit),
        _ => DecodeError::Corrupt(error.to_string()),
    }
}

#[derive(Debug)]
struct OverLimit;

impl fmt::Display for OverLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("over the limit")
    }
}

impl std::error::Error for OverLimit {}

/// One step of decoding and how much more may go into it.
struct Layer {
    left: u64,
    step: Step,
}

enum Step {
    /// Plain bytes, kept.
    Keep(Vec<u8>),
    Gzip(Box<GzDecoder<Box<Layer>>>),
    /// `deflate` before its first two bytes have told zlib from raw.
    Undecided(Box<Layer>, Vec<u8>),
    Inflate(Box<Inflate>),
    Brotli(Box<DecompressorWriter<Box<Layer>>>),
    /// The stream has ended; what follows it is ignored, as browsers do.
    Ended(Box<Layer>),
    /// Only while one step turns into another.
    Moving,
}

impl Layer {
    fn push(&mut self, bytes: &[u8]) -> io::Result<()> {
        let room = usize::try_from(self.left).unwrap_or(usize::MAX).min(bytes.len());
        let (mut rest, over) = bytes.split_at_checked(room).unwrap_or((bytes, &[]));
        self.left = self.left.saturating_sub(rest.len() as u64);
        while !rest.is_empty() {
            let taken = self.step.take(rest)?;
            rest = rest.get(taken..).unwrap_or_default();
        }
        if over.is_empty() { Ok(()) } else { Err(io::Error::other(OverLimit)) }
    }

    fn finish(self) -> io::Result<Vec<u8>> {
        match self.step {
            Step::Keep(bytes) => Ok(bytes),
            Step::Gzip(decoder) => decoder.finish()?.finish(),
            Step::Undecided(..) => Err(ends_early()),
            Step::Inflate(inflate) => inflate.finish()?.finish(),
            Step::Brotli(decoder) => decoder.into_inner().map_err(|_| ends_early())?.finish(),
            Step::Ended(next) => next.finish(),
            Step::Moving => Err(io::Error::other("decoding was broken off")),
        }
    }

    fn next(&self) -> Option<&Layer> {
        match &self.step {
            Step::Keep(_) | Step::Moving => None,
            Step::Gzip(decoder) => Some(decoder.get_ref()),
            Step::Undecided(next, _) | Step::Ended(next) => Some(next),
            Step::Inflate(inflate) => Some(&inflate.next),
            Step::Brotli(decoder) => Some(decoder.get_ref()),
        }
    }

    fn innermost_left(&self) -> u64 {
        self.next().map_or(self.left, Layer::innermost_left)
    }

    fn kept(&self) -> &[u8] {
        match (&self.step, self.next()) {
            (Step::Keep(bytes), _) => bytes,
            (_, Some(next)) => next.kept(),
            (_, None) => &[],
        }
    }
}

impl Step {
    /// Takes some of the bytes, at least one, and says how many.
    fn take(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = match self {
            Step::Keep(kept) => {
                kept.extend_from_slice(bytes);
                bytes.len()
            }
            Step::Gzip(decoder) => decoder.write(bytes)?,
            Step::Undecided(..) => return self.decide(bytes),
            Step::Inflate(inflate) => inflate.take(bytes)?,
            Step::Brotli(decoder) => decoder.write(bytes)?,
            Step::Ended(_) | Step::Moving => bytes.len(),
        };
        if taken == 0 { self.end(bytes) } else { Ok(taken) }
    }

    /// Collects two bytes and tells zlib's wrapper from a raw stream: servers send either.
    fn decide(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Step::Undecided(next, mut head) = std::mem::replace(self, Step::Moving) else {
            return Ok(bytes.len());
        };
        let taken = bytes.len().min(2usize.saturating_sub(head.len()));
        head.extend_from_slice(bytes.get(..taken).unwrap_or_default());
        *self = match head.as_slice() {
            [cmf, flags] => {
                let is_zlib =
                    cmf & 0x0f == 8 && (u16::from(*cmf) * 256 + u16::from(*flags)) % 31 == 0;
                let mut step = Step::Inflate(Box::new(Inflate::new(is_zlib, next)));
                let mut rest = head.as_slice();
                while !rest.is_empty() {
                    let used = step.take(rest)?;
                    rest = rest.get(used..).unwrap_or_default();
                }
                step
            }
            _ => Step::Undecided(next, head),
        };
        Ok(taken)
    }

    /// The decoder takes no more: another gzip member begins, or padding to be ignored.
    fn end(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let next = match std::mem::replace(self, Step::Moving) {
            Step::Gzip(decoder) => {
                let next = decoder.finish()?;
                if bytes.first() == Some(&0x1f) {
                    *self = Step::Gzip(Box::new(GzDecoder::new(next)));
                    return Ok(0);
                }
                next
            }
            Step::Inflate(inflate) => inflate.finish()?,
            Step::Brotli(decoder) => decoder
                .into_inner()
                .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "invalid brotli data"))?,
            Step::Keep(_) | Step::Undecided(..) | Step::Ended(_) | Step::Moving => {
                return Err(io::Error::other("decoding was broken off"));
            }
        };
        *self = Step::Ended(next);
        Ok(bytes.len())
    }
}

/// zlib or raw deflate. Unlike the library's writers it knows whether the stream came to its end.
struct Inflate {
    engine: Decompress,
    next: Box<Layer>,
    ended: bool,
}

impl Inflate {
    fn new(is_zlib: bool, next: Box<Layer>) -> Self {
        Self { engine: Decompress::new(is_zlib), next, ended: false }
    }

    /// Takes what it can, none once the stream has ended.
    fn take(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut piece = vec![0; PIECE_BYTES];
        let mut taken = 0;
        while !self.ended {
            let (was_in, was_out) = (self.engine.total_in(), self.engine.total_out());
            let rest = bytes.get(taken..).unwrap_or_default();
            let status = self.engine.decompress(rest, &mut piece, FlushDecompress::None)?;
            let read = usize::try_from(self.engine.total_in() - was_in).unwrap_or(usize::MAX);
            let made = usize::try_from(self.engine.total_out() - was_out).unwrap_or(usize::MAX);
            taken = taken.saturating_add(read);
            self.next.push(piece.get(..made).unwrap_or_default())?;
            self.ended = status == Status::StreamEnd;
            // A full piece may mean that more is waiting to come out.
            if made < piece.len() && (taken >= bytes.len() || read == 0) {
                break;
            }
        }
        Ok(taken)
    }

    fn finish(self) -> io::Result<Box<Layer>> {
        if self.ended { Ok(self.next) } else { Err(ends_early()) }
    }
}

fn ends_early() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "it ends early")
}

impl Write for Layer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.push(bytes).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use probity_testkit::bad_web::bombs;
    use proptest::prelude::*;

    use super::*;

    const LIMIT: u64 = 1024 * 1024;

    fn decode(encoding: &str, pieces: &[&[u8]]) -> Result<Vec<u8>, DecodeError> {
        let mut decoder = Decoder::new([encoding].into_iter(), LIMIT)?;
        for piece in pieces {
            decoder.push(piece)?;
        }
        decoder.finish()
    }

    /// A text in every encoding that is understood.
    fn packed(text: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
        let gzip = bombs::pack(text).unwrap();
        vec![
            ("", text.to_vec()),
            ("identity", text.to_vec()),
            ("X-GZip", gzip.clone()),
            ("deflate", bombs::pack_deflate(text, true).unwrap()),
            ("deflate", bombs::pack_deflate(text, false).unwrap()),
            ("br", bombs::pack_brotli(text).unwrap()),
            ("gzip, br", bombs::pack_brotli(&gzip).unwrap()),
            ("deflate,gzip", bombs::pack(&bombs::pack_deflate(text, false).unwrap()).unwrap()),
        ]
    }

    #[test]
    fn bombs_stop_at_the_limit() {
        let huge = 8 * LIMIT;
        for (encoding, bomb) in [
            ("gzip", bombs::gzip(huge).unwrap()),
            ("deflate", bombs::deflate(huge).unwrap()),
            ("deflate", bombs::raw_deflate(huge).unwrap()),
            ("br", bombs::brotli(huge).unwrap()),
            ("gzip, gzip", bombs::nested_gzip(huge, 2).unwrap()),
            ("gzip, gzip", bombs::hollow_gzip(1_000_000).unwrap()),
        ] {
            assert_eq!(decode(encoding, &[&bomb]), Err(DecodeError::TooLarge(LIMIT)), "{encoding}");
        }
    }

    #[test]
    fn exactly_the_limit_is_allowed_and_one_more_is_not() {
        for (extra, fits) in [(0, true), (1, false)] {
            let text = vec![b'x'; LIMIT as usize + extra];
            for (encoding, bytes) in packed(&text) {
                assert_eq!(decode(encoding, &[&bytes]).is_ok(), fits, "{encoding} {extra}");
            }
        }
    }

    #[test]
    fn what_was_cut_off_is_still_there_up_to_the_limit() {
        let mut decoder = Decoder::new(["gzip"].into_iter(), LIMIT).unwrap();
        assert!(decoder.push(&bombs::gzip(2 * LIMIT).unwrap()).is_err());
        assert_eq!(decoder.peek().len() as u64, LIMIT);
        assert_eq!(decoder.decoded(), LIMIT);
    }

    #[test]
    fn more_layers_than_two_and_unknown_ones_are_refused() {
        assert_eq!(decode("gzip, gzip, gzip", &[]), Err(DecodeError::Nested));
        assert_eq!(decode("identity, gzip, br", &[]), Ok(Vec::new()));
        for unknown in ["zstd", "compress", "gzip;q=1", "aws-chunked"] {
            assert!(matches!(decode(unknown, &[]), Err(DecodeError::Unknown(_))), "{unknown}");
        }
    }

    #[test]
    fn a_stream_that_ends_early_or_is_none_is_broken() {
        let text = b"a text that is long enough to be cut somewhere in its middle".repeat(20);
        for (encoding, bytes) in packed(&text).into_iter().skip(2) {
            let half = &bytes[..bytes.len() / 2];
            assert!(
                matches!(decode(encoding, &[half]), Err(DecodeError::Corrupt(_))),
                "{encoding}"
            );
        }
        for encoding in ["gzip", "deflate", "br"] {
            let plain = b"<!doctype html><p>not packed at all</p>";
            assert!(
                matches!(decode(encoding, &[plain]), Err(DecodeError::Corrupt(_))),
                "{encoding}"
            );
        }
    }

    #[test]
    fn an_empty_body_is_empty_whatever_its_encoding() {
        for encoding in ["gzip", "deflate", "br", "gzip, br"] {
            assert_eq!(decode(encoding, &[]), Ok(Vec::new()));
            assert_eq!(decode(encoding, &[b""]), Ok(Vec::new()));
        }
    }

    proptest! {
        #[test]
        fn how_a_body_is_cut_into_pieces_makes_no_difference(
            text in proptest::collection::vec(any::<u8>(), 0..2000),
            cuts in proptest::collection::vec(any::<prop::sample::Index>(), 0..6),
        ) {
            for (encoding, bytes) in packed(&text) {
                let mut places: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
                places.sort_unstable();
                let mut pieces = Vec::new();
                let mut rest = bytes.as_slice();
                for place in places.into_iter().rev() {
                    let (head, tail) = rest.split_at(place);
                    pieces.insert(0, tail);
                    rest = head;
                }
                pieces.insert(0, rest);
                prop_assert_eq!(decode(encoding, &pieces), Ok(text.clone()), "{}", encoding);
            }
        }

        #[test]
        fn no_bytes_make_decoding_panic_or_run_away(
            bytes in proptest::collection::vec(any::<u8>(), 0..400),
            encoding in "(gzip|deflate|br|, ){1,4}",
        ) {
            if let Ok(plain) = decode(&encoding, &[&bytes]) {
                prop_assert!(plain.len() as u64 <= LIMIT);
            }
        }
    }
}
