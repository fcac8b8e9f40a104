//! Numbers, units and dates as each language writes them: what means the same is read as the same.

use probity_text::Language;
use probity_text::date_mention::{Agreement, DateMention, dates};
use probity_text::quantity::{Amount, Match, Quantity, Unit, quantities};
use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization as _;

fn only(text: &str) -> Quantity {
    let found = quantities(text);
    assert_eq!(found.len(), 1, "{text}: {found:?}");
    found[0].clone()
}

fn only_date(text: &str) -> DateMention {
    let found = dates(text);
    assert_eq!(found.len(), 1, "{text}: {found:?}");
    found[0].1
}

/// What a sentence of any language says confirms the English one, and the other way round.
fn same(english: &str, foreign: &str) {
    let (english, other) = (only(english), only(foreign));
    assert_eq!(english.against(&other), Match::Confirmed, "{foreign}: {english:?} {other:?}");
    assert_eq!(other.against(&english), Match::Confirmed, "{foreign}: {other:?} {english:?}");
}

#[test]
fn millions_and_billions_are_the_same_in_every_language() {
    for (english, foreign) in [
        ("3 million euros", "3 Millionen Euro"),
        ("3 million euros", "3 Mio. Euro"),
        ("3 million euros", "3 millions d'euros"),
        ("3 million euros", "3 millones de euros"),
        ("3 million euros", "3 milioni di euro"),
        ("3 million euros", "3 milhões de euros"),
        ("3 million euros", "3 miljoen euro"),
        ("3 million euros", "3 miljoner euro"),
        ("3 million euros", "3 millioner euro"),
        ("3 million euros", "3 mln euro"),
        ("2 billion euros", "2 Milliarden Euro"),
        ("2 billion euros", "2 milliards d'euros"),
        ("2 billion euros", "2 mil millones de euros"),
        ("2 billion euros", "2 miliardi di euro"),
        ("2 billion euros", "2 miljard euro"),
        ("2 billion euros", "2 miljarder euro"),
        ("2 billion euros", "2 mld euro"),
        ("2 trillion euros", "2 Billionen Euro"),
        ("30,000 euros", "30 tusen euro"),
        ("30,000 euros", "30 mila euro"),
        ("30,000 euros", "30 duizend euro"),
        ("30,000 boats", "30 tys. statków"),
        ("30,000 boats", "30 тысяч лодок"),
        ("5 million boats", "5 млн лодок"),
    ] {
        same(english, foreign);
    }
}

#[test]
fn times_shares_and_measures_are_the_same_in_every_language() {
    for (english, others) in [
        (
            "90 minutes",
            &["90 Minuten", "90 minutos", "90 minuti", "90 minuten", "90 minut", "90 minuter"][..],
        ),
        (
            "3 hours",
            &["3 Stunden", "3 heures", "3 horas", "3 ore", "3 uren", "3 godziny", "3 timmar"],
        ),
        ("3 days", &["3 Tage", "3 jours", "3 días", "3 giorni", "3 dias", "3 dagen", "3 dni"]),
        (
            "6 weeks",
            &["6 Wochen", "6 semaines", "6 semanas", "6 settimane", "6 weken", "6 tygodni"],
        ),
        ("18 months", &["18 Monate", "18 mois", "18 meses", "18 mesi", "18 maanden", "18 månader"]),
        ("12 years", &["12 Jahre", "12 ans", "12 años", "12 anni", "12 anos", "12 lat", "12 år"]),
        ("12 %", &["12 Prozent", "12 procent", "12 prosent", "12 процентов", "12 por ciento"]),
        ("2 percentage points", &["2 Prozentpunkte", "2 procentpunten", "2 procentenheter"]),
        ("5 km", &["5 Kilometer", "5 kilomètres", "5 kilómetros", "5 chilometri", "5 kilometrów"]),
        ("40 tonnes", &["40 Tonnen", "40 toneladas", "40 tonnellate", "40 ton"]),
        ("40 hectares", &["40 Hektar", "40 hectáreas", "40 ettari", "40 hektar"]),
    ] {
        others.iter().for_each(|other| same(english, other));
    }
}

#[test]
fn a_code_before_a_number_is_its_currency() {
    for (text, value, currency) in [
        ("CHF 1’200.50", 1_200.5, "franc"),
        ("SEK 40", 40.0, "krone"),
        ("PLN 40", 40.0, "zloty"),
        ("40 zł", 40.0, "zloty"),
        ("R$ 40", 40.0, "real"),
        ("R$40 million", 4e7, "real"),
    ] {
        let found = only(text);
        assert_eq!((found.amount, found.unit), (Amount::Number(value), Unit::Money(currency)));
    }
    assert_eq!(only("won 40 medals").unit, Unit::Count, "small letters are no code");
}

