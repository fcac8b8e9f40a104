//! The configuration: layered, checked as a whole, never showing a secret.

use crate::program::Program;

#[test]
fn defaults_are_the_constants_of_the_specification() {
    let settings = Program::new().run(&["config", "show", "--json"]).json();
    let credibility = &settings["credibility"];
    assert_eq!(credibility["threshold"], 0.5);
    assert_eq!(credibility["weights"]["relevance"], 0.5);
    assert_eq!(credibility["tiers"]["academic"], 0.9);
    assert_eq!(settings["ledger"]["alpha"], 0.1);
}

#[test]
fn what_is_wrong_with_a_file_is_named_and_nothing_runs() {
    for (text, says) in [
        ("threshold = 1", "threshold"),
        ("[credibility]\nthreshold = 7", "between 0 and 1"),
        ("[credibility.weights]\nrelevance = 0.9", "add up to"),
        ("[credibility.tiers]\nmajor_domains = [\"not a domain\"]", "not a domain"),
        ("[ledger]\nalpha = -1", "alpha"),
        ("[credibility\n", "config.toml"),
        ("[credibility]\nauthority = \"popularity\"", "popularity"),
    ] {
        let program = Program::new();
        std::fs::write(program.config(), text).unwrap();
        program.run(&["config", "check"]).fails(2, says);
        program.run(&["score", "https://a.example/", "-q", "noise limits"]).fails(2, says);
    }
}

#[test]
fn a_named_file_that_is_missing_is_an_error() {
    let program = Program::new();
    program
        .run(&["--config", "no-such-file.toml", "config", "check"])
        .fails(1, "no-such-file.toml");
}

#[test]
fn tiers_can_be_used_instead_of_the_ledger() {
    let program = Program::new();
    std::fs::write(program.config(), "[credibility]\nauthority = \"tiers\"").unwrap();
    let scored =
        program.run(&["score", "https://www.reuters.com/", "-q", "noise limits", "--json"]).json();
    assert_eq!(scored["authority"], 0.8);
    assert_eq!(scored["authority_source"], "tier");
}

#[test]
fn a_password_in_the_store_address_is_never_shown() {
    let program = Program::new();
    std::fs::write(program.config(), "[store]\nurl = \"postgres://me:hunter2@127.0.0.1/x\"")
        .unwrap();
    for args in [&["config", "show"][..], &["config", "show", "--json"], &["config", "path"]] {
        let ran = program.run(args);
        assert!(!(ran.ok() + &ran.stderr()).contains("hunter2"));
    }
}

#[test]
fn completions_and_manual_page_are_written() {
    let program = Program::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(program.run(&["completions", shell]).ok().contains("probity"));
    }
    assert!(program.run(&["man"]).ok().contains(".TH probity"));
    assert!(program.run(&["--version"]).ok().starts_with("probity "));
}
