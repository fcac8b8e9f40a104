//! `probity search`: results as text and JSON, honest about what failed.

use std::path::PathBuf;

use probity_testkit::fake_api::{Answer, FakeApi, Request};
use serde_json::Value;

use crate::program::{Program, runtime, tree};

fn fixture(name: &str) -> Vec<u8> {
    let path: PathBuf = tree().join("crates/probity-web/tests/data/search").join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A world in which every provider is one server on the loopback address.
struct World {
    program: Program,
    api: FakeApi,
    // Dropped last: the server lives in it.
    _runtime: tokio::runtime::Runtime,
}

impl World {
    fn new(answer: impl Fn(&Request) -> Answer + Send + Sync + 'static) -> Self {
        let runtime = runtime();
        let api = runtime.block_on(FakeApi::start(answer));
        let program = Program::new();
        let mut config = String::new();
        for name in ["searxng", "brave", "duckduckgo", "wikipedia", "serper"] {
            config.push_str(&format!(
                "[search.{name}]\nurl = \"{}\"\nper_second = 1000\n",
                api.url()
            ));
        }
        std::fs::write(program.config(), config).unwrap();
        Self { program, api, _runtime: runtime }
    }

    fn json(&self, args: &[&str]) -> Value {
        self.program.run(&[args, &["--json"]].concat()).json()
    }
}

fn keyless(request: &Request) -> Answer {
    match request.path.as_str() {
        "/html/" if !request.form().iter().any(|(name, _)| name == "vqd") => {
            Answer::ok("text/html", fixture("duckduckgo/ok.html"))
        }
        "/html/" => Answer::ok("text/html", fixture("duckduckgo/empty.html")),
        "/w/api.php" => Answer::json(fixture("wikipedia/ok.json")),
        "/search" => Answer::json(fixture("searxng/ok.json")),
        _ => Answer::status(404),
    }
}

#[test]
fn without_any_key_the_keyless_providers_are_asked() {
    let world = World::new(keyless);
    std::fs::write(
        world.program.config(),
        format!(
            "[search.duckduckgo]\nurl = \"{0}\"\n[search.wikipedia]\nurl = \"{0}\"\n",
            world.api.url()
        ),
    )
    .unwrap();
    let found = world.json(&["search", "port ellery noise"]);
    assert_eq!(found["query"], "port ellery noise");
    let providers: Vec<_> = found["hits"]
        .as_array()
        .unwrap()
        .iter()
        .map(|hit| hit["providers"][0].as_str().unwrap())
        .collect();
    assert_eq!(providers, ["duckduckgo", "wikipedia", "duckduckgo", "wikipedia", "wikipedia"]);
    assert_eq!(found["problems"][0]["subject"], "duckduckgo", "the hostile link was left out");
}

#[test]
fn results_are_a_readable_list() {
    let world = World::new(keyless);
    let ran = world
        .program
        .run(&["search", "port", "ellery", "noise", "--search", "searxng", "--limit", "1"]);
    assert_eq!(
        ran.ok(),
        "  1. Chapter 14: Noise\n     https://code.portellery.example.org/chapter-14\n     searxng · 2026-02-03\n     Amplified sound outdoors must end at 22:00 from Sunday to Thursday and at 23:00 on other days.\n"
    );
    assert_eq!(world.api.requests()[0].parameter("q"), Some("port ellery noise"));
}

#[test]
fn a_provider_that_fails_is_a_problem_and_not_the_end() {
    let world = World::new(|request| match request.path.as_str() {
        "/html/" => Answer::ok("text/html", fixture("duckduckgo/challenge.html")),
        _ => keyless(request),
    });
    let ran = world.program.run(&["search", "noise", "--search", "duckduckgo,wikipedia"]);
    assert!(ran.ok().contains("Rumba flamenca"));
    assert!(
        ran.stderr().contains("problem: duckduckgo: answered with a challenge"),
        "{}",
        ran.stderr()
    );
}

#[test]
fn nothing_found_is_said_and_is_no_failure() {
    let world = World::new(|_| Answer::json(fixture("searxng/empty.json")));
    let ran = world.program.run(&["search", "zxqv", "--search", "searxng"]);
    assert_eq!(ran.ok(), "Nothing was found for \"zxqv\" (searxng).\n");
    let found = world.json(&["search", "zxqv", "--search", "searxng"]);
    assert_eq!(
        (found["hits"].as_array().unwrap().len(), found["problems"].as_array().unwrap().len()),
        (0, 0)
    );
}

#[test]
fn when_every_provider_fails_the_search_has_failed() {
    let world = World::new(|_| Answer::status(404));
    let args = ["search", "noise", "--search", "searxng,wikipedia"];
    let ran = world.program.run(&args);
    ran.fails(1, "no search provider answered (searxng, wikipedia)");
    assert!(ran.stderr().contains("problem: wikipedia: 127.0.0.1 answered with status 404"));
    let ran = world.program.run(&[&args[..], &["--json"]].concat());
    assert_eq!(ran.code(), 1);
    let found: Value = serde_json::from_str(&ran.stdout()).unwrap();
    assert_eq!(found["problems"].as_array().unwrap().len(), 2);
}

#[test]
fn wrong_usage_is_distinguished_from_failure() {
    let program = Program::new();
    for (args, says) in [
        (vec!["search"], "QUERY"),
        (vec!["search", "  "], "the query is empty"),
        (
            vec!["search", "noise", "--search", "altavista"],
            "there is no search provider `altavista`; known are auto, web, searxng",
        ),
        (vec!["search", "noise", "--search", ","], "no search provider is named"),
        (vec!["search", "noise", "--search", "brave"], "set BRAVE_API_KEY"),
        (vec!["search", "noise", "--search", "searxng"], "set SEARXNG_URL"),
        (vec!["search", "noise", "--search", "urls"], "--urls FILE"),
        (vec!["search", "noise", "--limit", "0"], "--limit must be 1 to 100"),
        (vec!["search", "noise", "--limit", "101"], "--limit must be 1 to 100"),
        (vec!["search", "noise", "--lang", "../x"], "is not a language code"),
    ] {
        program.run(&args).fails(2, says);
    }
    std::fs::write(program.config(), "[search]\nproviders = \"brave\"\nresults = 0\n").unwrap();
    program.run(&["search", "noise"]).fails(2, "search.results: must be 1 to 100");
    std::fs::write(program.config(), "[search.altavista]\nkey = \"k\"\n").unwrap();
    program.run(&["search", "noise"]).fails(2, "altavista");
}

#[test]
fn a_key_from_the_environment_goes_to_its_provider_and_nowhere_else() {
    let key = "bsk-nobody-may-see-this";
    let world = World::new(|_| {
        Answer::status(401)
            .with_body("{\"error\": {\"detail\": \"bad key bsk-nobody-may-see-this\"}}")
    });
    let mut command = world.program.command(&["search", "noise", "--search", "brave", "-vvv"]);
    command.env("BRAVE_API_KEY", key);
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr).into_owned()
        + &String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("check BRAVE_API_KEY"), "{said}");
    assert!(!said.contains(key), "{said}");
    assert_eq!(world.api.requests()[0].header("x-subscription-token"), Some(key));
    let mut show = world.program.command(&["config", "show"]);
    show.env("BRAVE_API_KEY", key);
    let shown = String::from_utf8(show.output().unwrap().stdout).unwrap();
    assert!(shown.contains("[search.brave]") && !shown.contains(key));
}

