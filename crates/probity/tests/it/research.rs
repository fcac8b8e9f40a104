//! `probity research` as a stranger meets it: one command, a cited report, honest outcomes.

use std::path::Path;

use probity_report::parse::parse;
use probity_testkit::fake_api::{Answer, FakeApi};
use probity_testkit::lint;
use serde_json::Value;

use crate::program::{Program, Ran};

const SONGS: &str = "What are the most popular first dance songs at Port Ellery weddings?";
const FEES: &str = "How much do flamenco guitarists charge compared with classical guitarists for private \
                    events in Port Ellery?";

fn ask(program: &Program, question: &str, more: &[&str]) -> Ran {
    let mut args = vec!["research", "--library", "examples/library", question];
    args.extend(more);
    program.run(&args)
}

#[test]
fn the_decisions_of_the_acceptance_table_come_out() {
    let program = Program::new();
    for (question, more, decision) in [
        (
            "What does Port Ellery's noise ordinance say about amplified outdoor music at night?",
            "--standard",
            "short_report",
        ),
        (FEES, "--standard", "insufficient_data"),
        (SONGS, "--standard", "full_report"),
        (
            "How does the history of rumba flamenca differ from that of Cuban rumba?",
            "--deep",
            "full_report",
        ),
        (
            "Which booking strategies do Port Ellery's luxury hotels use to win direct reservations?",
            "--standard",
            "short_report",
        ),
    ] {
        let ran = ask(&program, question, &[more, "--json", "--no-save"]);
        let report: Value = serde_json::from_str(&ran.stdout()).unwrap();
        assert_eq!(report["decision"], decision, "{question}\n{}", ran.stderr());
    }
}

#[test]
fn reports_from_the_example_library_read_well_and_take_their_headings_from_it() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/library");
    let texts = texts_below(Path::new(folder));
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let program = Program::new();
    for question in [
        SONGS,
        "What does Port Ellery's noise ordinance say about amplified outdoor music at night?",
        "How does the history of rumba flamenca differ from that of Cuban rumba?",
        "Which booking strategies do Port Ellery's luxury hotels use to win direct reservations?",
    ] {
        let out = ask(&program, question, &["--no-save"]).ok();
        let (_, report) = out.split_once('\n').unwrap();
        lint::check(report);
        assert_eq!(lint::foreign_headings(report, &texts), Vec::<String>::new(), "{report}");
    }
}

fn texts_below(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| match path.is_dir() {
            true => texts_below(&path),
            false => vec![std::fs::read_to_string(&path).unwrap_or_default()],
        })
        .collect()
}

#[test]
fn a_table_that_holds_the_answer_is_carried_over_and_rivals_keep_confidence_at_medium() {
    let text = ask(&Program::new(), SONGS, &[]).ok();
    assert!(text.contains("| 2 | \"Perfect\" (Ed Sheeran) | 12 % | [1] |"), "{text}");
    assert!(text.contains("- **Confidence Level:** Medium"), "{text}");
}

#[test]
fn the_report_is_alone_on_stdout_and_the_story_on_stderr() {
    let program = Program::new();
    let ran = ask(&program, SONGS, &[]);
    let out = ran.ok();
    let (rule, report) = out.split_once('\n').unwrap();
    assert_eq!(rule, "=".repeat(60));
    let parsed = parse(report).unwrap();
    assert_eq!(parsed.question, SONGS);
    assert!(parsed.sources.len() >= 4);
    let story = ran.stderr();
    for sign in ["[1/6]", "[6/6]", "🔍 Searching", "📄 Fetching", "/5 — KEEP", "full_report: "]
    {
        assert!(story.contains(sign), "{sign} is missing in:\n{story}");
    }
    assert!(!story.contains('\u{1b}'), "a pipe gets no colour");
    let quiet = ask(&program, SONGS, &["--quiet"]);
    assert_eq!((quiet.stderr(), quiet.stdout()), (String::new(), out));
}

