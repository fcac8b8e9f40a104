//! Every command in the documentation is run, and everything that can be set is documented.

use std::collections::BTreeMap;
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

/// The commands that a page names without running them: in code spans and in other blocks.
fn named_commands(page: &str) -> Vec<&str> {
    let spans = page.split('`').skip(1).step_by(2).flat_map(str::lines);
    let indented = page.lines().filter(|line| line.starts_with("    "));
    spans.chain(indented).filter_map(|line| line.trim().strip_prefix("probity ")).collect()
}

#[test]
fn every_command_and_option_that_a_page_names_exists() {
    let program = Program::new();
    let mut known: BTreeMap<Vec<&str>, String> = BTreeMap::new();
    let texts = pages();
    let mut options = 0;
    for (page, text) in &texts {
        // The lines that a hash of the ledger is made of begin with the same word.
        for command in named_commands(text).into_iter().filter(|it| !it.starts_with("ledger ")) {
            let mut path: Vec<&str> = Vec::new();
            let mut words = command.split_whitespace().peekable();
            loop {
                let help = known
                    .entry(path.clone())
                    .or_insert_with(|| program.run(&[path.as_slice(), &["--help"]].concat()).ok());
                let listed = help.split("\nCommands:\n").nth(1).unwrap_or_default();
                let listed = listed.split("\n\n").next().unwrap_or_default();
                let Some(word) = words
                    .next_if(|word| !listed.is_empty() && word.starts_with(char::is_lowercase))
                else {
                    break;
                };
                let exists =
                    listed.lines().any(|line| line.split_whitespace().next() == Some(word));
                assert!(exists, "{}: `probity {command}`: no {word}", page.display());
                path.push(word);
            }
            let help = &known[&path];
            for word in words.map(|word| word.trim_matches(['[', ']', '…', ',', '.'])) {
                if word.starts_with("--") && word.len() > 2 {
                    let exists = help.contains(word.split('=').next().unwrap());
                    assert!(exists, "{}: `probity {command}`: no {word}", page.display());
                    options += 1;
                }
            }
        }
    }
    assert!(options >= 20, "only {options} options were found");
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

/// The reference holds the program's own help. `UPDATE_DOCS=1` writes it there anew.
#[test]
fn the_help_in_the_command_reference_is_the_programs() {
    let path = tree().join("docs/commands.md");
    let page = fs::read_to_string(&path).unwrap();
    let mut fresh = String::new();
    for section in page.split_inclusive("\n```\n") {
        let Some((before, after)) = section.split_once("\n```text\n") else {
            fresh.push_str(section);
            continue;
        };
        let command = before.rsplit("## probity ").next().unwrap().lines().next().unwrap();
        let help = Program::new().run(&[command, "-h"]).ok();
        // The page says once what every command takes.
        let help = help.split("\nGlobal options:").next().unwrap();
        let help: Vec<&str> = help.trim_end().lines().map(str::trim_end).collect();
        assert!(after.ends_with("\n```\n"));
        fresh.push_str(&format!("{before}\n```text\n{}\n```\n", help.join("\n")));
    }
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, &fresh).unwrap();
    } else {
        assert!(page == fresh, "docs/commands.md is not up to date; UPDATE_DOCS=1 renews it");
    }
}

/// The README shows the beginning of the report that its first command writes. `UPDATE_DOCS=1`
/// writes it there anew.
#[test]
fn the_report_in_the_readme_is_the_programs() {
    let path = tree().join("README.md");
    let page = fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once("```text\n# ").unwrap();
    let (shown, after) = rest.split_once("\n…\n```\n").unwrap();
    let command = page.lines().find(|line| line.starts_with("$ cargo run")).unwrap();
    let question = command.split('"').nth(1).unwrap();
    let library = tree().join("examples/library");
    let args =
        ["research", "--quiet", "--no-save", "--library", library.to_str().unwrap(), question];
    let report = Program::new().run(&args).ok();
    let report = report.split_once("\n# ").unwrap().1;
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        let found = report.split("\n## Conflicting").next().unwrap();
        let topics: Vec<&str> = found.split("\n### ").take(3).collect();
        let topics = topics.join("\n### ");
        let beginning: Vec<String> =
            topics.trim_end().lines().map(|line| wrap(line, 104)).collect();
        let fresh = format!("{before}```text\n# {}\n…\n```\n{after}", beginning.join("\n"));
        fs::write(&path, fresh).unwrap();
    } else {
        assert!(
            words(report).starts_with(&words(shown)),
            "README.md shows another report; UPDATE_DOCS=1 renews it"
        );
    }
}

/// A line broken into several where it is longer than a number of characters.
fn wrap(line: &str, width: usize) -> String {
    let mut lines = vec![String::new()];
    for word in line.split(' ') {
        let last = lines.last_mut().unwrap();
        if last.is_empty() {
            last.push_str(word);
        } else if last.chars().count() + word.chars().count() < width {
            last.push(' ');
            last.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines.join("\n")
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

#[test]
fn the_scores_of_the_gate_mean_what_the_documentation_says() {
    let page = fs::read_to_string(tree().join("docs/relevance.md")).unwrap();
    for (score, meaning) in probity_core::Relevance::MEANINGS {
        assert!(page.contains(&format!("| {score} | {meaning} |")), "{score}");
    }
}
