//! News that people are told of, with the real program: looked for, sent, signed, told once.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

use crate::program::Program;
use crate::serve::Server;

/// A webhook that takes everything; gives its port and what came in.
fn hook() -> (u16, Receiver<Value>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (tell, hear) = channel();
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let mut reader = BufReader::new(stream);
            let mut length = 0;
            loop {
                let mut line = String::new();
                reader.read_line(&mut line).unwrap();
                if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                    length = value.trim().parse().unwrap();
                }
                if line == "\r\n" || line.is_empty() {
                    break;
                }
            }
            let mut body = vec![0; length];
            reader.read_exact(&mut body).unwrap();
            let _ = tell.send(serde_json::from_slice(&body).unwrap_or_default());
            let answer = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
            reader.get_mut().write_all(answer).unwrap();
        }
    });
    (port, hear)
}

fn program(port: u16) -> Program {
    let program = Program::new();
    let config = format!(
        "[fetch]\nallow_hosts = [\"127.0.0.1:{port}\"]\n[alerts]\nsite = \"https://probity.example\"\n\
         [alerts.webhook]\nurl = \"http://127.0.0.1:{port}/hook\"\n[ledger]\nalpha = 0.9\n"
    );
    std::fs::write(program.config(), config).unwrap();
    program
}

/// Works off what is due at this time.
fn work(program: &Program, now: &str) {
    let mut command = program.command(&["worker", "--until-empty", "--kinds", "alerts,alert"]);
    let output = command.env("PROBITY_NOW", now).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

const WAIT: Duration = Duration::from_secs(30);

#[test]
fn a_test_message_arrives_and_a_private_host_must_be_opened_for_it() {
    let (port, heard) = hook();
    let program = program(port);
    let shown = program.run(&["alerts", "show"]).ok();
    assert!(shown.contains("(not signed)"), "{shown}");
    assert!(program.run(&["alerts", "test"]).ok().contains("webhook: sent"));
    assert_eq!(heard.recv_timeout(WAIT).unwrap()["kind"], "test");
    let config = std::fs::read_to_string(program.config()).unwrap();
    let closed = config.replace("allow_hosts", "# allow_hosts");
    std::fs::write(program.config(), closed).unwrap();
    let refused = program.run(&["alerts", "test"]);
    assert_eq!(refused.code(), 1);
    assert!(refused.stdout().contains("not a public address"), "{}", refused.stdout());
    assert!(heard.try_recv().is_err());
}

#[test]
fn an_outlet_that_falls_is_told_once_and_the_past_is_not() {
    let (port, heard) = hook();
    let program = program(port);
    let code = |outlet: &str, code: &str| {
        program.run(&["outlets", "code", outlet, "--code", code, "--by", "Ada"]).ok();
    };
    code("wsj.com", "source-unreliable");
    work(&program, "2026-11-15T12:00:00Z");
    code("reuters.com", "source-unreliable");
    code("arstechnica.com", "high-quality-source");
    work(&program, "2026-11-15T12:02:00Z");
    let message = heard.recv_timeout(WAIT).unwrap();
    let title = message["title"].as_str().unwrap();
    assert!(title.starts_with("reuters.com fell from primary or top-tier to"), "{message}");
    assert_eq!(message["link"], "https://probity.example/outlets/reuters.com");
    work(&program, "2026-11-15T12:04:00Z");
    assert!(heard.try_recv().is_err(), "nothing before the first look, nothing twice");
}

#[test]
fn a_way_that_is_added_on_the_page_is_told_of_news_until_it_is_paused() {
    let (port, heard) = hook();
    let program = Program::new();
    let config = format!("[fetch]\nallow_hosts = [\"127.0.0.1:{port}\"]\n[ledger]\nalpha = 0.9\n");
    std::fs::write(program.config(), config).unwrap();
    let server = Server::start(&program, &["--no-workers"]);
    let secret = "planted-secret-0123456789";
    let way = json!({
        "kind": "webhook", "url": format!("http://127.0.0.1:{port}/hook"), "secret": secret,
    });
    let added = server.send("POST /api/alerts", &way.to_string());
    assert!(added.starts_with("HTTP/1.1 201"), "{added}");
    let (_, body) = added.split_once("\r\n\r\n").unwrap();
    let id = serde_json::from_str::<Value>(body).unwrap()["id"].as_str().unwrap().to_owned();
    let tried = server.send(&format!("POST /api/alerts/{id}/test"), "{}");
    assert!(tried.contains("\"sent\":true"), "{tried}");
    assert_eq!(heard.recv_timeout(WAIT).unwrap()["kind"], "test");
    let shown = program.run(&["alerts", "show", "--json"]).ok();
    assert!(shown.contains(&id) && shown.contains("(signed)"), "{shown}");
    for output in [&added, &tried, &shown, &server.send("GET /settings/alerts", "")] {
        assert!(!output.contains(secret), "{output}");
    }

    let code = |outlet: &str| {
        let args = ["outlets", "code", outlet, "--code", "source-unreliable", "--by", "Ada"];
        program.run(&args).ok();
    };
    work(&program, "2026-11-15T12:00:00Z");
    code("reuters.com");
    work(&program, "2026-11-15T12:02:00Z");
    let message = heard.recv_timeout(WAIT).unwrap();
    assert!(message["title"].as_str().unwrap().starts_with("reuters.com fell"), "{message}");
    let paused = server.send(&format!("PATCH /api/alerts/{id}"), "{\"paused\":true}");
    assert!(paused.starts_with("HTTP/1.1 204"), "{paused}");
    code("wsj.com");
    work(&program, "2026-11-15T12:04:00Z");
    assert!(heard.try_recv().is_err(), "a paused way was told something");
    let gone = server.send(&format!("DELETE /api/alerts/{id}"), "");
    assert!(gone.starts_with("HTTP/1.1 204"), "{gone}");
    let page = std::fs::read_to_string(program.home.path().join("config.page.toml")).unwrap();
    assert!(!page.contains(secret), "{page}");
}
