//! `probity news prune`: articles that are older than is kept are forgotten.

use std::process::ExitCode;

use probity_core::{Timestamp, counted};

use crate::app::App;
use crate::output;

/// What may be typed after `probity news prune`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Keep this many days, instead of the configured number.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    days: Option<u32>,
}

/// Runs `probity news prune`.
pub(crate) async fn run(args: &Args, app: &App) -> anyhow::Result<ExitCode> {
    let days = args.days.unwrap_or(app.settings.news.retention_days);
    let before = app.clock.now().0.saturating_sub(i64::from(days) * 24 * 3_600_000);
    let pruned = app.store().await?.prune_articles(Timestamp(before)).await?;
    if app.json {
        output::print_json(&pruned)?;
    } else {
        output::print_line(&format!(
            "{} deleted.",
            counted(pruned.articles, "article", "articles")
        ))?;
    }
    Ok(ExitCode::SUCCESS)
}
