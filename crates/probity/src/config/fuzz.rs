//! Configuration files that no person would write: each is read or explained, and nothing panics.

use std::path::Path;

use super::Settings;
use super::mistake::mistake;

/// Reads a configuration file, or says what is wrong with it.
pub(crate) fn configuration(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match toml::from_str::<Settings>(&text) {
        Ok(settings) => drop(settings.check()),
        Err(error) => assert!(!mistake(Path::new("config.toml"), &text, &error).is_empty()),
    }
}

#[cfg(test)]
#[test]
fn configuration_files() {
    let all = toml::to_string(&Settings::default()).unwrap();
    let some = "[model]\ndefault = \"openai:good\"\n[model.tasks]\nplan = \"anthropic:x\"\n[fetch]\nallow_hosts = [\"a.example:80\"]\n\
                [ledger]\nalpha = 0.1\n[[alerts.channels]]\nkind = \"ntfy\"\n";
    let seeds = [all.into_bytes(), some.as_bytes().to_vec()];
    let words = [
        "[",
        "]",
        "[[",
        "=",
        "\"\"\"",
        "'''",
        "\n",
        "#",
        "nan",
        "inf",
        "true",
        "1979-05-27",
        "\u{feff}",
        "\\u0000",
    ];
    probity_testkit::mutate::drive("configuration", &seeds, &words, configuration);
}
