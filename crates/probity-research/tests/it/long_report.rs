//! A long report by a model, with every form, in every format that people read.
//!
//! With `PROBITY_TEST_REPORTS` set to a folder it is written there, to be looked at.

use std::sync::Arc;

use probity_core::{Decision, Mode};
use probity_model::{Request, Task};
use probity_report::{Choices, Format, render};
use probity_testkit::model::{Act, ScriptedModel, well};
use serde_json::{Value, json};

use crate::models::run_model;
use crate::scripted::{Paper, Sheet, sheet, spec};

const DISTRICTS: [&str; 20] = [
    "Eastmole",
    "Westmole",
    "Northgate",
    "Southgate",
    "Harbourside",
    "Mill Lane",
    "Ropewalk",
    "Saltmarket",
    "Fishgate",
    "Lantern Hill",
    "Old Quay",
    "New Quay",
    "Tanner Row",
    "Bell Street",
    "Castle Ward",
    "Chapel Rise",
    "Ferry Landing",
    "Gull Point",
    "Orchard End",
    "Weir Bank",
];

/// What the page of a district says: eight sentences, some of them with a figure of its own.
fn page(number: usize) -> String {
    let district = DISTRICTS[number];
    let (limit, fine, permit) = (40 + number, 120 + 10 * number, 30 + 5 * number);
    let (year, nights, evenings) = (1990 + number, 3 + number % 5, 14 + number);
    [
        format!("In {district}, outdoor music at night may be no louder than {limit} decibels, measured at the nearest bedroom window of a neighbour."),
        format!("The council of {district} adopted its rule on outdoor music in {year}, after two summers of complaints about concerts on the quay."),
        format!("Whoever plays louder than allowed in {district} pays a fine of {fine} crowns, and twice as much for the next offence of the season."),
        format!("A permit for an outdoor concert in {district} costs {permit} crowns and has to be asked for four weeks before the day of the concert."),
        format!("Outdoor music in {district} has to stop at 10 pm on weekdays, and one hour later on Saturdays and on the eve of a public holiday."),
        format!("Festivals in {district} may be exempted on up to {nights} nights a year if every household within 300 metres is told beforehand."),
        format!("The noise inspector of {district} measured on {evenings} evenings last summer and found the limit for outdoor music exceeded on one in three."),
        format!("Bars on the waterfront of {district} keep their doors shut from nine in the evening, because music from inside is heard like outdoor music."),
    ]
    .join("\n")
}

fn world() -> Paper {
    let sheets = |places: std::ops::Range<usize>| {
        let one = |number: usize| {
            let name = DISTRICTS[number].to_lowercase().replace(' ', "-");
            Sheet { text: page(number), ..sheet(&name, 4) }
        };
        places.map(one).collect()
    };
    Paper::new(sheets(0..12), sheets(12..20))
}

/// What stands behind a word, up to the next of some signs.
fn after<'t>(text: &'t str, word: &str, end: &[char]) -> &'t str {
    text.split(word).nth(1).unwrap_or_default().split(end).next().unwrap_or_default().trim()
}

/// A model that takes every sentence of a page down, and writes each in the form that suits it.
fn in_every_form(request: &Request) -> Act {
    let Act::Say(said) = well(request) else { return Act::Silence };
    let mut value: Value = serde_json::from_str(&said).unwrap();
    match request.task {
        Task::Summarise => {
            let user = request.texts().last().unwrap_or_default().to_owned();
            let lines = user.lines().map(str::trim);
            let said = lines.filter(|line| line.ends_with('.') && !line.contains(": "));
            let fact = |said: &str| json!({"statement": said, "quote": said, "figure": ""});
            value["facts"] = said.map(fact).collect();
        }
        Task::Outline => {
            for (section, heading) in value["sections"].as_array_mut().unwrap().iter_mut().zip([
                "Limits, hours and fines",
                "Permits and exemptions",
                "How the rules came about",
            ]) {
                section["heading"] = json!(heading);
            }
        }
        Task::Section => value["statements"] = shaped(value["statements"].as_array().unwrap()),
        _ => {}
    }
    Act::Say(value.to_string())
}

