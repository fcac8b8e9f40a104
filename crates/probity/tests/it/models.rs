//! The program with a language model behind a loopback server: reports, limits, costs, and a key
//! that appears nowhere.

use std::fs;
use std::path::Path;
use std::process::Command;

use probity_testkit::fake_api::{self, Answer, FakeApi};
use probity_testkit::model;

use crate::program::{Program, Ran};

const KEY: &str = "sk-planted-91c2d7e4f0";
const QUESTION: &str = "What are the most popular first dance songs at Port Ellery weddings?";

/// A chat server with a well-behaved model that tells its key to whoever asks.
fn chat(request: &fake_api::Request) -> Answer {
    if request.header("authorization") != Some(&format!("Bearer {KEY}")) {
        return Answer::status(401).with_body(format!("{{\"error\":\"not {KEY}\"}}"));
    }
    model::chat(&request.json(), |_, said| said)
}

/// A program that has a key and knows where its model is.
async fn with_model(
    answer: impl Fn(&fake_api::Request) -> Answer + Send + Sync + 'static,
) -> (Program, FakeApi) {
    let api = FakeApi::start(answer).await;
    let program = Program::new();
    fs::write(program.home.path().join("key"), format!("{KEY}\n")).unwrap();
    (program, api)
}

async fn run(program: &Program, api: &FakeApi, args: &[&str]) -> Ran {
    let mut command: Command = program.command(args);
    command
        .env("PROBITY_MODEL_KEY_FILE", program.home.path().join("key"))
        .env("PROBITY_MODEL_URL", format!("{}/v1", api.url()));
    tokio::task::spawn_blocking(move || Ran(command.output().unwrap())).await.unwrap()
}

fn research<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let mut args = vec!["research", "--library", "examples/library", "--model", "compatible:tiny"];
    args.extend_from_slice(more);
    args.push(QUESTION);
    args
}

/// The key as it is, and in the forms that an echo may give it.
fn forms(key: &str) -> Vec<String> {
    use base64::Engine as _;
    use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
    let percent: String = key.bytes().map(|byte| format!("%{byte:02X}")).collect();
    let hex: String = key.bytes().map(|byte| format!("{byte:02x}")).collect();
    // The last signs of a form depend on what follows the key.
    let safe = |text: String| text[..text.len() - 2].to_owned();
    let coded = [STANDARD_NO_PAD.encode(key), URL_SAFE_NO_PAD.encode(key)].map(safe);
    [vec![key.to_owned(), percent.to_lowercase(), percent, hex], coded.to_vec()].concat()
}

/// Every file below a folder that holds a key in any form.
fn holding_any(folder: &Path, key: &str) -> Vec<String> {
    forms(key).iter().flat_map(|form| holding(folder, form)).collect()
}

/// Every file below a folder that holds a text.
fn holding(folder: &Path, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(holding(&path, text));
        } else if fs::read(&path).unwrap().windows(text.len()).any(|w| w == text.as_bytes()) {
            found.push(path.display().to_string());
        }
    }
    found
}

