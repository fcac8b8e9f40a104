//! How long a stream of a PDF is once it is unpacked, found without unpacking it into memory.

use flate2::{Decompress, FlushDecompress, Status};

/// How much is unpacked at a time while measuring.
const PIECE: usize = 32 * 1024;
/// Deflate makes at most this much of a byte.
const MAX_DEFLATE_RATIO: u64 = 1_032;
/// Run lengths make at most 128 bytes of two.
const MAX_RUN_RATIO: u64 = 64;
/// An LZW code has at least nine bits and stands for at most as many bytes as the table has entries.
const MAX_LZW_RATIO: u64 = 4_096;

/// Whether a stage of a stream's filters gives at most `limit` bytes.
pub(super) fn fits(filter: &str, data: &[u8], limit: u64) -> bool {
    let length = data.len() as u64;
    let within = |ratio: u64| length.saturating_mul(ratio) <= limit;
    match filter {
        "FlateDecode" | "Fl" => within(MAX_DEFLATE_RATIO) || inflates_within(data, limit),
        "LZWDecode" | "LZW" => within(MAX_LZW_RATIO) || lzw_within(data, limit),
        "RunLengthDecode" | "RL" => within(MAX_RUN_RATIO) || runs_within(data, limit),
        "ASCIIHexDecode" | "AHx" | "ASCII85Decode" | "A85" | "Crypt" => {
            within(4) || length <= limit
        }
        // Pictures hold no text, so their filters are not run at all.
        _ => false,
    }
}

/// The reader skips white space before the data, and takes what has no zlib header for bare
/// deflate; where one framing gives nothing it tries the other.
fn inflates_within(data: &[u8], limit: u64) -> bool {
    let start = data.iter().position(|byte| !byte.is_ascii_whitespace() && *byte != 0);
    let trimmed = start.and_then(|start| data.get(start..)).filter(|rest| rest.len() < data.len());
    let fits = |data: &[u8]| {
        let framed = inflated(data, true, limit);
        framed <= limit && (framed > 0 || inflated(data, false, limit) <= limit)
    };
    fits(data) && trimmed.is_none_or(fits)
}

/// The unpacked length, or the first one beyond the limit.
fn inflated(data: &[u8], header: bool, limit: u64) -> u64 {
    let mut inflater = Decompress::new(header);
    let mut piece = vec![0; PIECE];
    loop {
        let (read, written) = (inflater.total_in(), inflater.total_out());
        let rest = usize::try_from(read).ok().and_then(|at| data.get(at..)).unwrap_or_default();
        let status = inflater.decompress(rest, &mut piece, FlushDecompress::None);
        let stuck = inflater.total_in() == read && inflater.total_out() == written;
        if inflater.total_out() > limit || stuck || !matches!(status, Ok(Status::Ok)) {
            return inflater.total_out();
        }
    }
}

/// As the codes of LZW are read, with the lengths of what they stand for in place of it. Where
/// writers differ on when codes grow, both readings are measured.
fn lzw_within(data: &[u8], limit: u64) -> bool {
    [0, 1].into_iter().all(|early| lzw_length(data, early, limit) <= limit)
}

fn lzw_length(data: &[u8], early: usize, limit: u64) -> u64 {
    const CLEAR: usize = 256;
    const END: usize = 257;
    const TABLE: usize = 4_096;
    let mut lengths: Vec<u64> = vec![1; 258];
    let (mut total, mut width, mut before) = (0_u64, 9_usize, None::<u64>);
    let (mut bits, mut held) = (0_u32, 0_usize);
    for byte in data {
        bits = (bits << 8) | u32::from(*byte);
        held = held.saturating_add(8);
        if held < width {
            continue;
        }
        held = held.saturating_sub(width);
        let code = usize::try_from(bits >> held).unwrap_or_default();
        bits &= (1_u32 << held).saturating_sub(1);
        match code {
            CLEAR => {
                lengths.truncate(258);
                (width, before) = (9, None);
                continue;
            }
            END => break,
            _ => {}
        }
        let grown = before.map(|length| length.saturating_add(1));
        let Some(length) = lengths.get(code).copied().or(grown) else { break };
        total = total.saturating_add(length);
        if total > limit {
            break;
        }
        if let Some(grown) = grown
            && lengths.len() < TABLE
        {
            lengths.push(grown);
        }
        before = Some(length);
        width = match lengths.len().saturating_add(early) {
            0..512 => 9,
            512..1024 => 10,
            1024..2048 => 11,
            _ => 12,
        };
    }
    total
}

fn runs_within(data: &[u8], limit: u64) -> bool {
    let (mut at, mut total) = (0_usize, 0_u64);
    while let Some(length) = data.get(at) {
        let (step, count) = match length {
            128 => break,
            0..128 => {
                (usize::from(*length).saturating_add(2), u64::from(*length).saturating_add(1))
            }
            129.. => (2, 257_u64.saturating_sub(u64::from(*length))),
        };
        at = at.saturating_add(step);
        total = total.saturating_add(count);
        if total > limit {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn deflated(bytes: &[u8]) -> Vec<u8> {
        let mut encoder =
            flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn a_stream_fits_exactly_up_to_its_length() {
        let packed = deflated(&vec![b' '; 3_000_000]);
        assert!(fits("FlateDecode", &packed, 3_000_000));
        assert!(!fits("FlateDecode", &packed, 2_999_999));
        assert!(!fits("FlateDecode", &[b"\n".as_slice(), &packed].concat(), 2_999_999));
        let raw = packed.get(2..).unwrap();
        assert!(!fits("FlateDecode", raw, 2_999_999));
        assert!(fits("FlateDecode", b"no deflate at all", 20_000));
    }

    #[test]
    fn runs_are_counted_without_writing_them() {
        let runs = [[129_u8, b'x']; 100].concat();
        assert!(fits("RunLengthDecode", &runs, 12_800));
        assert!(!fits("RunLengthDecode", &runs, 12_799));
    }

    #[test]
    fn lzw_is_as_long_as_the_reader_makes_it() {
        // The example of the PDF standard: "-----A---B".
        let codes = [0x80, 0x0B, 0x60, 0x50, 0x22, 0x0C, 0x0C, 0x85, 0x01];
        assert_eq!(lzw_length(&codes, 1, 1_000), 10);
        assert_eq!(pdfboss_core::filters::lzw::decode(&codes, None).unwrap().len(), 10);
        assert!(!fits("LZWDecode", &codes, 9));
    }

    #[test]
    fn filters_of_pictures_are_not_run() {
        assert!(!fits("JBIG2Decode", b"x", 1_000_000));
        assert!(!fits("CCITTFaxDecode", b"x", 1_000_000));
    }
}
