//! A model that invents a number in one place of its report: no one reads it there as if a source had said it.

use std::sync::Arc;

use probity_core::Mode;
use probity_model::{Request, Task};
use probity_report::assemble::Body;
use probity_report::draft::Form;
use probity_report::html::html;
use probity_testkit::model::{Act, ScriptedModel, well};
use serde_json::{Value, json};

use crate::models::{Ran, gatherer, run_model};
use crate::scripted::spec;

/// What is made up. No page has it.
const INVENTED: &str = "777";

/// A change to what a well-behaved model says for a task.
type Edit = fn(Task, &mut Value);

/// The reports of a model with this edit: written in one draft, and in sections.
async fn reports(edit: Edit) -> Vec<Ran> {
    let mut reports = Vec::new();
    for mode in [Mode::Standard, Mode::Deep] {
        let model = ScriptedModel::new(move |request: &Request| {
            let Act::Say(said) = well(request) else { return Act::Silence };
            let mut value: Value = serde_json::from_str(&said).unwrap();
            edit(request.task, &mut value);
            Act::Say(value.to_string())
        });
        let ran = run_model(&spec(mode), &Arc::new(model), &gatherer()).await;
        assert!(ran.finished.facts().author.is_model, "the model wrote it");
        assert_nothing_unmarked(&ran);
        reports.push(ran);
    }
    reports
}

/// Headline, summary, headings, disagreements and rationale tell nothing of it, and every sentence that does is marked.
fn assert_nothing_unmarked(ran: &Ran) {
    let report = &ran.finished.report;
    assert!(!report.title().contains(INVENTED), "headline: {}", report.title());
    let Body::Report { summary, themes, confidence, .. } = report.body() else {
        panic!("no report")
    };
    assert!(!summary.iter().any(|said| said.contains(INVENTED)), "summary: {summary:?}");
    assert!(!themes.iter().any(|theme| theme.heading.contains(INVENTED)), "a heading");
    assert!(!confidence.rationale.contains(INVENTED), "{}", confidence.rationale);
    for statement in report.statements().filter(|one| shows(&one.form, &one.text)) {
        assert!(statement.mark().is_some(), "{statement:?}");
    }
    for line in ran.markdown().lines().filter(|line| line.contains(INVENTED)) {
        assert!(line.contains("verified]"), "{line}");
    }
    let html = html(report);
    let mentions = html.matches(INVENTED).count();
    assert!(mentions == 0 || html.contains("verified]"), "{html}");
}

/// Whether a statement shows it anywhere.
fn shows(form: &Form, text: &str) -> bool {
    let beside = match form {
        Form::Row { columns, cells } => {
            columns.iter().chain(cells).any(|one| one.contains(INVENTED))
        }
        Form::Entry { when } => when.contains(INVENTED),
        _ => false,
    };
    beside || text.contains(INVENTED)
}

/// The statements of a draft's first theme or of a section, where a task has some.
fn statements(task: Task, value: &mut Value) -> Option<&mut Vec<Value>> {
    match task {
        Task::Synthesise => value["findings"][0]["statements"].as_array_mut(),
        Task::Section => value["statements"].as_array_mut(),
        _ => None,
    }
}

/// Adds a statement with the facts of the first one.
fn add(task: Task, value: &mut Value, form: &str, text: &str, detail: &str) {
    let Some(statements) = statements(task, value) else { return };
    let facts = statements[0]["facts"].clone();
    statements.push(json!({"form": form, "text": text, "facts": facts, "detail": detail}));
}

fn mentions(ran: &Ran) -> usize {
    ran.finished.report.statements().filter(|one| shows(&one.form, &one.text)).count()
}

#[tokio::test]
async fn an_invented_number_in_the_headline_is_not_printed() {
    reports(|task, value| {
        if matches!(task, Task::Synthesise | Task::Lead) {
            value["headline"] = json!("Outdoor music in Port Ellery must stop after 777 minutes");
        }
    })
    .await;
}

#[tokio::test]
async fn an_invented_number_in_the_summary_is_not_printed() {
    reports(|task, value| {
        if matches!(task, Task::Synthesise | Task::Lead) {
            value["summary"][0] = json!("Outdoor music in Port Ellery costs 777 crowns at night.");
        }
    })
    .await;
}

