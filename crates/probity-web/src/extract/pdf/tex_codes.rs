//! Fonts drawn by programs (Type 3) whose letters are named only by their codes, as TeX writes its
//! bitmaps (`a28`, `x1C`): the codes that are used → TeX's own tables of letters.
//!
//! Without this `fi` in such a file is no letter at all, and `specification` is not found. Which
//! table it is shows in the codes; where it does not, the font stays as it is.

use std::collections::BTreeSet;

use pdfboss_core::{Dict, Name, Object};

/// The codes 0 to 31 of TeX's first text fonts (OT1).
const OT1_LOW: &str = "ΓΔΘΛΞΠΣΥΦΨΩﬀﬁﬂﬃﬄıȷ`´ˇ˘¯˚¸ßæœøÆŒØ";
/// Other codes of OT1 that are not what ASCII has there.
const OT1_OTHER: [(u8, char); 12] = [
    (34, '”'),
    (39, '’'),
    (60, '¡'),
    (62, '¿'),
    (92, '“'),
    (94, 'ˆ'),
    (95, '˙'),
    (96, '‘'),
    (123, '–'),
    (124, '—'),
    (125, '˝'),
    (126, '˜'),
];
/// The codes 0 to 31 of the European text fonts (T1); `\0` where nothing is shown.
const T1_LOW: &str = "`´ˆ˜¨˝˚ˇ˘¯˙¸˛‚‹›“”„«»–—\0\0ıȷﬀﬁﬂﬃﬄ";
const T1_OTHER: [(u8, char); 3] = [(39, '’'), (96, '‘'), (127, '-')];
/// The codes 128 to 255 of T1.
const T1_HIGH: &str = "ĂĄĆČĎĚĘĞĹĽŁŃŇŊŐŔŘŚŠŞŤŢŰŮŸŹŽŻĲİđ§\
                       ăąćčďěęğĺľłńňŋőŕřśšşťţűůÿźžżĳ¡¿£\
                       ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖŒØÙÚÛÜÝÞẞ\
                       àáâãäåæçèéêëìíîïðñòóôõöœøùúûüýþß";
/// Symbols beside T1 (TS1).
const TS1: [(u8, char); 26] = [
    (36, '$'),
    (39, '\''),
    (42, '*'),
    (45, '-'),
    (132, '†'),
    (133, '‡'),
    (136, '•'),
    (151, '™'),
    (162, '¢'),
    (163, '£'),
    (165, '¥'),
    (167, '§'),
    (169, '©'),
    (170, 'ª'),
    (174, '®'),
    (176, '°'),
    (177, '±'),
    (178, '²'),
    (179, '³'),
    (181, 'µ'),
    (182, '¶'),
    (183, '·'),
    (185, '¹'),
    (191, '€'),
    (214, '×'),
    (246, '÷'),
];
/// Mathematical symbols that stand in prose (OMS).
const OMS: [(u8, char); 17] = [
    (0, '−'),
    (1, '·'),
    (2, '×'),
    (3, '∗'),
    (6, '±'),
    (15, '•'),
    (20, '≤'),
    (21, '≥'),
    (24, '∼'),
    (33, '→'),
    (50, '∈'),
    (102, '{'),
    (103, '}'),
    (104, '⟨'),
    (105, '⟩'),
    (106, '|'),
    (110, '\\'),
];
/// Those of them of which one shows that it is this table: Greek letters share the others' codes.
const OMS_SIGNS: [u8; 9] = [0, 1, 2, 3, 15, 102, 103, 106, 110];
/// The fewest small letters by which a font is one for words.
const MIN_LETTERS: usize = 5;
/// More codes than this from 224 on are the Cyrillic alphabet: no language has so many accents.
const MAX_ACCENTED: usize = 20;

/// Gives a Type 3 font that names letters by their codes the names of the letters. Other
/// dictionaries stay as they are.
pub(super) fn with_tex_names(object: Object, resolve: impl Fn(&Object) -> Object) -> Object {
    let Object::Dict(mut dict) = object else { return object };
    if let Some(differences) = differences(&dict, &resolve) {
        let mut encoding = Dict::new();
        encoding.insert(Name("Differences".to_owned()), Object::Array(differences));
        dict.insert(Name("Encoding".to_owned()), Object::Dict(encoding));
    }
    Object::Dict(dict)
}

