//! Small bodies that are large when unpacked.

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};

/// How many bytes are packed at a time.
static PIECE: [u8; 64 * 1024] = [b' '; 64 * 1024];

/// Spaces, packed with gzip.
///
/// # Errors
/// Never in practice: packing into memory does not fail.
pub fn gzip(unpacked: u64) -> io::Result<Vec<u8>> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    fill(&mut packer, unpacked)?;
    packer.finish()
}

/// Spaces, packed as zlib does, which HTTP calls deflate.
///
/// # Errors
/// As [`gzip`].
pub fn deflate(unpacked: u64) -> io::Result<Vec<u8>> {
    let mut packer = ZlibEncoder::new(Vec::new(), Compression::best());
    fill(&mut packer, unpacked)?;
    packer.finish()
}

/// Spaces, packed as deflate without zlib's wrapper, which some servers send.
///
/// # Errors
/// As [`gzip`].
pub fn raw_deflate(unpacked: u64) -> io::Result<Vec<u8>> {
    let mut packer = DeflateEncoder::new(Vec::new(), Compression::best());
    fill(&mut packer, unpacked)?;
    packer.finish()
}

/// Spaces, packed with brotli.
///
/// # Errors
/// As [`gzip`].
pub fn brotli(unpacked: u64) -> io::Result<Vec<u8>> {
    let mut packed = Vec::new();
    let mut packer = brotli::CompressorWriter::new(&mut packed, 64 * 1024, 5, 22);
    fill(&mut packer, unpacked)?;
    packer.flush()?;
    drop(packer);
    Ok(packed)
}

/// A gzip bomb packed with gzip again, and so on: tiny on the wire.
///
/// # Errors
/// As [`gzip`].
pub fn nested_gzip(unpacked: u64, layers: usize) -> io::Result<Vec<u8>> {
    let mut packed = gzip(unpacked)?;
    for _ in 1..layers {
        packed = pack(&packed)?;
    }
    Ok(packed)
}

/// A stream that unpacks to a huge stream of empty blocks, which unpacks to nothing at all: no
/// limit on the final size alone can stop it.
///
/// # Errors
/// As [`gzip`].
pub fn hollow_gzip(blocks: usize) -> io::Result<Vec<u8>> {
    // The head of a gzip member, then stored deflate blocks of no length, none of them the last.
    let mut inner = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
    for _ in 0..blocks {
        inner.extend_from_slice(&[0, 0, 0, 0xff, 0xff]);
    }
    pack(&inner)
}

/// Packs bytes with gzip.
///
/// # Errors
/// As [`gzip`].
pub fn pack(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    packer.write_all(bytes)?;
    packer.finish()
}

fn fill(packer: &mut impl Write, unpacked: u64) -> io::Result<()> {
    let mut left = unpacked;
    while left > 0 {
        let piece = usize::try_from(left).unwrap_or(usize::MAX).min(PIECE.len());
        packer.write_all(PIECE.get(..piece).unwrap_or_default())?;
        left -= piece as u64;
    }
    Ok(())
}

/// Packs bytes as deflate, with zlib's wrapper or without.
///
/// # Errors
/// As [`gzip`].
pub fn pack_deflate(bytes: &[u8], wrapped: bool) -> io::Result<Vec<u8>> {
    if wrapped {
        let mut packer = ZlibEncoder::new(Vec::new(), Compression::best());
        packer.write_all(bytes)?;
        return packer.finish();
    }
    let mut packer = DeflateEncoder::new(Vec::new(), Compression::best());
    packer.write_all(bytes)?;
    packer.finish()
}

/// Packs bytes with brotli.
///
/// # Errors
/// As [`gzip`].
pub fn pack_brotli(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut packed = Vec::new();
    let mut packer = brotli::CompressorWriter::new(&mut packed, 4096, 5, 22);
    packer.write_all(bytes)?;
    packer.flush()?;
    drop(packer);
    Ok(packed)
}
