//! Words, their stems and their families.

use probity_text::Language;
use probity_text::family::family;
use probity_text::glossary::Glossary;
use probity_text::stopwords::stopwords;
use probity_text::words::{Stemmer, bare, each_lower, words};
use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization as _;

#[test]
fn the_forms_of_a_word_meet_in_one_stem_in_every_language() {
    use Language as L;
    for (language, forms) in [
        (L::English, &["connect", "connected", "connecting", "connection"][..]),
        (L::German, &["hafen", "hafens"]),
        (L::French, &["continuel", "continuelle", "continuellement"]),
        (L::Spanish, &["casa", "casas"]),
        (L::Italian, &["porto", "porti"]),
        (L::Portuguese, &["barco", "barcos"]),
        (L::Dutch, &["boot", "boten"]),
        (L::Polish, &["komputer", "komputera", "komputerów"]),
        (L::Swedish, &["hamn", "hamnen", "hamnar"]),
        (L::Danish, &["havn", "havnen"]),
        (L::Norwegian, &["havn", "havnen"]),
        (L::Finnish, &["talo", "talot", "talossa"]),
        (L::Russian, &["лодка", "лодки", "лодку"]),
        (L::Turkish, &["kitap", "kitaplar"]),
    ] {
        let stemmer = Stemmer::new(language);
        let stems: Vec<String> = forms.iter().map(|form| stemmer.stem(form).into_owned()).collect();
        assert!(stems.iter().all(|stem| *stem == stems[0]), "{language:?}: {stems:?}");
        assert_eq!(stemmer.language(), language);
    }
}

#[test]
fn different_words_keep_different_stems() {
    let stemmer = Stemmer::new(Language::English);
    for (one, other) in
        [("harbour", "harvest"), ("ferry", "fern"), ("price", "prize"), ("2019", "2020")]
    {
        assert_ne!(stemmer.stem(one), stemmer.stem(other));
    }
}

#[test]
fn an_article_before_an_apostrophe_is_no_part_of_the_word() {
    for (language, with, without) in [
        (Language::French, "l'hôtel", "hôtel"),
        (Language::French, "aujourd'hui", "aujourd'hui"),
        (Language::Italian, "dell'arte", "arte"),
        (Language::Italian, "un'isola", "isola"),
    ] {
        let stemmer = Stemmer::new(language);
        assert_eq!(stemmer.stem(with), stemmer.stem(without), "{with}");
    }
    let english = Stemmer::new(Language::English);
    assert_eq!(english.stem("o'brien"), "o'brien");
}

#[test]
fn no_stopword_is_a_content_word_and_each_is_written_as_words_are_read() {
    for language in Language::ALL {
        let stemmer = Stemmer::new(language);
        for word in stopwords(language) {
            assert_eq!(stemmer.content_stem(word), None, "{language:?} {word}");
            assert_eq!(*word, word.to_lowercase(), "{language:?}");
            assert!(!word.contains(['’', 'ʼ']), "{language:?} {word}");
        }
    }
    assert!(stopwords(Language::Other).is_empty());
}

#[test]
fn words_keep_what_belongs_together_and_part_what_does_not() {
    for (text, wanted) in [
        ("The town’s by-law", &["the", "town's", "by", "law"][..]),
        ("reuters.com/world", &["reuters", "com", "world"]),
        ("the U.S. and the E.U.", &["the", "u.s", "and", "the", "e.u"]),
        ("1,200.50 crowns", &["1,200.50", "crowns"]),
        ("ended.Then", &["ended", "then"]),
        ("ÉTÉ Straße", &["été", "straße"]),
        ("don't can’t", &["don't", "can't"]),
        ("ﬁsh & chips", &["ﬁsh", "chips"]),
        ("— … ?", &[]),
    ] {
        let found: Vec<String> = words(text).map(|word| word.lower.into_owned()).collect();
        assert_eq!(found, wanted, "{text}");
    }
}

#[test]
fn a_possessive_ending_goes_and_nothing_else_does() {
    for (word, without) in
        [("town's", "town"), ("town’s", "town"), ("towns'", "towns'"), ("'s", ""), ("bus", "bus")]
    {
        assert_eq!(bare(word), without);
    }
}

