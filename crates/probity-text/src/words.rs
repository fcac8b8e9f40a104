//! Text → words → content words → stems.

use std::borrow::Cow;

use rust_stemmers::Stemmer as Snowball;
use unicode_normalization::char::is_combining_mark;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};
use unicode_segmentation::UnicodeSegmentation;

use crate::Language;
use crate::polish;
use crate::stopwords::stopwords;

/// Words longer than this are cut: no language has them, and stemmers need not see them.
const WORD_BYTES: usize = 128;

/// A word of a text: its place, and its lower-case form with plain apostrophes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word<'a> {
    /// Where it begins, in bytes.
    pub start: usize,
    /// The word as it is written in the text.
    pub raw: &'a str,
    /// Lower-case, NFC, with `'` for every apostrophe.
    pub lower: Cow<'a, str>,
}

/// A word without a possessive ending.
///
/// ```
/// use probity_text::words::bare;
///
/// assert_eq!(bare("Hartwell's"), "Hartwell");
/// assert_eq!(bare("line"), "line");
/// ```
pub fn bare(word: &str) -> &str {
    word.strip_suffix("'s").or_else(|| word.strip_suffix("’s")).unwrap_or(word)
}

/// The words of a text by Unicode's rules; host names and words run together at a full stop are
/// split, initials such as `u.s` are not.
///
/// ```
/// use probity_text::words::words;
///
/// let lower: Vec<_> = words("The U.S. town’s code: reuters.com, 3.5 dB").map(|w| w.lower).collect();
/// assert_eq!(lower, ["the", "u.s", "town's", "code", "reuters", "com", "3.5", "db"]);
/// ```
pub fn words(text: &str) -> impl Iterator<Item = Word<'_>> {
    text.unicode_word_indices().flat_map(|(start, raw)| split_dots(start, raw)).map(
        |(start, raw)| {
            let cut = raw.get(..raw.floor_char_boundary(WORD_BYTES)).unwrap_or(raw);
            Word { start, raw, lower: lower(cut) }
        },
    )
}

/// Calls `each` with the lower-case form of every word of a text, in order: what [`words`] gives,
/// for readers of many texts that keep none of the words.
///
/// ```
/// use probity_text::words::each_lower;
///
/// let mut found = Vec::new();
/// each_lower("A town’s by-law, 3.5 dB.", |word| found.push(word.to_owned()));
/// assert_eq!(found, ["a", "town's", "by", "law", "3.5", "db"]);
/// ```
pub fn each_lower(text: &str, mut each: impl FnMut(&str)) {
    let mut lowered = String::new();
    let (mut start, mut kinds) = (0, 0);
    for (at, byte) in text.bytes().chain([b' ']).enumerate() {
        let kind = kind(byte);
        if kind != BREAK {
            kinds |= kind;
            continue;
        }
        let island = text.get(start..at).unwrap_or_default();
        match plain_word(island, kinds) {
            Some("") => {}
            Some(word) if kinds & CAPITAL == 0 => each(word),
            Some(word) => {
                lowered.clear();
                lowered.push_str(word);
                lowered.make_ascii_lowercase();
                each(&lowered);
            }
            None => words(island).for_each(|word| each(&word.lower)),
        }
        (start, kinds) = (at + 1, 0);
    }
}

/// The one word, or none at all, that an island between breaks is; none where it takes Unicode's
/// rules to tell.
fn plain_word(island: &str, kinds: u8) -> Option<&str> {
    if kinds & OTHER != 0 || island.len() > WORD_BYTES {
        return None;
    }
    if kinds & JOINT == 0 {
        return Some(island);
    }
    // At its ends a joint has nothing to join.
    let is_joint = |c: char| u8::try_from(c).is_ok_and(|byte| kind(byte) == JOINT);
    let word = island.trim_matches(is_joint);
    (!word.contains(is_joint)).then_some(word)
}

/// Always ends a word.
const BREAK: u8 = 0;
/// A small letter or a digit.
const LETTER: u8 = 1;
/// A capital letter.
const CAPITAL: u8 = 2;
/// May join words or numbers.
const JOINT: u8 = 4;
/// Whatever needs a closer look.
const OTHER: u8 = 8;

