//! `probity check`: any text, statement by statement.

use probity_testkit::fake_api::{Answer, FakeApi};
use serde_json::Value;

use crate::program::{Program, Ran};

/// Checks a text against the example library.
fn check(text: &str, more: &[&str]) -> Ran {
    let mut args = vec!["check", "-", "--library", "examples/library", "--quiet"];
    args.extend(more);
    Program::new().run_with(&args, text.as_bytes())
}

fn json(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout()).unwrap_or_else(|e| panic!("{e}: {}", ran.stderr()))
}

fn verdicts(found: &Value) -> Vec<&str> {
    found["claims"].as_array().unwrap().iter().map(|c| c["verdict"].as_str().unwrap()).collect()
}

const TRUE: &str =
    "Amplified music outdoors in Port Ellery must stop at 10 pm on every day of the week.";
const FALSE: &str =
    "Amplified music outdoors in Port Ellery must stop at 8 pm on every day of the week.";
const UNHEARD: &str =
    "Port Ellery operates a subway with nine lines and a cable car to the airport.";

#[test]
fn each_statement_is_supported_contradicted_or_not_found() {
    let ran = check(&format!("{TRUE} {FALSE} {UNHEARD}"), &["--json"]);
    assert_eq!(ran.code(), 3, "{}", ran.stderr());
    let found = json(&ran);
    assert_eq!(verdicts(&found), ["supported", "contradicted", "not_found"], "{found:#}");
    let against = &found["claims"][1]["evidence"][0];
    assert_eq!(against["stance"], "against");
    assert!(against["passage"]["text"].as_str().unwrap().contains("10 pm"), "{against:#}");
    assert!(against["authority"].as_f64().unwrap() > 0.0);
}

#[test]
fn a_text_that_holds_throughout_is_a_success() {
    let ran = check(TRUE, &[]);
    let shown = ran.ok();
    assert!(shown.starts_with("✓ supported: Amplified music"), "{shown}");
    assert!(shown.contains("1 supported · 0 contradicted · 0 not found"), "{shown}");
}

#[test]
fn a_text_without_statements_is_refused_with_a_hint() {
    check("What about the ferry?", &[]).fails(2, "states nothing that can be checked");
}

#[tokio::test]
async fn the_page_that_a_statement_cites_is_read_first() {
    let page = "<html><head><title>Ferry</title></head><body><article><p>The Ell ferry carried \
                418,000 passengers in 2024, the harbour office reports in its yearly account.</p>\
                </article></body></html>";
    let api = FakeApi::start(move |request| match request.path.as_str() {
        "/ferry" => Answer::ok("text/html", page),
        _ => Answer::status(404),
    })
    .await;
    let host = api.url().trim_start_matches("http://").trim_end_matches('/').to_owned();
    let text = format!(
        "The Ell ferry carried 418,000 passengers in 2024 [1].\n\n\
         The Ell ferry carried 481,000 passengers in 2024 (http://{host}/ferry).\n\n\
         ## Sources\n1. Harbour office, http://{host}/ferry\n"
    );
    let program = Program::new();
    let library = "examples/library";
    let args = ["check", "-", "--library", library, "-q", "--json", "--allow-host", &host];
    let args: Vec<String> = args.iter().map(ToString::to_string).collect();
    let ran = tokio::task::spawn_blocking(move || {
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        program.run_with(&args, text.as_bytes())
    });
    let found = json(&ran.await.unwrap());
    assert_eq!(verdicts(&found), ["supported", "contradicted"], "{found:#}");
    assert_eq!(found["claims"][0]["evidence"][0]["cited"], true);
    assert_eq!(found["claims"][0]["cited"][0]["read"], true);
    let read = api.requests().iter().filter(|request| request.path == "/ferry").count();
    assert_eq!(read, 1, "a page that two statements cite is read once");
}

#[tokio::test]
async fn a_text_cannot_open_a_private_address() {
    let api = FakeApi::start(|_| Answer::ok("text/html", "The harbour closed in 1999.")).await;
    let text = format!("The harbour closed in 1999 ({}/secret).", api.url());
    let found =
        tokio::task::spawn_blocking(move || json(&check(&text, &["--json"]))).await.unwrap();
    assert_eq!(found["claims"][0]["cited"][0]["read"], false, "{found:#}");
    assert!(api.requests().is_empty());
}
