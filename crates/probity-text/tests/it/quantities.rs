//! Numbers with their units and currencies, and when one confirms another.

use probity_text::quantity::{Amount, Match, Quantity, Unit, quantities};
use proptest::prelude::*;

fn only(text: &str) -> Quantity {
    let found = quantities(text);
    assert_eq!(found.len(), 1, "{text}: {found:?}");
    found[0].clone()
}

fn read(text: &str) -> (f64, Unit) {
    let found = only(text);
    match found.amount {
        Amount::Number(value) => (value, found.unit),
        other => panic!("{text}: {other:?}"),
    }
}

fn close(text: &str, value: f64, unit: Unit) {
    let (read, of) = read(text);
    assert_eq!(of, unit, "{text}");
    assert!((read - value).abs() <= 1e-9 * value.abs().max(1.0), "{text}: {read}");
}

#[test]
fn money_is_read_with_sign_code_or_name() {
    for (text, value, currency) in [
        ("$40", 40.0, "dollar"),
        ("US$40", 40.0, "dollar"),
        ("USD 40", 40.0, "dollar"),
        ("40 US dollars", 40.0, "dollar"),
        ("A$1.5bn", 1.5e9, "dollar"),
        ("$5m", 5e6, "dollar"),
        ("€1.200.000", 1.2e6, "euro"),
        ("1,50 €", 1.5, "euro"),
        ("EUR 12", 12.0, "euro"),
        ("£3.2 million", 3.2e6, "pound"),
        ("¥1,000", 1_000.0, "yen"),
        ("₹12 crore", 1.2e8, "rupee"),
        ("250 crowns", 250.0, "crown"),
        ("30 kroner", 30.0, "krone"),
        ("12 francs", 12.0, "franc"),
        ("90 zlotys", 90.0, "zloty"),
    ] {
        close(text, value, Unit::Money(currency));
    }
}

#[test]
fn measures_are_kept_in_their_base_unit() {
    for (text, value, base) in [
        ("12 km", 12_000.0, "metre"),
        ("12 kilometres", 12_000.0, "metre"),
        ("12 kilometers", 12_000.0, "metre"),
        ("a 12-kilometre road", 12_000.0, "metre"),
        ("26 miles", 26.0 * 1_609.344, "metre"),
        ("6 ft", 6.0 * 0.3048, "metre"),
        ("40 cm", 0.4, "metre"),
        ("2 nautical miles", 3_704.0, "metre"),
        ("3 hectares", 30_000.0, "square metre"),
        ("3 km²", 3e6, "square metre"),
        ("40 square metres", 40.0, "square metre"),
        ("2 cubic metres", 2_000.0, "litre"),
        ("2 m³", 2_000.0, "litre"),
        ("330 ml", 0.33, "litre"),
        ("40 tonnes", 40_000.0, "kilogram"),
        ("250 g", 0.25, "kilogram"),
        ("90 minutes", 5_400.0, "second"),
        ("3 weeks", 3.0 * 604_800.0, "second"),
        ("two decades", 240.0, "month"),
        ("18 months", 18.0, "month"),
        ("−5 °C", -5.0, "degree"),
        ("minus 5 degrees", -5.0, "degree"),
        ("23 °F", -5.0, "degree"),
        ("55 dB", 55.0, "decibel"),
        ("72 km/h", 20.0, "metre per second"),
        ("72 kilometres per hour", 20.0, "metre per second"),
        ("5 metres a second", 5.0, "metre per second"),
        ("2 kWh", 7.2e6, "joule"),
        ("2 kilowatt-hours", 7.2e6, "joule"),
        ("40 MW", 4e7, "watt"),
        ("2.4 GHz", 2.4e9, "hertz"),
        ("16 GB", 1.6e10, "byte"),
    ] {
        close(text, value, Unit::Measure(base));
    }
}

#[test]
fn percent_and_percentage_points_are_not_the_same() {
    for text in ["12%", "12 %", "12 percent", "12 per cent", "12 Prozent", "12 por ciento"] {
        close(text, 12.0, Unit::Percent);
    }
    for text in ["12 percentage points", "12 per cent points"] {
        close(text, 12.0, Unit::Measure("percentage point"));
    }
}

#[test]
fn numbers_in_words_are_those_in_figures() {
    for (words, value) in [
        ("seven boats", 7.0),
        ("nineteen boats", 19.0),
        ("ninety-nine boats", 99.0),
        ("a hundred boats", 100.0),
        ("two hundred and five boats", 205.0),
        ("three thousand boats", 3_000.0),
        ("three thousand two hundred boats", 3_200.0),
        ("twelve hundred boats", 1_200.0),
        ("one million boats", 1e6),
        ("two dozen boats", 24.0),
        ("5 thousand boats", 5_000.0),
        ("1.5 million boats", 1.5e6),
        ("3½ boats", 3.5),
        ("two and a half boats", 2.5),
    ] {
        close(words, value, Unit::Count);
    }
}

