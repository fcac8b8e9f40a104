//! `probity doctor`: is everything in place, and how to mend what is not.

use std::process::ExitCode;

use anstyle::{AnsiColor, Style as Ansi};
use serde::Serialize;

use crate::app::App;
use crate::output;

/// How a check came out.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum State {
    Ok,
    Warning,
    Failure,
}

/// One check: what was looked at, what was found, and what to do about it.
#[derive(Serialize)]
struct Check {
    name: &'static str,
    state: State,
    found: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<String>,
}

impl Check {
    fn ok(name: &'static str, found: impl Into<String>) -> Self {
        Self { name, state: State::Ok, found: found.into(), fix: None }
    }

    fn bad(name: &'static str, state: State, found: impl Into<String>, fix: &str) -> Self {
        Self { name, state, found: found.into(), fix: Some(fix.to_owned()) }
    }
}

#[derive(Serialize)]
struct Report<'a> {
    ok: bool,
    version: &'static str,
    checks: &'a [Check],
}

/// Runs every check; exit code 1 when one failed.
pub(crate) async fn run(app: &App) -> anyhow::Result<ExitCode> {
    let checks = vec![configuration(app), data_folder(app), clock(app)];
    let ok = checks.iter().all(|check| check.state != State::Failure);
    if app.json {
        let version = env!("CARGO_PKG_VERSION");
        output::print_json(&Report { ok, version, checks: &checks })?;
    } else {
        let lines: Vec<String> = checks.iter().map(|check| describe(check, app)).collect();
        output::print_line(&lines.join("\n"))?;
    }
    Ok(if ok { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn describe(check: &Check, app: &App) -> String {
    let (word, color) = match check.state {
        State::Ok => ("ok", AnsiColor::Green),
        State::Warning => ("warning", AnsiColor::Yellow),
        State::Failure => ("failure", AnsiColor::Red),
    };
    let word = app.style.stdout(Ansi::new().fg_color(Some(color.into())), &format!("{word:<8}"));
    let fix = check.fix.as_deref().map_or(String::new(), |fix| format!("\n         fix: {fix}"));
    format!("{word} {}: {}{fix}", check.name, check.found)
}

fn configuration(app: &App) -> Check {
    // Settings that do not hold fail before any command runs, so what is left is their absence.
    let path = app.paths.config.display();
    match app.paths.config.exists() {
        true => Check::ok("configuration", format!("{path} is in order")),
        false => Check::ok("configuration", format!("no {path}; the defaults are in force")),
    }
}

fn data_folder(app: &App) -> Check {
    let path = &app.paths.data;
    let shown = path.display();
    let probe = std::fs::create_dir_all(path).and_then(|()| {
        let file = path.join(format!(".probity-doctor-{}", std::process::id()));
        std::fs::write(&file, b"probe")?;
        std::fs::remove_file(&file)
    });
    match probe {
        Ok(()) => Check::ok("data folder", format!("{shown} can be written")),
        Err(error) => Check::bad(
            "data folder",
            State::Failure,
            format!("{shown}: {error}"),
            "make the folder writable, or name another with --data-dir or PROBITY_HOME",
        ),
    }
}

/// Years before which this program did not exist: a clock that shows one is wrong.
const PLAUSIBLE_FROM: i16 = 2026;

fn clock(app: &App) -> Check {
    let now = app.clock.now();
    if now.year() < PLAUSIBLE_FROM {
        return Check::bad(
            "clock",
            State::Warning,
            format!("the clock says {now}"),
            "set the machine's clock: recency and the audit log depend on it",
        );
    }
    Check::ok("clock", now.to_string())
}