#[test]
fn a_list_of_addresses_is_a_provider() {
    let world = World::new(keyless);
    let list = world.program.home.path().join("list.txt");
    std::fs::write(&list, "# mine\nhttps://a.example/one  The first\nnot an address\nhttps://code.portellery.example.org/chapter-14\n").unwrap();
    let list = list.to_str().unwrap();
    let found = world.json(&["search", "noise", "--urls", list]);
    let urls: Vec<_> =
        found["hits"].as_array().unwrap().iter().map(|hit| hit["url"].as_str().unwrap()).collect();
    assert_eq!(urls, ["https://a.example/one", "https://code.portellery.example.org/chapter-14"]);
    assert_eq!(
        found["problems"][0]["detail"],
        "line 3: not an absolute URL (did you mean https://…?)"
    );
    assert!(world.api.requests().is_empty(), "nobody else was asked");

    let found = world.json(&["search", "noise", "--search", "searxng", "--urls", list]);
    assert_eq!(
        found["hits"][0]["providers"],
        serde_json::json!(["searxng", "urls"]),
        "agreement ranks first"
    );
    let ran = world
        .program
        .run_with(&["search", "noise", "--urls", "-", "--json"], b"https://b.example/\n");
    assert_eq!(ran.json()["hits"][0]["url"], "https://b.example/");
    world.program.run(&["search", "noise", "--urls", "no-such-list"]).fails(2, "no-such-list");
}

