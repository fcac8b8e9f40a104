//! Word → its base form: `children` → `child`, `shrank` → `shrink`, `heavier` → `heavy`.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::lexicon::{is_concept, knows};

static IRREGULAR: &str = include_str!("lemma/irregular.txt");

/// Which form of its base a word is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Form {
    /// The base itself.
    Base,
    /// A plural, or the third person of a verb.
    S,
    /// A past form that may be a participle too.
    Past,
    /// A participle that is no past form: `taken`.
    Participle,
    /// The form in `-ing`.
    Ing,
    /// A comparative.
    Comparative,
    /// A superlative.
    Superlative,
}

/// A base form that a word may belong to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lemma {
    /// The base form.
    pub base: String,
    /// Which form of it the word is.
    pub form: Form,
}

static FORMS: LazyLock<HashMap<&'static str, (&'static str, Form)>> = LazyLock::new(|| {
    let lines = IRREGULAR.lines().filter(|line| !line.starts_with('#'));
    let read = |line: &'static str| {
        let mut fields = line.split_whitespace();
        let (word, base, kind) = (fields.next()?, fields.next()?, fields.next()?);
        let form = match kind {
            "P" => Form::Past,
            "N" => Form::Participle,
            "G" => Form::Ing,
            "C" => Form::Comparative,
            "T" => Form::Superlative,
            _ => Form::S,
        };
        Some((word, (base, form)))
    };
    lines.filter_map(read).collect()
});

/// The base of an irregular form: `shrink` of `shrank`.
pub(crate) fn irregular(word: &str) -> Option<&'static str> {
    FORMS.get(word).map(|(base, _)| *base)
}

/// The base forms of a lower-case word, the likeliest first; at least one.
///
/// ```
/// use probity_text::lemma::{Form, lemmas};
///
/// assert_eq!(lemmas("shrank")[0].base, "shrink");
/// assert_eq!(lemmas("heavier")[0].form, Form::Comparative);
/// assert!(lemmas("left").iter().any(|lemma| lemma.base == "leave"));
/// ```
pub fn lemmas(word: &str) -> Vec<Lemma> {
    let word = word.strip_suffix("'s").unwrap_or(word).trim_end_matches('\'');
    let american = respelled(word);
    let word = american.as_deref().filter(|other| !knows(word) && knows(other)).unwrap_or(word);
    let mut found = Vec::new();
    if let Some((base, form)) = FORMS.get(word) {
        found.push(Lemma { base: (*base).to_owned(), form: *form });
    }
    let known = knows(word);
    // "offer" is no comparative of "off", nor "forest" a superlative.
    let own = crate::lexicon::kinds(word).is_some_and(|kinds| kinds.noun + kinds.verb > 0.5);
    let compared = |lemma: &Lemma| matches!(lemma.form, Form::Comparative | Form::Superlative);
    let regular = regular(word).filter(|lemma| !(own && compared(lemma)));
    // "news" and "species" are words of their own; "sees" is not.
    if known && (regular.is_none() || found.is_empty()) {
        found.push(Lemma { base: word.to_owned(), form: Form::Base });
    }
    if let Some(lemma) = regular.filter(|lemma| found.iter().all(|other| other.base != lemma.base))
    {
        let verbal = matches!(lemma.form, Form::Past | Form::Ing | Form::S);
        found.insert(if verbal && known { 0 } else { found.len() }, lemma);
    }
    if found.is_empty() {
        found.push(guess(word));
    }
    found
}

/// The likeliest base form of a lower-case word.
pub fn lemma(word: &str) -> String {
    lemmas(word).into_iter().next().map_or_else(|| word.to_owned(), |lemma| lemma.base)
}

/// British and American spellings meet: `colour` → `color`, `organise` → `organize`.
pub fn respelled(word: &str) -> Option<String> {
    const SWAPS: [(&str, &str); 16] = [
        ("isation", "ization"),
        ("ising", "izing"),
        ("ised", "ized"),
        ("ises", "izes"),
        ("ise", "ize"),
        ("yse", "yze"),
        ("ysed", "yzed"),
        ("our", "or"),
        ("ours", "ors"),
        ("oured", "ored"),
        ("ouring", "oring"),
        ("ourite", "orite"),
        ("ourable", "orable"),
        ("tre", "ter"),
        ("tres", "ters"),
        ("ogue", "og"),
    ];
    const WORDS: [(&str, &str); 18] = [
        ("grey", "gray"),
        ("plough", "plow"),
        ("ploughed", "plowed"),
        ("tyre", "tire"),
        ("tyres", "tires"),
        ("programme", "program"),
        ("programmes", "programs"),
        ("defence", "defense"),
        ("licence", "license"),
        ("offence", "offense"),
        ("aluminium", "aluminum"),
        ("jewellery", "jewelry"),
        ("mould", "mold"),
        ("mouldy", "moldy"),
        ("cheque", "check"),
        ("kerb", "curb"),
        ("sceptical", "skeptical"),
        ("moustache", "mustache"),
    ];
    if let Some((_, other)) = WORDS.iter().find(|(british, _)| *british == word) {
        return Some((*other).to_owned());
    }
    if let Some(stem) = ["elled", "elling", "eller"].iter().find_map(|end| word.strip_suffix(end)) {
        let end = word.get(stem.len() + 2..)?;
        return Some(format!("{stem}el{end}").replace("elel", "el"));
    }
    SWAPS.iter().find_map(|(from, to)| {
        word.strip_suffix(from).filter(|stem| stem.len() > 2).map(|stem| format!("{stem}{to}"))
    })
}