#[test]
fn too_little_is_said_in_so_many_words() {
    let program = Program::new();
    let ran = ask(&program, FEES, &["--no-save"]);
    assert_eq!(ran.code(), 3, "{}", ran.stderr());
    let out = ran.stdout();
    let account = out.split("## Why There Is No Report").nth(1).unwrap();
    let words =
        account.split_whitespace().filter(|word| word.chars().any(char::is_alphanumeric)).count();
    // Nothing is said to fill a page.
    assert!(words <= 250, "{words} words:\n{account}");
    assert!(account.contains("Searched for") && account.contains("nearest passages"), "{account}");
    assert!(!out.contains("## Sources") && !out.contains("[1]"));
}

#[test]
fn json_holds_everything_about_the_run() {
    let program = Program::new();
    let report = ask(&program, SONGS, &["--format", "json", "--no-save"]).json();
    for field in [
        "run_id",
        "question",
        "mode",
        "decision",
        "decision_rationale",
        "title",
        "markdown",
        "confidence",
        "sources",
        "candidates",
        "statements",
        "problems",
        "usage",
    ] {
        assert!(!report[field].is_null(), "{field} is missing");
    }
    let source = &report["sources"][0];
    for field in ["n", "id", "url", "title", "credibility", "relevance", "outcome"] {
        assert!(!source[field].is_null(), "sources[].{field} is missing");
    }
    for part in ["score", "authority", "relevance", "recency"] {
        assert!(source["credibility"][part].is_number());
    }
    let statement = &report["statements"][0];
    assert_eq!(statement["support"], "supported");
    assert!(statement["passage"].is_string() && statement["value"].is_number());
    let verdicts =
        report["candidates"].as_array().unwrap().iter().map(|c| c["verdict"].as_str().unwrap());
    assert!(verdicts.clone().any(|v| v == "read") && verdicts.clone().any(|v| v == "unused"));
    let decided = report["decision_rationale"].as_str().unwrap();
    assert!(decided.contains("sources scored ≥ 3"), "{decided}");
}

#[test]
fn every_quoted_sentence_is_in_its_source() {
    let program = Program::new();
    let report = ask(&program, SONGS, &["--json", "--no-save"]).json();
    let statements = report["statements"].as_array().unwrap();
    assert!(statements.len() >= 5, "only {} statements", statements.len());
    for statement in statements {
        assert_eq!(statement["support"], "supported", "{statement}");
        assert!(!statement["cites"].as_array().unwrap().is_empty());
    }
}

#[test]
fn questions_that_cannot_be_asked_are_refused_before_anything_is_done() {
    let program = Program::new();
    let long = "x".repeat(2_001);
    for (question, says) in [
        ("", "at least 3"),
        ("  a ", "at least 3"),
        (long.as_str(), "at most 2000"),
        ("what is it and why", "filler"),
    ] {
        ask(&program, question, &[]).fails(2, says);
    }
    program.run(&["research"]).fails(2, "QUESTION");
    assert!(!program.home.path().join("data").exists(), "something was written");
}

#[test]
fn places_that_cannot_be_read_or_written_are_named() {
    let program = Program::new();
    let empty = program.home.path().join("empty");
    std::fs::create_dir(&empty).unwrap();
    let ask_in = |folder: &str, more: &[&str]| {
        let mut args = vec!["research", SONGS, "--library", folder];
        args.extend(more);
        program.run(&args)
    };
    ask_in("no/such/folder", &[]).fails(2, "no/such/folder");
    ask_in(empty.to_str().unwrap(), &[]).fails(2, "holds no document");
    ask_in("examples/library", &["-o", "no/such/folder/report.md"]).fails(1, "cannot write");
    ask_in("examples/library", &["-o", empty.to_str().unwrap()]).fails(1, "is a folder");
    ask_in("examples/library", &["--search", "nonsense"]).fails(2, "nonsense");
    ask_in("examples/library", &["--allow-host", "no port"]).fails(2, "allow-host");
}

#[test]
fn a_report_goes_to_a_file_whole() {
    let program = Program::new();
    let file = program.home.path().join("report.md");
    let ran = ask(&program, SONGS, &["-o", file.to_str().unwrap(), "--appendix", "--quick"]);
    assert_eq!(ran.ok(), "");
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.starts_with("# ") && text.contains("## Appendix: Every Candidate"), "{text}");
    assert!(ran.stderr().contains("Written to"));
    // Quick runs keep nothing.
    assert!(!program.home.path().join("data/reports").exists());
}

