//! The second process: this very test binary, started again with a task in its environment.

use std::process::{Child, Command, Stdio};

use probity_store::ledger::{Intent, Newcomer};
use probity_store::{Location, Store};

use crate::place::coding;

const TASK: &str = "PROBITY_TEST_WORKER";

/// Starts a process that makes `count` codings of one outlet, each with a note of its own, and
/// prints the note once its coding is permanent.
pub(crate) fn start(place: &str, domain: &str, label: &str, count: usize) -> Child {
    command(place, domain, label, count).spawn().unwrap()
}

/// The same, to be started by the caller.
pub(crate) fn command(place: &str, domain: &str, label: &str, count: usize) -> Command {
    let task = format!("{count} {domain} {label} {place}");
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", "worker::worker", "--ignored", "--nocapture"])
        .env(TASK, task)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// The note that a line of a worker's output acknowledges. The test harness may write before it.
pub(crate) fn acknowledged(line: &str) -> Option<String> {
    let (_, note) = line.rsplit_once("ack ")?;
    // A line that was cut off by the kill has no end mark.
    note.strip_suffix(';').map(str::to_owned)
}

#[tokio::test]
#[ignore = "the second process of other tests; does nothing on its own"]
async fn worker() {
    let task = std::env::var(TASK).expect("started by another test");
    let mut parts = task.splitn(4, ' ');
    let count: usize = parts.next().unwrap().parse().unwrap();
    let (domain, label) = (parts.next().unwrap(), parts.next().unwrap());
    let location = Location::parse(parts.next().unwrap()).unwrap();
    let store = Store::open(&location).await.unwrap_or_else(|error| panic!("{error}"));
    for turn in 0..count {
        let code = if turn % 3 == 0 { "source-unreliable" } else { "high-quality-source" };
        let note = format!("{label}-{turn}");
        let request = coding(domain, &[code], &note);
        let made = store.code(request, Newcomer::Add, Intent::Apply).await;
        made.unwrap_or_else(|error| panic!("{error}"));
        println!("ack {note};");
    }
}
