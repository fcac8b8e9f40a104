//! brotli, with windows of at most 16 MB: larger ones are for files, not for pages.

use std::io;

use brotli_decompressor::{BrotliDecompressStream, BrotliResult, BrotliState, StandardAlloc};

use super::Run;
use super::inflate::ignore_rest;

/// A brotli stream.
pub(super) struct Brotli {
    state: BrotliState<StandardAlloc, StandardAlloc, StandardAlloc>,
    made: usize,
    ended: bool,
}

impl Default for Brotli {
    fn default() -> Self {
        let (a, b, c) = <(StandardAlloc, StandardAlloc, StandardAlloc)>::default();
        Self { state: BrotliState::new_strict(a, b, c), made: 0, ended: false }
    }
}

impl Brotli {
    pub(super) fn run(&mut self, input: &[u8], output: &mut [u8]) -> io::Result<Run> {
        if self.ended {
            return Ok(ignore_rest(Run { read: 0, made: 0, more: false }, input));
        }
        let (mut left, mut read) = (input.len(), 0);
        let (mut room, mut made) = (output.len(), 0);
        let result = BrotliDecompressStream(
            &mut left,
            &mut read,
            input,
            &mut room,
            &mut made,
            output,
            &mut self.made,
            &mut self.state,
        );
        let run = Run { read, made, more: matches!(result, BrotliResult::NeedsMoreOutput) };
        match result {
            BrotliResult::ResultFailure => {
                Err(io::Error::new(io::ErrorKind::InvalidData, "it is not brotli"))
            }
            BrotliResult::ResultSuccess => {
                self.ended = true;
                Ok(ignore_rest(run, input))
            }
            BrotliResult::NeedsMoreInput | BrotliResult::NeedsMoreOutput => Ok(run),
        }
    }

    pub(super) fn ended(&self) -> bool {
        self.ended
    }
}