#[test]
fn a_saved_run_can_be_listed_shown_replayed_swept_compared_and_deleted() {
    let program = Program::new();
    let first = ask(&program, SONGS, &["--quiet"]).ok();
    ask(&program, SONGS, &["--quiet", "--deep"]).ok();
    let reports = std::fs::read_dir(program.home.path().join("data/reports")).unwrap().count();
    assert_eq!(reports, 2);

    let runs = program.run(&["runs", "list", "--json"]).json();
    let ids: Vec<&str> =
        runs.as_array().unwrap().iter().map(|r| r["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), 2);
    let standard = runs.as_array().unwrap().iter().find(|r| r["mode"] == "standard").unwrap();
    let id = standard["id"].as_str().unwrap();
    assert!(program.run(&["runs", "list"]).ok().contains("full_report"));

    let shown = program.run(&["runs", "show", id]).ok();
    assert_eq!(first.split_once('\n').unwrap().1, shown);
    let replayed = program.run(&["runs", "replay", id]).ok();
    assert_eq!(replayed, first);
    assert!(program.run(&["runs", "replay", id, "--check"]).ok().contains("byte for byte"));

    let sweep = program.run(&[
        "runs",
        "sweep",
        id,
        "--cutoff",
        "2..5",
        "--threshold",
        "0.3..0.7",
        "--json",
    ]);
    let sweep = sweep.json();
    assert_eq!(sweep.as_array().unwrap().len(), 20);
    let own = sweep.as_array().unwrap().iter().find(|o| o["cutoff"] == 3 && o["threshold"] == 0.5);
    assert!(own.is_some());
    program.run(&["runs", "sweep", id, "--cutoff", "0..9"]).fails(2, "from 1 to 5");

    let other = *ids.iter().find(|other| **other != id).unwrap();
    let diff = program.run(&["runs", "diff", id, other, "--json"]).json();
    assert!(diff["sources"]["kept"].as_u64().unwrap() > 0);
    assert!(program.run(&["runs", "diff", id, other]).ok().contains("sources"));

    let journal = program.run(&["runs", "export", id, "--journal"]).json();
    assert!(journal["journal"].as_array().unwrap().len() > 10);
    program.run(&["runs", "show", "zzz"]).fails(2, "no run zzz");
    program.run(&["runs", "delete", id]).ok();
    program.run(&["runs", "show", id]).fails(2, "no run");
}

#[test]
fn a_finished_run_is_resumed_to_the_same_report() {
    let program = Program::new();
    let first = ask(&program, SONGS, &["--quiet"]).ok();
    let again = program.run(&["runs", "resume", "last", "--quiet"]).ok();
    assert_eq!(first, again);
    let events = program.run(&["runs", "events", "last", "--json"]).ok();
    assert_eq!(events.matches("\"event\":\"report\"").count(), 1, "it ended once: {events}");
}

#[tokio::test]
async fn ctrl_c_leaves_a_run_that_can_be_resumed() {
    let api = FakeApi::start(|_| Answer::Silence).await;
    let program = Program::new();
    let mut command = program.command(&["research", SONGS, "--search", "searxng"]);
    command.env("SEARXNG_URL", api.url());
    command.stderr(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let child = command.spawn().unwrap();
    // The run is in progress once it has asked.
    while api.requests().is_empty() {
        tokio::task::yield_now().await;
        std::thread::yield_now();
    }
    std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let ran = Ran(tokio::task::spawn_blocking(|| child.wait_with_output().unwrap()).await.unwrap());
    assert_eq!(ran.code(), 130, "{}", ran.stderr());
    assert!(ran.stderr().contains("probity runs resume"), "{}", ran.stderr());
    assert_eq!(ran.stdout(), "");
    let runs = program.run(&["runs", "list", "--json"]).json();
    assert_eq!(runs[0]["status"], "interrupted");
}

#[tokio::test]
async fn no_network_is_an_honest_outcome() {
    let api = FakeApi::start(|_| Answer::status(500)).await;
    let program = Program::new();
    let mut command = program.command(&["research", SONGS, "--search", "searxng", "--no-save"]);
    command.env("SEARXNG_URL", api.url());
    let ran = Ran(tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap());
    assert_eq!(ran.code(), 3, "{}", ran.stderr());
    assert!(ran.stderr().contains("searxng"), "{}", ran.stderr());
    let report = ran.stdout();
    for part in ["No search provider answered", "searxng: ", "--library", "network"] {
        assert!(report.contains(part), "{part} in:\n{report}");
    }
    for claim in ["share words with the question", "pages that were read"] {
        assert!(!report.contains(claim), "{claim} in:\n{report}");
    }
}

#[test]
fn a_run_of_the_command_line_keeps_its_events_and_goes_on_with_them() {
    let program = Program::new();
    ask(&program, SONGS, &["--quiet"]).ok();
    let kinds = |args: &[&str]| {
        let lines = program.run(args).ok();
        let events = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let kind = |event: Value| event["event"]["event"].as_str().unwrap().to_owned();
        events.map(kind).collect::<Vec<_>>()
    };
    let events = kinds(&["runs", "events", "last", "--json"]);
    assert_eq!(events[0], "start");
    for kind in ["plan", "search", "fetch", "verdict", "gate", "synthesise"] {
        assert!(events.iter().any(|event| event == kind), "{kind} in {events:?}");
    }
    assert_eq!(events[events.len() - 2..], ["report", "end"]);
    assert_eq!(kinds(&["runs", "events", "last", "--json", "--follow"]), events);
    // Told again, nothing but the end is new, and there is one end.
    program.run(&["runs", "resume", "last", "--quiet"]).ok();
    let again = kinds(&["runs", "events", "last", "--json"]);
    assert_eq!(again.iter().filter(|event| *event == "end").count(), 1);
    assert_eq!(again.last().unwrap(), "end");
    assert_eq!(
        again.iter().filter(|event| *event == "search").count(),
        events.iter().filter(|event| *event == "search").count()
    );
    let none = program.run(&["runs", "events", "last", "--after", "999"]);
    assert_eq!((none.ok().as_str(), none.stderr().as_str()), ("", ""));
}

#[test]
fn what_a_call_names_and_is_not_there_is_the_calls_mistake_everywhere() {
    let program = Program::new();
    ask(&program, SONGS, &["--quiet"]).ok();
    for args in [
        &["runs", "show", "nothing"][..],
        &["export", "nothing"],
        &["runs", "events", "nothing"],
        &["feeds", "show", "77"],
        &["feeds", "fetch", "77"],
        &["news", "show", "77"],
        &["news", "topic", "77"],
        &["library", "show", "nothing"],
        &["library", "remove", "nothing"],
        &["users", "remove", "nobody"],
        &["render", "no/file.json"],
        &["extract", "no/file.html"],
        &["cite-check", "--claim", "It rains.", "--source", "no/file.txt"],
        &["check", "no/file.txt"],
        &["library", "add", "no/folder"],
        &["research", SONGS, "--library", "no/folder"],
        &["research", SONGS, "--urls", "no/list"],
        &["restore", "no/backup"],
        &["restore", "no/backup", "--check"],
        &["feeds", "parse", "no/feed.xml"],
        &["feeds", "import", "no/feeds.opml"],
        &["news", "cluster", "no/articles.jsonl"],
        &["outlets", "import", "no/outlets.csv"],
        &["bench", "relevance", "no/cases.jsonl"],
        &["--config", "no/config.toml", "outlets", "list"],
    ] {
        let ran = program.run(args);
        assert_eq!(ran.code(), 2, "{args:?}: {}", ran.stderr());
        assert!(!ran.stderr().contains("Usage:"), "{args:?}: {}", ran.stderr());
    }
}

#[test]
fn a_plan_is_printed_as_a_file_that_can_be_given_back() {
    let program = Program::new();
    let printed = ask(&program, SONGS, &["--plan-only"]).ok();
    assert!(printed.contains("  - "), "{printed}");
    let plan: Value =
        serde_json::from_str(&ask(&program, SONGS, &["--plan-only", "--json"]).ok()).unwrap();
    assert!(plan["queries"].as_array().is_some_and(|queries| !queries.is_empty()), "{plan}");

    let file = program.config().with_file_name("plan.md");
    std::fs::write(&file, "- Which songs are played first?\n  - first dance songs\n").unwrap();
    let file = file.to_str().unwrap();
    let ran = ask(&program, SONGS, &["--plan-file", file, "--json", "--no-save"]);
    let report: Value = serde_json::from_str(&ran.stdout()).unwrap();
    assert_eq!(report["plan"]["parts"][0]["question"], "Which songs are played first?");
    assert_eq!(report["queries"][1]["text"], "first dance songs");

    std::fs::write(file, "Only a brief.").unwrap();
    let ran = ask(&program, SONGS, &["--plan-file", file]);
    assert_eq!(ran.code(), 2);
    assert!(ran.stderr().contains("names nothing to search for"), "{}", ran.stderr());
    let ran = ask(&program, SONGS, &["--clarify"]);
    assert_eq!(ran.code(), 2, "{}", ran.stderr());
}

#[test]
fn a_plan_that_nobody_is_asked_about_is_shown_and_followed() {
    let ran = ask(&Program::new(), SONGS, &["--plan", "--quick"]);
    let (story, report) = (ran.stderr(), ran.ok());
    assert!(story.contains("\n  - ") && story.contains("planned"), "{story}");
    assert!(report.contains("## Methodology"), "{report}");
}

#[test]
fn a_source_that_is_not_read_to_its_end_is_told_in_progress_and_report() {
    let program = Program::new();
    let folder = program.home.path().join("long");
    std::fs::create_dir(&folder).unwrap();
    let mut text = "The lighthouse of Skarvik was built in 1874 by Tove Lindqvist.\n\n".to_owned();
    for line in 0..64_000 {
        text.push_str(&format!(
            "Entry {line} of the log of the harbour tells of wind and of rain.\n\n"
        ));
    }
    std::fs::write(folder.join("log.txt"), text).unwrap();
    let folder = folder.to_str().unwrap();
    for question in
        ["Who built the lighthouse of Skarvik?", "What did the harbour of Skarvik cost?"]
    {
        let ran = program.run(&["research", "--quick", "--library", folder, question]);
        assert!(
            ran.stderr().contains("only the first 4 MB of its text was read"),
            "{}",
            ran.stderr()
        );
        let expected =
            "Of 1 source not everything was read: only the first 4 MB of its text was read.";
        assert!(ran.stdout().contains(expected), "{}", ran.stdout());
    }
}

#[test]
fn a_source_of_which_a_limit_left_out_a_part_is_told_in_progress_and_report() {
    let program = Program::new();
    let folder = program.home.path().join("tables");
    std::fs::create_dir(&folder).unwrap();
    let table = format!("<tr>{}", "<td>40".repeat(101)).repeat(2);
    let page = format!(
        "<h1>The lighthouse</h1><p>The lighthouse of Skarvik was built in 1874 by Tove Lindqvist.</p>\
         <table>{table}</table>"
    );
    std::fs::write(folder.join("lighthouse.html"), page).unwrap();
    let folder = folder.to_str().unwrap();
    let question = "Who built the lighthouse of Skarvik?";
    let why = "a table of it has more rows or columns than are read";
    let of_source = format!("Of 1 source not everything was read: {why}.");
    let ran = program.run(&["research", "--quick", "--library", folder, question]);
    let of_folder = format!("{folder}: not everything in lighthouse.html can be found: {why}");
    assert!(ran.stderr().contains(&of_folder), "{}", ran.stderr());
    assert!(ran.stderr().contains(&format!("lighthouse.html: {why}")), "{}", ran.stderr());
    assert!(ran.stdout().contains(&of_source), "{}", ran.stdout());

    program.run(&["library", "add", folder]).ok();
    let ran = program.run(&["research", "--quick", "--search", "library", question]);
    assert!(ran.stdout().contains(&of_source), "{}{}", ran.stdout(), ran.stderr());
}
