//! One file per command: its arguments, and what it does with them.

pub(crate) mod alerts;
pub(crate) mod ask;
pub(crate) mod backup;
pub(crate) mod bench;
pub(crate) mod check;
pub(crate) mod cite_check;
pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod costs;
pub(crate) mod demo;
pub(crate) mod doctor;
pub(crate) mod export;
pub(crate) mod extract;
pub(crate) mod feeds;
pub(crate) mod fetch;
pub(crate) mod init;
pub(crate) mod library;
pub(crate) mod mcp;
pub(crate) mod migrate_store;
pub(crate) mod models;
pub(crate) mod news;
pub(crate) mod outlets;
pub(crate) mod queue;
pub(crate) mod relevance;
pub(crate) mod render;
pub(crate) mod research;
pub(crate) mod runs;
pub(crate) mod score;
pub(crate) mod search;
pub(crate) mod serve;
pub(crate) mod tokens;
pub(crate) mod users;
pub(crate) mod watch;
pub(crate) mod worker;

use std::process::ExitCode;

use crate::app::App;
use crate::cli::Command;

/// Runs a command.
pub(crate) async fn run(command: Command, app: &App) -> anyhow::Result<ExitCode> {
    match command {
        Command::Research(args) => research::run(*args, app).await,
        Command::Ask(args) => ask::run(args, app).await,
        Command::Runs(command) => runs::run(command, app).await,
        Command::Export(args) => export::run(&args, app).await,
        Command::Render(args) => render::run(&args, app),
        Command::Score(args) => score::run(args, app).await,
        Command::Relevance(args) => relevance::run(args, app),
        Command::Check(args) => check::run(args, app).await,
        Command::CiteCheck(args) => cite_check::run(args, app).await,
        Command::Bench(command) => bench::run(&command, app).await,
        Command::Search(args) => search::run(args, app).await,
        Command::Fetch(args) => fetch::run(args, app).await,
        Command::Extract(args) => extract::run(args, app).await,
        Command::Library(command) => library::run(command, app).await,
        Command::Feeds(command) => feeds::run(command, app).await,
        Command::News(command) => news::run(command, app).await,
        Command::Outlets(command) => outlets::run(command, app).await,
        Command::Watch(command) => watch::run(command, app).await,
        Command::Alerts(command) => alerts::run(&command, app).await,
        Command::Worker(args) => worker::run(&args, app).await,
        Command::Queue(command) => queue::run(&command, app).await,
        Command::MigrateStore(args) => migrate_store::run(&args, app).await,
        Command::Backup(args) => backup::back_up(&args, app).await,
        Command::Restore(args) => backup::restore(&args, app).await,
        Command::Serve(args) => serve::run(&args, app).await,
        Command::Mcp(args) => mcp::run(&args, app).await,
        Command::Users(command) => users::run(command, app).await,
        Command::Tokens(command) => tokens::run(command, app).await,
        Command::Models(command) => models::run(&command, app),
        Command::Costs(args) => costs::run(&args, app).await,
        Command::Init(args) => init::run(&args, app).await,
        Command::Demo(args) => demo::run(&args, app).await,
        Command::Config(command) => config::run(&command, app),
        Command::Doctor(args) => doctor::run(&args, app).await,
        Command::Completions(args) => completions::completions(&args),
        Command::Man(args) => completions::man(&args),
    }
}
