//! `probity news`: articles and the stories they tell, one file per subcommand.

mod articles;
mod brief;
mod categories;
mod cluster;
mod code;
pub(crate) mod consolidate;
mod fetch;
mod prune;
mod review;
mod route;
pub(crate) mod run;
mod search;
mod show;
mod topic;
mod topics;

use std::process::ExitCode;

use clap::Subcommand;

use crate::app::App;

/// What may be typed after `probity news`.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Poll every feed that is due, once, and end.
    Fetch(fetch::Args),
    /// Poll feeds as they fall due, until stopped.
    Run(run::Args),
    /// List stored articles, the latest first.
    Articles(articles::Args),
    /// Show one article, with its full text where it is kept or fetched.
    Show(show::Args),
    /// Search stored articles and show matching excerpts.
    Search(search::Args),
    /// Delete articles that are older than the retention.
    Prune(prune::Args),
    /// The categories of topics: names, descriptions, examples.
    #[command(subcommand)]
    Categories(categories::Command),
    /// Judge, cluster and route the articles of the last days now.
    Consolidate,
    /// List topics, the highest-ranked first, with the article that represents each.
    Topics(topics::Args),
    /// Show one topic: its articles, its representative and why, and its events.
    Topic(topic::Args),
    /// Show the routing decision for each category, by the outlets that represent it.
    Route(route::Args),
    /// List the outlets whose coding would change most.
    Review(review::Args),
    /// Apply codes to an article, which moves its outlet's score.
    Code(code::Args),
    /// Write a dated digest of the top topics, with citations that were checked.
    Brief(brief::Args),
    /// Cluster articles from a file into stories, and name the representative of each.
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
        Command::Categories(command) => categories::run(command, app).await,
        Command::Consolidate => consolidate::run(app).await,
        Command::Topics(args) => topics::run(&args, app).await,
        Command::Topic(args) => topic::run(&args, app).await,
        Command::Route(args) => route::run(&args, app).await,
        Command::Review(args) => review::run(&args, app).await,
        Command::Code(args) => code::run(&args, app).await,
        Command::Brief(args) => brief::run(&args, app).await,
        Command::Cluster(args) => cluster::run(&args, app).await,
    }
}