fn shaped(statements: &[Value]) -> Value {
    let mut shaped: Vec<Value> = statements.iter().map(|one| in_form(one.clone())).collect();
    shaped.sort_by_key(|one| one["form"] == "item");
    // Two fines of the section, and how far they lie apart.
    let fines: Vec<(usize, i64)> = shaped
        .iter()
        .enumerate()
        .filter_map(|(at, one)| {
            let fine = after(one["text"].as_str()?, "a fine of ", &[' ']);
            Some((at + 1, fine.parse().ok()?))
        })
        .collect();
    if let [(one, less), .., (other, more)] = fines.as_slice() {
        let text =
            format!("The dearest of these fines is {} crowns above the cheapest.", more - less);
        let detail = format!("{one}, {other}");
        shaped.push(json!({"form": "inference", "text": text, "facts": [], "detail": detail}));
    }
    Value::Array(shaped)
}

fn in_form(mut statement: Value) -> Value {
    let text = statement["text"].as_str().unwrap().to_owned();
    let (form, detail) = if text.starts_with("Whoever plays") {
        let (district, fine) =
            (after(&text, "allowed in ", &['p']), after(&text, "a fine of ", &[',']));
        let district = DISTRICTS.iter().find(|name| text.contains(**name)).unwrap_or(&district);
        ("row", format!("District: {district} | Fine: {fine}"))
    } else if text.starts_with("The council of") {
        ("time", after(&text, "music in ", &[',']).to_owned())
    } else if text.starts_with("A permit") || text.starts_with("Festivals") {
        ("item", String::new())
    } else {
        ("sentence", String::new())
    };
    (statement["form"], statement["detail"]) = (json!(form), json!(detail));
    statement
}

#[tokio::test]
async fn a_report_of_2500_words_has_paragraphs_lists_tables_timelines_and_inferences_in_every_format()
 {
    let (model, gatherer) = (Arc::new(ScriptedModel::new(in_every_form)), world());
    let mut deep = spec(Mode::Deep);
    (deep.numbers.round1_sources, deep.numbers.round2_sources) = (12, 8);
    deep.numbers.words = 2_500;
    let ran = run_model(&deep, &model, &gatherer).await;
    let facts = ran.finished.facts();
    assert_eq!((facts.read(), facts.gate.decision), (20, Decision::FullReport));
    let text = ran.markdown();
    let words = text.split_whitespace().filter(|word| word.contains(char::is_alphabetic)).count();
    assert!(words >= 2_500, "{words} words:\n{text}");
    for form in [
        "### Limits, hours and fines",
        "| District | Fine |",
        "| Eastmole | 120 crowns |",
        "\n- A permit for an outdoor concert in",
        "\n- **1990:**",
        "**Inferred:** The dearest of these fines is",
        "\nIn Eastmole, outdoor music at night may be no louder than 40 decibels",
    ] {
        assert!(text.contains(form), "{form} in\n{text}");
    }
    assert!(!text.contains("verified]"), "{text}");
    probity_report::parse::parse(&text).unwrap();
    probity_testkit::lint::check(&text);
    let choices = Choices { appendix: false, system_fonts: false };
    let folder = std::env::var_os("PROBITY_TEST_REPORTS").map(std::path::PathBuf::from);
    for format in [Format::Markdown, Format::Html, Format::Pdf, Format::Docx] {
        // Without the feature that writes them there are no PDFs.
        let Ok(rendered) = render(&ran.finished.report, format, choices) else {
            assert_eq!(format, Format::Pdf);
            continue;
        };
        assert!(!rendered.bytes.is_empty(), "{format}");
        if let Some(folder) = &folder {
            std::fs::create_dir_all(folder).unwrap();
            std::fs::write(folder.join(format!("long.{format}")), &rendered.bytes).unwrap();
        }
    }
    let html = probity_report::html::html(&ran.finished.report);
    assert!(html.contains("<table") && html.contains("Inferred:"), "{html}");
}
