//! `probity outlets`: publishers, whose pages are whose, and what they are worth.

pub(crate) mod resolve;

use std::process::ExitCode;

use crate::app::App;

/// What may be typed after `probity outlets`.
#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Tell whose page an address is, behind aggregators, redirects, archives and shorteners.
    Resolve(resolve::Args),
}

/// Runs `probity outlets`.
pub(crate) async fn run(command: Command, app: &App) -> anyhow::Result<ExitCode> {
    match command {
        Command::Resolve(args) => resolve::run(&args, app),
    }
}
