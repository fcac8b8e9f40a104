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

use std::pin::Pin;
use std::process::ExitCode;

use crate::app::App;
use crate::cli::Command;

/// A command at work.
type Running<'a> = Pin<Box<dyn Future<Output = anyhow::Result<ExitCode>> + 'a>>;

/// Runs a command. Each is boxed by itself: one future that could be any of them would be compiled as a whole.
pub(crate) fn run(command: Command, app: &App) -> Running<'_> {
    match command {
        Command::Research(args) => Box::pin(research::run(*args, app)),
        Command::Ask(args) => Box::pin(ask::run(args, app)),
        Command::Runs(command) => Box::pin(runs::run(command, app)),
        Command::Export(args) => Box::pin(async move { export::run(&args, app).await }),
        Command::Render(args) => Box::pin(async move { render::run(&args, app) }),
        Command::Score(args) => Box::pin(score::run(args, app)),
        Command::Relevance(args) => Box::pin(async move { relevance::run(args, app) }),
        Command::Check(args) => Box::pin(check::run(args, app)),
        Command::CiteCheck(args) => Box::pin(cite_check::run(args, app)),
        Command::Bench(command) => Box::pin(async move { bench::run(&command, app).await }),
        Command::Search(args) => Box::pin(search::run(args, app)),
        Command::Fetch(args) => Box::pin(fetch::run(args, app)),
        Command::Extract(args) => Box::pin(extract::run(args, app)),
        Command::Library(command) => Box::pin(library::run(command, app)),
        Command::Feeds(command) => Box::pin(feeds::run(command, app)),
        Command::News(command) => Box::pin(news::run(command, app)),
        Command::Outlets(command) => Box::pin(outlets::run(command, app)),
        Command::Watch(command) => Box::pin(watch::run(command, app)),
        Command::Alerts(command) => Box::pin(async move { alerts::run(&command, app).await }),
        Command::Worker(args) => Box::pin(async move { worker::run(&args, app).await }),
        Command::Queue(command) => Box::pin(async move { queue::run(&command, app).await }),
        Command::MigrateStore(args) => {
            Box::pin(async move { migrate_store::run(&args, app).await })
        }
        Command::Backup(args) => Box::pin(async move { backup::back_up(&args, app).await }),
        Command::Restore(args) => Box::pin(async move { backup::restore(&args, app).await }),
        Command::Serve(args) => Box::pin(async move { serve::run(&args, app).await }),
        Command::Mcp(args) => Box::pin(async move { mcp::run(&args, app).await }),
        Command::Users(command) => Box::pin(users::run(command, app)),
        Command::Tokens(command) => Box::pin(tokens::run(command, app)),
        Command::Models(command) => Box::pin(async move { models::run(&command, app) }),
        Command::Costs(args) => Box::pin(async move { costs::run(&args, app).await }),
        Command::Init(args) => Box::pin(async move { init::run(&args, app).await }),
        Command::Demo(args) => Box::pin(async move { demo::run(&args, app).await }),
        Command::Config(command) => Box::pin(async move { config::run(&command, app) }),
        Command::Doctor(args) => Box::pin(async move { doctor::run(&args, app).await }),
        Command::Completions(args) => Box::pin(async move { completions::completions(&args) }),
        Command::Man(args) => Box::pin(async move { completions::man(&args) }),
    }
}
