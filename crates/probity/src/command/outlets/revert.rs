//! `probity outlets revert`: an event undone by a new one.

use std::process::ExitCode;

use super::change;
use crate::app::App;

/// What may be typed after `probity outlets revert`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The number of the event; the outlet's score before it is restored.
    #[arg(value_name = "EVENT", allow_negative_numbers = true)]
    event: i64,
    #[command(flatten)]
    signed: change::Signed,
}

/// Runs `probity outlets revert`.
pub(crate) async fn run(args: &Args, app: &App) -> anyhow::Result<ExitCode> {
    let signature = args.signed.signature()?;
    let intent = args.signed.intent();
    let made = app.store().await?.revert(args.event, &signature, intent).await;
    change::print(&made.map_err(change::explain)?, intent, app).await
}
