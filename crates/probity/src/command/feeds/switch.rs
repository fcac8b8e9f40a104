//! `probity feeds enable` and `disable`: whether a feed is polled.

use std::process::ExitCode;

use crate::app::App;
use crate::newsroom::{host, pick};
use crate::output;

/// What may be typed after `probity feeds enable` and `disable`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The feeds: their numbers or addresses.
    #[arg(value_name = "FEED", required = true)]
    feeds: Vec<String>,
}

/// Runs `probity feeds enable` or `disable`.
pub(crate) async fn run(args: &Args, on: bool, app: &App) -> anyhow::Result<ExitCode> {
    let store = app.store().await?;
    let state = if on { "enabled" } else { "disabled" };
    let mut switched = Vec::new();
    for name in &args.feeds {
        let feed = pick(&store, name).await?;
        store.switch_feed(feed.id, &host(&feed.url), on).await?;
        if !app.json {
            let name = probity_core::printable::brief(feed.name(), 100);
            output::print_line(&format!("Feed {} {state}: {name}", feed.id))?;
        }
        switched.push(serde_json::json!({"feed": feed.id, "state": state}));
    }
    if app.json {
        output::print_json(&switched)?;
    }
    Ok(ExitCode::SUCCESS)
}