/// What the font says of its codes, and after it the letters of its table, because a later entry counts.
fn differences(dict: &Dict, resolve: &impl Fn(&Object) -> Object) -> Option<Vec<Object>> {
    dict.get_name("Subtype").filter(|name| name.0 == "Type3")?;
    let encoding = resolve(dict.get("Encoding")?);
    let Object::Array(mut all) = resolve(encoding.as_dict()?.get("Differences")?) else {
        return None;
    };
    let codes = codes(&all)?;
    let table = table(&codes, || is_fixed(dict, resolve))?;
    for code in codes {
        if let Some(letter) = table.letter(code) {
            all.push(Object::Int(code.into()));
            all.push(Object::Name(Name(format!("uni{:04X}", u32::from(letter)))));
        }
    }
    Some(all)
}

/// The codes of a font, if all of its names only say them.
fn codes(differences: &[Object]) -> Option<BTreeSet<u8>> {
    let mut codes = BTreeSet::new();
    let mut next = 0_i64;
    for entry in differences {
        match entry {
            Object::Int(code) => next = *code,
            Object::Name(name) => {
                let code = u8::try_from(next).ok()?;
                next = next.saturating_add(1);
                match name.0.as_str() {
                    ".notdef" => {}
                    name if says_only(name, code) => {
                        codes.insert(code);
                    }
                    _ => return None,
                }
            }
            _ => return None,
        }
    }
    (!codes.is_empty()).then_some(codes)
}

fn says_only(name: &str, code: u8) -> bool {
    let mut chars = name.chars();
    let is_itself = chars.next() == Some(char::from(code)) && chars.next().is_none();
    is_itself
        || name.strip_prefix('a').is_some_and(|digits| digits.parse() == Ok(code))
        || name.strip_prefix('x').is_some_and(|hex| u8::from_str_radix(hex, 16) == Ok(code))
}

