//! `probity migrate-store`: moves everything from one store to another.

use std::process::ExitCode;

use anyhow::Context as _;
use probity_store::relocate::relocate;
use probity_store::{Location, Store};

use crate::app::App;
use crate::command::backup;
use crate::failure::{WithHint as _, usage};
use crate::signal::unless_asked_to_stop;

/// What may be typed after `probity migrate-store`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The store to move from: a path, `sqlite:PATH` or `postgres://…`.
    #[arg(long, value_name = "STORE")]
    from: String,
    /// The store to move to, which must be new.
    #[arg(long, value_name = "STORE")]
    to: String,
}

/// Runs `probity migrate-store`.
pub(crate) async fn run(args: &Args, app: &App) -> anyhow::Result<ExitCode> {
    let from = location("--from", &args.from)?;
    let to = location("--to", &args.to)?;
    if from == to {
        return Err(usage("--from and --to name the same store"));
    }
    if let Some(path) = from.path().filter(|path| !path.exists()) {
        return Err(usage(format!("--from: there is no store at {}", path.display())));
    }
    let options = app.settings.store.options();
    let source = Store::open_with(&from, &options).await.context("cannot open --from")?;
    let target = Store::open_with(&to, &options).await.context("cannot open --to")?;
    let work = relocate(&source, &target, backup::print_table);
    let Some(moved) = unless_asked_to_stop(work).await else { return Ok(backup::interrupted()) };
    let moved = moved.hint("the source store is unchanged")?;
    source.close().await;
    target.close().await;
    backup::report(app, &moved, &format!("Moved {from} to {to}"))
}

fn location(flag: &str, text: &str) -> anyhow::Result<Location> {
    Location::parse(text).map_err(|error| usage(format!("{flag}: {error}")))
}