/// What a byte of a text is to its words.
fn kind(byte: u8) -> u8 {
    #[expect(clippy::indexing_slicing, reason = "in a constant it would not compile out of bounds")]
    const KINDS: [u8; 256] = {
        let mut kinds = [OTHER; 256];
        let mut byte = 0u8;
        while byte < 128 {
            kinds[byte as usize] = match byte {
                b'a'..=b'z' | b'0'..=b'9' => LETTER,
                b'A'..=b'Z' => CAPITAL,
                b'.' | b',' | b':' | b';' | b'\'' => JOINT,
                b'_' | b'"' => OTHER,
                _ => BREAK,
            };
            byte += 1;
        }
        kinds
    };
    KINDS.get(usize::from(byte)).copied().unwrap_or(OTHER)
}

/// Splits `example.com` at its dots, but leaves numbers and initials whole.
fn split_dots(start: usize, raw: &str) -> impl Iterator<Item = (usize, &str)> {
    let joined = raw.contains(['.', ':'])
        && raw
            .split(['.', ':'])
            .all(|part| part.chars().filter(|c| !is_combining_mark(*c)).nth(1).is_some())
        && raw.chars().any(char::is_alphabetic);
    let mut offset = start;
    let mut rest = Some(raw);
    std::iter::from_fn(move || {
        let current = rest?;
        let (part, tail) = match current.split_once(['.', ':']) {
            Some((part, tail)) if joined => (part, Some(tail)),
            _ => (current, None),
        };
        let at = offset;
        offset += part.len() + 1;
        rest = tail;
        Some((at, part))
    })
}

/// The form in which words are compared: lower-case, NFC, with `'` for every apostrophe.
pub(crate) fn lower(word: &str) -> Cow<'_, str> {
    if word.bytes().all(|b| b.is_ascii() && !b.is_ascii_uppercase()) {
        return Cow::Borrowed(word);
    }
    if word.is_ascii() {
        return Cow::Owned(word.to_ascii_lowercase());
    }
    // The small letter of `İ` is an `i` under a second dot, which nobody writes: `İzmir` is `Izmir`.
    let lower = word.to_lowercase().replace(['’', '＇', 'ʼ'], "'").replace("i\u{307}", "i");
    match composed(&lower) {
        Cow::Borrowed(_) => Cow::Owned(lower),
        Cow::Owned(composed) => Cow::Owned(composed),
    }
}

/// A text with letters and accents in one, as most texts are: what is decomposed is another text to whoever compares.
pub(crate) fn composed(text: &str) -> Cow<'_, str> {
    match is_nfc_quick(text.chars()) {
        IsNormalized::Yes => Cow::Borrowed(text),
        _ => Cow::Owned(text.nfc().collect()),
    }
}

/// Turns lower-case words into stems of one language.
pub struct Stemmer {
    language: Language,
    snowball: Option<Snowball>,
}

impl Stemmer {
    /// The stemmer of a language; words of a language without one stay as they are.
    pub fn new(language: Language) -> Self {
        Self { language, snowball: language.algorithm().map(Snowball::create) }
    }

    /// The language it stems.
    pub fn language(&self) -> Language {
        self.language
    }

