//! Which language a text is in, as far as stems and stopwords are concerned.

use rust_stemmers::Algorithm;
use serde::{Deserialize, Serialize};
use whatlang::{Lang, Script};

use crate::stopwords::{bit, languages_of};
use crate::words::each_lower;

/// A language that Probity stems, or any other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// Arabic.
    Arabic,
    /// Danish.
    Danish,
    /// Dutch.
    Dutch,
    /// English.
    English,
    /// Finnish.
    Finnish,
    /// French.
    French,
    /// German.
    German,
    /// Greek.
    Greek,
    /// Hungarian.
    Hungarian,
    /// Italian.
    Italian,
    /// Norwegian.
    Norwegian,
    /// Polish.
    Polish,
    /// Portuguese.
    Portuguese,
    /// Romanian.
    Romanian,
    /// Russian.
    Russian,
    /// Spanish.
    Spanish,
    /// Swedish.
    Swedish,
    /// Tamil.
    Tamil,
    /// Turkish.
    Turkish,
    /// A language without stemmer: its words are compared as they are.
    Other,
}

/// How much of a text is looked at to tell its language.
const DETECTION_BYTES: usize = 4_000;

impl Language {
    /// Every language, in the order of their discriminants.
    pub const ALL: [Language; 20] = [
        Language::Arabic,
        Language::Danish,
        Language::Dutch,
        Language::English,
        Language::Finnish,
        Language::French,
        Language::German,
        Language::Greek,
        Language::Hungarian,
        Language::Italian,
        Language::Norwegian,
        Language::Polish,
        Language::Portuguese,
        Language::Romanian,
        Language::Russian,
        Language::Spanish,
        Language::Swedish,
        Language::Tamil,
        Language::Turkish,
        Language::Other,
    ];

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
        let sample = text.get(..text.floor_char_boundary(DETECTION_BYTES)).unwrap_or(text);
        let Some(script) = whatlang::detect_script(sample) else { return Language::English };
        if !matches!(script, Script::Latin | Script::Cyrillic | Script::Arabic) {
            return match script {
                Script::Greek => Language::Greek,
                Script::Tamil => Language::Tamil,
                _ => Language::Other,
            };
        }
        if let Some((language, _)) = by_stopwords(sample) {
            return language;
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
    /// assert_eq!(Language::of_headline("Цены на нефть выросли"), Language::Russian);
    /// ```
    pub fn of_headline(text: &str) -> Self {
        let sample = text.get(..text.floor_char_boundary(DETECTION_BYTES)).unwrap_or(text);
        match whatlang::detect_script(sample) {
            None => Language::English,
            Some(Script::Latin) => match by_stopwords(sample) {
                Some((language, hits)) if hits > 1 => language,
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
        match lang {
            Lang::Ara => Language::Arabic,
            Lang::Dan => Language::Danish,
            Lang::Nld => Language::Dutch,
            Lang::Eng => Language::English,
            Lang::Fin => Language::Finnish,
            Lang::Fra => Language::French,
            Lang::Deu => Language::German,
            Lang::Ell => Language::Greek,
            Lang::Hun => Language::Hungarian,
            Lang::Ita => Language::Italian,
            Lang::Nob => Language::Norwegian,
            Lang::Pol => Language::Polish,
            Lang::Por => Language::Portuguese,
            Lang::Ron => Language::Romanian,
            Lang::Rus => Language::Russian,
            Lang::Spa => Language::Spanish,
            Lang::Swe => Language::Swedish,
            Lang::Tam => Language::Tamil,
            Lang::Tur => Language::Turkish,
            _ => Language::Other,
        }
    }

    /// The stemming algorithm of Snowball, where there is one.
    pub(crate) fn algorithm(self) -> Option<Algorithm> {
        Some(match self {
            Language::Arabic => Algorithm::Arabic,
            Language::Danish => Algorithm::Danish,
            Language::Dutch => Algorithm::Dutch,
            Language::English => Algorithm::English,
            Language::Finnish => Algorithm::Finnish,
            Language::French => Algorithm::French,
            Language::German => Algorithm::German,
            Language::Greek => Algorithm::Greek,
            Language::Hungarian => Algorithm::Hungarian,
            Language::Italian => Algorithm::Italian,
            Language::Norwegian => Algorithm::Norwegian,
            Language::Portuguese => Algorithm::Portuguese,
            Language::Romanian => Algorithm::Romanian,
            Language::Russian => Algorithm::Russian,
            Language::Spanish => Algorithm::Spanish,
            Language::Swedish => Algorithm::Swedish,
            Language::Tamil => Algorithm::Tamil,
            Language::Turkish => Algorithm::Turkish,
            Language::Polish | Language::Other => return None,
        })
    }

    /// Whether short words are glued to the next with an apostrophe (`l'eau`, `dell'arte`).
    pub(crate) fn elides(self) -> bool {
        matches!(self, Language::French | Language::Italian)
    }
}

/// The language with the most stopwords in the text, if one has more than every other, and how many.
fn by_stopwords(text: &str) -> Option<(Language, usize)> {
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
    let most = *hits.iter().max()?;
    let mut first = Language::ALL.into_iter().zip(hits).filter(|(_, hits)| *hits == most);
    let (language, _) = first.next()?;
    (most > 0 && first.next().is_none()).then_some((language, most))
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
    fn short_questions_are_told_apart() {
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
            ("GDP 2024", Language::English),
            ("", Language::English),
        ] {
            assert_eq!(Language::detect(text), expected, "{text}");
        }
    }
}