/// Takes a regular ending off, where what is left is a known word.
fn regular(word: &str) -> Option<Lemma> {
    const ENDINGS: [(&str, &[&str], Form); 14] = [
        ("ies", &["y", "ie"], Form::S),
        ("es", &["e", ""], Form::S),
        ("s", &[""], Form::S),
        ("ied", &["y", "ie"], Form::Past),
        ("ed", &["e", ""], Form::Past),
        ("ying", &["y", "ie"], Form::Ing),
        ("ing", &["e", ""], Form::Ing),
        ("ier", &["y"], Form::Comparative),
        ("er", &["", "e"], Form::Comparative),
        ("iest", &["y"], Form::Superlative),
        ("est", &["", "e"], Form::Superlative),
        ("ves", &["f", "fe"], Form::S),
        ("men", &["man"], Form::S),
        ("i", &["us"], Form::S),
    ];
    if word.ends_with("ss") || word.ends_with("us") && !word.ends_with("uss") {
        return None;
    }
    ENDINGS.iter().find_map(|(ending, replacements, form)| {
        let stem = word.strip_suffix(ending).filter(|stem| stem.len() >= 2)?;
        let bases = replacements.iter().map(|end| format!("{stem}{end}"));
        let doubled = undoubled(stem).filter(|_| {
            matches!(form, Form::Past | Form::Ing | Form::Comparative | Form::Superlative)
        });
        let fits = |base: &String| (knows(base) || is_concept(base)) && fits_form(base, *form);
        // A doubled consonant is tried last, and "sle" before "sl": "staring" is not "star".
        let base = bases.into_iter().find(fits).or_else(|| doubled.filter(fits))?;
        Some(Lemma { base, form: *form })
    })
}

fn undoubled(stem: &str) -> Option<String> {
    let mut letters = stem.chars().rev();
    let (last, before) = (letters.next()?, letters.next()?);
    (last == before && !"aeiou".contains(last))
        .then(|| stem.chars().take(stem.chars().count() - 1).collect())
}

/// Whether a base can have a form: only adjectives compare, only verbs have a past.
fn fits_form(base: &str, form: Form) -> bool {
    let Some(kinds) = crate::lexicon::kinds(base) else {
        return is_concept(base) && matches!(form, Form::Past | Form::Ing | Form::S);
    };
    match form {
        Form::Past | Form::Ing | Form::Participle => kinds.verb > 0.0,
        Form::Comparative | Form::Superlative => kinds.adjective + kinds.adverb > 0.3,
        Form::S => kinds.noun + kinds.verb > 0.0,
        Form::Base => true,
    }
}

/// The base of an unknown word: a plural loses its `s`, all else stays.
fn guess(word: &str) -> Lemma {
    let plural = word.len() > 3
        && word.ends_with('s')
        && !word.ends_with("ss")
        && !word.ends_with("us")
        && !word.ends_with("is");
    let base = word.strip_suffix('s').filter(|_| plural);
    match base {
        Some(base) => Lemma { base: base.to_owned(), form: Form::S },
        None => Lemma { base: word.to_owned(), form: Form::Base },
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn regular_and_irregular_forms_find_their_base() {
        for (word, base) in [
            ("children", "child"),
            ("cities", "city"),
            ("ferries", "ferry"),
            ("stopped", "stop"),
            ("making", "make"),
            ("fell", "fall"),
            ("heavier", "heavy"),
            ("largest", "large"),
            ("colours", "colour"),
            ("organised", "organise"),
            ("travelled", "travel"),
            ("thieves", "thief"),
            ("town's", "town"),
            ("keas", "kea"),
            ("bus", "bus"),
            ("glass", "glass"),
            ("studies", "study"),
            ("hoping", "hope"),
            ("hopping", "hop"),
            ("staring", "stare"),
        ] {
            assert_eq!(lemma(word), base, "{word}");
        }
    }

    proptest! {
        #[test]
        fn every_word_has_a_base(word in "\\PC{0,12}") {
            prop_assert!(!lemmas(&word).is_empty());
        }
    }
}
