//! `probity mcp`: the tools for other agents, over stdin and stdout.

use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context as _;
use probity_server::{Door, Doors, Server, Setup, converse};
use tokio::fs::File;

use crate::app::App;
use crate::backend::ProgramBackend;
use crate::failure::WithHint as _;
use crate::live::Live;
use crate::output;

use super::{serve, worker};

/// What may be typed after `probity mcp`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Let agents code outlets, which moves their scores.
    #[arg(long)]
    allow_coding: bool,
    /// Execute no runs here; leave them to `probity worker`.
    #[arg(long)]
    no_workers: bool,
}

/// Runs `probity mcp`. Nothing but the protocol goes to stdout.
pub(crate) async fn run(args: &Args, app: &App) -> anyhow::Result<ExitCode> {
    let app = if args.allow_coding { app.clone().with_coding() } else { app.clone() };
    let store = app.store().await?;
    let server = Server::new(Setup {
        store: store.clone(),
        backend: Arc::new(ProgramBackend::new(Live::new(&app))?),
        clock: app.clock,
        door: Door::Open,
        // There is no door to guard: the client has started this process.
        doors: Doors::at(([127, 0, 0, 1], 0).into()),
        rate: serve::OPEN_RATE,
        workers: !args.no_workers,
        queue: app.settings.queue.limits(),
        failures_most: app.settings.queue.failures_most,
    })?;
    let stop = worker::stop_switch();
    let (end, ended) = tokio::sync::watch::channel(false);
    let workers = match args.no_workers {
        true => None,
        false => Some(serve::start_workers(&app, &store, ended).await?),
    };
    let (read, write) = pipes()?;
    output::note("Speaking MCP over stdin and stdout; Ctrl-C stops");
    let talked = converse(server, read, write, serve::asked_to_stop(stop)).await;
    // The workers stop after the conversation, so that what it cancelled is stopped, not handed
    // over.
    end.send_replace(true);
    if let Some(workers) = workers {
        let _ = workers.await;
    }
    store.close().await;
    talked.hint("an MCP client starts this command; `docs/mcp.md` shows how to set one up")?;
    Ok(ExitCode::SUCCESS)
}

/// Stdin and stdout, to be read and written without holding up anything else.
fn pipes() -> anyhow::Result<(File, File)> {
    let (stdin, stdout) = duplicates().context("stdin and stdout cannot be used")?;
    Ok((File::from_std(stdin), File::from_std(stdout)))
}

#[cfg(unix)]
fn duplicates() -> std::io::Result<(std::fs::File, std::fs::File)> {
    use std::os::fd::AsFd as _;
    let stdin = std::io::stdin().as_fd().try_clone_to_owned()?;
    let stdout = std::io::stdout().as_fd().try_clone_to_owned()?;
    Ok((stdin.into(), stdout.into()))
}

#[cfg(windows)]
fn duplicates() -> std::io::Result<(std::fs::File, std::fs::File)> {
    use std::os::windows::io::AsHandle as _;
    let stdin = std::io::stdin().as_handle().try_clone_to_owned()?;
    let stdout = std::io::stdout().as_handle().try_clone_to_owned()?;
    Ok((stdin.into(), stdout.into()))
}
