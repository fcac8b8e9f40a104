//! `probity outlets set`: a score by hand.

use std::process::ExitCode;

use probity_credibility::ledger::Credibility;

use super::{change, target};
use crate::app::App;
use crate::failure::usage;

/// What may be typed after `probity outlets set`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The outlet's domain, or the address of one of its pages.
    #[arg(value_name = "OUTLET")]
    outlet: String,
    /// The score, from 0 to 1.
    #[arg(value_name = "SCORE", allow_negative_numbers = true)]
    score: f64,
    #[command(flatten)]
    signed: change::Signed,
    /// Add the outlet even if its name is one letter off that of an outlet in the ledger.
    #[arg(long)]
    new: bool,
}

/// Runs `probity outlets set`.
pub(crate) async fn run(args: &Args, app: &App) -> anyhow::Result<ExitCode> {
    let score = Credibility::new(args.score).map_err(|error| usage(error.to_string()))?;
    let signature = args.signed.signature()?;
    let outlet = target::read(&args.outlet, app)?.outlet;
    let intent = args.signed.intent();
    let store = app.store().await?;
    let made =
        store.set_score(&outlet, score, &signature, change::newcomer(args.new), intent).await;
    change::print(&made.map_err(change::explain)?, intent, app).await
}
