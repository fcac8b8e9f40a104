//! `probity demo`: a filled server in a folder that is gone afterwards.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Stdio};

use crate::program::Program;

fn get(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

fn interrupt(child: &mut Child) -> Option<i32> {
    let id = child.id().to_string();
    std::process::Command::new("kill").args(["-INT", &id]).status().unwrap();
    child.wait().unwrap().code()
}

#[test]
fn a_stranger_sees_runs_topics_and_a_ledger_and_nothing_stays_behind() {
    let program = Program::new();
    let temporary = program.home.path().join("temporary");
    fs::create_dir(&temporary).unwrap();
    let mut command = program.command(&["demo", "--bind", "127.0.0.1:0"]);
    // Keys and stores of the user's are not used.
    command.env("TMPDIR", &temporary).env("PROBITY_STORE", "postgres://127.0.0.1:1/nobody");
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().trim_start_matches("http://").trim_end_matches('/').to_owned();
    let runs = get(&address, "/api/runs");
    assert_eq!(runs.matches("\"full_report\"").count(), 2, "{runs}");
    assert_eq!(runs.matches("\"short_report\"").count(), 2, "{runs}");
    assert_eq!(runs.matches("\"insufficient_data\"").count(), 1, "{runs}");
    let topics = get(&address, "/topics");
    assert!(topics.contains("Saint Brannoc") && topics.contains("quay"), "{topics}");
    let outlets = get(&address, "/outlets");
    assert!(outlets.contains("ellery-courier.example"), "{outlets}");
    assert_eq!(fs::read_dir(&temporary).unwrap().count(), 1);
    assert_eq!(interrupt(&mut child), Some(0));
    assert_eq!(fs::read_dir(&temporary).unwrap().count(), 0, "the folder is gone");
    assert!(!program.home.path().join("data").exists(), "nothing of the user's was touched");
}

#[test]
fn an_interruption_while_it_fills_leaves_nothing_either() {
    let program = Program::new();
    let temporary = program.home.path().join("temporary");
    fs::create_dir(&temporary).unwrap();
    let mut command = program.command(&["demo", "--bind", "127.0.0.1:0"]);
    command.env("TMPDIR", &temporary).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // The first line tells that the folder is there and the work has begun.
    let mut line = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.contains("Indexed"), "{line}");
    assert_eq!(interrupt(&mut child), Some(130));
    assert_eq!(fs::read_dir(&temporary).unwrap().count(), 0);
}

#[test]
fn others_are_not_let_in() {
    Program::new().run(&["demo", "--bind", "0.0.0.0:0"]).fails(2, "not loopback");
}
