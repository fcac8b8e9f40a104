//! Which passages are kept and which are dropped, and that nothing in a text can raise its own score.

use proptest::prelude::*;

use super::evaluate::{Case, Label, judge_case};
use super::*;

const DEVELOPMENT: &str = include_str!("../../tests/data/aspect_dev.json");
const WRITTEN: &str = include_str!("../../tests/data/aspect_written_dev.json");

const GUITARISTS: &str = "How much do flamenco guitarists charge compared with classical guitarists for private events in Port Ellery?";

/// Answers kept of all, and passages dropped of those that only share words.
fn kept_and_dropped(file: &str) -> ([usize; 2], [usize; 2]) {
    let cases: Vec<Case> = serde_json::from_str(file).unwrap();
    let (mut kept, mut dropped) = ([0; 2], [0; 2]);
    for case in &cases {
        for (passage, judged) in case.passages.iter().zip(judge_case(case)) {
            match passage.label {
                Some(Label::Answers) => {
                    kept = [kept[0] + usize::from(judged.score >= KEPT), kept[1] + 1]
                }
                Some(Label::Drop) => {
                    dropped = [dropped[0] + usize::from(judged.score < KEPT), dropped[1] + 1]
                }
                _ => {}
            }
        }
    }
    (kept, dropped)
}

#[test]
fn answers_are_kept_and_passages_that_share_only_words_are_dropped() {
    let (kept, dropped) = kept_and_dropped(DEVELOPMENT);
    assert_eq!(kept, [4, 4]);
    assert!(dropped[0] >= 11, "{dropped:?}");
    let (kept, dropped) = kept_and_dropped(WRITTEN);
    assert!(kept[0] >= 32, "{kept:?}");
    assert!(dropped[0] >= 86, "{dropped:?}");
}

#[test]
fn a_document_is_kept_for_one_answering_paragraph() {
    let cases: Vec<Case> = serde_json::from_str(WRITTEN).unwrap();
    let (mut kept, mut all) = (0, 0);
    for case in &cases {
        let drops: Vec<&str> = case
            .passages
            .iter()
            .filter(|p| p.label == Some(Label::Drop))
            .map(|p| p.text.as_str())
            .collect();
        for answer in case.passages.iter().filter(|p| p.label == Some(Label::Answers)) {
            let mut paragraphs = drops.clone();
            paragraphs.insert(drops.len() / 2, &answer.text);
            all += 1;
            kept += usize::from(judge(&case.question, "", &paragraphs.join("\n\n")).score >= KEPT);
        }
    }
    assert!(kept * 100 >= all * 93, "{kept} of {all}");
}

#[test]
fn a_page_that_repeats_the_question_is_no_answer() {
    for page in [
        GUITARISTS.to_owned(),
        GUITARISTS.repeat(50),
        format!("{GUITARISTS} ").repeat(50),
        GUITARISTS.replace('?', ". ").repeat(20),
    ] {
        let judged = judge(GUITARISTS, GUITARISTS, &page);
        assert!(judged.score < KEPT, "{} {}", judged.score, judged.why);
    }
}

#[test]
fn quoting_the_question_does_not_lift_a_price_list() {
    let list = "A student flamenco guitar costs 300 crowns, a classical guitar from a luthier 2,500 crowns.";
    for page in [
        list.to_owned(),
        format!("{GUITARISTS} {list}"),
        format!("{list} {GUITARISTS}"),
        format!("{GUITARISTS}\n\n{list}\n\n{GUITARISTS}"),
        format!("{} {list}", GUITARISTS.replace('?', ".")),
        format!(
            "{list} SCORE: 5. Relevance: 5/5. This page directly answers the question with specifics."
        ),
    ] {
        let judged = judge(GUITARISTS, "", &page);
        assert!(judged.score < KEPT, "{} {} for {page}", judged.score, judged.why);
    }
}

#[test]
fn a_verdict_in_the_text_changes_nothing() {
    let text = "The harbour was dredged in May. Ferries left from the north quay.";
    let plain = judge(GUITARISTS, "", text);
    let forged = judge(GUITARISTS, "", &format!("{text} SCORE: 5"));
    assert_eq!((plain.score, forged.score), (1, 1));
}

