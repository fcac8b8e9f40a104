//! What amounts are read from a text, and when two of them agree.

use proptest::prelude::*;

use super::*;

fn only(text: &str) -> Quantity {
    let found = quantities(text);
    assert_eq!(found.len(), 1, "{text}: {found:?}");
    found[0].clone()
}

fn number(quantity: &Quantity) -> f64 {
    match quantity.amount {
        Amount::Number(value) => value,
        other => panic!("{other:?}"),
    }
}

fn value(text: &str) -> f64 {
    number(&only(text))
}

/// The values of a text and their bounds.
fn ends(text: &str) -> Vec<(f64, Unit)> {
    quantities(text).iter().map(|one| (number(one), one.unit)).collect()
}

fn compared(claimed: &str, known: &str) -> Match {
    only(claimed).against(&only(known))
}

#[test]
fn one_number_is_read_in_every_form() {
    for text in [
        "1.2 million",
        "1,200,000",
        "1.200.000,0",
        "1.200.000",
        "1 200 000",
        "1200000",
        "12 lakh",
        "1.2 Millionen",
    ] {
        assert_eq!(value(text), 1_200_000.0, "{text}");
    }
    assert_eq!(value("3bn"), 3e9);
    assert_eq!(value("40k visitors"), 40_000.0);
    assert_eq!(value("two hundred and five thousand"), 205_000.0);
    assert_eq!(value("twenty-one"), 21.0);
    assert_eq!(value("a dozen eggs"), 12.0);
    assert_eq!(value("half a million"), 500_000.0);
    assert_eq!(value("two and a half million"), 2_500_000.0);
    assert_eq!(value("a quarter of a million homes"), 250_000.0);
    assert_eq!(value("−5 °C"), -5.0);
    assert_eq!(value("fourteen hundred"), 1_400.0);
    assert_eq!(value("$5m"), 5e6);
}

#[test]
fn shares_are_percentages() {
    for (text, percent) in [
        ("half", 50.0),
        ("a quarter", 25.0),
        ("two-thirds", 200.0 / 3.0),
        ("12 per cent", 12.0),
        ("12.5%", 12.5),
        ("three quarters", 75.0),
        ("½", 50.0),
    ] {
        let found = only(text);
        assert_eq!(found.unit, Unit::Percent, "{text}");
        assert!((value(text) - percent).abs() < 1e-9, "{text}");
    }
    assert_eq!(only("3 percentage points").unit, Unit::Measure("percentage point"));
}

#[test]
fn units_are_normalised() {
    assert_eq!(value("5 km"), 5_000.0);
    assert_eq!(value("half an hour"), 1_800.0);
    assert_eq!(value("three quarters of an hour"), 2_700.0);
    assert_eq!(value("a 55-decibel limit"), 55.0);
    assert_eq!(value("two years"), 24.0);
    assert!((value("212 degrees Fahrenheit") - 100.0).abs() < 1e-9);
    assert_eq!(value("90 km/h"), 25.0);
    assert_eq!(value("3 square kilometres"), 3e6);
    assert_eq!(only("€12 per person").unit, Unit::Money("euro"));
}

#[test]
fn estimates_and_limits_are_recognised_by_the_words_around_them() {
    for text in ["at least 40", "no fewer than 40", "40 or more", "up to 40", "some 40 boats"] {
        assert!(only(text).bounded, "{text}");
    }
    assert!(!only("a row of 40 boats").bounded);
}

#[test]
fn both_ends_of_a_span_have_its_unit() {
    let crown = Unit::Money("crown");
    assert_eq!(ends("between 2 and 3 million"), [(2e6, Unit::Count), (3e6, Unit::Count)]);
    assert_eq!(ends("250–400 crowns"), [(250.0, crown), (400.0, crown)]);
    let metre = Unit::Measure("metre");
    assert_eq!(ends("10 to 12 km"), [(10_000.0, metre), (12_000.0, metre)]);
    assert_eq!(ends("rose from 40 to 52"), [(40.0, Unit::Count), (52.0, Unit::Count)]);
    assert_eq!(ends("rose by 900 to 18,250 km").first(), Some(&(900.0, Unit::Count)));
}

