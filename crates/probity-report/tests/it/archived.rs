//! A source that was read from an archive's capture says so wherever it is listed.

use probity_core::{Decision, SourceId, Verdict};
use probity_report::draft::{Draft, Statement, Theme};
use probity_report::html::html;
use probity_report::json::json;
use probity_report::markdown::markdown;
use probity_report::{OnUnverified, restore};

use crate::sample::{SAYS, by_words, candidate, facts};

#[test]
fn the_day_of_a_capture_stands_in_the_line_of_its_source_and_survives_being_saved() {
    let mut kept = candidate(0, Verdict::Read, "The ferry");
    kept.archived = Some(jiff::civil::date(2013, 9, 19));
    kept.published = None;
    let plain = candidate(1, Verdict::Read, "The harbour");
    let facts = facts(vec![kept, plain], "How loud may it be?", Decision::FullReport);
    let texts = facts.candidates.iter().map(|c| (c.id, SAYS.into())).collect();
    let says = |text: &str, id| Statement::citing(text, SourceId(id));
    let statements =
        vec![says("The limit is 55 decibels after 9 pm.", 0), says("A permit costs 40 crowns.", 1)];
    let themes = vec![Theme { heading: "Noise".to_owned(), statements }];
    let report = by_words(Draft { themes, ..Draft::default() }, facts, &texts, OnUnverified::Mark);
    let text = markdown(&report);
    assert_eq!(text.matches("archived copy of").count(), 1, "{text}");
    assert!(text.contains(" · undated · archived copy of 2013-09-19\n"), "{text}");
    assert!(html(&report).contains("archived copy of 2013-09-19"));
    let saved = json(&report);
    assert!(saved.contains("\"archived\": \"2013-09-19\""), "{saved}");
    crate::schema::check(&saved).unwrap();
    assert_eq!(markdown(&restore(&saved).unwrap()), text);
}
