//! MCP with clients of other makers: the official Python SDK, the inspector's command line.

use std::io::Read as _;
use std::net::TcpListener;
use std::process::Command;
use std::sync::mpsc;

use serde_json::Value;

use crate::program::{Program, tree};
use crate::serve::{Server, with_library};

const BOTH: [&str; 2] = ["legacy", "2026-07-28"];

/// The Python that has the SDK, if `scripts/with-mcp` gave one.
fn python() -> Option<String> {
    let found = std::env::var("PROBITY_TEST_MCP_PYTHON").ok();
    if found.is_none() {
        eprintln!("left out: run it by scripts/with-mcp");
    }
    found
}

/// Runs a scenario of the client script and gives what it wrote.
fn play(program: &Program, more: &[(&str, &str)], args: &[&str]) -> Value {
    let mut command = Command::new(python().unwrap());
    program.enclose(&mut command);
    command.arg(tree().join("crates/probity/tests/mcp/client.py")).args(args);
    command.envs(more.iter().copied());
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {said}");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {said}"))
}

/// A search engine that takes every question and never answers; it tells when a client hangs up.
fn silent_engine(program: &Program) -> mpsc::Receiver<()> {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let settings = format!("[search.searxng]\nurl = \"{url}\"\ntimeout = 300.0\n");
    std::fs::write(program.config(), settings).unwrap();
    let (tell, hung_up) = mpsc::channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let (mut stream, tell) = (stream.unwrap(), tell.clone());
            std::thread::spawn(move || {
                let mut bytes = [0; 4096];
                while matches!(stream.read(&mut bytes), Ok(1..)) {}
                let _ = tell.send(());
            });
        }
    });
    hung_up
}

fn check_story(answers: &Value, mode: &str) {
    let version = answers["version"].as_str().unwrap();
    assert_eq!(version == "2026-07-28", mode != "legacy", "{version}");
    let tools = answers["tools"].as_array().unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names.len(), 13, "{names:?}");
    assert!(!names.contains(&"code_source"));
    for tool in tools {
        let structured = tool["outputSchema"]["properties"].is_object();
        assert_eq!(structured, tool["name"] != "get_report", "{tool}");
        assert_eq!(tool["annotations"]["destructiveHint"], false, "{tool}");
    }
    assert_eq!(answers["templates"]["resourceTemplates"].as_array().unwrap().len(), 4);
    assert_eq!(answers["prompts"]["prompts"].as_array().unwrap().len(), 2);
    assert!(answers["prompt"].to_string().contains("Water is wet."));

    let found = &answers["research"]["structuredContent"];
    assert_eq!(found["decision"], "full_report", "{found}");
    assert_eq!(found["sources"][0]["n"], 1);
    let report = found["report"].as_str().unwrap();
    assert!(report.contains("## Methodology") && report.contains("[1]"), "{report}");
    let sent = answers["research"].to_string();
    assert_eq!(sent.matches("## Methodology").count(), 1, "the report is sent once: {sent}");
    assert_eq!(answers["report"]["content"][0]["text"], report);
    assert!(answers["report"]["structuredContent"].is_null());
    assert_eq!(answers["read reports"], report);
    assert!(answers["read runs"].as_str().unwrap().contains("finished"));
    assert!(answers["read outlets"].as_str().unwrap().contains("0.92"));
    assert!(answers["read audit"].as_str().unwrap().contains("items"));
    let everything = answers["everything"]["content"][0]["text"].as_str().unwrap();
    let everything: Value = serde_json::from_str(everything).unwrap();
    assert_eq!(everything["markdown"], report);
    let said = answers["progress"].as_array().unwrap();
    let steps: Vec<f64> = said.iter().map(|one| one["progress"].as_f64().unwrap()).collect();
    assert!(steps.len() > 10 && steps.is_sorted_by(|a, b| a < b), "{steps:?}");
    assert!(said.iter().any(|one| one["message"].as_str().unwrap().contains("KEEP")), "{said:?}");

    let structure = |name: &str| answers[name]["structuredContent"].clone();
    assert_eq!(structure("runs")["runs"][0]["id"], found["run_id"]);
    assert_eq!(structure("score")["authority"], 0.92);
    assert_eq!(structure("outlet")["outlet"], "bbc.com");
    assert_eq!(structure("history")["outlet"]["score"], 0.92);
    assert_eq!(structure("library")["documents"].as_array().unwrap().len(), 3);
    assert!(structure("library")["documents"][0].get("origin").is_none());
    assert_eq!(structure("topics")["topics"].as_array().unwrap().len(), 0, "no feed, no topic");
    assert_ne!(structure("citation")["support"], "supported");
    assert!(structure("relevance")["score"].as_u64().unwrap() >= 4);
    assert_eq!(structure("check")["claims"].as_array().unwrap().len(), 1);
    assert!(answers["runs"]["content"][0]["text"].as_str().unwrap().contains("full_report"));
    let listed = answers["resources"]["resources"].to_string();
    assert!(listed.contains("probity://audit") && listed.contains("probity://reports/"));

    for (what, refused) in answers["refused"].as_object().unwrap() {
        assert_eq!(refused["refused"], true, "{what}: {refused}");
    }
    for (what, error) in answers["errors"].as_object().unwrap() {
        assert_eq!(error["isError"], true, "{what}: {error}");
        let said = error["content"][0]["text"].as_str().unwrap();
        assert!(said.len() > 20, "{what}: {said}");
    }
}

