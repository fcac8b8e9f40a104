//! `probity watch`: questions that are asked again on a schedule, one file per group of subcommands.

mod list;
mod take;

use std::process::ExitCode;
use std::time::Duration;

use clap::Subcommand;
use probity_core::{Mode, WatchId, printable};
use probity_server::Ask;
use probity_server::access::LOCAL;
use probity_server::watch::{self as saved, WatchError};
use probity_store::Store;
use probity_store::watches::{Watch, WatchChange};
use serde_json::json;

use crate::app::App;
use crate::backend::ProgramBackend;
use crate::failure::{WithHint as _, missing, usage};
use crate::live::Live;
use crate::output;

/// What may be typed after `probity watch`.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Save a question, which workers ask at once and then again on its schedule.
    Add(AddArgs),
    /// List the saved questions.
    List,
    /// Show a saved question with what changed each time it was asked.
    Show(Named),
    /// Change how often a saved question is asked.
    Every {
        /// The saved question.
        id: WatchId,
        /// How often: 30m, 6h, 1d, 2w; at least 15m.
        #[arg(value_name = "TIME", value_parser = span)]
        every: Duration,
    },
    /// Stop asking a saved question until it is resumed.
    Pause(Named),
    /// Ask a saved question again on its schedule; it is due at once.
    Resume(Named),
    /// Remove a saved question; its runs stay.
    Remove(Named),
    /// Ask a saved question now, here, and show what changed.
    Run(Named),
}

/// A question to be saved.
#[derive(clap::Args)]
pub(crate) struct AddArgs {
    /// The question.
    question: String,
    /// How often to ask it: 30m, 6h, 1d, 2w; at least 15m.
    #[arg(long, value_name = "TIME", value_parser = span, default_value = "1d")]
    every: Duration,
    /// Read up to 3 sources each time, instead of 7.
    #[arg(long, conflicts_with = "deep")]
    quick: bool,
    /// Read up to 10 sources each time.
    #[arg(long)]
    deep: bool,
    /// Search providers to ask, separated by commas.
    #[arg(long, value_name = "NAMES")]
    search: Option<String>,
    /// The model that judges and writes: auto, embedded, a provider, or PROVIDER:NAME.
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,
    /// The most that language models may cost each time, in US dollars.
    #[arg(long, value_name = "USD")]
    max_cost: Option<f64>,
}

/// A saved question by its number.
#[derive(clap::Args)]
pub(crate) struct Named {
    /// The number that `probity watch list` shows.
    id: WatchId,
}

fn span(text: &str) -> Result<Duration, String> {
    let span = probity_core::time::span(text).map_err(|error| error.to_string())?;
    saved::check_every(span).map_err(|error| error.to_string())?;
    Ok(span)
}

/// Runs `probity watch`.
pub(crate) async fn run(command: Command, app: &App) -> anyhow::Result<ExitCode> {
    match command {
        Command::Add(args) => add(args, app).await?,
        Command::List => list::all(app).await?,
        Command::Show(named) => list::one(named.id, app).await?,
        Command::Every { id, every } => {
            let change = WatchChange { every: Some(every), ..WatchChange::default() };
            alter(id, change, "changed", app).await?;
        }
        Command::Pause(named) => {
            let change = WatchChange { paused: Some(true), ..WatchChange::default() };
            alter(named.id, change, "paused", app).await?;
        }
        Command::Resume(named) => {
            let change = WatchChange { paused: Some(false), ..WatchChange::default() };
            alter(named.id, change, "resumed", app).await?;
        }
        Command::Remove(named) => {
            let store = app.store().await?;
            let watch = find(&store, named.id).await?;
            store.remove_watch(watch.id).await?;
            store.note(LOCAL, "saved question removed", &watch.question).await?;
            done(watch.id, "removed", app)?;
        }
        Command::Run(named) => take::turn(named.id, app).await?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The saved question of a number.
async fn find(store: &Store, id: WatchId) -> anyhow::Result<Watch> {
    let found = store.watch(id).await?;
    found
        .ok_or_else(|| missing("saved question", id.to_string()))
        .hint("`probity watch list` shows them all")
}

async fn add(args: AddArgs, app: &App) -> anyhow::Result<()> {
    let store = app.store().await?;
    let backend = ProgramBackend::new(Live::new(app))?;
    let mode = match (args.quick, args.deep) {
        (true, _) => Mode::Quick,
        (_, true) => Mode::Deep,
        _ => Mode::Standard,
    };
    let ask = Ask {
        question: args.question,
        mode: Some(mode),
        search: args.search,
        model: args.model,
        max_cost: args.max_cost,
        ..Ask::default()
    };
    let added = saved::add(&store, &backend, LOCAL, &ask, args.every).await;
    let id = added.map_err(|error| match error {
        WatchError::Ask(error) => usage(format!("{}: {}", error.field, error.why)),
        other => anyhow::Error::new(other),
    })?;
    store.note(LOCAL, "question saved", &ask.question).await?;
    match app.json {
        true => output::print_json(&list::Line::of(&find(&store, id).await?))?,
        false => {
            output::print_line(&format!(
                "Saved as {id}: {}",
                printable::brief(ask.question.trim(), 100)
            ))?;
            output::note("A server or `probity worker` asks it; `probity watch run` does so now");
        }
    }
    Ok(())
}

async fn alter(id: WatchId, change: WatchChange, what: &str, app: &App) -> anyhow::Result<()> {
    let store = app.store().await?;
    let watch = find(&store, id).await?;
    store.change_watch(watch.id, change).await?;
    store.note(LOCAL, "saved question changed", &watch.question).await?;
    done(watch.id, what, app)
}

fn done(id: WatchId, what: &str, app: &App) -> anyhow::Result<()> {
    match app.json {
        true => output::print_json(&json!({ "id": id, "done": what })),
        false => output::print_line(&format!("{id}: {what}")),
    }
}
