//! `probity ask`: another question to the sources of a stored run, without any search.

use serde_json::Value;

use crate::program::{Program, Ran};

const SONGS: &str = "What are the most popular first dance songs at Port Ellery weddings?";

/// A program with one stored run.
fn with_a_run() -> (Program, Value) {
    let program = Program::new();
    let args = ["research", "--library", "examples/library", "--save", "--json", SONGS];
    let report = serde_json::from_str(&program.run(&args).ok()).unwrap();
    (program, report)
}

fn json(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout()).unwrap()
}

fn urls(report: &Value, verdicts: &[&str]) -> Vec<String> {
    let candidates = report["candidates"].as_array().unwrap().iter();
    let read = candidates.filter(|one| verdicts.contains(&one["verdict"].as_str().unwrap()));
    read.map(|one| one["url"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_sources_of_a_run_answer_something_else_and_nothing_else_is_asked() {
    let (program, first) = with_a_run();
    let question = "How many couples were asked about their first dance in Port Ellery?";
    let ran = program.run(&["ask", "last", question, "--json"]);
    let second = json(&ran);
    assert_ne!(second["decision"], "insufficient_data", "{}", ran.stderr());
    let known = urls(&first, &["read", "dropped"]);
    let asked = urls(&second, &["read", "dropped", "unused", "failed", "blocked"]);
    assert!(!asked.is_empty() && asked.iter().all(|url| known.contains(url)), "{asked:?}");
    assert!(!ran.stderr().contains("Blocked"), "what was read once is not blocked");
    assert_ne!(second["run_id"], first["run_id"]);
}

#[test]
fn where_its_sources_do_not_suffice_it_says_how_to_search_further() {
    let (program, first) = with_a_run();
    let question = "What does a diving licence cost in Port Ellery?";
    let ran = program.run(&["ask", "last", question]);
    ran.fails(3, "search further: probity research --continue");
    let library = ["--library", "examples/library", "--json"];
    let mut args = vec!["research", "--continue", first["run_id"].as_str().unwrap(), question];
    args.extend(library);
    let further = json(&program.run(&args));
    let known = urls(&first, &["read", "dropped"]);
    let found = urls(&further, &["read", "dropped", "unused", "failed", "blocked"]);
    assert!(found.iter().any(|url| !known.contains(url)), "the library was searched too");
}

#[test]
fn a_run_that_is_not_there_is_named() {
    let program = Program::new();
    program.run(&["ask", "last", "How loud may music be?"]).fails(2, "there are no stored runs");
    let (program, _) = with_a_run();
    program.run(&["ask", "1999", "How loud may music be?"]).fails(2, "1999");
}