/// Whether all letters are as wide as each other. Such fonts have other signs among their codes.
fn is_fixed(dict: &Dict, resolve: &impl Fn(&Object) -> Object) -> bool {
    let Some(Object::Array(widths)) = dict.get("Widths").map(resolve) else { return false };
    let mut widths =
        widths.iter().filter_map(|width| resolve(width).as_f64()).filter(|width| *width > 0.0);
    let first = widths.next().unwrap_or_default();
    widths.all(|width| (width - first).abs() < 0.01 * first)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Table {
    Ot1,
    T1,
    T2a,
    Ts1,
    Oms,
}

/// The table whose codes these are.
fn table(codes: &BTreeSet<u8>, is_fixed: impl Fn() -> bool) -> Option<Table> {
    let has = |code: u8| codes.contains(&code);
    let is_among =
        |table: &[(u8, char)]| codes.iter().all(|code| table.iter().any(|(own, _)| own == code));
    if codes.last().is_some_and(|last| *last >= 128) && is_among(&TS1) {
        return Some(Table::Ts1);
    }
    if is_among(&OMS) && OMS_SIGNS.into_iter().any(has) {
        return Some(Table::Oms);
    }
    // Mathematical letters have Greek ones where ligatures are, but no numbers and no brackets.
    let is_for_words = codes.range(b'a'..=b'z').count() >= MIN_LETTERS
        && (codes.range(b'0'..=b'9').next().is_some()
            || [b'(', b')', b',', b'-', b'.'].into_iter().any(has));
    if !is_for_words {
        return None;
    }
    let has_ligatures = codes.range(11..=15).next().is_some();
    if codes.range(128..).next().is_some() {
        let is_cyrillic = codes.range(224..).count() > MAX_ACCENTED;
        return Some(if is_cyrillic { Table::T2a } else { Table::T1 });
    }
    if has_ligatures {
        return (!is_fixed()).then_some(Table::Ot1);
    }
    ([21, 22].into_iter().any(has) || codes.range(27..=31).next().is_some()).then_some(Table::T1)
}

impl Table {
    fn letter(self, code: u8) -> Option<char> {
        let of = |table: &[(u8, char)]| {
            table.iter().find(|(own, _)| *own == code).map(|(_, letter)| *letter)
        };
        let low = |table: &str| table.chars().nth(code.into());
        let high = |table: &str| table.chars().nth(usize::from(code.checked_sub(128)?));
        let letter = match self {
            Table::Ot1 => of(&OT1_OTHER).or_else(|| low(OT1_LOW)),
            Table::T2a if code >= 192 => char::from_u32(u32::from(code).saturating_add(0x350)),
            Table::T1 | Table::T2a if code < 128 => of(&T1_OTHER).or_else(|| low(T1_LOW)),
            Table::T1 => high(T1_HIGH),
            Table::T2a => None,
            Table::Ts1 => of(&TS1),
            Table::Oms => of(&OMS),
        };
        letter.filter(|letter| *letter != '\0')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(codes: &[u8]) -> BTreeSet<u8> {
        (b'a'..=b'z').chain(b'0'..=b'9').chain(codes.iter().copied()).collect()
    }

    fn table_of(codes: &[u8]) -> Option<Table> {
        table(&set(codes), || false)
    }

    #[test]
    fn the_codes_tell_the_table() {
        assert_eq!(table_of(&[11, 12]), Some(Table::Ot1));
        assert_eq!(table_of(&[27, 28]), Some(Table::T1));
        assert_eq!(table_of(&[12, 228, 246]), Some(Table::T1));
        assert_eq!(table_of(&(192..=255).collect::<Vec<u8>>()), Some(Table::T2a));
        assert_eq!(table_of(&[]), None);
        assert_eq!(table(&BTreeSet::from([136, 169]), || false), Some(Table::Ts1));
        assert_eq!(table(&BTreeSet::from([15]), || false), Some(Table::Oms));
    }

    #[test]
    fn fonts_of_formulas_and_of_listings_stay_as_they_are() {
        let formula = (b'a'..=b'z').chain([11, 12, 58, 59]).collect();
        assert_eq!(table(&formula, || false), None);
        assert_eq!(table(&BTreeSet::from([11, 12, 15]), || false), None);
        assert_eq!(table(&set(&[13, 34, 92]), || true), None);
    }

    #[test]
    fn every_code_of_a_table_has_its_letter() {
        assert_eq!((OT1_LOW.chars().count(), T1_LOW.chars().count()), (32, 32));
        assert_eq!(T1_HIGH.chars().count(), 128);
        let letters = |table: Table, codes: &[u8]| -> String {
            codes.iter().filter_map(|code| table.letter(*code)).collect()
        };
        assert_eq!(letters(Table::Ot1, &[11, 12, 13, 14, 15, 25, 123]), "ﬀﬁﬂﬃﬄß–");
        assert_eq!(letters(Table::T1, &[16, 17, 21, 23, 27, 31, 138, 170, 233, 255]), "“”–ﬀﬄŁłéß");
        assert_eq!(letters(Table::T2a, &[28, 192, 255]), "ﬁАя");
        assert_eq!(letters(Table::T1, b"A~"), "");
    }

    #[test]
    fn names_are_put_in_only_where_they_say_no_more_than_the_code() {
        let name = |text: &str| Object::Name(Name(text.to_owned()));
        let font = |first: &str| {
            let mut list = vec![Object::Int(28), name(first), Object::Int(44), name("a44")];
            list.push(Object::Int(97));
            list.extend((b'a'..=b'z').map(|code| name(&format!("a{code}"))));
            let mut encoding = Dict::new();
            encoding.insert(Name("Differences".to_owned()), Object::Array(list));
            let mut dict = Dict::new();
            dict.insert(Name("Subtype".to_owned()), name("Type3"));
            dict.insert(Name("Encoding".to_owned()), Object::Dict(encoding));
            differences(&dict, &Object::clone).map(|list| format!("{list:?}"))
        };
        assert!(font("a28").unwrap().ends_with("Int(28), Name(Name(\"uniFB01\"))]"));
        assert!(font("x1C").is_some() && font("\u{1c}").is_some());
        assert!(font("star").is_none() && font("a29").is_none());
    }
}
