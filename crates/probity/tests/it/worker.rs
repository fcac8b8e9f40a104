//! Runs through the queue with the real program: queued here, carried out there, watched anywhere.

use std::process::Stdio;

use serde_json::Value;

use crate::program::{Program, Ran};

const QUESTION: &str = "How loud may amplified music be at night in Port Ellery?";

fn queue(program: &Program) -> String {
    let args =
        ["research", "--queue", "--quick", "--library", "examples/library", QUESTION, "--json"];
    program.run(&args).json()["run_id"].as_str().unwrap().to_owned()
}

/// The lines of a command that writes one JSON object a line.
fn lines(ran: Ran) -> Vec<Value> {
    ran.ok().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_queued_run_is_carried_out_by_a_worker_and_gives_the_same_report() {
    let program = Program::new();
    let id = queue(&program);
    let listed = program.run(&["queue", "list", "--json"]).json();
    assert_eq!(listed["counts"]["queued"], 1);
    assert_eq!(listed["jobs"][0]["id"], id.as_str());
    let tally = program.run(&["worker", "--until-empty", "--json"]).json();
    // The run, and the day's upkeep.
    assert_eq!(tally["done"], 2, "{tally}");

    let events = lines(program.run(&["runs", "events", &id, "--json"]));
    let kinds: Vec<&str> = events.iter().map(|e| e["event"]["event"].as_str().unwrap()).collect();
    assert_eq!((kinds.first(), kinds.last()), (Some(&"start"), Some(&"end")));
    let followed = lines(program.run(&["runs", "events", &id, "--follow", "--json"]));
    assert_eq!(followed, events);
    let rest = lines(program.run(&["runs", "events", &id, "--after", "3", "--json"]));
    assert_eq!(rest, events[3..]);

    let queued = program.run(&["runs", "show", &id]).ok();
    let direct = ["research", "--quiet", "--no-save", "--quick", "--library", "examples/library"];
    let direct = program.run(&[&direct[..], &[QUESTION]].concat());
    assert!(direct.stdout().ends_with(&queued), "a worker reports otherwise than the command line");
    let checked = program.run(&["runs", "replay", &id, "--check"]).ok();
    assert!(checked.contains("byte for byte"), "{checked}");
}

#[test]
fn a_run_that_waits_is_called_off_and_taken_up_again() {
    let program = Program::new();
    let id = queue(&program);
    let refused = program.run(&["runs", "resume", &id]);
    assert_eq!(refused.code(), 2);
    assert!(refused.stderr().contains("waits for a worker"), "{}", refused.stderr());

    program.run(&["runs", "cancel", &id]).ok();
    assert_eq!(program.run(&["runs", "cancel", &id]).code(), 2);
    let tally = program.run(&["worker", "--until-empty", "--json"]).json();
    assert_eq!(tally["done"], 1, "only the day's upkeep was left to do: {tally}");
    let events = lines(program.run(&["runs", "events", &id, "--json"]));
    assert_eq!(events.last().unwrap()["event"]["event"], "end");

    program.run(&["queue", "retry", &id]).ok();
    assert_eq!(program.run(&["queue", "retry", &id]).code(), 2, "it waits already");
    program.run(&["worker", "--until-empty"]).ok();
    let events = lines(program.run(&["runs", "events", &id, "--json"]));
    let kinds: Vec<&str> = events.iter().map(|e| e["event"]["event"].as_str().unwrap()).collect();
    assert_eq!(&kinds[..3], ["error", "resumed", "start"]);
    assert_eq!(kinds.iter().filter(|kind| **kind == "end").count(), 1);
    assert_eq!(program.run(&["queue", "retry", &id]).code(), 2, "it is finished");
}

#[test]
fn a_full_queue_says_so() {
    let program = Program::new();
    std::fs::write(program.config(), "[queue]\nopen = 1\n").unwrap();
    queue(&program);
    let full = program.run(&["research", "--queue", "--library", "examples/library", QUESTION]);
    assert_eq!(full.code(), 1);
    assert!(full.stderr().contains("too many runs wait"), "{}", full.stderr());
}

#[test]
fn a_worker_stops_when_it_is_told_to() {
    let program = Program::new();
    let mut command = program.command(&["worker"]);
    let mut worker = command.stderr(Stdio::piped()).spawn().unwrap();
    // It says so when it has begun.
    let mut said = String::new();
    let mut stderr = std::io::BufReader::new(worker.stderr.take().unwrap());
    std::io::BufRead::read_line(&mut stderr, &mut said).unwrap();
    assert!(said.contains("Working as"), "{said}");
    let pid = worker.id().to_string();
    std::process::Command::new("kill").args(["-TERM", &pid]).status().unwrap();
    assert!(worker.wait().unwrap().success());
}

#[test]
fn what_cannot_be_worked_on_is_refused() {
    let program = Program::new();
    for args in [&["worker", "--kinds", "poetry"][..], &["worker", "--concurrency", "0"]] {
        assert_eq!(program.run(args).code(), 2, "{args:?}");
    }
}

#[test]
fn a_store_is_moved_and_shows_the_same() {
    let program = Program::new();
    queue(&program);
    program.run(&["worker", "--until-empty"]).ok();
    let code = ["outlets", "code", "reuters.com", "--code", "high-quality-source", "--by", "Ada"];
    program.run(&code).ok();
    program.run(&["library", "add", "examples/library"]).ok();
    let from = program.home.path().join("data/probity.db").display().to_string();
    let to = program.home.path().join("copy.db").display().to_string();
    let moved = program.run(&["migrate-store", "--from", &from, "--to", &to, "--json"]).json();
    assert_eq!(moved["ledger_events"], 1);

    let exports = |store: Option<&str>| {
        let shown = [
            &["runs", "export", "last", "--journal"][..],
            &["outlets", "export"],
            &["library", "list", "--json"],
            &["library", "search", "noise at night", "--json"],
        ];
        let shown = shown.map(|args| {
            let mut command = program.command(args);
            if let Some(store) = store {
                command.env("PROBITY_STORE", store);
            }
            Ran(command.output().unwrap()).ok()
        });
        shown.join("\n")
    };
    assert_eq!(exports(Some(&to)), exports(None));
    let again = program.run(&["migrate-store", "--from", &from, "--to", &to]);
    assert_eq!(again.code(), 1);
    assert!(again.stderr().contains("not empty"), "{}", again.stderr());
    let missing = program.run(&["migrate-store", "--from", "/nowhere.db", "--to", &to]);
    assert_eq!(missing.code(), 2);
}

#[test]
fn once_a_day_what_ended_long_ago_is_forgotten_and_what_waits_stays() {
    let program = Program::new();
    let ended = queue(&program);
    program.run(&["worker", "--until-empty"]).ok();
    let waits = queue(&program);
    let report = program.run(&["runs", "show", &ended]).ok();
    let upkeep = |now: &str| {
        let mut command = program.command(&["worker", "--kinds", "upkeep", "--until-empty"]);
        Ran(command.env("PROBITY_NOW", now).output().unwrap()).ok();
        let jobs = program.run(&["queue", "list", "--all", "--json"]).json();
        let ids = jobs["jobs"].as_array().unwrap().iter();
        let ids: Vec<String> = ids.map(|job| job["id"].as_str().unwrap().to_owned()).collect();
        let events = program.run(&["runs", "events", &ended, "--json"]).ok();
        (ids.contains(&ended), ids.contains(&waits), events.lines().count())
    };
    // Thirty days are kept unless the settings say otherwise.
    let (ended_there, waits_there, events) = upkeep("2026-12-14T12:00:00Z");
    assert!(ended_there && waits_there && events > 5, "{events}");
    assert_eq!(upkeep("2026-12-16T12:00:00Z"), (false, true, 0));
    assert_eq!(program.run(&["runs", "show", &ended]).ok(), report, "the report stays");
}
