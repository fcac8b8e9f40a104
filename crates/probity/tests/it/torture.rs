//! Disks that take no more and servers that hang up, at any moment of what people do: it ends with a clear error, what
//! was acknowledged is there, and what is there is whole.
//!
//! `PROBITY_TORTURE=all` tries every moment; otherwise a few, the same each time.

use std::path::Path;
use std::process::Command;

use probity_testkit::bad_web::{BadWeb, Reply};
use probity_testkit::fault::{Fault, chosen};
use probity_testkit::frail_line::FrailLine;
use probity_testkit::postgres::TestDatabase;
use serde_json::Value;

use crate::program::{Program, Ran};

/// How many moments of each deed are tried.
const SOME: usize = 4;
/// How many sizes of a disk are tried with each deed.
const SOME_SIZES: usize = 3;
const QUESTION: &str = "What are the most popular first dance songs at Port Ellery weddings?";

/// Runs a command that can make no file larger than so many blocks of a kilobyte, as on a disk that is full from there on.
fn on_a_small_disk(program: &Program, args: &[&str], blocks: usize) -> Ran {
    let mut shell = Command::new("bash");
    program.enclose(&mut shell);
    // The signal is ignored, so that a write is refused as it is on a full disk.
    let limit = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    shell.args(["-c", &limit, env!("CARGO_BIN_EXE_probity")]).args(args);
    Ran(shell.output().unwrap())
}

/// A clear end: a code of ours, no panic, and words where it failed.
fn ends_well(ran: &Ran, what: &str) -> bool {
    let code = ran.code();
    assert!([0, 1, 3].contains(&code), "{what}: ended with {code}: {}", ran.stderr());
    assert!(!ran.stderr().contains("panicked"), "{what}: {}", ran.stderr());
    let said = format!("{}{}", ran.stdout(), ran.stderr());
    assert!(code != 1 || !said.trim().is_empty(), "{what}: failed without a word");
    code != 1
}

/// What is there is whole.
fn is_whole(program: &Program, what: &str) {
    let doctor = program.run(&["doctor", "--offline", "--json"]);
    let report: Value = serde_json::from_str(&doctor.stdout()).unwrap();
    let checks = report["checks"].as_array().unwrap();
    for name in ["store", "ledger", "runs"] {
        let check = checks.iter().find(|check| check["name"] == name).unwrap();
        assert_eq!(check["state"], "ok", "{what}: {check}");
    }
}

fn kilobytes(folder: &Path) -> usize {
    let sizes =
        std::fs::read_dir(folder).unwrap().flatten().map(|entry| entry.metadata().unwrap().len());
    usize::try_from(sizes.max().unwrap_or(0)).unwrap() / 1024 + 1
}

/// A store with something in it, to be used again and again.
fn prepared() -> (Program, Vec<(String, Vec<u8>)>) {
    let program = Program::new();
    program.run(&["outlets", "set", "bbc.com", "0.9", "--by", "Ada"]).ok();
    program.run(&["library", "add", "examples/library/guitars"]).ok();
    let folder = program.home.path().join("data");
    let files =
        std::fs::read_dir(&folder).unwrap().flatten().filter(|entry| entry.path().is_file());
    let kept = files
        .map(|entry| {
            (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap())
        })
        .collect();
    (program, kept)
}

fn put_back(program: &Program, files: &[(String, Vec<u8>)]) {
    let folder = program.home.path().join("data");
    std::fs::remove_dir_all(&folder).unwrap();
    std::fs::create_dir_all(&folder).unwrap();
    files.iter().for_each(|(name, bytes)| std::fs::write(folder.join(name), bytes).unwrap());
}

