//! Which answer leads where sources give several, what is a disagreement, and what is left open.

use jiff::civil::{Date, date};
use probity_core::{Decision, Mode, SourceId};
use probity_report::draft::Draft;
use probity_research::analyst::embedded::Embedded;
use probity_research::analyst::{Analyst, SourceView, SynthesisTask};

/// A title, a text and perhaps the day it was published.
type Page<'a> = (&'a str, &'a str, Option<Date>);

fn view<'a>(id: u32, page: &Page<'a>) -> SourceView<'a> {
    let (title, text, published) = *page;
    SourceView {
        id: SourceId(id),
        title,
        url: "https://a.example/",
        outlet: "a.example",
        published,
        credibility: 0.8,
        snippet: "",
        text,
        summary: "",
        relevance: Some(4),
        why: "",
    }
}

async fn drafted(question: &str, pages: &[Page<'_>]) -> Draft {
    let sources: Vec<SourceView<'_>> = (0..).zip(pages).map(|(id, page)| view(id, page)).collect();
    let task = SynthesisTask {
        question,
        mode: Mode::Standard,
        decision: Decision::FullReport,
        words: 1_000,
        sources: &sources,
        gaps: &[],
    };
    Embedded::new().synthesise(task).await.result.unwrap()
}

/// The sides of each disagreement on what was asked.
fn disputed(draft: &Draft) -> Vec<Vec<&str>> {
    let asked = draft.conflicts.iter().filter(|conflict| conflict.on_answer);
    asked.map(|one| one.statements.iter().map(|side| side.text.as_str()).collect()).collect()
}

#[tokio::test]
async fn the_newer_of_two_answers_leads_and_both_are_told_as_a_disagreement() {
    let (old, new) = (Some(date(2019, 3, 1)), Some(date(2025, 6, 1)));
    for (question, older, newer, asked) in [
        (
            "How much does a day ticket for the Norfell ferry cost?",
            "A day ticket for the Norfell ferry costs 14 crowns at the harbour.",
            "A day ticket costs 17 crowns on the Norfell ferry.",
            "17 crowns",
        ),
        (
            "How many beds does the Sandholm hospital have?",
            "The Sandholm hospital has 240 beds on six floors.",
            "The Sandholm hospital has 310 beds.",
            "310 beds",
        ),
        (
            "How much is the rent of the village hall in Arden?",
            "The rent of the village hall in Arden is 90 euros.",
            "The rent of the village hall in Arden was raised to 120 euros.",
            "120 euros",
        ),
    ] {
        for pages in [
            [("Guide", older, old), ("Notice", newer, new)],
            [("Notice", newer, new), ("Guide", older, old)],
        ] {
            let draft = drafted(question, &pages).await;
            assert!(draft.headline.contains(asked), "{question}: {}", draft.headline);
            assert!(draft.summary[0].contains(asked), "{question}: {:?}", draft.summary);
            assert_eq!(disputed(&draft), [[newer, older]], "{question}");
        }
    }
}

#[tokio::test]
async fn a_plan_leads_over_nothing_that_came_of_it() {
    let question = "How much did the Tarn bridge cost?";
    let plan = "The Tarn bridge is expected to cost 40 million crowns.";
    let end = "The Tarn bridge cost 52 million crowns in the end.";
    let (old, new) = (Some(date(2018, 1, 1)), Some(date(2021, 1, 1)));
    // A later page may still repeat the plan.
    for (planned, ended) in [(old, new), (new, old), (None, None)] {
        let pages = [("Bridge plans", plan, planned), ("The new bridge", end, ended)];
        let draft = drafted(question, &pages).await;
        assert!(draft.headline.contains("52 million"), "{}", draft.headline);
        assert_eq!(draft.conflicts, [], "what was planned and what came of it are two things");
    }
}

#[tokio::test]
async fn a_question_for_a_year_is_answered_by_that_year() {
    let question = "How many visitors did the Arden fair have in 2019?";
    let then = "The Arden fair had 8,200 visitors in 2019.";
    let now = "The Arden fair had 9,900 visitors in 2024.";
    let pages = [
        ("The fair of 2024", now, Some(date(2024, 10, 1))),
        ("The fair of 2019", then, Some(date(2019, 10, 1))),
    ];
    let draft = drafted(question, &pages).await;
    assert!(draft.headline.contains("8,200"), "{}", draft.headline);
    assert_eq!(disputed(&draft), [[""; 0]; 0], "other years are other fairs");
}

#[tokio::test]
async fn other_values_of_one_measure_are_a_disagreement() {
    for (question, one, other) in [
        (
            "How many members does the Norfell choir have?",
            "The Norfell choir has 64 members.",
            "The choir of Norfell counts 80 members.",
        ),
        (
            "How much does a single ticket for the funicular cost?",
            "A single ticket for the funicular costs 4 crowns.",
            "The funicular: single ticket 5 crowns, day ticket 9 crowns.",
        ),
        (
            "How many cyclists use the canal path on a weekday?",
            "The count found 2,100 cyclists on the canal path on a weekday.",
            "My guess is that no more than 900 cyclists use the canal path on a weekday.",
        ),
    ] {
        let draft = drafted(question, &[("One", one, None), ("Other", other, None)]).await;
        assert_eq!(disputed(&draft).len(), 1, "{question}: {draft:?}");
    }
}

#[tokio::test]
async fn values_of_other_things_times_and_people_are_no_disagreement() {
    for (question, one, other) in [
        (
            "How much is admission to the Arden pool?",
            "Admission to the Arden pool is 6 crowns for adults.",
            "Admission to the Arden pool is 3 crowns for children.",
        ),
        (
            "How many passengers does the Norfell ferry carry?",
            "The Norfell ferry carries 900 passengers on weekdays.",
            "The Norfell ferry carries 1,400 passengers on Sundays.",
        ),
        (
            "How much does a day ticket for the ferry cost?",
            "A day ticket for the Norfell ferry costs 14 crowns.",
            "A day ticket for the Sandholm ferry costs 17 crowns.",
        ),
        (
            "How many pupils does the school in Arden have?",
            "In 2015 the school in Arden had 300 pupils.",
            "In 2023 the school in Arden had 420 pupils.",
        ),
        (
            "How many stops does bus route 7 have?",
            "Bus route 7 has 18 stops.",
            "Bus route 8 has 25 stops.",
        ),
    ] {
        let draft = drafted(question, &[("One", one, None), ("Other", other, None)]).await;
        assert_eq!(disputed(&draft), [[""; 0]; 0], "{question}");
        assert_eq!(draft.conflicts, [], "{question}");
    }
}

#[tokio::test]
async fn what_one_person_says_is_heard_against_an_answer_and_nowhere_else() {
    let question = "How many cyclists use the canal path on a weekday?";
    let count = "The count found 2,100 cyclists on the canal path on a weekday.";
    let guess = "I ride there every day. My guess is that no more than 900 cyclists use the canal path \
                 on a weekday.";
    let draft = drafted(question, &[("Count", count, None), ("Blog", guess, None)]).await;
    assert!(disputed(&draft)[0][1].contains("My guess"), "{draft:?}");
    let told: String =
        draft.themes.iter().flat_map(|theme| &theme.statements).map(|s| s.text.as_str()).collect();
    assert!(
        !told.contains("My guess") && !draft.summary.join(" ").contains("My guess"),
        "{draft:?}"
    );
}

#[tokio::test]
async fn what_no_source_answers_is_left_open_and_said() {
    for (question, text, lack) in [
        (
            "When did the Arden tunnel open?",
            "The Arden tunnel will not open in May 2024. The Arden tunnel is 3 kilometres long.",
            "give no date",
        ),
        (
            "How much does the Norfell ferry cost?",
            "The Norfell ferry takes 40 minutes and carries 30 cars across the sound.",
            "give no price",
        ),
        (
            "Who is the mayor of Sandholm?",
            "The town hall of Sandholm is open on weekdays from nine to four.",
            "do not say who",
        ),
    ] {
        let draft = drafted(question, &[("News", text, None)]).await;
        assert_eq!(draft.unanswered.len(), 1, "{question}: {draft:?}");
        assert_eq!(
            (draft.unanswered[0].asked.as_str(), draft.unanswered[0].lack.as_str()),
            (question, lack)
        );
        assert!(draft.headline.starts_with(&format!("The sources {lack}")), "{}", draft.headline);
    }
    for (question, text) in [
        ("When did the Arden tunnel open?", "The Arden tunnel opened in May 2024."),
        ("Did the Arden tunnel open?", "The council talks about the Arden tunnel every year."),
        ("Who is the mayor of Sandholm?", "Ada Lorne has been mayor of Sandholm since 2019."),
    ] {
        let draft = drafted(question, &[("News", text, None)]).await;
        assert_eq!(draft.unanswered, [], "{question}");
    }
}

#[tokio::test]
async fn of_a_compound_question_only_what_is_missing_is_left_open() {
    let question = "When did the Arden tunnel open, and how much did the tunnel cost?";
    let text = "The Arden tunnel opened in May 2024. It is 3 kilometres long and has two tubes.";
    let draft = drafted(question, &[("News", text, None)]).await;
    assert_eq!(draft.unanswered.len(), 1, "{draft:?}");
    assert!(draft.unanswered[0].asked.contains("how much"), "{draft:?}");
    assert!(draft.headline.contains("May 2024"), "{}", draft.headline);
}

#[tokio::test]
async fn a_title_answers_where_the_text_under_it_only_says_today() {
    let text = "Arden's new tunnel let its first cars through today. The mayor cut a ribbon.";
    let day = Some(date(2024, 5, 4));
    let question = "When did the Arden tunnel open?";
    let draft = drafted(question, &[("Arden tunnel opens on 4 May 2024", text, day)]).await;
    assert!(draft.headline.contains("4 May 2024"), "{}", draft.headline);
    assert_eq!(draft.unanswered, []);
    // Seen from its day, this one is only a plan.
    let later = [("Arden tunnel opens on 4 May 2026", text, day)];
    assert!(!drafted(question, &later).await.headline.contains("2026"));
    let asks = [("Does the Arden tunnel open in 2026?", text, day)];
    assert!(!drafted(question, &asks).await.headline.contains("2026"));
}

#[tokio::test]
async fn a_namesake_answers_nothing() {
    let question = "How much is admission to the City Museum of Arden?";
    let museum = "Admission to the museum is 9 crowns. It lies behind the town hall.";
    let castle = "Admission to Arden Castle is 14 crowns. The castle stands on a hill.";
    let pages = [("City Museum of Arden", museum, None), ("Arden Castle", castle, None)];
    let draft = drafted(question, &pages).await;
    assert!(draft.headline.contains("9 crowns"), "{}", draft.headline);
    assert!(!draft.summary.join(" ").contains("14 crowns"), "{:?}", draft.summary);
    assert_eq!(draft.conflicts, []);
}

#[tokio::test]
async fn headings_are_whole_phrases_or_plain() {
    for (question, text) in [
        (
            "Why do the trams of Arden run late?",
            "The trams of Arden wait at every light in Mill Street. The trams of Arden share the \
             light with buses. Trams of Arden run late at every light.",
        ),
        (
            "How much does the study of the Arden airport cost?",
            "Prices\nChildren 4 crowns\nThe study costs 9 million crowns. The study of the airport \
             began in May. The study costs more than the first one did.",
        ),
        (
            "What did the city of Norfell decide about the market?",
            "The city decided on the market. The city wants a market hall. The city pays for it.",
        ),
    ] {
        let draft = drafted(question, &[("Notes", text, None)]).await;
        for theme in &draft.themes {
            let heading = theme.heading.as_str();
            let lame = ["Light", "Study costs", "City", "Children 4", "Study", "Tram"];
            let cut = lame.iter().any(|lame| heading == *lame || heading.starts_with("Light in"));
            assert!(!cut && !heading.contains("Children 4"), "{question}: {heading}");
        }
    }
}
