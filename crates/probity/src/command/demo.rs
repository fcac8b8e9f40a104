//! `probity demo`: a server over an invented town, filled before it opens, gone when it ends.
//!
//! Everything is in a folder of its own: no setting is read that could reach a network, and nothing of
//! the user's is touched.

mod fill;
mod town;

use std::net::SocketAddr;
use std::process::ExitCode;

use anyhow::Context as _;

use super::serve;
use crate::app::App;
use crate::config::{Paths, Settings};
use crate::failure::WithHint as _;
use crate::signal::{EXIT_INTERRUPTED, unless_asked_to_stop};

/// What may be typed after `probity demo`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The address to listen on; it must be loopback.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8643")]
    bind: SocketAddr,
}

/// Runs `probity demo`.
pub(crate) async fn run(args: &Args, app: &App) -> anyhow::Result<ExitCode> {
    if !args.bind.ip().is_loopback() {
        return Err(crate::failure::usage(format!("{} is not loopback", args.bind)))
            .hint("the demo is for this machine; `probity serve` is for others");
    }
    // Filling takes seconds: a port that is taken is reported before.
    drop(serve::listen(args.bind).await?);
    let folder = tempfile::Builder::new()
        .prefix("probity-demo-")
        .tempdir()
        .context("cannot make a folder for the demo")
        .hint("set TMPDIR to a folder that can be written")?;
    let paths = Paths {
        data: folder.path().join("data"),
        config: folder.path().join("config.toml"),
        config_named: false,
    };
    let app = app.elsewhere(settings()?, paths);
    let filled = unless_asked_to_stop(fill::fill(&app, folder.path())).await;
    let served = match filled {
        Some(Ok(())) => serve::run(&serve::Args::at(args.bind), &app).await,
        Some(Err(error)) => Err(error.context("the demo could not be filled")),
        None => Ok(ExitCode::from(EXIT_INTERRUPTED)),
    };
    // Said aloud, because a folder that stays behind is the one thing that the demo must not leave.
    folder.close().context("the folder of the demo could not be removed")?;
    served
}

/// What the demo works with: the town's library, and no web.
fn settings() -> anyhow::Result<Settings> {
    toml::from_str("[model]\ndefault = \"embedded\"\n[search]\nproviders = \"library,news\"\n")
        .context("the demo's own settings cannot be read")
}
