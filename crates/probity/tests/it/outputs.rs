//! Where files are written: regular ones whole, links followed, everything else left what it is.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::program::{Program, Ran, tree};

fn render(program: &Program, to: &Path) -> Ran {
    let report = tree().join("crates/probity-report/tests/fixtures/songs.json");
    let report = report.to_str().unwrap();
    program.run(&["render", report, "--format", "md", "-o", to.to_str().unwrap()])
}

fn expected(program: &Program) -> Vec<u8> {
    let file = program.home.path().join("expected.md");
    render(program, &file).ok();
    fs::read(file).unwrap()
}

/// A pipe with a name, the harmless kind of what is no regular file.
fn pipe(program: &Program) -> PathBuf {
    let path = program.home.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    path
}

fn is_pipe(path: &Path) -> bool {
    fs::symlink_metadata(path).unwrap().file_type().is_fifo()
}

#[test]
fn a_pipe_is_written_to_and_stays_a_pipe() {
    let program = Program::new();
    let (expected, pipe) = (expected(&program), pipe(&program));
    // Opened for both, so that neither side waits for the other; what is not written is not waited for.
    let other_end = fs::OpenOptions::new().read(true).write(true).open(&pipe).unwrap();
    let reader = std::thread::spawn(move || {
        use std::io::Read as _;
        let mut read = vec![0; expected.len()];
        (&other_end).read_exact(&mut read).unwrap();
        assert_eq!(read, expected);
    });
    render(&program, &pipe).ok();
    assert!(is_pipe(&pipe));
    reader.join().unwrap();
}

#[test]
fn a_link_is_followed_whether_its_target_is_there_or_not() {
    let program = Program::new();
    let expected = expected(&program);
    let home = program.home.path();
    for (link, target, there) in [("a.md", "old.md", true), ("b.md", "new.md", false)] {
        if there {
            fs::write(home.join(target), "old").unwrap();
        }
        std::os::unix::fs::symlink(target, home.join(link)).unwrap();
        render(&program, &home.join(link)).ok();
        assert!(home.join(link).is_symlink(), "{link}");
        assert_eq!(fs::read(home.join(target)).unwrap(), expected, "{link}");
    }
}

#[test]
fn a_file_that_is_replaced_keeps_its_permissions() {
    let program = Program::new();
    let file = program.home.path().join("private.md");
    fs::write(&file, "old").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    render(&program, &file).ok();
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    assert!(fs::metadata(&file).unwrap().len() > 3);
    let names = fs::read_dir(program.home.path()).unwrap();
    let drafts =
        names.filter(|name| name.as_ref().unwrap().file_name().to_string_lossy().ends_with(".tmp"));
    assert_eq!(drafts.count(), 0, "no draft is left behind");
}

#[test]
fn stdout_by_its_name_is_stdout() {
    let program = Program::new();
    let expected = expected(&program);
    // Under /proc nothing can be replaced, whatever the program tries.
    let ran = render(&program, Path::new("/proc/self/fd/1"));
    assert_eq!(ran.ok().into_bytes(), expected);
}

#[test]
fn a_backup_takes_the_place_of_no_pipe_and_follows_links() {
    let program = Program::new();
    program.run(&["outlets", "set", "bbc.com", "0.9", "--by", "Ada"]).ok();
    let pipe = pipe(&program);
    let refused = program.run(&["backup", pipe.to_str().unwrap(), "--replace"]);
    refused.fails(2, "not a regular file");
    assert!(is_pipe(&pipe));
    let (link, target) = (program.home.path().join("link"), program.home.path().join("kept"));
    fs::write(&target, "old").unwrap();
    std::os::unix::fs::symlink(&target, &link).unwrap();
    program.run(&["backup", link.to_str().unwrap(), "--replace"]).ok();
    assert!(link.is_symlink());
    program.run(&["restore", target.to_str().unwrap(), "--check"]).ok();
}