// A limit on the size of files stands in for a full disk: it meets every file of the store at a moment that can be chosen.
// `bad_places.rs` fills a disk for good.
#[test]
fn a_disk_that_takes_no_more_at_any_moment_loses_nothing() {
    let (program, files) = prepared();
    let data = program.home.path().join("data");
    let out = program.home.path().join("backup.db").display().to_string();
    let deeds: [(&str, &[&str]); 4] = [
        (
            "a coding",
            &["outlets", "code", "reuters.com", "--code", "high-quality-source", "--by", "Ada"],
        ),
        ("a run", &["research", "--library", "examples/library/hotels", "--save", QUESTION]),
        ("documents", &["library", "add", "examples/library"]),
        ("a backup", &["backup", &out]),
    ];
    for (name, args) in deeds {
        put_back(&program, &files);
        let _ = std::fs::remove_file(&out);
        let whole = program.run(args);
        assert!([0, 3].contains(&whole.code()), "{name}: {}", whole.stderr());
        let most = kilobytes(&data)
            .max(std::fs::metadata(&out).map_or(0, |found| found.len() as usize / 1024 + 1));
        let mut failed = 0;
        for blocks in chosen(most, SOME_SIZES) {
            put_back(&program, &files);
            let _ = std::fs::remove_file(&out);
            let what = format!("{name} with {blocks} of {most} KB");
            let ran = on_a_small_disk(&program, args, blocks);
            let done = ends_well(&ran, &what);
            is_whole(&program, &what);
            let events =
                program.run(&["outlets", "verify", "--json"]).json()["events"].as_i64().unwrap();
            assert!(events >= 1, "{what}: an earlier event is gone");
            match (name, done) {
                ("a coding", true) => assert_eq!(events, 2, "{what}: acknowledged, and not there"),
                ("a backup", false) => assert!(!Path::new(&out).exists(), "{what}: half a backup"),
                _ => {}
            }
            failed += usize::from(!done);
            // With room again, the same works.
            assert!([0, 3].contains(&program.run(args).code()), "{what}: not even afterwards");
        }
        assert!(failed > 0, "{name}: no limit was ever met");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_hangs_up_at_any_moment_loses_nothing() {
    let Some(database) = TestDatabase::create().await else { return };
    let url = database.url();
    let (before, rest) =
        url.split_once("127.0.0.1:").expect("the server of the tests is on loopback");
    let (port, after) = rest.split_once('/').unwrap();
    let server = format!("127.0.0.1:{port}").parse().unwrap();
    let feed = "<rss version=\"2.0\"><channel><title>G</title><item><title>A fire at the port</title><link>https://gazette.example/1</link></item></channel></rss>";
    let web =
        BadWeb::start(move |_| Reply::with(200, &[("content-type", "application/rss+xml")], feed))
            .await
            .unwrap();
    let program = Program::new();
    std::fs::write(program.config(), format!("[fetch]\nallow_hosts = [\"{}\"]\n", web.address()))
        .unwrap();
    let through = async |fault: Fault, args: &[&str]| {
        let line = FrailLine::to(server, fault).await.unwrap();
        let mut command = program.command(args);
        command.env("PROBITY_STORE", format!("{before}{}/{after}", line.address()));
        tokio::task::spawn_blocking(move || Ran(command.output().unwrap())).await.unwrap()
    };
    // The first brings the database up to date, wherever it is cut off.
    let address = web.url("/feed");
    let deeds: [(&str, &[&str]); 4] = [
        ("a migration", &["outlets", "list", "--json"]),
        (
            "a coding",
            &["outlets", "code", "reuters.com", "--code", "high-quality-source", "--by", "Ada"],
        ),
        ("a feed", &["feeds", "add", &address]),
        ("a run", &["research", "--library", "examples/library/hotels", "--save", QUESTION]),
    ];
    let mut codings = 0;
    for (name, args) in deeds {
        // A fresh database for the count is not needed: what is done twice is still done as often.
        let counted = Fault::never();
        let mut moments = Vec::new();
        if name == "a migration" {
            moments.extend([3, 5, 9, 14, 20, 33]);
        } else {
            assert!([0, 3].contains(&through(counted.clone(), args).await.code()), "{name}");
            moments.extend(chosen(counted.calls(), SOME));
            codings += i64::from(name == "a coding");
        }
        for nth in moments {
            let what = format!("{name}, cut at message {nth}");
            let ran = through(Fault::at(nth), args).await;
            let done = ends_well(&ran, &what);
            let verified = through(Fault::never(), &["outlets", "verify", "--json"]).await.json();
            let events = verified["events"].as_i64().unwrap();
            if name == "a coding" {
                // Whoever is told of a failure may still have been heard; whoever is told of success has been.
                let least = codings + i64::from(done);
                assert!(
                    (least..=codings + 1).contains(&events),
                    "{what}: {events} events after {codings}"
                );
                codings = events;
            }
            let doctor = through(Fault::never(), &["doctor", "--json"]).await;
            let report: Value = serde_json::from_str(&doctor.stdout()).unwrap();
            let found = report["checks"]
                .as_array()
                .unwrap()
                .iter()
                .find(|check| check["name"] == "store")
                .unwrap();
            assert_eq!(found["state"], "ok", "{what}: {found}");
        }
    }
}