#[test]
fn what_a_run_would_block_is_said_with_the_reason() {
    let world = World::new(keyless);
    let args = ["search", "zebra crossings on the moon", "--search", "searxng"];
    let found = world.json(&args);
    let hits = found["hits"].as_array().unwrap();
    let blocked = hits.iter().filter(|hit| hit["blocked"] == true).count();
    assert!(blocked > 0 && found["blocked"] == blocked, "{found}");
    assert!(hits.iter().all(|hit| hit["explanation"].as_str().unwrap().contains("authority")));
    let output = world.program.run(&args).ok();
    assert!(output.contains("would be blocked: 0.4 × "), "{output}");
    assert!(output.contains(&format!("A run would not download {blocked} of ")), "{output}");
    assert!(hits.len() - blocked < 3 && output.contains("--relevance soft counts"), "{output}");
}

#[test]
fn hostile_titles_reach_the_terminal_as_text() {
    let world = World::new(|_| Answer::json(fixture("searxng/hostile.json")));
    let text = world.program.run(&["search", "noise", "--search", "searxng"]).ok();
    assert!(text.contains("Tide & time"));
    assert!(!text.contains(['\u{1b}', '\u{202e}', '\u{0}']));
}

#[test]
fn the_stored_library_is_a_provider() {
    let program = Program::new();
    let library = tree().join("examples/library/town");
    program.run(&["library", "add", library.to_str().unwrap()]).ok();
    let found = program.run(&["search", "noise ordinance", "--search", "library", "--json"]).json();
    let hits = found["hits"].as_array().unwrap();
    assert!(hits.iter().all(|hit| hit["providers"][0] == "library"), "{found}");
    let code = "https://code.portellery.example.org/9";
    assert!(hits.iter().any(|hit| hit["url"] == code), "{found}");
    let merged = program.run(&["search", "noise", "--search", "library,urls", "--json"]);
    assert_ne!(merged.code(), 101, "{}", merged.stderr());
}

#[test]
fn filters_are_told_to_providers_and_hold_afterwards() {
    let world = World::new(keyless);
    let args = ["search", "noise", "--search", "searxng", "--site", "nowhere.example"];
    let found = world.json(&args);
    assert_eq!(found["hits"].as_array().unwrap().len(), 0, "{found}");
    assert!(found["problems"][0]["detail"].as_str().unwrap().ends_with("of other sites left out"));
    let asked = world.api.requests();
    assert_eq!(asked[0].parameter("q"), Some("noise site:nowhere.example"));
    for wrong in [
        ["--site", "not a host"],
        ["--since", "yesterday"],
        ["--lang", "english"],
        ["--type", "picture"],
    ] {
        let ran = world.program.run(&[&["search", "noise"][..], &wrong].concat());
        assert_eq!(ran.code(), 2, "{wrong:?}");
    }
    let turned = ["search", "noise", "--since", "2026-02-01", "--until", "2026-01-01"];
    world.program.run(&turned).fails(2, "end (2026-01-01) before they begin");
}

#[test]
fn the_library_is_searched_beside_the_web_once_it_holds_something() {
    let world = World::new(keyless);
    let providers = || {
        let found = world.json(&["search", "noise", "--search", "auto"]);
        found["hits"].to_string().contains("\"library\"")
    };
    assert!(!providers());
    let note = world.program.home.path().join("note.md");
    std::fs::write(&note, "# Noise\n\nThe noise of the quay ends at ten.\n").unwrap();
    world.program.run(&["library", "add", note.to_str().unwrap()]).ok();
    assert!(providers());
}
