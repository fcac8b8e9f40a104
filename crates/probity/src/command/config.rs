//! `probity config`: the settings in force, where they come from, whether they hold.

use std::process::ExitCode;

use serde::Serialize;

use crate::app::App;
use crate::config::env;
use crate::output;

/// What may be typed after `probity config`.
#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Print every current setting, as TOML (or JSON); secrets are not shown.
    Show,
    /// Print the places that Probity reads and writes.
    Path,
    /// Check the configuration file and the environment.
    Check,
    /// List the environment variables that Probity reads, and which of them are set.
    Env,
}

#[derive(Serialize)]
struct Places<'a> {
    config: &'a std::path::Path,
    config_exists: bool,
    /// What was set on the page.
    page: std::path::PathBuf,
    page_exists: bool,
    data: &'a std::path::Path,
}

#[derive(Serialize)]
struct Checked<'a> {
    config: &'a std::path::Path,
    config_exists: bool,
    ok: bool,
}

#[derive(Serialize)]
struct Variable {
    name: &'static str,
    set: bool,
    what: &'static str,
}

fn variables() -> Vec<Variable> {
    let all = env::ALL.iter();
    all.map(|var| Variable { name: var.name, set: var.is_set(), what: var.what }).collect()
}

/// Runs `probity config`. Settings that do not hold have failed before this.
pub(crate) fn run(command: &Command, app: &App) -> anyhow::Result<ExitCode> {
    let config = app.paths.config.as_path();
    let config_exists = config.exists();
    let page = app.paths.page();
    let page_exists = page.exists();
    match command {
        Command::Show if app.json => output::print_json(&app.settings)?,
        Command::Show => output::print_line(toml::to_string_pretty(&app.settings)?.trim_end())?,
        Command::Path if app.json => {
            let data = &app.paths.data;
            output::print_json(&Places { config, config_exists, page, page_exists, data })?;
        }
        Command::Path => {
            let note = if config_exists { "" } else { " (does not exist; defaults apply)" };
            let unset = if page_exists { "" } else { " (does not exist; nothing was set there)" };
            output::print_line(&format!(
                "config  {}{note}\npage    {}{unset}\ndata    {}",
                config.display(),
                page.display(),
                app.paths.data.display()
            ))?;
        }
        Command::Env if app.json => output::print_json(&variables())?,
        Command::Env => {
            let line = |var: &Variable| {
                let set = if var.set { "set" } else { "-" };
                format!("{:<28} {set:<4} {}", var.name, var.what)
            };
            let lines: Vec<String> = variables().iter().map(line).collect();
            output::print_line(&lines.join("\n"))?;
        }
        Command::Check if app.json => {
            output::print_json(&Checked { config, config_exists, ok: true })?;
        }
        Command::Check if config_exists => {
            output::print_line(&format!("{} is in order", config.display()))?;
        }
        Command::Check => {
            output::print_line(&format!(
                "There is no {}; the defaults are in force. `probity config show` prints them.",
                config.display()
            ))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
