//! Which language a text is in, as far as stems and stopwords are concerned.

use rust_stemmers::Algorithm;
use serde::{Deserialize, Serialize};
use whatlang::{Detector, Lang, Script};

use crate::stopwords::{bit, languages_of};
use crate::words::{composed, each_lower};

/// A language that Probity stems, or any other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "each is the language of its name")]
pub enum Language {
    Arabic,
    Danish,
    Dutch,
    English,
    Finnish,
    French,
    German,
    Greek,
    Hungarian,
    Italian,
    Norwegian,
    Polish,
    Portuguese,
    Romanian,
    Russian,
    Spanish,
    Swedish,
    Tamil,
    Turkish,
    /// A language without stemmer: its words are compared as they are.
    Other,
}

/// What is known of a language: its code among detected ones, its stemmer, its stopwords.
type Known = (Language, Lang, Option<Algorithm>, &'static str);

/// Every language but [`Language::Other`], in the order of their discriminants.
const KNOWN: [Known; 19] = {
    use {Algorithm as A, Lang as L, Language as N};
    [
        (N::Arabic, L::Ara, Some(A::Arabic), include_str!("stopwords/ar.txt")),
        (N::Danish, L::Dan, Some(A::Danish), include_str!("stopwords/da.txt")),
        (N::Dutch, L::Nld, Some(A::Dutch), include_str!("stopwords/nl.txt")),
        (N::English, L::Eng, Some(A::English), include_str!("stopwords/en.txt")),
        (N::Finnish, L::Fin, Some(A::Finnish), include_str!("stopwords/fi.txt")),
        (N::French, L::Fra, Some(A::French), include_str!("stopwords/fr.txt")),
        (N::German, L::Deu, Some(A::German), include_str!("stopwords/de.txt")),
        (N::Greek, L::Ell, Some(A::Greek), include_str!("stopwords/el.txt")),
        (N::Hungarian, L::Hun, Some(A::Hungarian), include_str!("stopwords/hu.txt")),
        (N::Italian, L::Ita, Some(A::Italian), include_str!("stopwords/it.txt")),
        (N::Norwegian, L::Nob, Some(A::Norwegian), include_str!("stopwords/no.txt")),
        (N::Polish, L::Pol, None, include_str!("stopwords/pl.txt")),
        (N::Portuguese, L::Por, Some(A::Portuguese), include_str!("stopwords/pt.txt")),
        (N::Romanian, L::Ron, Some(A::Romanian), include_str!("stopwords/ro.txt")),
        (N::Russian, L::Rus, Some(A::Russian), include_str!("stopwords/ru.txt")),
        (N::Spanish, L::Spa, Some(A::Spanish), include_str!("stopwords/es.txt")),
        (N::Swedish, L::Swe, Some(A::Swedish), include_str!("stopwords/sv.txt")),
        (N::Tamil, L::Tam, Some(A::Tamil), ""),
        (N::Turkish, L::Tur, Some(A::Turkish), include_str!("stopwords/tr.txt")),
    ]
};

/// How much of a text is looked at to tell its language.
const DETECTION_BYTES: usize = 4_000;

impl Language {
    /// Every language, in the order of their discriminants.
    #[expect(clippy::indexing_slicing, reason = "in a constant it would not compile out of bounds")]
    pub const ALL: [Language; KNOWN.len() + 1] = {
        let mut all = [Language::Other; KNOWN.len() + 1];
        let mut at = 0;
        while at < KNOWN.len() {
            all[at] = KNOWN[at].0;
            at += 1;
        }
        all
    };

    /// Tells the language of a text, also of a short question.
    ///
    /// Statistics over letters are unreliable below a few sentences, so the stopwords of each
    /// language vote first; letters decide only when no list has more hits than the others.
    /// A Latin text that nothing decides is taken as English.
    ///
    /// ```
    /// use probity_text::Language;
    ///
    /// assert_eq!(Language::detect("How much does a flamenco guitarist charge?"), Language::English);
    /// assert_eq!(Language::detect("Wie viel verlangt ein Gitarrist?"), Language::German);
    /// assert_eq!(Language::detect("Сколько стоит урок гитары?"), Language::Russian);
    /// ```
    pub fn detect(text: &str) -> Self {
        let sample =
            composed(text.get(..text.floor_char_boundary(DETECTION_BYTES)).unwrap_or(text));
        let sample = sample.as_ref();
        let Some(script) = whatlang::detect_script(sample) else { return Language::English };
        if !matches!(script, Script::Latin | Script::Cyrillic | Script::Arabic) {
            return match script {
                Script::Greek => Language::Greek,
                Script::Tamil => Language::Tamil,
                _ => Language::Other,
            };
        }
        let (leading, _) = by_stopwords(sample);
        match leading.as_slice() {
            [language] => return *language,
            // Danish and Norwegian have most stopwords in common: which of them it is, letters tell. Beside English
            // they do where there is one that English has not: "Was", "in" and "am" are German words too.
            [_, ..] if !leading.contains(&Language::English) || has_foreign_letter(sample) => {
                return by_letters(sample, &leading);
            }
            _ => {}
        }
        match whatlang::detect(sample) {
            Some(info) if info.is_reliable() => Self::from_lang(info.lang()),
            _ if script == Script::Latin => Language::English,
            _ => Language::Other,
        }
    }

    /// Tells the language of one of many headlines: quickly, by script and stopwords alone. A single
    /// stopword does not make a Latin headline foreign, as `die` does not in "Dozens die".
    ///
    /// ```
    /// use probity_text::Language;
    ///
    /// assert_eq!(Language::of_headline("Dozens die in Tarrena"), Language::English);
    /// assert_eq!(Language::of_headline("Die Inflation in Deutschland ist hoch"), Language::German);
    /// assert_eq!(Language::of_headline("Was fressen Wölfe in Deutschland am meisten?"), Language::German);
    /// assert_eq!(Language::of_headline("Цены на нефть выросли"), Language::Russian);
    /// ```
    pub fn of_headline(text: &str) -> Self {
        let sample = text.get(..text.floor_char_boundary(DETECTION_BYTES)).unwrap_or(text);
        match whatlang::detect_script(sample) {
            None => Language::English,
            Some(Script::Latin) => match by_stopwords(sample) {
                (leading, 2..) if leading.len() == 1 => {
                    leading.first().copied().unwrap_or(Language::English)
                }
                (leading, 2..) if has_foreign_letter(sample) => by_letters(sample, &leading),
                _ => Language::English,
            },
            Some(Script::Cyrillic) => Language::Russian,
            Some(Script::Arabic) => Language::Arabic,
            Some(Script::Greek) => Language::Greek,
            Some(Script::Tamil) => Language::Tamil,
            Some(_) => Language::Other,
        }
    }

    fn from_lang(lang: Lang) -> Self {
        KNOWN.iter().find(|known| known.1 == lang).map_or(Language::Other, |known| known.0)
    }

    /// The stemming algorithm of Snowball, where there is one.
    pub(crate) fn algorithm(self) -> Option<Algorithm> {
        KNOWN.get(self as usize)?.2
    }

    /// Its list of stopwords.
    pub(crate) fn stopword_list(self) -> &'static str {
        KNOWN.get(self as usize).map_or("", |known| known.3)
    }

    /// Whether a comma stands before its decimals, so that a point before three digits divides thousands.
    pub(crate) fn has_decimal_comma(self) -> bool {
        !matches!(self, Language::English | Language::Arabic | Language::Tamil | Language::Other)
    }

    /// Whether it writes compounds as one word whose last part says what kind of thing it is (`Elektrozaun`).
    pub(crate) fn compounds(self) -> bool {
        use Language::{Danish, Dutch, German, Norwegian, Swedish};
        matches!(self, Danish | Dutch | German | Norwegian | Swedish)
    }

    /// Whether short words are glued to the next with an apostrophe (`l'eau`, `dell'arte`).
    pub(crate) fn elides(self) -> bool {
        matches!(self, Language::French | Language::Italian)
    }
}