#[test]
fn the_official_client_is_served_over_stdio_in_both_protocols() {
    if python().is_none() {
        return;
    }
    for mode in BOTH {
        let program = with_library();
        let probity = env!("CARGO_BIN_EXE_probity");
        check_story(&play(&program, &[], &[mode, "story", probity, "mcp"]), mode);
    }
}

#[test]
fn the_official_client_is_served_over_http_in_both_protocols() {
    if python().is_none() {
        return;
    }
    for mode in BOTH {
        let program = with_library();
        let server = Server::start(&program, &[]);
        let address = format!("{}/mcp", server.url);
        check_story(&play(&program, &[], &[mode, "story", &address]), mode);
    }
}

#[test]
fn a_cancelled_call_stops_what_it_waits_for_and_leaves_a_run_to_resume() {
    if python().is_none() {
        return;
    }
    for (mode, http) in
        [("legacy", false), ("legacy", true), ("2026-07-28", false), ("2026-07-28", true)]
    {
        let program = Program::new();
        let hung_up = silent_engine(&program);
        let server = http.then(|| Server::start(&program, &[]));
        let address = server.as_ref().map(|server| format!("{}/mcp", server.url));
        let run = match &address {
            Some(address) => play(&program, &[], &[mode, "cancel", address]),
            None => {
                let probity = env!("CARGO_BIN_EXE_probity");
                play(&program, &[], &[mode, "cancel", probity, "mcp"])
            }
        };
        assert_eq!(run["status"], "interrupted", "{mode} {http}: {run}");
        // The engine notices that no one waits for it any more.
        hung_up.recv().unwrap();
        drop(server);
        std::fs::write(program.config(), "[search.searxng]\nurl = \"http://127.0.0.1:9\"\n")
            .unwrap();
        let resumed = program.run(&["runs", "resume", run["id"].as_str().unwrap()]);
        assert_eq!(resumed.code(), 3, "{}", resumed.stderr());
    }
}

#[test]
fn a_client_that_leaves_takes_its_run_with_it() {
    if python().is_none() {
        return;
    }
    let program = Program::new();
    let hung_up = silent_engine(&program);
    play(&program, &[], &["legacy", "leave", env!("CARGO_BIN_EXE_probity"), "mcp"]);
    hung_up.recv().unwrap();
    let runs = program.run(&["runs", "list", "--json"]).json();
    assert_eq!(runs[0]["status"], "interrupted", "{runs}");
}

