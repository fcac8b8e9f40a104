//! The tree keeps the promises of ARCHITECTURE.md and CONTRIBUTING.md.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::program::tree;

/// A longer source file has more than one subject.
const MAX_LINES: usize = 800;
/// Dependencies point from a crate to one further down, never up or across within a line.
const LAYERS: &[&[&str]] = &[
    &["probity"],
    &["probity-server"],
    &["probity-research", "probity-news"],
    &["probity-web", "probity-model", "probity-store"],
    &["probity-report", "probity-credibility"],
    &["probity-reader"],
    &["probity-text"],
    &["probity-core"],
];
/// Crates that each outside effect is kept in.
const KEEPERS: &[(&str, &[&str])] = &[
    ("sqlx", &["probity-store", "probity-testkit"]),
    ("reqwest", &["probity-web", "probity-model"]),
    ("genai", &["probity-model"]),
    ("clap", &["probity"]),
    ("anyhow", &["probity"]),
];
/// Names that say nothing about what a file is for.
const EMPTY_NAMES: &[&str] = &["utils", "util", "common", "helpers", "helper", "manager", "misc"];
/// Where an address may be fetched because the user named it, rather than by its score.
const USER_CHOICE: &[&str] = &[
    "crates/probity/src/command/",
    "crates/probity-credibility/src/permit.rs",
    "crates/probity-news/",
    // Only for addresses whose origin is `Named`.
    "crates/probity-research/src/stage/fetch.rs",
];

/// Every file that belongs to the project, tracked or about to be.
fn files() -> Vec<PathBuf> {
    let listed = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(tree())
        .output();
    let names: Vec<PathBuf> = match listed {
        Ok(output) if output.status.success() => {
            String::from_utf8(output.stdout).unwrap().lines().map(PathBuf::from).collect()
        }
        // A source archive has no history; walk it instead.
        _ => walk(&tree(), Path::new("")),
    };
    names.into_iter().filter(|name| tree().join(name).is_file()).collect()
}

fn walk(root: &Path, below: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(root.join(below)).unwrap().flatten() {
        let name = below.join(entry.file_name());
        if entry.file_name() == "target" || entry.file_name() == ".git" {
            continue;
        }
        match entry.file_type().unwrap().is_dir() {
            true => found.extend(walk(root, &name)),
            false => found.push(name),
        }
    }
    found
}

fn rust_files() -> Vec<(PathBuf, String)> {
    files()
        .into_iter()
        .filter(|name| name.extension().is_some_and(|e| e == "rs"))
        .map(|name| (name.clone(), fs::read_to_string(tree().join(name)).unwrap()))
        .collect()
}

/// The workspace crates and, for each, the names of all its dependencies.
fn manifests() -> BTreeMap<String, toml::Table> {
    fs::read_dir(tree().join("crates"))
        .unwrap()
        .flatten()
        .map(|entry| {
            let text = fs::read_to_string(entry.path().join("Cargo.toml")).unwrap();
            (entry.file_name().into_string().unwrap(), text.parse().unwrap())
        })
        .collect()
}

fn dependencies(manifest: &toml::Table) -> Vec<String> {
    let table = manifest.get("dependencies").and_then(|d| d.as_table());
    table.map(|table| table.keys().cloned().collect()).unwrap_or_default()
}

fn layer(name: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&name))
}

#[test]
fn dependencies_point_downward() {
    for (name, manifest) in manifests() {
        if name == "probity-testkit" {
            continue;
        }
        let above = layer(&name).unwrap_or_else(|| panic!("{name} is in no layer"));
        for dependency in dependencies(&manifest).iter().filter(|d| d.starts_with("probity-")) {
            let below =
                layer(dependency).unwrap_or_else(|| panic!("{name} depends on {dependency}"));
            assert!(below > above, "{name} must not depend on {dependency}");
        }
    }
}

#[test]
fn each_outside_effect_stays_in_its_crate() {
    for (name, manifest) in manifests() {
        for dependency in dependencies(&manifest) {
            if let Some((_, keepers)) = KEEPERS.iter().find(|(keeper, _)| *keeper == dependency) {
                assert!(keepers.contains(&name.as_str()), "{name} must not depend on {dependency}");
            }
        }
    }
}