/// A sentence of a language about a number, and what the language divides thousands by.
const COUNTED: &[(Language, &str, &str)] = &[
    (Language::English, "The town has {} inhabitants and it is not large.", ","),
    (Language::German, "Die Stadt hat {} Einwohner und ist nicht groß.", "."),
    (Language::Spanish, "La torre mide {} metros y fue construida por el rey.", "."),
    (Language::Italian, "La città ha {} abitanti e non è molto grande.", "."),
    (Language::Portuguese, "A cidade tem {} habitantes e não é muito grande.", "."),
    (Language::Dutch, "De stad heeft {} inwoners en is niet groot.", "."),
    (Language::French, "La ville compte {} habitants et elle est dans le nord.", "\u{202f}"),
    (Language::Polish, "Miasto ma {} mieszkańców i nie jest bardzo duże.", "\u{a0}"),
    (Language::Swedish, "Staden har {} invånare och är inte så stor.", " "),
];

/// A number with its thousands divided.
fn divided(number: u32, by: &str) -> String {
    let digits = number.to_string();
    let head = digits.len() % 3;
    let mut groups: Vec<&str> = Vec::new();
    groups.extend(Some(&digits[..head]).filter(|group| !group.is_empty()));
    groups.extend((head..digits.len()).step_by(3).map(|at| &digits[at..at + 3]));
    groups.join(by)
}

#[test]
fn a_point_before_three_digits_is_decimal_in_english_and_where_nothing_tells() {
    for text in ["It took 3.500 seconds to start.", "3.500", "pH 3.500"] {
        let Amount::Number(value) = only(text).amount else { panic!("{text}") };
        assert_eq!(value, 3.5, "{text}");
    }
}

#[test]
fn a_comma_after_a_nought_or_after_four_digits_is_decimal() {
    for (text, wanted) in
        [("0,125 mg", 0.125e-6), ("1234,567 kg", 1_234.567), ("1,234 kg", 1_234.0)]
    {
        let Amount::Number(value) = only(text).amount else { panic!("{text}") };
        assert!((value - wanted).abs() < 1e-9, "{text}: {value}");
    }
}

/// How nine languages write a day, and their months from January on.
const MONTHS: &[(&str, &str, &str)] = &[
    (
        "English",
        "{d} {m} {y}",
        "January February March April May June July August September October November December",
    ),
    (
        "German",
        "{d}. {m} {y}",
        "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    ),
    (
        "French",
        "{d} {m} {y}",
        "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    ),
    (
        "Spanish",
        "{d} de {m} de {y}",
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    ),
    (
        "Italian",
        "{d} {m} {y}",
        "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    ),
    (
        "Portuguese",
        "{d} de {m} de {y}",
        "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    ),
    (
        "Dutch",
        "{d} {m} {y}",
        "januari februari maart april mei juni juli augustus september oktober november december",
    ),
    (
        "Polish",
        "{d} {m} {y}",
        "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
    ),
    (
        "Swedish",
        "{d} {m} {y}",
        "januari februari mars april maj juni juli augusti september oktober november december",
    ),
];

/// A day in one of these languages.
fn day_in(which: usize, day: u8, month: usize, year: i32) -> String {
    let (_, form, months) = MONTHS[which];
    let name = months.split(' ').nth(month - 1).unwrap();
    form.replace("{d}", &day.to_string()).replace("{m}", name).replace("{y}", &year.to_string())
}

#[test]
fn every_month_of_nine_languages_is_read_however_its_letters_are_composed() {
    for (which, (language, ..)) in MONTHS.iter().enumerate() {
        for month in 1..=12 {
            let text = day_in(which, 14, month, 1998);
            for text in [text.clone(), text.nfd().collect()] {
                let found = only_date(&text);
                let parts = (found.year, found.month.map(usize::from), found.day);
                assert_eq!(parts, (Some(1998), Some(month), Some(14)), "{language}: {text}");
            }
        }
    }
}

#[test]
fn a_name_that_is_a_month_elsewhere_is_no_date() {
    for text in ["It was sold by Maj. Reed.", "Maja Reed sold it.", "Marca sold it to Maja."] {
        assert_eq!(dates(text), [], "{text}");
    }
}

proptest! {
    #[test]
    fn a_number_is_the_same_however_a_language_divides_its_thousands(n in 1_000_u32..5_000_000, which in 0..COUNTED.len()) {
        let (language, sentence, mark) = COUNTED[which];
        let text = sentence.replace("{}", &divided(n, mark));
        prop_assert_eq!(Language::detect(&text), language);
        let Amount::Number(value) = only(&text).amount else { panic!("{text}") };
        prop_assert_eq!(value, f64::from(n), "{}", text);
    }

    #[test]
    fn a_day_is_the_same_day_in_any_two_languages(
        day in 1..=31u8, month in 1..=12usize, year in 1_500..2_100i32, one in 0..MONTHS.len(), other in 0..MONTHS.len(),
    ) {
        let mine = only_date(&day_in(one, day, month, year));
        let theirs = only_date(&day_in(other, day, month, year));
        prop_assert_eq!(mine.against(&theirs), Agreement::Same);
    }
}