#[test]
fn a_number_within_a_name_or_a_version_is_no_quantity() {
    for text in ["COVID-19", "an F-16", "version 2.10.3", "one another", "the second half", "B12"] {
        assert_eq!(quantities(text), [], "{text}");
    }
}

#[test]
fn limits_and_estimates_are_known_by_the_words_beside_them() {
    for text in [
        "at least 40 boats",
        "more than 40 boats",
        "about 40 boats",
        "nearly 40 boats",
        "up to 40 boats",
        "as many as 40 boats",
        "40 or more",
        "≥ 40 boats",
        "mindestens 40 Boote",
        "environ 40 bateaux",
        "al menos 40 barcos",
    ] {
        assert!(only(text).bounded, "{text}");
    }
    for text in ["40 boats", "exactly 40 boats", "the 40 boats", "all 40 boats"] {
        assert!(!only(text).bounded, "{text}");
    }
}

#[test]
fn one_kind_of_thing_does_not_confirm_another() {
    for (claimed, known) in [
        ("40 dollars", "40 euros"),
        ("40 km", "40 kg"),
        ("40 percent", "40 km"),
        ("40 percent", "40 percentage points"),
        ("40 crowns", "40 km"),
        ("40 minutes", "40 seconds"),
        ("2 m", "2 m²"),
    ] {
        let (claimed, known) = (only(claimed), only(known));
        assert_eq!(claimed.against(&known), Match::Different, "{claimed:?} {known:?}");
        assert_eq!(known.against(&claimed), Match::Different, "{known:?} {claimed:?}");
    }
}

#[test]
fn a_year_is_confirmed_by_the_same_number() {
    let known = only("It opened in 1998.");
    assert_eq!(only("in 1998").against(&known), Match::Confirmed);
    assert_eq!(only("in 1999").against(&known), Match::Different);
    assert_eq!(only("1998 boats").against(&known), Match::Confirmed);
    assert_eq!(only("1999 boats").against(&known), Match::Different);
}

/// Names of one dimension each, with how many of the first make one of the second.
const CONVERSIONS: &[(&str, &str, f64)] = &[
    ("metres", "kilometres", 1_000.0),
    ("grams", "kilograms", 1_000.0),
    ("minutes", "hours", 60.0),
    ("months", "years", 12.0),
    ("square metres", "hectares", 10_000.0),
    ("watts", "megawatts", 1e6),
    ("millilitres", "litres", 1_000.0),
];

proptest! {
    #[test]
    fn a_measure_confirms_itself_in_a_larger_unit(n in 1u32..900, which in 0..CONVERSIONS.len()) {
        let (small, large, factor) = CONVERSIONS[which];
        let large = only(&format!("{n} {large}"));
        let small = only(&format!("{} {small}", f64::from(n) * factor));
        prop_assert_eq!(large.against(&small), Match::Confirmed);
        prop_assert_eq!(small.against(&large), Match::Confirmed);
    }

    #[test]
    fn a_decimal_number_is_read_with_point_or_comma(whole in 0u32..1_000, part in 1u32..100) {
        let value = f64::from(whole) + f64::from(part) / 100.0;
        for text in [format!("{whole}.{part:02} km"), format!("{whole},{part:02} km")] {
            let Amount::Number(read) = only(&text).amount else { panic!("{text}") };
            prop_assert!((read - value * 1_000.0).abs() < 1e-6, "{}: {}", text, read);
        }
    }

    #[test]
    fn numbers_of_two_digits_are_never_rounded_unsaid(a in 10u32..100, b in 10u32..100) {
        let (claimed, known) = (only(&format!("{a} boats")), only(&format!("{b} boats")));
        let wanted = if a == b { Match::Confirmed } else { Match::Different };
        prop_assert_eq!(claimed.against(&known), wanted);
    }

    #[test]
    fn a_number_without_its_last_digits_is_near_and_never_confirmed(n in 1_001u32..999_999) {
        let step = 10u32.pow(n.ilog10() - 1);
        let rounded = (n + step / 2) / step * step;
        prop_assume!(rounded != n);
        let (claimed, known) = (only(&format!("{rounded} boats")), only(&format!("{n} boats")));
        prop_assert!(claimed.against(&known) <= Match::Near, "{} {}", rounded, n);
        prop_assert_eq!(known.against(&claimed), Match::Different, "more digits than are known");
    }

    #[test]
    fn quantities_stand_in_the_order_of_the_text_and_apart(
        words in prop::collection::vec(prop::sample::select(vec![
            "40", "1,200", "3.5", "half", "km", "%", "$", "10 pm", "14 July", "2019", "to", "and",
            "between", "a", "million", "boats", "–", "at least", "or more", ".", "ten",
        ]), 0..16),
    ) {
        let text = words.join(" ");
        let mut end = 0;
        for found in quantities(&text) {
            prop_assert!(found.range.start >= end, "{:?} in {}", found, text);
            prop_assert!(found.range.end > found.range.start && found.scale > 0.0);
            end = found.range.end;
        }
    }
}