/// The languages with the most stopwords in the text, and how many; none where the text has none.
fn by_stopwords(text: &str) -> (Vec<Language>, usize) {
    let mut hits = [0_usize; Language::ALL.len()];
    each_lower(text, |word| {
        let mut of = languages_of(word);
        // Half of Polish's most frequent words are English ones too (to, do, on, my): they tell nothing.
        if of & bit(Language::English) != 0 {
            of &= !bit(Language::Polish);
        }
        for (language, hits) in hits.iter_mut().enumerate().filter(|_| of != 0) {
            *hits += usize::from(of >> language & 1 != 0);
        }
    });
    let most = hits.into_iter().max().unwrap_or(0);
    let leading = Language::ALL.into_iter().zip(hits).filter(|(_, hits)| *hits == most && most > 0);
    (leading.map(|(language, _)| language).collect(), most)
}

/// Whether a text has a letter that English words are not written with.
fn has_foreign_letter(text: &str) -> bool {
    text.chars().any(|c| !c.is_ascii() && c.is_alphabetic())
}

/// The one of a few languages whose letters are most like those of a text.
fn by_letters(text: &str, among: &[Language]) -> Language {
    let codes = KNOWN.iter().filter(|known| among.contains(&known.0)).map(|known| known.1);
    let detected = Detector::with_allowlist(codes.collect()).detect_lang(text);
    detected.map_or(Language::Other, Language::from_lang)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn discriminants_follow_the_table() {
        for (index, language) in Language::ALL.into_iter().enumerate() {
            assert_eq!(language as usize, index);
        }
    }

    #[test]
    fn short_questions_are_distinguished() {
        for (text, expected) in [
            ("What is the capital of Australia?", Language::English),
            ("Quel est le prix de l'électricité en France ?", Language::French),
            ("Wie hoch ist die Inflation in Deutschland?", Language::German),
            ("¿Cuánto cuesta un piso en Madrid?", Language::Spanish),
            ("Quanto costa una casa a Roma?", Language::Italian),
            ("Ile mieszkańców ma miasto Kraków i dlaczego?", Language::Polish),
            ("Hoeveel inwoners heeft de stad Utrecht?", Language::Dutch),
            ("Ποιο είναι το ύψος του Ολύμπου;", Language::Greek),
            ("中国的首都是哪里？", Language::Other),
            ("Was fressen Wölfe in Deutschland am meisten?", Language::German),
            ("Woher kommt das Wort Brille?", Language::German),
            ("Was Björk in Reykjavík as a child?", Language::English),
            ("GDP 2024", Language::English),
            ("", Language::English),
        ] {
            assert_eq!(Language::detect(text), expected, "{text}");
        }
    }
}
