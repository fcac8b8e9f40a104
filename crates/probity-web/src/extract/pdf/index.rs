//! Whether a PDF can be opened: its index is unpacked and its objects are read whole before anything
//! in the file can be paid for.

use std::collections::BTreeSet;

use aho_corasick::AhoCorasick;
use pdfboss_core::lexer::{Lexer, Token};
use pdfboss_core::parser::{NoResolve, Parser};
use pdfboss_core::xref::{parse_section_at, startxref};
use pdfboss_core::{Dict, Object, Stream};

use super::unpack::fits;

/// The most bytes that one section of the index unpacks to.
const SECTION_BYTES: u64 = 8 * 1024 * 1024;
/// The most objects that all sections of the index name.
const MAX_OBJECTS: u64 = 1_500_000;
/// The most sections: a file has one for each time it was saved.
const MAX_SECTIONS: usize = 1_000;

/// The most words, numbers and signs of one object. Each takes thirty times its place in the file.
const MAX_TOKENS: usize = 300_000;

/// Whether every object of a file, wherever in it one may begin, is of a size that can be read.
pub(super) fn objects_fit(data: &[u8]) -> bool {
    // An object begins with `1 0 obj`, the dictionary at the end of the file with `trailer`.
    AhoCorasick::new(["obj", "trailer"])
        .is_ok_and(|begin| begin.find_iter(data).all(|found| tokens_fit(data, found.end())))
}

/// Whether what is read from a place on ends in time: at its end, at a stream, or at an error.
pub(super) fn tokens_fit(data: &[u8], at: usize) -> bool {
    let mut lexer = Lexer::at(data, at);
    for _ in 0..MAX_TOKENS {
        match lexer.next_token() {
            Err(_) | Ok(Token::Eof) => return true,
            Ok(Token::Keyword(word))
                if !matches!(word.as_slice(), b"R" | b"true" | b"false" | b"null") =>
            {
                return true;
            }
            Ok(_) => {}
        }
    }
    false
}

/// Whether the index stays within its limits. One that is broken does: it is not loaded then.
pub(super) fn is_loadable(data: &[u8]) -> bool {
    let mut seen = BTreeSet::new();
    let mut waiting: Vec<usize> = startxref(data).into_iter().collect();
    let mut objects = 0_u64;
    while let Some(offset) = waiting.pop() {
        if offset >= data.len() || !seen.insert(offset) {
            continue;
        }
        let Some(section) = section(data, offset) else { continue };
        objects = objects.saturating_add(section.objects);
        if !section.fits || objects > MAX_OBJECTS || seen.len() > MAX_SECTIONS {
            return false;
        }
        waiting.extend(section.next.into_iter().filter_map(|next| usize::try_from(next).ok()));
    }
    true
}

/// What a section says of itself.
struct Section {
    fits: bool,
    objects: u64,
    next: Vec<i64>,
}

fn section(data: &[u8], offset: usize) -> Option<Section> {
    let is_table = Lexer::at(data, offset)
        .peek_token()
        .is_ok_and(|token| matches!(token, Token::Keyword(word) if word.as_slice() == b"xref"));
    if is_table {
        let info = parse_section_at(data, offset).ok()?;
        return Some(Section {
            fits: true,
            objects: info.xref.len() as u64,
            next: info.prev.into_iter().chain(info.xrefstm).collect(),
        });
    }
    match Parser::at(data, offset).parse_indirect(&NoResolve).ok()? {
        (_, Object::Stream(stream)) => Some(packed_section(&stream)),
        _ => None,
    }
}

fn packed_section(stream: &Stream) -> Section {
    let filters: Vec<&str> = match stream.dict.get("Filter") {
        Some(Object::Name(name)) => vec![&name.0],
        Some(Object::Array(items)) => {
            items.iter().filter_map(|item| item.as_name().map(|name| name.0.as_str())).collect()
        }
        _ => Vec::new(),
    };
    let length = match filters.as_slice() {
        [] => Some(stream.data.len() as u64),
        [filter] => fits(filter, &stream.data, SECTION_BYTES).then_some(SECTION_BYTES),
        // Nobody packs an index twice.
        _ => None,
    };
    Section {
        fits: length.is_some(),
        objects: length.map_or(0, |length| objects(&stream.dict, length)),
        next: stream.dict.get_int("Prev").into_iter().collect(),
    }
}

/// How many objects a section can name: as many as it says, or as many as there is room for.
fn objects(dict: &Dict, length: u64) -> u64 {
    let numbers = |key: &str| dict.get_array(key).into_iter().flatten().map(Object::as_int);
    let entry: i64 = numbers("W").flatten().take(3).filter(|width| (0..=8).contains(width)).sum();
    let room = length / u64::try_from(entry).unwrap_or_default().max(1);
    let said: i64 = match dict.get_array("Index") {
        Some(_) => numbers("Index").flatten().skip(1).step_by(2).fold(0, i64::saturating_add),
        None => dict.get_int("Size").unwrap_or_default(),
    };
    room.min(u64::try_from(said).unwrap_or_default())
}
