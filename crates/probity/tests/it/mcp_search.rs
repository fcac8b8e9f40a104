//! Search tools of other MCP servers: asked, slow, dying, lying, too large.

use serde_json::Value;

use crate::program::{Program, tree};
use crate::serve::{Server, with_library};

/// A program that knows the fake server in one manner, as the provider `other`.
fn with_manner(manner: &[&str], more: &str) -> Program {
    let program = Program::new();
    let script = tree().join("crates/probity/tests/mcp/search_server.py");
    let args: Vec<String> = std::iter::once(script.to_str().unwrap())
        .chain(manner.iter().copied())
        .map(|arg| format!("{arg:?}"))
        .collect();
    let settings = format!(
        "[[search.mcp]]\nname = \"other\"\ncommand = \"python3\"\nargs = [{}]\ntool = \"find\"\n{more}",
        args.join(", ")
    );
    std::fs::write(program.config(), settings).unwrap();
    program
}

fn search(program: &Program) -> Value {
    let mut command =
        program.command(&["search", "--search", "other", "--json", "harbour", "dues"]);
    command.env("SEARCH_SECRET", "s3cret").env("OTHER", "not for others");
    let output = command.output().unwrap();
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(&output.stderr)))
}

fn problem(found: &Value) -> String {
    assert_eq!(found["hits"].as_array().unwrap().len(), 0, "{found}");
    found["problems"].to_string()
}

#[test]
fn a_search_tool_is_asked_by_its_own_words_and_sees_only_what_it_may() {
    let program =
        with_manner(&["good"], "query = \"q\"\nlimit = \"n\"\nenv = [\"SEARCH_SECRET\"]\n");
    let found = search(&program);
    let hit = &found["hits"][0];
    assert_eq!(hit["url"], "https://www.reuters.com/harbour", "{found}");
    assert_eq!((&hit["title"], &hit["published"]), (&"Harbour dues".into(), &"2026-03-01".into()));
    assert_eq!(hit["providers"][0], "other");
    let heard: Value = serde_json::from_str(hit["snippet"].as_str().unwrap()).unwrap();
    assert_eq!(heard["heard"]["q"], "harbour dues");
    assert_eq!(heard["heard"]["n"], 10);
    assert_eq!((&heard["secret"], &heard["other"]), (&"s3cret".into(), &Value::Null));
}

#[test]
fn a_server_that_ends_is_started_again_but_not_for_ever() {
    let folder = tempfile::tempdir().unwrap();
    let marker = folder.path().join("died");
    let once = with_manner(&["dies-once", marker.to_str().unwrap()], "");
    assert_eq!(search(&once)["hits"].as_array().unwrap().len(), 1);
    assert!(marker.exists());
    assert!(problem(&search(&with_manner(&["dies"], ""))).contains("its server ended"));
    let none = Program::new();
    let settings =
        "[[search.mcp]]\nname = \"other\"\ncommand = \"no-such-program\"\ntool = \"x\"\n";
    std::fs::write(none.config(), settings).unwrap();
    assert!(problem(&search(&none)).contains("cannot start `no-such-program`"));
}

#[test]
fn what_is_slow_too_large_or_no_answer_is_a_problem_and_nothing_more() {
    for manner in ["slow", "broken"] {
        let found = search(&with_manner(&[manner], "timeout = 2.0\n"));
        assert!(problem(&found).contains("no answer within 2 s"), "{manner}: {found}");
    }
    let huge = search(&with_manner(&["huge"], ""));
    assert!(problem(&huge).contains("larger than 4194304 bytes"), "{huge}");
    let prose = search(&with_manner(&["prose"], ""));
    assert!(problem(&prose).contains("not JSON"), "{prose}");
}

#[test]
fn what_a_server_says_is_read_like_any_other_untrusted_text() {
    let found = search(&with_manner(&["hostile"], ""));
    let hits = found["hits"].as_array().unwrap();
    assert!(hits.len() <= 10, "{} hits", hits.len());
    for hit in hits {
        assert!(hit["url"].as_str().unwrap().starts_with("https://a.example/"), "{hit}");
        assert!(!hit["title"].as_str().unwrap().contains('\u{1b}'), "{hit}");
    }
    assert!(found["problems"].to_string().contains("left out"), "{found}");
}

#[test]
fn a_server_at_an_address_is_asked_too() {
    let library = with_library();
    let server = Server::start(&library, &[]);
    let program = Program::new();
    let settings = format!(
        "[[search.mcp]]\nname = \"other\"\nurl = \"{}/mcp\"\ntool = \"search_library\"\n\
         limit = \"limit\"\n[search.mcp.fields]\nresults = \"documents\"\n",
        server.url
    );
    std::fs::write(program.config(), &settings).unwrap();
    let output = program.run(&["search", "--search", "other", "--json", "noise", "at", "night"]);
    let found: Value = serde_json::from_str(&output.stdout()).unwrap();
    assert!(!found["hits"].as_array().unwrap().is_empty(), "{found}");
    std::fs::write(program.config(), settings.replace("search_library", "no_tool")).unwrap();
    let output = program.run(&["search", "--search", "other", "--json", "noise"]);
    let found: Value = serde_json::from_str(&output.stdout()).unwrap();
    assert!(problem(&found).contains("there is no tool"), "{found}");
}

#[test]
fn only_the_configuration_names_servers() {
    let program = with_manner(&["good"], "");
    program.run(&["search", "--search", "another", "x"]).fails(2, "there is no search provider");
    std::fs::write(
        program.config(),
        "[[search.mcp]]\nname = \"brave\"\ncommand = \"x\"\ntool = \"y\"\n",
    )
    .unwrap();
    program.run(&["search", "x"]).fails(2, "another provider");
}
