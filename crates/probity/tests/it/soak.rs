//! Two minutes of what `scripts/soak` does for an hour: nothing grows, nothing is lost.
#![cfg(target_os = "linux")]

use std::process::Command;

use crate::program::tree;

/// How long, where `PROBITY_SOAK` says nothing else, in seconds.
const USUAL: &str = "120";

#[test]
fn nothing_grows_under_load_and_faults() {
    if !Command::new("python3").arg("--version").output().is_ok_and(|ran| ran.status.success()) {
        eprintln!("skipped: there is no Python");
        return;
    }
    let seconds = std::env::var("PROBITY_SOAK").unwrap_or_else(|_| USUAL.to_owned());
    let script = tree().join("scripts/soak");
    let ran = Command::new("python3")
        .arg(script)
        .args([seconds.as_str(), env!("CARGO_BIN_EXE_probity")])
        .current_dir(tree())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&ran.stdout);
    println!("{said}");
    assert!(ran.status.success(), "{said}{}", String::from_utf8_lossy(&ran.stderr));
}
