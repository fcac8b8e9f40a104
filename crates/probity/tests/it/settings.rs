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
fn a_mistake_is_told_with_its_place_and_the_nearest_name() {
    let program = Program::new();
    std::fs::write(program.config(), "[credibility]\n  treshold = 0.4\n").unwrap();
    let ran = program.run(&["config", "check"]);
    ran.fails(2, "config.toml:2:3: unknown field `treshold`; did you mean `threshold`?");
    std::fs::write(program.config(), "[ledger]\nalpha = \n").unwrap();
    program.run(&["config", "check"]).fails(2, "config.toml:2:");
}

#[test]
fn one_number_of_a_mode_can_be_changed_alone() {
    let program = Program::new();
    let text =
        "[research.modes.standard]\nfull_report_from = 3\n[research.modes.quick]\nwords = 99";
    std::fs::write(program.config(), text).unwrap();
    let modes = program.run(&["config", "show", "--json"]).json()["research"]["modes"].clone();
    let usual =
        Program::new().run(&["config", "show", "--json"]).json()["research"]["modes"].clone();
    let mut expected = usual;
    expected["standard"]["full_report_from"] = 3.into();
    expected["quick"]["words"] = 99.into();
    assert_eq!(modes, expected);
    std::fs::write(program.config(), "[research.modes.deep]\nfull_report_form = 3").unwrap();
    program.run(&["config", "check"]).fails(2, "did you mean `full_report_from`?");
}

#[test]
fn a_number_of_a_mode_has_one_of_its_names() {
    let program = Program::new();
    let text = "[research.modes.standard]\nmax_sources = 14\nfull_report_threshold = 3";
    std::fs::write(program.config(), text).unwrap();
    let modes = program.run(&["config", "show", "--json"]).json()["research"]["modes"].clone();
    let standard = &modes["standard"];
    assert_eq!([&standard["round1_sources"], &standard["full_report_from"]], [8, 3]);
    std::fs::write(program.config(), format!("{text}\nfull_report_from = 3")).unwrap();
    program.run(&["config", "check"]).fails(2, "`full_report_from` and `full_report_threshold`");
}

#[test]
fn a_named_file_that_is_missing_is_an_error() {
    let program = Program::new();
    program
        .run(&["--config", "no-such-file.toml", "config", "check"])
        .fails(2, "no-such-file.toml");
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