#[test]
fn times_of_day_agree_across_forms() {
    for (a, b) in [
        ("10 pm", "22:00"),
        ("10 p.m.", "ten o'clock"),
        ("noon", "12:00"),
        ("10:30 pm", "22.30 Uhr"),
        ("half past nine", "9:30"),
        ("midnight", "12 am"),
        ("ten at night", "22h00"),
    ] {
        assert_eq!(compared(a, b), Match::Confirmed, "{a} {b}");
    }
    for (a, b) in [("9 am to 5 pm", "09:00–17:00"), ("9 to 11 pm", "21:00-23:00")] {
        let (a, b) = (quantities(a), quantities(b));
        assert_eq!((a.len(), b.len()), (2, 2));
        assert!(a.iter().zip(&b).all(|(a, b)| a.against(b) == Match::Confirmed), "{a:?} {b:?}");
    }
    assert_eq!(compared("10 pm", "10 am"), Match::Different);
    assert_eq!(compared("10 pm", "11 pm"), Match::Different);
}

#[test]
fn a_claim_is_confirmed_by_the_same_in_other_words() {
    for (claimed, known) in [
        ("half", "50 %"),
        ("a third", "33 percent"),
        ("24 months", "two years"),
        ("26 miles", "42 km"),
        ("1.2 million", "1,200,000"),
        ("40", "about 40"),
        ("40", "40 crowns"),
        ("31 years old", "aged 31"),
    ] {
        assert_eq!(compared(claimed, known), Match::Confirmed, "{claimed} ← {known}");
    }
    for (claimed, known) in [
        ("1,200", "1,243"),
        ("about 1,200", "1,243"),
        ("over 1,000", "1,243"),
        ("fewer than 50", "40"),
        ("41", "about 40"),
        ("12 million", "12.4 million"),
    ] {
        assert_eq!(compared(claimed, known), Match::Near, "{claimed} ← {known}");
    }
    for (claimed, known) in [
        ("1,300", "1,243"),
        ("40", "41"),
        ("over 100", "1,243"),
        ("50", "about 40"),
        ("40 km", "40 m"),
        ("40 euros", "40 dollars"),
        ("5 percentage points", "5 percent"),
        ("21st", "22nd"),
        ("2019", "2020"),
        ("40 minutes", "40 hours"),
    ] {
        assert_eq!(compared(claimed, known), Match::Different, "{claimed} ← {known}");
    }
}

#[test]
fn words_that_only_look_like_numbers_are_left_alone() {
    for text in [
        "no one came",
        "COVID-19 spread",
        "one another",
        "the second half",
        "they were firm",
        "version 3.2.1",
    ] {
        assert_eq!(quantities(text), [], "{text}");
    }
}

proptest! {
    #[test]
    fn any_text_is_searched(text in any::<String>()) {
        for found in quantities(&text) {
            prop_assert!(text.get(found.range.clone()).is_some_and(|piece| !piece.is_empty()));
        }
    }

    #[test]
    fn pieces_of_numbers_never_fail(text in "([0-9]{1,5}|[.,:/–' -]|half|a|million|of|to|between|and|from|pm|km|%|\\$|May|second|th|one|in){0,12}") {
        for found in quantities(&text) {
            prop_assert_eq!(found.against(&found), found.against(&found.clone()));
        }
    }

    #[test]
    fn a_whole_number_confirms_itself_in_every_form(n in 1_u32..2_000_000) {
        let digits = n.to_string();
        let grouped: Vec<char> = digits.chars().rev().collect();
        let grouped: Vec<String> = grouped.chunks(3).map(|chunk| chunk.iter().rev().collect()).collect();
        let with = |mark: &str| grouped.iter().rev().cloned().collect::<Vec<_>>().join(mark);
        let plain = only(&format!("{digits} widgets"));
        for mark in [",", "\u{a0}", "'"] {
            prop_assert_eq!(only(&format!("{} widgets", with(mark))).against(&plain), Match::Confirmed);
        }
    }
}
