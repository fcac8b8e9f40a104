//! Places that cannot be used: each a clear message and exit code, and nothing half-written.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::program::{Program, Ran};

/// A user without any rights, which root becomes so that rights bind it.
const NOBODY: u32 = 65_534;

fn allow(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// Runs the program as someone whom the rights of files bind.
fn run_bound(program: &Program, args: &[&str]) -> Ran {
    let mut command = program.command(args);
    if fs::metadata(program.home.path()).unwrap().uid() == 0 {
        command.uid(NOBODY).gid(NOBODY);
    }
    Ran(command.current_dir("/").output().unwrap())
}

fn set(score: &str) -> [&str; 6] {
    ["outlets", "set", "bbc.com", score, "--by", "Ada"]
}

fn names(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn a_data_folder_that_cannot_be_written_is_named_and_stays_empty() {
    let program = Program::new();
    let data = program.home.path().join("data");
    fs::create_dir(&data).unwrap();
    allow(program.home.path(), 0o755);
    allow(&data, 0o555);
    run_bound(&program, &set("0.9")).fails(1, "cannot be opened");
    let doctor = run_bound(&program, &["doctor"]);
    assert_eq!(doctor.code(), 1);
    assert!(doctor.stdout().contains("fix: make the folder writable"), "{}", doctor.stdout());
    // What needs no store does not miss it.
    run_bound(&program, &["score", "https://a.example/", "-q", "noise"]).ok();
    assert_eq!(names(&data), Vec::<PathBuf>::new());
}

#[test]
fn a_store_that_cannot_be_written_says_so_and_stays_as_it_is() {
    let program = Program::new();
    program.run(&set("0.9")).ok();
    let data = program.home.path().join("data");
    let file = data.join("probity.db");
    let honest = fs::read(&file).unwrap();
    allow(program.home.path(), 0o755);
    allow(&file, 0o444);
    allow(&data, 0o555);
    run_bound(&program, &set("0.1")).fails(1, "read-only");
    allow(&data, 0o755);
    assert_eq!(fs::read(&file).unwrap(), honest);
    allow(&file, 0o644);
    let proof = program.run(&["outlets", "verify", "--json"]).json();
    assert_eq!((&proof["sound"], &proof["events"]), (&true.into(), &1.into()));
}

/// A disk of its own with little room; taken away again with the value.
pub(crate) struct SmallDisk(PathBuf);

impl SmallDisk {
    /// None where this process may not mount anything.
    pub(crate) fn mount(at: &Path, size: &str) -> Option<Self> {
        fs::create_dir_all(at).unwrap();
        let options = format!("size={size}");
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &options, "tmpfs"])
            .arg(at)
            .stderr(Stdio::null())
            .status();
        mounted.is_ok_and(|status| status.success()).then(|| Self(at.to_owned()))
    }

    /// Changes how it is mounted.
    pub(crate) fn remount(&self, options: &str) {
        let options = format!("remount,{options}");
        let done = Command::new("mount").args(["-o", &options]).arg(&self.0).status().unwrap();
        assert!(done.success(), "{options}");
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

#[test]
fn a_full_disk_is_said_and_what_was_there_stays_whole() {
    let program = Program::new();
    let data = program.home.path().join("data");
    let Some(_disk) = SmallDisk::mount(&data, "4m") else {
        eprintln!("skipped: mounting a small disk takes root");
        return;
    };
    program.run(&set("0.9")).ok();
    let filler = data.join("filler");
    let fill = || {
        let mut size = 0;
        while fs::write(&filler, vec![b'x'; size + 4096]).is_ok() {
            size += 4096;
        }
    };
    fill();
    let refused = program.run(&set("0.1"));
    refused.fails(1, "");
    let words = refused.stderr();
    assert!(words.contains("no room left") || words.contains("disk is full"), "{words}");
    let doctor = program.run(&["doctor"]).stdout();
    assert!(doctor.contains("MB free where the data folder is"), "{doctor}");
    assert!(doctor.contains("fix: make room"), "{doctor}");

    fs::remove_file(&filler).unwrap();
    let proof = program.run(&["outlets", "verify", "--json"]).json();
    assert_eq!((&proof["sound"], &proof["events"]), (&true.into(), &1.into()));
    program.run(&set("0.8")).ok();
}

#[test]
fn a_store_that_does_not_fit_leaves_the_next_start_to_begin_afresh() {
    let program = Program::new();
    let data = program.home.path().join("data");
    let Some(disk) = SmallDisk::mount(&data, "32k") else {
        eprintln!("skipped: mounting a small disk takes root");
        return;
    };
    let refused = program.run(&set("0.9"));
    refused.fails(1, "");
    let words = refused.stderr();
    assert!(words.contains("no room left") || words.contains("disk is full"), "{words}");
    disk.remount("size=8m");
    program.run(&set("0.9")).ok();
}

#[test]
fn output_that_does_not_fit_is_an_error() {
    let full = Path::new("/dev/full");
    if !full.exists() {
        eprintln!("skipped: this system has no /dev/full");
        return;
    }
    let program = Program::new();
    for args in [
        &["score", "https://a.example/", "-q", "noise"][..],
        &["config", "show"],
        &["outlets", "list", "--json"],
        &["doctor"],
    ] {
        let mut command = program.command(args);
        command.stdout(fs::OpenOptions::new().write(true).open(full).unwrap());
        Ran(command.output().unwrap()).fails(1, "No space left");
    }
}

#[tokio::test]
async fn a_database_of_a_newer_version_is_refused_and_left_alone() {
    let program = Program::new();
    program.run(&set("0.9")).ok();
    let file = program.home.path().join("data/probity.db");
    let future = "INSERT INTO probity_migrations VALUES (9000, '9000_future', 'x', 0)";
    probity_testkit::sqlite::execute(&file, future).await.unwrap();
    let before = fs::read(&file).unwrap();
    for args in [
        &["outlets", "list"][..],
        &set("0.1"),
        &["score", "https://a.example/", "-q", "noise"],
        &["library", "list"],
    ] {
        program.run(args).fails(1, "newer version of Probity");
    }
    let doctor = program.run(&["doctor"]);
    assert_eq!(doctor.code(), 1);
    assert!(doctor.stdout().contains("fix: update Probity"), "{}", doctor.stdout());
    assert_eq!(fs::read(&file).unwrap(), before);
}

#[test]
fn settings_that_cannot_be_read_are_named() {
    let program = Program::new();
    let folder = program.home.path().to_str().unwrap().to_owned();
    program.run(&["--config", &folder, "config", "check"]).fails(1, "cannot read");
    fs::write(program.config(), b"[ledger]\nalpha = 0.1 # \xff\xfe").unwrap();
    program.run(&["config", "check"]).fails(1, "config.toml");
    fs::write(program.config(), "").unwrap();
    let mut command = program.command(&["outlets", "list"]);
    command.env("PROBITY_STORE_FILE", program.home.path().join("nowhere"));
    Ran(command.output().unwrap()).fails(1, "named by PROBITY_STORE_FILE");
}