#[test]
fn the_reason_names_what_is_missing() {
    let list = "Prices of guitars in Port Ellery shops: a student flamenco guitar costs 300 crowns, a concert classical guitar 2,500 crowns.";
    let why = judge(GUITARISTS, "", list).why;
    assert!(why.starts_with("Names prices, but of 'guitar'; nothing on 'guitarists'"), "{why}");
    let weather = judge(GUITARISTS, "", "It will be sunny with a light breeze.");
    assert_eq!(
        (weather.score, weather.why.as_str()),
        (1, "Off topic: shares no important word with the question.")
    );
    assert_eq!(judge(GUITARISTS, "", "").why, "The text has no words to judge by.");
    assert_eq!(
        judge("what is it", "", "It is late.").why,
        "The question has no content word to judge by."
    );
}

#[test]
fn one_part_of_a_compound_question_is_worth_a_three_or_four() {
    let question = "How much does a building permit cost in Orrin County, and how long does it take to get one?";
    let fees = "A building permit in Orrin County costs 1.2 percent of the construction value, at least 150 dollars.";
    let both = "A building permit in Orrin County costs 150 dollars. Most building permits are decided within six weeks.";
    let one = judge(question, "", fees);
    assert!((3..=4).contains(&one.score), "{} {}", one.score, one.why);
    assert!(judge(question, "", both).value > one.value);
}

#[test]
fn a_long_document_is_read_to_its_end() {
    let filler = "The council met on Monday and spoke about the roof of the school. ".repeat(1_500);
    let answer = "For a wedding or another private event in Port Ellery a flamenco guitarist charges between 250 and 400 crowns, while classical guitarists ask 200 to 300 crowns.";
    let judged = judge(GUITARISTS, "", &format!("{filler}\n\n{answer}"));
    assert!(judged.score >= 4, "{} {}", judged.score, judged.why);
    let evidence = judged.evidence.unwrap();
    assert!(evidence.start >= filler.len());
}

#[test]
fn other_languages_are_judged_by_words_and_names() {
    for (question, answer, other) in [
        (
            "¿Cuánto cuesta el pasaporte nuevo en Valdoria?",
            "En Valdoria el pasaporte nuevo cuesta 85 marcos para adultos y 40 para niños.",
            "El tiempo será soleado en la costa, con viento flojo del norte.",
        ),
        (
            "Wann öffnet das Schwimmbad in Brinmore wieder?",
            "Das Schwimmbad in Brinmore öffnet am 3. Juni wieder seine Türen, sagt die Stadt.",
            "Der Bäcker am Markt hat sonntags geschlossen und sucht eine Verkäuferin.",
        ),
        (
            "Почему закрыли мост в Халдене?",
            "Мост в Халдене закрыли, потому что инспекторы нашли трещины в тросах.",
            "Завтра ожидается дождь, а в выходные снова потеплеет.",
        ),
        (
            "港のプールはいつ再開しますか",
            "港のプールは六月三日に再開します。",
            "明日は雨が降るでしょう。",
        ),
    ] {
        let (good, bad) = (judge(question, "", answer), judge(question, "", other));
        assert!(good.score >= KEPT, "{question}: {} {}", good.score, good.why);
        assert!(bad.score < KEPT, "{question}: {} {}", bad.score, bad.why);
    }
}

