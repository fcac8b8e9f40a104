//! Every command in the documentation is run, and everything that can be set is documented.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::program::{Program, tree};

/// The pages a user reads.
fn pages() -> Vec<(PathBuf, String)> {
    let mut names = vec![PathBuf::from("README.md"), PathBuf::from("CONTRIBUTING.md")];
    for entry in fs::read_dir(tree().join("docs")).unwrap().flatten() {
        names.push(PathBuf::from("docs").join(entry.file_name()));
    }
    names.sort();
    let pages = names.into_iter().filter(|name| name.extension().is_some_and(|e| e == "md"));
    pages.map(|name| (name.clone(), fs::read_to_string(tree().join(name)).unwrap())).collect()
}

/// The commands of a page: lines behind `$ ` in blocks fenced as `console`, with the exit code
/// that a comment `# exit N` at their end announces.
fn commands(page: &str) -> Vec<(String, i32)> {
    let mut found = Vec::new();
    let mut inside = false;
    let mut unfinished: Option<String> = None;
    for line in page.lines() {
        if line.starts_with("```") {
            inside = line.trim() == "```console";
            continue;
        }
        if !inside {
            continue;
        }
        let text = match (unfinished.take(), line.strip_prefix("$ ")) {
            (Some(start), _) => start + line.trim_start(),
            (None, Some(text)) => text.to_owned(),
            (None, None) => continue,
        };
        if let Some(start) = text.strip_suffix('\\') {
            unfinished = Some(start.to_owned());
            continue;
        }
        let (command, code) = match text.rsplit_once("# exit ") {
            Some((command, code)) => (command.trim().to_owned(), code.trim().parse().unwrap()),
            None => (text, 0),
        };
        found.push((command, code));
    }
    found
}

/// Commands that build, install or test: the test run itself is what proves them.
fn is_proved_elsewhere(command: &str) -> bool {
    ["scripts/test", "cargo install", "cargo bench", "cargo build", "cargo test", "just", "git "]
        .iter()
        .any(|start| command.starts_with(start))
}

#[test]
fn every_documented_command_does_what_the_page_says() {
    let program_folder = PathBuf::from(env!("CARGO_BIN_EXE_probity"));
    let program_folder = program_folder.parent().unwrap().to_owned();
    let mut ran = 0;
    for (page, text) in pages() {
        // One page is one story: later commands may use what earlier ones made.
        let home = Program::new();
        let folder = home.home.path().join("here");
        fs::create_dir(&folder).unwrap();
        std::os::unix::fs::symlink(tree().join("examples"), folder.join("examples")).unwrap();
        for (command, code) in commands(&text) {
            if is_proved_elsewhere(&command) {
                continue;
            }
            let line = command.replace("cargo run --release -- ", "probity ");
            let mut shell = Command::new("sh");
            home.enclose(&mut shell);
            let path = std::env::var("PATH").unwrap_or_default();
            shell
                .args(["-c", &line])
                .env("PATH", format!("{}:{path}", program_folder.display()))
                .current_dir(&folder);
            let output = shell.output().unwrap();
            assert_eq!(
                output.status.code(),
                Some(code),
                "{}: `{command}` ended otherwise:\n{}{}",
                page.display(),
                String::from_utf8_lossy(&output.stdout),
                String::from_utf8_lossy(&output.stderr)
            );
            ran += 1;
        }
    }
    assert!(ran >= 5, "only {ran} documented commands were found");
}

#[test]
fn every_environment_variable_is_documented() {
    let page = fs::read_to_string(tree().join("docs/configuration.md")).unwrap();
    let variables = Program::new().run(&["config", "env", "--json"]).json();
    for variable in variables.as_array().unwrap() {
        let name = variable["name"].as_str().unwrap();
        assert!(
            page.contains(&format!("`{name}`")),
            "docs/configuration.md does not mention {name}"
        );
    }
}

#[test]
fn every_setting_is_documented() {
    let page = fs::read_to_string(tree().join("docs/configuration.md")).unwrap();
    let settings = Program::new().run(&["config", "show", "--json"]).json();
    for (section, value) in settings.as_object().unwrap() {
        assert!(
            page.contains(&format!("`[{section}]`")),
            "docs/configuration.md lacks [{section}]"
        );
        for key in value.as_object().unwrap().keys() {
            let mentioned = page.contains(&format!("`{key}`"))
                || page.contains(&format!("`[{section}.{key}]`"));
            assert!(mentioned, "docs/configuration.md lacks {key} of [{section}]");
        }
    }
}

#[test]
fn every_command_is_in_the_command_reference() {
    let page = fs::read_to_string(tree().join("docs/commands.md")).unwrap();
    let help = Program::new().run(&["--help"]).ok();
    let listed = help.split("Commands:").nth(1).unwrap().split("Options:").next().unwrap();
    for line in listed.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   ")) {
        let name = line.split_whitespace().next().unwrap();
        assert!(
            name == "help" || page.contains(&format!("probity {name}")),
            "docs/commands.md lacks {name}"
        );
    }
}

#[test]
fn links_between_pages_lead_somewhere() {
    for (page, text) in pages() {
        let folder = tree().join(&page);
        let folder = folder.parent().unwrap();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let target = link.split('#').next().unwrap();
            if target.is_empty() || target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            assert!(folder.join(target).exists(), "{} links to {target}", page.display());
        }
    }
}
