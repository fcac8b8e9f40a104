//! zlib and raw deflate, both of which HTTP calls `deflate`.

use std::io;

use flate2::{Decompress, FlushDecompress, Status};

use super::Run;

/// A deflate stream, with zlib's wrapper or without: servers send either under the same name.
#[derive(Default)]
pub(super) struct Inflate {
    /// The first byte, until the second tells the wrapper.
    first: Option<u8>,
    stream: Option<Stream>,
}

/// A stream whose kind is known.
pub(super) struct Stream {
    engine: Decompress,
    pub(super) ended: bool,
}

impl Inflate {
    pub(super) fn run(&mut self, input: &[u8], output: &mut [u8]) -> io::Result<Run> {
        if let Some(stream) = &mut self.stream {
            let run = stream.run(input, output)?;
            return Ok(if stream.ended { ignore_rest(run, input) } else { run });
        }
        let mut input = input.iter().copied();
        let (first, read) = match self.first {
            Some(first) => (first, 0),
            None => (input.next().unwrap_or_default(), 1),
        };
        self.first = Some(first);
        let Some(second) = input.next() else { return Ok(Run { read, made: 0, more: false }) };
        let sum = u16::from(first) * 256 + u16::from(second);
        let mut stream = Stream::new(first & 0x0f == 8 && sum.is_multiple_of(31));
        let run = stream.run(&[first, second], output)?;
        if run.read < 2 && !stream.ended {
            return Err(io::Error::other("it cannot be read on"));
        }
        self.stream = Some(stream);
        Ok(Run { read: read + 1, ..run })
    }

    pub(super) fn ended(&self) -> bool {
        self.stream.as_ref().is_some_and(|stream| stream.ended)
    }
}

impl Stream {
    pub(super) fn new(is_zlib: bool) -> Self {
        Self { engine: Decompress::new(is_zlib), ended: false }
    }

    pub(super) fn run(&mut self, input: &[u8], output: &mut [u8]) -> io::Result<Run> {
        if self.ended {
            return Ok(Run { read: 0, made: 0, more: false });
        }
        let (was_in, was_out) = (self.engine.total_in(), self.engine.total_out());
        let status = self.engine.decompress(input, output, FlushDecompress::None)?;
        let read = usize::try_from(self.engine.total_in() - was_in).unwrap_or(0);
        let made = usize::try_from(self.engine.total_out() - was_out).unwrap_or(0);
        self.ended = status == Status::StreamEnd;
        // A full piece may mean that more is waiting to come out.
        Ok(Run { read, made, more: !self.ended && made == output.len() })
    }
}

/// What follows the end of a stream is ignored, as browsers do.
pub(super) fn ignore_rest(run: Run, input: &[u8]) -> Run {
    Run { read: input.len(), more: false, ..run }
}
