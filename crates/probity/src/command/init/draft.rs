//! The configuration file as people read it: what was chosen, and beside it what could be.

use std::fmt::Write as _;

use probity_web::search::Selection;

use super::plan::Plan;
use crate::app::App;

/// A text as TOML writes it.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

/// The file.
pub(super) fn text(plan: &Plan, app: &App) -> String {
    let mut file = format!(
        "# Probity's configuration, written by `probity init` on {}.\n\
         # A line that begins with # is not in force; most show how a setting is written.\n\
         # `probity config show` prints every setting with its value, `probity config check` checks this file.\n",
        app.clock.now().date()
    );
    // Writing into a string cannot fail.
    let _ = model(&mut file, plan);
    let _ = search(&mut file, plan);
    let _ = store(&mut file, plan);
    file.push_str(REST);
    file
}

fn model(file: &mut String, plan: &Plan) -> std::fmt::Result {
    write!(
        file,
        "\n[model]\n\
         # Who judges and writes: \"auto\" (the first provider that has a key, else no model), \"embedded\" (no model),\n\
         # a provider such as \"anthropic\", or one of its models such as \"ollama:qwen3:8b\".\n\
         default = {}\n",
        quoted(&plan.model.to_string())
    )?;
    if let Some(provider) = plan.model_provider()
        && (plan.base_url.is_some() || plan.model_key.is_some())
    {
        write!(file, "\n[model.{provider}]\n")?;
        if let Some(url) = &plan.base_url {
            writeln!(file, "base_url = {}", quoted(&url.to_string()))?;
        }
        if let Some(key) = &plan.model_key {
            writeln!(file, "key_file = {}", quoted(&key.path().display().to_string()))?;
        }
    }
    file.push_str(
        "\n[model.limits]\n\
         # The most that one run may spend, in US dollars and in calls.\n\
         # max_cost = 0.50\n\
         # max_calls = 60\n",
    );
    Ok(())
}

fn search(file: &mut String, plan: &Plan) -> std::fmt::Result {
    write!(
        file,
        "\n[search]\n\
         # Whom to ask: \"auto\" (whatever has a key or an address, else providers that need neither), or names\n\
         # such as \"brave,wikipedia,library\".\n\
         providers = {}\n",
        quoted(&plan.search.to_string())
    )?;
    let mut tables: Vec<(String, Vec<String>)> = Vec::new();
    if let Some((provider, url)) = &plan.search_url {
        tables.push((provider.to_string(), vec![format!("url = {}", quoted(url.as_str()))]));
    }
    if let Some((provider, key)) = &plan.search_key {
        let line = format!("key_file = {}", quoted(&key.path().display().to_string()));
        match tables.iter_mut().find(|(name, _)| *name == provider.to_string()) {
            Some((_, lines)) => lines.push(line),
            None => tables.push((provider.to_string(), vec![line])),
        }
    }
    for (name, lines) in &tables {
        write!(file, "\n[search.{name}]\n{}\n", lines.join("\n"))?;
    }
    if plan.search_url.is_none() && plan.search == Selection::Auto {
        file.push_str("\n# [search.searxng]\n# url = \"http://127.0.0.1:8888\"\n");
    }
    Ok(())
}

fn store(file: &mut String, plan: &Plan) -> std::fmt::Result {
    file.push_str(
        "\n[store]\n\
         # Where runs, ledger and library are kept: a path, or postgres://USER:PASSWORD@HOST/DATABASE.\n\
         # Without it that is a file in the data folder; `probity config path` says where.\n",
    );
    match &plan.store {
        Some(url) => writeln!(file, "url = {}", quoted(url.expose())),
        None => writeln!(file, "# url = \"postgres://probity@localhost/probity\""),
    }
}

/// What most people come back for, with its defaults.
const REST: &str = "
[credibility]
# At or below this score a page is never downloaded.
# threshold = 0.5

[fetch]
# Private hosts that may be fetched, as HOST:PORT.
# allow_hosts = [\"wiki.internal:443\"]

[research.modes.standard]
# How many sources a standard run reads in its two rounds, and about how many words its report has.
# round1_sources = 4
# round2_sources = 3
# words = 1000

[oidc]
# Where people log in to the server besides by password (OpenID Connect). Its secret is in PROBITY_OIDC_SECRET.
# issuer = \"https://id.example.org/realms/newsroom\"
# client_id = \"probity\"
# What somebody becomes who is no user yet: \"none\" (who may not log in), \"reader\", \"editor\" or \"admin\".
# new_users = \"none\"
";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Settings;

    #[test]
    fn every_line_that_is_commented_out_is_a_setting_that_exists() {
        let shown = REST.replace("\n# ", "\n");
        // Explanations have no equals sign; what has one is a setting.
        let settings: Vec<&str> =
            shown.lines().filter(|line| line.contains(" = ") || line.starts_with('[')).collect();
        assert!(settings.len() >= 8, "{settings:?}");
        toml::from_str::<Settings>(&settings.join("\n")).unwrap();
    }

    #[test]
    fn a_text_cannot_leave_its_quotes() {
        let odd = "a\"b\\c\nd = 1";
        let read: toml::Table = toml::from_str(&format!("x = {}", quoted(odd))).unwrap();
        assert_eq!(read["x"].as_str(), Some(odd));
    }
}
