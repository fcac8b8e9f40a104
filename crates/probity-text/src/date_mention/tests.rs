//! Dates in every form are read.

use super::*;

fn only(text: &str) -> DateMention {
    let found = dates(text);
    assert_eq!(found.len(), 1, "{text}: {found:?}");
    found[0].1
}

#[test]
fn one_date_is_read_in_every_form() {
    let wanted =
        DateMention { year: Some(2025), month: Some(3), day: Some(2), ..DateMention::default() };
    for text in [
        "2025-03-02",
        "2 March 2025",
        "March 2, 2025",
        "March 2nd, 2025",
        "the 2nd of March 2025",
        "2 Mar. 2025",
        "2. März 2025",
        "on 2 March, 2025",
        "2025/03/02",
    ] {
        assert_eq!(only(text), wanted, "{text}");
    }
    assert_eq!(dates("Sunday, 2 March 2025").first().map(|(_, day)| day.weekday), Some(Some(7)));
    assert_eq!(only("on 25/12/1999").day, Some(25));
    assert_eq!(only("on 12/25/1999").month, Some(12));
}

#[test]
fn months_years_decades_and_centuries_are_dates_too() {
    assert_eq!(only("in March").month, Some(3));
    assert_eq!(only("It opened in 1931."), DateMention::of_year(1931));
    assert_eq!(only("the 1990s").until, Some(1999));
    assert_eq!(only("in the nineteenth century").year, Some(1800));
    assert_eq!(only("2019–21").until, Some(2021));
    assert_eq!(
        dates("It may rain. They march on. A 1500 people crowd of 2000 souls, 2,019 in all."),
        []
    );
}

#[test]
fn a_date_confirms_what_is_no_finer_than_itself() {
    let against = |claim: &str, source: &str| only(claim).against(&only(source));
    assert_eq!(against("in March 2025", "2 March 2025"), Agreement::Same);
    assert_eq!(against("2 March 2025", "in March 2025"), Agreement::Finer);
    assert_eq!(against("3 March 2025", "2 March 2025"), Agreement::Different);
    assert_eq!(against("in 1994", "in 1995"), Agreement::Different);
    assert_eq!(against("the 1990s", "in 1994"), Agreement::Same);
    assert_eq!(against("in 1994", "the 1990s"), Agreement::Finer);
    assert_eq!(against("2 March 2025", "02/03/2025"), Agreement::Same);
    assert_eq!(against("3 February 2025", "02/03/2025"), Agreement::Same);
    assert_eq!(against("4 February 2025", "02/03/2025"), Agreement::Different);
    assert_eq!(against("on Monday", "on Tuesday"), Agreement::Different);
}

#[test]
fn a_time_that_only_the_day_of_writing_explains_is_relative() {
    for text in ["It rained yesterday.", "It opened last month.", "This year's fair is over."] {
        assert!(is_relative(text), "{text}");
    }
    assert!(!is_relative("The last house in the street was sold in 2024."));
}