    /// The stem of a lower-case word.
    pub fn stem<'a>(&self, word: &'a str) -> Cow<'a, str> {
        let word = self.without_elision(word);
        match &self.snowball {
            _ if word.starts_with(|c: char| c.is_ascii_digit()) => Cow::Borrowed(word),
            Some(snowball) => snowball.stem(word),
            None if self.language == Language::Polish => polish::stem(word),
            None => Cow::Borrowed(word),
        }
    }

    /// The stem of a word that carries a topic; none for a stopword.
    pub fn content_stem<'a>(&self, word: &'a str) -> Option<Cow<'a, str>> {
        let list = stopwords(self.language);
        if list.contains(word) || list.contains(self.without_elision(word)) {
            return None;
        }
        let stem = self.stem(word);
        (!stem.is_empty()).then_some(stem)
    }

    /// The distinct content stems of a text, in order of appearance.
    ///
    /// ```
    /// use probity_text::{Language, words::Stemmer};
    ///
    /// let stems = Stemmer::new(Language::English).content_stems("Who guitars, and whose guitar?");
    /// assert_eq!(stems, ["guitar"]);
    /// ```
    pub fn content_stems(&self, text: &str) -> Vec<String> {
        let mut seen = std::collections::HashSet::new();
        words(text)
            .filter_map(|word| self.content_stem(&word.lower).map(Cow::into_owned))
            .filter(|stem| seen.insert(stem.clone()))
            .collect()
    }

    fn without_elision<'a>(&self, word: &'a str) -> &'a str {
        if !self.language.elides() {
            return word;
        }
        match word.rsplit_once('\'') {
            Some((article, rest)) if article.len() <= 7 && rest.chars().nth(1).is_some() => rest,
            _ => word,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn stems(language: Language, text: &str) -> Vec<String> {
        Stemmer::new(language).content_stems(text)
    }

    #[test]
    fn possessives_plurals_and_case_meet_in_one_stem() {
        assert_eq!(
            stems(Language::English, "Port Ellery’s"),
            stems(Language::English, "PORT ELLERY")
        );
        assert_eq!(stems(Language::English, "hotels"), stems(Language::English, "Hotel"));
        assert_eq!(
            stems(Language::French, "l'électricité"),
            stems(Language::French, "électricité")
        );
        assert_eq!(stems(Language::German, "Häuser"), stems(Language::German, "häusern"));
    }

    #[test]
    fn composed_and_decomposed_letters_are_the_same_word() {
        assert_eq!(stems(Language::French, "e\u{301}te\u{301}s"), stems(Language::French, "étés"));
    }

    #[test]
    fn stopwords_are_no_content() {
        assert!(stems(Language::English, "What is it that you don't have?").is_empty());
        assert!(stems(Language::German, "Was ist das?").is_empty());
    }

    #[test]
    fn numbers_are_content() {
        assert_eq!(stems(Language::English, "in 2024, 1,200 of 3.5"), ["2024", "1,200", "3.5"]);
    }

    /// Texts of what separates, joins and extends words.
    fn mixture() -> impl Strategy<Value = String> {
        let pieces = vec![
            "a", "B", "word", "7", "2024", "é", "ß", "İ", "中", "ア", "א", "\u{301}", "\u{200d}",
            "\u{ad}", "\u{202e}", "👍", "🇫", " ", "\n", "\r\n", "\t", "\u{b}", "\u{0}", ".", ",",
            ":", ";", "'", "’", "\"", "_", "-", "/", "…", "—", "“", "\u{a0}", "\u{3000}", "@", "%",
            "$", "(",
        ];
        prop::collection::vec(prop::sample::select(pieces), 0..24).prop_map(|p| p.concat())
    }

    proptest! {
        #[test]
        fn reading_words_one_by_one_gives_the_same_words(
            text in prop_oneof![mixture(), "\\PC{0,60}".boxed(), "[ -~]{0,200}".boxed()],
        ) {
            // A mark that begins a word is distinguished from the space that Unicode's rules hang it on, and an accent by
            // itself may become such a sign when it is normalised.
            let is_break = |c: char| u8::try_from(c).is_ok_and(|byte| kind(byte) == BREAK);
            let bare = |word: &str| word.trim_start_matches(is_break).to_owned();
            let mut found = Vec::new();
            each_lower(&text, |word| found.push(bare(word)));
            let expected: Vec<_> = words(&text).map(|word| bare(&word.lower)).collect();
            prop_assert_eq!(found, expected);
        }

        #[test]
        fn words_lie_where_they_say(text in "\\PC{0,60}") {
            for word in words(&text) {
                prop_assert_eq!(text.get(word.start..word.start + word.raw.len()), Some(word.raw));
            }
        }
    }
}