#[tokio::test]
async fn an_invented_number_in_a_table_cell_is_marked_with_its_row() {
    let ran = reports(|task, value| {
        let cells = "Music: outdoor | Fine: 777 crowns";
        add(task, value, "row", "Outdoor music must stop at night.", cells);
        add(task, value, "row", "Outdoor music costs 777 crowns.", cells);
    })
    .await;
    for ran in &ran {
        let rows = ran.markdown();
        let mut rows = rows.lines().filter(|line| line.starts_with('|') && line.contains(INVENTED));
        assert!(rows.all(|row| row.contains("verified]")), "{}", ran.markdown());
    }
}

#[tokio::test]
async fn an_invented_number_of_an_inference_is_not_shown() {
    let ran = reports(|task, value| {
        add(task, value, "inference", "Together that makes 777 crowns.", "1");
        add(task, value, "inference", "So music stops after 777 minutes.", "1, 2");
    })
    .await;
    assert!(ran.iter().all(|ran| mentions(ran) == 0), "nothing to reckon it from");
}

#[tokio::test]
async fn a_conclusion_from_an_invented_number_is_not_shown() {
    let ran = reports(|task, value| {
        add(task, value, "sentence", "Outdoor music must stop at 10 pm, after 777 minutes.", "");
        let place = statements(task, value).map_or(0, |statements| statements.len());
        add(task, value, "inference", "So the music lasts 777 minutes.", &place.to_string());
    })
    .await;
    for ran in &ran {
        let mut drawn = ran.finished.report.statements().filter(|one| one.form.is_inference());
        assert!(!drawn.any(|one| one.text.contains(INVENTED)), "{}", ran.markdown());
    }
}

#[tokio::test]
async fn an_invented_number_in_a_quotation_is_no_quotation_and_marked() {
    let ran = reports(|task, value| {
        add(task, value, "quote", "Outdoor music must stop after 777 minutes at night.", "");
        let said = "The town says “outdoor music must stop after 777 minutes” at night.";
        add(task, value, "sentence", said, "");
    })
    .await;
    for ran in &ran {
        assert!(!ran.markdown().contains("“outdoor music must stop after"), "{}", ran.markdown());
        let mut quoted = ran.finished.report.statements().filter(|one| one.form == Form::Quote);
        assert!(!quoted.any(|one| one.text.contains(INVENTED)), "{}", ran.markdown());
    }
}

#[tokio::test]
async fn an_invented_number_in_a_section_is_marked() {
    let ran = reports(|task, value| {
        let said = "Outdoor music in Port Ellery must stop after 777 minutes at night.";
        add(task, value, "sentence", said, "");
        add(task, value, "item", said, "");
    })
    .await;
    assert!(ran.iter().all(|ran| mentions(ran) > 0), "what is marked stays");
}

#[tokio::test]
async fn an_invented_time_is_marked_with_its_entry() {
    reports(|task, value| add(task, value, "time", "Music stopped.", "777 AD")).await;
}

#[tokio::test]
async fn an_invented_number_in_a_heading_is_not_printed() {
    reports(|task, value| match task {
        Task::Synthesise => value["findings"][0]["heading"] = json!("Fines of 777 crowns"),
        Task::Outline => value["sections"][0]["heading"] = json!("Fines of 777 crowns"),
        _ => {}
    })
    .await;
}

#[tokio::test]
async fn an_invented_number_in_a_disagreement_is_marked() {
    reports(|task, value| {
        if matches!(task, Task::Synthesise | Task::Lead) {
            let side = |text: &str, label: &str| json!({"text": text, "sources": [label]});
            let sides = [
                side("Outdoor music in Port Ellery must stop at 10 pm at night.", "S1"),
                side("Outdoor music must stop after 777 minutes.", "S2"),
            ];
            value["conflicts"] = json!([{"statements": sides, "on_answer": "yes"}]);
        }
    })
    .await;
}

#[tokio::test]
async fn an_invented_number_in_the_reason_for_a_confidence_is_not_printed() {
    let ran = reports(|task, value| {
        if matches!(task, Task::Synthesise | Task::Lead) {
            value["confidence"] = json!("Low");
            value["confidence_reason"] = json!("Only 777 pages say so.");
        }
    })
    .await;
    for ran in &ran {
        assert!(ran.markdown().contains("proposed Low"), "{}", ran.markdown());
    }
}

#[tokio::test]
async fn a_number_that_was_invented_when_a_page_was_taken_down_is_marked() {
    let ran = reports(|task, value| {
        if task == Task::Summarise {
            value["summary"] = json!("The fine is 777 crowns.");
            value["facts"][0]["statement"] = json!("The fine for outdoor music is 777 crowns.");
        }
    })
    .await;
    assert!(ran.iter().all(|ran| mentions(ran) > 0), "the draft repeats it");
}
