//! `probity doctor`: is everything in place, and how to fix what is not.
//!
//! Nothing is created: a store that is not there yet is reported as such. Models and search providers
//! are sent one short question each, unless `--offline` is given.

mod check;
mod parts;
mod places;
pub(crate) mod reach;
pub(crate) mod stored;
mod works;

use std::process::ExitCode;

use anstyle::{AnsiColor, Style as Ansi};
use probity_core::printable;
use serde::Serialize;

pub(crate) use self::check::{Check, State};
use self::works::{Works, works};
use crate::app::App;
use crate::output;

/// What may be typed after `probity doctor`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Send nothing: check only this machine, not whether models and providers answer.
    #[arg(long)]
    offline: bool,
}

/// The report as JSON. The order of the fields is part of the format.
#[derive(Serialize)]
struct Report<'a> {
    ok: bool,
    version: &'static str,
    checks: &'a [Check],
    /// What would work now.
    works: &'a [Works],
}

/// Runs every check of what is here. Nothing is sent.
pub(crate) async fn checks(app: &App) -> Vec<Check> {
    let mut outside = vec![parts::language_model(app), parts::search(app)];
    outside.extend(parts::log_in(app));
    checks_around(app, outside).await
}

/// Asks models, search providers and the provider that people log in at whether they answer.
pub(crate) async fn reach_out(app: &App) -> Vec<Check> {
    let (model, search, log_in) =
        tokio::join!(reach::language_model(app), reach::search(app), reach::log_in(app));
    [Some(model), Some(search), log_in].into_iter().flatten().collect()
}

async fn checks_around(app: &App, outside: Vec<Check>) -> Vec<Check> {
    let mut checks = vec![places::configuration(app), places::data_folder(app)];
    checks.extend(places::free_space(app));
    checks.extend(stored::store_and_ledger(app).await);
    checks.push(parts::model());
    checks.extend(outside);
    checks.extend([parts::clock(app), parts::terminal(app)]);
    checks
}

/// Runs every check; exit code 1 when one failed.
pub(crate) async fn run(args: &Args, app: &App) -> anyhow::Result<ExitCode> {
    let checks = match args.offline {
        true => checks(app).await,
        false => checks_around(app, reach_out(app).await).await,
    };
    let works = works(&checks, !args.offline);
    let ok = checks.iter().all(|check| check.state != State::Failure);
    if app.json {
        let version = env!("CARGO_PKG_VERSION");
        output::print_json(&Report { ok, version, checks: &checks, works: &works })?;
    } else {
        let mut lines: Vec<String> = checks.iter().map(|check| describe(check, app)).collect();
        lines.push("\nWhat would work now:".to_owned());
        lines.extend(works.iter().map(|works| {
            let word = works.works.map_or("untried", |works| if works { "yes" } else { "no" });
            format!("{word:<8} {}: {}", works.what, printable::line(&works.how))
        }));
        output::print_line(&lines.join("\n"))?;
    }
    Ok(if ok { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

pub(crate) fn describe(check: &Check, app: &App) -> String {
    let (word, color) = match check.state {
        State::Ok => ("ok", AnsiColor::Green),
        State::Warning => ("warning", AnsiColor::Yellow),
        State::Failure => ("failure", AnsiColor::Red),
    };
    let word = app.style.stdout(Ansi::new().fg_color(Some(color.into())), &format!("{word:<8}"));
    let fix = check.fix.map_or(String::new(), |fix| format!("\n         fix: {fix}"));
    format!("{word} {}: {}{fix}", check.name, printable::line(&check.found))
}
