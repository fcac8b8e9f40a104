//! `probity init`: what is chosen is tried, then written; what is there is left alone.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use probity_testkit::fake_api::{self, Answer, FakeApi};

use crate::program::{Program, Ran};

const KEY: &str = "sk-planted-55aa17c0de";
/// What a chat server answers that is ready.
pub(crate) const READY: &str =
    r#"{"choices":[{"message":{"role":"assistant","content":"ready"},"finish_reason":"stop"}]}"#;

/// A chat server that takes one key, and a SearXNG that finds one page.
fn services(request: &fake_api::Request) -> Answer {
    if request.method == "POST" {
        return match request.header("authorization") == Some(&format!("Bearer {KEY}")) {
            true => Answer::json(READY),
            false => Answer::status(401).with_body("{\"error\":\"who are you\"}"),
        };
    }
    Answer::json(
        r#"{"results":[{"url":"https://example.org/","title":"Encyclopedia","content":"All"}]}"#,
    )
}

async fn run(program: &Program, args: &[&str], input: &str) -> Ran {
    let mut command = program.command(args);
    let (input, path) = (input.to_owned(), program.home.path().join("typed"));
    fs::write(&path, input).unwrap();
    command.stdin(fs::File::open(path).unwrap());
    tokio::task::spawn_blocking(move || Ran(command.output().unwrap())).await.unwrap()
}

