//! Pages that check claims: what they repeat is never reported as what they say.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::program::Program;

const CLAIM: &str = "Port Ellery drained its harbour in 2019 to look for a sunken treasure";
const QUESTION: &str = "Did Port Ellery drain its harbour in 2019 to look for a sunken treasure?";

/// A page of a fact-checker, with the claim in its headline, under a label and in its structured data.
fn fact_check(marked: bool) -> String {
    let review = json!({
        "@context": "https://schema.org",
        "@type": "ClaimReview",
        "claimReviewed": format!("{CLAIM}."),
        "reviewRating": {"@type": "Rating", "alternateName": "False"},
        "itemReviewed": {"@type": "Claim", "author": {"@type": "Person", "name": "a viral post"}},
    });
    let data = if marked { review.to_string() } else { "{}".to_owned() };
    let labels = match marked {
        true => format!("<p>{CLAIM}.</p>"),
        false => format!("<p>Claim: {CLAIM}.</p><p>Rating: False</p>"),
    };
    format!(
        "<html><head><title>{CLAIM}</title><meta name='date' content='2026-02-01'>\
         <script type='application/ld+json'>{data}</script></head><body><article><h1>{CLAIM}</h1>{labels}\
         <p>The harbour office keeps a log of the water level, and the log of Port Ellery shows no day in 2019 on \
         which the basin was empty. The picture that came with the post was taken in another town, where a dock was \
         repaired. Divers statements_of the harbour office that no treasure ship is known to lie in the bay.</p>\
         <p>A spokesman for Port Ellery said that to drain the harbour would take a dam and several weeks, and that \
         the ferry ran every day of that year.</p></article></body></html>"
    )
}

fn shelf(program: &Program, marked: bool) -> PathBuf {
    let folder = program.home.path().join("checks");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("harbour.html"), fact_check(marked)).unwrap();
    let other = "# The ferry in 2019\n\nThe ferry of Port Ellery ran every day of the year 2019 from the inner \
                 basin of the harbour, and carried 401,000 passengers.\n";
    fs::write(folder.join("ferry.md"), other).unwrap();
    folder
}

/// Everything that a report tells as found, however it is called there.
fn statements_of(report: &Value) -> Vec<String> {
    let mut statements_of = Vec::new();
    let mut queue = vec![report];
    while let Some(value) = queue.pop() {
        match value {
            Value::String(text) => statements_of.push(text.clone()),
            Value::Array(items) => queue.extend(items),
            // What a search brought is shown as it came; what was asked is the reader's own.
            Value::Object(fields) => queue.extend(fields.iter().filter_map(|(name, value)| {
                let own = ["candidates", "question", "queries", "gaps", "problems", "timeline"];
                (!own.contains(&name.as_str())).then_some(value)
            })),
            _ => {}
        }
    }
    statements_of
}

#[test]
fn a_claim_that_a_page_debunks_is_never_the_reports_own_statement() {
    for marked in [true, false] {
        let program = Program::new();
        let folder = shelf(&program, marked);
        let place = folder.to_str().unwrap();
        let ran = program.run(&["research", QUESTION, "--library", place, "--json", "--no-save"]);
        let report: Value = serde_json::from_str(&ran.stdout())
            .unwrap_or_else(|error| panic!("{error}: {}", ran.stderr()));
        let statements_of = statements_of(&report);
        let repeats = statements_of.iter().filter(|text| text.contains(CLAIM));
        for text in repeats {
            let as_claim = text.contains(&format!("the claim that “{CLAIM}”"));
            assert!(as_claim && text.contains("is rated “False”"), "{marked}: {text}");
        }
        assert!(
            statements_of.iter().any(|text| text.contains("is rated “False”")),
            "{marked}: {report:#}"
        );
    }
}

#[test]
fn a_text_that_repeats_a_debunked_claim_finds_no_support_in_the_page_that_debunks_it() {
    let program = Program::new();
    let folder = shelf(&program, true);
    let place = folder.to_str().unwrap();
    let args = ["check", "-", "--library", place, "--quiet", "--json"];
    let ran = program.run_with(&args, format!("{CLAIM}.").as_bytes());
    let found: Value = serde_json::from_str(&ran.stdout())
        .unwrap_or_else(|error| panic!("{error}: {}", ran.stderr()));
    assert_ne!(found["claims"][0]["verdict"], "supported", "{found:#}");
}
