//! What may be typed: the global flags and the commands.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::command;

/// Research with sources you can defend.
///
/// Probity scores every page before it fetches it, judges each source by whether it answers the
/// question, and checks every cited sentence against the source it cites.
#[derive(Parser)]
#[command(name = "probity", version, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Flags that every command takes.
#[derive(Args, Clone)]
pub(crate) struct Global {
    /// Print JSON instead of text.
    #[arg(long, global = true, help_heading = "Global options")]
    pub(crate) json: bool,
    /// The folder for the store and saved reports.
    #[arg(long, global = true, value_name = "DIR", help_heading = "Global options")]
    pub(crate) data_dir: Option<PathBuf>,
    /// The configuration file.
    #[arg(long, global = true, value_name = "FILE", help_heading = "Global options")]
    pub(crate) config: Option<PathBuf>,
    /// When to use colour; `auto` also respects NO_COLOR.
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        help_heading = "Global options"
    )]
    pub(crate) color: ColorChoice,
    /// Log more to stderr: -v decisions, -vv requests, -vvv everything.
    #[arg(short, long, global = true, action = clap::ArgAction::Count, help_heading = "Global options")]
    pub(crate) verbose: u8,
    /// How log lines are written.
    #[arg(
        long,
        global = true,
        value_name = "FORMAT",
        default_value = "text",
        help_heading = "Global options"
    )]
    pub(crate) log_format: LogFormat,
}

/// When to use colour.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum ColorChoice {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// How log lines are written.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum LogFormat {
    /// One readable line an event.
    Text,
    /// One JSON object an event.
    Json,
}

/// The commands.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Answer a question with a cited report, or say that the sources do not suffice.
    Research(Box<command::research::Args>),
    /// Ask the sources of a stored run something else, without searching.
    Ask(command::ask::Args),
    /// Stored runs: list, show, resume, replay, compare.
    #[command(subcommand)]
    Runs(command::runs::Command),
    /// Write a stored report in any format.
    Export(command::export::Args),
    /// Write a report from its JSON in any format.
    Render(command::render::Args),
    /// Explain the score of a page before it is fetched.
    Score(command::score::Args),
    /// Judge whether a text answers a question, from 1 to 5, and say why.
    Relevance(command::relevance::Args),
    /// Check any text: split it into statements, find evidence for each, and give a verdict.
    Check(command::check::Args),
    /// Check whether a source says what a claim says, and show the passage.
    CiteCheck(command::cite_check::Args),
    /// Measure accuracy on labelled data, and estimate capacity for a load.
    #[command(subcommand)]
    Bench(command::bench::Command),
    /// Search the web and show what was found, without fetching any of it.
    Search(command::search::Args),
    /// Fetch one page and show its text, or why it cannot be read.
    Fetch(command::fetch::Args),
    /// Read local files (HTML, PDF, DOCX, Markdown, text) and show their text.
    Extract(command::extract::Args),
    /// Your own documents, indexed for search.
    #[command(subcommand)]
    Library(command::library::Command),
    /// Feeds: their items, and who published them.
    #[command(subcommand)]
    Feeds(command::feeds::Command),
    /// The newsroom: topics in the news, and the best article on each.
    #[command(subcommand)]
    News(command::news::Command),
    /// Publishers: who owns a page, and how credible they are.
    #[command(subcommand)]
    Outlets(command::outlets::Command),
    /// Questions that are asked again on a schedule, and what changed.
    #[command(subcommand)]
    Watch(command::watch::Command),
    /// Alerts by webhook, ntfy or email.
    #[command(subcommand)]
    Alerts(command::alerts::Command),
    /// Take runs from the queue and execute them, until stopped.
    Worker(command::worker::Args),
    /// The queue: what is waiting, running, or needs attention.
    #[command(subcommand)]
    Queue(command::queue::Command),
    /// Move everything from one store to another, such as from a file to PostgreSQL.
    MigrateStore(command::migrate_store::Args),
    /// Write everything in the store to one file, while it stays in use.
    Backup(command::backup::BackupArgs),
    /// Put everything in a backup into a new store.
    Restore(command::backup::RestoreArgs),
    /// Serve the web page and the API, and execute the runs started there.
    Serve(command::serve::Args),
    /// Serve tools to other agents: MCP over stdin and stdout.
    Mcp(command::mcp::Args),
    /// People who may log in to the server.
    #[command(subcommand)]
    Users(command::users::Command),
    /// Tokens for programs that call the server.
    #[command(subcommand)]
    Tokens(command::tokens::Command),
    /// Which language models would be used, and what others still need.
    #[command(subcommand)]
    Models(command::models::Command),
    /// What stored runs spent on language models.
    Costs(command::costs::Args),
    /// Set Probity up: choose model, search, library and store, test each, and write a
    /// configuration file.
    Init(command::init::Args),
    /// Show a server with an invented town's documents, finished runs, topics and a ledger with a history.
    Demo(command::demo::Args),
    /// Show and check the configuration.
    #[command(subcommand)]
    Config(command::config::Command),
    /// Check that everything Probity needs is in place and answers, and say how to fix what does not.
    Doctor(command::doctor::Args),
    /// Write a shell completion script to stdout.
    Completions(command::completions::Args),
    /// Write the manual page to stdout, or the pages of all commands into a folder.
    Man(command::completions::ManArgs),
}
