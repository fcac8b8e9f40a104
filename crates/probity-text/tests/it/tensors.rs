//! Files of arrays: read where they lie, and refused when anything about them is off.

use probity_text::tensors::{HEADER_BYTES, NumberType, Tensors, TensorsError};
use proptest::prelude::*;

/// A file with a header and its numbers.
fn file(header: &str, data: &[u8]) -> Vec<u8> {
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend_from_slice(header.as_bytes());
    bytes.extend_from_slice(data);
    bytes
}

const TWO: &str = r#"{"__metadata__":{"made":"by hand"},
    "rows":{"dtype":"I8","shape":[2,3],"data_offsets":[0,6]},
    "scales":{"dtype":"F32","shape":[2],"data_offsets":[6,14]}}"#;

#[test]
fn arrays_are_found_where_they_lie() {
    let bytes = file(TWO, &[1, 2, 3, 4, 5, 6, 0, 0, 128, 63, 0, 0, 0, 64]);
    let tensors = Tensors::read(&bytes).unwrap();
    assert_eq!(tensors.names().collect::<Vec<_>>(), ["rows", "scales"]);
    assert_eq!((tensors.about("made"), tensors.about("for")), (Some("by hand"), None));
    assert_eq!((tensors.rows("rows"), tensors.rows("none")), (Some(2), None));
    let rows = tensors.place("rows", NumberType::I8, &[2, 3]).unwrap();
    assert_eq!(bytes[rows], [1, 2, 3, 4, 5, 6]);
    let scales = tensors.place("scales", NumberType::F32, &[2]).unwrap();
    assert_eq!(bytes[scales], [0, 0, 128, 63, 0, 0, 0, 64]);
}

#[test]
fn an_array_of_another_name_type_or_shape_is_refused_with_its_name() {
    let bytes = file(TWO, &[0; 14]);
    let tensors = Tensors::read(&bytes).unwrap();
    let refused = |name, kind, shape: &[usize]| {
        tensors.place(name, kind, shape).expect_err("it does not fit").to_string()
    };
    assert_eq!(refused("columns", NumberType::I8, &[2, 3]), "it has no `columns`");
    for (kind, shape) in
        [(NumberType::F32, &[2, 3][..]), (NumberType::I8, &[3, 2]), (NumberType::I8, &[6])]
    {
        let said = refused("rows", kind, shape);
        assert_eq!(said, format!("`rows` is not a whole array of type {kind} and shape {shape:?}"));
    }
}

#[test]
fn an_array_that_reaches_beyond_the_file_is_refused() {
    for (offsets, shape) in
        [("[0,6]", "[6]"), ("[4,2]", "[2]"), ("[18446744073709551615,4]", "[4]")]
    {
        let header =
            format!(r#"{{"a":{{"dtype":"I8","shape":{shape},"data_offsets":{offsets}}}}}"#);
        let bytes = file(&header, &[0; 5]);
        let tensors = Tensors::read(&bytes).unwrap();
        let rows = tensors.rows("a").unwrap();
        let refused = tensors.place("a", NumberType::I8, &[rows]);
        assert!(matches!(refused, Err(TensorsError::Shape { .. })), "{offsets}: {refused:?}");
    }
    let huge =
        format!(r#"{{"a":{{"dtype":"F32","shape":[{0},{0}],"data_offsets":[0,4]}}}}"#, u64::MAX);
    let bytes = file(&huge, &[0; 4]);
    let side = usize::try_from(u64::MAX).unwrap();
    assert!(Tensors::read(&bytes).unwrap().place("a", NumberType::F32, &[side, side]).is_err());
}

#[test]
fn a_file_that_ends_too_soon_or_has_no_header_is_refused() {
    let whole = file(TWO, &[]);
    for bytes in [&whole[..0], &whole[..7], &whole[..8], &whole[..whole.len() - 1]] {
        assert!(matches!(Tensors::read(bytes), Err(TensorsError::Header)), "{}", bytes.len());
    }
    let long = file(&" ".repeat(HEADER_BYTES + 1), &[]);
    assert!(matches!(Tensors::read(&long), Err(TensorsError::Header)));
    for header in
        ["", "{", "[]", r#"{"a":1}"#, r#"{"a":{"dtype":"I8","shape":[-1],"data_offsets":[0,1]}}"#]
    {
        let read = Tensors::read(&file(header, &[]));
        assert!(matches!(read, Err(TensorsError::Layout(_))), "{header}: {read:?}");
    }
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused_and_no_place_lies_outside(
        bytes in prop_oneof![
            prop::collection::vec(any::<u8>(), 0..64),
            (0..9u8, 0..9u8, 0..12usize).prop_map(|(start, end, length)| file(
                &format!(r#"{{"a":{{"dtype":"I8","shape":[4],"data_offsets":[{start},{end}]}}}}"#),
                &vec![7; length],
            )),
        ],
    ) {
        if let Ok(tensors) = Tensors::read(&bytes)
            && let Ok(place) = tensors.place("a", NumberType::I8, &[4])
        {
            prop_assert_eq!(bytes.get(place).map(<[u8]>::len), Some(4));
        }
    }
}