#[test]
fn a_client_that_waits_for_much_holds_up_nobody_else() {
    if python().is_none() {
        return;
    }
    let program = Program::new();
    let _hung_up = silent_engine(&program);
    let token = |name: &str, scopes: &str| {
        program.run(&["tokens", "add", name, "--scopes", scopes]).ok().trim().to_owned()
    };
    let (busy, other) = (token("busy", "read,research"), token("other", "read"));
    let server = Server::start(&program, &["--login"]);
    let tokens = [("MCP_TOKEN", busy.as_str()), ("MCP_TOKEN_2", other.as_str())];
    let answers = play(&program, &tokens, &["legacy", "crowd", &format!("{}/mcp", server.url)]);
    assert_eq!(answers["ninth"]["isError"], true, "{answers}");
    assert!(answers["ninth"].to_string().contains("wait until one of them ends"), "{answers}");
    assert_eq!(
        answers["other"]["structuredContent"]["outlet"]["outlet"], "reuters.com",
        "{answers}"
    );
    assert!(answers["forbidden"].to_string().contains("scope `research`"), "{answers}");
}

#[test]
fn the_inspector_finds_nothing_wrong_with_the_tools() {
    let Ok(inspector) = std::env::var("PROBITY_TEST_MCP_INSPECTOR") else {
        eprintln!("left out: run it by scripts/with-mcp");
        return;
    };
    let program = with_library();
    let server = Server::start(&program, &["--allow-coding"]);
    let address = format!("{}/mcp", server.url);
    let over_http = [address.as_str(), "--transport", "http"];
    // The inspector hands its own environment on in parts only, so the place is an argument.
    let data = program.home.path().join("data").display().to_string();
    let over_pipes = [env!("CARGO_BIN_EXE_probity"), "--data-dir", &data, "mcp", "--allow-coding"];
    for target in [&over_http[..], &over_pipes] {
        inspect_all(|args| {
            let mut command = Command::new(&inspector);
            program.enclose(&mut command);
            command.arg("--cli").args(target).args(args);
            let output = command.output().unwrap();
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(output.status.success(), "{target:?} {args:?}: {said}");
            serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {said}"))
        });
    }
}

fn inspect_all(inspect: impl Fn(&[&str]) -> Value) {
    let tools = inspect(&["--method", "tools/list", "--strict"]);
    assert_eq!(tools["tools"].as_array().unwrap().len(), 14, "{tools}");
    let called = ["--method", "tools/call", "--tool-name", "outlet_history", "--tool-arg"];
    let called = inspect(&[&called[..], &["outlet=reuters.com"]].concat());
    assert_eq!(called["structuredContent"]["outlet"]["score"], 0.92, "{called}");
    let coded = ["--method", "tools/call", "--tool-name", "code_source", "--tool-arg"];
    let pairs = ["outlet=reuters.com", "codes=[\"high-quality-source\"]", "dry_run=true"];
    let coded = inspect(&[&coded[..], &pairs].concat());
    assert_eq!(coded["structuredContent"]["dry_run"], true, "{coded}");
    let read = inspect(&["--method", "resources/read", "--uri", "probity://audit"]);
    assert!(read["contents"][0]["text"].as_str().unwrap().contains("items"), "{read}");
    assert_eq!(inspect(&["--method", "prompts/list"])["prompts"].as_array().unwrap().len(), 2);
}

#[test]
fn stdout_carries_the_protocol_and_nothing_else() {
    let program = Program::new();
    let hello = concat!(
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","#,
        r#""capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#,
        "\n",
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        "\n",
        r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#,
        "\n"
    );
    let ran = program.run_with(&["mcp", "-vv"], hello.as_bytes());
    let lines: Vec<Value> =
        ran.ok().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0]["result"]["serverInfo"]["name"], "probity");
    assert!(lines.iter().all(|line| line["jsonrpc"] == "2.0"));
    // Whoever does not speak the protocol is not answered in any other.
    let strange = program.run_with(&["mcp"], b"GET / HTTP/1.1\n\nnot a word of it\n").ok();
    for line in strange.lines() {
        assert_eq!(serde_json::from_str::<Value>(line).unwrap()["jsonrpc"], "2.0", "{line}");
    }
}
