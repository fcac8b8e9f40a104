//! What was acknowledged stays: through tampering, crowds of processes, kills, and on both engines.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Stdio};

use probity_testkit::postgres::TestDatabase;

use crate::program::Program;

/// More codings than a process gets done before it is killed, each with a note of its own.
fn lines(label: &str, count: usize) -> String {
    let line = |n: usize| {
        let code = if n.is_multiple_of(3) { "source-unreliable" } else { "high-quality-source" };
        format!("{{\"target\": \"bbc.com\", \"codes\": [\"{code}\"], \"note\": \"{label}-{n}\"}}\n")
    };
    (0..count).map(line).collect()
}

fn start_stream(program: &Program, store: Option<&str>, input: String) -> Child {
    let mut command = program.command(&["outlets", "code", "--stdin", "--by", "Ada"]);
    if let Some(store) = store {
        command.env("PROBITY_STORE", store);
    }
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    std::thread::spawn(move || {
        let _ = stdin.write_all(input.as_bytes());
    });
    child
}

/// The note of an acknowledgement; none for a line that the kill cut off.
fn note(line: &str) -> Option<String> {
    let event: serde_json::Value = serde_json::from_str(line).ok()?;
    event["note"].as_str().map(str::to_owned)
}

#[test]
fn what_the_program_acknowledged_survives_fifty_kills() {
    let program = Program::new();
    let mut acknowledged = Vec::new();
    for round in 0..50 {
        let mut child = start_stream(&program, None, lines(&format!("r{round}"), 3_000));
        let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut got = Vec::new();
        while got.len() <= round % 9 {
            got.extend(note(&output.next().unwrap().unwrap()));
        }
        child.kill().unwrap();
        got.extend(output.map_while(Result::ok).filter_map(|line| note(&line)));
        child.wait().unwrap();
        acknowledged.extend(got);
    }
    let proof = program.run(&["outlets", "verify", "--json"]).json();
    assert_eq!(proof["sound"], true);
    let mut kept: HashMap<String, usize> = HashMap::new();
    for line in program.run(&["outlets", "export", "--events"]).ok().lines() {
        *kept.entry(note(line).unwrap()).or_default() += 1;
    }
    assert!(acknowledged.len() >= 50);
    for note in &acknowledged {
        assert_eq!(kept.get(note), Some(&1), "{note}");
    }
    assert!(kept.values().all(|times| *times == 1));
}

/// A hundred codings from five processes at once, which also race to create the store.
fn crowd(program: &Program, store: Option<&str>) {
    let children: Vec<Child> =
        (0..5).map(|n| start_stream(program, store, lines(&format!("p{n}"), 20))).collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{errors}");
        assert_eq!(output.stdout.iter().filter(|byte| **byte == b'\n').count(), 20);
    }
    let run = |args: &[&str]| {
        let mut command = program.command(args);
        if let Some(store) = store {
            command.env("PROBITY_STORE", store);
        }
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let proof: serde_json::Value =
        serde_json::from_str(&run(&["outlets", "verify", "--json"])).unwrap();
    assert_eq!((proof["sound"].as_bool(), proof["events"].as_i64()), (Some(true), Some(100)));
    let mut score = 0.83;
    for line in run(&["outlets", "export", "--events"]).lines() {
        let event: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(event["before"].as_f64(), Some(score));
        score += 0.1 * (event["target"].as_f64().unwrap() - score);
        assert_eq!(event["after"].as_f64(), Some(score));
    }
    let shown: serde_json::Value =
        serde_json::from_str(&run(&["outlets", "show", "bbc.com", "--json"])).unwrap();
    assert_eq!(shown["score"].as_f64(), Some(score));
}