/// How often the model was asked; what the server is asked about itself costs nothing.
fn asked(api: &FakeApi) -> usize {
    api.requests().iter().filter(|request| request.method == "POST").count()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_writes_the_report_and_its_cost_is_known() {
    let (program, api) = with_model(chat).await;
    fs::write(program.config(), "[model.known.\"compatible:tiny\"]\ninput = 1.0\noutput = 10.0\n")
        .unwrap();
    let ran = run(&program, &api, &research(&["--json"])).await;
    let report = ran.json();
    assert_eq!(report["author"], "compatible:tiny");
    let usage = &report["usage"];
    let calls = usage["model_calls"].as_u64().unwrap();
    assert_eq!(calls as usize, asked(&api));
    assert_eq!(usage["input_tokens"].as_u64().unwrap(), 1000 * calls);
    let cost = usage["cost_usd"].as_f64().unwrap();
    assert!((cost - 0.002 * calls as f64).abs() < 1e-9, "{cost}");
    assert!(usage["by_task"]["score"]["model_calls"].as_u64().unwrap() > 1);
    assert!(ran.stderr().contains("spent so far:") && ran.stderr().contains("tokens, $0.0"));

    let costs = run(&program, &api, &["costs", "--json"]).await.json();
    assert_eq!(costs["total"]["model_calls"], calls);
    assert_eq!(costs["runs"][0]["author"], "compatible:tiny");
    let table = run(&program, &api, &["costs"]).await.ok();
    assert!(table.contains("total") && table.contains("compatible:tiny"), "{table}");

    let before = api.requests().len();
    run(&program, &api, &["runs", "replay", "last", "--check"]).await.ok();
    assert_eq!(api.requests().len(), before, "a replay makes no request");
}

#[tokio::test(flavor = "multi_thread")]
async fn limits_are_kept_and_told() {
    let (program, api) = with_model(chat).await;
    let ran = run(&program, &api, &research(&["--max-calls", "3", "--no-save"])).await;
    assert!(asked(&api) <= 3);
    assert!(ran.ok().contains("A spending limit was reached"), "{}", ran.stdout());
    assert!(ran.stderr().contains("could have gone over 3 calls"));
    let ran = run(&program, &api, &research(&["--max-cost", "1"])).await;
    ran.fails(2, "price of compatible:tiny is not known");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_key_appears_nowhere() {
    for format in ["text", "json"] {
        let (program, api) = with_model(chat).await;
        let args = research(&["-vvv", "--log-format", format, "--judge-citations", "--skeptic"]);
        let ran = run(&program, &api, &args).await;
        ran.ok();
        let seen = api
            .requests()
            .iter()
            .filter(|r| r.header("authorization").is_some_and(|h| h.contains(KEY)))
            .count();
        assert!(seen > 5, "the key was used");
        assert!(ran.stderr().len() > 10_000, "the most verbose log is long");
        let mut outputs = vec![ran.stdout(), ran.stderr()];
        for args in [
            &["runs", "export", "last", "--format", "journal"][..],
            &["runs", "export", "last", "--format", "json"],
            &["runs", "export", "last", "--format", "html"],
            &["runs", "export", "last", "--format", "bibtex"],
            &["runs", "events", "last"],
            &["runs", "show", "last"],
            &["models", "list", "--json"],
            &["queue", "list", "--json"],
            &["config", "show"],
            &["config", "show", "--json"],
            &["config", "env"],
            &["doctor", "-vvv"],
            &["costs", "--json"],
        ] {
            let ran = run(&program, &api, args).await;
            outputs.extend([ran.stdout(), ran.stderr()]);
        }
        for output in outputs {
            for form in forms(KEY) {
                let before = output.split_once(&form).map(|(before, _)| before);
                let before = before.map(|text| text.chars().rev().take(200).collect::<String>());
                assert_eq!(
                    before, None,
                    "the key is in an output as {form}, after this, read backwards"
                );
            }
        }
        assert_eq!(holding_any(&program.home.path().join("data"), KEY), Vec::<String>::new());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_is_refused_is_not_shown_either() {
    let (program, api) = with_model(|_| {
        use base64::Engine as _;
        let coded = base64::engine::general_purpose::STANDARD.encode(KEY);
        let percent: String = KEY.bytes().map(|byte| format!("%{byte:02X}")).collect();
        let echoed = format!("bad key {KEY}, {percent}, {coded}");
        Answer::status(401).with_body(format!("{{\"error\":{{\"message\":\"{echoed}\"}}}}"))
    })
    .await;
    let ran = run(&program, &api, &research(&["-vvv"])).await;
    assert!(ran.stdout().contains("No language model wrote this report"), "{}", ran.stderr());
    assert!(ran.stderr().contains("bad key [redacted]"));
    for form in forms(KEY) {
        assert!(!ran.stderr().contains(&form) && !ran.stdout().contains(&form), "{form}");
    }
    assert_eq!(holding_any(&program.home.path().join("data"), KEY), Vec::<String>::new());
}

#[test]
fn what_is_asked_wrongly_is_said() {
    let program = Program::new();
    let research = |more: &[&str]| {
        let mut args = vec!["research", "--library", "examples/library"];
        args.extend_from_slice(more);
        args.push(QUESTION);
        program.run(&args)
    };
    research(&["--model", "nobody:x"]).fails(2, "there is no provider `nobody`");
    research(&["--model", "anthropic"]).fails(2, "ANTHROPIC_API_KEY");
    research(&["--agentic"]).fails(2, "--agentic needs a language model");
    research(&["--model", "compatible:x"]).fails(2, "needs an address");
    research(&["--model", "openai:x", "--base-url", "http://u:p@h/"]).fails(2, "password");
    research(&["--max-cost", "nan"]).fails(2, "--max-cost");
    let ran = research(&["--model", "embedded", "--no-save"]);
    assert!(ran.ok().contains("No language model"));
    assert!(program.run(&["costs"]).ok().contains("No stored run"));
}

#[test]
fn a_model_that_cannot_be_reached_is_stood_in_for_without_false_confidence() {
    let program = Program::new();
    let args = research(&["--base-url", "http://127.0.0.1:9/", "--json", "--no-save"]);
    let ran = program.run(&args);
    let report = ran.json();
    assert_ne!(report["confidence"]["level"], "High", "{}", report["confidence"]);
    let rationale = report["confidence"]["rationale"].as_str().unwrap();
    assert!(rationale.contains("the embedded judge scored all of them instead"), "{rationale}");
    assert!(rationale.contains("No language model wrote this report"), "{rationale}");
}

/// Queues a run, has a worker process of its own carry it out, and gives the run's report.
async fn queued_and_worked(program: &Program, api: &FakeApi, store: &str) -> serde_json::Value {
    let call = async |args: &[&str]| {
        let mut command: Command = program.command(args);
        command
            .env("PROBITY_MODEL_KEY_FILE", program.home.path().join("key"))
            .env("PROBITY_MODEL_URL", format!("{}/v1", api.url()))
            .env("PROBITY_STORE", store);
        tokio::task::spawn_blocking(move || Ran(command.output().unwrap())).await.unwrap()
    };
    let queued = call(&research(&["--queue", "--json"])).await.json();
    call(&["worker", "--until-empty"]).await.ok();
    let run = queued["run_id"].as_str().unwrap();
    call(&["runs", "export", run, "--format", "json"]).await.json()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_days_money_holds_for_all_processes_together() {
    let file = tempfile::tempdir().unwrap();
    let database = probity_testkit::postgres::TestDatabase::create().await;
    let file = format!("sqlite:{}", file.path().join("x.db").display());
    for store in [Some(file), database.as_ref().map(|database| database.url())] {
        let Some(store) = store else { continue };
        let (program, api) = with_model(chat).await;
        let day = |dollars: f64| {
            let config = format!(
                "[model.known.\"compatible:tiny\"]\ninput = 1.0\noutput = 10.0\n\
                 [queue]\nmax_cost_per_day = {dollars}\n"
            );
            fs::write(program.config(), config).unwrap();
        };
        day(100.0);
        let first = queued_and_worked(&program, &api, &store).await;
        let cost = first["usage"]["cost_usd"].as_f64().unwrap();
        let calls = api.requests().len();
        assert!(cost > 0.0 && !first.to_string().contains("the day's limit"));

        // What the first process spent leaves the second room for some calls, not for all.
        let limit = 1.5 * cost;
        day(limit);
        let second = queued_and_worked(&program, &api, &store).await;
        let text = second.to_string();
        let limit_text = format!("the day's limit of ${limit:.2}");
        assert!(text.contains(&limit_text), "no word of {limit_text} in {text}");
        let spent = cost + second["usage"]["cost_usd"].as_f64().unwrap();
        assert!(spent <= limit, "{spent} were spent of {limit}");
        let third = queued_and_worked(&program, &api, &store).await;
        let spent = spent + third["usage"]["cost_usd"].as_f64().unwrap();
        assert!(spent <= limit, "{spent} were spent of {limit}");
        assert!(api.requests().len() < 3 * calls, "nobody did without");
    }
}

#[test]
fn the_list_of_models_says_who_would_be_asked_and_what_is_missing() {
    let program = Program::new();
    let plain = program.run(&["models", "list"]).ok();
    assert!(plain.starts_with("The embedded analyst judges and writes"), "{plain}");
    assert!(plain.contains("anthropic   set ANTHROPIC_API_KEY"), "{plain}");
    assert!(plain.contains(
        "azure       set AZURE_OPENAI_API_KEY; set AZURE_OPENAI_BASE_URL; name a model: azure:NAME"
    ));
    assert!(plain.contains("llamacpp    ready"), "{plain}");
    let json: serde_json::Value =
        serde_json::from_str(&program.run(&["models", "list", "--json"]).ok()).unwrap();
    assert_eq!(json["would_be_used"], serde_json::json!([]));
    assert_eq!(json["providers"].as_array().unwrap().len(), 17);
}

/// Opt-in, with `scripts/with-local-model`: a weak model tests repair, patience and checks better than any script.
#[test]
fn a_small_model_on_this_machine_writes_a_whole_report() {
    let Ok(address) = std::env::var("PROBITY_TEST_LOCAL_MODEL") else {
        println!("left out: PROBITY_TEST_LOCAL_MODEL is not set");
        return;
    };
    let program = Program::new();
    let args = [
        "research",
        "--quick",
        "--json",
        "--library",
        "examples/library",
        "--model",
        "smollm2",
        "--base-url",
        &address,
        QUESTION,
    ];
    let ran = program.run(&args);
    assert!(matches!(ran.code(), 0 | 3), "{}", ran.stderr());
    let report: serde_json::Value = serde_json::from_str(&ran.stdout()).unwrap();
    for query in report["queries"].as_array().unwrap() {
        let text = query["text"].as_str().unwrap().to_lowercase();
        assert!(!text.contains("search query") && !text.starts_with("s1"), "{text}");
    }
    let markdown = report["markdown"].as_str().unwrap();
    probity_report::parse::parse(markdown).unwrap();
    // No source is kept for want of a judge: where the model is none, the embedded one judges.
    assert!(!markdown.contains("no score could be read"), "{markdown}");
}
