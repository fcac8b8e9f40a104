//! Running the real program in a folder of its own.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The instant at which tests live, so that output can be compared.
pub(crate) const NOW: &str = "2026-11-15T12:00:00Z";

/// What the servers of a test live in: a thread of their own.
pub(crate) fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap()
}

/// The root of the source tree.
pub(crate) fn tree() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().to_owned()
}

/// The program with a data folder of its own, away from the user's files.
pub(crate) struct Program {
    /// The folder that everything is kept in.
    pub(crate) home: tempfile::TempDir,
}

impl Program {
    /// A program that has never run before.
    pub(crate) fn new() -> Self {
        Self { home: tempfile::tempdir().unwrap() }
    }

    /// A call with these arguments, ready to be run.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_probity"));
        self.enclose(&mut command);
        command.args(args);
        command
    }

    /// Cuts a command off from the user's own settings and keys.
    pub(crate) fn enclose(&self, command: &mut Command) {
        let path = std::env::var_os("PATH").unwrap_or_default();
        command
            .env_clear()
            .env("PATH", path)
            .env("HOME", self.home.path())
            .env("PROBITY_HOME", self.home.path().join("data"))
            .env("PROBITY_CONFIG", self.config())
            .env("PROBITY_NOW", NOW)
            .current_dir(tree())
            .stdin(Stdio::null());
        if !self.config().exists() {
            std::fs::write(self.config(), "").unwrap();
        }
    }

    /// The configuration file.
    pub(crate) fn config(&self) -> PathBuf {
        self.home.path().join("config.toml")
    }

    /// Runs the program.
    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        Ran(self.command(args).output().unwrap())
    }

    /// Runs the program with something on its stdin.
    pub(crate) fn run_with(&self, args: &[&str], input: &[u8]) -> Ran {
        let mut command = self.command(args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_vec();
        let writer = std::thread::spawn(move || {
            let _ = stdin.write_all(&input);
        });
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        Ran(output)
    }
}

/// How a call ended.
pub(crate) struct Ran(pub(crate) Output);

impl Ran {
    /// The exit code.
    pub(crate) fn code(&self) -> i32 {
        self.0.status.code().unwrap_or(-1)
    }

    /// What was written to stdout.
    pub(crate) fn stdout(&self) -> String {
        String::from_utf8(self.0.stdout.clone()).unwrap()
    }

    /// What was written to stderr.
    pub(crate) fn stderr(&self) -> String {
        String::from_utf8(self.0.stderr.clone()).unwrap()
    }

    /// Requires success and gives stdout.
    pub(crate) fn ok(&self) -> String {
        assert_eq!(self.code(), 0, "stderr: {}", self.stderr());
        self.stdout()
    }

    /// Requires success and reads stdout as JSON.
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.ok()).unwrap()
    }

    /// Requires an exit code, nothing on stdout, and a text on stderr.
    pub(crate) fn fails(&self, code: i32, says: &str) {
        assert_eq!(self.code(), code, "stderr: {}", self.stderr());
        assert!(self.stderr().contains(says), "expected {says:?} in: {}", self.stderr());
        assert!(!self.stderr().contains("panicked"), "{}", self.stderr());
    }
}