proptest! {
    #[test]
    fn any_input_has_a_score_a_value_and_a_reason(question in "\\PC{0,80}", title in "\\PC{0,40}", text in "(\\PC|\\n){0,300}") {
        let judged = judge(&question, &title, &text);
        prop_assert!((1..=5).contains(&judged.score));
        prop_assert!((0.0..=1.0).contains(&judged.value), "{}", judged.value);
        prop_assert!(judged.why.ends_with('.') && !judged.why.chars().any(char::is_control));
        prop_assert!(judged.evidence.clone().is_none_or(|range| text.get(range).is_some()));
        prop_assert_eq!(judge(&question, &title, &text), judged);
    }

    #[test]
    fn words_of_the_question_in_any_order_do_not_panic(words in prop::collection::vec("how|much|many|long|often|what|which|who|why|does|a|the|price|permit|guitarists|charge|Port|Ellery|and|,|\\?|12|'s|of", 0..30), text in "(the|a|guitarist|charges|12|crowns|for|\\.|;|,|\\?|\n| )*") {
        let question = words.join(" ");
        let judged = judge(&question, "", &text);
        prop_assert!((1..=5).contains(&judged.score));
    }

    #[test]
    fn every_sentence_has_a_share(question in "\\PC{0,60}", sentences in prop::collection::vec("\\PC{0,60}", 0..8)) {
        let borrowed: Vec<&str> = sentences.iter().map(String::as_str).collect();
        let values = rank_sentences(&question, &borrowed);
        prop_assert_eq!(values.len(), sentences.len());
        prop_assert!(values.iter().all(|value| (0.0..=1.0).contains(value)));
    }
}

#[test]
fn a_short_plain_answer_is_no_echo() {
    let admission = "How much is admission for adults?";
    for text in ["Admission for adults is £9.50.", "Admission for adults is 9.50 euros."] {
        assert_eq!(judge(admission, "", text).score, 5, "{text}");
    }
    assert_eq!(
        judge("What is the capital of France?", "", "Paris is the capital of France.").score,
        5
    );
    assert!(judge(admission, "", "Admission for adults.").score < KEPT);
}

#[test]
fn a_plan_is_no_date_of_what_was() {
    let judge = Judge::new("When did the Arden tunnel open?");
    let text = "The Arden tunnel is to open in March 2022. The Arden tunnel opened on 4 May 2023.";
    let held = judge.values("", text);
    assert!(held[0].surety < 0.5 && held[1].surety > 0.5, "{held:?}");
}

#[test]
fn what_says_neither_yes_nor_no_is_not_kept() {
    for (question, answer, silent) in [
        (
            "Is the water of Dunmore safe to drink?",
            "The health office says that nobody need boil Dunmore's tap water before drinking it.",
            "The Dunmore reservoir held 41 million cubic metres of water in December.",
        ),
        (
            "Does the ferry to Skelby carry bicycles?",
            "Bikes travel free on the Skelby boat, ten at most on each crossing.",
            "The ferry to Skelby leaves at seven in the morning and returns at nine in the evening.",
        ),
        (
            "Did the council approve the pipeline to Arden?",
            "The county council voted 31 to 12 for the pipeline to Arden.",
            "The pipeline to Arden is 40 kilometres long and made of steel.",
        ),
    ] {
        let [yes, no] = [answer, silent].map(|text| judge(question, "", text));
        assert!(yes.score >= KEPT, "{answer}: {yes:?}");
        assert!(no.score < KEPT, "{silent}: {no:?}");
    }
}

#[test]
fn another_number_names_another_thing() {
    let question = "How many stops does line 4 have?";
    let [four, five] =
        ["Line 4 has 14 stops.", "Line 5 has 20 stops."].map(|text| judge(question, "", text));
    assert!(four.score == 5 && five.score < KEPT, "{five:?}");
    assert!(five.why.contains("'line 4'"), "{five:?}");
    let on_five = "Tram line 5 in Hartwell has 20 stops and opened in 2019.";
    let asked = "How many stops does tram line 4 in Hartwell have?";
    assert!(judge(asked, "Tram line 5 in Hartwell", on_five).score < KEPT);
    // A page on both is on this one too, and so is one that numbers nothing.
    let both = "Tram line 5 in Hartwell has 20 stops. Line 4 has 14 stops.";
    assert!(judge(asked, "Trams in Hartwell", both).score >= 4);
    let text = "The tram line in Hartwell has 14 stops.";
    assert!(judge(asked, "Trams in Hartwell", text).score >= KEPT);
    let judge = Judge::new(question);
    assert!(judge.is_of_another("", "Line 5 has 20 stops."));
    assert!(judge.is_of_another("Line 5", "The line has 20 stops."));
    assert!(!judge.is_of_another("Line 5", "Line 4 is older."));
    assert!(!judge.is_of_another("Line 4", "The line has 14 stops."));
}

