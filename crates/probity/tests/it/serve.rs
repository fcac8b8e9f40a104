//! `probity serve` as a process: started, called, refused, stopped.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Stdio};

use serde_json::Value;

use crate::program::{Program, tree};

/// A server that is stopped with the test.
pub(crate) struct Server {
    child: Child,
    /// Where it answers, without a slash at the end.
    pub(crate) url: String,
}

impl Server {
    /// Starts a server on a free port.
    pub(crate) fn start(program: &Program, more: &[&str]) -> Self {
        let mut command = program.command(&["serve", "--bind", "127.0.0.1:0"]);
        command.args(more).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        Self::of(child, &line)
    }

    /// A server that was started and said where it answers.
    pub(crate) fn of(child: Child, line: &str) -> Self {
        assert!(line.starts_with("http://127.0.0.1:"), "{line}");
        Self { child, url: line.trim().trim_end_matches('/').to_owned() }
    }

    /// The name by which it is called.
    fn host(&self) -> &str {
        self.url.trim_start_matches("http://")
    }

    /// Sends a request and reads the answer to its end.
    pub(crate) fn send(&self, head: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(self.host()).unwrap();
        let length = body.len();
        write!(
            stream,
            "{head} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\n\r\n{body}",
            self.host()
        )
        .unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }

    fn terminate(mut self) -> Option<i32> {
        let id = self.child.id().to_string();
        std::process::Command::new("kill").args(["-TERM", &id]).status().unwrap();
        self.child.wait().unwrap().code()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A program whose library is the example's.
pub(crate) fn with_library() -> Program {
    let program = Program::new();
    let folder = tree().join("examples/library");
    program.run(&["library", "add", folder.to_str().unwrap()]).ok();
    program
}

#[test]
fn a_question_asked_over_http_is_answered_and_kept() {
    let program = with_library();
    let server = Server::start(&program, &[]);
    let question = "What are the most popular first dance songs at Port Ellery weddings?";
    let body = serde_json::json!({ "question": question, "search": "library" }).to_string();
    let answer = server.send("POST /api/research", &body);
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    let stream = server.send("POST /api/research/stream", &body);
    let names: Vec<&str> = stream.lines().filter_map(|line| line.strip_prefix("event: ")).collect();
    let spec = [
        "start",
        "plan",
        "search",
        "fetch",
        "summarise",
        "gaps",
        "gate",
        "synthesise",
        "report",
        "end",
    ];
    let firsts: Vec<usize> = spec
        .iter()
        .map(|name| names.iter().position(|n| n == name).unwrap_or_else(|| panic!("no {name}")))
        .collect();
    assert!(firsts.is_sorted(), "{names:?}");
    assert_eq!(names.last(), Some(&"end"));
    assert_eq!(server.terminate(), Some(0));
    let runs: Value = program.run(&["runs", "list", "--json"]).json();
    assert_eq!(runs.as_array().map_or(0, Vec::len), 2, "{runs}");
}

#[test]
fn an_address_that_others_reach_needs_somebody_who_may_log_in() {
    let program = Program::new();
    program.run(&["serve", "--bind", "0.0.0.0:0"]).fails(2, "no login is required");
    program.run(&["serve", "--login"]).fails(2, "no user and no token");
    program.run(&["serve", "--public-url", "probity"]).fails(2, "log in");
    let token = program.run(&["tokens", "add", "robot", "--scopes", "read"]).ok();
    program.run(&["tokens", "add", "robot", "--scopes", "everything"]).fails(2, "scope");
    let server = Server::start(&program, &["--login"]);
    assert!(server.send("GET /api/status", "").starts_with("HTTP/1.1 401"));
    let head = "GET /api/health HTTP/1.1\r\nAuthorization: Bearer ";
    let head = format!("{head}{}\r\nX-Rest: of", token.trim());
    assert!(server.send(&head, "").starts_with("HTTP/1.1 200"));
}

#[test]
fn users_are_added_listed_changed_and_removed() {
    let program = Program::new();
    let add = ["users", "add", "ada", "--role", "editor"];
    program.run_with(&add, b"short\n").fails(2, "10 to 500 characters");
    program.run_with(&add, b"a long enough password\n").ok();
    program.run_with(&add, b"a long enough password\n").fails(2, "already");
    let users = program.run(&["users", "list", "--json"]).json();
    assert_eq!(
        (users[0]["user"].clone(), users[0]["role"].clone()),
        ("ada".into(), "editor".into())
    );
    program.run_with(&["users", "passwd", "ada"], b"another long password\n").ok();
    program.run(&["users", "remove", "ada"]).ok();
    program.run(&["users", "remove", "ada"]).fails(2, "no user ada");
}
