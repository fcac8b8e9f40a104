//! Bombs stop, honest bodies come whole, and no bytes do harm.

use probity_testkit::bad_web::bombs;
use proptest::prelude::*;

use super::*;

const LIMIT: u64 = 1024 * 1024;

fn decode(encoding: &str, pieces: &[&[u8]]) -> Result<Vec<u8>, DecodeError> {
    let mut decoder = Decoder::new([encoding].into_iter(), LIMIT)?;
    for piece in pieces {
        decoder.push(piece)?;
        while decoder.step()? {}
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
    decoder.push(&bombs::gzip(2 * LIMIT).unwrap()).unwrap();
    while matches!(decoder.step(), Ok(true)) {}
    assert_eq!(decoder.cut().len() as u64, LIMIT);
}

#[test]
fn no_step_makes_more_than_a_piece() {
    for (encoding, bomb) in [
        ("gzip", bombs::gzip(8 * LIMIT).unwrap()),
        ("br", bombs::brotli(8 * LIMIT).unwrap()),
        ("gzip, gzip", bombs::nested_gzip(8 * LIMIT, 2).unwrap()),
    ] {
        let mut decoder = Decoder::new([encoding].into_iter(), LIMIT).unwrap();
        decoder.push(&bomb).unwrap();
        let mut before = 0;
        while matches!(decoder.step(), Ok(true)) {
            assert!(decoder.plain().len() - before <= PIECE_BYTES, "{encoding}");
            before = decoder.plain().len();
        }
    }
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
        assert!(matches!(decode(encoding, &[half]), Err(DecodeError::Corrupt(_))), "{encoding}");
    }
    for encoding in ["gzip", "deflate", "br"] {
        let plain = b"<!doctype html><p>not packed at all</p>";
        assert!(matches!(decode(encoding, &[plain]), Err(DecodeError::Corrupt(_))), "{encoding}");
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
