//! `probity outlets`: publishers, whose pages are whose, and what they are worth.

pub(crate) mod change;
pub(crate) mod code;
mod codebook;
mod explain;
mod export;
mod history;
mod import;
mod list;
pub(crate) mod resolve;
mod revert;
mod set;
mod show;
mod stream;
mod target;
mod verify;
mod view;

use std::process::ExitCode;

use crate::app::App;

/// What may be typed after `probity outlets`.
#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// List outlets with their scores.
    List(list::Args),
    /// Show one outlet: its score, where the score comes from, and its latest events.
    Show(show::Args),
    /// Explain the authority of an outlet: tier, kind, name, lists, editors, and the weight of
    /// each.
    Explain(explain::Args),
    /// Find the publisher of an address, behind aggregators, redirects, archives and shorteners.
    Resolve(resolve::Args),
    /// Apply codes to an outlet or an article, which moves the outlet's score.
    Code(code::Args),
    /// Show the history of an outlet's score, as a table and a plot.
    History(history::Args),
    /// Prove that the log is complete and that the current scores follow from it.
    Verify(verify::Args),
    /// The codes that can be applied, and the weight of each.
    Codebook(codebook::Args),
    /// Set an outlet's score by hand.
    Set(set::Args),
    /// Undo an event by a new one that restores the score before it.
    Revert(revert::Args),
    /// Import scores from a CSV file: all of them or none.
    Import(import::Args),
    /// Write all scores as CSV, or the whole log as JSON lines.
    Export(export::Args),
}

/// Runs `probity outlets`.
pub(crate) async fn run(command: Command, app: &App) -> anyhow::Result<ExitCode> {
    if let Command::Resolve(args) = &command {
        return resolve::run(args, app);
    }
    let done = with_store(command, app).await?;
    // Leaves one whole file behind, which can be copied as it is.
    app.store().await?.close().await;
    Ok(done)
}

async fn with_store(command: Command, app: &App) -> anyhow::Result<ExitCode> {
    match command {
        Command::List(args) => list::run(args, app).await,
        Command::Show(args) => show::run(&args, app).await,
        Command::Explain(args) => explain::run(&args, app).await,
        Command::Resolve(args) => resolve::run(&args, app),
        Command::Code(args) => code::run(&args, app).await,
        Command::History(args) => history::run(&args, app).await,
        Command::Verify(args) => verify::run(args, app).await,
        Command::Codebook(args) => codebook::run(args, app).await,
        Command::Set(args) => set::run(&args, app).await,
        Command::Revert(args) => revert::run(&args, app).await,
        Command::Import(args) => import::run(&args, app).await,
        Command::Export(args) => export::run(&args, app).await,
    }
}
