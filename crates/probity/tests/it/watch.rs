//! Saved questions with the real program: asked now, silent while nothing changes, told when something does.

use crate::program::Program;

const QUESTION: &str = "How loud may amplified music be at night in Port Ellery?";

#[test]
fn a_saved_question_is_silent_until_a_source_says_something_new() {
    let program = Program::new();
    program.run(&["library", "add", "examples/library"]).ok();
    let add = ["watch", "add", QUESTION, "--every", "6h", "--search", "library", "--json"];
    let added = program.run(&add).json();
    assert_eq!((&added["id"], &added["every_ms"]), (&1.into(), &21_600_000.into()), "{added}");
    let first = program.run(&["watch", "run", "1", "--json"]).json();
    assert_eq!(first["outcome"], "first", "{first}");
    let second = program.run(&["watch", "run", "1"]).ok();
    assert!(second.starts_with("nothing new"), "{second}");

    let news = program.home.path().join("night-limit.md");
    let text = "# Port Ellery: amplified music at night\n\nSince July 2026 amplified music in Port Ellery may be at \
                most 41 decibels loud at night, the council decided.\n";
    std::fs::write(&news, text).unwrap();
    program.run(&["library", "add", news.to_str().unwrap()]).ok();
    let third = program.run(&["watch", "run", "1"]).ok();
    assert!(third.starts_with("something changed"), "{third}");
    assert!(third.contains("New source: ") && third.contains("night-limit"), "{third}");
    let shown = program.run(&["watch", "show", "1", "--json"]).json();
    let outcomes: Vec<&str> = shown["turns"]
        .as_array()
        .unwrap()
        .iter()
        .map(|turn| turn["outcome"].as_str().unwrap())
        .collect();
    assert_eq!(outcomes, ["changed", "same", "first"]);
}

#[test]
fn a_saved_question_is_paused_changed_and_removed() {
    let program = Program::new();
    assert!(program.run(&["watch", "list"]).ok().is_empty());
    program.run(&["watch", "add", QUESTION]).ok();
    program.run(&["watch", "pause", "1"]).ok();
    assert!(program.run(&["watch", "list"]).ok().contains("paused"));
    program.run(&["watch", "every", "1", "2w"]).ok();
    program.run(&["watch", "resume", "1"]).ok();
    let listed = program.run(&["watch", "list", "--json"]).json();
    assert_eq!(listed[0]["every_ms"], 1_209_600_000_i64);
    assert_eq!(listed[0]["paused"], false);
    let often = program.run(&["watch", "every", "1", "5m"]);
    assert_eq!(often.code(), 2);
    assert!(often.stderr().contains("every 15m to 366d"), "{}", often.stderr());
    program.run(&["watch", "remove", "1"]).ok();
    let gone = program.run(&["watch", "show", "1"]);
    assert!(gone.stderr().contains("probity watch list"), "{}", gone.stderr());
}
