//! `probity doctor`: every check says what was found, and what to do where something is wrong.

use probity_testkit::fake_api::{Answer, FakeApi};
use serde_json::Value;

use crate::init::READY;
use crate::program::{Program, Ran};

/// The check of this name in a report.
fn check(report: &Value, name: &str) -> Value {
    let checks = report["checks"].as_array().unwrap();
    checks.iter().find(|check| check["name"] == name).unwrap_or_else(|| panic!("no {name}")).clone()
}

fn report(ran: &Ran) -> Value {
    let report: Value = serde_json::from_str(&ran.stdout()).unwrap();
    let failed = report["checks"].as_array().unwrap().iter().any(|c| c["state"] == "failure");
    assert_eq!((ran.code() == 0, &report["ok"]), (!failed, &Value::Bool(!failed)));
    report
}

fn with(program: &Program, name: &str, value: &str) -> Value {
    let mut command = program.command(&["doctor", "--offline", "--json"]);
    report(&Ran(command.env(name, value).output().unwrap()))
}

#[test]
fn a_fresh_installation_is_in_order_and_stays_untouched() {
    let program = Program::new();
    let report = report(&program.run(&["doctor", "--offline", "--json"]));
    for name in
        ["configuration", "data folder", "store", "ledger", "embedded model", "clock", "terminal"]
    {
        assert_eq!(check(&report, name)["state"], "ok", "{name}");
    }
    assert!(check(&report, "store")["found"].as_str().unwrap().contains("does not exist yet"));
    assert!(
        check(&report, "data folder")["found"].as_str().unwrap().contains("does not exist yet")
    );
    assert!(!program.home.path().join("data").exists(), "looking created something");
}

#[test]
fn a_store_is_opened_and_its_ledger_proved() {
    let program = Program::new();
    program.run(&["outlets", "set", "bbc.com", "0.9", "--by", "Ada"]).ok();
    let text = program.run(&["doctor", "--offline"]).ok();
    assert!(text.contains("store: SQLite at "), "{text}");
    assert!(text.contains("ledger: sound: 18 outlets, 1 event"), "{text}");
}

#[test]
fn a_ledger_that_was_tampered_with_fails() {
    let program = Program::new();
    let args = ["outlets", "set", "bbc.com", "0.9", "--by", "Ada", "--note", "a note to remember"];
    program.run(&args).ok();
    let file = program.home.path().join("data/probity.db");
    let mut bytes = std::fs::read(&file).unwrap();
    let wanted = b"a note to remember";
    let place = bytes.windows(wanted.len()).position(|window| window == wanted).unwrap();
    bytes[place] ^= 1;
    std::fs::write(&file, bytes).unwrap();
    let ledger = check(&report(&program.run(&["doctor", "--offline", "--json"])), "ledger");
    assert_eq!(ledger["state"], "failure");
    assert!(ledger["found"].as_str().unwrap().contains("event 1"), "{ledger}");
    assert!(ledger["fix"].as_str().unwrap().contains("backup"), "{ledger}");
}

#[test]
fn a_data_folder_that_is_none_fails_with_its_fix() {
    let program = Program::new();
    let file = program.home.path().join("a-file");
    std::fs::write(&file, "").unwrap();
    for folder in [file.clone(), file.join("below")] {
        let ran = program.run(&["doctor", "--offline", "--data-dir", folder.to_str().unwrap()]);
        assert_eq!(ran.code(), 1);
        assert!(ran.stdout().contains("failure  data folder"), "{}", ran.stdout());
        assert!(ran.stdout().contains("fix: make the folder writable"), "{}", ran.stdout());
    }
}

#[test]
fn a_store_that_cannot_be_reached_fails_without_showing_the_password() {
    let program = Program::new();
    // Port 1 on loopback: nothing listens there.
    let report = with(&program, "PROBITY_STORE", "postgres://ada:hunter2@127.0.0.1:1/probity");
    let store = check(&report, "store");
    assert_eq!(store["state"], "failure");
    assert!(store["found"].as_str().unwrap().contains("ada@127.0.0.1:1"), "{store}");
    assert!(!report.to_string().contains("hunter2"));
    let report = with(&program, "PROBITY_STORE", "mysql://somewhere/x");
    assert!(check(&report, "store")["found"].as_str().unwrap().contains("not supported"));
}

