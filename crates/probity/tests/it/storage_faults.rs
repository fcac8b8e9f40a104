//! Disks, locks, kills and clocks that fail the store: it says so, waits or goes on, and what it has stays whole.
//!
//! A full disk is in `bad_places.rs` (a small disk of its own) and `torture.rs` (at any moment), a damaged page in `doctor.rs`.
#![cfg(unix)]

use std::process::Stdio;
use std::time::Instant;

use probity_testkit::bad_web::{BadWeb, Reply};
use probity_testkit::sqlite::Held;
use serde_json::Value;

use crate::bad_places::SmallDisk;
use crate::program::{Program, Ran};

/// How many moments of a migration a process is killed at.
const KILLS: u32 = 12;
const FEED: &str = "<rss version=\"2.0\"><channel><title>G</title><item><title>A fire at the port</title>\
                    <link>https://gazette.example/1</link></item></channel></rss>";

fn set(outlet: &str) -> [&str; 6] {
    ["outlets", "set", outlet, "0.9", "--by", "Ada"]
}

fn events(program: &Program) -> i64 {
    let proof = program.run(&["outlets", "verify", "--json"]).json();
    assert_eq!(proof["sound"], true, "{proof}");
    proof["events"].as_i64().unwrap()
}

fn is_whole(program: &Program, what: &str) {
    let doctor = program.run(&["doctor", "--offline", "--json"]);
    let report: Value = serde_json::from_str(&doctor.stdout()).unwrap();
    for check in report["checks"].as_array().unwrap() {
        let named = ["store", "ledger", "runs"].iter().any(|name| check["name"] == *name);
        assert!(!named || check["state"] == "ok", "{what}: {check}");
    }
}

#[test]
fn a_read_only_file_system_is_read_and_takes_nothing() {
    let program = Program::new();
    let data = program.home.path().join("data");
    let Some(disk) = SmallDisk::mount(&data, "32m") else {
        eprintln!("skipped: mounting a disk takes root");
        return;
    };
    program.run(&set("bbc.com")).ok();
    program.run(&["library", "add", "examples/library/hotels"]).ok();
    disk.remount("ro");
    for args in [
        &["outlets", "list", "--json"][..],
        &["outlets", "verify"],
        &["library", "list", "--json"],
        &["library", "search", "hotels", "--json"],
        &["runs", "list"],
    ] {
        program.run(args).ok();
    }
    program.run(&set("reuters.com")).fails(1, "read-only");
    program.run(&["library", "add", "examples/library/guitars"]).fails(1, "read-only");
    disk.remount("rw");
    assert_eq!(events(&program), 1);
    program.run(&set("reuters.com")).ok();
    is_whole(&program, "after the disk could be written again");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_locked_store_is_read_at_once_and_written_when_it_is_free() {
    let program = Program::new();
    program.run(&set("bbc.com")).ok();
    let held = Held::take(&program.home.path().join("data/probity.db")).await.unwrap();
    program.run(&["outlets", "list", "--json"]).ok();
    let mut waiting = program.command(&set("reuters.com"));
    let mut waiting = waiting.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    // Readers come and go meanwhile, and no one is told that it failed.
    for _ in 0..3 {
        assert_eq!(events(&program), 1);
        assert!(waiting.try_wait().unwrap().is_none(), "a lock of a moment ended it");
    }
    held.release().await.unwrap();
    let ended = Ran(waiting.wait_with_output().unwrap());
    assert_eq!(ended.code(), 0, "{}", ended.stderr());
    assert_eq!(events(&program), 2);
}

#[test]
fn a_process_that_is_killed_while_it_migrates_leaves_a_store_that_the_next_one_opens() {
    let create = ["outlets", "list", "--json"];
    let began = Instant::now();
    Program::new().run(&create).ok();
    let whole = began.elapsed();
    for moment in 1..=KILLS {
        let program = Program::new();
        let mut child = program.command(&create).stdout(Stdio::null()).spawn().unwrap();
        std::thread::sleep(whole * moment / (KILLS + 1));
        child.kill().unwrap();
        child.wait().unwrap();
        let what = format!("killed at {moment} of {}", KILLS + 1);
        program.run(&set("bbc.com")).ok();
        assert_eq!(events(&program), 1, "{what}");
        is_whole(&program, &what);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clock_that_jumps_back_and_forth_stops_nothing() {
    let web =
        BadWeb::start(move |_| Reply::with(200, &[("content-type", "application/rss+xml")], FEED))
            .await
            .unwrap();
    let program = Program::new();
    std::fs::write(program.config(), format!("[fetch]\nallow_hosts = [\"{}\"]\n", web.address()))
        .unwrap();
    let at = |now: &str, args: &[&str]| {
        let mut command = program.command(args);
        command.env("PROBITY_NOW", now);
        Ran(command.output().unwrap())
    };
    let address = web.url("/feed");
    at("2026-11-15T12:00:00Z", &["feeds", "add", &address]).ok();
    let years = [
        "2036-01-01T00:00:00Z",
        "2026-11-16T12:00:00Z",
        "2001-01-01T00:00:00Z",
        "2026-11-17T12:00:00Z",
    ];
    let question =
        ["research", "--queue", "--quick", "--library", "examples/library/hotels", "--json"];
    for (round, now) in years.iter().enumerate() {
        let id = at(now, &[&question[..], &["Which hotels in Port Ellery take dogs?"]].concat());
        let id = id.json()["run_id"].as_str().unwrap().to_owned();
        // Whoever takes it up has the clock of another age.
        let other = years[(round + 1) % years.len()];
        at(other, &["worker", "--until-empty", "--json"]).ok();
        let listed = at(other, &["runs", "list", "--json"]).json();
        let run = listed.as_array().unwrap().iter().find(|run| run["id"] == id.as_str()).unwrap();
        assert_eq!(run["status"], "finished", "asked at {now}, worked on at {other}: {run}");
        at(now, &["outlets", "code", "bbc.com", "--code", "high-quality-source", "--by", "Ada"])
            .ok();
    }
    assert_eq!(events(&program), 4);
    // A feed that was polled in another age is polled again when its interval is over.
    let before = web.count("/feed");
    at("2026-11-20T12:00:00Z", &["news", "fetch"]).ok();
    assert!(web.count("/feed") > before, "the feed waits for another age");
    is_whole(&program, "after four ages");
}