#[test]
fn a_hundred_codings_from_five_programs_add_up() {
    crowd(&Program::new(), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_codings_from_five_programs_add_up_on_postgresql() {
    let Some(database) = TestDatabase::create().await else { return };
    crowd(&Program::new(), Some(&database.url()));
}

#[test]
fn a_refused_line_does_not_stop_the_others() {
    let program = Program::new();
    let input = "{\"target\": \"bbc.com\", \"codes\": [\"high-quality-source\"]}\n\
                 \n\
                 {\"target\": \"bbc.com\", \"codes\": [\"nope\"]}\n\
                 not json\n\
                 {\"target\": \"reuter.com\", \"codes\": [\"high-quality-source\"]}\n\
                 {\"target\": \"ft.com\", \"codes\": [\"high-quality-source\"], \"by\": \"Bo\", \"alpha\": 0.5}\n";
    let ran = program.run_with(&["outlets", "code", "--stdin", "--by", "Ada"], input.as_bytes());
    ran.fails(1, "3 of 6 lines were refused");
    let lines: Vec<serde_json::Value> =
        ran.stdout().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 5);
    assert_eq!((lines[0]["by"].as_str(), lines[0]["seq"].as_i64()), (Some("Ada"), Some(1)));
    assert_eq!(lines[1]["line"], 3);
    assert_eq!(lines[3]["error"], "the ledger has no outlet reuter.com, but it has reuters.com");
    assert_eq!((lines[4]["by"].as_str(), lines[4]["after"].as_f64()), (Some("Bo"), Some(0.95)));
    let unsigned = b"{\"target\": \"bbc.com\", \"codes\": [\"high-quality-source\"]}\n";
    let ran = program.run_with(&["outlets", "code", "--stdin"], unsigned);
    assert!(ran.stdout().contains("`by` is missing"), "{}", ran.stdout());
}

#[test]
fn a_flipped_byte_is_found_and_the_event_is_named() {
    let program = Program::new();
    for n in 0..5 {
        let note = format!("a note to remember {n}");
        let args = [
            "outlets",
            "code",
            "bbc.com",
            "--code",
            "high-quality-source",
            "--by",
            "Ada",
            "--note",
            &note,
        ];
        program.run(&args).ok();
    }
    let head = program.run(&["outlets", "verify"]).ok();
    let head = head.lines().last().unwrap().strip_prefix("head ").unwrap().to_owned();
    program.run(&["outlets", "verify", "--head", &head]).ok();

    let file = program.home.path().join("data/probity.db");
    let honest = std::fs::read(&file).unwrap();
    let wanted = b"a note to remember 2";
    let place = honest.windows(wanted.len()).position(|window| window == wanted).unwrap();
    let mut bytes = honest.clone();
    bytes[place + 2] ^= 1;
    std::fs::write(&file, &bytes).unwrap();

    program
        .run(&["outlets", "verify"])
        .fails(1, "the ledger is broken: event 3 does not match its hash");
    let ran = program.run(&["outlets", "verify", "--json"]);
    assert_eq!(ran.code(), 1);
    let fault: serde_json::Value = serde_json::from_str(&ran.stdout()).unwrap();
    assert_eq!((fault["sound"].as_bool(), fault["event"].as_i64()), (Some(false), Some(3)));
    assert_eq!(fault["kind"], "changed");

    std::fs::write(&file, &honest).unwrap();
    program.run(&["outlets", "verify"]).ok();
    let other = head.replacen("5:", "4:", 1);
    program.run(&["outlets", "verify", "--head", &other]).fails(1, "event 4");
}

#[test]
fn a_damaged_or_foreign_store_is_refused_with_its_reason() {
    let program = Program::new();
    let data = program.home.path().join("data");
    std::fs::create_dir_all(&data).unwrap();
    std::fs::write(data.join("probity.db"), "no database at all ".repeat(100)).unwrap();
    program.run(&["outlets", "list"]).fails(1, "damaged or not a database");
    let mut command = program.command(&["outlets", "list"]);
    command.env("PROBITY_STORE", "mysql://somewhere/x");
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("not supported"));
}
