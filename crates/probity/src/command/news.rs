//! `probity news`: articles and the stories they tell, one file per subcommand.

mod articles;
mod cluster;
mod fetch;
mod prune;
pub(crate) mod run;
mod search;
mod show;

use std::process::ExitCode;

use clap::Subcommand;

use crate::app::App;

/// What may be typed after `probity news`.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Poll every feed that is due, once, and end.
    Fetch(fetch::Args),
    /// Poll feeds as they fall due, until told to stop.
    Run(run::Args),
    /// List stored articles, the latest first.
    Articles(articles::Args),
    /// Show one article, with its full text where it is kept or fetched.
    Show(show::Args),
    /// Find stored articles, and show what they say on a query.
    Search(search::Args),
    /// Forget articles that are older than is kept.
    Prune(prune::Args),
    /// Group articles from a file into stories, and name the one that speaks for each.
    Cluster(cluster::Args),
}

/// Runs `probity news`.
pub(crate) async fn run(command: Command, app: &App) -> anyhow::Result<ExitCode> {
    match command {
        Command::Fetch(args) => fetch::run(args, app).await,
        Command::Run(args) => run::run(args, app).await,
        Command::Articles(args) => articles::run(args, app).await,
        Command::Show(args) => show::run(&args, app).await,
        Command::Search(args) => search::run(&args, app).await,
        Command::Prune(args) => prune::run(&args, app).await,
        Command::Cluster(args) => cluster::run(&args, app).await,
    }
}
