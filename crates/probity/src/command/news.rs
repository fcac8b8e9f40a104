//! `probity news`: stories in the news, one file per subcommand.

mod cluster;

use std::process::ExitCode;

use clap::Subcommand;

use crate::app::App;

/// What may be typed after `probity news`.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Group articles from a file into stories, and name the one that speaks for each.
    Cluster(cluster::Args),
}

/// Runs `probity news`.
pub(crate) async fn run(command: Command, app: &App) -> anyhow::Result<ExitCode> {
    match command {
        Command::Cluster(args) => cluster::run(&args, app).await,
    }
}
