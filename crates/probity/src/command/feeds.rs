//! `probity feeds`: feeds and their items, one file per subcommand.

mod add;
mod export;
pub(crate) mod fetch;
mod import;
mod list;
mod parse;
mod remove;
mod show;
mod switch;

use std::process::ExitCode;

pub(crate) use add::add_document;

use clap::Subcommand;

use crate::app::App;

/// What may be typed after `probity feeds`.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Add a feed, or the feed of a page, and store its items.
    Add(add::Args),
    /// Add the feeds of an OPML list; its folders become categories.
    Import(import::Args),
    /// Write the feeds as an OPML list.
    Export(export::Args),
    /// List the feeds with their health.
    List(list::Args),
    /// Show the details of a feed and its errors.
    Show(show::Args),
    /// Poll feeds now, whether they are due or not.
    Fetch(fetch::Args),
    /// Remove a feed; its articles stay by default.
    Remove(remove::Args),
    /// Poll a feed again that was disabled, is gone or was given up.
    Enable(switch::Args),
    /// Disable a feed: it stays, but is not polled.
    Disable(switch::Args),
    /// Read a feed from a file and show its items, with the publisher behind each and its score.
    Parse(parse::Args),
}

/// Runs `probity feeds`.
pub(crate) async fn run(command: Command, app: &App) -> anyhow::Result<ExitCode> {
    match command {
        Command::Add(args) => add::run(args, app).await,
        Command::Import(args) => import::run(&args, app).await,
        Command::Export(args) => export::run(&args, app).await,
        Command::List(args) => list::run(&args, app).await,
        Command::Show(args) => show::run(&args, app).await,
        Command::Fetch(args) => fetch::run(&args, app).await,
        Command::Remove(args) => remove::run(&args, app).await,
        Command::Enable(args) => switch::run(&args, true, app).await,
        Command::Disable(args) => switch::run(&args, false, app).await,
        Command::Parse(args) => parse::run(&args, app).await,
    }
}