#[test]
fn every_crate_takes_the_workspace_lints() {
    for (name, manifest) in manifests() {
        let inherits =
            manifest.get("lints").and_then(|l| l.get("workspace")).and_then(|w| w.as_bool());
        assert_eq!(inherits, Some(true), "{name} has no [lints] workspace = true");
    }
    let root: toml::Table = fs::read_to_string(tree().join("Cargo.toml")).unwrap().parse().unwrap();
    let lints = root["workspace"]["lints"]["clippy"].as_table().unwrap();
    for lint in ["unwrap_used", "expect_used", "panic", "indexing_slicing", "string_slice"] {
        assert!(lints.contains_key(lint), "the workspace no longer warns of {lint}");
    }
}

#[test]
fn crates_do_not_switch_the_lints_off() {
    for (name, text) in rust_files() {
        let is_test =
            name.components().any(|c| matches!(c.as_os_str().to_str(), Some("tests" | "benches")));
        let in_testkit = name.starts_with("crates/probity-testkit");
        if is_test || in_testkit {
            continue;
        }
        let head = text.split("#[cfg(test)]").next().unwrap();
        for lint in
            ["unwrap_used", "expect_used", "clippy::panic", "indexing_slicing", "string_slice"]
        {
            let off = head
                .lines()
                .any(|line| line.trim_start().starts_with("#![allow") && line.contains(lint));
            assert!(!off, "{} switches {lint} off for a whole file", name.display());
        }
    }
}

#[test]
fn files_are_small_and_named_for_what_they_do() {
    for (name, text) in rust_files() {
        let lines = text.lines().count();
        assert!(lines <= MAX_LINES, "{} has {lines} lines", name.display());
        let stem = name.file_stem().unwrap().to_str().unwrap();
        assert!(!EMPTY_NAMES.contains(&stem), "{} is named for nothing", name.display());
    }
}

#[test]
fn every_module_says_what_it_is() {
    for (name, text) in rust_files() {
        if name.components().any(|part| part.as_os_str() == "src") {
            assert!(text.starts_with("//!"), "{} does not open with a sentence", name.display());
        }
    }
}

#[test]
fn only_the_user_bypasses_the_score() {
    for (name, text) in rust_files() {
        let product = text.split("#[cfg(test)]").next().unwrap();
        let path = name.to_str().unwrap();
        let is_test =
            path.contains("/tests/") || path.contains("/benches/") || path.contains("testkit");
        let gives = ["Permit::by_user", "Permit::by_subscription"];
        if gives.iter().any(|leave| product.contains(leave)) && !is_test {
            let allowed = USER_CHOICE.iter().any(|place| path.starts_with(place));
            assert!(allowed, "{path} permits a fetch that no score and no user allowed");
        }
    }
}

#[test]
fn no_file_names_a_place_on_somebodys_machine() {
    let homes = [["/wo", "rk/"].concat(), ["/ro", "ot/"].concat()];
    for name in files() {
        let Ok(text) = fs::read_to_string(tree().join(&name)) else { continue };
        for home in &homes {
            let found = text.match_indices(home.as_str()).any(|(at, _)| {
                let before = text[..at].chars().next_back();
                !before.is_some_and(|c| c.is_alphanumeric() || "_.-/}".contains(c))
            });
            assert!(!found, "{} holds {home}", name.display());
        }
    }
}

#[test]
fn architecture_names_only_what_exists() {
    let text = fs::read_to_string(tree().join("ARCHITECTURE.md")).unwrap();
    let mut seen = 0;
    for span in text.split('`').skip(1).step_by(2) {
        let is_path = span.contains('/')
            && !span.contains([' ', '*', '<', '{', ':', '(', '\n'])
            && !span.starts_with('/')
            && !span.starts_with("http");
        if is_path {
            assert!(tree().join(span).exists(), "ARCHITECTURE.md names {span}, which is not there");
            seen += 1;
        }
    }
    assert!(seen >= 20, "ARCHITECTURE.md maps only {seen} places");
    for name in manifests().keys() {
        assert!(text.contains(&format!("`crates/{name}`")), "ARCHITECTURE.md does not map {name}");
    }
}