/// Sets up a model on the user's own server, with a key from stdin.
fn with_model<'a>(base: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut args =
        vec!["init", "--model", "compatible:tiny", "--base-url", base, "--key-file", "-"];
    args.extend(more);
    args
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[tokio::test(flavor = "multi_thread")]
async fn what_answers_is_written_with_the_key_in_a_file_of_its_own() {
    let api = FakeApi::start(services).await;
    let program = Program::new();
    let base = format!("{}/v1", api.url());
    let url = api.url();
    let args = with_model(&base, &["--searxng", &url, "--library", "examples/library", "--json"]);
    let done = run(&program, &args, &format!("{KEY}\n")).await.json();
    assert_eq!(done["documents"], 45, "{done}");
    let checks = done["checks"].as_array().unwrap();
    assert!(checks.iter().all(|check| check["state"] == "ok"), "{done}");
    let file = Path::new(done["keys"][0].as_str().unwrap());
    assert_eq!(fs::read_to_string(file).unwrap().trim(), KEY);
    assert_eq!((mode(file), mode(&program.config())), (0o600, 0o600));
    let text = fs::read_to_string(program.config()).unwrap();
    assert!(!text.contains(KEY) && !done.to_string().contains(KEY), "{text}");
    // The program understands what it wrote, and finds what it indexed.
    let shown = program.run(&["config", "show", "--json"]).json();
    assert_eq!(shown["model"]["default"], "compatible:tiny");
    assert_eq!(shown["search"]["searxng"]["url"], format!("{}/", api.url()));
    assert!(program.run(&["library", "search", "ferry"]).ok().contains("ferry"));
    assert_eq!(program.run(&["doctor", "--json"]).json()["ok"], true);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_does_not_answer_is_not_written_unless_nobody_is_to_be_asked() {
    let api = FakeApi::start(services).await;
    let program = Program::new();
    let base = format!("{}/v1", api.url());
    let mut args = with_model(&base, &["--search", "library"]);
    let ran = run(&program, &args, "sk-of-somebody-else\n").await;
    ran.fails(1, "nothing was written");
    assert!(ran.stdout().contains("does not accept the key"), "{}", ran.stdout());
    assert_eq!(fs::read_to_string(program.config()).unwrap(), "");
    assert!(!program.home.path().join("keys").exists());
    args.push("--offline");
    let asked = api.requests().len();
    run(&program, &args, "sk-of-somebody-else\n").await.ok();
    assert_eq!(api.requests().len(), asked);
    assert!(program.home.path().join("keys/compatible").exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_provider_that_does_not_exist_is_refused_even_untried() {
    let program = Program::new();
    let args = ["init", "--offline", "--search", "brave,altavista"];
    run(&program, &args, "").await.fails(2, "there is no search provider `altavista`");
    assert_eq!(fs::read_to_string(program.config()).unwrap(), "");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_there_stays_unless_it_may_be_replaced() {
    let program = Program::new();
    let args = ["init", "--offline", "--model", "embedded"];
    fs::write(program.config(), "[ledger]\nalpha = 0.2\n").unwrap();
    run(&program, &args, "").await.fails(2, "already exists");
    assert_eq!(fs::read_to_string(program.config()).unwrap(), "[ledger]\nalpha = 0.2\n");
    // What cannot be read as settings can be replaced all the same.
    fs::write(program.config(), "[ledger\n").unwrap();
    let forced = ["init", "--offline", "--force", "--model", "embedded"];
    let said = run(&program, &forced, "").await.ok();
    assert!(said.contains("config.toml.old"), "{said}");
    assert_eq!(
        fs::read_to_string(program.home.path().join("config.toml.old")).unwrap(),
        "[ledger\n"
    );
    run(&program, &forced, "").await.ok();
    assert!(program.home.path().join("config.toml.old-2").exists());
    program.run(&["config", "check"]).ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_meant_is_refused_before_anything_is_written() {
    let program = Program::new();
    let short = program.home.path().join("short");
    fs::write(&short, "growth\n").unwrap();
    let short = short.to_str().unwrap();
    for (args, says) in [
        (vec!["--model", "nobody"], "--model"),
        (vec!["--key-file", "-"], "need --model"),
        (vec!["--model", "anthropic", "--key-file", short], "at least 8"),
        (vec!["--model", "anthropic", "--key-file", "/no/such/file"], "cannot read"),
        (vec!["--model", "compatible:x", "--base-url", "ftp://x/"], "--base-url"),
        (vec!["--search", "auto,brave"], "--search"),
        (vec!["--search", "wikipedia", "--search-key-file", "-"], "one provider that uses a key"),
        (vec!["--searxng", "not an address"], "not an address"),
        (vec!["--library", "/no/such/folder"], "cannot read"),
        (vec!["--library", "Cargo.toml"], "not a folder"),
        (vec!["--store", "mysql://x/y"], "store"),
    ] {
        let mut all = vec!["init", "--offline"];
        all.extend(args);
        run(&program, &all, "sk-0123456789\n").await.fails(2, says);
        assert_eq!(fs::read_to_string(program.config()).unwrap(), "", "{all:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_cannot_be_written_is_told_with_the_way_out() {
    let program = Program::new();
    let file = program.home.path().join("a-file");
    fs::write(&file, "").unwrap();
    let below = file.join("config.toml");
    let ran = run(&program, &["init", "--offline", "--config", below.to_str().unwrap()], "").await;
    assert_eq!(ran.code(), 1, "{}", ran.stderr());
    assert!(ran.stderr().contains("--config"), "{}", ran.stderr());
    let locked = program.home.path().join("locked");
    fs::create_dir(&locked).unwrap();
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o500)).unwrap();
    // Whoever may write everywhere meets no such folder.
    if fs::write(locked.join("probe"), "").is_err() {
        let below = locked.join("config.toml");
        let args = ["init", "--offline", "--config", below.to_str().unwrap()];
        run(&program, &args, "").await.fails(1, "cannot write");
    }
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o700)).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_terminal_nothing_is_asked_and_the_defaults_are_written() {
    let program = Program::new();
    let config = program.home.path().join("new/folder/config.toml");
    let path = config.to_str().unwrap();
    run(&program, &["init", "--offline", "--config", path], "9\n9\n9\n").await.ok();
    let text = fs::read_to_string(&config).unwrap();
    let printed = run(&program, &["init", "--print", "--config", path], "").await.ok();
    assert_eq!(printed.trim_end(), text.trim_end());
    let fresh = program.run(&["config", "show", "--json"]).json();
    let shown = program.run(&["config", "show", "--json", "--config", path]).json();
    assert_eq!(shown, fresh, "what init writes by default changes nothing");
}
