//! Fonts that say only inside their program which letter a code shows (Type 1C, the compact form):
//! the program's table → the font's dictionary, where the reader looks.

use pdfboss_core::{Dict, Name, Object, Stream};
use ttf_parser::cff;

/// Gives a font of the compact form the encoding of its program, under what its dictionary says of
/// single codes. Other dictionaries stay as they are.
pub(super) fn with_built_in_codes(
    object: Object,
    resolve: impl Fn(&Object) -> Object,
    unpack: impl Fn(&Stream) -> Option<Vec<u8>>,
) -> Object {
    let Object::Dict(mut dict) = object else { return object };
    let said = dict.get("Encoding").map(&resolve);
    if let Some(program) = program(&dict, said.as_ref(), &resolve)
        && let Some(program) = unpack(&program)
        && let Some(mut codes) = codes(&program)
    {
        if let Some(Object::Dict(said)) = &said
            && let Some(Object::Array(own)) = said.get("Differences").map(&resolve)
        {
            // A later entry is the one that counts.
            codes.extend(own);
        }
        let mut encoding = Dict::new();
        encoding.insert(Name("Differences".to_owned()), Object::Array(codes));
        dict.insert(Name("Encoding".to_owned()), Object::Dict(encoding));
    }
    Object::Dict(dict)
}

/// The program of a font, if it is of the compact form and the font names no encoding of its own.
fn program(
    dict: &Dict,
    said: Option<&Object>,
    resolve: &impl Fn(&Object) -> Object,
) -> Option<Stream> {
    dict.get_name("Subtype").filter(|name| matches!(name.0.as_str(), "Type1" | "MMType1"))?;
    match said {
        None | Some(Object::Null) => {}
        Some(Object::Dict(said)) if said.get("BaseEncoding").is_none() => {}
        Some(_) => return None,
    }
    let descriptor = resolve(dict.get("FontDescriptor")?);
    match resolve(descriptor.as_dict()?.get("FontFile3")?) {
        Object::Stream(program) => {
            program.dict.get_name("Subtype").filter(|name| name.0 == "Type1C")?;
            Some(program)
        }
        _ => None,
    }
}

/// Every code of a program with the name of its letter, as a dictionary lists them.
fn codes(program: &[u8]) -> Option<Vec<Object>> {
    let table = cff::Table::parse(program)?;
    let named = |code: u8| {
        let name = table.glyph_name(table.glyph_index(code)?)?;
        (name != ".notdef").then(|| [Object::Int(code.into()), Object::Name(Name(name.to_owned()))])
    };
    Some((0..=u8::MAX).filter_map(named).flatten().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(entries: &[(&str, Object)]) -> Dict {
        let mut dict = Dict::new();
        for (key, value) in entries {
            dict.insert(Name((*key).to_owned()), value.clone());
        }
        dict
    }

    fn name(text: &str) -> Object {
        Object::Name(Name(text.to_owned()))
    }

    /// A font program with two letters: `fi` at code 12, `A` at code 65.
    fn compact() -> Vec<u8> {
        let index = |items: &[&[u8]]| {
            let mut out = u16::try_from(items.len()).unwrap().to_be_bytes().to_vec();
            if !items.is_empty() {
                out.push(1);
                let mut at = 1_u8;
                out.push(at);
                for item in items {
                    at += u8::try_from(item.len()).unwrap();
                    out.push(at);
                }
                items.iter().for_each(|item| out.extend_from_slice(item));
            }
            out
        };
        let header = [1, 0, 4, 1];
        let names = index(&[b"F"]);
        let build = |charset: u8, encoding: u8, letters: u8| {
            // A number up to 107 is one byte: 139 more than it is.
            let top = [139 + charset, 15, 139 + encoding, 16, 139 + letters, 17];
            let mut out = [header.to_vec(), names.clone(), index(&[&top])].concat();
            out.extend(index(&[]));
            out.extend(index(&[]));
            out
        };
        let start = u8::try_from(build(0, 0, 0).len()).unwrap();
        // Names of the standard: 109 is fi, 34 is A.
        let charset = [0, 0, 109, 0, 34];
        let encoding = [0, 2, 12, 65];
        let mut out = build(start, start + 5, start + 9);
        out.extend(charset);
        out.extend(encoding);
        out.extend(index(&[&[14], &[14], &[14]]));
        out
    }

    #[test]
    fn the_codes_of_a_compact_font_are_those_of_its_program() {
        let program = Stream { dict: object(&[("Subtype", name("Type1C"))]), data: compact() };
        let descriptor = object(&[("FontFile3", Object::Stream(program))]);
        let font = |entries: &[(&str, Object)]| {
            let mut dict = object(entries);
            dict.insert(Name("Subtype".to_owned()), name("Type1"));
            dict.insert(Name("FontDescriptor".to_owned()), Object::Dict(descriptor.clone()));
            let font = with_built_in_codes(Object::Dict(dict), Object::clone, |stream| {
                Some(stream.data.clone())
            });
            let encoding = font.as_dict().and_then(|font| font.get("Encoding").cloned());
            let codes = encoding.as_ref().and_then(Object::as_dict)?.get_array("Differences")?;
            Some(format!("{codes:?}"))
        };
        let codes = font(&[]).unwrap();
        assert!(codes.contains("Int(12), Name(Name(\"fi\"))"), "{codes}");
        assert!(codes.contains("Int(65), Name(Name(\"A\"))"), "{codes}");
        let own = object(&[("Differences", Object::Array(vec![Object::Int(12), name("ff")]))]);
        assert!(font(&[("Encoding", Object::Dict(own))]).unwrap().ends_with("Name(Name(\"ff\"))]"));
        assert_eq!(font(&[("Encoding", name("WinAnsiEncoding"))]), None);
    }

    #[test]
    fn a_broken_program_leaves_the_font_as_it_is() {
        assert!(codes(b"").is_none() && codes(b"\x01\x00\x04\x01nothing").is_none());
    }
}
