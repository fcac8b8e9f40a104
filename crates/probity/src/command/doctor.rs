//! `probity doctor`: is everything in place, and how to mend what is not.
//!
//! Nothing is created: a store that is not there yet is reported as such. Nothing is sent either;
//! whether a search provider answers is for `probity search` to tell.

mod check;
mod parts;
mod places;
mod stored;

use std::process::ExitCode;

use anstyle::{AnsiColor, Style as Ansi};
use probity_core::printable;
use serde::Serialize;

pub(crate) use self::check::{Check, State};
use crate::app::App;
use crate::output;

/// The report as JSON. The order of the fields is part of the format.
#[derive(Serialize)]
struct Report<'a> {
    ok: bool,
    version: &'static str,
    checks: &'a [Check],
}

/// Runs every check.
pub(crate) async fn checks(app: &App) -> Vec<Check> {
    let mut checks = vec![places::configuration(app), places::data_folder(app)];
    checks.extend(places::free_space(app));
    checks.extend(stored::store_and_ledger(app).await);
    checks.extend([parts::model(), parts::language_model(app), parts::search(app)]);
    checks.extend([parts::clock(app), parts::terminal(app)]);
    checks
}

/// Runs every check; exit code 1 when one failed.
pub(crate) async fn run(app: &App) -> anyhow::Result<ExitCode> {
    let checks = checks(app).await;
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
    let fix = check.fix.map_or(String::new(), |fix| format!("\n         fix: {fix}"));
    format!("{word} {}: {}{fix}", check.name, printable::line(&check.found))
}
