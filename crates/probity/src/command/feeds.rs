//! `probity feeds`: feeds and their items, one file per subcommand.

mod parse;

use std::process::ExitCode;

use clap::Subcommand;

use crate::app::App;

/// What may be typed after `probity feeds`.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Read a feed from a file and show its items, with the publisher behind each and its score.
    Parse(parse::Args),
}

/// Runs `probity feeds`.
pub(crate) async fn run(command: Command, app: &App) -> anyhow::Result<ExitCode> {
    match command {
        Command::Parse(args) => parse::run(&args, app).await,
    }
}
