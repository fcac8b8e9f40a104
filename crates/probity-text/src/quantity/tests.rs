//! What amounts are read from a text, and when two of them agree.

use proptest::prelude::*;

use super::*;

fn only(text: &str) -> Quantity {
    let found = quantities(text);
    assert_eq!(found.len(), 1, "{text}: {found:?}");
    found[0].clone()
}

fn value(text: &str) -> f64 {
    match only(text).amount {
        Amount::Point { value, .. } => value,
        other => panic!("{text}: {other:?}"),
    }
}

fn compared(claimed: &str, known: &str) -> Match {
    only(claimed).against(&only(known))
}

#[test]
fn one_number_is_read_in_every_form() {
    for text in [
        "1.2 million",
        "1,200,000",
        "1.200.000",
        "1 200 000",
        "1200000",
        "1.2m people".replace("1.2m", "1.2 million").as_str(),
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
        ("one in five", 20.0),
        ("4 out of 10", 40.0),
        ("nine in every ten", 90.0),
        ("12 per cent", 12.0),
        ("12.5%", 12.5),
        ("three quarters", 75.0),
        ("3/4", 75.0),
        ("½", 50.0),
    ] {
        let found = only(text);
        assert_eq!(found.unit, Unit::Percent, "{text}");
        assert!((value(text) - percent).abs() < 1e-9, "{text}");
    }
    assert_eq!(only("3 percentage points").unit, Unit::Points);
}

#[test]
fn units_are_normalised() {
    assert_eq!(value("5 km"), 5_000.0);
    assert_eq!(value("half an hour"), 1_800.0);
    assert_eq!(value("three quarters of an hour"), 2_700.0);
    assert_eq!(value("a 55-decibel limit"), 55.0);
    assert_eq!(value("two years"), 24.0);
    assert_eq!(value("every other year"), value("every two years"));
    assert_eq!(value("every second week"), value("every two weeks"));
    assert!(quantities("the other year").is_empty());
    assert!((value("212 degrees Fahrenheit") - 100.0).abs() < 1e-9);
    assert_eq!(value("90 km/h"), 25.0);
    assert_eq!(value("3 square kilometres"), 3e6);
    assert_eq!(only("40 crowns an hour").per, Some("hour"));
    assert_eq!(only("€12 per person").unit, Unit::Money("euro"));
}

#[test]
fn bounds_ranges_and_changes_are_kept() {
    assert_eq!(only("at least 40").bound, Bound::AtLeast);
    assert_eq!(only("no fewer than 40").bound, Bound::AtLeast);
    assert_eq!(only("40 or more").bound, Bound::AtLeast);
    assert_eq!(only("up to 40").bound, Bound::AtMost);
    assert_eq!(only("some 40 boats").bound, Bound::About);
    assert_eq!(only("between 2 and 3 million").amount, Amount::Range { low: 2e6, high: 3e6 });
    assert_eq!(only("250–400 crowns").amount, Amount::Range { low: 250.0, high: 400.0 });
    assert_eq!(only("10 to 12 km").amount, Amount::Range { low: 10_000.0, high: 12_000.0 });
    assert_eq!(only("rose from 40 to 52").amount, Amount::Change { from: 40.0, to: 52.0 });
    assert_eq!(only("hundreds of boats").amount, Amount::Vague { low: 100.0, high: 1_000.0 });
}

#[test]
fn what_is_counted_is_found() {
    let noun = |text: &str| only(text).counts.map(|range| text.get(range).unwrap().to_owned());
    assert_eq!(noun("1,200 new homes were built").as_deref(), Some("homes"));
    assert_eq!(noun("40 people died").as_deref(), Some("people"));
    assert_eq!(noun("half of the residents").as_deref(), Some("residents"));
    assert_eq!(noun("it was 40"), None);
}

#[test]
fn times_of_day_agree_across_forms() {
    for (a, b) in [
        ("10 pm", "22:00"),
        ("10 p.m.", "ten o'clock"),
        ("noon", "12:00"),
        ("10:30 pm", "22.30 Uhr"),
        ("half past nine", "9:30"),
        ("9 am to 5 pm", "09:00–17:00"),
        ("9 to 11 pm", "21:00-23:00"),
        ("midnight", "12 am"),
        ("ten at night", "22h00"),
    ] {
        assert_eq!(compared(a, b), Match::Confirmed, "{a} {b}");
    }
    assert_eq!(compared("10 pm", "10 am"), Match::Different);
    assert_eq!(compared("10 pm", "11 pm"), Match::Different);
}

#[test]
fn a_claim_is_confirmed_by_what_entails_it() {
    for (claimed, known) in [
        ("about 1,200", "1,243"),
        ("more than 1,200", "1,243"),
        ("at least 40", "40"),
        ("over 1,000", "1,243"),
        ("half", "50 %"),
        ("a third", "33 percent"),
        ("24 months", "two years"),
        ("26 miles", "42 km"),
        ("fewer than 50", "40"),
        ("up to 400", "250 to 400"),
        ("1.2 million", "1,200,000"),
        ("dozens", "48"),
        ("twice", "doubled"),
        ("40", "40 crowns"),
        ("aged 31", "31-year-old"),
        ("31 years old", "aged 31"),
    ] {
        assert_eq!(compared(claimed, known), Match::Confirmed, "{claimed} ← {known}");
    }
    for (claimed, known) in [
        ("1,200", "1,243"),
        ("40", "about 40"),
        ("40", "at least 40"),
        ("12 million", "12.4 million"),
        ("40", "up to 40"),
    ] {
        assert_eq!(compared(claimed, known), Match::Near, "{claimed} ← {known}");
    }
    for (claimed, known) in [
        ("1,300", "1,243"),
        ("40", "41"),
        ("40 km", "40 m"),
        ("40 %", "40 boats"),
        ("40 euros", "40 dollars"),
        ("at least 50", "40"),
        ("300", "250 to 400"),
        ("40 crowns an hour", "40 crowns a day"),
        ("5 percentage points", "5 percent"),
        ("third", "fourth"),
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
        let found = quantities(text);
        assert!(
            found.iter().all(|found| matches!(found.amount, Amount::Ordinal(_))),
            "{text}: {found:?}"
        );
    }
}

proptest! {
    #[test]
    fn any_text_is_searched(text in any::<String>()) {
        for found in quantities(&text) {
            prop_assert!(text.get(found.range.clone()).is_some_and(|piece| !piece.is_empty()));
            prop_assert!(found.counts.is_none_or(|noun| text.get(noun).is_some()));
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