#[test]
fn search_without_any_key_is_worth_a_warning() {
    let program = Program::new();
    let search = check(&report(&program.run(&["doctor", "--offline", "--json"])), "search");
    assert_eq!(search["state"], "warning");
    assert!(search["found"].as_str().unwrap().contains("duckduckgo"), "{search}");
    let keyed = with(&program, "BRAVE_API_KEY", "hunter2-hunter2");
    assert_eq!(check(&keyed, "search")["state"], "ok");
    assert!(!keyed.to_string().contains("hunter2-hunter2"));
    std::fs::write(program.config(), "[search]\nproviders = \"brave\"").unwrap();
    let search = check(&report(&program.run(&["doctor", "--offline", "--json"])), "search");
    assert_eq!(search["state"], "failure");
    assert!(search["found"].as_str().unwrap().contains("BRAVE_API_KEY"), "{search}");
}

#[test]
fn a_clock_of_another_age_is_worth_a_warning() {
    let clock = check(&with(&Program::new(), "PROBITY_NOW", "2001-01-01"), "clock");
    assert_eq!(clock["state"], "warning");
    assert!(clock["fix"].as_str().unwrap().contains("clock"));
}

/// What would work, by what it is.
fn works(report: &Value, what: &str) -> Value {
    let all = report["works"].as_array().unwrap();
    let found = all.iter().find(|works| works["what"].as_str().unwrap().contains(what));
    found.unwrap_or_else(|| panic!("no {what}: {report}"))["works"].clone()
}

#[test]
fn offline_nobody_is_asked_and_that_is_said() {
    let report = report(&Program::new().run(&["doctor", "--offline", "--json"]));
    assert_eq!(works(&report, "on the web"), Value::Null);
    assert_eq!(works(&report, "your own documents"), true);
    assert_eq!(works(&report, "reports"), true);
}

#[tokio::test(flavor = "multi_thread")]
async fn models_and_search_providers_are_asked_whether_they_answer() {
    let api = FakeApi::start(|request| {
        match (request.method.as_str(), request.header("authorization")) {
            ("POST", Some("Bearer sk-right-0123")) => Answer::json(READY),
            ("POST", _) => Answer::status(401).with_body("{\"error\":\"no\"}"),
            _ => Answer::json(r#"{"results":[]}"#),
        }
    })
    .await;
    let program = Program::new();
    let config = format!(
        "[model]\ndefault = \"compatible:tiny\"\n[model.compatible]\nbase_url = \"{0}/v1\"\n\
         [search]\nproviders = \"searxng,library\"\n[search.searxng]\nurl = \"{0}\"\n",
        api.url()
    );
    std::fs::write(program.config(), &config).unwrap();
    let doctor = async |key: &'static str| {
        let mut command = program.command(&["doctor", "--json"]);
        command.env("PROBITY_MODEL_KEY", key);
        let ran =
            tokio::task::spawn_blocking(move || Ran(command.output().unwrap())).await.unwrap();
        report(&ran)
    };
    let right = doctor("sk-right-0123").await;
    assert_eq!(check(&right, "language model")["state"], "ok", "{right}");
    assert_eq!(check(&right, "search")["found"], "searxng answered", "{right}");
    assert_eq!((works(&right, "on the web"), works(&right, "reports")), (true.into(), true.into()));
    let wrong = doctor("sk-wrong-0123").await;
    let model = check(&wrong, "language model");
    assert_eq!(model["state"], "failure", "{wrong}");
    assert!(model["found"].as_str().unwrap().contains("does not accept the key"), "{model}");
    assert!(!wrong.to_string().contains("sk-wrong-0123"));
    // Port 1 on loopback: nothing listens there.
    std::fs::write(program.config(), config.replace(&api.url(), "http://127.0.0.1:1")).unwrap();
    let nobody = doctor("sk-right-0123").await;
    assert_eq!(check(&nobody, "search")["state"], "failure", "{nobody}");
    assert_eq!(works(&nobody, "on the web"), false);
}

/// The size of a page of a store's file.
const PAGE: usize = 4096;

