//! Which language is detected in a text.

use probity_text::Language;
use proptest::prelude::*;

const PROSE: &[(Language, &str)] = &[
    (
        Language::English,
        "The ferry to the island leaves the quay at nine and it comes back at five.",
    ),
    (
        Language::German,
        "Die Fähre zur Insel fährt um neun vom Kai ab und sie kommt um fünf zurück.",
    ),
    (
        Language::French,
        "Le bateau pour l'île part du quai à neuf heures et il revient dans la soirée.",
    ),
    (Language::Spanish, "El barco a la isla sale del muelle a las nueve y vuelve por la tarde."),
    (
        Language::Italian,
        "Il traghetto per l'isola parte dal molo alle nove e poi torna nella sera.",
    ),
    (
        Language::Portuguese,
        "O barco para a ilha sai do cais às nove horas e não volta antes da noite.",
    ),
    (
        Language::Dutch,
        "De veerboot naar het eiland vertrekt om negen uur en hij komt om vijf uur terug.",
    ),
    (
        Language::Polish,
        "Prom na wyspę odpływa o dziewiątej i wraca dopiero wieczorem, bo nie ma innego.",
    ),
    (
        Language::Swedish,
        "Färjan till ön går klockan nio och den kommer inte tillbaka förrän på kvällen.",
    ),
    (
        Language::Danish,
        "Færgen til øen sejler klokken ni, og den kommer ikke tilbage før om aftenen.",
    ),
    (
        Language::Finnish,
        "Lautta saarelle lähtee kello yhdeksän ja se palaa vasta illalla, koska ei ole muuta.",
    ),
    (
        Language::Hungarian,
        "A komp a szigetre kilenckor indul, és csak este jön vissza, mert nincs másik.",
    ),
    (
        Language::Turkish,
        "Adaya giden vapur saat dokuzda kalkar ve akşam geri döner, çünkü başka bir vapur yok.",
    ),
    (Language::Russian, "Паром на остров отходит в девять и возвращается только вечером."),
    (Language::Greek, "Το πλοίο για το νησί φεύγει στις εννέα και γυρίζει το βράδυ."),
    (Language::Arabic, "العبارة إلى الجزيرة تغادر في التاسعة وتعود في المساء."),
    (Language::Other, "渡し船は九時に出て夕方に戻ります。"),
    (Language::Other, "המעבורת לאי יוצאת בתשע וחוזרת בערב."),
];

#[test]
fn a_sentence_of_prose_is_found_to_be_in_its_language() {
    for (language, text) in PROSE {
        assert_eq!(Language::detect(text), *language, "{text}");
    }
}

#[test]
fn a_long_text_is_recognised_by_its_beginning() {
    for (language, text) in PROSE {
        let long = format!("{text} ").repeat(400);
        assert_eq!(Language::detect(&long), *language, "{text}");
    }
}

#[test]
fn a_headline_is_foreign_only_when_more_than_one_word_says_so() {
    for (headline, wanted) in [
        ("Dozens die in ferry accident", Language::English),
        ("Il Divo returns to the stage", Language::English),
        ("PSV 3, Ajax 1", Language::English),
        ("Der Hafen wird für die Fähre gesperrt", Language::German),
        ("Le port de la ville est fermé", Language::French),
        ("Порт закрыт", Language::Russian),
        ("港が閉鎖", Language::Other),
        ("", Language::English),
    ] {
        assert_eq!(Language::of_headline(headline), wanted, "{headline}");
    }
}

#[test]
fn a_language_is_written_and_read_by_its_name() {
    for language in Language::ALL {
        let written = serde_json::to_string(&language).unwrap();
        assert_eq!(written, format!("\"{}\"", format!("{language:?}").to_lowercase()));
        assert_eq!(serde_json::from_str::<Language>(&written).unwrap(), language);
    }
    assert!(serde_json::from_str::<Language>("\"klingon\"").is_err());
}

proptest! {
    #[test]
    fn signs_and_figures_do_not_change_the_language(noise in "[0-9%$€()\\[\\]*#… ]{0,40}", which in 0..PROSE.len()) {
        let (language, text) = PROSE[which];
        prop_assert_eq!(Language::detect(&format!("{noise} {text} {noise}")), language);
    }
}
