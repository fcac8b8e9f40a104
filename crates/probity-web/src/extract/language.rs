//! Text → its language, where nothing says which it is.

use std::collections::BTreeMap;

use whatlang::Lang;

/// From what length a text is long enough to tell its language by.
const MIN_BYTES: usize = 80;
/// How much of a text is looked at.
const MAX_BYTES: usize = 4_000;

/// The two-letter code of the language that a text reads like, if that is clear.
pub(crate) fn detect_language(text: &str) -> Option<String> {
    if text.len() < MIN_BYTES {
        return None;
    }
    let mut end = MAX_BYTES.min(text.len());
    while !text.is_char_boundary(end) {
        end = end.saturating_sub(1);
    }
    let text = text.get(..end)?;
    clear(text).or_else(|| of_most_lines(text)).map(str::to_owned)
}

/// The language of a text that is in one.
fn clear(text: &str) -> Option<&'static str> {
    let info = whatlang::detect(text)?;
    (info.is_reliable() || info.confidence() > 0.5).then(|| code(info.lang())).flatten()
}

/// The language of most lines: a translation that is not finished reads like no language as a whole.
fn of_most_lines(text: &str) -> Option<&'static str> {
    let mut bytes: BTreeMap<&'static str, usize> = BTreeMap::new();
    for line in text.lines().filter(|line| line.len() >= MIN_BYTES) {
        if let Some(language) = clear(line) {
            *bytes.entry(language).or_default() += line.len();
        }
    }
    let all: usize = bytes.values().sum();
    bytes.into_iter().find(|(_, count)| count * 2 > all).map(|(language, _)| language)
}

/// ISO 639-1 for what the detector names by ISO 639-3.
fn code(lang: Lang) -> Option<&'static str> {
    Some(match lang.code() {
        "epo" => "eo",
        "eng" => "en",
        "rus" => "ru",
        "cmn" => "zh",
        "spa" => "es",
        "por" => "pt",
        "ita" => "it",
        "ben" => "bn",
        "fra" => "fr",
        "deu" => "de",
        "ukr" => "uk",
        "kat" => "ka",
        "ara" => "ar",
        "hin" => "hi",
        "jpn" => "ja",
        "heb" => "he",
        "yid" => "yi",
        "pol" => "pl",
        "amh" => "am",
        "jav" => "jv",
        "kor" => "ko",
        "nob" => "no",
        "dan" => "da",
        "swe" => "sv",
        "fin" => "fi",
        "tur" => "tr",
        "nld" => "nl",
        "hun" => "hu",
        "ces" => "cs",
        "ell" => "el",
        "bul" => "bg",
        "bel" => "be",
        "mar" => "mr",
        "kan" => "kn",
        "ron" => "ro",
        "slv" => "sl",
        "hrv" => "hr",
        "srp" => "sr",
        "mkd" => "mk",
        "lit" => "lt",
        "lav" => "lv",
        "est" => "et",
        "tam" => "ta",
        "vie" => "vi",
        "urd" => "ur",
        "tha" => "th",
        "guj" => "gu",
        "uzb" => "uz",
        "pan" => "pa",
        "aze" => "az",
        "ind" => "id",
        "tel" => "te",
        "pes" => "fa",
        "mal" => "ml",
        "ori" => "or",
        "mya" => "my",
        "nep" => "ne",
        "sin" => "si",
        "khm" => "km",
        "tuk" => "tk",
        "aka" => "ak",
        "zul" => "zu",
        "sna" => "sn",
        "afr" => "af",
        "lat" => "la",
        "slk" => "sk",
        "cat" => "ca",
        "tgl" => "tl",
        "hye" => "hy",
        "cym" => "cy",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const GERMAN: &str = "Die Liste der Benutzer ist normalerweise in einer Datei gespeichert, die jeder \
                          lesen und niemand außer dem Verwalter ändern kann.";
    const ENGLISH: &str = "There are several types of accounts, and each of them has a home, a shell and \
                           a number by which the system knows it.";

    #[test]
    fn a_translation_that_is_not_finished_is_in_the_language_of_most_lines() {
        let mixed = format!("{GERMAN}\n{ENGLISH}\n{GERMAN}\n/etc/passwd");
        assert_eq!(of_most_lines(&mixed), Some("de"));
        assert_eq!(of_most_lines(&format!("{GERMAN}\n{ENGLISH}\n{ENGLISH}")), Some("en"));
        assert_eq!(detect_language(&mixed).as_deref(), Some("de"));
        assert_eq!(of_most_lines("short\nlines"), None);
    }
}
