//! Dates in several languages, what is no date, and how dates stand to each other.

use probity_text::date_mention::{Agreement, DateMention, dates, is_relative};
use proptest::prelude::*;

/// The years, months and days of a text.
fn parts(text: &str) -> Vec<(Option<i32>, Option<u8>, Option<u8>)> {
    dates(text).into_iter().map(|(_, date)| (date.year, date.month, date.day)).collect()
}

#[test]
fn a_day_is_read_in_seven_languages() {
    for text in [
        "on 14 July 1998",
        "on July 14, 1998",
        "am 14. Juli 1998",
        "le 14 juillet 1998",
        "el 14 de julio de 1998",
        "il 14 luglio 1998",
        "em 14 de julho de 1998",
        "op 14 juli 1998",
        "on the 14th of July, 1998",
        "the fourteenth of July 1998",
        "14.7.1998",
        "14.07.1998",
        "14/07/1998",
        "07/14/1998",
        "1998-07-14",
    ] {
        assert_eq!(parts(text), [(Some(1998), Some(7), Some(14))], "{text}");
    }
}

#[test]
fn every_month_is_known_by_its_name_and_its_short_form() {
    let names = [
        ("January", "Jan"),
        ("February", "Feb"),
        ("March", "Mar"),
        ("April", "Apr"),
        ("May", "May"),
        ("June", "Jun"),
        ("July", "Jul"),
        ("August", "Aug"),
        ("September", "Sept"),
        ("October", "Oct"),
        ("November", "Nov"),
        ("December", "Dec"),
    ];
    for ((long, short), month) in names.into_iter().zip(1..) {
        for name in [long.to_owned(), short.to_owned(), format!("{short}.")] {
            assert_eq!(parts(&format!("on 5 {name} 2020")), [(Some(2020), Some(month), Some(5))]);
            assert_eq!(parts(&format!("in {name} 2020")), [(Some(2020), Some(month), None)]);
        }
    }
}

#[test]
fn spans_of_years_have_both_ends() {
    for (text, from, until) in [
        ("in the 1990s", 1990, 1999),
        ("in the 1800s", 1800, 1899),
        ("1914–1918", 1914, 1918),
        ("1914-18", 1914, 1918),
        ("in the 19th century", 1800, 1900),
        ("in the twentieth century", 1900, 2000),
        ("the twenty-first century", 2000, 2100),
    ] {
        let found = dates(text);
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        assert_eq!((found[0].1.year, found[0].1.until), (Some(from), Some(until)), "{text}");
    }
}

#[test]
fn numbers_and_words_that_are_no_dates_are_left_alone() {
    for text in [
        "2000 people came",
        "$1999",
        "1500 km of road",
        "It may well rain",
        "They march at dawn",
        "an august assembly",
        "Boeing-747",
        "room 40",
        "version 3.2.1",
        "No. 1984",
        "1,984 boats",
    ] {
        assert_eq!(dates(text), [], "{text}");
    }
}

#[test]
fn a_range_holds_the_date_and_nothing_else() {
    for (text, wanted) in [
        ("Signed on March 2nd, 2025 in Dunmore.", "March 2nd, 2025"),
        ("It opened (14 July 1998) again.", "14 July 1998"),
        ("From 2025-03-02 on.", "2025-03-02"),
        ("Since the 1990s only.", "1990s"),
        ("Built in 1902, sold later.", "1902"),
    ] {
        let found = dates(text);
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        assert_eq!(&text[found[0].0.clone()], wanted);
    }
}

#[test]
fn only_a_time_that_needs_the_day_of_writing_is_relative() {
    for text in ["next week", "It closes tonight.", "last year’s fair", "THIS MONTH", "tomorrow"]
    {
        assert!(is_relative(text), "{text}");
    }
    for text in ["last of all", "the next town", "in 2024", "a year later", "this is a month", ""] {
        assert!(!is_relative(text), "{text}");
    }
}

/// A date with at least a year.
fn mention() -> impl Strategy<Value = DateMention> {
    (1_900..2_100i32, prop::option::of(1..=12u8), prop::option::of(1..=31u8)).prop_map(
        |(year, month, day)| DateMention {
            month,
            day: day.filter(|_| month.is_some()),
            ..DateMention::of_year(year)
        },
    )
}

proptest! {
    #[test]
    fn a_day_written_in_figures_is_the_day_written_in_words(year in 1_000..2_150i32, month in 1..=12u8, day in 1..=31u8) {
        let name = ["January", "February", "March", "April", "May", "June", "July", "August",
            "September", "October", "November", "December"][usize::from(month) - 1];
        let wanted = [(Some(year), Some(month), Some(day))];
        prop_assert_eq!(parts(&format!("{year}-{month:02}-{day:02}")), wanted);
        prop_assert_eq!(parts(&format!("{day} {name} {year}")), wanted);
        prop_assert_eq!(parts(&format!("{name} {day}, {year}")), wanted);
    }

    #[test]
    fn every_date_confirms_itself(date in mention()) {
        prop_assert_eq!(date.against(&date), Agreement::Same);
    }

    #[test]
    fn what_a_date_leaves_out_is_finer_the_other_way_round(date in mention()) {
        let month = DateMention { day: None, ..date };
        let year = DateMention { month: None, ..month };
        prop_assert_eq!(year.against(&date), Agreement::Same);
        prop_assert_eq!(month.against(&date), Agreement::Same);
        let finer = |given: bool| if given { Agreement::Finer } else { Agreement::Same };
        prop_assert_eq!(date.against(&year), finer(date.month.is_some()));
        prop_assert_eq!(date.against(&month), finer(date.day.is_some()));
    }

    #[test]
    fn that_two_dates_contradict_each_other_is_mutual(a in mention(), b in mention()) {
        let contradict = |a: &DateMention, b: &DateMention| a.against(b) == Agreement::Different;
        prop_assert_eq!(contradict(&a, &b), contradict(&b, &a));
        if a.year != b.year {
            prop_assert!(contradict(&a, &b));
        }
    }
}
