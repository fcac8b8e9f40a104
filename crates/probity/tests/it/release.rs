//! `scripts/release`: everything in one folder, and the same bytes from another.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use crate::program::tree;

fn present(tool: &str) -> bool {
    Command::new("sh")
        .args(["-c", &format!("command -v {tool}")])
        .output()
        .unwrap()
        .status
        .success()
}

/// Packs a stand-in for the program, because the real one takes minutes to compress.
fn pack(folder: &Path) {
    let program = folder.join("probity");
    let script = format!("#!/bin/sh\nexec '{}' \"$@\"\n", env!("CARGO_BIN_EXE_probity"));
    fs::write(&program, script).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let ran = Command::new(tree().join("scripts/release"))
        .args(["--program", program.to_str().unwrap(), folder.join("out").to_str().unwrap()])
        .env("SOURCE_DATE_EPOCH", "1700000000")
        .output()
        .unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
}

fn listed(command: &mut Command) -> String {
    let ran = command.output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8(ran.stdout).unwrap()
}

#[test]
fn a_release_is_whole_and_the_same_from_any_folder() {
    if !(present("python3") && present("cargo")) {
        eprintln!("python3 or cargo is not here; skipped");
        return;
    }
    let (one, another) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    pack(one.path());
    pack(another.path());
    let mut names: Vec<String> = fs::read_dir(one.path().join("out"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    for name in &names {
        let read = |folder: &Path| fs::read(folder.join("out").join(name)).unwrap();
        assert!(read(one.path()) == read(another.path()), "{name} differs");
    }
    let out = one.path().join("out");
    let tarball = names.iter().find(|name| name.ends_with(".tar.gz")).unwrap();
    let inside = listed(Command::new("tar").arg("-tzf").arg(out.join(tarball)));
    for part in [
        "/probity\n",
        "completions/probity.fish",
        "man/probity-research.1",
        "NOTICES.txt",
        "sbom.cdx.json",
    ] {
        assert!(inside.contains(part), "no {part}: {inside}");
    }
    let sums = listed(Command::new("sha256sum").args(["-c", "SHA256SUMS"]).current_dir(&out));
    assert_eq!(sums.matches(": OK").count(), names.len() - 1, "{sums}");
    if let Some(deb) = names.iter().find(|name| name.ends_with(".deb")) {
        let inside = listed(Command::new("dpkg-deb").arg("-c").arg(out.join(deb)));
        for part in
            ["./usr/bin/probity", "man1/probity.1.gz", "doc/probity/copyright", "probity.service"]
        {
            assert!(inside.contains(part), "no {part}: {inside}");
        }
        let package_info = listed(Command::new("dpkg-deb").arg("-I").arg(out.join(deb)));
        assert!(package_info.contains("Package: probity"), "{package_info}");
    }
    let sbom = fs::read_to_string(out.join(tarball.replace(".tar.gz", ".cdx.json"))).unwrap();
    let sbom: serde_json::Value = serde_json::from_str(&sbom).unwrap();
    let components = sbom["components"].as_array().unwrap();
    let named = |name: &str| components.iter().find(|part| part["name"] == name);
    assert!(named("sqlx").is_some_and(|part| part["hashes"][0]["content"].is_string()));
    assert!(named("proptest").is_none(), "tools of the tests are not part of the program");
}