fn number(bytes: &[u8], at: usize) -> usize {
    u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
}

/// The pages that hold nothing: damage to them harms no one.
fn free_pages(file: &[u8]) -> Vec<usize> {
    let mut free = Vec::new();
    let mut trunk = number(file, 32);
    while trunk > 0 {
        let page = &file[(trunk - 1) * PAGE..trunk * PAGE];
        free.extend((0..number(page, 4)).map(|leaf| number(page, 8 + 4 * leaf)));
        trunk = number(page, 0);
    }
    free
}

/// Writes something small and waits for it, after which everything is in the file and not in the log beside it.
fn settle(program: &Program) {
    program.run(&["outlets", "set", "bbc.com", "0.9", "--by", "Ada", "--note", "so it seems"]).ok();
    assert!(!program.home.path().join("data/probity.db-wal").exists(), "the log is still there");
}

#[test]
fn a_file_with_a_damaged_page_is_never_called_whole() {
    let program = Program::new();
    program.run(&["library", "add", "examples/library"]).ok();
    let question = "What are the most popular first dance songs at Port Ellery weddings?";
    program.run(&["research", "--search", "library", question]).ok();
    settle(&program);
    let path = program.home.path().join("data/probity.db");
    let whole = std::fs::read(&path).unwrap();
    let is_sound = report(&program.run(&["doctor", "--offline", "--json"]));
    assert_eq!(check(&is_sound, "store")["state"], "ok", "{is_sound}");
    assert_eq!(check(&is_sound, "runs")["found"], "1 run, every report can be read");

    let (pages, free) = (whole.len() / PAGE, free_pages(&whole));
    assert!(pages > 100, "hardly anything is stored");
    let mut chance = fastrand::Rng::with_seed(7);
    let mut tried = 0;
    for page in (1..=pages).step_by(pages / 24).filter(|page| !free.contains(page)) {
        let start = (page - 1) * PAGE;
        let noise: Vec<u8> = std::iter::repeat_with(|| chance.u8(..)).take(PAGE).collect();
        // A page that was never written, and one that was overwritten.
        for bytes in [vec![0; PAGE], noise] {
            let mut damaged = whole.clone();
            damaged[start..start + PAGE].copy_from_slice(&bytes);
            std::fs::write(&path, damaged).unwrap();
            let ran = program.run(&["doctor", "--offline"]);
            let kind = if bytes[0] == 0 { "zeros" } else { "noise" };
            assert_eq!(ran.code(), 1, "page {page}, {kind}: {}", ran.stdout());
            assert!(ran.stdout().contains("fix: "), "{}", ran.stdout());
            tried += 1;
        }
    }
    assert!(tried > 40, "{tried}");
    let cut = [whole.len() / 2, whole.len() - PAGE, PAGE / 2, 0];
    for length in cut.into_iter().filter(|length| *length > 0) {
        std::fs::write(&path, &whole[..length]).unwrap();
        assert_eq!(program.run(&["doctor", "--offline"]).code(), 1, "cut to {length}");
    }
}

#[test]
fn a_report_that_cannot_be_read_is_named_with_its_run() {
    let program = Program::new();
    let question = "What are the most popular first dance songs at Port Ellery weddings?";
    program.run(&["research", "--library", "examples/library", question]).ok();
    settle(&program);
    let path = program.home.path().join("data/probity.db");
    let mut bytes = std::fs::read(&path).unwrap();
    // Another sign of the same length, in every place where the report's shape is told.
    let wanted = b"\"decision\":\"full_report\"";
    let places: Vec<usize> = bytes
        .windows(wanted.len())
        .enumerate()
        .filter(|(_, w)| w == wanted)
        .map(|(at, _)| at)
        .collect();
    assert!(!places.is_empty());
    for place in places {
        bytes[place + wanted.len() - 2] = b'x';
    }
    std::fs::write(&path, bytes).unwrap();
    let runs = check(&report(&program.run(&["doctor", "--offline", "--json"])), "runs");
    assert_eq!(runs["state"], "failure");
    assert!(
        runs["found"].as_str().unwrap().starts_with("1 report of 1 cannot be read: "),
        "{runs}"
    );
}