#[test]
fn a_glossary_remembers_words_by_language() {
    let mut glossary = Glossary::default();
    let english = Stemmer::new(Language::English);
    let german = Stemmer::new(Language::German);
    let term = |stemmer: &Stemmer, word: &str| stemmer.content_stem(word).map(|s| s.into_owned());
    let text = "die Boote die";
    let in_english = glossary.terms(text, Language::English, &|word| term(&english, word));
    let in_german = glossary.terms(text, Language::German, &|word| term(&german, word));
    assert_eq!(in_english, "die boot die");
    assert_eq!(in_german, "boot");
}

#[test]
fn capitals_and_the_composition_of_letters_change_no_stem() {
    for (language, text) in [
        (Language::German, "Die Häfen der größeren Städte für Fährschiffe"),
        (Language::French, "Les traversées d'été coûtent plus cher à l'île"),
        (Language::Spanish, "Las islas pequeñas están más allá del muelle"),
        (Language::Portuguese, "As estações da travessia são às três horas"),
        (Language::Polish, "Największe żaglowce świata wpłynęły do Gdańska"),
        (Language::Swedish, "Färjorna till öarna går på måndagar"),
        (Language::Danish, "Færgerne til øerne sejler på lørdage"),
        (Language::Finnish, "Lautat saarille lähtevät yhdeksältä"),
        (Language::Hungarian, "A hajók a szigetekre öt órakor indulnak"),
        (Language::Romanian, "Vapoarele către insulă pleacă dimineața"),
        (Language::Russian, "Паромы на острова отходят утром и ещё вечером"),
        (Language::Greek, "Τα πλοία για τα νησιά φεύγουν το πρωί"),
    ] {
        let stemmer = Stemmer::new(language);
        let stems = stemmer.content_stems(text);
        assert!(stems.len() > 2, "{language:?} {stems:?}");
        let apart: String = text.nfd().collect();
        assert_eq!(stemmer.content_stems(&apart), stems, "{language:?}");
        // A capital of ß is SS, which no stemmer takes back.
        assert_eq!(
            stemmer.content_stems(&text.replace('ß', "SS").to_uppercase()),
            stemmer.content_stems(&text.replace('ß', "ss")),
            "{language:?}"
        );
    }
}

#[test]
fn a_dotted_capital_is_the_same_letter_in_a_turkish_name() {
    for language in [Language::English, Language::Turkish, Language::German] {
        let stemmer = Stemmer::new(language);
        assert_eq!(stemmer.content_stems("İzmir"), stemmer.content_stems("Izmir"), "{language:?}");
    }
}

fn language() -> impl Strategy<Value = Language> {
    prop::sample::select(Language::ALL.to_vec())
}

proptest! {
    #[test]
    fn any_word_of_any_language_has_a_stem(word in "\\PC{0,40}", language in language()) {
        let lower = word.to_lowercase();
        let stemmer = Stemmer::new(language);
        let _ = stemmer.stem(&lower);
        prop_assert!(stemmer.content_stem(&lower).is_none_or(|stem| !stem.is_empty()));
    }

    #[test]
    fn content_stems_are_distinct_and_do_not_change_with_case(text in "[a-zA-Z ]{0,80}", language in language()) {
        let stemmer = Stemmer::new(language);
        let stems = stemmer.content_stems(&text);
        let distinct: std::collections::BTreeSet<&String> = stems.iter().collect();
        prop_assert_eq!(distinct.len(), stems.len());
        prop_assert_eq!(stemmer.content_stems(&text.to_uppercase()), stems);
    }

    #[test]
    fn a_glossary_says_what_reading_word_by_word_says(texts in prop::collection::vec("[a-c ']{0,30}|\\PC{0,20}", 1..6)) {
        let stemmer = Stemmer::new(Language::English);
        let term = |word: &str| stemmer.content_stem(word).map(|stem| stem.replace(' ', ""));
        let mut glossary = Glossary::default();
        for text in &texts {
            let mut wanted = Vec::new();
            each_lower(text, |word| wanted.extend(term(word).filter(|term| !term.is_empty())));
            prop_assert_eq!(glossary.terms(text, Language::English, &term), wanted.join(" "));
        }
    }

    #[test]
    fn the_key_of_a_family_belongs_to_the_same_family(stem in "[a-z]{0,14}") {
        // One ending goes at a time, so that a key may itself have one; but it never grows.
        let key = family(&stem);
        prop_assert!(stem.starts_with(key) && key.starts_with(family(key)));
        prop_assert!(stem.len() < 4 || key.len() >= 4);
    }
}
