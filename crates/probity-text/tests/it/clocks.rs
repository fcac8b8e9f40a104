//! Times of day, as people write them.

use probity_text::quantity::{Amount, Clock, Match, quantities};
use proptest::prelude::*;

/// The times of a text: minutes after midnight, and whether it says which half of the day.
fn times(text: &str) -> Vec<(u16, bool)> {
    quantities(text)
        .into_iter()
        .filter_map(|one| match one.amount {
            Amount::Clock(Clock { minutes, known_half }) => Some((minutes, known_half)),
            _ => None,
        })
        .collect()
}

#[test]
fn a_time_of_day_is_read_in_every_form() {
    for (text, hour, minute) in [
        ("at 10 pm", 22, 0),
        ("at 10 p.m.", 22, 0),
        ("at 10:45 p.m. sharp", 22, 45),
        ("at 10.45 pm", 22, 45),
        ("at 9 am", 9, 0),
        ("at 9 in the morning", 9, 0),
        ("at 3 in the afternoon", 15, 0),
        ("at eight in the evening", 20, 0),
        ("at 22:45", 22, 45),
        ("at 00:30", 0, 30),
        ("um 18.30 Uhr", 18, 30),
        ("um 18 Uhr", 18, 0),
        ("à 22h30", 22, 30),
        ("at noon", 12, 0),
        ("at midnight", 0, 0),
        ("at 12 pm", 12, 0),
        ("at 12 am", 0, 0),
        ("at 12:30 am", 0, 30),
        ("at half past nine pm", 21, 30),
        ("at quarter to five in the afternoon", 16, 45),
        ("at 13:05:59", 13, 5),
    ] {
        assert_eq!(times(text), [(hour * 60 + minute, true)], "{text}");
    }
}

#[test]
fn a_time_that_does_not_say_which_half_of_the_day_fits_both() {
    for text in ["at ten o'clock", "at 10:00", "at 10 o’clock"] {
        assert_eq!(times(text), [(600, false)], "{text}");
    }
    let of = |text: &str| quantities(text).remove(0);
    for known in ["10 am", "10 pm", "22:00"] {
        assert_eq!(of("ten o'clock").against(&of(known)), Match::Confirmed, "{known}");
    }
    assert_eq!(of("ten o'clock").against(&of("11 pm")), Match::Different);
}

#[test]
fn both_ends_of_opening_hours_are_read() {
    for (text, from, to) in [
        ("Open 9 am to 5 pm.", 540, 1_020),
        ("Open from 9:00 to 17:30.", 540, 1_050),
        ("Open 9–11 pm.", 1_260, 1_380),
        ("Open between 8 and 10 in the evening.", 1_200, 1_320),
    ] {
        let minutes: Vec<u16> = times(text).into_iter().map(|(minutes, _)| minutes).collect();
        assert_eq!(minutes, [from, to], "{text}");
    }
}

#[test]
fn what_is_no_time_of_day_is_not_read_as_one() {
    for text in [
        "a score of 3:2",
        "at 25:00",
        "at 10:75",
        "a ratio of 1:100",
        "ten people",
        "22 boats",
        "version 10.30",
        "half past the bridge",
    ] {
        assert_eq!(times(text), [], "{text}");
    }
}

proptest! {
    #[test]
    fn every_minute_of_the_day_is_the_same_in_both_systems(minutes in 0u16..1_440) {
        let (hour, minute) = (minutes / 60, minutes % 60);
        let half = if hour < 12 { "am" } else { "pm" };
        let twelve = if hour % 12 == 0 { 12 } else { hour % 12 };
        let short = format!("at {twelve}:{minute:02} {half}");
        prop_assert_eq!(times(&short), [(minutes, true)]);
        let of = |text: &str| quantities(text).remove(0);
        let long = of(&format!("at {hour:02}:{minute:02}"));
        prop_assert_eq!(of(&short).against(&long), Match::Confirmed);
    }

    #[test]
    fn agreement_of_times_is_mutual(a in 0u16..1_440, b in 0u16..1_440, halves in any::<(bool, bool)>()) {
        let a = Clock { minutes: a, known_half: halves.0 };
        let b = Clock { minutes: b, known_half: halves.1 };
        prop_assert_eq!(a.agrees(&b), b.agrees(&a));
        prop_assert!(a.agrees(&a));
    }
}
