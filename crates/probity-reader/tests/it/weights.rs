//! Weights files that are not what they should be: an error, never a panic.

use std::borrow::Cow;

use probity_reader::{Passage, Reader, ReaderError, Stop};
use proptest::prelude::*;
use serde_json::{Value, json};

static WEIGHTS: &[u8] = include_bytes!("../../assets/reader.safetensors");

fn load(bytes: Vec<u8>) -> Result<Reader, ReaderError> {
    Reader::from_bytes(Cow::Owned(bytes))
}

/// The file with its header changed; the numbers stay as they are.
fn with_header(change: impl FnOnce(&mut serde_json::Map<String, Value>)) -> Vec<u8> {
    let length = usize::try_from(u64::from_le_bytes(*WEIGHTS.first_chunk().unwrap())).unwrap();
    let (header, data) = WEIGHTS[8..].split_at(length);
    let mut header: serde_json::Map<String, Value> = serde_json::from_slice(header).unwrap();
    change(&mut header);
    let header = serde_json::to_vec(&header).unwrap();
    [&(header.len() as u64).to_le_bytes()[..], &header, data].concat()
}

fn says(result: Result<Reader, ReaderError>, what: &str) {
    let error = result.err().expect("these weights must be refused").to_string();
    assert!(error.contains(what), "{error}");
}

#[test]
fn a_file_reads_as_the_embedded_reader_does() {
    let path = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(path.path(), WEIGHTS).unwrap();
    let (ours, theirs) = (Reader::embedded().unwrap(), Reader::from_file(path.path()).unwrap());
    assert_eq!(ours.name(), theirs.name());
    let passage = [Passage { lead: "", text: "The kiln holds 40 pots.", sentences: &[] }];
    let read = |reader: &Reader| {
        reader.answers("How many pots does the kiln hold?", &passage, &Stop::never()).unwrap()
    };
    assert_eq!(read(ours), read(&theirs));
}

#[test]
fn a_missing_file_is_named() {
    let path = std::path::Path::new("no-such-weights.safetensors");
    says(Reader::from_file(path), "no-such-weights.safetensors");
}

#[test]
fn fewer_layers_are_another_reader() {
    let shorter =
        load(with_header(|header| header.retain(|name, _| !name.starts_with("layers.5."))));
    assert!(shorter.unwrap().name().starts_with("reader-5x384-"));
}

#[test]
fn a_header_that_lies_is_refused() {
    let set =
        |name: &str, field: &str, value: Value| with_header(|header| header[name][field] = value);
    says(load(set("layers.2.a.weight", "shape", json!([384, 1536]))), "layers.2.a.weight");
    says(load(set("word.weight", "shape", json!([u64::MAX, 384]))), "word.weight");
    says(load(set("qa.bias", "dtype", json!("I8"))), "qa.bias");
    says(load(set("head.weight", "data_offsets", json!([0, 5]))), "head.weight");
    says(load(set("head.weight", "data_offsets", json!([9, 3]))), "head.weight");
    let far = u64::MAX - 147_456;
    says(load(set("head.weight", "data_offsets", json!([far, u64::MAX]))), "head.weight");
    says(load(set("__metadata__", "format", json!("something else"))), "something else");
    says(load(with_header(|header| drop(header.remove("__metadata__")))), "format");
    says(load(with_header(|header| drop(header.remove("layers.3.n1.bias")))), "layers.3.n1.bias");
    let more = |name: &str| {
        let name = name.to_owned();
        with_header(move |header| drop(header.insert(name, header["qa.bias"].clone())))
    };
    says(load(more("layers.18446744073709551615.q.bias")), "layers");
    says(load(more("layers.900.q.bias")), "901 layers");
    says(load(more("adapter.weight")), "adapter.weight");
}

#[test]
fn what_is_no_number_is_refused() {
    let length = usize::try_from(u64::from_le_bytes(*WEIGHTS.first_chunk().unwrap())).unwrap();
    let header: Value = serde_json::from_slice(&WEIGHTS[8..8 + length]).unwrap();
    for name in ["word.weight.scale", "layers.0.q.weight.scale", "n.bias"] {
        let at = header[name]["data_offsets"][0].as_u64().unwrap() as usize + 8 + length;
        for number in [f32::NAN, f32::INFINITY] {
            let mut bytes = WEIGHTS.to_vec();
            bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
            says(load(bytes), name);
        }
    }
}

#[test]
fn a_header_that_never_ends_is_refused() {
    for length in [0, 1, 1 << 20, (1 << 20) + 1, 1 << 40, u64::MAX] {
        let mut bytes = WEIGHTS.to_vec();
        bytes[..8].copy_from_slice(&length.to_le_bytes());
        assert!(load(bytes).is_err(), "{length}");
    }
    let deep = format!("{{\"a\":{}", "[".repeat(100_000));
    let bytes = [&(deep.len() as u64).to_le_bytes()[..], deep.as_bytes()].concat();
    assert!(load(bytes).is_err());
}

#[test]
fn numbers_beyond_all_bounds_still_give_results_that_can_be_compared() {
    let length = usize::try_from(u64::from_le_bytes(*WEIGHTS.first_chunk().unwrap())).unwrap();
    let header: Value = serde_json::from_slice(&WEIGHTS[8..8 + length]).unwrap();
    let mut bytes = WEIGHTS.to_vec();
    for name in ["layers.0.n1.weight", "layers.4.a.weight.scale", "qa.weight", "span.weight"] {
        let at = header[name]["data_offsets"][0].as_u64().unwrap() as usize + 8 + length;
        bytes[at..at + 4].copy_from_slice(&f32::MAX.to_le_bytes());
    }
    let reader = load(bytes).unwrap();
    let passage = [Passage { lead: "", text: "A text.", sentences: &[0..7] }];
    let read = reader.answers("A question?", &passage, &Stop::never()).unwrap();
    assert!(read[0].answerable.is_finite() && read[0].topic.is_finite(), "{read:?}");
    let read = reader.entails("A claim.", &["A text."], &Stop::never()).unwrap();
    assert!((0.0..=1.0).contains(&read[0].supported), "{read:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn a_file_that_was_cut_off_is_refused(end in 0..23_000_000_usize) {
        prop_assert!(load(WEIGHTS[..end].to_vec()).is_err());
    }

    #[test]
    fn any_bytes_are_refused(bytes in prop::collection::vec(any::<u8>(), 0..2_000)) {
        prop_assert!(load(bytes).is_err());
    }

    #[test]
    fn a_header_with_a_changed_byte_does_no_harm(at in 0..12_296_usize, byte: u8) {
        let mut bytes = WEIGHTS.to_vec();
        bytes[at] = byte;
        let _ = load(bytes);
    }
}