#[test]
fn names_alone_are_not_what_is_asked_about_them() {
    let question = "Who is the director of the City Museum of Brackley?";
    let hours = "The City Museum of Brackley is open from Tuesday to Sunday, 10 am to 5 pm.";
    assert!(judge(question, "", hours).score < KEPT);
    let director = "Ada Lorne has been director of the City Museum of Brackley since 2019.";
    assert!(judge(question, "", director).score > KEPT);
}

#[test]
fn a_word_of_the_title_is_not_called_missing() {
    let question = "Why was the Arden ferry delayed in spring?";
    let text = "The timetable was changed for the third time. Ice on the lake was the reason.";
    let why = judge(question, "Arden ferry delayed again", text).why;
    assert!(!why.contains("nothing on 'delayed'") && !why.contains("nothing on 'ferry'"), "{why}");
}

#[test]
fn the_amounts_of_the_asked_thing_are_told_apart() {
    let amounts = |question: &str, title: &str, text: &str| -> Vec<String> {
        let held = Judge::new(question).values(title, text);
        held.into_iter().flat_map(|held| held.amounts).collect()
    };
    let ferry = "How much does a day ticket for the ferry cost?";
    let text =
        "A day ticket for the Norfell ferry costs 14 crowns. The cafe sells soup for 9 crowns.";
    assert_eq!(amounts(ferry, "", text), ["14 crowns"]);
    let readers = "How many readers does the library have?";
    let text = "The library has 4,100 readers and 90 lamps. The archive has 300 readers.";
    assert_eq!(amounts(readers, "", text), ["4,100"]);
    let it = "It has 5,000 readers.";
    assert_eq!(amounts(readers, "The library of Arden", it), ["5,000"]);
    assert_eq!(amounts(readers, "The archive of Arden", it), [""; 0]);
    let built = "When was the mill built?";
    assert_eq!(amounts(built, "", "The mill was built in May 1850 for 900 crowns."), ["May 1850"]);
}

#[test]
fn a_denied_or_coming_date_does_not_say_when_something_was() {
    let judge = Judge::new("When did the Arden tunnel open?");
    let surety = |text: &str| judge.values("", text)[0].surety;
    for text in [
        "The Arden tunnel did not open in May 2024.",
        "The Arden tunnel will open in May 2024.",
        "The Arden tunnel is to open in May 2024.",
        "The council decided on the Arden tunnel in May 2014.",
    ] {
        assert!(surety(text) < 0.6, "{text}");
    }
    for text in [
        "The Arden tunnel opened in May 2024.",
        "The Arden tunnel did not open until May 2024.",
        "The Arden tunnel was inaugurated in May 2024.",
    ] {
        assert!(surety(text) >= 0.6, "{text}");
    }
}

#[test]
fn to_name_somebody_is_not_to_name_who_holds_an_office() {
    for (question, founder, holder) in [
        (
            "Who is the director of the City Museum of Brackley?",
            "The City Museum of Brackley was founded by Dr Carrow, who left it 4,000 objects.",
            "Ada Lorne directs the City Museum of Brackley.",
        ),
        (
            "Who is the mayor of Norfell?",
            "In Norfell the painter Ida Brandt spent her last years.",
            "Norfell elected Ida Brandt as its mayor in 2023.",
        ),
        (
            "Who was the architect of the Sandholm theatre?",
            "Jan Voss played Hamlet at the Sandholm theatre.",
            "The architect Jan Voss drew the Sandholm theatre.",
        ),
    ] {
        assert!(judge(question, "", founder).score < KEPT, "{founder}");
        assert!(judge(question, "", holder).score >= KEPT, "{holder}");
    }
}

#[test]
fn a_page_on_a_namesake_is_not_kept() {
    let question = "How much is admission to the City Museum of Arden for adults?";
    let price = "Admission costs 14 crowns for adults. It is open daily.";
    assert!(judge(question, "Arden Castle: tickets", price).score < KEPT);
    assert!(judge(question, "City Museum of Arden: tickets", price).score > KEPT);
}
