//! Keys on the page of settings, with the real program: tried, in force at once, in no output.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::Stdio;

use probity_server::routes;
use probity_testkit::fake_api::{Answer, FakeApi};
use serde_json::Value;

use crate::init::READY;
use crate::program::{Program, tree};
use crate::serve::Server;

/// A key that must be in one file and in nothing that anyone sees.
const KEY: &str = "planted-key-0123456789abcdef";

/// A model server that takes one key, and a search that echoes what it was asked with.
async fn services() -> FakeApi {
    FakeApi::start(|request| match request.header("authorization") {
        Some(given) if given == format!("Bearer {KEY}") => Answer::json(READY),
        // Some servers repeat the key that they refuse.
        Some(given) => Answer::status(401).with_body(format!("{{\"error\":\"no {given}\"}}")),
        None => Answer::status(401).with_body("{\"error\":\"who are you\"}"),
    })
    .await
}

fn configure(program: &Program, api: &FakeApi) {
    let config = format!(
        "[model]\ndefault = \"compatible:tiny\"\n[model.compatible]\nbase_url = \"{}/v1\"\n\
         [search]\nproviders = \"library\"\n",
        api.url()
    );
    std::fs::write(program.config(), config).unwrap();
}

fn body(answer: &str) -> Value {
    let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    serde_json::from_str(body).unwrap_or(Value::Null)
}

fn key(server: &Server, name: &str) -> Value {
    let all = body(&server.send("GET /api/settings/keys", ""));
    all.as_array().unwrap().iter().find(|one| one["name"] == name).unwrap().clone()
}

/// A server that writes all it knows into a file.
fn start(program: &Program, log: &Path) -> Server {
    let mut command = program.command(&["serve", "--bind", "127.0.0.1:0"]);
    let log = std::fs::File::create(log).unwrap();
    command.env("PROBITY_LOG", "trace,sqlx=info,hyper=info,h2=info");
    command.stdout(Stdio::piped()).stderr(log);
    let mut child = command.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    Server::of(child, line.trim())
}

/// Every file below a folder.
fn files(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        match entry.file_type().unwrap().is_dir() {
            true => found.extend(files(&entry.path())),
            false => found.push(entry.path()),
        }
    }
    found
}

fn holds_key(bytes: &[u8]) -> bool {
    bytes.windows(KEY.len()).any(|window| window == KEY.as_bytes())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_is_tried_in_force_at_once_and_in_no_output() {
    let api = services().await;
    let asked = || api.requests().len();
    let program = Program::new();
    configure(&program, &api);
    let folder = tree().join("examples/library");
    program.run(&["library", "add", folder.to_str().unwrap()]).ok();
    let (page, log) =
        (program.home.path().join("config.page.toml"), program.home.path().join("log"));
    let server = start(&program, &log);
    let put = |key: &str| {
        let body = serde_json::json!({ "key": key }).to_string();
        server.send("PUT /api/settings/keys/model.compatible", &body)
    };
    let mut outputs = vec![("a refused key", put(&format!("{KEY}x")))];
    assert!(outputs[0].1.contains("the test failed"), "{}", outputs[0].1);
    assert!(!page.exists(), "a key that was refused was kept");
    outputs.push(("a short key", put("short")));
    assert!(outputs[1].1.starts_with("HTTP/1.1 422"), "{}", outputs[1].1);
    outputs.push(("the key", put(KEY)));
    assert!(outputs[2].1.contains("compatible:tiny answers"), "{}", outputs[2].1);
    assert_eq!(key(&server, "model.compatible")["origin"], "page");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(std::fs::metadata(&page).unwrap().permissions().mode() & 0o777, 0o600);
    }

    // The workers of the running server ask with it.
    let before = asked();
    let question = "What are the most popular first dance songs at Port Ellery weddings?";
    let question = serde_json::json!({ "question": question, "mode": "quick" }).to_string();
    let run = server.send("POST /api/research", &question);
    assert!(run.starts_with("HTTP/1.1 200"), "{run}");
    let made = api.requests();
    let keyed = made
        .iter()
        .skip(before)
        .filter(|one| one.header("authorization") == Some(&format!("Bearer {KEY}")));
    assert!(keyed.count() > 0, "the run did not use the key");
    let runs = program.run(&["runs", "list", "--json"]).json();
    let id = runs[0]["id"].as_str().unwrap().to_owned();
    outputs.push(("a run", run));

    for line in routes::lines().into_iter().filter(|line| line.method.as_str() == "GET") {
        let path = line.path.replace("{id}", &id);
        if !path.contains('{') && !path.ends_with("/events") && !path.starts_with("/mcp") {
            outputs.push((line.path, server.send(&format!("GET {path}"), "")));
        }
    }
    for args in [
        &["config", "show"][..],
        &["config", "show", "--json"],
        &["config", "env"],
        &["config", "path"],
        &["doctor", "--json"],
        &["models", "list", "--json"],
        &["-vv", "runs", "show", &id, "--json"],
    ] {
        let ran = program.run(args);
        outputs.push(("a command", ran.stdout() + &ran.stderr()));
    }
    for (what, output) in &outputs {
        assert!(!output.contains(KEY), "{what} shows the key: {output}");
    }
    let holders: Vec<_> = files(program.home.path())
        .into_iter()
        .filter(|file| holds_key(&std::fs::read(file).unwrap()))
        .collect();
    assert_eq!(holders, std::slice::from_ref(&page), "the key lies elsewhere too");

    let gone = server.send("DELETE /api/settings/keys/model.compatible", "");
    assert!(gone.starts_with("HTTP/1.1 204"), "{gone}");
    assert_eq!(key(&server, "model.compatible")["origin"], Value::Null);
    assert!(!holds_key(&std::fs::read(&page).unwrap()));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_environment_is_stronger_and_a_worker_of_its_own_reads_the_same_file() {
    let api = services().await;
    let program = Program::new();
    configure(&program, &api);
    let server = Server::start(&program, &["--no-workers"]);
    let put = serde_json::json!({ "key": KEY }).to_string();
    let kept = server.send("PUT /api/settings/keys/model.compatible", &put);
    assert!(kept.starts_with("HTTP/1.1 200"), "{kept}");
    // Another process is asked what is in force there.
    let doctor = program.run(&["doctor", "--json"]).stdout();
    assert!(doctor.contains("compatible:tiny answers"), "{doctor}");
    let mut other = program.command(&["doctor", "--json"]);
    let other = other.env("PROBITY_MODEL_KEY", "another-key-0123").output().unwrap();
    let other = String::from_utf8_lossy(&other.stdout).into_owned();
    assert!(other.contains("does not accept the key"), "{other}");
    // A file that cannot be read is named, and what it holds is not.
    let page = program.home.path().join("config.page.toml");
    let text = std::fs::read_to_string(&page).unwrap();
    std::fs::write(&page, text.replace("set_by", "set by")).unwrap();
    let broken = program.run(&["config", "check"]);
    broken.fails(2, "config.page.toml");
    assert!(!broken.stderr().contains(KEY));
    // The running server goes on with what it had.
    assert!(server.send("GET /api/status", "").starts_with("HTTP/1.1 200"));
}
