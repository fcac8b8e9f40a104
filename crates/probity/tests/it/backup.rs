//! Backups with the real program: written, tried, restored elsewhere, refused where they should be.

use crate::program::{Program, Ran};

#[test]
fn a_store_is_backed_up_and_restored_elsewhere() {
    let program = Program::new();
    let file = program.home.path().join("kept.backup").display().to_string();
    let nothing = program.run(&["backup", &file]);
    assert_eq!(nothing.code(), 2);
    assert!(nothing.stderr().contains("nothing to back up"), "{}", nothing.stderr());

    let code = ["outlets", "code", "reuters.com", "--code", "high-quality-source", "--by", "Ada"];
    program.run(&code).ok();
    program.run(&["library", "add", "examples/library"]).ok();
    let kept = program.run(&["backup", &file, "--json"]).json();
    assert_eq!(kept["ledger_events"], 1);
    assert_eq!(program.run(&["backup", &file]).code(), 2, "nothing is replaced unasked");
    program.run(&["backup", &file, "--replace"]).ok();
    let tried = program.run(&["restore", &file, "--check"]).ok();
    assert!(tried.contains("can be restored"), "{tried}");

    let other = program.home.path().join("other.db").display().to_string();
    let there = |args: &[&str]| {
        let mut command = program.command(args);
        command.env("PROBITY_STORE", &other);
        Ran(command.output().unwrap())
    };
    there(&["restore", &file]).ok();
    for shown in [&["outlets", "export"][..], &["library", "search", "noise at night", "--json"]] {
        assert_eq!(there(shown).ok(), program.run(shown).ok(), "{shown:?}");
    }
    let again = there(&["restore", &file]);
    assert_eq!(again.code(), 1);
    assert!(again.stderr().contains("new store"), "{}", again.stderr());
}

#[test]
fn what_cannot_be_restored_says_so_and_creates_nothing() {
    let program = Program::new();
    let missing = program.run(&["restore", "missing.backup"]);
    assert_eq!(missing.code(), 2);
    assert!(!program.home.path().join("data/probity.db").exists());
    let text = program.home.path().join("text");
    std::fs::write(&text, "no backup").unwrap();
    let refused = program.run(&["restore", &text.display().to_string(), "--check"]);
    assert_eq!(refused.code(), 1);
    assert!(refused.stderr().contains("not a backup"), "{}", refused.stderr());
    let nowhere = program.run(&["backup", "/proc/nowhere/file"]);
    assert_ne!(nowhere.code(), 0);
}
